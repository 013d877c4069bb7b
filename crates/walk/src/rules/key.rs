//! What a pattern tells about the names it matches: how it is found, and when it is passed over.

use super::glob::Token;

/// Where to file a pattern.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Key {
    /// Matches only this very name.
    Name(Box<[u8]>),
    /// Matches only names with these bytes behind their last dot.
    Extension(Box<[u8]>),
    /// Matches only names that meet this.
    Other(Filter),
}

/// Conditions that cost next to nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Filter {
    first: Option<u8>,
    last: Option<u8>,
    min_len: usize,
    dots: usize,
    /// One bit for each literal byte, the same for every 64th byte.
    bytes: u64,
}

/// What filters look at in a name, each counted when it is first asked for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NameFacts {
    dots: Option<usize>,
    bytes: Option<u64>,
}

impl NameFacts {
    #[inline]
    fn dots(&mut self, name: &[u8]) -> usize {
        let count = || name.iter().map(|&byte| usize::from(byte == b'.')).sum();
        *self.dots.get_or_insert_with(count)
    }

    #[inline]
    fn bytes(&mut self, name: &[u8]) -> u64 {
        let all = || name.iter().fold(0, |bits, &byte| bits | bit(byte));
        *self.bytes.get_or_insert_with(all)
    }
}

fn bit(byte: u8) -> u64 {
    1 << (byte & 63)
}

impl Key {
    /// The key of the pattern with these tokens.
    pub(super) fn of(tokens: &[Token]) -> Key {
        let (component, is_whole) = last_component(tokens);
        let tail = literal(component.iter().rev());
        if is_whole && !tail.is_empty() && tail.len() == component.len() {
            return Key::Name(reversed(&tail));
        }
        match tail.iter().position(|&b| b == b'.') {
            Some(dot) => Key::Extension(reversed(&tail[..dot])),
            None => Key::Other(Filter::of(component, is_whole)),
        }
    }
}

impl Filter {
    fn of(component: &[Token], is_whole: bool) -> Filter {
        let first = component.first().filter(|_| is_whole);
        let mut filter = Filter {
            first: first.and_then(Token::byte),
            last: component.last().and_then(Token::byte),
            ..Filter::default()
        };
        for token in component {
            filter.min_len += usize::from(*token != Token::Star);
            if let Some(byte) = token.byte() {
                filter.bytes |= bit(byte);
                filter.dots += usize::from(byte == b'.');
            }
        }
        filter
    }

    /// Whether a pattern may match `name`, whose facts are `facts`.
    #[inline]
    pub(super) fn admits(&self, name: &[u8], facts: &mut NameFacts) -> bool {
        let same = |own: Option<u8>, edge: Option<&u8>| own.is_none() || own.as_ref() == edge;
        same(self.first, name.first())
            && same(self.last, name.last())
            && self.min_len <= name.len()
            // One dot says little: nearly all names have one.
            && (self.dots < 2 || self.dots <= facts.dots(name))
            && (self.bytes == 0 || self.bytes & !facts.bytes(name) == 0)
    }
}

/// The tokens that match the last name of a path, and whether they match all of it.
fn last_component(tokens: &[Token]) -> (&[Token], bool) {
    let Some(at) = tokens.iter().rposition(Token::crosses) else {
        return (tokens, true);
    };
    let is_whole = match tokens[at] {
        Token::Byte(_) => true,
        // Behind the literal opening of a pattern, `**/` may be nothing: `a**/b` matches `ab`.
        Token::DeepDirs => at == 0 || tokens[at - 1] == Token::Byte(b'/'),
        _ => false,
    };
    (&tokens[at + 1..], is_whole)
}

/// The literal bytes that open a sequence of tokens.
pub(super) fn literal<'a>(tokens: impl Iterator<Item = &'a Token>) -> Vec<u8> {
    tokens.map_while(Token::byte).collect()
}

pub(super) fn reversed(bytes: &[u8]) -> Box<[u8]> {
    bytes.iter().rev().copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::glob;

    fn key(pattern: &str) -> Key {
        Key::of(&glob::compile(pattern.as_bytes(), true, false).unwrap())
    }

    #[test]
    fn patterns_are_filed_by_what_is_known_of_the_name() {
        for (pattern, name) in [
            ("target", "target"),
            ("a/b", "b"),
            ("a/*/b", "b"),
            ("**/x/b", "b"),
            ("a/**/b", "b"),
        ] {
            assert_eq!(key(pattern), Key::Name(name.as_bytes().into()), "{pattern}");
        }
        for (pattern, extension) in [
            ("*.o", "o"),
            ("*.tar.gz", "gz"),
            ("a/[Bb]in.cs", "cs"),
            ("a**/b.c", "c"),
            ("*.", ""),
        ] {
            assert_eq!(
                key(pattern),
                Key::Extension(extension.as_bytes().into()),
                "{pattern}"
            );
        }
    }

    #[test]
    fn filters_admit_what_may_match() {
        for (pattern, admitted, refused) in [
            ("*~", "a~", "a"),
            (".*", ".a", "a"),
            ("#*#", "#a#", "#a"),
            ("*.o.*", "a.o.d", "a.o"),
            ("a/x*y", "xay", "xa"),
            ("?[ab]?*", "xax", "xa"),
        ] {
            let Key::Other(filter) = key(pattern) else {
                panic!("{pattern}")
            };
            let admits = |name: &str| filter.admits(name.as_bytes(), &mut NameFacts::default());
            assert!(admits(admitted) && !admits(refused), "{pattern}");
        }
        for pattern in ["a/*", "a/**", "x**/*"] {
            assert!(
                matches!(key(pattern), Key::Other(f) if f == Filter::default()),
                "{pattern}"
            );
        }
        assert!(matches!(key("a**/b"), Key::Other(f) if f.first.is_none()));
    }
}
