//! Two trees compared: what is new, removed, grown, shrunk or moved, and how much each directory has grown.

use groma_base::Kind;
use groma_catalog::{Damage, View};

use super::changes::Scale;
use super::moves::fates;
use super::{Loaded, SnapError};

/// What counts as the size of an entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Measure {
    /// Bytes on disk.
    #[default]
    Allocated,
    /// Bytes that a reader sees.
    Apparent,
}

/// What happened to an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ChangeKind {
    /// It was not there before.
    New,
    /// It is not there any more.
    Removed,
    /// It has become larger.
    Grown,
    /// It has become smaller.
    Shrunk,
    /// It is at another path.
    Moved,
}

/// One change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What happened.
    pub kind: ChangeKind,
    /// Its row in the old tree.
    pub old: Option<u32>,
    /// Its row in the new tree.
    pub new: Option<u32>,
    /// Bytes that it took.
    pub before: u64,
    /// Bytes that it takes.
    pub after: u64,
    /// Whether it lies in a directory that is new or removed as a whole, and is counted there too.
    pub is_inside: bool,
    /// Of what is new or removed: bytes of it and of all that stands under it.
    pub sum: u64,
    /// How many entries those are.
    pub entries: u64,
}

/// How much more lies below a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirGrowth {
    /// Its row in the old tree.
    pub old: Option<u32>,
    /// Its row in the new tree.
    pub new: Option<u32>,
    /// Bytes that lay below it, hard links once.
    pub before: u64,
    /// Bytes that lie below it.
    pub after: u64,
}

/// All changes of a kind together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    /// Entries.
    pub entries: u64,
    /// Bytes that have been added by them; below zero for less.
    pub growth: i128,
}

/// What two trees differ in.
#[derive(Debug)]
pub struct Comparison<'l> {
    /// The older tree.
    pub old: &'l Loaded,
    /// The newer tree.
    pub new: &'l Loaded,
    /// Changes, in the order of new paths, then of old ones.
    pub changes: Vec<Change>,
    /// Directories below which there is more or less than before, the largest difference first.
    pub dirs: Vec<DirGrowth>,
    /// Bytes of each tree, its root included.
    pub totals: (u64, u64),
    /// What is measured.
    pub measure: Measure,
}

impl ChangeKind {
    /// All of them, in the order in which they are told.
    pub const ALL: [ChangeKind; 5] = [
        ChangeKind::New,
        ChangeKind::Removed,
        ChangeKind::Grown,
        ChangeKind::Shrunk,
        ChangeKind::Moved,
    ];

    /// Its word.
    pub fn word(self) -> &'static str {
        match self {
            ChangeKind::New => "new",
            ChangeKind::Removed => "removed",
            ChangeKind::Grown => "grown",
            ChangeKind::Shrunk => "shrunk",
            ChangeKind::Moved => "moved",
        }
    }
}

impl Change {
    pub(super) fn both(kind: ChangeKind, old: u32, new: u32, before: u64, after: u64) -> Change {
        Change {
            kind,
            old: Some(old),
            new: Some(new),
            before,
            after,
            is_inside: false,
            sum: 0,
            entries: 1,
        }
    }

    pub(super) fn one(kind: ChangeKind, row: u32, own: u64, is_inside: bool) -> Change {
        let is_new = kind == ChangeKind::New;
        Change {
            kind,
            old: (!is_new).then_some(row),
            new: is_new.then_some(row),
            before: if is_new { 0 } else { own },
            after: if is_new { own } else { 0 },
            is_inside,
            // Of what does not stand under another, these are added up.
            sum: if is_inside { own } else { 0 },
            entries: u64::from(is_inside),
        }
    }

    /// Bytes that it adds; below zero for less.
    pub fn growth(&self) -> i128 {
        i128::from(self.after) - i128::from(self.before)
    }

    /// The same with all below it that has the same fate.
    pub fn whole_growth(&self) -> i128 {
        match self.kind {
            ChangeKind::New => i128::from(self.sum),
            ChangeKind::Removed => -i128::from(self.sum),
            _ => self.growth(),
        }
    }
}

