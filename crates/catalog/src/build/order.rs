//! From entries with parents to rows: depth first, siblings by (folded, raw) name.

use groma_base::CancelToken;

use super::{Builder, DirEntry, NO_DIR};
use crate::error::BuildError;
use crate::kinds::KindFlags;

/// How far above the number of directories their numbers may go.
const GAPS: usize = 65_536;
/// Rows between two looks at whether somebody wants to stop.
const ROWS_PER_LOOK: usize = 65_536;

/// Which entry each row shows.
#[derive(Debug, Default)]
pub(super) struct Order {
    /// Per row: place of the entry among all that came.
    pub(super) arrivals: Vec<u32>,
    /// Per row: row of its directory; of the root, its own.
    pub(super) parents: Vec<u32>,
    /// Rows that are directories, ascending.
    pub(super) dirs: Vec<u32>,
    /// Per directory: the row after the last one below it.
    pub(super) dir_ends: Vec<u32>,
    /// Per directory: entries directly in it.
    pub(super) dir_children: Vec<u32>,
    /// Entries left out because of a name that their directory has already, and those below them.
    pub(super) duplicates: u64,
}

/// The entries of each directory, those of one directory together.
struct Children {
    /// By number of a directory: where its entries begin; one more than there are numbers.
    starts: Vec<u32>,
    arrivals: Vec<u32>,
    root: u32,
}

/// A directory whose rows are being laid out.
struct Open {
    /// Its place among the directories.
    dir: usize,
    row: u32,
    next: usize,
    end: usize,
    last_rank: Option<u32>,
}

/// Lays out the rows. `ranks`: by number of a name, its place in the sorted dictionary.
pub(super) fn order(
    builder: &Builder,
    ranks: &[u32],
    cancel: &CancelToken,
) -> Result<Order, BuildError> {
    if builder.is_empty() {
        return Ok(Order::default());
    }
    let children = children(builder, ranks)?;
    let mut layout = Layout {
        builder,
        children: &children,
        order: Order {
            arrivals: Vec::with_capacity(builder.len()),
            parents: Vec::with_capacity(builder.len()),
            ..Order::default()
        },
        open: Vec::new(),
    };
    layout.add(children.root, 0);
    while layout.step(ranks) {
        if layout.order.arrivals.len().is_multiple_of(ROWS_PER_LOOK) && cancel.is_cancelled() {
            return Err(BuildError::Cancelled);
        }
    }
    let order = layout.order;
    let missing = builder.len() as u64 - order.arrivals.len() as u64 - order.duplicates;
    match missing {
        0 => Ok(order),
        orphans => Err(BuildError::Orphans(orphans)),
    }
}

struct Layout<'b> {
    builder: &'b Builder,
    children: &'b Children,
    order: Order,
    open: Vec<Open>,
}

impl Layout<'_> {
    /// One row more, or one directory done. `false` when all is.
    fn step(&mut self, ranks: &[u32]) -> bool {
        let Some(top) = self.open.last_mut() else {
            return false;
        };
        if top.next == top.end {
            self.order.dir_ends[top.dir] = row_number(self.order.arrivals.len());
            self.open.pop();
            return true;
        }
        let arrival = self.children.arrivals[top.next];
        let rank = rank(self.builder, ranks, arrival);
        let is_duplicate = top.last_rank == Some(rank);
        top.next += 1;
        top.last_rank = Some(rank);
        if is_duplicate {
            self.order.duplicates += self.children.count(self.builder, arrival);
        } else {
            self.order.dir_children[top.dir] += 1;
            let parent = top.row;
            self.add(arrival, parent);
        }
        true
    }

    /// Adds the row of an entry; a directory's own entries come next.
    fn add(&mut self, arrival: u32, parent: u32) {
        let row = row_number(self.order.arrivals.len());
        self.order.arrivals.push(arrival);
        self.order.parents.push(parent);
        if !KindFlags(self.builder.kinds[arrival as usize]).is_dir() {
            return;
        }
        self.order.dirs.push(row);
        self.order.dir_ends.push(row + 1);
        self.order.dir_children.push(0);
        let range = self.children.of(self.builder, arrival);
        self.open.push(Open {
            dir: self.order.dirs.len() - 1,
            row,
            next: range.start,
            end: range.end,
            last_rank: None,
        });
    }
}

