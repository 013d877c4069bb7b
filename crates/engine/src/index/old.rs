//! What a catalog knew of a root before, for a scan that need not read everything again.
//!
//! A directory whose inode and times are the old ones holds the entries it held, unless it was
//! changed while the clock stood still: so only times well before the last scan count. Where the
//! stored bytes are damaged nothing is known, and the directory is read.

use groma_base::{Metadata, Timestamp};
use groma_catalog::{EntryNames, KindFlags, MetadataReader, Stamp, View};
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

/// What is known of the metadata of single entries.
pub(crate) struct OldMetadata<'a> {
    old: &'a Old,
    reader: Option<Box<MetadataReader<'a>>>,
}

/// What is known of the entries of the directory at hand.
pub(crate) struct OldDir<'a> {
    reader: Option<EntryNames<'a>>,
    /// Whether the directory is unchanged, and its entries come in the old order.
    is_recalled: bool,
    ids: Vec<u32>,
    /// Their names, and where each of them ends.
    names: Vec<u8>,
    ends: Vec<usize>,
    next: usize,
    /// Places of the entries of one that has changed, by the bytes of their names.
    by_name: Vec<usize>,
    /// Which of these were found again.
    is_found: Vec<bool>,
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
        stamp.id.device = self.device_now(stamp.id.device);
        Some(stamp)
    }

    /// The number that a device has today.
    fn device_now(&self, then: u64) -> u64 {
        match then == self.devices.0 {
            true => self.devices.1,
            false => then,
        }
    }

    /// What was known of an entry, under the device number of today.
    pub(crate) fn metadata(&self, id: u32) -> Option<Metadata> {
        let mut metadata = self.view.metadata(id).ok()??;
        metadata.id.device = self.device_now(metadata.id.device);
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

impl<'a> OldMetadata<'a> {
    /// The metadata of a scan.
    pub(crate) fn new(old: &'a Old) -> OldMetadata<'a> {
        OldMetadata {
            old,
            reader: old.view.metadata_reader().ok().map(Box::new),
        }
    }

    /// Whether an entry is what it was, in all that is kept of it.
    pub(crate) fn is_same(&mut self, id: u32, told: &Told<'_>) -> bool {
        let same = |flags: KindFlags| {
            flags.kind() == told.kind
                && flags.has(KindFlags::ACL) == told.has_acl
                && flags.has(KindFlags::MOUNT) == told.is_mount
                && flags.has(KindFlags::BROKEN) == told.is_broken
                && flags.has(KindFlags::NO_METADATA) == told.metadata.is_none()
        };
        let is_same = self.old.kind(id).is_some_and(same);
        is_same
            && match (told.metadata, self.of(id)) {
                (None, None) => true,
                (Some(now), Some(mut then)) => {
                    // Device nodes' own numbers are not kept.
                    then.special = now.special;
                    then == *now
                }
                _ => false,
            }
    }

    fn of(&mut self, id: u32) -> Option<Metadata> {
        let mut metadata = self.reader.as_mut()?.metadata(id).ok()??;
        metadata.id.device = self.old.device_now(metadata.id.device);
        Some(metadata)
    }
}

impl<'a> OldDir<'a> {
    /// Nothing is known yet.
    pub(crate) fn new(old: Option<&'a Old>) -> OldDir<'a> {
        OldDir {
            reader: old.and_then(|old| old.view.entry_names().ok()),
            is_recalled: false,
            names: Vec::new(),
            ids: Vec::new(),
            ends: Vec::new(),
            next: 0,
            by_name: Vec::new(),
            is_found: Vec::new(),
        }
    }

    /// Begins a directory: forgets the last one.
    pub(crate) fn clear(&mut self) {
        self.is_recalled = false;
        self.names.clear();
        self.ids.clear();
        self.ends.clear();
        self.next = 0;
        self.by_name.clear();
        self.is_found.clear();
    }

    /// Whether the directory at hand is unchanged.
    pub(crate) fn is_recalled(&self) -> bool {
        self.is_recalled
    }

    /// Puts the entries of an unchanged directory into `known`; where a sweep has told which have
    /// changed, only directories in or below which something has. `false`: nothing can be relied on.
    pub(crate) fn recall(&mut self, old: &Old, id: u32, known: &mut DirBuffer) -> bool {
        self.is_recalled = self.try_recall(old, id, known).is_some();
        if !self.is_recalled {
            self.clear();
            known.clear();
        }
        self.is_recalled
    }

    fn try_recall(&mut self, old: &Old, id: u32, known: &mut DirBuffer) -> Option<()> {
        match &old.sweep {
            Some(sweep) => self.ids.extend(sweep.touched_in(id)),
            None => self.ids = old.view.children(id).ok()?,
        }
        self.read_names()?;
        for (place, &child) in self.ids.iter().enumerate() {
            let kind = old.kind(child)?.kind();
            known.push(0, kind, self.name(place)).then_some(())?;
        }
        Some(())
    }

    fn read_names(&mut self) -> Option<()> {
        let reader = self.reader.as_mut()?;
        let read = reader.append(&self.ids, &mut self.names, &mut self.ends);
        read.ok()
    }

    /// The name of an entry of the directory at hand.
    fn name(&self, place: usize) -> &[u8] {
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.names[start..self.ends[place]]
    }

    /// Notes the entries of a directory that has changed; none where their names are damaged.
    pub(crate) fn note(&mut self, old: &Old, id: u32) {
        self.ids = old.children(id);
        if self.read_names().is_none() {
            self.clear();
        }
        let mut by_name = std::mem::take(&mut self.by_name);
        by_name.extend(0..self.ids.len());
        by_name.sort_unstable_by(|&a, &b| self.name(a).cmp(self.name(b)));
        self.by_name = by_name;
        self.is_found.resize(self.ids.len(), false);
    }

    /// Entries of a directory that has changed which were not found again.
    pub(crate) fn gone(&mut self) -> impl Iterator<Item = u32> + '_ {
        let places = self.ids.iter().zip(self.is_found.drain(..));
        places.filter(|(_, is_found)| !is_found).map(|(&id, _)| id)
    }

    /// The id that an entry of the directory at hand had.
    pub(crate) fn find(&mut self, name: &[u8]) -> Option<u32> {
        if !self.is_recalled {
            let compare = |&place: &usize| self.name(place).cmp(name);
            let at = self.by_name.binary_search_by(compare).ok()?;
            let place = *self.by_name.get(at)?;
            let is_found = std::mem::replace(self.is_found.get_mut(place)?, true);
            return self.ids.get(place).copied().filter(|_| !is_found);
        }
        while self.next < self.ends.len() {
            let place = self.next;
            self.next += 1;
            if self.name(place) == name {
                return self.ids.get(place).copied();
            }
        }
        None
    }
}
