//! Some rows of one root with the columns that a listing wants.

use std::ops::Range;

use groma_base::{FileId, Kind, Metadata, Timestamp};
use groma_catalog::{Damage, DirTotals, KindFlags, NumberOf, Owner, StoredEntry, TimeOf};
use groma_formats::csv_writer::Window;
use groma_query::bound::{Expr, Test};
use groma_query::flags::{FLAGS, Flag};

use super::owners::{Names, Owners};
use super::reader::RootReader;
use super::wants::Wants;

/// So few rows are read one by one: what reads many has to be made first.
const FEW: usize = 64;
/// Rows that are read for each that is shown, at most: those between are read with them.
const MOST_READ: usize = 4;

/// Columns of some rows. Used again and again, so that a listing allocates little.
#[derive(Debug, Default)]
pub(crate) struct Block {
    pub(crate) ids: Vec<u32>,
    /// Which of them are to be shown.
    pub(crate) shown: Vec<usize>,
    pub(crate) parents: Vec<u32>,
    pub(crate) kinds: Vec<KindFlags>,
    names: Vec<u8>,
    name_ends: Vec<usize>,
    pub(crate) sizes: Vec<u64>,
    pub(crate) allocated: Vec<u64>,
    pub(crate) modified: Vec<Timestamp>,
    pub(crate) accessed: Vec<Timestamp>,
    pub(crate) changed: Vec<Timestamp>,
    pub(crate) created: Vec<Timestamp>,
    pub(crate) inodes: Vec<u64>,
    pub(crate) links: Vec<u64>,
    pub(crate) modes: Vec<u64>,
    /// Numbers under which the worker knows the owners.
    pub(crate) owners: Vec<u32>,
    pub(crate) devices: Vec<u64>,
    pub(crate) totals: Vec<Option<DirTotals>>,
    /// Files and directories directly in a directory.
    pub(crate) counts: Vec<Option<(u64, u64)>>,
    /// For each row and each flag, in the order of the flags' table.
    flags: Vec<Option<bool>>,
    words: Vec<&'static str>,
    word_ends: Vec<usize>,
    volumes: Vec<u8>,
    volume_ends: Vec<usize>,
    numbers: Vec<u64>,
    name_numbers: Vec<u32>,
}

/// Who the owners are: what a worker knows, and what all of them do.
pub(crate) struct Lookup<'a> {
    pub(crate) owners: &'a mut Owners,
    pub(crate) names: &'a Names,
}

impl Block {
    /// Reads the columns of some rows, and of those between them where that is faster.
    pub(crate) fn load(
        &mut self,
        reader: &RootReader<'_>,
        wanted: impl ExactSizeIterator<Item = u32>,
        wants: Wants,
        lookup: &mut Lookup<'_>,
    ) -> Result<(), Damage> {
        self.clear();
        self.ids.extend(wanted);
        // What is asked of each entry by itself is not to be asked in vain.
        let most = match wants.has_any(Wants::ASKED) {
            true => 1,
            false => MOST_READ,
        };
        match self.stretch(most) {
            Some(rows) if reader.is_plain(&rows) => {
                let first = rows.start;
                let place = |id: &u32| (id - first) as usize;
                self.shown.extend(self.ids.iter().map(place));
                self.ids.clear();
                self.ids.extend(rows.clone());
                self.load_stretch(reader, rows, wants, lookup)?;
            }
            _ => {
                self.shown.extend(0..self.ids.len());
                self.load_each(reader, wants, lookup)?;
            }
        }
        if wants.has_any(Wants::ASKED) {
            self.load_asked(reader, wants)?;
        }
        Ok(())
    }

    /// The rows from the first to the last one, where they ascend and are many and near enough.
    fn stretch(&self, most: usize) -> Option<Range<u32>> {
        let (first, last) = (*self.ids.first()?, *self.ids.last()?);
        let span = last.checked_sub(first)? as usize + 1;
        let count = self.ids.len();
        let ascend = || self.ids.is_sorted_by(|a, b| a < b);
        (count >= FEW && span <= count * most && ascend()).then(|| first..last + 1)
    }

