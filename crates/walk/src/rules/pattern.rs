//! One line of a rule file, compiled to the cheapest form that decides it.

use super::braces;
use super::glob::{self, Malformed, Token};

/// How the lines of a source are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    /// `.gitignore` and its kin: braces are ordinary bytes.
    Git,
    /// `.ignore`, `.fdignore` and files named on the command line: `{a,b}` stands for both, where
    /// the braces are balanced.
    Braces,
    /// A pattern from the command line: braces too, and what is malformed is an error.
    Strict,
}

/// A compiled pattern.
#[derive(Debug)]
pub(super) struct Pattern {
    /// `!`: what matches is kept.
    pub(super) negated: bool,
    /// A trailing `/`: only directories match.
    pub(super) dir_only: bool,
    /// Matched with the path below the rule file's directory, otherwise with the name.
    pub(super) whole_path: bool,
    shape: Shape,
}

#[derive(Debug)]
enum Shape {
    Exact(Box<[u8]>),
    Prefix(Box<[u8]>),
    Suffix(Box<[u8]>),
    /// Opens with `head`, ends with `tail`, and what follows the head matches `tokens`.
    Glob {
        head: Box<[u8]>,
        tail: Box<[u8]>,
        tokens: Box<[Token]>,
    },
}

/// What the name of every match is known to be: where to file a pattern.
#[derive(Debug, PartialEq)]
pub(super) enum Key<'a> {
    /// This very name.
    Name(&'a [u8]),
    /// A name with these bytes behind its last dot.
    Extension(&'a [u8]),
    /// A name that opens or ends with these bytes, where they are known.
    Edges(Option<u8>, Option<u8>),
}

/// A line without its marks.
struct Marks<'a> {
    negated: bool,
    dir_only: bool,
    whole_path: bool,
    body: &'a [u8],
}

/// Takes `!`, the trailing `/` and the leading `/` off a line.
fn strip_marks(line: &[u8]) -> Marks<'_> {
    let (negated, line) = match line.strip_prefix(b"!") {
        Some(rest) => (true, rest),
        None => (false, line),
    };
    let (dir_only, line) = match line.strip_suffix(b"/") {
        Some(rest) => (true, rest),
        None => (false, line),
    };
    let whole_path = line.contains(&b'/');
    Marks {
        negated,
        dir_only,
        whole_path,
        body: line.strip_prefix(b"/").unwrap_or(line),
    }
}

/// Compiles a line; a line with braces gives several patterns, an empty one none.
pub(super) fn compile(line: &[u8], dialect: Dialect) -> Result<Vec<Pattern>, Malformed> {
    let marks = strip_marks(line);
    let bodies = match dialect {
        Dialect::Git => vec![marks.body.to_vec()],
        Dialect::Braces => braces::expand(marks.body).unwrap_or_else(|_| vec![marks.body.to_vec()]),
        Dialect::Strict => braces::expand(marks.body)?,
    };
    let strict = dialect == Dialect::Strict;
    bodies
        .iter()
        .filter(|body| !body.is_empty())
        .map(|body| {
            let tokens = glob::compile(body, marks.whole_path, strict)?;
            Ok(Pattern::new(&marks, tokens))
        })
        .collect()
}

impl Pattern {
    fn new(marks: &Marks<'_>, mut tokens: Vec<Token>) -> Pattern {
        let mut whole_path = marks.whole_path;
        if whole_path && is_name_at_any_depth(&tokens) {
            tokens.remove(0);
            whole_path = false;
        }
        let shape = Shape::new(tokens, whole_path);
        Pattern {
            negated: marks.negated,
            dir_only: marks.dir_only,
            whole_path,
            shape,
        }
    }

    /// Whether the pattern matches `text`: the path or the name, as `whole_path` says.
    #[inline]
    pub(super) fn matches(&self, text: &[u8]) -> bool {
        match &self.shape {
            Shape::Exact(own) => **own == *text,
            Shape::Prefix(head) => text.starts_with(head),
            Shape::Suffix(tail) => text.ends_with(tail),
            Shape::Glob { head, tail, tokens } => {
                text.len() >= head.len()
                    && text.ends_with(tail)
                    && text.starts_with(head)
                    && glob::matches(tokens, &text[head.len()..])
            }
        }
    }

    /// What is known of every name this pattern matches.
    pub(super) fn key(&self) -> Key<'_> {
        match &self.shape {
            Shape::Exact(own) => Key::Name(groma_base::basename(own)),
            Shape::Prefix(head) => Key::Edges(head.first().copied(), None),
            Shape::Suffix(tail) => ending(tail, None),
            Shape::Glob { head, tail, .. } => match tail.iter().rposition(|&b| b == b'/') {
                Some(slash) if slash + 1 < tail.len() => Key::Name(&tail[slash + 1..]),
                Some(_) => Key::Edges(None, None),
                None => ending(tail, head.first().copied().filter(|_| !self.whole_path)),
            },
        }
    }
}