impl DirGrowth {
    /// Bytes that have been added below it; below zero for less.
    pub fn growth(&self) -> i128 {
        i128::from(self.after) - i128::from(self.before)
    }
}

/// Compares two trees, which are whole segments. Entries are told apart by their paths below the roots,
/// and recognised by their nodes where those have changed.
///
/// # Errors
/// [`SnapError::Snapshot`] with the damage that was met.
pub fn compare<'l>(
    old: &'l Loaded,
    new: &'l Loaded,
    measure: Measure,
) -> Result<Comparison<'l>, SnapError> {
    let compared = || -> Result<Comparison<'l>, Damage> {
        let fates = fates(&old.view, &new.view)?;
        let scale = Scale {
            old: &old.view,
            new: &new.view,
            measure,
        };
        Ok(Comparison {
            old,
            new,
            changes: scale.changes(&fates)?,
            dirs: scale.growth(&fates)?,
            totals: (total(&old.view, measure)?, total(&new.view, measure)?),
            measure,
        })
    };
    compared().map_err(|damage| SnapError::damaged(&new.path, damage))
}

/// Bytes of a tree, its root included.
///
/// # Errors
/// [`SnapError::Snapshot`] with the damage that was met.
pub fn tree_bytes(tree: &Loaded, measure: Measure) -> Result<u64, SnapError> {
    total(&tree.view, measure).map_err(|damage| SnapError::damaged(&tree.path, damage))
}

/// Bytes of a tree, its root included.
fn total(view: &View, measure: Measure) -> Result<u64, Damage> {
    let Some(top) = view.top() else {
        return Ok(0);
    };
    let below = view.totals(top)?.map(|totals| totals.below);
    let below = below.unwrap_or_default();
    let (own, below) = match measure {
        Measure::Allocated => (view.allocated(top)?, below.allocated),
        Measure::Apparent => (view.size(top)?, below.size),
    };
    Ok(own.saturating_add(below))
}

impl Comparison<'_> {
    /// All changes of a kind together.
    pub fn sum(&self, kind: ChangeKind) -> Sum {
        let of_kind = self.changes.iter().filter(|change| change.kind == kind);
        of_kind.fold(Sum::default(), |sum, change| Sum {
            entries: sum.entries + 1,
            growth: sum.growth + change.growth(),
        })
    }

    /// Bytes that the whole tree has grown by; below zero for less.
    pub fn growth(&self) -> i128 {
        i128::from(self.totals.1) - i128::from(self.totals.0)
    }

    /// Seconds from the one tree to the other.
    pub fn seconds(&self) -> i64 {
        let (old, new) = (self.old.about.ended, self.new.about.ended);
        new.seconds.saturating_sub(old.seconds)
    }

    /// Appends the path of an entry below the root; `.` for the root itself. Of one that both trees
    /// have, that in the new one.
    ///
    /// # Errors
    /// [`Damage`] met on the way.
    pub fn append_path(
        &self,
        old: Option<u32>,
        new: Option<u32>,
        out: &mut Vec<u8>,
    ) -> Result<(), SnapError> {
        let (loaded, row) = match (new, old) {
            (Some(new), _) => (self.new, new),
            (None, Some(old)) => (self.old, old),
            (None, None) => return Ok(()),
        };
        if row == 0 {
            out.push(b'.');
            return Ok(());
        }
        let segment = loaded.view.segment();
        let appended = segment.append_path_below(row, out);
        appended.map_err(|damage| SnapError::damaged(&loaded.path, damage))
    }

    /// The kind of an entry, where it is now, or where it was.
    pub fn kind(&self, old: Option<u32>, new: Option<u32>) -> Kind {
        let kind = match (new, old) {
            (Some(new), _) => self.new.view.kind(new),
            (None, Some(old)) => self.old.view.kind(old),
            (None, None) => return Kind::Unknown,
        };
        kind.map_or(Kind::Unknown, |flags| flags.kind())
    }
}
