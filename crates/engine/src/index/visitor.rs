//! One worker of a scan: asks for each entry's metadata and hands it on.

use std::io;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use groma_base::{BatchEntry, DirId, Kind, Metadata, Warning};
use groma_catalog::KindFlags;
use groma_sys::{Dir, DirBuffer, Examined};
use groma_walk::{Found, Place, Step, Visitor};

use super::Report;
use super::devices::Devices;
use super::feed::Feed;
use super::old::{Old, OldDir};
use super::progress::Progress;

/// What all workers of a scan share.
pub(crate) struct Shared<'a> {
    pub(crate) devices: Devices,
    pub(crate) acl: bool,
    /// What was known before, where not everything is to be read again.
    pub(crate) old: Option<Old>,
    pub(crate) progress: &'a Progress,
    pub(crate) report: &'a dyn Report,
    /// The number of the next directory; the root has 0.
    pub(crate) next_dir: AtomicU32,
    /// Places that could not be read.
    pub(crate) unread: AtomicU64,
}

impl Shared<'_> {
    /// What was known of the directory at hand, and whether it is unchanged.
    fn old_of(&self, place: &Place<'_>) -> Option<(&Old, u32, bool)> {
        let old = self.old.as_ref()?;
        if place.depth == 0 {
            return Some((old, old.top, old.is_root_unchanged));
        }
        let id = (place.tag & !UNCHANGED) >> 32;
        let id = u32::try_from(id).ok()?.checked_sub(1)?;
        Some((old, id, place.tag & UNCHANGED != 0))
    }

    pub(crate) fn warn(&self, warning: &Warning) {
        if warning.incomplete {
            self.unread.fetch_add(1, Ordering::Relaxed);
        }
        self.report.warn(warning);
    }
}

/// A worker.
pub(crate) struct ScanVisitor<'a> {
    shared: &'a Shared<'a>,
    feed: Feed,
    /// The device that was last met, and whether it is read.
    last_device: Option<(u64, bool)>,
    /// The device of the directory at hand, where somebody had to ask.
    own_device: Option<u64>,
    /// What is known of the directory at hand.
    known: OldDir,
    name: Vec<u8>,
}

/// An entry about to be handed on.
struct Told<'t> {
    parent: DirId,
    dir: Option<DirId>,
    name: &'t [u8],
    kind: Kind,
    has_acl: bool,
    is_mount: bool,
    is_broken: bool,
    metadata: Option<&'t Metadata>,
}

impl<'a> ScanVisitor<'a> {
    pub(crate) fn new(shared: &'a Shared<'a>, feed: Feed) -> ScanVisitor<'a> {
        ScanVisitor {
            shared,
            feed,
            last_device: None,
            own_device: None,
            known: OldDir::default(),
            name: Vec::new(),
        }
    }

    fn push(&mut self, path: &[u8], told: &Told<'_>) {
        let waiting = self.feed.waiting() + 1;
        let was_handed_on = self.feed.push(BatchEntry {
            parent: Some(told.parent),
            dir: told.dir,
            name: told.name,
            kind: told.kind,
            has_acl: told.has_acl,
            is_mount: told.is_mount,
            is_broken: told.is_broken,
            metadata: told.metadata,
        });
        if was_handed_on {
            self.shared.progress.add(waiting as u64);
            self.shared.progress.set_place(path);
        }
    }

    /// An entry whose metadata are known. `old`: the id it had.
    fn take(
        &mut self,
        place: &Place<'_>,
        found: &Found<'_>,
        examined: &Examined,
        old: Option<u32>,
    ) -> Step {
        let metadata = &examined.metadata;
        let is_dir = metadata.kind == Kind::Dir;
        let dir = is_dir.then(|| self.next_dir());
        let is_mount = is_dir && self.is_mount(place, examined);
        let is_read = is_dir && self.is_read(place, found, metadata);
        // What became a directory since its name was read is not entered.
        if let Some(dir) = dir.filter(|_| is_read && !found.enterable) {
            self.feed.mark_unread(dir);
        }
        let told = Told {
            parent: parent_of(place),
            dir,
            name: found.name.to_bytes(),
            kind: metadata.kind,
            has_acl: self.shared.acl && has_acl(place.dir, found),
            is_mount,
            is_broken: metadata.kind == Kind::Symlink && leads_nowhere(place.dir, found),
            metadata: Some(metadata),
        };
        self.push(place.path, &told);
        match dir {
            Some(dir) if is_read && !self.feed.is_closed() => {
                self.step_into(place, dir, metadata, old)
            }
            _ => Step::Skip,
        }
    }

    /// How a scan goes on at a directory.
    fn step_into(
        &mut self,
        place: &Place<'_>,
        dir: DirId,
        metadata: &Metadata,
        old: Option<u32>,
    ) -> Step {
        let shared = self.shared;
        let (Some(old), Some(id)) = (&shared.old, old) else {
            return Step::Enter(dir.0.into());
        };
        let is_unchanged = old.is_unchanged(id, metadata);
        if is_unchanged
            && old.quick
            && let Some(children) = old.leaf(id)
        {
            for child in children {
                self.take_over(old, child, dir, place.path);
            }
            return Step::Skip;
        }
        let unchanged = if is_unchanged { UNCHANGED } else { 0 };
        Step::Enter(unchanged | (u64::from(id) + 1) << 32 | u64::from(dir.0))
    }

    /// An entry that is no directory, as it was known.
    fn take_over(&mut self, old: &Old, id: u32, parent: DirId, path: &[u8]) {
        let mut name = std::mem::take(&mut self.name);
        name.clear();
        let flags = old.kind(id).filter(|_| old.append_name(id, &mut name));
        match flags {
            Some(flags) => {
                let metadata = old.metadata(id);
                let told = Told {
                    parent,
                    dir: None,
                    name: &name,
                    kind: flags.kind(),
                    has_acl: flags.has(KindFlags::ACL),
                    is_mount: false,
                    is_broken: flags.has(KindFlags::BROKEN),
                    metadata: metadata.as_ref(),
                };
                self.push(path, &told);
            }
            None => self.feed.mark_unread(parent),
        }
        self.name = name;
    }

    /// An entry that is there, but about which nothing can be told.
    fn take_unknown(&mut self, place: &Place<'_>, found: &Found<'_>) {
        let dir = (found.kind == Kind::Dir).then(|| self.next_dir());
        let told = Told {
            parent: parent_of(place),
            dir,
            name: found.name.to_bytes(),
            kind: found.kind,
            has_acl: false,
            is_mount: false,
            is_broken: false,
            metadata: None,
        };
        self.push(place.path, &told);
        if let Some(dir) = dir {
            self.feed.mark_unread(dir);
        }
    }

    fn next_dir(&self) -> DirId {
        DirId(self.shared.next_dir.fetch_add(1, Ordering::Relaxed))
    }

    fn is_mount(&mut self, place: &Place<'_>, examined: &Examined) -> bool {
        if let Some(is_mount) = examined.is_mount {
            return is_mount;
        }
        let own = || Some(place.dir.own_metadata(false).ok()?.id.device);
        self.own_device = self.own_device.or_else(own);
        let device = examined.metadata.id.device;
        self.own_device.is_some_and(|own| own != device)
    }

    fn is_read(&mut self, place: &Place<'_>, found: &Found<'_>, metadata: &Metadata) -> bool {
        let device = metadata.id.device;
        if let Some((last, is_read)) = self.last_device
            && last == device
        {
            return is_read;
        }
        let path = || [place.path, found.name.to_bytes()].concat();
        let is_read = self.shared.devices.is_read(device, path);
        self.last_device = Some((device, is_read));
        is_read
    }

    #[cold]
    fn fail(&mut self, place: &Place<'_>, found: &Found<'_>, error: io::Error) {
        let incomplete = !groma_sys::is_gone(&error);
        self.shared.warn(&Warning {
            path: [place.path, found.name.to_bytes()].concat(),
            action: "stat",
            error,
            incomplete,
        });
        if incomplete {
            self.take_unknown(place, found);
        }
    }

    /// A name that no file can have, which only a damaged file system tells.
    #[cold]
    fn refuse(&mut self, place: &Place<'_>, found: &Found<'_>) {
        self.shared.warn(&Warning {
            path: [place.path, found.name.to_bytes()].concat(),
            action: "keep",
            error: io::Error::new(io::ErrorKind::InvalidData, "an impossible name"),
            incomplete: true,
        });
        self.feed.mark_unread(parent_of(place));
    }
}

