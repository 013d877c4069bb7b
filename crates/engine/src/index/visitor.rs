//! One worker of a scan: asks for each entry's metadata and hands it on.

use std::ffi::CStr;
use std::io;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use groma_base::{CancelToken, DirId, FileId, Kind, Metadata, Warning};
use groma_catalog::KindFlags;
use groma_sys::{Dir, DirBuffer, Examined};
use groma_walk::{Found, Place, Step, Visitor};

use super::Report;
use super::devices::Devices;
use super::findings::{DirRef, Findings};
use super::old::{Old, OldDir};
use super::progress::Progress;
use super::start::weightless;
use super::sweep::Sweep;
use super::told::{Output, Told};

/// What all workers of a scan share.
pub(crate) struct Shared<'a> {
    pub(crate) devices: Devices,
    pub(crate) acl: bool,
    pub(crate) exclude_caches: bool,
    /// What was known before, where not everything is to be read again.
    pub(crate) old: Option<Old>,
    pub(crate) progress: &'a Progress,
    pub(crate) report: &'a dyn Report,
    /// The number of the next directory; the root has 0.
    pub(crate) next_dir: AtomicU32,
    /// Places that could not be read.
    pub(crate) unread: AtomicU64,
    /// A file that is left out.
    pub(crate) omit: Option<FileId>,
    /// Where it is to be known which directories were told whole: what says that the scan is ended.
    pub(crate) notes_done: Option<CancelToken>,
}

impl Shared<'_> {
    /// What was known of the directory at hand, and whether it is unchanged.
    fn old_of(&self, place: &Place<'_>) -> Option<(&Old, u32, bool)> {
        let old = self.old.as_ref()?;
        if place.depth == 0 {
            return Some((old, old.root(), old.is_root_unchanged));
        }
        Some((old, old_id(place.tag)?, place.tag & UNCHANGED != 0))
    }

    /// The directory at hand, as a delta knows it.
    fn dir_ref(&self, place: &Place<'_>) -> DirRef {
        let new = DirRef::New(parent_of(place).0);
        self.old_of(place).map_or(new, |(_, id, _)| DirRef::Old(id))
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
    output: Output<'a>,
    /// The device that was last met, and whether it is read.
    last_device: Option<(u64, bool)>,
    /// The device of the directory at hand, where somebody had to ask.
    own_device: Option<u64>,
    /// The directory at hand, while it is being told.
    here: Option<(u64, DirRef)>,
    /// What is known of the directory at hand.
    known: OldDir<'a>,
    /// Whether only the tag of the directory at hand is kept.
    is_cache: bool,
    name: Vec<u8>,
    /// Directories of which there is no more to be told, where that is noted.
    done: Vec<u32>,
}

