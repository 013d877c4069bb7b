//! Writes an export entry by entry.

use groma_base::Timestamp;

use super::{EXCLUDED, MAJOR, MINOR, NcduHeader, NcduItem};
use crate::digits::{push_decimal, push_padded, push_signed};

/// Writes entries one after the other, in the form that ncdu gives them.
#[derive(Debug, Default)]
pub struct NcduWriter {
    /// Directories that are open.
    depth: u64,
}

impl NcduWriter {
    /// Appends what comes before the root.
    pub fn new(header: &NcduHeader, out: &mut Vec<u8>) -> NcduWriter {
        out.push(b'[');
        push_decimal(MAJOR, out);
        out.push(b',');
        push_decimal(MINOR, out);
        out.extend_from_slice(b",{\"progname\":");
        push_string(&header.program, out);
        out.extend_from_slice(b",\"progver\":");
        push_string(&header.version, out);
        if let Some(timestamp) = header.timestamp {
            out.extend_from_slice(b",\"timestamp\":");
            push_signed(timestamp, out);
        }
        out.push(b'}');
        NcduWriter::default()
    }

    /// Appends a directory; what follows lies in it, up to [`NcduWriter::up`].
    pub fn dir(&mut self, item: &NcduItem, out: &mut Vec<u8>) {
        out.extend_from_slice(b",\n[");
        push_item(item, out);
        self.depth += 1;
    }

    /// Appends an entry that nothing lies in.
    pub fn entry(&mut self, item: &NcduItem, out: &mut Vec<u8>) {
        out.extend_from_slice(b",\n");
        push_item(item, out);
    }

    /// Ends the directory at hand; with the root, the export.
    pub fn up(&mut self, out: &mut Vec<u8>) {
        out.push(b']');
        self.depth = self.depth.saturating_sub(1);
        if self.depth == 0 {
            out.extend_from_slice(b"]\n");
        }
    }
}

/// Appends an entry's object, its members in the order of ncdu; what stands for nothing is left out.
fn push_item(item: &NcduItem, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"name\":");
    push_string(&item.name, out);
    push_number("asize", item.size.filter(|&size| size > 0), out);
    push_number("dsize", item.allocated.filter(|&size| size > 0), out);
    push_number("dev", item.device, out);
    push_number("uid", item.uid.map(u64::from), out);
    push_number("gid", item.gid.map(u64::from), out);
    push_number("mode", item.mode.map(u64::from), out);
    if let Some(modified) = item.modified {
        push_key("mtime", out);
        push_time(modified, out);
    }
    push_number("ino", item.inode, out);
    push_flag("hlnkc", item.is_hard_link, out);
    push_number("nlink", item.links, out);
    push_flag("read_error", item.has_read_error, out);
    let reason = item.excluded;
    if let Some((word, _)) = EXCLUDED.iter().find(|(_, known)| Some(*known) == reason) {
        push_key("excluded", out);
        push_string(word.as_bytes(), out);
    }
    push_flag("notreg", item.is_special, out);
    out.push(b'}');
}

fn push_key(key: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(b",\"");
    out.extend_from_slice(key.as_bytes());
    out.extend_from_slice(b"\":");
}

fn push_number(key: &str, number: Option<u64>, out: &mut Vec<u8>) {
    if let Some(number) = number {
        push_key(key, out);
        push_decimal(number, out);
    }
}

fn push_flag(key: &str, flag: bool, out: &mut Vec<u8>) {
    if flag {
        push_key(key, out);
        out.extend_from_slice(b"true");
    }
}

/// Seconds, and a fraction without zeros at its end where there is one.
fn push_time(time: Timestamp, out: &mut Vec<u8>) {
    let Timestamp {
        mut seconds,
        mut nanoseconds,
    } = time;
    if seconds < 0 && nanoseconds > 0 {
        // The fraction of a number counts away from zero.
        seconds += 1;
        nanoseconds = 1_000_000_000 - nanoseconds;
        if seconds == 0 {
            out.push(b'-');
        }
    }
    push_signed(seconds, out);
    if nanoseconds > 0 {
        out.push(b'.');
        push_padded(nanoseconds.into(), 9, out);
        while out.last() == Some(&b'0') {
            out.pop();
        }
    }
}

/// A string of raw bytes; of them only those are escaped that JSON or a terminal would stumble over.
fn push_string(bytes: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    for &byte in bytes {
        match byte {
            b'"' => out.extend_from_slice(b"\\\""),
            b'\\' => out.extend_from_slice(b"\\\\"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            8 => out.extend_from_slice(b"\\b"),
            12 => out.extend_from_slice(b"\\f"),
            0..=31 | 127 => {
                let digit = |value: u8| b"0123456789abcdef"[usize::from(value & 0xf)];
                out.extend_from_slice(b"\\u00");
                out.extend_from_slice(&[digit(byte >> 4), digit(byte)]);
            }
            _ => out.push(byte),
        }
    }
    out.push(b'"');
}
