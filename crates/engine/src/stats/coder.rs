//! From an entry to the number of its bucket, within one root.
//!
//! A code is 0 where the entry has no bucket. Codes of what has a dictionary in the segment are
//! numbers of that dictionary; what the dictionary does not know has codes above all of these.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use groma_base::time::Calendar;
use groma_base::{Facts, Kind, Timestamp, extension, folded, parent, stem};
use groma_catalog::{Damage, KindFlags, Owner, SectionId, StoredEntry, View};
use groma_query::bound::{NumberField, TimeField};
use groma_query::groups::Categories;
use groma_query::select::Run;

use super::bulk::Bulk;
use super::error::ScanError;
use super::field::{Grouping, KINDS};
use super::flags::FlagSets;
use super::key::Key;
use super::ranges::Axis;

/// Numbers without classes mostly lie below this.
const FEW: u64 = 4096;

/// Gives codes for one root and one grouping.
#[derive(Debug)]
pub(super) struct Coder<'v> {
    pub(super) view: &'v View,
    pub(super) grouping: &'v Grouping,
    root: Option<u32>,
    /// Whether there are other roots, too.
    has_others: bool,
    /// The category of each extension, plus one.
    categories: Vec<u64>,
    /// The numbers of the periods with the first codes; others have codes behind theirs.
    periods: (i64, i64),
    limit: Option<u64>,
    /// The different users or groups, ascending, and which of them each owner is.
    owners: Vec<u32>,
    owner_codes: Vec<u64>,
    flags: FlagSets,
    foreign: BTreeMap<u32, u64>,
    /// Codes from this one on stand for keys of their own.
    foreign_base: u64,
    foreign_keys: Vec<Key>,
}