impl<'a> ScanVisitor<'a> {
    pub(crate) fn new(shared: &'a Shared<'a>, output: Output<'a>) -> ScanVisitor<'a> {
        ScanVisitor {
            shared,
            output,
            last_device: None,
            own_device: None,
            here: None,
            known: OldDir::new(shared.old.as_ref()),
            is_cache: false,
            name: Vec::new(),
            done: Vec::new(),
        }
    }

    /// Directories of which everything was told.
    pub(crate) fn into_done(self) -> Vec<u32> {
        self.done
    }

    /// The changes that this worker found.
    pub(crate) fn into_findings(self) -> Option<Findings> {
        self.output.into_findings()
    }

    fn push(&mut self, path: &[u8], told: &Told<'_>) {
        if let Some(entries) = self.output.push(told) {
            self.shared.progress.add(entries);
            self.shared.progress.set_place(path);
        }
    }

    /// The directory at hand, as a delta knows it.
    fn here(&self) -> Option<DirRef> {
        self.here.map(|(_, dir)| dir)
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
        let is_read = is_dir
            && self.is_read(place, found, metadata)
            && !(is_mount && self.is_repeated(place, found));
        let unread = (is_mount && !is_read && self.shared.devices.mounts_once())
            .then(|| weightless(metadata.clone()));
        let metadata = unread.as_ref().unwrap_or(metadata);
        let old_dir = old.filter(|&id| self.was_dir(id));
        let dir_ref = dir.map(|dir| old_dir.map_or(DirRef::New(dir.0), DirRef::Old));
        let told = Told {
            parent: parent_of(place),
            parent_ref: self.here(),
            dir,
            old,
            is_new_dir: is_dir && old_dir.is_none(),
            name: found.name.to_bytes(),
            kind: metadata.kind,
            has_acl: self.shared.acl && has_acl(place.dir, found),
            is_mount,
            is_broken: metadata.kind == Kind::Symlink && leads_nowhere(place.dir, found),
            metadata: Some(metadata),
        };
        self.push(place.path, &told);
        let (Some(dir), Some(dir_ref)) = (dir, dir_ref) else {
            return Step::Skip;
        };
        if is_read && found.enterable && !self.output.is_closed() {
            return self.step_into(place, dir, metadata, old_dir);
        }
        if !is_read && self.shared.notes_done.is_some() {
            self.done.push(dir.0);
        }
        if is_read && !found.enterable {
            // What became a directory since its name was read is not entered.
            self.output.mark_unread(dir, dir_ref);
        }
        self.forget_below(old_dir);
        Step::Skip
    }

    fn was_dir(&self, id: u32) -> bool {
        let old = self.shared.old.as_ref();
        old.and_then(|old| old.kind(id))
            .is_some_and(KindFlags::is_dir)
    }

    /// A directory that is not looked into any more holds nothing that is known.
    fn forget_below(&mut self, dir: Option<u32>) {
        if let (Some(old), Some(dir), true) = (&self.shared.old, dir, self.output.is_changes()) {
            for child in old.children(dir) {
                self.output.remove(child);
            }
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
            && let Some(sweep) = &old.sweep
            && !sweep.is_touched(id)
        {
            self.count(old.below(id), place.path);
            return Step::Skip;
        }
        if is_unchanged
            && old.quick
            && !self.output.is_changes()
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

    /// Counts what is not told of an unchanged directory: files, and directories in and below which
    /// nothing has changed.
    fn pass_over(&mut self, old: &Old, sweep: &Sweep, dir: u32, path: &[u8]) {
        let told = sweep.touched_in(dir).map(|child| old.below(child) + 1);
        let passed = old.below(dir).saturating_sub(told.sum());
        let unknown = sweep.unknown_in(dir);
        self.shared.unread.fetch_add(unknown, Ordering::Relaxed);
        self.count(passed, path);
    }

    /// Counts entries that are what they were.
    fn count(&mut self, entries: u64, path: &[u8]) {
        if let Some(entries) = self.output.count(entries) {
            self.shared.progress.add(entries);
            self.shared.progress.set_place(path);
        }
    }

    /// What could not be read when it was last looked at counts as if it were looked at again.
    fn count_unknown(&self, old: &Old, id: u32) {
        let flags = old.kind(id);
        if flags.is_none_or(|flags| flags.has(KindFlags::NO_METADATA)) {
            self.shared.unread.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// An entry that is no directory, as it was known.
    fn take_over(&mut self, old: &Old, id: u32, parent: DirId, path: &[u8]) {
        self.count_unknown(old, id);
        let mut name = std::mem::take(&mut self.name);
        name.clear();
        let flags = old.kind(id).filter(|_| old.append_name(id, &mut name));
        let metadata = old.metadata(id);
        match flags {
            Some(flags) => self.push(
                path,
                &Told {
                    parent,
                    parent_ref: None,
                    dir: None,
                    old: Some(id),
                    is_new_dir: false,
                    name: &name,
                    kind: flags.kind(),
                    has_acl: flags.has(KindFlags::ACL),
                    is_mount: false,
                    is_broken: flags.has(KindFlags::BROKEN),
                    metadata: metadata.as_ref(),
                },
            ),
            None => self.output.mark_unread(parent, DirRef::New(parent.0)),
        }
        self.name = name;
    }

    /// An entry that is there, but about which nothing can be told. `old`: the id it had.
    fn take_unknown(&mut self, place: &Place<'_>, found: &Found<'_>, old: Option<u32>) {
        let dir = (found.kind == Kind::Dir).then(|| self.next_dir());
        let old_dir = old.filter(|&id| dir.is_some() && self.was_dir(id));
        let told = Told {
            parent: parent_of(place),
            parent_ref: self.here(),
            dir,
            old,
            is_new_dir: dir.is_some() && old_dir.is_none(),
            name: found.name.to_bytes(),
            kind: found.kind,
            has_acl: false,
            is_mount: false,
            is_broken: false,
            metadata: None,
        };
        self.push(place.path, &told);
        if let Some(dir) = dir {
            let dir_ref = old_dir.map_or(DirRef::New(dir.0), DirRef::Old);
            self.output.mark_unread(dir, dir_ref);
            self.forget_below(old_dir);
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

    fn is_repeated(&self, place: &Place<'_>, found: &Found<'_>) -> bool {
        let path = [place.path, found.name.to_bytes()].concat();
        self.shared.devices.is_repeated(&path)
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
    fn fail(&mut self, place: &Place<'_>, found: &Found<'_>, error: io::Error, old: Option<u32>) {
        let incomplete = !groma_sys::is_gone(&error);
        self.shared.warn(&Warning {
            path: [place.path, found.name.to_bytes()].concat(),
            action: "stat",
            error,
            incomplete,
        });
        match old {
            _ if incomplete => self.take_unknown(place, found, old),
            Some(id) => self.output.remove(id),
            None => {}
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
        let dir = self.shared.dir_ref(place);
        self.output.mark_unread(parent_of(place), dir);
    }
}

impl Visitor for ScanVisitor<'_> {
    fn enter(&mut self, place: &Place<'_>) {
        self.own_device = None;
        self.known.clear();
        self.is_cache = self.shared.exclude_caches && is_cache(place.dir);
        let dir = self.shared.dir_ref(place);
        self.here = Some((place.tag, dir));
        if let Some((old, id, _)) = self.shared.old_of(place)
            && old
                .kind(id)
                .is_some_and(|flags| flags.has(KindFlags::UNREAD))
        {
            self.output.mark_read(dir);
        }
    }

    fn recall(&mut self, place: &Place<'_>, known: &mut DirBuffer) -> bool {
        let Some((old, id, is_unchanged)) = self.shared.old_of(place) else {
            return false;
        };
        if is_unchanged && self.known.recall(old, id, known) {
            if let Some(sweep) = &old.sweep {
                self.pass_over(old, sweep, id, place.path);
            }
            return true;
        }
        self.known.note(old, id);
        false
    }

    fn leave(&mut self, place: &Place<'_>) {
        let ended = self.shared.notes_done.as_ref();
        if ended.is_some_and(|ended| !ended.is_cancelled()) {
            self.done.push(parent_of(place).0);
        }
        for id in self.known.gone() {
            self.output.remove(id);
        }
        self.here = None;
    }

    fn entry(&mut self, place: &Place<'_>, found: &Found<'_>) -> Step {
        let name = found.name.to_bytes();
        if name.is_empty() || name.iter().any(|&b| b == b'/' || b == 0) {
            self.refuse(place, found);
            return Step::Skip;
        }
        if self.is_cache && name != CACHE_TAG.to_bytes() {
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
            Ok(examined) if self.shared.omit == Some(examined.metadata.id) => Step::Skip,
            Ok(examined) => self.take(place, found, &examined, id),
            Err(error) => {
                self.fail(place, found, error, id);
                Step::Skip
            }
        }
    }

    fn unread(&mut self, _root: usize, tag: u64) {
        let old = old_id(tag).or_else(|| {
            let root = self.shared.old.as_ref().map(Old::root);
            root.filter(|_| dir_of(tag).0 == 0)
        });
        let dir_ref = old.map_or(DirRef::New(dir_of(tag).0), DirRef::Old);
        self.output.mark_unread(dir_of(tag), dir_ref);
        // Otherwise what is missing is noticed when the directory is left.
        if self.here.is_none_or(|(here, _)| here != tag) {
            self.forget_below(old);
        }
    }

    fn idle(&mut self) {
        self.shared.progress.add(self.output.flush());
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

/// The id that a directory had.
fn old_id(tag: u64) -> Option<u32> {
    u32::try_from((tag & !UNCHANGED) >> 32).ok()?.checked_sub(1)
}

fn parent_of(place: &Place<'_>) -> DirId {
    dir_of(place.tag)
}

/// Whether a link leads to nothing. One that leads where this process may not look is not known to.
fn leads_nowhere(dir: &Dir, found: &Found<'_>) -> bool {
    let target = dir.stat(found.name.c_str(), true, false);
    target.is_err_and(|error| groma_sys::is_gone(&error))
}

/// The file that marks a directory as a cache, and what it begins with: the Cache Directory Tagging
/// Specification, <https://bford.info/cachedir/>.
const CACHE_TAG: &CStr = c"CACHEDIR.TAG";
const CACHE_SIGNATURE: &[u8] = b"Signature: 8a477f597d28d172789f06886806bc55";

fn is_cache(dir: &Dir) -> bool {
    let tag = dir.read_file(CACHE_TAG, false, CACHE_SIGNATURE.len() as u64);
    tag.is_ok_and(|content| content == CACHE_SIGNATURE)
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