    fn clear(&mut self) {
        let Block {
            ids,
            shown,
            numbers: _,
            name_numbers,
            parents,
            kinds,
            names,
            name_ends,
            sizes,
            allocated,
            modified,
            accessed,
            changed,
            created,
            inodes,
            links,
            modes,
            owners,
            devices,
            totals,
            counts,
            flags,
            words,
            word_ends,
            volumes,
            volume_ends,
        } = self;
        for column in [ids, parents, owners, name_numbers] {
            column.clear();
        }
        for column in [sizes, allocated, inodes, links, modes, devices] {
            column.clear();
        }
        for column in [modified, accessed, changed, created] {
            column.clear();
        }
        for ends in [name_ends, word_ends, volume_ends] {
            ends.clear();
        }
        shown.clear();
        kinds.clear();
        names.clear();
        volumes.clear();
        totals.clear();
        counts.clear();
        flags.clear();
        words.clear();
    }

    fn load_stretch(
        &mut self,
        reader: &RootReader<'_>,
        rows: Range<u32>,
        wants: Wants,
        lookup: &mut Lookup<'_>,
    ) -> Result<(), Damage> {
        let stretch = reader.view.segment().stretch(rows)?;
        stretch.kinds(&mut self.kinds)?;
        if wants.has(Wants::PATH) {
            stretch.parents(&mut self.parents)?;
        }
        if wants.has(Wants::NAME) {
            stretch.names(&mut self.name_numbers)?;
            self.load_names(reader)?;
        }
        if wants.has(Wants::SIZE) {
            stretch.sizes(&mut self.sizes)?;
        }
        if wants.has(Wants::ALLOCATED) {
            stretch.allocated(&mut self.allocated)?;
        }
        for (want, of, column) in [
            (Wants::MODIFIED, TimeOf::Content, &mut self.modified),
            (Wants::ACCESSED, TimeOf::Access, &mut self.accessed),
            (Wants::CHANGED, TimeOf::Node, &mut self.changed),
            (Wants::CREATED, TimeOf::Birth, &mut self.created),
        ] {
            if wants.has(want) {
                stretch.times(of, column)?;
            }
        }
        for (want, of, column) in [
            (Wants::INODE, NumberOf::Inode, &mut self.inodes),
            (Wants::LINKS, NumberOf::Links, &mut self.links),
            (Wants::MODE, NumberOf::Mode, &mut self.modes),
        ] {
            if wants.has(want) {
                stretch.numbers(of, column)?;
            }
        }
        if wants.has(Wants::OWNER) {
            self.numbers.clear();
            stretch.numbers(NumberOf::Owner, &mut self.numbers)?;
            self.load_owners(reader, lookup)?;
        }
        if wants.has(Wants::VOLUME) {
            self.numbers.clear();
            stretch.numbers(NumberOf::Volume, &mut self.numbers)?;
            self.load_devices(reader)?;
        }
        Ok(())
    }

    /// From numbers of names to names; the root's own is empty in the dictionary.
    fn load_names(&mut self, reader: &RootReader<'_>) -> Result<(), Damage> {
        let (names, ends) = (&mut self.names, &mut self.name_ends);
        let mut numbers = &self.name_numbers[..];
        // The root is the first row, and may be anywhere when rows are sorted.
        if let Some(root) = self.ids.iter().position(|&id| id == 0) {
            let before = &numbers[..root.min(numbers.len())];
            reader.names()?.append_all(before, names, ends)?;
            reader.append_name(0, names)?;
            ends.push(names.len());
            numbers = numbers.get(root + 1..).unwrap_or_default();
        }
        reader.names()?.append_all(numbers, names, ends)
    }