impl Visitor for ScanVisitor<'_> {
    fn enter(&mut self, _place: &Place<'_>) {
        self.own_device = None;
        self.known.clear();
    }

    fn recall(&mut self, place: &Place<'_>, known: &mut DirBuffer) -> bool {
        let Some((old, id, is_unchanged)) = self.shared.old_of(place) else {
            return false;
        };
        if is_unchanged && self.known.recall(old, id, known) {
            return true;
        }
        self.known.note_dirs(old, id);
        false
    }

    fn entry(&mut self, place: &Place<'_>, found: &Found<'_>) -> Step {
        let name = found.name.to_bytes();
        if name.is_empty() || name.iter().any(|&b| b == b'/' || b == 0) {
            self.refuse(place, found);
            return Step::Skip;
        }
        let mut id = None;
        if let Some(old) = &self.shared.old {
            id = self.known.find(name);
            if let Some(id) = id
                && old.quick
                && found.kind != Kind::Dir
                && self.known.is_recalled()
            {
                self.take_over(old, id, parent_of(place), place.path);
                return Step::Skip;
            }
        }
        match place.dir.examine(found.name.c_str()) {
            Ok(examined) => self.take(place, found, &examined, id),
            Err(error) => {
                self.fail(place, found, error);
                Step::Skip
            }
        }
    }

    fn unread(&mut self, _root: usize, tag: u64) {
        self.feed.mark_unread(dir_of(tag));
    }

    fn idle(&mut self) {
        self.shared.progress.add(self.feed.waiting() as u64);
        self.feed.flush();
    }

    fn warn(&mut self, warning: Warning) {
        self.shared.warn(&warning);
    }
}

/// The lower half of a tag is the number of the directory, what lies above it its old id plus one,
/// and the highest bit says that it is unchanged. Ids have 31 bits.
const UNCHANGED: u64 = 1 << 63;

fn dir_of(tag: u64) -> DirId {
    DirId((tag & u64::from(u32::MAX)) as u32)
}

fn parent_of(place: &Place<'_>) -> DirId {
    dir_of(place.tag)
}

/// Whether a link leads to nothing. One that leads where this process may not look is not known to.
fn leads_nowhere(dir: &Dir, found: &Found<'_>) -> bool {
    let target = dir.stat(found.name.c_str(), true, false);
    target.is_err_and(|error| groma_sys::is_gone(&error))
}

/// The attributes that hold access control lists: POSIX's and NFS version 4's.
const ACLS: [&[u8]; 4] = [
    b"system.posix_acl_access",
    b"system.posix_acl_default",
    b"system.nfs4_acl",
    b"system.richacl",
];

fn has_acl(dir: &Dir, found: &Found<'_>) -> bool {
    let names = groma_sys::list_xattrs(dir, found.name.c_str());
    names.is_ok_and(|names| names.iter().any(|name| ACLS.contains(&&name[..])))
}
