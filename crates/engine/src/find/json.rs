//! A hit as a JSON object.

use groma_base::Facts;
use groma_formats::json::{JsonEntry, push_entry};

use super::entry::LiveEntry;
use super::names::IdCache;

/// Writes hits as JSON.
pub struct JsonWriter {
    users: IdCache,
    groups: IdCache,
}

impl Default for JsonWriter {
    fn default() -> JsonWriter {
        JsonWriter {
            users: IdCache::users(),
            groups: IdCache::groups(),
        }
    }
}

impl JsonWriter {
    /// Appends one object and a newline.
    pub(crate) fn push(&self, entry: &LiveEntry<'_>, out: &mut Vec<u8>) {
        let metadata = entry.metadata();
        let user = metadata.and_then(|meta| self.users.name(meta.uid));
        let group = metadata.and_then(|meta| self.groups.name(meta.gid));
        let target = entry.link_target();
        let object = JsonEntry {
            path: &entry.path(),
            name: entry.name(),
            kind: entry.kind,
            depth: Some(entry.depth),
            metadata,
            user: user.as_deref().map(str::as_bytes),
            group: group.as_deref().map(str::as_bytes),
            target: target.as_deref(),
        };
        push_entry(&object, out);
    }
}
