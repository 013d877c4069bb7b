//! What front-ends see of a map: items, what lies in them, and what they weigh.

use std::cmp::Ordering;

use groma_base::{Metadata, Timestamp};
use groma_catalog::{Damage, KindFlags};

/// What makes one item larger than another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Weigh {
    /// Bytes taken on disk.
    #[default]
    Allocated,
    /// Bytes that a reader sees.
    Apparent,
    /// Entries: a file is one, a directory is one and those below it.
    Count,
}

/// An entry with all that lies below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its number in the tree.
    pub id: u32,
    /// Kind and flags.
    pub kind: KindFlags,
    /// Apparent size, bytes; hard links counted once, at the smallest path.
    pub size: u64,
    /// Allocated size, bytes, counted likewise.
    pub allocated: u64,
    /// Entries, itself included.
    pub items: u64,
    /// Newest change of content, of the entry or below it.
    pub newest: Timestamp,
}

impl Item {
    /// How much it weighs.
    pub fn weight(&self, weigh: Weigh) -> u64 {
        match weigh {
            Weigh::Allocated => self.allocated,
            Weigh::Apparent => self.size,
            Weigh::Count => self.items,
        }
    }
}

/// A tree of items. Numbers are those of one state of one tree; a path outlasts them.
pub trait Tree {
    /// The item that all others lie below.
    fn top(&self) -> u32;

    /// An item.
    ///
    /// # Errors
    /// [`Damage`] when there is no such item.
    fn item(&self, id: u32) -> Result<Item, Damage>;

    /// What an item lies in; `None` for the top.
    ///
    /// # Errors
    /// [`Damage`] when there is no such item.
    fn parent(&self, id: u32) -> Result<Option<u32>, Damage>;

    /// Appends what lies directly in an item: in the order of names, unless the tree grows.
    ///
    /// # Errors
    /// [`Damage`] met on the way.
    fn children(&self, id: u32, out: &mut Vec<Item>) -> Result<(), Damage>;

    /// Appends the numbers of what lies directly in an item, each with its weight, in the order of
    /// [`Tree::children`].
    ///
    /// # Errors
    /// [`Damage`] met on the way.
    fn weights(&self, id: u32, weigh: Weigh, out: &mut Vec<(u32, u64)>) -> Result<(), Damage> {
        weights_of_items(self, id, weigh, out)
    }

    /// Whether an item is a directory.
    ///
    /// # Errors
    /// [`Damage`] when there is no such item.
    fn is_dir(&self, id: u32) -> Result<bool, Damage> {
        Ok(self.item(id)?.kind.is_dir())
    }

    /// Everything that a stat call told of an item; `None` where it failed.
    ///
    /// # Errors
    /// [`Damage`] when there is no such item.
    fn metadata(&self, id: u32) -> Result<Option<Metadata>, Damage>;

    /// The item of this name in an item.
    ///
    /// # Errors
    /// [`Damage`] met on the way.
    fn child(&self, id: u32, name: &[u8]) -> Result<Option<u32>, Damage> {
        let (mut children, mut own) = (Vec::new(), Vec::new());
        self.children(id, &mut children)?;
        for child in children {
            own.clear();
            self.append_name(child.id, &mut own)?;
            if own == name {
                return Ok(Some(child.id));
            }
        }
        Ok(None)
    }

    /// Appends the name of an item, raw bytes; of the top, its whole path.
    ///
    /// # Errors
    /// [`Damage`] when there is no such item.
    fn append_name(&self, id: u32, out: &mut Vec<u8>) -> Result<(), Damage>;

    /// Appends the absolute path of an item, raw bytes.
    ///
    /// # Errors
    /// [`Damage`] met on the way.
    fn append_path(&self, id: u32, out: &mut Vec<u8>) -> Result<(), Damage> {
        let (mut at, mut way) = (id, Vec::new());
        while let Some(parent) = self.parent(at)? {
            way.push(at);
            at = parent;
        }
        self.append_name(at, out)?;
        for id in way.into_iter().rev() {
            if !out.ends_with(b"/") {
                out.push(b'/');
            }
            self.append_name(id, out)?;
        }
        Ok(())
    }
}

/// The weights of an item's children, from the children themselves.
pub(super) fn weights_of_items<T: Tree + ?Sized>(
    tree: &T,
    id: u32,
    weigh: Weigh,
    out: &mut Vec<(u32, u64)>,
) -> Result<(), Damage> {
    let mut children = Vec::new();
    tree.children(id, &mut children)?;
    out.extend(children.iter().map(|item| (item.id, item.weight(weigh))));
    Ok(())
}

/// The order of what weighs most first; what weighs the same stays in the order of names, which is
/// that of numbers.
pub fn by_weight(weigh: Weigh) -> impl Fn(&Item, &Item) -> Ordering {
    move |a, b| {
        let by_weight = b.weight(weigh).cmp(&a.weight(weigh));
        by_weight.then_with(|| a.id.cmp(&b.id))
    }
}
