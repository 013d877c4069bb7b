//! Writes file lists of Everything (`.efu`): CSV with columns of its own, times as FILETIME.
//!
//! ```text
//! Filename,Size,Date Modified,Date Created,Attributes
//! "/data/report.pdf",1048576,133500000000000000,133400000000000000,128
//! ```
//!
//! FILETIME counts units of 100 nanoseconds since 1601-01-01 in UTC. Sizes are apparent sizes;
//! directories have none. The path stands in quotes, byte for byte, with `/` as its separator.
//! What is not known is an empty field.

use groma_base::{Kind, Metadata, Timestamp, basename};

use crate::csv::push_quoted;
use crate::digits::push_decimal;

/// Seconds from 1601-01-01 to 1970-01-01.
const SECONDS_TO_1970: i64 = 11_644_473_600;

const READONLY: u64 = 0x1;
const HIDDEN: u64 = 0x2;
const DIRECTORY: u64 = 0x10;
const NORMAL: u64 = 0x80;
const REPARSE_POINT: u64 = 0x400;

/// Appends the first line.
pub fn push_header(out: &mut Vec<u8>) {
    out.extend_from_slice(b"Filename,Size,Date Modified,Date Created,Attributes\n");
}

/// Appends one entry, line feed included.
pub fn push_entry(path: &[u8], kind: Kind, metadata: Option<&Metadata>, out: &mut Vec<u8>) {
    push_quoted(path, out);
    out.push(b',');
    if let Some(metadata) = metadata.filter(|_| kind != Kind::Dir) {
        push_decimal(metadata.size, out);
    }
    out.push(b',');
    push_time(metadata.map(|m| m.modified), out);
    out.push(b',');
    push_time(metadata.and_then(|m| m.created), out);
    out.push(b',');
    push_decimal(attributes(basename(path), kind, metadata), out);
    out.push(b'\n');
}

/// What Windows would say of such an entry.
fn attributes(name: &[u8], kind: Kind, metadata: Option<&Metadata>) -> u64 {
    let mut bits = 0;
    let mut set = |bit, when: bool| bits |= if when { bit } else { 0 };
    set(READONLY, metadata.is_some_and(|m| m.mode & 0o222 == 0));
    set(HIDDEN, name.starts_with(b"."));
    set(DIRECTORY, kind == Kind::Dir);
    set(REPARSE_POINT, kind == Kind::Symlink);
    if bits == 0 { NORMAL } else { bits }
}

/// Appends a time, if FILETIME can say it.
fn push_time(time: Option<Timestamp>, out: &mut Vec<u8>) {
    if let Some(filetime) = time.and_then(filetime) {
        push_decimal(filetime, out);
    }
}

fn filetime(time: Timestamp) -> Option<u64> {
    let seconds = u64::try_from(time.seconds.checked_add(SECONDS_TO_1970)?).ok()?;
    seconds
        .checked_mul(10_000_000)?
        .checked_add(u64::from(time.nanoseconds / 100))
}

#[cfg(test)]
mod tests {
    use super::*;
    use groma_base::FileId;

    fn metadata(kind: Kind, mode: u32) -> Metadata {
        Metadata {
            kind,
            id: FileId {
                device: 1,
                inode: 2,
            },
            mode,
            links: 1,
            uid: 0,
            gid: 0,
            size: 5,
            allocated: 4096,
            special: (0, 0),
            accessed: Timestamp::default(),
            modified: Timestamp {
                seconds: 1,
                nanoseconds: 250,
            },
            changed: Timestamp::default(),
            created: None,
        }
    }

    #[test]
    fn entries_as_everything_writes_them() {
        let mut out = Vec::new();
        push_header(&mut out);
        let file = metadata(Kind::File, 0o644);
        push_entry(b"/a/\"q\",\n\xff", Kind::File, Some(&file), &mut out);
        let dir = Metadata {
            created: Some(Timestamp::from_seconds(-11_644_473_600)),
            ..metadata(Kind::Dir, 0o555)
        };
        push_entry(b"/a/.b", Kind::Dir, Some(&dir), &mut out);
        push_entry(b"/l", Kind::Symlink, None, &mut out);
        let want = [
            &b"Filename,Size,Date Modified,Date Created,Attributes\n"[..],
            b"\"/a/\"\"q\"\",\n\xff\",5,116444736010000002,,128\n",
            b"\"/a/.b\",,116444736010000002,0,19\n",
            b"\"/l\",,,,1024\n",
        ];
        assert_eq!(out, want.concat());
    }

    #[test]
    fn times_that_filetime_cannot_say_are_empty() {
        for seconds in [i64::MIN, -11_644_473_601, i64::MAX] {
            assert_eq!(filetime(Timestamp::from_seconds(seconds)), None);
        }
        assert_eq!(
            filetime(Timestamp::from_seconds(0)),
            Some(116_444_736_000_000_000)
        );
    }
}