    /// Rows have few owners, and most have that of the row before.
    fn load_owners(
        &mut self,
        reader: &RootReader<'_>,
        lookup: &mut Lookup<'_>,
    ) -> Result<(), Damage> {
        let mut last = None;
        for (&number, kind) in self.numbers.iter().zip(&self.kinds) {
            let known = match last {
                Some((before, known)) if before == number => known,
                _ if kind.has(KindFlags::NO_METADATA) => 0,
                _ => {
                    let owner = reader.view.segment().owner(number as usize)?;
                    lookup.owners.number(owner, lookup.names)
                }
            };
            if !kind.has(KindFlags::NO_METADATA) {
                last = Some((number, known));
            }
            self.owners.push(known);
        }
        Ok(())
    }

    fn load_devices(&mut self, reader: &RootReader<'_>) -> Result<(), Damage> {
        for (&number, kind) in self.numbers.iter().zip(&self.kinds) {
            let device = match kind.has(KindFlags::NO_METADATA) {
                true => 0,
                false => reader.view.segment().volume(number as usize)?.device,
            };
            self.devices.push(device);
        }
        Ok(())
    }

    fn load_each(
        &mut self,
        reader: &RootReader<'_>,
        wants: Wants,
        lookup: &mut Lookup<'_>,
    ) -> Result<(), Damage> {
        let view = reader.view;
        let few = Wants::SIZE.and(Wants::ALLOCATED).and(Wants::MODIFIED);
        let all = Wants::METADATA.and(Wants::VOLUME);
        let needs_all = wants.has_any(all) && !few.has(wants.only(all));
        if wants.has(Wants::NAME) && reader.is_sealed && self.ids.len() >= FEW {
            for &id in &self.ids {
                self.name_numbers.push(view.segment().name(id)?);
            }
            self.load_names(reader)?;
        }
        for at in 0..self.ids.len() {
            let id = self.ids[at];
            self.kinds.push(view.kind(id)?);
            if wants.has(Wants::PATH) {
                self.parents.push(view.parent(id)?.unwrap_or(id));
            }
            if wants.has(Wants::NAME) && self.name_numbers.is_empty() {
                reader.append_name(id, &mut self.names)?;
                self.name_ends.push(self.names.len());
            }
            if needs_all {
                self.push_metadata(view.metadata(id)?, lookup);
                continue;
            }
            if wants.has(Wants::SIZE) {
                self.sizes.push(view.size(id)?);
            }
            if wants.has(Wants::ALLOCATED) {
                self.allocated.push(view.allocated(id)?);
            }
            if wants.has(Wants::MODIFIED) {
                self.modified.push(view.modified(id)?);
            }
        }
        Ok(())
    }

    fn push_metadata(&mut self, metadata: Option<Metadata>, lookup: &mut Lookup<'_>) {
        let known = metadata.is_some();
        let metadata = metadata.unwrap_or(NOTHING);
        self.sizes.push(metadata.size);
        self.allocated.push(metadata.allocated);
        self.modified.push(metadata.modified);
        self.accessed.push(metadata.accessed);
        self.changed.push(metadata.changed);
        self.created.push(metadata.created.unwrap_or_default());
        self.inodes.push(metadata.id.inode);
        self.devices.push(metadata.id.device);
        self.links.push(metadata.links);
        self.modes.push(u64::from(metadata.mode & 0o7777));
        let owner = Owner {
            uid: metadata.uid,
            gid: metadata.gid,
        };
        self.owners.push(match known {
            true => lookup.owners.number(owner, lookup.names),
            false => 0,
        });
    }

    /// What is asked of each entry by itself.
    fn load_asked(&mut self, reader: &RootReader<'_>, wants: Wants) -> Result<(), Damage> {
        let tests: Vec<Expr> = FLAGS
            .iter()
            .map(|row| Expr::Test(Test::Flag(row.flag)))
            .collect();
        for at in 0..self.ids.len() {
            let id = self.ids[at];
            if wants.has(Wants::TOTALS) {
                self.totals.push(reader.view.totals(id)?);
            }
            if wants.has(Wants::VOLUME_NAME) {
                let volume = reader.view.volume(id)?;
                let words = volume.map_or_else(String::new, |volume| volume.words());
                self.volumes.extend_from_slice(words.as_bytes());
                self.volume_ends.push(self.volumes.len());
            }
            if !wants.has_any(Wants::COUNTS.and(Wants::FLAGS)) {
                continue;
            }
            let entry = StoredEntry::new(reader.view, id)?;
            if wants.has(Wants::COUNTS) {
                use groma_base::Facts;
                let counts = entry.child_counts();
                self.counts.push(counts.map(|c| (c.files, c.dirs)));
            }
            if wants.has(Wants::FLAGS) {
                self.push_flags(&tests, &entry);
            }
            if let Some(damage) = entry.damage() {
                return Err(damage);
            }
        }
        Ok(())
    }

