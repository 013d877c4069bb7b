//! Where the parser stands in the text.

use super::tree::Span;

#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Cursor<'a> {
        Cursor { text, at: 0 }
    }

    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn bump(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    /// Steps over `token` if it stands here.
    pub(super) fn eat(&mut self, token: &str) -> bool {
        let here = self.rest().starts_with(token);
        if here {
            self.at += token.len();
        }
        here
    }

    /// Steps over white space; says whether there was any.
    pub(super) fn skip_space(&mut self) -> bool {
        let before = self.at;
        self.at += self.rest().len() - self.rest().trim_start().len();
        self.at > before
    }

    pub(super) fn span_from(&self, start: usize) -> Span {
        Span::new(start, self.at)
    }

    /// The letters, digits, `-` and `_` that stand here, beginning with a letter.
    pub(super) fn identifier(&self) -> &'a str {
        let rest = self.rest();
        if !rest.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return "";
        }
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())]
    }

    /// Whether a word could not go on here.
    pub(super) fn at_boundary(&self) -> bool {
        match self.peek() {
            None => true,
            Some(c) => c.is_whitespace() || matches!(c, '(' | ')' | '|' | '"' | '\''),
        }
    }

    /// Whether this upper-case word stands here, and alone.
    pub(super) fn at_keyword(&self, keyword: &str) -> bool {
        let mut ahead = *self;
        ahead.eat(keyword) && ahead.at_boundary()
    }

    /// Steps to where the next term could begin, after a mistake.
    pub(super) fn skip_word(&mut self) {
        let before = self.at;
        let end = self
            .rest()
            .find(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '|'));
        self.at = end.map_or(self.text.len(), |end| self.at + end);
        if self.at == before && !matches!(self.peek(), None | Some('(' | ')' | '|')) {
            self.bump();
        }
    }
}
