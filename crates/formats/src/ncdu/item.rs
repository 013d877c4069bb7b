//! The members of the objects in an export: what they are called, and what their values must be.

use std::io::Read;

use groma_base::Timestamp;

use super::scanner::Scanner;
use super::{EXCLUDED, NcduError, NcduHeader, NcduItem, OTHER_WORDS};

impl<R: Read> Scanner<R> {
    /// Reads an object, member by member; `read` takes the value of a key, or passes over it.
    pub(super) fn object(
        &mut self,
        expected: &'static str,
        mut read: impl FnMut(&mut Self, &[u8]) -> Result<(), NcduError>,
    ) -> Result<(), NcduError> {
        self.take(b'{', expected)?;
        if self.take_if(b'}')? {
            return Ok(());
        }
        let mut key = Vec::new();
        loop {
            self.string(&mut key)?;
            self.take(b':', "a colon")?;
            read(self, &key)?;
            if self.take_if(b'}')? {
                return Ok(());
            }
            self.take(b',', "a comma or the end of an object")?;
        }
    }

    /// Reads the block of metadata.
    pub(super) fn header(&mut self, header: &mut NcduHeader) -> Result<(), NcduError> {
        self.object("an object with metadata", |scanner, key| match key {
            b"progname" => scanner.string(&mut header.program),
            b"progver" => scanner.string(&mut header.version),
            b"timestamp" => {
                header.timestamp = Some(scanner.time()?.seconds);
                Ok(())
            }
            _ => scanner.skip_value(),
        })
    }

    /// Reads the description of an entry.
    pub(super) fn item(
        &mut self,
        item: &mut NcduItem,
        expected: &'static str,
    ) -> Result<(), NcduError> {
        let name = std::mem::take(&mut item.name);
        *item = NcduItem {
            name,
            ..NcduItem::default()
        };
        item.name.clear();
        let mut has_name = false;
        self.object(expected, |scanner, key| {
            has_name |= key == b"name";
            scanner.member(key, item)
        })?;
        match has_name && !item.name.is_empty() && !item.name.contains(&0) {
            true => Ok(()),
            false => self.unexpected("an object with a name before this place"),
        }
    }

    fn member(&mut self, key: &[u8], item: &mut NcduItem) -> Result<(), NcduError> {
        match key {
            b"name" => self.string(&mut item.name)?,
            b"asize" => item.size = Some(self.whole()?),
            b"dsize" => item.allocated = Some(self.whole()?),
            b"dev" => item.device = Some(self.whole()?),
            b"ino" => item.inode = Some(self.whole()?),
            b"hlnkc" => item.is_hard_link = self.flag()?,
            b"nlink" => item.links = Some(self.whole()?),
            b"read_error" => item.has_read_error = self.flag()?,
            b"excluded" => {
                let mut word = Vec::new();
                self.string(&mut word)?;
                let mut known = EXCLUDED.iter().chain(&OTHER_WORDS);
                let known = known.find(|(text, _)| text.as_bytes() == word);
                // Whatever the reason, ncdu takes what it does not know for a pattern.
                item.excluded = Some(known.map_or(EXCLUDED[0].1, |(_, reason)| *reason));
            }
            b"notreg" => item.is_special = self.flag()?,
            b"uid" => item.uid = Some(self.small()?),
            b"gid" => item.gid = Some(self.small()?),
            b"mode" => item.mode = Some(self.small()?),
            b"mtime" => item.modified = Some(self.time()?),
            _ => self.skip_value()?,
        }
        Ok(())
    }

    /// A number that is not negative and not broken.
    pub(super) fn whole(&mut self) -> Result<u64, NcduError> {
        let expected = "a whole number";
        match self.number(expected)?.parse() {
            Ok(number) => Ok(number),
            Err(_) => self.unexpected("a whole number below 2^64 before this place"),
        }
    }

    fn small(&mut self) -> Result<u32, NcduError> {
        match u32::try_from(self.whole()?) {
            Ok(number) => Ok(number),
            Err(_) => self.unexpected("a whole number below 2^32 before this place"),
        }
    }

    fn flag(&mut self) -> Result<bool, NcduError> {
        Ok(self.word("true or false")? == "true")
    }

    /// Seconds since 1970, perhaps with a fraction.
    fn time(&mut self) -> Result<Timestamp, NcduError> {
        let text = self.number("a number of seconds")?;
        match parse_time(&text) {
            Some(time) => Ok(time),
            None => self.unexpected("a number of seconds before this place"),
        }
    }
}

/// `-12.5`: digits of the fraction beyond the ninth are dropped.
fn parse_time(text: &str) -> Option<Timestamp> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let mut seconds: i64 = whole.parse().ok()?;
    let digits = fraction.bytes().chain(std::iter::repeat(b'0')).take(9);
    let mut nanoseconds = 0;
    for digit in digits {
        let digit = char::from(digit).to_digit(10)?;
        nanoseconds = nanoseconds * 10 + digit;
    }
    if !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    if whole.starts_with('-') && nanoseconds > 0 {
        // The fraction of a timestamp counts upwards.
        seconds = seconds.checked_sub(1)?;
        nanoseconds = 1_000_000_000 - nanoseconds;
    }
    Some(Timestamp {
        seconds,
        nanoseconds,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_fractions() {
        let time = |text| parse_time(text).map(|t| (t.seconds, t.nanoseconds));
        for (text, want) in [
            ("7", Some((7, 0))),
            ("7.5", Some((7, 500_000_000))),
            ("-7", Some((-7, 0))),
            ("-7.25", Some((-8, 750_000_000))),
            ("-0.25", Some((-1, 750_000_000))),
            ("7.1234567899", Some((7, 123_456_789))),
            ("7.x", None),
            ("1e3", None),
            ("", None),
            ("9223372036854775808", None),
        ] {
            assert_eq!(time(text), want, "{text}");
        }
    }
}
