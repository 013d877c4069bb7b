//! What lies below the directories of a changed tree.
//!
//! A directory's sums are those of the segment, less what went, plus what came; a changed directory
//! in it goes with its old sums and comes with its new ones. Directories are worked out from below.
//! What cannot be worked out so - a newest time that went, a sum that stopped at its largest number
//! - is counted anew when somebody asks.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use groma_base::Timestamp;

use super::layout::{climb, dirs_above_changes};
use super::order::Order;
use crate::build::totals::{Share, Totals};
use crate::delta::Shown;
use crate::error::Damage;
use crate::kinds::KindFlags;

/// What lies below one directory.
#[derive(Debug, Default)]
pub(super) struct DirSums {
    /// Entries directly in it.
    pub(super) children: u32,
    pub(super) size: Sum,
    pub(super) allocated: Sum,
    pub(super) newest: Newest,
    /// What was counted when somebody asked.
    pub(super) counted: OnceLock<Totals>,
}

/// Bytes; `None` when they have to be counted.
pub(super) type Sum = Option<u64>;

/// The newest change of content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Newest {
    Is(Option<Timestamp>),
    /// It has to be looked for, and is not newer than this.
    AtMost(Option<Timestamp>),
}

impl Default for Newest {
    fn default() -> Self {
        Newest::Is(None)
    }
}

/// What some entries come to, with all that lies below them.
#[derive(Clone, Copy, Debug)]
struct Weight {
    size: Option<u128>,
    allocated: Option<u128>,
    newest: Newest,
}

impl Weight {
    const NOTHING: Weight = Weight {
        size: Some(0),
        allocated: Some(0),
        newest: Newest::Is(None),
    };

    /// Sums that stopped at the largest number may be anything above it.
    fn of(totals: &Totals) -> Weight {
        let sum = |bytes: u64| (bytes < u64::MAX).then_some(u128::from(bytes));
        Weight {
            size: sum(totals.size),
            allocated: sum(totals.allocated),
            newest: Newest::Is(totals.newest),
        }
    }

    fn add(&mut self, other: &Weight) {
        self.size = self.size.zip(other.size).map(|(a, b)| a + b);
        self.allocated = self.allocated.zip(other.allocated).map(|(a, b)| a + b);
        self.newest = self.newest.or(other.newest);
    }

    /// What is left when `other`, which was part of this, goes.
    fn less(&self, other: &Weight) -> Weight {
        let left = |all: Option<u128>, gone: Option<u128>| all?.checked_sub(gone?);
        Weight {
            size: left(self.size, other.size),
            allocated: left(self.allocated, other.allocated),
            newest: match (self.newest.bound(), other.newest.bound()) {
                (all, gone) if gone.is_some() && gone >= all => Newest::AtMost(all),
                _ => self.newest,
            },
        }
    }
}

impl Newest {
    fn bound(self) -> Option<Timestamp> {
        match self {
            Newest::Is(time) | Newest::AtMost(time) => time,
        }
    }

    /// The newer of both. What is known decides, where the other cannot be newer.
    fn or(self, other: Newest) -> Newest {
        match (self, other) {
            (Newest::Is(a), Newest::Is(b)) => Newest::Is(a.max(b)),
            (Newest::AtMost(a), Newest::AtMost(b)) => Newest::AtMost(a.max(b)),
            (Newest::Is(is), Newest::AtMost(most)) | (Newest::AtMost(most), Newest::Is(is)) => {
                match is >= most {
                    true => Newest::Is(is),
                    false => Newest::AtMost(most),
                }
            }
        }
    }
}

struct Adding<'a> {
    shown: Shown<'a>,
    flags: &'a HashMap<u32, KindFlags>,
    done: HashMap<u32, DirSums>,
}

/// The sums of all directories below which something has changed.
pub(super) fn changed_dirs(
    shown: Shown<'_>,
    order: &Order,
    flags: &HashMap<u32, KindFlags>,
) -> Result<HashMap<u32, DirSums>, Damage> {
    let mut dirs = dirs_above_changes(shown)?;
    for &id in flags.keys() {
        climb(shown, shown.parent(id)?, &mut dirs)?;
    }
    for (id, row) in (shown.segment.rows()..).zip(&shown.state.rows) {
        if row.kind.is_dir() {
            climb(shown, Some(id), &mut dirs)?;
        }
    }
    let kids = kids_in_place(shown, order, &dirs, flags)?;
    let placed = dirs.iter();
    let placed = placed.filter_map(|&id| order.place(id).map(|place| (place, id)));
    let mut placed: Vec<(u32, u32)> = placed.collect();
    // What lies below a directory has a higher place.
    placed.sort_unstable_by(|a, b| b.cmp(a));
    let mut adding = Adding {
        shown,
        flags,
        done: HashMap::with_capacity(placed.len()),
    };
    for (_, id) in placed {
        let kids = kids.get(&id).map_or(&[][..], |kids| kids);
        let sums = adding.dir(id, kids)?;
        adding.done.insert(id, sums);
    }
    Ok(adding.done)
}

