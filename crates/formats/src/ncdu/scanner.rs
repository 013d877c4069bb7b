//! JSON token by token, from a stream: strings of raw bytes, numbers, and a way past values that are
//! of no interest.

use std::io::{self, Read};

use super::NcduError;

/// Bytes that are read at a time.
const BUFFER: usize = 64 * 1024;
/// Bytes of the longest string: no name and no path of a real system is as long.
const LONGEST: usize = 1 << 20;
/// Bytes of the longest number.
const LONGEST_NUMBER: usize = 64;

/// A place in a stream of JSON.
pub(super) struct Scanner<R> {
    reader: R,
    buffer: Vec<u8>,
    at: usize,
    filled: usize,
    /// Bytes before the buffer.
    before: u64,
    line: u64,
}

impl<R: Read> Scanner<R> {
    pub(super) fn new(reader: R) -> Scanner<R> {
        Scanner {
            reader,
            buffer: vec![0; BUFFER],
            at: 0,
            filled: 0,
            before: 0,
            line: 1,
        }
    }

    /// The next byte, which stays the next one.
    #[inline]
    pub(super) fn peek(&mut self) -> io::Result<Option<u8>> {
        if self.at == self.filled {
            self.fill()?;
        }
        Ok(self.buffer[..self.filled].get(self.at).copied())
    }

    fn fill(&mut self) -> io::Result<()> {
        self.before += self.filled as u64;
        (self.at, self.filled) = (0, 0);
        loop {
            match self.reader.read(&mut self.buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
                Ok(read) => {
                    self.filled = read;
                    return Ok(());
                }
            }
        }
    }

    #[inline]
    fn skip_one(&mut self) {
        if self.buffer.get(self.at) == Some(&b'\n') {
            self.line += 1;
        }
        self.at += 1;
    }

    /// The next byte that is no white space, which stays the next one.
    pub(super) fn peek_token(&mut self) -> Result<Option<u8>, NcduError> {
        loop {
            match self.peek()? {
                Some(b' ' | b'\t' | b'\r' | b'\n') => self.skip_one(),
                byte => return Ok(byte),
            }
        }
    }

    /// Takes this byte, behind white space.
    pub(super) fn take(&mut self, byte: u8, expected: &'static str) -> Result<(), NcduError> {
        if self.take_if(byte)? {
            return Ok(());
        }
        self.unexpected(expected)
    }

    /// Takes this byte if it is the next behind white space.
    pub(super) fn take_if(&mut self, byte: u8) -> Result<bool, NcduError> {
        let is_it = self.peek_token()? == Some(byte);
        if is_it {
            self.skip_one();
        }
        Ok(is_it)
    }

    /// An error about what comes next.
    pub(super) fn unexpected<T>(&mut self, expected: &'static str) -> Result<T, NcduError> {
        let found = match self.peek()? {
            None => "the end of the file".to_owned(),
            Some(byte @ b' '..=b'~') => format!("'{}'", char::from(byte)),
            Some(byte) => format!("the byte {byte:#04x}"),
        };
        Err(NcduError::Unexpected {
            line: self.line,
            byte: self.before + self.at as u64,
            expected,
            found,
        })
    }

    /// Reads a string into `out`, which is emptied first.
    pub(super) fn string(&mut self, out: &mut Vec<u8>) -> Result<(), NcduError> {
        out.clear();
        self.take(b'"', "a string")?;
        loop {
            self.plain(out)?;
            if out.len() > LONGEST {
                return self.unexpected("a string of at most a mebibyte");
            }
            match self.peek()? {
                Some(b'"') => {
                    self.skip_one();
                    return Ok(());
                }
                Some(b'\\') => self.escape(out)?,
                _ => return self.unexpected("the end of a string"),
            }
        }
    }

    /// Takes bytes that stand for themselves, as far as they are in the buffer.
    fn plain(&mut self, out: &mut Vec<u8>) -> Result<(), NcduError> {
        if self.peek()?.is_none() {
            return Ok(());
        }
        let rest = &self.buffer[self.at..self.filled];
        let special = |&b: &u8| b == b'"' || b == b'\\';
        let end = rest.iter().position(special).unwrap_or(rest.len());
        let plain = &rest[..end];
        self.line += plain.iter().filter(|&&b| b == b'\n').count() as u64;
        out.extend_from_slice(plain);
        self.at += end;
        // At the end of the buffer the next call goes on.
        match end == rest.len() && out.len() <= LONGEST {
            true => self.plain_on(out),
            false => Ok(()),
        }
    }

    fn plain_on(&mut self, out: &mut Vec<u8>) -> Result<(), NcduError> {
        while let Some(byte) = self.peek()? {
            if byte == b'"' || byte == b'\\' || out.len() > LONGEST {
                break;
            }
            out.push(byte);
            self.skip_one();
        }
        Ok(())
    }

