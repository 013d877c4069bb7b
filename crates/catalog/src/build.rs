//! Entries in any order, collected until they are sealed into a segment.
//!
//! What arrives is kept in columns. All but three of them are bit-packed as they grow: entries of
//! one directory arrive together and resemble each other, so packing works as well here as in the
//! file. Names are interned. A measured tree takes about as many bytes per entry while it grows as
//! its segment will have; `docs/format.md` has the numbers.

mod columns;
mod dictionary;
mod extensions;
pub(crate) mod links;
mod order;
pub(crate) mod parallel;
mod postings;
mod seal;
mod sort;
pub(crate) mod totals;

pub(crate) use dictionary::differs_in_ascii_case_only;
pub(crate) use extensions::Extensions;
pub(crate) use postings::write_postings;
pub use totals::Totals;

use std::collections::HashMap;
use std::hash::Hash;
use std::io::{Seek, Write};

use groma_base::{BatchEntry, CancelToken, DirId, EntryBatch, FileId, Kind, Metadata, Timestamp};

use crate::about::{About, Owner, Volume};
use crate::bytes::{allocated_difference, allocated_from, bias, unbias};
use crate::error::BuildError;
use crate::intern::Interner;
use crate::kinds::{KindFlags, type_bits};
use crate::layout::MAX_ROWS;
use crate::packed::PackedVec;

/// Stands for "no directory" in the column of parents.
const NO_DIR: u32 = u32::MAX;

/// Collects entries, then writes them as a segment. The bytes of a segment depend on what the
/// entries are, never on the order in which they came - unless a directory has two entries of one
/// name, of which the first to come is kept.
#[derive(Debug, Default)]
pub struct Builder {
    names: Interner,
    name_ids: Vec<u32>,
    parents: Vec<u32>,
    kinds: Vec<u16>,
    dirs: Vec<DirEntry>,
    unread: Vec<u32>,
    owners: Numbering<Owner>,
    devices: Numbering<u64>,
    columns: Collected,
}

/// A directory: its number and the place of its entry among all that came.
#[derive(Clone, Copy, Debug)]
struct DirEntry {
    id: u32,
    arrival: u32,
}

/// Columns in order of arrival.
#[derive(Debug, Default)]
struct Collected {
    size: PackedVec,
    allocated: PackedVec,
    modified: TimeColumn,
    owner: PackedVec,
    device: PackedVec,
    last: LastColumns,
}

/// Columns that nobody looks at after they are written: each is given back then, before the next
/// sections take memory of their own.
#[derive(Debug, Default)]
struct LastColumns {
    accessed: TimeColumn,
    changed: TimeColumn,
    created: TimeColumn,
    inode: PackedVec,
    links: PackedVec,
    mode: PackedVec,
}

#[derive(Debug, Default)]
struct TimeColumn {
    seconds: PackedVec,
    nanoseconds: PackedVec,
}

/// Distinct values, numbered as they come.
#[derive(Debug)]
struct Numbering<T> {
    numbers: HashMap<T, u32>,
    values: Vec<T>,
    /// Entries that follow each other mostly have the same.
    last: Option<(T, u32)>,
}

impl<T> Default for Numbering<T> {
    fn default() -> Self {
        Numbering {
            numbers: HashMap::new(),
            values: Vec::new(),
            last: None,
        }
    }
}

impl<T: Copy + Eq + Hash> Numbering<T> {
    fn number(&mut self, value: T) -> u32 {
        if let Some((last, number)) = self.last
            && last == value
        {
            return number;
        }
        // There are never more distinct values than rows.
        let next = u32::try_from(self.values.len()).unwrap_or(u32::MAX);
        let number = *self.numbers.entry(value).or_insert_with(|| {
            self.values.push(value);
            next
        });
        self.last = Some((value, number));
        number
    }
}

/// What a segment came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sealed {
    /// Rows written.
    pub rows: u32,
    /// Distinct names.
    pub names: u32,
    /// Bytes of the file.
    pub length: u64,
    /// Entries left out because another one of the same directory has the same name, which happens
    /// when a directory changes while it is read. What lay below them is left out too and counted.
    pub duplicates: u64,
}

impl Builder {
    /// A builder without entries.
    pub fn new() -> Builder {
        Builder::default()
    }

    /// How many entries have come.
    pub fn len(&self) -> usize {
        self.name_ids.len()
    }

    /// Whether none has come.
    pub fn is_empty(&self) -> bool {
        self.name_ids.is_empty()
    }

