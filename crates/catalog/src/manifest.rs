//! The manifest: which roots a catalog has, and which file holds each of them.
//!
//! A small text, so that a person can read it: a first line with the version, one with the number
//! of the last publication, one for each root, and a checksum of all bytes before it.

use groma_base::Timestamp;

const FIRST_LINE: &str = "groma catalog 2";
/// Before there were logs: lines of roots end after the time.
const OLD_FIRST_LINE: &str = "groma catalog 1";
const CHECKSUM: &str = "crc32c ";

/// What a catalog knows of one root without opening its segment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RootRecord {
    /// What the root is known by: the identity of its file system and its place there.
    pub key: Vec<u8>,
    /// Absolute path at the time of the scan, raw bytes.
    pub path: Vec<u8>,
    /// How it was read.
    pub source: Vec<u8>,
    /// Name of the segment's file in the catalog's directory.
    pub segment: String,
    /// Length of that file, bytes.
    pub length: u64,
    /// Rows of the segment.
    pub rows: u32,
    /// Places that could not be read.
    pub unread: u64,
    /// When the scan had ended that found the last changes.
    pub ended: Timestamp,
    /// Name of the log's file in the catalog's directory; empty where there is none.
    pub log: String,
    /// How many bytes of the log are valid; what may follow was never published.
    pub log_length: u64,
    /// Entries, changes included.
    pub entries: u32,
}

/// The content of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Manifest {
    /// Number of the last publication.
    pub(crate) generation: u64,
    /// By key.
    pub(crate) roots: Vec<RootRecord>,
}

/// A line that is not what it must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BadLine {
    /// From 1.
    pub(crate) line: usize,
    pub(crate) expected: &'static str,
}

impl Manifest {
    pub(crate) fn to_text(&self) -> String {
        let mut text = format!("{FIRST_LINE}\ngeneration {}\n", self.generation);
        for root in &self.roots {
            let fields = [
                "root".to_owned(),
                escape(&root.key),
                escape(&root.path),
                escape(&root.source),
                root.segment.clone(),
                root.length.to_string(),
                root.rows.to_string(),
                root.unread.to_string(),
                root.ended.seconds.to_string(),
                root.ended.nanoseconds.to_string(),
                root.log.clone(),
                root.log_length.to_string(),
                root.entries.to_string(),
            ];
            text.push_str(&fields.join("\t"));
            text.push('\n');
        }
        let checksum = crc32c::crc32c(text.as_bytes());
        text.push_str(&format!("{CHECKSUM}{checksum:08x}\n"));
        text
    }

    pub(crate) fn parse(bytes: &[u8]) -> Result<Manifest, BadLine> {
        let bad = |line, expected| BadLine { line, expected };
        let text = std::str::from_utf8(bytes).map_err(|_| bad(1, "a text"))?;
        let body = text.trim_end_matches('\n');
        let start = body.rfind('\n').map_or(0, |at| at + 1);
        let lines: Vec<&str> = body.lines().collect();
        // The version first: what follows may have another form in another version.
        let has_logs = match lines.first() {
            Some(&FIRST_LINE) => true,
            Some(&OLD_FIRST_LINE) => false,
            _ => return Err(bad(1, FIRST_LINE)),
        };
        let checksum = format!("{CHECKSUM}{:08x}\n", crc32c::crc32c(&bytes[..start]));
        if text.get(start..) != Some(&checksum) {
            return Err(bad(lines.len(), "the checksum of the lines above"));
        }
        let generation = lines
            .get(1)
            .and_then(|line| line.strip_prefix("generation "))
            .and_then(|number| number.parse().ok())
            .ok_or(bad(2, "the number of the last publication"))?;
        let roots = lines.get(2..lines.len() - 1).unwrap_or_default();
        let roots = roots.iter().zip(3..).map(|(line, number)| {
            let root = match has_logs {
                true => parse_root(line),
                false => parse_old_root(line),
            };
            root.ok_or(bad(number, "the fields of a root between tabs"))
        });
        Ok(Manifest {
            generation,
            roots: roots.collect::<Result<_, _>>()?,
        })
    }

    /// Puts a root in the place of the one with the same key, which is given back.
    pub(crate) fn set(&mut self, root: RootRecord) -> Option<RootRecord> {
        match self
            .roots
            .binary_search_by(|other| other.key.cmp(&root.key))
        {
            Ok(at) => Some(std::mem::replace(&mut self.roots[at], root)),
            Err(at) => {
                self.roots.insert(at, root);
                None
            }
        }
    }

    /// Takes out the root with this key.
    pub(crate) fn take(&mut self, key: &[u8]) -> Option<RootRecord> {
        let at = self.roots.iter().position(|root| root.key == key)?;
        Some(self.roots.remove(at))
    }
}

fn parse_root(line: &str) -> Option<RootRecord> {
    let (rest, entries) = line.rsplit_once('\t')?;
    let (rest, log_length) = rest.rsplit_once('\t')?;
    let (rest, log) = rest.rsplit_once('\t')?;
    let log_length = log_length.parse().ok()?;
    let is_log = is_file_name(log, LOG_SUFFIX) && log_length > 0;
    (is_log || (log.is_empty() && log_length == 0)).then_some(())?;
    Some(RootRecord {
        log: log.to_owned(),
        log_length,
        entries: entries.parse().ok()?,
        ..parse_old_root(rest)?
    })
}

