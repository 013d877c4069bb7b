//! Reports as JSON: exact numbers, exact names.

use groma_engine::map::Item;
use groma_formats::json::{push_member, rfc3339};

use super::table::Entry;

/// Appends an object: an item under a path.
pub(super) fn push_item(path: &[u8], item: &Item, out: &mut Vec<u8>) {
    out.push(b'{');
    push_member("path", path, out);
    let kind = item.kind.kind().word();
    let text = format!(
        ",\"type\":\"{kind}\",\"size\":{},\"allocated\":{},\"entries\":{},\"newest\":",
        item.size, item.allocated, item.items
    );
    out.extend_from_slice(text.as_bytes());
    let mut time = Vec::new();
    match rfc3339(item.newest, &mut time) {
        true => {
            out.push(b'"');
            out.append(&mut time);
            out.push(b'"');
        }
        false => out.extend_from_slice(b"null"),
    }
    out.push(b'}');
}

/// Appends an array of items, one a line.
pub(super) fn push_entries(entries: &[Entry], out: &mut Vec<u8>) {
    out.push(b'[');
    for (at, entry) in entries.iter().enumerate() {
        out.extend_from_slice(if at > 0 { b",\n" } else { b"\n" });
        push_item(&entry.name, &entry.item, out);
    }
    out.extend_from_slice(b"\n]");
}