/// The key of a name that ends in `tail`.
fn ending(tail: &[u8], first: Option<u8>) -> Key<'_> {
    match tail.iter().rposition(|&b| b == b'.') {
        Some(dot) => Key::Extension(&tail[dot + 1..]),
        None => Key::Edges(first, tail.last().copied()),
    }
}

/// Whether the tokens say `**/name`, which is a plain name.
fn is_name_at_any_depth(tokens: &[Token]) -> bool {
    let crosses =
        |token: &Token| matches!(token, Token::Byte(b'/') | Token::Deep | Token::DeepDirs);
    matches!(tokens, [Token::DeepDirs, rest @ ..] if !rest.is_empty() && !rest.iter().any(crosses))
}

impl Shape {
    fn new(mut tokens: Vec<Token>, whole_path: bool) -> Shape {
        let head = literal_run(tokens.iter());
        let tail: Box<[u8]> = literal_run(tokens.iter().rev())
            .iter()
            .rev()
            .copied()
            .collect();
        let wild = tokens.len().saturating_sub(head.len() + tail.len());
        if head.len() == tokens.len() {
            return Shape::Exact(head);
        }
        let one_star = wild == 1 && tokens[head.len()] == Token::Star && !whole_path;
        if one_star && head.is_empty() {
            return Shape::Suffix(tail);
        }
        if one_star && tail.is_empty() {
            return Shape::Prefix(head);
        }
        tokens.drain(..head.len());
        Shape::Glob {
            head,
            tail,
            tokens: tokens.into_boxed_slice(),
        }
    }
}

fn literal_run<'a>(tokens: impl Iterator<Item = &'a Token>) -> Box<[u8]> {
    tokens
        .map_while(|token| match token {
            Token::Byte(byte) => Some(*byte),
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(line: &str) -> Pattern {
        compile(line.as_bytes(), Dialect::Git).unwrap().remove(0)
    }

    #[test]
    fn marks_are_taken_off() {
        for (line, negated, dir_only, whole_path, text) in [
            ("a", false, false, false, "a"),
            ("!a", true, false, false, "a"),
            ("a/", false, true, false, "a"),
            ("!/a/b/", true, true, true, "a/b"),
            ("\\!a", false, false, false, "!a"),
            ("\\#a", false, false, false, "#a"),
            ("**/a", false, false, false, "a"),
            ("a/**", false, false, true, "a/x/y"),
        ] {
            let pattern = one(line);
            assert_eq!(
                (pattern.negated, pattern.dir_only, pattern.whole_path),
                (negated, dir_only, whole_path),
                "{line}"
            );
            assert!(pattern.matches(text.as_bytes()), "{line}");
        }
    }

    #[test]
    fn patterns_are_filed_by_what_is_known_of_the_name() {
        for (line, key) in [
            ("target", Key::Name(b"target")),
            ("/a/target/", Key::Name(b"target")),
            ("a/*/b", Key::Name(b"b")),
            ("**/x/b", Key::Name(b"b")),
            ("*.o", Key::Extension(b"o")),
            ("/*.spec", Key::Extension(b"spec")),
            ("*.tar.gz", Key::Extension(b"gz")),
            ("[Bb]in.cs", Key::Extension(b"cs")),
            ("*~", Key::Edges(None, Some(b'~'))),
            ("#*#", Key::Edges(Some(b'#'), Some(b'#'))),
            (".*", Key::Edges(Some(b'.'), None)),
            ("a/*", Key::Edges(None, None)),
            ("a/**", Key::Edges(None, None)),
            ("a/x*y", Key::Edges(None, Some(b'y'))),
        ] {
            assert_eq!(one(line).key(), key, "{line}");
        }
    }

    #[test]
    fn a_star_between_literals_needs_room_for_both() {
        assert!(!one("aba*aba").matches(b"aba"));
        assert!(!one("aba*aba").matches(b"ababa"));
        assert!(one("aba*aba").matches(b"abaaba"));
    }

    #[test]
    fn braces_are_read_by_dialect() {
        let count = |dialect| compile(b"*.{a,b}", dialect).unwrap().len();
        assert_eq!(
            (
                count(Dialect::Git),
                count(Dialect::Braces),
                count(Dialect::Strict)
            ),
            (1, 2, 2)
        );
        assert!(compile(b"{a", Dialect::Strict).is_err());
        assert_eq!(compile(b"{a", Dialect::Braces).unwrap().len(), 1);
    }
}