impl<'v> Coder<'v> {
    /// For the entries of a view; `selected` tells which will be asked for, `has_others` whether the
    /// view is of one of several roots.
    pub(super) fn new(
        view: &'v View,
        grouping: &'v Grouping,
        has_others: bool,
        run: &Run,
        selected: impl Fn(u32) -> bool,
    ) -> Result<Coder<'v>, ScanError> {
        let mut coder = Coder {
            view,
            grouping,
            root: view.at_place(0),
            has_others,
            categories: Vec::new(),
            periods: (0, -1),
            limit: None,
            owners: Vec::new(),
            owner_codes: Vec::new(),
            flags: FlagSets::default(),
            foreign: BTreeMap::new(),
            foreign_base: 0,
            foreign_keys: Vec::new(),
        };
        match grouping {
            Grouping::Category(known) => coder.categories = categories(view, known)?,
            Grouping::Owner => coder.read_owners(|owner| owner.uid)?,
            Grouping::Group => coder.read_owners(|owner| owner.gid)?,
            Grouping::Flag(flag) => coder.flags = FlagSets::of(*flag, view, run)?,
            Grouping::Flags => coder.flags = FlagSets::of_all(view, run)?,
            _ => {}
        }
        coder.limit = coder.find_limit()?;
        if matches!(
            grouping,
            Grouping::Extension
                | Grouping::Category(_)
                | Grouping::Name
                | Grouping::Stem
                | Grouping::Volume
                | Grouping::Parent
                | Grouping::Owner
                | Grouping::Group
        ) {
            coder.foreign_base = coder.limit.unwrap_or(0);
            coder.number_foreigners(selected)?;
            let more = coder.foreign_keys.len() as u64;
            coder.limit = coder.limit.map(|limit| limit + more);
        }
        Ok(coder)
    }

    /// Most codes are below this, where that is known.
    pub(super) fn limit(&self) -> Option<u64> {
        self.limit
    }

    fn find_limit(&mut self) -> Result<Option<u64>, Damage> {
        let after = |largest: u64| Some(largest + 2);
        Ok(match self.grouping {
            Grouping::Extension => after(self.view.segment().extensions()?.len() as u64),
            Grouping::Category(categories) => after(categories.other() as u64),
            Grouping::Type => after(KINDS.len() as u64),
            Grouping::Root => after(1),
            Grouping::Name | Grouping::Stem => after(self.view.segment().names()?.len().into()),
            Grouping::Volume => after(self.view.segment().volume_count() as u64),
            Grouping::Parent | Grouping::Dir(_) => after(self.view.ids().into()),
            Grouping::Mode => after(0o7777),
            Grouping::Number(_, _, classes) => Some(classes.count().unwrap_or(FEW) + 2),
            Grouping::Age(ages) => after(ages.count()),
            Grouping::Bulkiness(bulk) => after(bulk.count()),
            Grouping::Flag(_) | Grouping::Flags => Some(self.flags.limit()),
            Grouping::Ranges(ranges) => after(ranges.axis().count()),
            Grouping::Owner | Grouping::Group => after(self.owners.len() as u64),
            Grouping::Time(_, _, calendar) => {
                self.periods = calendar.prepared_for().unwrap_or((0, -1));
                Some(self.period_codes() + 1)
            }
        })
    }

    /// Codes for what columns do not tell: the root, whose name is that of its path; rows that are
    /// shown under another name; and what is not in the segment.
    fn number_foreigners(&mut self, selected: impl Fn(u32) -> bool) -> Result<(), Damage> {
        let mut ids: Vec<u32> = self.root.into_iter().collect();
        for id in self.view.relocated().iter().flat_map(Clone::clone) {
            if self.is_renamed(id)? {
                ids.push(id);
            }
        }
        ids.extend(self.view.delta_ids());
        ids.retain(|&id| selected(id));
        for id in ids {
            if self.view.place(id).is_none() {
                continue;
            }
            let code = match self.foreign_key(id)? {
                Some(key) => {
                    self.foreign_keys.push(key);
                    self.foreign_base + (self.foreign_keys.len() as u64 - 1)
                }
                None => 0,
            };
            self.foreign.insert(id, code);
        }
        Ok(())
    }

    /// Whether a row is shown under another name than it has in the segment.
    fn is_renamed(&self, row: u32) -> Result<bool, Damage> {
        let (segment, mut shown) = (self.view.segment(), Vec::new());
        if self.view.place(row).is_none() {
            return Ok(false);
        }
        self.view.append_name(row, &mut shown)?;
        Ok(segment.names()?.raw(segment.name(row)?)? != shown)
    }

    fn foreign_key(&self, id: u32) -> Result<Option<Key>, Damage> {
        let entry = StoredEntry::new(self.view, id)?;
        let name = entry.name();
        let metadata = entry.metadata();
        Ok(match self.grouping {
            Grouping::Extension => extension(name).map(|name| Key::Bytes(folded(name))),
            Grouping::Category(known) => (entry.kind() == Kind::File).then(|| {
                let number = known.of(extension(name).unwrap_or_default());
                Key::Number(number as u64)
            }),
            Grouping::Name => Some(Key::Bytes(name.to_vec())),
            Grouping::Stem => Some(Key::Bytes(stem(name).to_vec())),
            Grouping::Volume => entry.volume().map(|words| Key::Bytes(words.to_vec())),
            Grouping::Owner => metadata.map(|metadata| Key::Number(metadata.uid.into())),
            Grouping::Group => metadata.map(|metadata| Key::Number(metadata.gid.into())),
            _ => Some(Key::Bytes(parent(&entry.absolute_path()).to_vec())),
        })
    }

    fn read_owners(&mut self, id: impl Fn(Owner) -> u32) -> Result<(), Damage> {
        let segment = self.view.segment();
        let all = (0..segment.owner_count()).map(|number| segment.owner(number).map(&id));
        let all: Vec<u32> = all.collect::<Result<_, _>>()?;
        self.owners.clone_from(&all);
        self.owners.sort_unstable();
        self.owners.dedup();
        let code = |id: &u32| self.owners.binary_search(id).map_or(0, |at| at as u64 + 1);
        self.owner_codes = all.iter().map(code).collect();
        Ok(())
    }

    /// The code of a line of the segment's owners.
    #[inline]
    pub(super) fn owner_code(&self, owner: u64) -> u64 {
        let at = usize::try_from(owner).unwrap_or(usize::MAX);
        self.owner_codes.get(at).copied().unwrap_or(0)
    }

    /// The code of the category of an extension.
    #[inline]
    pub(super) fn category_of(&self, extension: u64) -> u64 {
        let at = usize::try_from(extension).unwrap_or(usize::MAX);
        self.categories.get(at).copied().unwrap_or(0)
    }

    /// The code of the flags of an entry.
    #[inline]
    pub(super) fn flags_code(&self, id: u32) -> u64 {
        self.flags.code(id)
    }

    /// Whether all entries of a directory have the same code.
    pub(super) fn is_of_directory(&self) -> bool {
        let depth = matches!(self.grouping, Grouping::Number(NumberField::Depth, ..));
        depth || matches!(self.grouping, Grouping::Dir(_) | Grouping::Parent)
    }

    /// Whether there are entries that columns do not tell the codes of.
    pub(super) fn has_foreigners(&self) -> bool {
        !self.foreign.is_empty()
    }

    /// Whether several codes may stand for one key.
    pub(super) fn may_share_keys(&self) -> bool {
        let has_more_codes = matches!(self.grouping, Grouping::Stem | Grouping::Volume);
        has_more_codes || !self.foreign_keys.is_empty()
    }

    /// Those entries, in a range.
    pub(super) fn foreigners(&self, ids: RangeInclusive<u32>) -> impl Iterator<Item = u32> + '_ {
        self.foreign.range(ids).map(|(&id, _)| id)
    }

    /// The code of an entry.
    pub(super) fn code(&self, id: u32) -> Result<u64, Damage> {
        if let Some(&code) = self.foreign.get(&id) {
            return Ok(code);
        }
        let view = self.view;
        let stored = |flags: KindFlags| !flags.has(KindFlags::NO_METADATA);
        Ok(match self.grouping {
            Grouping::Extension => view.segment().extensions()?.of_row(id)?.into(),
            Grouping::Category(_) => self.category(id)?,
            Grouping::Type => kind_code(view.kind(id)?.kind()),
            Grouping::Root => 1,
            Grouping::Name | Grouping::Stem => u64::from(view.segment().name(id)?) + 1,
            Grouping::Volume => {
                let volume = view.segment().packed_column(SectionId::Volume)?;
                match stored(view.kind(id)?) {
                    true => volume.get(id as usize)?.saturating_add(1),
                    false => 0,
                }
            }
            Grouping::Parent => view.parent(id)?.map_or(0, |dir| u64::from(dir) + 1),
            Grouping::Dir(levels) => self.dir(id, *levels)?.map_or(0, |dir| u64::from(dir) + 1),
            Grouping::Owner | Grouping::Group => {
                let owner = view.segment().packed_column(SectionId::Owner)?;
                match stored(view.kind(id)?) {
                    true => self.owner_code(owner.get(id as usize)?),
                    false => 0,
                }
            }
            Grouping::Mode => view
                .metadata(id)?
                .map_or(0, |m| u64::from(m.mode & 0o7777) + 1),
            Grouping::Number(field, _, classes) => {
                let number = self.number(*field, id)?;
                number.map_or(0, |number| classes.of(number) + 1)
            }
            Grouping::Time(field, _, calendar) => match self.time(*field, id)? {
                Some(at) => self.period_code(calendar, at.seconds),
                None => 0,
            },
            Grouping::Age(ages) => match stored(view.kind(id)?) {
                true => ages.of(view.modified(id)?.seconds) + 1,
                false => 0,
            },
            Grouping::Bulkiness(bulk) => match stored(view.kind(id)?) {
                true => bulk_code(*bulk, view.size(id)?, view.allocated(id)?),
                false => 0,
            },
            Grouping::Flag(_) | Grouping::Flags => self.flags.code(id),
            Grouping::Ranges(ranges) => self.piece(ranges.axis(), id)?,
        })
    }

    fn piece(&self, axis: &Axis, id: u32) -> Result<u64, Damage> {
        Ok(match axis {
            Axis::Numbers(field, _) => {
                let number = self.number(*field, id)?;
                number.map_or(0, |number| axis.of_number(number) + 1)
            }
            Axis::Times(field, _) => {
                let at = self.time(*field, id)?;
                at.map_or(0, |at| axis.of_time(at) + 1)
            }
        })
    }

    /// How many periods have the first codes.
    fn period_codes(&self) -> u64 {
        let (first, last) = self.periods;
        u64::try_from(last - first + 1).unwrap_or(0)
    }

    /// The code of the period of an instant.
    #[inline]
    pub(super) fn period_code(&self, calendar: &Calendar, seconds: i64) -> u64 {
        match calendar.place_of(seconds) {
            Some(place) => place as u64 + 1,
            None => self.period_code_behind(calendar, calendar.number_of(seconds)),
        }
    }

    #[cold]
    fn period_code_behind(&self, calendar: &Calendar, period: i64) -> u64 {
        self.period_codes() + 1 + period.abs_diff(calendar.first())
    }

    fn period_of(&self, calendar: &Calendar, code: u64) -> i64 {
        let period = match code.checked_sub(self.period_codes() + 1) {
            Some(behind) => calendar.first().checked_add_unsigned(behind),
            None => self.periods.0.checked_add_unsigned(code - 1),
        };
        period.unwrap_or(i64::MAX)
    }

    fn category(&self, id: u32) -> Result<u64, Damage> {
        if self.view.kind(id)?.kind() != Kind::File {
            return Ok(0);
        }
        let number = self.view.segment().extensions()?.of_row(id)?;
        Ok(self.category_of(number.into()))
    }

    fn number(&self, field: NumberField, id: u32) -> Result<Option<u64>, Damage> {
        let view = self.view;
        let is_stored = || Ok(!view.kind(id)?.has(KindFlags::NO_METADATA));
        match field {
            NumberField::Size => is_stored()?.then(|| view.size(id)).transpose(),
            NumberField::Allocated => is_stored()?.then(|| view.allocated(id)).transpose(),
            NumberField::Depth => view.depth(id).map(|depth| Some(depth.into())),
            field => {
                let entry = StoredEntry::new(view, id)?;
                let number = field.value(&entry);
                entry.damage().map_or(Ok(number), Err)
            }
        }
    }

    fn time(&self, field: TimeField, id: u32) -> Result<Option<Timestamp>, Damage> {
        if field == TimeField::Modified {
            let is_stored = !self.view.kind(id)?.has(KindFlags::NO_METADATA);
            return is_stored.then(|| self.view.modified(id)).transpose();
        }
        Ok(self
            .view
            .metadata(id)?
            .and_then(|metadata| field.value(&metadata)))
    }

    /// The innermost directory that an entry lies in and that is at most so deep.
    fn dir(&self, id: u32, levels: u32) -> Result<Option<u32>, Damage> {
        let mut way = Vec::new();
        let mut at = id;
        while let Some(dir) = self.view.parent(at)? {
            way.push(dir);
            at = dir;
        }
        // The last one is the root, of depth 0.
        let depth = way
            .len()
            .checked_sub(1)
            .map(|deepest| deepest.min(levels as usize));
        Ok(depth
            .and_then(|depth| way.get(way.len() - 1 - depth))
            .copied())
    }

    /// The key that a code stands for; `None` for 0.
    pub(super) fn key(&self, code: u64) -> Result<Option<Key>, Damage> {
        let Some(number) = code.checked_sub(1) else {
            return Ok(None);
        };
        let path = |id: u64| {
            let mut path = Vec::new();
            let id = u32::try_from(id).unwrap_or(u32::MAX);
            self.view.append_path(id, &mut path).map(|()| path)
        };
        Ok(Some(match self.grouping {
            _ if self.has_foreigners() && code >= self.foreign_base => {
                let at = usize::try_from(code - self.foreign_base).unwrap_or(usize::MAX);
                return Ok(self.foreign_keys.get(at).cloned());
            }
            Grouping::Extension => {
                let extensions = self.view.segment().extensions()?;
                let number = u32::try_from(code).unwrap_or(u32::MAX);
                Key::Bytes(extensions.get(number)?.to_vec())
            }
            Grouping::Name => {
                let number = u32::try_from(number).unwrap_or(u32::MAX);
                Key::Bytes(self.view.segment().names()?.raw(number)?)
            }
            Grouping::Stem => {
                let number = u32::try_from(number).unwrap_or(u32::MAX);
                Key::Bytes(stem(&self.view.segment().names()?.raw(number)?).to_vec())
            }
            Grouping::Volume => {
                let number = usize::try_from(number).unwrap_or(usize::MAX);
                Key::Bytes(self.view.segment().volume(number)?.words().into_bytes())
            }
            Grouping::Root => Key::Bytes(self.view.root().to_vec()),
            Grouping::Owner | Grouping::Group => {
                let at = usize::try_from(number).unwrap_or(usize::MAX);
                Key::Number(self.owners.get(at).copied().unwrap_or(0).into())
            }
            Grouping::Parent => Key::Bytes(path(number)?),
            Grouping::Dir(levels) => {
                let dir = self.dir_key(path(number)?, number, *levels)?;
                match self.has_others {
                    true => Key::Below(dir, self.view.root().to_vec()),
                    false => Key::Bytes(dir),
                }
            }
            Grouping::Time(_, _, calendar) => Key::Period(self.period_of(calendar, code)),
            Grouping::Flags => Key::Number(self.flags.numbers(code)),
            // Nothing is both yes and no.
            Grouping::Flag(_) => Key::Number(self.flags.numbers(code) >> 1),
            _ => Key::Number(number),
        }))
    }

    /// A directory of the full depth stands for all below it; one that is not so deep, for what
    /// lies directly in it: a slash at its end tells that.
    fn dir_key(&self, mut path: Vec<u8>, id: u64, levels: u32) -> Result<Vec<u8>, Damage> {
        let depth = self.view.depth(u32::try_from(id).unwrap_or(u32::MAX))?;
        if depth < levels && !path.ends_with(b"/") {
            path.push(b'/');
        }
        Ok(path)
    }
}

/// The code of a class of bulkiness.
#[inline]
pub(super) fn bulk_code(bulk: Bulk, size: u64, allocated: u64) -> u64 {
    bulk.of(size, allocated).map_or(0, |class| class + 1)
}

pub(super) fn kind_code(kind: Kind) -> u64 {
    let at = KINDS.iter().position(|&known| known == kind);
    at.map_or(0, |at| at as u64 + 1)
}

fn categories(view: &View, known: &Categories) -> Result<Vec<u64>, Damage> {
    let extensions = view.segment().extensions()?;
    let count = u32::try_from(extensions.len()).unwrap_or(u32::MAX);
    let category = |number| Ok(known.of(extensions.get(number)?) as u64 + 1);
    (0..count).map(category).collect()
}
