//! From an entry to the number of its bucket, within one root.
//!
//! A code is 0 where the entry has no bucket. Codes of what has a dictionary in the segment are
//! numbers of that dictionary; what the dictionary does not know has a code with the highest bit.

use std::collections::HashMap;

use groma_base::{Facts, Kind, Timestamp, extension, folded, parent};
use groma_catalog::{Damage, KindFlags, StoredEntry, View};
use groma_query::bound::{NumberField, TimeField};

use super::field::{Grouping, KINDS, category_number};
use super::key::Key;
use super::ranges::Axis;

/// The bit of codes that stand for a key of their own.
const FOREIGN: u64 = 1 << 63;

/// Gives codes for one root and one grouping.
#[derive(Debug)]
pub(super) struct Coder<'v> {
    view: &'v View,
    grouping: &'v Grouping,
    root: Option<u32>,
    /// The category of each extension, plus one.
    categories: Vec<u8>,
    /// What is subtracted from the numbers of periods so that the first has the code 1.
    base: i64,
    limit: Option<u64>,
    foreign: HashMap<u32, u64>,
    foreign_keys: Vec<Key>,
}

impl<'v> Coder<'v> {
    /// For the entries of a view; `selected` tells which will be asked for.
    pub(super) fn new(
        view: &'v View,
        grouping: &'v Grouping,
        selected: impl Fn(u32) -> bool,
    ) -> Result<Coder<'v>, Damage> {
        let mut coder = Coder {
            view,
            grouping,
            root: view.at_place(0),
            categories: Vec::new(),
            base: 0,
            limit: None,
            foreign: HashMap::new(),
            foreign_keys: Vec::new(),
        };
        if matches!(grouping, Grouping::Category) {
            coder.categories = categories(view)?;
        }
        coder.limit = coder.find_limit()?;
        if matches!(
            grouping,
            Grouping::Extension | Grouping::Name | Grouping::Parent
        ) {
            coder.number_foreigners(selected)?;
        }
        Ok(coder)
    }

    /// Every code but those of foreign keys is below this, where that is known and not much.
    pub(super) fn limit(&self) -> Option<u64> {
        self.limit
    }

    fn find_limit(&mut self) -> Result<Option<u64>, Damage> {
        let after = |largest: u64| Some(largest + 2);
        Ok(match self.grouping {
            Grouping::Extension => after(self.view.segment().extensions()?.len() as u64),
            Grouping::Category => after(groma_query::groups::GROUPS.len() as u64),
            Grouping::Type => after(KINDS.len() as u64),
            Grouping::Root => after(1),
            Grouping::Name => after(self.view.segment().names()?.len().into()),
            Grouping::Parent | Grouping::Dir(_) => after(self.view.ids().into()),
            Grouping::Mode => after(0o7777),
            Grouping::Number(_, _, classes) => classes.count().map(|count| count + 2),
            Grouping::Age(ages) => after(ages.count()),
            Grouping::Flag(..) => after(1),
            Grouping::Ranges(ranges) => after(ranges.axis().count()),
            Grouping::Owner | Grouping::Group => None,
            Grouping::Time(_, _, calendar) => {
                self.base = calendar.first() - 1;
                None
            }
        })
    }

    /// Codes for the root, whose name is that of its path, and for what is in no dictionary.
    fn number_foreigners(&mut self, selected: impl Fn(u32) -> bool) -> Result<(), Damage> {
        let rows = self.view.segment().rows();
        let changed = (rows..self.view.ids()).filter(|&id| self.view.place(id).is_some());
        let ids = self
            .root
            .filter(|&root| root < rows)
            .into_iter()
            .chain(changed);
        let ids: Vec<u32> = ids.filter(|&id| selected(id)).collect();
        for id in ids {
            let code = match self.foreign_key(id)? {
                Some(key) => {
                    self.foreign_keys.push(key);
                    FOREIGN | (self.foreign_keys.len() as u64 - 1)
                }
                None => 0,
            };
            self.foreign.insert(id, code);
        }
        Ok(())
    }

    fn foreign_key(&self, id: u32) -> Result<Option<Key>, Damage> {
        let entry = StoredEntry::new(self.view, id)?;
        let name = entry.name();
        let bytes = match self.grouping {
            Grouping::Extension => extension(name).map(folded),
            Grouping::Name => Some(name.to_vec()),
            _ => Some(parent(&entry.absolute_path()).to_vec()),
        };
        Ok(bytes.map(Key::Bytes))
    }

    /// The code of an entry.
    pub(super) fn code(&self, id: u32) -> Result<u64, Damage> {
        if (self.root == Some(id) || id >= self.view.segment().rows())
            && let Some(&code) = self.foreign.get(&id)
        {
            return Ok(code);
        }
        let view = self.view;
        let stored = |flags: KindFlags| !flags.has(KindFlags::NO_METADATA);
        Ok(match self.grouping {
            Grouping::Extension => view.segment().extensions()?.of_row(id)?.into(),
            Grouping::Category => self.category(id)?,
            Grouping::Type => kind_code(view.kind(id)?.kind()),
            Grouping::Root => 1,
            Grouping::Name => u64::from(view.segment().name(id)?) + 1,
            Grouping::Parent => view.parent(id)?.map_or(0, |dir| u64::from(dir) + 1),
            Grouping::Dir(levels) => self.dir(id, *levels)?.map_or(0, |dir| u64::from(dir) + 1),
            Grouping::Owner => view.metadata(id)?.map_or(0, |m| u64::from(m.uid) + 1),
            Grouping::Group => view.metadata(id)?.map_or(0, |m| u64::from(m.gid) + 1),
            Grouping::Mode => view
                .metadata(id)?
                .map_or(0, |m| u64::from(m.mode & 0o7777) + 1),
            Grouping::Number(field, _, classes) => {
                let number = self.number(*field, id)?;
                number.map_or(0, |number| classes.of(number) + 1)
            }
            Grouping::Time(field, _, calendar) => match self.time(*field, id)? {
                Some(at) => self.period_code(calendar.number_of(at.seconds)),
                None => 0,
            },
            Grouping::Age(ages) => match stored(view.kind(id)?) {
                true => ages.of(view.modified(id)?.seconds) + 1,
                false => 0,
            },
            Grouping::Flag(flag, _) => {
                let entry = StoredEntry::new(view, id)?;
                let answer = flag.value(&entry);
                entry.damage().map_or(Ok(()), Err)?;
                answer.map_or(0, |yes| u64::from(yes) + 1)
            }
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

    fn period_code(&self, period: i64) -> u64 {
        u64::try_from(period.saturating_sub(self.base))
            .unwrap_or(1)
            .max(1)
    }

    fn category(&self, id: u32) -> Result<u64, Damage> {
        if self.view.kind(id)?.kind() != Kind::File {
            return Ok(0);
        }
        if self.root == Some(id) || id >= self.view.segment().rows() {
            let entry = StoredEntry::new(self.view, id)?;
            let extension = extension(entry.name()).map(folded).unwrap_or_default();
            return Ok(category_number(&extension) + 1);
        }
        let number = self.view.segment().extensions()?.of_row(id)?;
        Ok(self
            .categories
            .get(number as usize)
            .map_or(0, |&category| category.into()))
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
            Grouping::Extension | Grouping::Name | Grouping::Parent if code & FOREIGN != 0 => {
                let at = usize::try_from(code & !FOREIGN).unwrap_or(usize::MAX);
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
            Grouping::Root => Key::Bytes(self.view.root().to_vec()),
            Grouping::Parent => Key::Bytes(path(number)?),
            Grouping::Dir(levels) => Key::Bytes(self.dir_key(path(number)?, number, *levels)?),
            Grouping::Time(..) => {
                let code = i64::try_from(code).unwrap_or(i64::MAX);
                Key::Period(self.base.saturating_add(code))
            }
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

fn kind_code(kind: Kind) -> u64 {
    let at = KINDS.iter().position(|&known| known == kind);
    at.map_or(0, |at| at as u64 + 1)
}

fn categories(view: &View) -> Result<Vec<u8>, Damage> {
    let extensions = view.segment().extensions()?;
    let count = u32::try_from(extensions.len()).unwrap_or(u32::MAX);
    let category = |number| {
        let category = category_number(extensions.get(number)?) + 1;
        Ok(u8::try_from(category).unwrap_or(u8::MAX))
    };
    (0..count).map(category).collect()
}