/// By directory: its rows that are where the segment has them, but do not weigh what they did.
fn kids_in_place(
    shown: Shown<'_>,
    order: &Order,
    dirs: &HashSet<u32>,
    flags: &HashMap<u32, KindFlags>,
) -> Result<HashMap<u32, Vec<u32>>, Damage> {
    let mut kids: HashMap<u32, Vec<u32>> = HashMap::new();
    let changed: HashSet<u32> = dirs.iter().chain(flags.keys()).copied().collect();
    for id in changed {
        if order.place(id).is_some()
            && shown.link(id)?.is_none()
            && let Some(parent) = shown.parent(id)?
        {
            kids.entry(parent).or_default().push(id);
        }
    }
    Ok(kids)
}

impl Adding<'_> {
    fn dir(&self, id: u32, kids: &[u32]) -> Result<DirSums, Damage> {
        let (shown, segment) = (self.shown, self.shown.segment);
        let stored = match shown.base(id)? {
            Some(base) => segment.totals(base)?,
            None => None,
        };
        let changed = shown.changed(id)?;
        let (mut went, mut came) = (Weight::NOTHING, Weight::NOTHING);
        for &row in kids {
            went.add(&self.stored(row)?);
            came.add(&self.current(row)?);
        }
        for &row in changed.iter().flat_map(|changed| changed.gone.keys()) {
            went.add(&self.stored(row)?);
        }
        for id in changed.iter().flat_map(|changed| changed.added_ids()) {
            came.add(&self.current(id)?);
        }
        let mut weight = Weight::of(&stored.map_or_else(Totals::default, |totals| totals.below));
        weight = weight.less(&went);
        weight.add(&came);
        let (gone, added) = changed.map_or((0, 0), |c| (c.gone.len(), c.added.len()));
        let children = stored.map_or(0, |totals| totals.children) as usize + added;
        let children = children.saturating_sub(gone);
        let sum = |bytes: u128| u64::try_from(bytes).unwrap_or(u64::MAX);
        Ok(DirSums {
            children: u32::try_from(children).unwrap_or(u32::MAX),
            size: weight.size.map(sum),
            allocated: weight.allocated.map(sum),
            newest: weight.newest,
            counted: OnceLock::new(),
        })
    }

    /// What a row of the segment and all below it weigh in the sums of the segment.
    fn stored(&self, row: u32) -> Result<Weight, Damage> {
        let segment = self.shown.segment;
        let mut weight = Weight::of(&Totals::of(&Share {
            kind: segment.kind(row)?,
            size: segment.size(row)?,
            allocated: segment.allocated(row)?,
            modified: segment.modified(row)?,
        }));
        if let Some(totals) = segment.totals(row)? {
            weight.add(&Weight::of(&totals.below));
        }
        Ok(weight)
    }

    /// What an entry and all below it weigh now.
    fn current(&self, id: u32) -> Result<Weight, Damage> {
        let shown = self.shown;
        let kind = match self.flags.get(&id) {
            Some(&flags) => flags,
            None => shown.kind(id)?,
        };
        let mut weight = Weight::of(&Totals::of(&share(shown, kind, id)?));
        if let Some(sums) = self.done.get(&id) {
            weight.add(&Weight {
                size: sums.size.filter(|&b| b < u64::MAX).map(u128::from),
                allocated: sums.allocated.filter(|&b| b < u64::MAX).map(u128::from),
                newest: sums.newest,
            });
        } else if id < shown.segment.rows()
            && let Some(totals) = shown.segment.totals(id)?
        {
            weight.add(&Weight::of(&totals.below));
        }
        Ok(weight)
    }
}

/// What an entry alone adds to sums; `kind`: with the flags that hold now.
pub(super) fn share(shown: Shown<'_>, kind: KindFlags, id: u32) -> Result<Share, Damage> {
    if let Some(row) = shown.delta_row(id)? {
        let metadata = row.metadata.as_ref();
        return Ok(Share {
            kind,
            size: metadata.map_or(0, |m| m.size),
            allocated: metadata.map_or(0, |m| m.allocated),
            modified: metadata.map_or_else(Timestamp::default, |m| m.modified),
        });
    }
    let segment = shown.segment;
    Ok(Share {
        kind,
        size: segment.size(id)?,
        allocated: segment.allocated(id)?,
        modified: segment.modified(id)?,
    })
}
