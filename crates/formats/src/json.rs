//! Entries as NDJSON: one JSON object a line.
//!
//! | field | value |
//! | --- | --- |
//! | `path` | the path as shown; what is no UTF-8 is replaced by U+FFFD |
//! | `path_b64` | the path's bytes in Base64; only present where `path` is not exact |
//! | `name` | last component, replaced like `path` |
//! | `kind` | `file dir symlink block-device char-device fifo socket unknown` |
//! | `size` | apparent size in bytes |
//! | `allocated` | bytes taken on disk |
//! | `modified`, `accessed`, `changed`, `created` | RFC 3339 in UTC with nanoseconds |
//! | `inode`, `device` | identity of the node |
//! | `links` | number of hard links |
//! | `mode` | permission bits as four or more octal digits, `"0644"` |
//! | `uid`, `gid` | owner, as numbers |
//! | `user`, `group` | owner, as names; null where there is no name |
//! | `target` | what a symbolic link holds, replaced like `path`; null for other kinds |
//! | `target_b64` | the target's bytes in Base64; only present where `target` is not exact |
//! | `depth` | distance from the root the entry was found under; null where that has no meaning |
//!
//! What is not known is null; all fields but the `_b64` ones are always present. RFC 3339 cannot
//! say years before 0 or after 9999: such a time is null, and a further field with `_seconds`
//! behind its name (`modified_seconds`) holds the seconds since 1970.

mod object;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use groma_base::{Kind, Metadata, Timestamp};

use crate::civil::{self, Civil};
use crate::digits::{fill, push_decimal, push_octal, push_signed};
use crate::escape::json_string;

pub use object::push_object;

/// One entry as JSON shows it.
#[derive(Clone, Copy, Debug)]
pub struct JsonEntry<'a> {
    /// The path as shown to the user.
    pub path: &'a [u8],
    /// Last component.
    pub name: &'a [u8],
    /// Kind.
    pub kind: Kind,
    /// Distance from the root.
    pub depth: Option<u32>,
    /// Metadata, if it could be read.
    pub metadata: Option<&'a Metadata>,
    /// Name of the owning user.
    pub user: Option<&'a [u8]>,
    /// Name of the owning group.
    pub group: Option<&'a [u8]>,
    /// What a symbolic link holds.
    pub target: Option<&'a [u8]>,
}

/// Appends one entry as one line.
pub fn push_entry(entry: &JsonEntry<'_>, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"path\":");
    push_exact(b"path", entry.path, out);
    key(b"name", out);
    json_string(entry.name, out);
    key(b"kind", out);
    json_string(entry.kind.word().as_bytes(), out);
    push_sizes(entry.metadata, out);
    push_times(entry.metadata, out);
    push_node(entry.metadata, out);
    push_name(b"user", entry.user, out);
    push_name(b"group", entry.group, out);
    key(b"target", out);
    match entry.target {
        Some(target) => push_exact(b"target", target, out),
        None => out.extend_from_slice(b"null"),
    }
    push_number(b"depth", entry.depth.map(u64::from), out);
    out.extend_from_slice(b"}\n");
}

fn push_sizes(metadata: Option<&Metadata>, out: &mut Vec<u8>) {
    push_number(b"size", metadata.map(|m| m.size), out);
    push_number(b"allocated", metadata.map(|m| m.allocated), out);
}

fn push_times(metadata: Option<&Metadata>, out: &mut Vec<u8>) {
    push_time(b"modified", metadata.map(|m| m.modified), out);
    push_time(b"accessed", metadata.map(|m| m.accessed), out);
    push_time(b"changed", metadata.map(|m| m.changed), out);
    push_time(b"created", metadata.and_then(|m| m.created), out);
}

