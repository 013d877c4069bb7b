//! git's configuration files, as far as one value needs them: lines to (section, key, value).

/// One setting of a configuration file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Setting {
    /// Section name in lower case, without the subsection.
    pub(super) section: Vec<u8>,
    /// The quoted part of `[section "subsection"]`.
    pub(super) subsection: Option<Vec<u8>>,
    /// Key in lower case.
    pub(super) key: Vec<u8>,
    /// The value; empty when there is none.
    pub(super) value: Vec<u8>,
}

/// All settings of a file in order. What cannot be understood is skipped.
pub(super) fn parse(bytes: &[u8]) -> Vec<Setting> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut parser = Parser {
        bytes,
        at: 0,
        section: Vec::new(),
        subsection: None,
    };
    let mut settings = Vec::new();
    while let Some(byte) = parser.peek() {
        match byte {
            b'#' | b';' => parser.skip_line(),
            b'[' => parser.header(),
            _ if byte.is_ascii_alphabetic() => settings.push(parser.setting()),
            _ => parser.at += 1,
        }
    }
    settings
}

struct Parser<'a> {
    bytes: &'a [u8],
    at: usize,
    section: Vec<u8>,
    subsection: Option<Vec<u8>>,
}

impl Parser<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    fn skip_line(&mut self) {
        while self.next().is_some_and(|byte| byte != b'\n') {}
    }

    fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r')) {
            self.at += 1;
        }
    }

    /// Bytes of a name, in lower case.
    fn word(&mut self) -> Vec<u8> {
        let start = self.at;
        while self
            .peek()
            .is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.'))
        {
            self.at += 1;
        }
        self.bytes[start..self.at].to_ascii_lowercase()
    }

    /// `[section]` or `[section "subsection"]`.
    fn header(&mut self) {
        self.at += 1;
        self.section = self.word();
        self.subsection = None;
        self.skip_blanks();
        if self.peek() == Some(b'"') {
            self.at += 1;
            self.subsection = Some(self.quoted());
        }
        while self.peek().is_some_and(|byte| byte != b'\n') {
            if self.next() == Some(b']') {
                return;
            }
        }
    }

    /// The rest of a quoted subsection name.
    fn quoted(&mut self) -> Vec<u8> {
        let mut name = Vec::new();
        while let Some(byte) = self.next() {
            match byte {
                b'"' | b'\n' => break,
                b'\\' => name.extend(self.next()),
                _ => name.push(byte),
            }
        }
        name
    }

    /// `key = value`, or a lone `key`.
    fn setting(&mut self) -> Setting {
        let key = self.word();
        self.skip_blanks();
        let value = match self.peek() {
            Some(b'=') => {
                self.at += 1;
                self.value()
            }
            _ => {
                self.skip_line();
                Vec::new()
            }
        };
        Setting {
            section: self.section.clone(),
            subsection: self.subsection.clone(),
            key,
            value,
        }
    }

    /// A value up to the end of its line: quotes, escapes, comments, continued lines.
    fn value(&mut self) -> Vec<u8> {
        self.skip_blanks();
        let (mut value, mut quoted) = (Vec::new(), false);
        // Blanks at the end count only if they were quoted.
        let mut keep = 0;
        while let Some(byte) = self.next() {
            match byte {
                b'\n' => break,
                b'#' | b';' if !quoted => {
                    self.skip_line();
                    break;
                }
                b'"' => {
                    quoted = !quoted;
                    keep = value.len();
                }
                b'\\' => {
                    value.extend(self.escape());
                    keep = value.len();
                }
                b' ' | b'\t' | b'\r' if !quoted => value.push(byte),
                _ => {
                    value.push(byte);
                    keep = value.len();
                }
            }
        }
        value.truncate(keep);
        value
    }

    /// What follows a backslash in a value; nothing for a continued line.
    fn escape(&mut self) -> Option<u8> {
        match self.next()? {
            b'\n' => None,
            b'\r' if self.peek() == Some(b'\n') => {
                self.at += 1;
                None
            }
            b'n' => Some(b'\n'),
            b't' => Some(b'\t'),
            b'b' => Some(8),
            other => Some(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(text: &str) -> Vec<(String, String, String, String)> {
        let text_of = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        parse(text.as_bytes())
            .into_iter()
            .map(|s| {
                let subsection = s.subsection.unwrap_or_default();
                (
                    text_of(s.section),
                    text_of(subsection),
                    text_of(s.key),
                    text_of(s.value),
                )
            })
            .collect()
    }

    fn values(text: &str) -> Vec<String> {
        settings(text)
            .into_iter()
            .map(|(.., value)| value)
            .collect()
    }

    #[test]
    fn sections_and_keys() {
        let all = settings(
            "[Core]\n\tExcludesFile = ~/x\n[includeIf \"gitdir:~/a\\\"b/\"] path=c ; d\n[core] bare",
        );
        let own = |a: &str, b: &str, c: &str, d: &str| (a.into(), b.into(), c.into(), d.into());
        assert_eq!(
            all,
            [
                own("core", "", "excludesfile", "~/x"),
                own("includeif", "gitdir:~/a\"b/", "path", "c"),
                own("core", "", "bare", ""),
            ]
        );
    }

    #[test]
    fn values_lose_blanks_comments_and_quotes() {
        for (line, want) in [
            ("a = b c  ", "b c"),
            ("a = b # c", "b"),
            ("a = \"b # c\" ; d", "b # c"),
            ("a = \"b \" ", "b "),
            ("a = b\\\\c\\\"", "b\\c\""),
            ("a = b\\\n  c", "b  c"),
            ("a = b\\tc\r", "b\tc"),
            ("a =", ""),
        ] {
            assert_eq!(values(&format!("[x]\n{line}\n")), [want], "{line:?}");
        }
    }

    #[test]
    fn damaged_files_end() {
        for text in [
            "[",
            "[a",
            "[a \"",
            "[a \"\\",
            "[a]\nb = \"",
            "[a]\nb = \\",
            "=\n\0\u{ff}",
        ] {
            settings(text);
        }
    }
}
