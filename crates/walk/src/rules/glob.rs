//! Glob patterns as git reads them: compiled to tokens once, matched without allocating.
//!
//! `*`, `?` and `[...]` never match a `/`. `**` does, but only where git lets it: as a whole
//! component, or right after the literal text that opens a pattern.

use super::class::Class;

/// Why a pattern can never match anything.
pub(super) type Malformed = &'static str;

/// One step of a pattern.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// This byte.
    Byte(u8),
    /// Any byte but `/`.
    Any,
    /// One byte of a set; `/` is never in it.
    Class(Box<Class>),
    /// Any run of bytes but `/`.
    Star,
    /// Any run of bytes.
    Deep,
    /// `**/`: nothing, or any run of bytes that ends in `/`.
    DeepDirs,
}

impl Token {
    /// The byte this token stands for, if it is one.
    pub(super) fn byte(&self) -> Option<u8> {
        match self {
            Token::Byte(byte) => Some(*byte),
            _ => None,
        }
    }

    /// Whether the token may match a `/`.
    pub(super) fn crosses(&self) -> bool {
        matches!(self, Token::Byte(b'/') | Token::Deep | Token::DeepDirs)
    }

    #[inline]
    fn accepts(&self, byte: u8) -> bool {
        match self {
            Token::Byte(own) => *own == byte,
            Token::Any => byte != b'/',
            Token::Class(class) => class.contains(byte),
            Token::Star | Token::Deep | Token::DeepDirs => false,
        }
    }
}

/// Whether git treats this byte as more than itself.
fn is_special(byte: u8) -> bool {
    matches!(byte, b'*' | b'?' | b'[' | b'\\')
}

/// Compiles `pattern`, which has lost its `!`, its leading `/` and its trailing `/`. `strict` also
/// refuses what git takes for a pattern with an odd meaning. `whole_path` says whether it is
/// matched with a path or with a name; in a name `**` means no more than `*`.
pub(super) fn compile(
    pattern: &[u8],
    whole_path: bool,
    strict: bool,
) -> Result<Vec<Token>, Malformed> {
    let literal_end = pattern
        .iter()
        .position(|&b| is_special(b))
        .unwrap_or(pattern.len());
    let mut tokens = Vec::with_capacity(pattern.len());
    let mut at = 0;
    while let Some(&byte) = pattern.get(at) {
        at = match byte {
            b'*' => push_stars(pattern, at, whole_path, literal_end, &mut tokens),
            b'?' => push(Token::Any, at + 1, &mut tokens),
            b'[' => {
                let (class, after) = Class::parse(pattern, at + 1, strict)?;
                push(Token::Class(Box::new(class)), after, &mut tokens)
            }
            b'\\' => {
                let escaped = pattern
                    .get(at + 1)
                    .ok_or("nothing follows the last backslash")?;
                push(Token::Byte(*escaped), at + 2, &mut tokens)
            }
            _ => push(Token::Byte(byte), at + 1, &mut tokens),
        };
    }
    Ok(tokens)
}

fn push(token: Token, next: usize, tokens: &mut Vec<Token>) -> usize {
    tokens.push(token);
    next
}

/// A run of stars at `start`; returns where the pattern goes on.
fn push_stars(
    pattern: &[u8],
    start: usize,
    whole_path: bool,
    literal_end: usize,
    tokens: &mut Vec<Token>,
) -> usize {
    let count = pattern[start..].iter().take_while(|&&b| b == b'*').count();
    let after = start + count;
    let rest = &pattern[after..];
    // git compares the literal opening of a pattern apart and only then looks for wildcards, so a
    // `**` right behind it counts as the start of a component.
    let opens = start == 0 || start == literal_end || pattern[start - 1] == b'/';
    let closes = rest.is_empty() || rest[0] == b'/' || rest.starts_with(b"\\/");
    if !(whole_path && count > 1 && opens && closes) {
        return push(Token::Star, after, tokens);
    }
    if rest.first() == Some(&b'/') {
        return push(Token::DeepDirs, after + 1, tokens);
    }
    push(Token::Deep, after, tokens)
}

/// Where to go on when what follows a wildcard does not fit: (token after it, next text position).
type Retry = Option<(usize, usize)>;

/// Whether `tokens` match the whole of `text`.
///
/// Two points of return are enough: what lies between two `**` fits best as early as it can, since
/// the next `**` takes anything; and a `*` cannot leave its component.
pub(super) fn matches(tokens: &[Token], text: &[u8]) -> bool {
    let (mut at, mut pos) = (0, 0);
    let (mut star, mut deep): (Retry, Retry) = (None, None);
    loop {
        match tokens.get(at) {
            None if pos == text.len() => return true,
            Some(Token::Star) => {
                at += 1;
                star = Some((at, pos));
                continue;
            }
            Some(Token::Deep | Token::DeepDirs) => {
                at += 1;
                (deep, star) = (Some((at, pos)), None);
                continue;
            }
            Some(token) if text.get(pos).is_some_and(|&byte| token.accepts(byte)) => {
                (at, pos) = (at + 1, pos + 1);
                continue;
            }
            _ => {}
        }
        star = longer_star(star, tokens, text);
        if star.is_none() {
            deep = longer_deep(deep, tokens, text);
        }
        match star.or(deep) {
            Some(retry) => (at, pos) = retry,
            None => return false,
        }
    }
}

