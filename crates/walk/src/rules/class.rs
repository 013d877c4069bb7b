//! Bracket expressions (`[a-z]`, `[!x]`, `[[:digit:]]`) as sets of bytes.

use super::glob::Malformed;

const UNCLOSED: Malformed = "a '[' has no matching ']'";

/// A set of bytes, without `/`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Class([u64; 4]);

impl Class {
    #[inline]
    pub(super) fn contains(&self, byte: u8) -> bool {
        self.0[usize::from(byte >> 6)] & (1 << (byte & 63)) != 0
    }

    /// The members, if they are no more than `most`.
    pub(super) fn few_members(&self, most: usize) -> Option<Vec<u8>> {
        let count: u32 = self.0.iter().map(|word| word.count_ones()).sum();
        let members = || (0..=u8::MAX).filter(|&byte| self.contains(byte)).collect();
        (count as usize <= most).then(members)
    }

    fn insert(&mut self, byte: u8) {
        self.0[usize::from(byte >> 6)] |= 1 << (byte & 63);
    }

    fn remove(&mut self, byte: u8) {
        self.0[usize::from(byte >> 6)] &= !(1 << (byte & 63));
    }

    /// Reads the class whose `[` lies right before `start`; returns it and the position behind
    /// its `]`. `strict` refuses a range that runs backwards, which git takes for its first byte.
    pub(super) fn parse(
        pattern: &[u8],
        start: usize,
        strict: bool,
    ) -> Result<(Class, usize), Malformed> {
        let negated = matches!(pattern.get(start), Some(b'!' | b'^'));
        let mut reader = Reader {
            pattern,
            at: start + usize::from(negated),
            strict,
            previous: None,
            class: Class::default(),
        };
        // A `]` in first place is an ordinary byte, so one item is read before looking for the end.
        reader.item()?;
        while reader.peek()? != b']' {
            reader.item()?;
        }
        let mut class = reader.class;
        if negated {
            class.0 = class.0.map(|word| !word);
        }
        class.remove(b'/');
        Ok((class, reader.at + 1))
    }
}

struct Reader<'a> {
    pattern: &'a [u8],
    at: usize,
    strict: bool,
    /// The byte that a following `-` would start a range from.
    previous: Option<u8>,
    class: Class,
}

impl Reader<'_> {
    fn peek(&self) -> Result<u8, Malformed> {
        self.pattern.get(self.at).copied().ok_or(UNCLOSED)
    }

    /// One byte, one range or one named class.
    fn item(&mut self) -> Result<(), Malformed> {
        let byte = self.peek()?;
        match (byte, self.previous, self.pattern.get(self.at + 1)) {
            (b'-', Some(from), Some(&next)) if next != b']' => self.range(from),
            (b'[', _, Some(b':')) => self.named(),
            _ => {
                let byte = self.byte()?;
                self.class.insert(byte);
                self.previous = Some(byte);
                Ok(())
            }
        }
    }

    /// One byte, escaped or not.
    fn byte(&mut self) -> Result<u8, Malformed> {
        if self.peek()? == b'\\' {
            self.at += 1;
        }
        let byte = self.peek()?;
        self.at += 1;
        Ok(byte)
    }

    fn range(&mut self, from: u8) -> Result<(), Malformed> {
        self.at += 1;
        let to = self.byte()?;
        if self.strict && from > to {
            return Err("a range runs backwards");
        }
        (from..=to).for_each(|byte| self.class.insert(byte));
        self.previous = None;
        Ok(())
    }

    /// `[:name:]`; without its `:]` the `[` is an ordinary byte.
    fn named(&mut self) -> Result<(), Malformed> {
        let inside = &self.pattern[self.at + 2..];
        let end = inside.iter().position(|&b| b == b']').ok_or(UNCLOSED)?;
        let Some(name) = inside[..end].strip_suffix(b":") else {
            self.at += 1;
            self.class.insert(b'[');
            self.previous = Some(b'[');
            return Ok(());
        };
        let holds = named_class(name).ok_or("no such character class")?;
        (0..=u8::MAX)
            .filter(holds)
            .for_each(|byte| self.class.insert(byte));
        self.at += 2 + end + 1;
        self.previous = None;
        Ok(())
    }
}

fn named_class(name: &[u8]) -> Option<fn(&u8) -> bool> {
    Some(match name {
        b"alnum" => u8::is_ascii_alphanumeric,
        b"alpha" => u8::is_ascii_alphabetic,
        b"blank" => |b| matches!(b, b' ' | b'\t'),
        b"cntrl" => u8::is_ascii_control,
        b"digit" => u8::is_ascii_digit,
        b"graph" => u8::is_ascii_graphic,
        b"lower" => u8::is_ascii_lowercase,
        b"print" => |b| matches!(b, b' '..=b'~'),
        b"punct" => u8::is_ascii_punctuation,
        // Vertical tab and form feed are no spaces to git.
        b"space" => |b| matches!(b, b' ' | b'\t' | b'\n' | b'\r'),
        b"upper" => u8::is_ascii_uppercase,
        b"xdigit" => u8::is_ascii_hexdigit,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The printable members of the class written `[body`, and what follows it.
    fn members(body: &str) -> Result<String, Malformed> {
        let (class, after) = Class::parse(body.as_bytes(), 0, false)?;
        assert_eq!(after, body.len(), "{body}");
        Ok((b' '..=b'~')
            .filter(|&b| class.contains(b))
            .map(char::from)
            .collect())
    }

    #[test]
    fn bytes_ranges_and_escapes() {
        for (body, want) in [
            ("abc]", "abc"),
            ("a-e]", "abcde"),
            ("]a]", "]a"),
            ("a-]", "-a"),
            ("-a]", "-a"),
            ("a-c-e]", "-abce"),
            ("\\]x]", "]x"),
            ("a\\-c]", "-ac"),
            ("+-\\-]", "+,-"),
            ("z-a]", "z"),
            ("[:digit:]x]", "0123456789x"),
            ("[:a]", ":[a"),
            ("/a]", "a"),
        ] {
            let want: String = {
                let mut sorted: Vec<char> = want.chars().collect();
                sorted.sort_unstable();
                sorted.into_iter().collect()
            };
            assert_eq!(members(body).unwrap(), want, "{body}");
        }
        assert_eq!(members("!0-~]").unwrap(), " !\"#$%&'()*+,-.");
        assert_eq!(members("^!-~]").unwrap(), " ");
    }

    #[test]
    fn damaged_classes_are_refused() {
        for body in [
            "",
            "a",
            "]",
            "a-",
            "\\",
            "[:alpha:]",
            "[:nope:]]",
            "!",
            "a\\]",
        ] {
            assert!(members(body).is_err(), "{body}");
        }
        assert!(Class::parse(b"z-a]", 0, true).is_err());
    }
}