fn push_node(metadata: Option<&Metadata>, out: &mut Vec<u8>) {
    push_number(b"inode", metadata.map(|m| m.id.inode), out);
    push_number(b"device", metadata.map(|m| m.id.device), out);
    push_number(b"links", metadata.map(|m| m.links), out);
    key(b"mode", out);
    match metadata {
        Some(metadata) => {
            out.push(b'"');
            push_octal(u64::from(metadata.mode & 0o7777), 4, out);
            out.push(b'"');
        }
        None => out.extend_from_slice(b"null"),
    }
    push_number(b"uid", metadata.map(|m| u64::from(m.uid)), out);
    push_number(b"gid", metadata.map(|m| u64::from(m.gid)), out);
}

/// Appends the separator to the field before, and a name that needs no escaping.
fn key(name: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(b",\"");
    out.extend_from_slice(name);
    out.extend_from_slice(b"\":");
}

fn push_number(name: &[u8], value: Option<u64>, out: &mut Vec<u8>) {
    key(name, out);
    match value {
        Some(value) => push_decimal(value, out),
        None => out.extend_from_slice(b"null"),
    }
}

fn push_name(name: &[u8], value: Option<&[u8]>, out: &mut Vec<u8>) {
    key(name, out);
    match value {
        Some(value) => json_string(value, out),
        None => out.extend_from_slice(b"null"),
    }
}

/// Appends a string and, where it is not exact, a further field with the bytes.
/// Appends a member of an object whose value is raw bytes: `"name":"text"`, and where the text is not
/// exact `,"name_b64":"..."` behind it.
pub fn push_member(name: &str, bytes: &[u8], out: &mut Vec<u8>) {
    json_string(name.as_bytes(), out);
    out.push(b':');
    push_exact(name.as_bytes(), bytes, out);
}

fn push_exact(name: &[u8], bytes: &[u8], out: &mut Vec<u8>) {
    json_string(bytes, out);
    if std::str::from_utf8(bytes).is_err() {
        out.extend_from_slice(b",\"");
        out.extend_from_slice(name);
        out.extend_from_slice(b"_b64\":\"");
        out.extend_from_slice(STANDARD.encode(bytes).as_bytes());
        out.push(b'"');
    }
}

fn push_time(name: &[u8], time: Option<Timestamp>, out: &mut Vec<u8>) {
    key(name, out);
    match time {
        None => out.extend_from_slice(b"null"),
        Some(time) => {
            let before = out.len();
            out.push(b'"');
            if rfc3339(time, out) {
                out.push(b'"');
                return;
            }
            out.truncate(before);
            out.extend_from_slice(b"null,\"");
            out.extend_from_slice(name);
            out.extend_from_slice(b"_seconds\":");
            push_signed(time.seconds, out);
        }
    }
}

/// Appends `2024-11-30T18:44:05.123456789Z`. Years that need more or less than four digits
/// append nothing and give `false`.
pub fn rfc3339(time: Timestamp, out: &mut Vec<u8>) -> bool {
    let utc = civil::from_seconds(time.seconds);
    let mut date = [0; 11];
    if !fill_date(&utc, &mut date) {
        return false;
    }
    let mut text = *b"0000-00-00T00:00:00.000000000Z";
    text[..11].copy_from_slice(&date);
    fill(utc.hour, &mut text[11..13]);
    fill(utc.minute, &mut text[14..16]);
    fill(utc.second, &mut text[17..19]);
    fill(u64::from(time.nanoseconds), &mut text[20..29]);
    out.extend_from_slice(&text);
    true
}

/// Makes `date` the date of an instant, `2024-11-30T`; `false` where the year has not four digits.
pub(crate) fn date_text(seconds: i64, date: &mut [u8; 11]) -> bool {
    fill_date(&civil::from_seconds(seconds), date)
}

fn fill_date(utc: &Civil, date: &mut [u8; 11]) -> bool {
    let Some(year) = u64::try_from(utc.year).ok().filter(|year| *year <= 9999) else {
        return false;
    };
    *date = *b"0000-00-00T";
    fill(year, &mut date[..4]);
    fill(utc.month, &mut date[5..7]);
    fill(utc.day, &mut date[8..10]);
    true
}

#[cfg(test)]
mod tests;
