//! One line of a rule file, compiled to the cheapest form that decides it.

use super::braces;
use super::glob::{self, Malformed, Token};
use super::key::{Key, literal, reversed};

/// A line is spelt out into no more patterns than this.
const MAX_SPELT_OUT: usize = 16;

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

/// What a pattern is matched with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// The name of any entry below the rule file's directory.
    Name,
    /// The name of an entry directly in that directory.
    TopName,
    /// The path below that directory.
    Path,
}

/// A compiled pattern.
#[derive(Debug)]
pub(super) struct Pattern {
    /// `!`: what matches is kept.
    pub(super) negated: bool,
    /// A trailing `/`: only directories match.
    pub(super) dir_only: bool,
    pub(super) scope: Scope,
    pub(super) key: Key,
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

/// Compiles a line. One with braces or small classes gives several patterns that mean the same
/// when one of them matches, an empty one none.
pub(super) fn compile(line: &[u8], dialect: Dialect) -> Result<Vec<Pattern>, Malformed> {
    let marks = strip_marks(line);
    let bodies = match dialect {
        Dialect::Git => vec![marks.body.to_vec()],
        Dialect::Braces => braces::expand(marks.body).unwrap_or_else(|_| vec![marks.body.to_vec()]),
        Dialect::Strict => braces::expand(marks.body)?,
    };
    let mut patterns = Vec::with_capacity(bodies.len());
    for body in bodies.iter().filter(|body| !body.is_empty()) {
        let tokens = glob::compile(body, marks.whole_path, dialect == Dialect::Strict)?;
        patterns.extend(
            spelt_out(tokens)
                .into_iter()
                .map(|tokens| Pattern::new(&marks, tokens)),
        );
    }
    Ok(patterns)
}

/// Replaces small classes by their members where that makes names or extensions of them:
/// `[Bb]in`, `*.py[co]`.
fn spelt_out(tokens: Vec<Token>) -> Vec<Vec<Token>> {
    let mut all = vec![Vec::with_capacity(tokens.len())];
    for token in &tokens {
        let choices = match token {
            Token::Class(class) => class.few_members(MAX_SPELT_OUT / all.len()),
            _ => None,
        };
        let choices = match choices {
            Some(bytes) if !bytes.is_empty() => bytes.into_iter().map(Token::Byte).collect(),
            _ => vec![token.clone()],
        };
        let longer =
            |start: &Vec<Token>, choice: &Token| [start, std::slice::from_ref(choice)].concat();
        all = all
            .iter()
            .flat_map(|s| choices.iter().map(move |c| longer(s, c)))
            .collect();
    }
    let filed = all
        .iter()
        .all(|tokens| !matches!(Key::of(tokens), Key::Other(_)));
    if filed { all } else { vec![tokens] }
}

impl Pattern {
    fn new(marks: &Marks<'_>, mut tokens: Vec<Token>) -> Pattern {
        let scope = scope(marks, &tokens);
        if marks.whole_path && scope == Scope::Name {
            tokens.remove(0);
        }
        Pattern {
            negated: marks.negated,
            dir_only: marks.dir_only,
            scope,
            key: Key::of(&tokens),
            shape: Shape::new(tokens, scope),
        }
    }

    /// Whether the pattern matches `text`: a path or a name, as `scope` says.
    #[inline]
    pub(super) fn matches(&self, text: &[u8]) -> bool {
        match &self.shape {
            Shape::Exact(own) => **own == *text,
            Shape::Prefix(head) => text.starts_with(head),
            Shape::Suffix(tail) => text.ends_with(tail),
            Shape::Glob { head, tail, tokens } => {
                text.ends_with(tail)
                    && text
                        .strip_prefix(&**head)
                        .is_some_and(|rest| glob::matches(tokens, rest))
            }
        }
    }

    /// The directory, with its `/`, that everything a path pattern matches lies below.
    pub(super) fn lead(&self) -> &[u8] {
        let (Shape::Exact(head) | Shape::Prefix(head) | Shape::Glob { head, .. }) = &self.shape
        else {
            return b"";
        };
        head.iter()
            .rposition(|&b| b == b'/')
            .map_or(b"", |slash| &head[..=slash])
    }
}

/// The cheapest scope that means the same.
fn scope(marks: &Marks<'_>, tokens: &[Token]) -> Scope {
    let (first, rest) = tokens.split_at(tokens.len().min(1));
    match marks.whole_path {
        false => Scope::Name,
        // `**/name` is a plain name.
        true if first == [Token::DeepDirs]
            && !rest.is_empty()
            && !rest.iter().any(Token::crosses) =>
        {
            Scope::Name
        }
        true if !tokens.iter().any(Token::crosses) => Scope::TopName,
        true => Scope::Path,
    }
}

impl Shape {
    fn new(mut tokens: Vec<Token>, scope: Scope) -> Shape {
        let head = literal(tokens.iter()).into_boxed_slice();
        let tail = reversed(&literal(tokens.iter().rev()));
        if head.len() == tokens.len() {
            return Shape::Exact(head);
        }
        let wild = tokens.len() - head.len() - tail.len();
        let one_star = wild == 1 && tokens[head.len()] == Token::Star && scope != Scope::Path;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn one(line: &str) -> Pattern {
        compile(line.as_bytes(), Dialect::Git).unwrap().remove(0)
    }

    #[test]
    fn marks_are_taken_off() {
        use Scope::{Name, Path, TopName};
        for (line, negated, dir_only, scope, text) in [
            ("a", false, false, Name, "a"),
            ("!a", true, false, Name, "a"),
            ("a/", false, true, Name, "a"),
            ("!/a/b/", true, true, Path, "a/b"),
            ("\\!a", false, false, Name, "!a"),
            ("\\#a", false, false, Name, "#a"),
            ("**/a", false, false, Name, "a"),
            ("/a", false, false, TopName, "a"),
            ("a/**", false, false, Path, "a/x/y"),
        ] {
            let pattern = one(line);
            assert_eq!(
                (pattern.negated, pattern.dir_only, pattern.scope),
                (negated, dir_only, scope),
                "{line}"
            );
            assert!(pattern.matches(text.as_bytes()), "{line}");
        }
    }

    #[test]
    fn small_classes_become_names_and_extensions() {
        let keys = |line: &str| {
            let all = compile(line.as_bytes(), Dialect::Git).unwrap();
            all.into_iter()
                .map(|pattern| pattern.key)
                .collect::<Vec<_>>()
        };
        let name = |name: &str| Key::Name(name.as_bytes().into());
        let extension = |extension: &str| Key::Extension(extension.as_bytes().into());
        assert_eq!(keys("[Bb]in/"), [name("Bin"), name("bin")]);
        assert_eq!(keys("*.py[co]"), [extension("pyc"), extension("pyo")]);
        assert_eq!(keys("[!a]").len(), 1);
        assert_eq!(keys("[ab][ab][ab][ab][ab]").len(), 1);
        assert_eq!(keys("*.[ab]*").len(), 1);
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