/// There are at most [`crate::layout::MAX_ROWS`] entries, so rows have numbers of 32 bits.
fn row_number(rows: usize) -> u32 {
    u32::try_from(rows).unwrap_or(u32::MAX)
}

fn rank(builder: &Builder, ranks: &[u32], arrival: u32) -> u32 {
    ranks[builder.name_ids[arrival as usize] as usize]
}

impl Children {
    /// Where the entries of a directory lie; nowhere for one that has no number.
    fn of(&self, builder: &Builder, arrival: u32) -> std::ops::Range<usize> {
        // Directories are noted as they come, so their arrivals ascend.
        let Ok(at) = builder
            .dirs
            .binary_search_by_key(&arrival, |dir| dir.arrival)
        else {
            return 0..0;
        };
        let id = builder.dirs[at].id as usize;
        self.starts[id] as usize..self.starts[id + 1] as usize
    }

    /// How many entries an entry and all below it are.
    fn count(&self, builder: &Builder, arrival: u32) -> u64 {
        let (mut count, mut waiting) = (0, vec![arrival]);
        while let Some(arrival) = waiting.pop() {
            count += 1;
            waiting.extend_from_slice(&self.arrivals[self.of(builder, arrival)]);
        }
        count
    }
}

/// Gathers the entries of each directory and sorts them; of equal names the first to come is first.
fn children(builder: &Builder, ranks: &[u32]) -> Result<Children, BuildError> {
    let ids = count_ids(&builder.dirs)?;
    let root = root(builder)?;
    let mut starts = vec![0u32; ids + 1];
    let mut orphans = 0;
    for &parent in builder.parents.iter().filter(|&&parent| parent != NO_DIR) {
        match starts.get_mut(parent as usize + 1) {
            Some(count) => *count += 1,
            None => orphans += 1,
        }
    }
    if orphans > 0 {
        return Err(BuildError::Orphans(orphans));
    }
    for id in 0..ids {
        starts[id + 1] += starts[id];
    }
    let arrivals = fill(builder, ranks, &starts);
    Ok(Children {
        starts,
        arrivals,
        root,
    })
}

fn fill(builder: &Builder, ranks: &[u32], starts: &[u32]) -> Vec<u32> {
    let mut next = starts.to_vec();
    let mut arrivals = vec![0; builder.len() - 1];
    for (arrival, &parent) in builder.parents.iter().enumerate() {
        if parent != NO_DIR {
            let place = &mut next[parent as usize];
            arrivals[*place as usize] = row_number(arrival);
            *place += 1;
        }
    }
    for pair in starts.windows(2) {
        let siblings = &mut arrivals[pair[0] as usize..pair[1] as usize];
        siblings.sort_unstable_by_key(|&arrival| (rank(builder, ranks, arrival), arrival));
    }
    arrivals
}

/// One more than the highest number of a directory. Each is given to one only.
fn count_ids(dirs: &[DirEntry]) -> Result<usize, BuildError> {
    let limit = dirs.len() * 2 + GAPS;
    let mut seen = vec![false; limit];
    let mut ids = 0;
    for dir in dirs {
        match seen.get_mut(dir.id as usize) {
            Some(seen) if !*seen => *seen = true,
            _ => return Err(BuildError::BadDir(dir.id)),
        }
        ids = ids.max(dir.id as usize + 1);
    }
    Ok(ids)
}

fn root(builder: &Builder) -> Result<u32, BuildError> {
    let mut roots = (0..).zip(&builder.parents).filter(|(_, p)| **p == NO_DIR);
    match (roots.next(), roots.count()) {
        (Some((root, _)), 0) => Ok(root),
        (first, others) => Err(BuildError::Roots(others + usize::from(first.is_some()))),
    }
}