    fn escape(&mut self, out: &mut Vec<u8>) -> Result<(), NcduError> {
        self.skip_one();
        let byte = match self.peek()? {
            Some(byte @ (b'"' | b'\\' | b'/')) => byte,
            Some(b'b') => 8,
            Some(b'f') => 12,
            Some(b'n') => b'\n',
            Some(b'r') => b'\r',
            Some(b't') => b'\t',
            Some(b'u') => {
                self.skip_one();
                let c = self.unicode()?;
                out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                return Ok(());
            }
            _ => return self.unexpected("an escape of JSON"),
        };
        self.skip_one();
        out.push(byte);
        Ok(())
    }

    /// What follows `\u`, and the second half of a pair.
    fn unicode(&mut self) -> Result<char, NcduError> {
        let first = self.hex()?;
        if let Some(c) = char::from_u32(first) {
            return Ok(c);
        }
        let expected = "the second half of a pair of surrogates";
        if !(0xd800..0xdc00).contains(&first) || self.peek()? != Some(b'\\') {
            return self.unexpected(expected);
        }
        self.skip_one();
        if self.peek()? != Some(b'u') {
            return self.unexpected(expected);
        }
        self.skip_one();
        let second = self.hex()?.wrapping_sub(0xdc00);
        let c = (second < 0x400).then(|| 0x1_0000 + ((first - 0xd800) << 10) + second);
        match c.and_then(char::from_u32) {
            Some(c) => Ok(c),
            None => self.unexpected(expected),
        }
    }

    fn hex(&mut self) -> Result<u32, NcduError> {
        let mut number = 0;
        for _ in 0..4 {
            let byte = self.peek()?;
            let Some(digit) = byte.and_then(|byte| char::from(byte).to_digit(16)) else {
                return self.unexpected("four hexadecimal digits");
            };
            number = number * 16 + digit;
            self.skip_one();
        }
        Ok(number)
    }

    /// The text of a number.
    pub(super) fn number(&mut self, expected: &'static str) -> Result<String, NcduError> {
        let mut text = String::new();
        self.peek_token()?;
        while let Some(byte @ (b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E')) = self.peek()? {
            if text.len() == LONGEST_NUMBER {
                return self.unexpected("a number of fewer digits");
            }
            text.push(char::from(byte));
            self.skip_one();
        }
        match text.is_empty() {
            true => self.unexpected(expected),
            false => Ok(text),
        }
    }

    /// Takes a word of letters: `true`, `false`, `null`.
    pub(super) fn word(&mut self, expected: &'static str) -> Result<String, NcduError> {
        let mut word = String::new();
        self.peek_token()?;
        while let Some(byte @ b'a'..=b'z') = self.peek()? {
            if word.len() > 5 {
                break;
            }
            word.push(char::from(byte));
            self.skip_one();
        }
        match &word[..] {
            "true" | "false" | "null" => Ok(word),
            _ => self.unexpected(expected),
        }
    }

    /// Passes over any value. What is open is kept in a list, not on the stack.
    pub(super) fn skip_value(&mut self) -> Result<(), NcduError> {
        let (mut open, mut text) = (Vec::new(), Vec::new());
        loop {
            match self.peek_token()? {
                Some(b'"') => self.string(&mut text)?,
                Some(b'0'..=b'9' | b'-') => drop(self.number("a number")?),
                Some(bracket @ (b'[' | b'{')) => {
                    self.skip_one();
                    open.push(bracket);
                    if self.close(&mut open)? {
                        // An empty one.
                    } else {
                        self.key(&open, &mut text)?;
                        continue;
                    }
                }
                _ => drop(self.word("a value of JSON")?),
            }
            while self.close(&mut open)? {}
            if open.is_empty() {
                return Ok(());
            }
            self.take(b',', "a comma")?;
            self.key(&open, &mut text)?;
        }
    }

    /// Takes the bracket that closes what is open.
    fn close(&mut self, open: &mut Vec<u8>) -> Result<bool, NcduError> {
        let closing = match open.last() {
            Some(b'[') => b']',
            Some(_) => b'}',
            None => return Ok(false),
        };
        let is_closed = self.take_if(closing)?;
        if is_closed {
            open.pop();
        }
        Ok(is_closed)
    }

    /// Takes a key and its colon, inside of an object.
    fn key(&mut self, open: &[u8], text: &mut Vec<u8>) -> Result<(), NcduError> {
        if open.last() == Some(&b'{') {
            self.string(text)?;
            self.take(b':', "a colon")?;
        }
        Ok(())
    }
}
