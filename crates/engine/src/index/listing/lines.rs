//! The lines of a list, each ended by NUL or by a line feed.

use std::io::{BufRead, Read};

use groma_formats::efu::EfuError;

/// A longer line is no path.
const LONGEST: usize = 1 << 20;

/// Reads lines one after the other.
pub(super) struct Lines<'r> {
    reader: &'r mut dyn BufRead,
    end: u8,
    line: Vec<u8>,
    count: u64,
}

impl<'r> Lines<'r> {
    pub(super) fn new(reader: &'r mut dyn BufRead, end: u8) -> Lines<'r> {
        Lines {
            reader,
            end,
            line: Vec::new(),
            count: 0,
        }
    }

    /// The next line and its number, from 1; `None` at the end.
    ///
    /// # Errors
    /// [`EfuError::Line`] for one that is too long to be a path; [`EfuError::Io`].
    pub(super) fn next(&mut self) -> Result<Option<(u64, &[u8])>, EfuError> {
        self.line.clear();
        let limit = LONGEST as u64 + 1;
        let read = (&mut *self.reader)
            .take(limit)
            .read_until(self.end, &mut self.line)?;
        if read == 0 {
            return Ok(None);
        }
        self.count += 1;
        let is_ended = self.line.last() == Some(&self.end);
        if !is_ended && self.line.len() > LONGEST {
            self.skip()?;
            return Err(EfuError::Line {
                line: self.count,
                expected: "a path of at most a mebibyte",
            });
        }
        let mut line = &self.line[..];
        if is_ended {
            line = &line[..line.len() - 1];
        }
        if self.end == b'\n' {
            line = line.strip_suffix(b"\r").unwrap_or(line);
        }
        Ok(Some((self.count, line)))
    }

    /// Reads to the end of the line, and keeps nothing of it.
    fn skip(&mut self) -> Result<(), EfuError> {
        loop {
            let buffer = self.reader.fill_buf()?;
            let at = buffer.iter().position(|&b| b == self.end);
            let (used, done) = match at {
                Some(at) => (at + 1, true),
                None => (buffer.len(), buffer.is_empty()),
            };
            self.reader.consume(used);
            if done {
                return Ok(());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(mut text: &[u8], end: u8) -> Vec<Option<Vec<u8>>> {
        let mut lines = Lines::new(&mut text, end);
        let mut found = Vec::new();
        loop {
            match lines.next() {
                Ok(None) => return found,
                Ok(Some((_, line))) => found.push(Some(line.to_vec())),
                Err(_) => found.push(None),
            }
        }
    }

    #[test]
    fn lines_end_in_either_way() {
        let some = |text: &str| Some(text.as_bytes().to_vec());
        assert_eq!(all(b"a\r\n\nb", b'\n'), [some("a"), some(""), some("b")]);
        assert_eq!(all(b"a\nb\0c\0", 0), [some("a\nb"), some("c")]);
        let long = [&vec![b'x'; 3 << 20][..], b"\nz\n"].concat();
        assert_eq!(all(&long, b'\n'), [None, some("z")]);
    }
}
