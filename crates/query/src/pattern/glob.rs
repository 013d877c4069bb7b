//! Globs, written anew as regular expressions.
//!
//! The grammar is that of fd and ripgrep: `?` one character, `*` any number, `[a-z] [!a-z]
//! [^a-z] [[:digit:]]` classes, `{a,b}` alternatives (nested too), `\` escapes. None of these
//! match a `/`; `**` as a whole component matches any number of directories. Unlike there,
//! characters are characters, not bytes, in `?` and in classes.

use std::ops::Range;

use super::error::PatternError;

/// How deep alternatives may nest.
const MAX_DEPTH: usize = 50;

/// A regex that matches the same whole names.
pub(super) fn to_regex(glob: &str) -> Result<String, PatternError> {
    let mut translator = Translator {
        glob,
        at: 0,
        depth: 0,
        regex: "^".to_owned(),
    };
    translator.sequence()?;
    translator.regex.push('$');
    Ok(translator.regex)
}

struct Translator<'a> {
    glob: &'a str,
    /// Next byte to read.
    at: usize,
    depth: usize,
    regex: String,
}

impl Translator<'_> {
    /// Everything up to the end of the glob or, within alternatives, of this one.
    fn sequence(&mut self) -> Result<(), PatternError> {
        let start = self.at;
        while let Some(c) = self.peek() {
            let from = self.at;
            match c {
                ',' | '}' if self.depth > 0 => return Ok(()),
                '}' => return Err(self.error("a '}' without a '{' before it", from..from + 1)),
                '*' if self.stars(start) => {}
                '/' if self.slash_stars() => {}
                '*' => self.replace(1, "[^/]*"),
                '?' => self.replace(1, "[^/]"),
                '[' => self.class()?,
                '{' => self.alternatives()?,
                '\\' => self.escape()?,
                c => self.literal(c),
            }
        }
        Ok(())
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn rest(&self) -> &str {
        self.glob.get(self.at..).unwrap_or("")
    }

    /// Steps over `len` bytes of the glob and writes what they stand for.
    fn replace(&mut self, len: usize, regex: &str) {
        self.at += len;
        self.regex.push_str(regex);
    }

    fn literal(&mut self, c: char) {
        self.at += c.len_utf8();
        regex_syntax::escape_into(c.encode_utf8(&mut [0; 4]), &mut self.regex);
    }

    /// `**` at the start of a sequence: `**/` stands for any directories or none.
    fn stars(&mut self, start: usize) -> bool {
        let rest = self.rest();
        let is_prefix = self.at == start && rest.starts_with("**");
        match rest.get(2..).and_then(|r| r.chars().next()) {
            Some('/') if is_prefix => {
                let len = 3 + repeated(&rest[3..], "**/");
                // `**/` and nothing else is as good as `**`.
                let alone = len == rest.len() && self.depth == 0;
                self.replace(len, if alone { ".*" } else { "(?:/?|.*/)" });
            }
            None if is_prefix => self.replace(2, ".*"),
            Some(',' | '}') if is_prefix && self.depth > 0 => self.replace(2, ".*"),
            _ => return false,
        }
        true
    }

    /// `/**/` in the middle and `/**` at the end.
    fn slash_stars(&mut self) -> bool {
        let rest = self.rest();
        if !rest.starts_with("/**") {
            return false;
        }
        let repeats = repeated(&rest[3..], "/**");
        let len = 3 + repeats;
        match rest[len..].chars().next() {
            None => self.replace(len, "/.*"),
            Some(',' | '}') if self.depth > 0 => self.replace(len, "/.*"),
            Some('/') => self.replace(len + 1, "(?:/|/.*/)"),
            // The last repetition is followed by more text: `/**/**x`.
            Some(_) if repeats > 0 => self.replace(len - 2, "(?:/|/.*/)"),
            Some(_) => return false,
        }
        true
    }

    fn escape(&mut self) -> Result<(), PatternError> {
        let from = self.at;
        self.at += 1;
        match self.peek() {
            Some(c) => self.literal(c),
            None => return Err(self.error("a '\\' with nothing after it", from..from + 1)),
        }
        Ok(())
    }

    fn alternatives(&mut self) -> Result<(), PatternError> {
        let from = self.at;
        if self.depth == MAX_DEPTH {
            return Err(self.error("alternatives nest too deep", from..from + 1));
        }
        self.depth += 1;
        self.replace(1, "(?:");
        let mut empty = true;
        loop {
            let before = self.regex.len();
            if !empty {
                self.regex.push('|');
            }
            let start = self.regex.len();
            self.sequence()?;
            if self.regex.len() == start {
                // An empty alternative is left out, as it always was in this kind of glob.
                self.regex.truncate(before);
            } else {
                empty = false;
            }
            match self.peek() {
                Some(',') => self.at += 1,
                Some(_) => break,
                None => return Err(self.error("a '{' without a '}' after it", from..from + 1)),
            }
        }
        self.depth -= 1;
        self.replace(1, ")");
        Ok(())
    }

    fn class(&mut self) -> Result<(), PatternError> {
        let from = self.at;
        let class = Class::read(self.rest())
            .map_err(|message| self.error(message, from..self.glob.len()))?;
        class.write(&mut self.regex);
        self.at += class.len;
        Ok(())
    }

    fn error(&self, message: &'static str, at: Range<usize>) -> PatternError {
        PatternError::Glob {
            message,
            at,
            glob: self.glob.to_owned(),
        }
    }
}