    /// Takes all entries of a batch.
    ///
    /// # Errors
    /// [`BuildError::BadName`], [`BuildError::BadTime`], [`BuildError::TooManyRows`]: the entry is
    /// not taken, nor are those after it.
    pub fn push(&mut self, batch: &EntryBatch) -> Result<(), BuildError> {
        let mut entries = 0;
        let done: Result<(), BuildError> = batch.entries().try_for_each(|entry| {
            self.push_entry(&entry)?;
            entries += 1;
            Ok(())
        });
        let names = batch.entries().take(entries).map(|entry| entry.name);
        self.names.intern_all(names, &mut self.name_ids);
        done?;
        self.unread.extend(batch.unread().iter().map(|dir| dir.0));
        Ok(())
    }

    fn push_entry(&mut self, entry: &BatchEntry<'_>) -> Result<(), BuildError> {
        let arrival = u32::try_from(self.parents.len()).unwrap_or(u32::MAX);
        if arrival >= MAX_ROWS {
            return Err(BuildError::TooManyRows(MAX_ROWS));
        }
        check_name(entry)?;
        check_numbers(entry)?;
        if let Some(metadata) = entry.metadata {
            check_times(metadata)?;
        }
        if let Some(DirId(id)) = entry.dir {
            self.dirs.push(DirEntry { id, arrival });
        }
        self.parents.push(entry.parent.map_or(NO_DIR, |dir| dir.0));
        self.kinds.push(kind_flags(entry).0);
        self.push_metadata(entry.metadata);
        Ok(())
    }

    /// What is not known is stored as zeros; a flag says so.
    fn push_metadata(&mut self, metadata: Option<&Metadata>) {
        let owner = metadata.map(|m| Owner {
            uid: m.uid,
            gid: m.gid,
        });
        let owner = owner.map_or(0, |owner| self.owners.number(owner));
        let device = metadata.map_or(0, |m| self.devices.number(m.id.device));
        let number = |of: fn(&Metadata) -> u64| metadata.map_or(0, of);
        let time = |of: fn(&Metadata) -> Timestamp| metadata.map_or_else(Timestamp::default, of);
        let columns = &mut self.columns;
        columns.size.push(number(|m| m.size));
        let allocated = number(|m| allocated_difference(m.size, m.allocated));
        columns.allocated.push(allocated);
        columns.modified.push(time(|m| m.modified));
        columns.owner.push(owner.into());
        columns.device.push(device.into());
        let last = &mut columns.last;
        last.accessed.push(time(|m| m.accessed));
        last.changed.push(time(|m| m.changed));
        last.created.push(time(|m| m.created.unwrap_or_default()));
        last.inode.push(number(|m| m.id.inode));
        last.links.push(number(|m| m.links));
        last.mode.push(number(|m| u64::from(m.mode & 0o7777)));
    }

    /// Kind, apparent size, allocated size and last change of content of an entry, by its place in the
    /// order of arrival; `None` when there is no such entry.
    pub(crate) fn arrived(&self, arrival: u32) -> Option<(KindFlags, u64, u64, Timestamp)> {
        let at = arrival as usize;
        let kind = KindFlags(*self.kinds.get(at)?);
        let size = self.columns.size.get(at);
        let modified = self.columns.modified.get(at);
        let allocated = allocated_from(size, self.columns.allocated.get(at));
        Some((kind, size, allocated, modified))
    }

    /// Everything that is known of an entry; `None` where a stat call failed, or there is no such entry.
    pub(crate) fn arrived_metadata(&self, arrival: u32) -> Option<Metadata> {
        let (kind, size, allocated, modified) = self.arrived(arrival)?;
        if kind.has(KindFlags::NO_METADATA) {
            return None;
        }
        let (at, columns) = (arrival as usize, &self.columns);
        let number = |column: &PackedVec| usize::try_from(column.get(at)).unwrap_or(usize::MAX);
        let owner = self.owners.values.get(number(&columns.owner)).copied()?;
        let device = *self.devices.values.get(number(&columns.device))?;
        let last = &columns.last;
        let created = kind.has(KindFlags::HAS_CREATED);
        Some(Metadata {
            kind: kind.kind(),
            id: FileId {
                device,
                inode: last.inode.get(at),
            },
            mode: type_bits(kind.kind()) | u32::try_from(last.mode.get(at)).unwrap_or(0),
            links: last.links.get(at),
            uid: owner.uid,
            gid: owner.gid,
            size,
            allocated,
            special: (0, 0),
            accessed: last.accessed.get(at),
            modified,
            changed: last.changed.get(at),
            created: created.then(|| last.created.get(at)),
        })
    }

