//! A scan that goes on, as a tree of items.

use groma_base::Metadata;
use groma_catalog::{Damage, Growing, GrowingEntry};

use super::tree::{Item, Tree};

/// What has been found so far.
pub(super) struct GrowingTree<'g> {
    pub(super) growing: &'g Growing,
    /// Absolute path of the top.
    pub(super) path: &'g [u8],
}

impl From<GrowingEntry> for Item {
    fn from(entry: GrowingEntry) -> Item {
        Item {
            id: entry.id,
            kind: entry.kind,
            size: entry.size,
            allocated: entry.allocated,
            items: entry.entries,
            newest: entry.newest,
        }
    }
}

impl Tree for GrowingTree<'_> {
    fn top(&self) -> u32 {
        0
    }

    fn item(&self, id: u32) -> Result<Item, Damage> {
        self.growing.entry(id).map(Item::from)
    }

    fn parent(&self, id: u32) -> Result<Option<u32>, Damage> {
        Ok(self.growing.parent(id))
    }

    fn children(&self, id: u32, out: &mut Vec<Item>) -> Result<(), Damage> {
        let (growing, mut damage) = (self.growing, None);
        growing.for_children(id, |child| match growing.entry(child) {
            Ok(entry) => out.push(entry.into()),
            Err(found) => damage = Some(found),
        });
        damage.map_or(Ok(()), Err)
    }

    fn metadata(&self, id: u32) -> Result<Option<Metadata>, Damage> {
        Ok(self.growing.metadata(id))
    }

    fn append_name(&self, id: u32, out: &mut Vec<u8>) -> Result<(), Damage> {
        match id {
            0 => out.extend_from_slice(self.path),
            _ => out.extend_from_slice(self.growing.name(id)),
        }
        Ok(())
    }
}
