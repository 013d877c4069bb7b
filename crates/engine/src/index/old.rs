//! What a catalog knew of a root before, for a scan that need not read everything again.
//!
//! A directory whose inode and times are the old ones holds the entries it held, unless it was
//! changed while the clock stood still: so only times well before the last scan count. Where the
//! stored bytes are damaged nothing is known, and the directory is read.

use std::collections::HashMap;

use groma_base::{Metadata, Timestamp};
use groma_catalog::{KindFlags, Stamp, View};
use groma_sys::DirBuffer;

use super::sweep::Sweep;
use super::told::Told;

/// Clocks of file systems may be this coarse: FAT counts every other second.
const COARSEST_CLOCK: i64 = 2;

/// The last scan of a root.
pub(crate) struct Old {
    view: View,
    top: u32,
    /// When that scan began.
    begun: Timestamp,
    /// Whether files of unchanged directories are taken over unseen.
    pub(crate) quick: bool,
    /// The root's device number then and now.
    devices: (u64, u64),
    pub(crate) is_root_unchanged: bool,
    /// Which directories have changed, where that was found out beforehand.
    pub(crate) sweep: Option<Sweep>,
}

/// What is known of the entries of the directory at hand.
#[derive(Default)]
pub(crate) struct OldDir {
    /// Whether the directory is unchanged, and its entries come in the old order.
    is_recalled: bool,
    names: Vec<u8>,
    /// Ids, and ends of their names.
    entries: Vec<(u32, usize)>,
    next: usize,
    /// Entries of one that has changed, those left that were not found yet.
    changed: HashMap<Vec<u8>, u32>,
}

impl Old {
    /// The last scan, whose root has this metadata now.
    pub(crate) fn new(view: View, quick: bool, root: &Metadata) -> Option<Old> {
        let about = view.about().ok()?;
        let top = view.top()?;
        let then = view.metadata(top).ok()??;
        let mut old = Old {
            view,
            top,
            begun: about.begun,
            quick,
            devices: (then.id.device, root.id.device),
            is_root_unchanged: false,
            sweep: None,
        };
        old.is_root_unchanged = old.is_unchanged(top, root);
        Some(old)
    }

    /// The view of the last scan.
    pub(crate) fn view(&self) -> &View {
        &self.view
    }

    /// How many entries there are below a directory.
    pub(crate) fn below(&self, dir: u32) -> u64 {
        let places = self.view.subtree(dir).unwrap_or_default();
        u64::from((places.end - places.start).saturating_sub(1))
    }

    /// The id of the root.
    pub(crate) fn root(&self) -> u32 {
        self.top
    }

    /// Whether an entry is what it was, in all that is kept of it.
    pub(crate) fn is_same(&self, id: u32, told: &Told<'_>) -> bool {
        let same = |flags: KindFlags| {
            flags.kind() == told.kind
                && flags.has(KindFlags::ACL) == told.has_acl
                && flags.has(KindFlags::MOUNT) == told.is_mount
                && flags.has(KindFlags::BROKEN) == told.is_broken
                && flags.has(KindFlags::NO_METADATA) == told.metadata.is_none()
        };
        let is_same = self.kind(id).is_some_and(same);
        is_same
            && match (told.metadata, self.metadata(id)) {
                (None, None) => true,
                (Some(now), Some(mut then)) => {
                    // Device nodes' own numbers are not kept.
                    then.special = now.special;
                    then == *now
                }
                _ => false,
            }
    }

    /// The entries of a directory; none where that is not known.
    pub(crate) fn children(&self, id: u32) -> Vec<u32> {
        self.view.children(id).unwrap_or_default()
    }

    /// Whether a directory holds what it held. `now`: its metadata.
    pub(crate) fn is_unchanged(&self, id: u32, now: &Metadata) -> bool {
        let limit = Timestamp {
            seconds: self.begun.seconds.saturating_sub(COARSEST_CLOCK),
            ..self.begun
        };
        let was_read = |flags: KindFlags| flags.is_dir() && !flags.has(KindFlags::UNREAD);
        let same = |then: &Stamp| {
            then.id == now.id
                && now.id.inode != 0
                && then.modified == now.modified
                && then.changed == now.changed
        };
        self.view.kind(id).is_ok_and(was_read)
            && now.changed < limit
            && self.stamp(id).as_ref().is_some_and(same)
    }