    /// The number of the directory that an entry lies in; `None` for the top.
    pub(crate) fn arrived_parent(&self, arrival: u32) -> Option<u32> {
        let parent = *self.parents.get(arrival as usize)?;
        (parent != NO_DIR).then_some(parent)
    }

    /// The name of an entry.
    pub(crate) fn arrived_name(&self, arrival: u32) -> &[u8] {
        let name = self.name_ids.get(arrival as usize);
        name.map_or(&[], |&name| self.names.get(name))
    }

    /// The number that a directory was given; `None` for what is none.
    pub(crate) fn dir_number(&self, arrival: u32) -> Option<u32> {
        let at = self.dirs.binary_search_by_key(&arrival, |dir| dir.arrival);
        at.ok().and_then(|at| self.dirs.get(at)).map(|dir| dir.id)
    }

    /// Bytes that the entries take in memory now, spare room included.
    pub fn held_bytes(&self) -> usize {
        let plain = (self.name_ids.capacity() + self.parents.capacity()) * 4
            + self.kinds.capacity() * 2
            + self.dirs.capacity() * 8;
        plain + self.names.held() + self.columns.held()
    }

    /// Writes the segment to the start of `out`, which must be empty. `volume` is asked once for
    /// each device number. Nothing is synchronised with the disk.
    ///
    /// # Errors
    /// [`BuildError::Roots`], [`BuildError::BadDir`], [`BuildError::Orphans`] when the entries are
    /// no tree; [`BuildError::Io`]; [`BuildError::Cancelled`] soon after `cancel` was.
    pub fn seal<W: Write + Seek>(
        self,
        out: W,
        about: &About,
        volume: impl FnMut(u64) -> Volume,
        cancel: &CancelToken,
    ) -> Result<Sealed, BuildError> {
        seal::seal(self, out, about, volume, cancel)
    }
}

impl Collected {
    fn held(&self) -> usize {
        let last = &self.last;
        let times = [&self.modified, &last.accessed, &last.changed, &last.created];
        let times = times.map(|t| t.seconds.held() + t.nanoseconds.held());
        let others = [
            &self.size,
            &self.allocated,
            &last.inode,
            &last.links,
            &last.mode,
            &self.owner,
            &self.device,
        ];
        times.iter().sum::<usize>() + others.iter().map(|c| c.held()).sum::<usize>()
    }
}

impl TimeColumn {
    fn get(&self, at: usize) -> Timestamp {
        Timestamp {
            seconds: unbias(self.seconds.get(at)),
            nanoseconds: u32::try_from(self.nanoseconds.get(at)).unwrap_or(0),
        }
    }

    fn push(&mut self, time: Timestamp) {
        self.seconds.push(bias(time.seconds));
        self.nanoseconds.push(time.nanoseconds.into());
    }
}

fn kind_flags(entry: &BatchEntry<'_>) -> KindFlags {
    let created = entry.metadata.is_some_and(|m| m.created.is_some());
    KindFlags::of(entry.kind)
        .with(KindFlags::NO_METADATA, entry.metadata.is_none())
        .with(KindFlags::ACL, entry.has_acl)
        .with(KindFlags::MOUNT, entry.is_mount)
        .with(KindFlags::BROKEN, entry.is_broken)
        .with_excluded(entry.excluded)
        .with(KindFlags::HAS_CREATED, created)
}

fn check_name(entry: &BatchEntry<'_>) -> Result<(), BuildError> {
    let bad = match entry.parent {
        Some(_) => entry.name.is_empty() || entry.name.iter().any(|&b| b == 0 || b == b'/'),
        None => !entry.name.is_empty(),
    };
    if bad {
        return Err(BuildError::BadName(entry.name.to_vec()));
    }
    Ok(())
}

fn check_numbers(entry: &BatchEntry<'_>) -> Result<(), BuildError> {
    if let Some(DirId(id)) = entry.dir
        && (entry.kind != Kind::Dir || id == NO_DIR)
    {
        return Err(BuildError::BadDir(id));
    }
    match entry.parent {
        Some(DirId(NO_DIR)) => Err(BuildError::BadDir(NO_DIR)),
        _ => Ok(()),
    }
}

fn check_times(metadata: &Metadata) -> Result<(), BuildError> {
    let times = [metadata.modified, metadata.accessed, metadata.changed];
    let times = times.into_iter().chain(metadata.created);
    let nanoseconds = |time: Timestamp| time.nanoseconds;
    match times.map(nanoseconds).find(|&n| n >= 1_000_000_000) {
        Some(bad) => Err(BuildError::BadTime(bad)),
        None => Ok(()),
    }
}