/// Bytes at the start of `text` that are repetitions of `unit`.
fn repeated(text: &str, unit: &str) -> usize {
    text.len() - text.trim_start_matches(unit).len()
}

/// A bracket expression.
struct Class {
    negated: bool,
    ranges: Vec<(char, char)>,
    /// Names between `[:` and `:]`.
    named: Vec<String>,
    /// Bytes of glob it takes.
    len: usize,
}

impl Class {
    /// Reads the class that `text` begins with.
    fn read(text: &str) -> Result<Class, &'static str> {
        let mut class = Class {
            negated: false,
            ranges: Vec::new(),
            named: Vec::new(),
            len: 1,
        };
        if text[1..].starts_with(['!', '^']) {
            class.negated = true;
            class.len = 2;
        }
        let first = class.len;
        loop {
            let rest = text.get(class.len..).unwrap_or("");
            let mut chars = rest.chars();
            let c = chars.next().ok_or("a '[' without a ']' after it")?;
            if c == ']' && class.len > first {
                class.len += 1;
                return Ok(class);
            }
            if let Some(name) = posix_name(rest) {
                class.len += name.len() + 4;
                class.named.push(name.to_owned());
                continue;
            }
            class.len += c.len_utf8();
            let mut ahead = chars.clone();
            match (ahead.next(), ahead.next()) {
                (Some('-'), Some(end)) if end != ']' => {
                    if end < c {
                        return Err("a range whose end is before its start");
                    }
                    class.ranges.push((c, end));
                    class.len += 1 + end.len_utf8();
                }
                _ => class.ranges.push((c, c)),
            }
        }
    }

    fn write(&self, regex: &mut String) {
        // `&&[^/]` takes the separator out, whichever way the class holds it.
        regex.push_str(if self.negated { "[[^" } else { "[[" });
        for &(from, to) in &self.ranges {
            regex_syntax::escape_into(from.encode_utf8(&mut [0; 4]), regex);
            if from != to {
                regex.push('-');
                regex_syntax::escape_into(to.encode_utf8(&mut [0; 4]), regex);
            }
        }
        for name in &self.named {
            regex.push_str(&format!("[:{name}:]"));
        }
        regex.push_str("]&&[^/]]");
    }
}

/// The name in `[:name:]` at the start of `text`, if it is one.
fn posix_name(text: &str) -> Option<&str> {
    const NAMES: [&str; 12] = [
        "alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space",
        "upper", "xdigit",
    ];
    let (name, _) = text.strip_prefix("[:")?.split_once(":]")?;
    NAMES.contains(&name).then_some(name)
}