/// A line without a log.
fn parse_old_root(line: &str) -> Option<RootRecord> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [
        "root",
        key,
        path,
        source,
        segment,
        length,
        rows,
        unread,
        seconds,
        nanoseconds,
    ] = fields[..]
    else {
        return None;
    };
    let rows = rows.parse().ok()?;
    is_file_name(segment, SEGMENT_SUFFIX).then_some(RootRecord {
        key: unescape(key)?,
        path: unescape(path)?,
        source: unescape(source)?,
        segment: segment.to_owned(),
        length: length.parse().ok()?,
        rows,
        unread: unread.parse().ok()?,
        ended: Timestamp {
            seconds: seconds.parse().ok()?,
            nanoseconds: nanoseconds.parse().ok().filter(|&n| n < 1_000_000_000)?,
        },
        log: String::new(),
        log_length: 0,
        entries: rows,
    })
}

/// Ending of the names of segments.
pub(crate) const SEGMENT_SUFFIX: &str = ".seg";
/// Ending of the names of logs.
pub(crate) const LOG_SUFFIX: &str = ".log";

impl RootRecord {
    /// The number in the name of the segment, which no other one has.
    pub(crate) fn generation(&self) -> u64 {
        let stem = self.segment.strip_suffix(SEGMENT_SUFFIX);
        stem.and_then(|stem| stem.parse().ok()).unwrap_or_default()
    }
}

/// Whether this names a file in the catalog's own directory, and nothing elsewhere.
pub(crate) fn is_file_name(name: &str, suffix: &str) -> bool {
    let stem = name.strip_suffix(suffix).unwrap_or_default();
    !stem.is_empty() && stem.bytes().all(|b| b.is_ascii_alphanumeric())
}

/// Bytes as visible ASCII: `%` and two digits for everything else.
fn escape(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for &byte in bytes {
        match byte {
            b'%' => text.push_str("%25"),
            b'!'..=b'~' => text.push(char::from(byte)),
            _ => text.push_str(&format!("%{byte:02x}")),
        }
    }
    text
}

fn unescape(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        if first != b'%' {
            bytes.push(first);
            rest = after;
            continue;
        }
        let (digits, after) = after.split_at_checked(2)?;
        let digits = std::str::from_utf8(digits).ok()?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        rest = after;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn manifest() -> Manifest {
        let mut manifest = Manifest {
            generation: 3,
            ..Manifest::default()
        };
        for key in [&b"b"[..], b"a\t\n%\xff", b""] {
            let root = RootRecord {
                key: key.to_vec(),
                path: b"/home/me and you".to_vec(),
                source: b"walk".to_vec(),
                segment: "00000001.seg".to_owned(),
                ended: Timestamp::from_seconds(-1),
                log: if key.is_empty() { "" } else { "2.log" }.to_owned(),
                log_length: if key.is_empty() { 0 } else { 41 },
                entries: 7,
                ..RootRecord::default()
            };
            assert_eq!(manifest.set(root), None);
        }
        manifest
    }

    #[test]
    fn goes_there_and_back() {
        let mut manifest = manifest();
        assert_eq!(
            Manifest::parse(manifest.to_text().as_bytes()),
            Ok(manifest.clone())
        );
        assert!(manifest.take(b"b").is_some() && manifest.take(b"b").is_none());
        assert_eq!(Manifest::parse(manifest.to_text().as_bytes()), Ok(manifest));
    }

    #[test]
    fn manifests_without_logs_are_read() {
        let mut old = manifest();
        for root in &mut old.roots {
            (root.log, root.log_length, root.entries) = (String::new(), 0, root.rows);
        }
        let text = old.to_text().replace(FIRST_LINE, OLD_FIRST_LINE);
        let body = text.rsplit_once("crc32c").unwrap().0;
        let body = body.replace("\t\t0\t0\n", "\n");
        let text = format!("{body}crc32c {:08x}\n", crc32c::crc32c(body.as_bytes()));
        assert_eq!(Manifest::parse(text.as_bytes()), Ok(old));
    }

    #[test]
    fn a_log_has_a_length_and_a_name_of_ours() {
        for (log, length) in [("", 1), ("2.log", 0), ("../2.log", 9), ("2.seg", 9)] {
            let mut bad = manifest();
            (bad.roots[0].log, bad.roots[0].log_length) = (log.to_owned(), length);
            let line = Manifest::parse(bad.to_text().as_bytes()).unwrap_err().line;
            assert_eq!(line, 3);
        }
    }

    #[test]
    fn any_change_is_found() {
        let text = manifest().to_text().into_bytes();
        for at in 0..text.len() {
            let mut damaged = text.clone();
            damaged[at] ^= 1;
            assert!(Manifest::parse(&damaged).is_err(), "{at}");
            assert!(Manifest::parse(&text[..at]).is_err(), "{at}");
        }
    }

    #[test]
    fn a_segment_lies_in_the_directory() {
        for name in ["", ".seg", "../1.seg", "a/b.seg", "1.tmp", "1"] {
            assert!(!is_file_name(name, SEGMENT_SUFFIX), "{name}");
        }
        assert!(is_file_name("00000012.seg", SEGMENT_SUFFIX));
        assert!(!is_file_name("00000012.seg", LOG_SUFFIX));
    }

    proptest! {
        #[test]
        fn any_bytes_can_be_a_path(bytes in vec(any::<u8>(), 0..40), noise in vec(any::<u8>(), 0..80)) {
            let text = escape(&bytes);
            prop_assert!(text.bytes().all(|b| b.is_ascii_graphic()));
            prop_assert_eq!(unescape(&text), Some(bytes));
            let _ = Manifest::parse(&noise);
        }
    }
}