    /// What changes when an entry does, under the device number of today.
    fn stamp(&self, id: u32) -> Option<Stamp> {
        let mut stamp = self.view.stamp(id).ok()??;
        if stamp.id.device == self.devices.0 {
            stamp.id.device = self.devices.1;
        }
        Some(stamp)
    }

    /// What was known of an entry, under the device number of today.
    pub(crate) fn metadata(&self, id: u32) -> Option<Metadata> {
        let mut metadata = self.view.metadata(id).ok()??;
        if metadata.id.device == self.devices.0 {
            metadata.id.device = self.devices.1;
        }
        Some(metadata)
    }

    /// Kind and flags of an entry.
    pub(crate) fn kind(&self, id: u32) -> Option<KindFlags> {
        self.view.kind(id).ok()
    }

    /// The entries of a directory, if none of them is a directory.
    pub(crate) fn leaf(&self, id: u32) -> Option<Vec<u32>> {
        let children = self.view.children(id).ok()?;
        let is_dir = |&child: &u32| self.view.kind(child).map_or(true, KindFlags::is_dir);
        (!children.iter().any(is_dir)).then_some(children)
    }

    /// Appends the name of an entry. Answers whether it is known.
    pub(crate) fn append_name(&self, id: u32, out: &mut Vec<u8>) -> bool {
        self.view.append_name(id, out).is_ok()
    }
}

impl OldDir {
    /// Begins a directory: forgets the last one.
    pub(crate) fn clear(&mut self) {
        self.is_recalled = false;
        self.names.clear();
        self.entries.clear();
        self.next = 0;
        self.changed.clear();
    }

    /// Whether the directory at hand is unchanged.
    pub(crate) fn is_recalled(&self) -> bool {
        self.is_recalled
    }

    /// Puts the entries of an unchanged directory into `known`; where a sweep has told which have
    /// changed, only directories in or below which something has. `false`: nothing can be relied on.
    pub(crate) fn recall(&mut self, old: &Old, id: u32, known: &mut DirBuffer) -> bool {
        self.is_recalled = match &old.sweep {
            Some(sweep) => self.recall_all(old, sweep.touched_in(id), known),
            None => {
                let children = old.view.children(id);
                children.is_ok_and(|children| self.recall_all(old, children, known))
            }
        };
        if !self.is_recalled {
            self.clear();
            known.clear();
        }
        self.is_recalled
    }

    fn recall_all(
        &mut self,
        old: &Old,
        children: impl IntoIterator<Item = u32>,
        known: &mut DirBuffer,
    ) -> bool {
        children.into_iter().all(|child| {
            let start = self.names.len();
            let is_known = old.kind(child).is_some_and(|flags| {
                old.append_name(child, &mut self.names)
                    && known.push(0, flags.kind(), &self.names[start..])
            });
            self.entries.push((child, self.names.len()));
            is_known
        })
    }

    /// Notes the entries of a directory that has changed.
    pub(crate) fn note(&mut self, old: &Old, id: u32) {
        for child in old.children(id) {
            let mut name = Vec::new();
            if old.append_name(child, &mut name) {
                self.changed.insert(name, child);
            }
        }
    }

    /// Entries of a directory that has changed which were not found again.
    pub(crate) fn gone(&mut self) -> impl Iterator<Item = u32> + '_ {
        self.changed.drain().map(|(_, id)| id)
    }

    /// The id that an entry of the directory at hand had.
    pub(crate) fn find(&mut self, name: &[u8]) -> Option<u32> {
        if !self.is_recalled {
            return self.changed.remove(name);
        }
        while let Some(&(id, end)) = self.entries.get(self.next) {
            let start = self
                .next
                .checked_sub(1)
                .map_or(0, |before| self.entries[before].1);
            self.next += 1;
            if &self.names[start..end] == name {
                return Some(id);
            }
        }
        None
    }
}