/// Lets a `*` take at least one byte more, and all up to the literal byte it waits for.
fn longer_star(star: Retry, tokens: &[Token], text: &[u8]) -> Retry {
    let (at, pos) = star?;
    let rest = text.get(pos..)?;
    let taken = match tokens.get(at).and_then(Token::byte) {
        Some(wanted) => {
            1 + rest
                .iter()
                .skip(1)
                .position(|&b| b == wanted || b == b'/')?
        }
        None => 1,
    };
    let free = rest.get(..taken)?.first() != Some(&b'/');
    free.then_some((at, pos + taken))
}

/// Lets a `**` take one byte more, a `**/` one directory more.
fn longer_deep(deep: Retry, tokens: &[Token], text: &[u8]) -> Retry {
    let (at, pos) = deep?;
    let rest = text.get(pos..)?;
    match tokens[at - 1] {
        Token::DeepDirs => rest
            .iter()
            .position(|&b| b == b'/')
            .map(|slash| (at, pos + slash + 1)),
        _ => (!rest.is_empty()).then_some((at, pos + 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path_matches(pattern: &str, text: &str) -> bool {
        compile(pattern.as_bytes(), true, false)
            .is_ok_and(|tokens| matches(&tokens, text.as_bytes()))
    }

    #[test]
    fn stars_stay_in_their_component() {
        for (pattern, text, want) in [
            ("a/*", "a/b", true),
            ("a/*", "a/b/c", false),
            ("*/b", "a/b", true),
            ("*/b", "x/a/b", false),
            ("a?b", "a/b", false),
            ("a[/]b", "a/b", false),
            ("a[^x]b", "a/b", false),
            ("*a*b*", "xaxxbx", true),
            ("*a*b*c", "xaxxbx", false),
        ] {
            assert_eq!(path_matches(pattern, text), want, "{pattern} {text}");
        }
    }

    #[test]
    fn double_stars_cross_directories_only_as_components() {
        for (pattern, text, want) in [
            ("**/b", "b", true),
            ("**/b", "x/y/b", true),
            ("**/b", "xb", false),
            ("a/**", "a/b/c", true),
            ("a/**", "a", false),
            ("a/**/b", "a/b", true),
            ("a/**/b", "a/x/y/b", true),
            ("a/***/b", "a/x/y/b", true),
            ("a/**/b/**/c", "a/b/x/b/c", true),
            ("x?**/b", "xaa/b", true),
            ("x?**/b", "xaa/c/b", false),
            ("a/**x/b", "a/y/x/b", false),
            ("a/**\\/b", "a/x/y/b", true),
            ("a/**\\/b", "a/b", false),
        ] {
            assert_eq!(path_matches(pattern, text), want, "{pattern} {text}");
        }
    }

    #[test]
    fn double_star_after_the_literal_opening_counts_as_a_component() {
        assert!(path_matches("foo**/bar", "foobar"));
        assert!(path_matches("foo**/bar", "foox/y/bar"));
        assert!(path_matches("foo**/bar", "foo/bar"));
        assert!(!path_matches("f[o]o**/bar", "foox/y/bar"));
    }

    #[test]
    fn many_stars_do_not_explode() {
        let pattern = "*a".repeat(40) + "b";
        assert!(!path_matches(&pattern, &"a".repeat(4000)));
        let deep = "**/a*/".repeat(30) + "b";
        assert!(!path_matches(&deep, &"aa/".repeat(600)));
    }

    /// The plainest matcher there is: tries everything.
    fn naive(tokens: &[Token], text: &[u8]) -> bool {
        let Some((token, rest)) = tokens.split_first() else {
            return text.is_empty();
        };
        let mut cuts = 0..=text.len();
        match token {
            Token::Star => {
                cuts.any(|cut| !text[..cut].contains(&b'/') && naive(rest, &text[cut..]))
            }
            Token::Deep => cuts.any(|cut| naive(rest, &text[cut..])),
            Token::DeepDirs => {
                cuts.any(|cut| (cut == 0 || text[cut - 1] == b'/') && naive(rest, &text[cut..]))
            }
            one => text
                .split_first()
                .is_some_and(|(&b, tail)| one.accepts(b) && naive(rest, tail)),
        }
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(4000))]
        #[test]
        fn equals_trying_everything(pattern in "(a|b|/|\\*|\\*\\*|/\\*\\*/|\\?|\\[ab\\]){1,7}", text in "[ab]{1,3}(/[ab]{1,3}){0,3}") {
            let tokens = compile(pattern.as_bytes(), true, false).unwrap();
            proptest::prop_assert_eq!(matches(&tokens, text.as_bytes()), naive(&tokens, text.as_bytes()));
        }
    }
}