    fn push_flags(&mut self, tests: &[Expr], entry: &StoredEntry<'_>) {
        for (test, row) in tests.iter().zip(FLAGS) {
            let answer = test.evaluate(entry);
            self.flags.push(answer);
            if answer == Some(true) {
                self.words.push(row.name);
            }
        }
        self.word_ends.push(self.words.len());
    }

    /// The name of a row.
    #[inline]
    pub(crate) fn name(&self, at: usize) -> &[u8] {
        let start = at.checked_sub(1).map_or(0, |before| self.name_ends[before]);
        &self.names[start..self.name_ends[at]]
    }

    /// The name of a row, and what follows it in the buffer.
    #[inline]
    pub(crate) fn name_window(&self, at: usize) -> Window<'_> {
        let start = at.checked_sub(1).map_or(0, |before| self.name_ends[before]);
        Window::new(&self.names[start..], self.name_ends[at] - start)
    }

    /// The names of all rows, one after the other.
    pub(crate) fn all_names(&self) -> &[u8] {
        &self.names
    }

    /// The file system of a row, as queries know it; empty where it is not known.
    pub(crate) fn volume(&self, at: usize) -> &[u8] {
        let start = at
            .checked_sub(1)
            .map_or(0, |before| self.volume_ends[before]);
        &self.volumes[start..self.volume_ends[at]]
    }

    /// The flags that are set.
    pub(crate) fn words(&self, at: usize) -> &[&'static str] {
        let start = at.checked_sub(1).map_or(0, |before| self.word_ends[before]);
        &self.words[start..self.word_ends[at]]
    }

    /// Whether a flag is set; `None` where that is not known.
    pub(crate) fn flag(&self, at: usize, flag: Flag) -> Option<bool> {
        let number = FLAGS.iter().position(|row| row.flag == flag)?;
        *self.flags.get(at * FLAGS.len() + number)?
    }

    /// Whether a stat call had told the metadata.
    #[inline]
    pub(crate) fn is_known(&self, at: usize) -> bool {
        !self.kinds[at].has(KindFlags::NO_METADATA)
    }

    pub(crate) fn created(&self, at: usize) -> Option<Timestamp> {
        let known = self.is_known(at) && self.kinds[at].has(KindFlags::HAS_CREATED);
        known.then(|| self.created[at])
    }

    /// All metadata of a row, where all of it was wanted.
    pub(crate) fn metadata(&self, at: usize, owner: Owner) -> Option<Metadata> {
        self.is_known(at).then(|| Metadata {
            kind: self.kinds[at].kind(),
            id: FileId {
                device: self.devices[at],
                inode: self.inodes[at],
            },
            mode: self.modes[at] as u32,
            links: self.links[at],
            uid: owner.uid,
            gid: owner.gid,
            size: self.sizes[at],
            allocated: self.allocated[at],
            special: (0, 0),
            accessed: self.accessed[at],
            modified: self.modified[at],
            changed: self.changed[at],
            created: self.created(at),
        })
    }
}

/// Stands in a column for what is not known; the row's flags say so.
const NOTHING: Metadata = Metadata {
    kind: Kind::Unknown,
    id: FileId {
        device: 0,
        inode: 0,
    },
    mode: 0,
    links: 0,
    uid: 0,
    gid: 0,
    size: 0,
    allocated: 0,
    special: (0, 0),
    accessed: EPOCH,
    modified: EPOCH,
    changed: EPOCH,
    created: None,
};

const EPOCH: Timestamp = Timestamp {
    seconds: 0,
    nanoseconds: 0,
};
