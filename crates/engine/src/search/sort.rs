//! Rows in another order than that of paths.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use groma_base::{Timestamp, fold_into};
use groma_formats::value::Value;
use groma_query::bound::Expr;
use groma_query::fields::Field;
use groma_query::select::{Run, SelectError, Selection, select};
use groma_query::sort::top;

use super::SearchError;
use super::column::{Row, wants};
use super::cutter::{InOrder, RowRef, Source};
use super::natural;
use super::render::{Shared, Worker};
use super::wants::Wants;

/// Rows that are looked at between two looks at the cancel token.
const ROWS: usize = 4096;

/// What rows are sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SortKey {
    /// The field.
    pub field: Field,
    /// Whether the largest come first.
    pub descending: bool,
}

/// The value of a field in its order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Number(u64),
    Time(Timestamp),
    /// Folded, then raw.
    Text(Vec<u8>, Vec<u8>),
}

/// The same, largest first if that was asked for. What is not known comes last either way.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Up(Rank),
    Down(Reverse<Rank>),
    Unknown,
}

/// A row with what it is sorted by. Equal ones are in the order of their paths.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Item {
    first: Option<Key>,
    rest: Vec<Key>,
    place: u64,
    row: (u32, u32),
}

/// All that matches, sorted; only the first `keep` of it, where that is given.
pub(crate) fn sorted(
    shared: &Shared<'_, '_>,
    keys: &[SortKey],
    natural: bool,
    keep: Option<u64>,
    threads: usize,
) -> Result<Vec<RowRef>, SearchError> {
    let run = Run::new(threads, shared.cancel.clone());
    if !natural && keys.iter().all(|key| is_in_columns(key.field)) {
        match &shared.found.readers[..] {
            [_] => return top_of(shared, 0, keys, keep, &run).map(|ids| rows_of(0, ids)),
            _ if keep.is_some() => {
                // The first ones of all are among the first ones of each.
                let candidates = candidates(shared, keys, keep, &run)?;
                return by_keys(shared, &candidates, keys, natural, keep);
            }
            _ => {}
        }
    }
    by_keys(shared, &shared.found.selections, keys, natural, keep)
}

/// Fields whose order whole columns tell, the same one as their values as rows show them.
fn is_in_columns(field: Field) -> bool {
    matches!(
        field,
        Field::Name
            | Field::Path
            | Field::Size
            | Field::Allocated
            | Field::Modified
            | Field::Created
            | Field::Accessed
            | Field::Changed
            | Field::Links
            | Field::Inode
            | Field::Uid
            | Field::Gid
            | Field::Depth
            | Field::TreeSize
            | Field::TreeAllocated
    )
}

/// The first entries of one root, sorted on columns.
fn top_of(
    shared: &Shared<'_, '_>,
    root: usize,
    keys: &[SortKey],
    keep: Option<u64>,
    run: &Run,
) -> Result<Vec<u32>, SearchError> {
    let reader = &shared.found.readers[root];
    let failed = |error| match error {
        SelectError::Damaged(damage) => SearchError::damaged(reader.root, damage),
        _ => SearchError::Cancelled,
    };
    let keys: Vec<groma_query::sort::SortKey> = keys.iter().map(|key| key.on_columns()).collect();
    let most = keep.map(|keep| usize::try_from(keep).unwrap_or(usize::MAX));
    let everything;
    let selection = match &shared.found.selections[root] {
        Some(selection) => selection,
        None => {
            everything = select(&Expr::All, reader.view, run).map_err(failed)?;
            &everything
        }
    };
    top(reader.view, selection, &keys, most, run).map_err(failed)
}

fn rows_of(root: u32, ids: Vec<u32>) -> Vec<RowRef> {
    ids.into_iter().map(|id| RowRef { root, id }).collect()
}

/// For each root the entries that may be among the first ones of all.
fn candidates(
    shared: &Shared<'_, '_>,
    keys: &[SortKey],
    keep: Option<u64>,
    run: &Run,
) -> Result<Vec<Option<Selection>>, SearchError> {
    let of_root = |root: usize| {
        let mut ids = top_of(shared, root, keys, keep, run)?;
        ids.sort_unstable();
        let mut selection = Selection::none(shared.found.readers[root].view.ids());
        ids.into_iter().for_each(|id| selection.insert(id));
        Ok(Some(selection))
    };
    (0..shared.found.readers.len()).map(of_root).collect()
}

/// Sorts by what the rows show.
fn by_keys(
    shared: &Shared<'_, '_>,
    selections: &[Option<Selection>],
    keys: &[SortKey],
    natural: bool,
    keep: Option<u64>,
) -> Result<Vec<RowRef>, SearchError> {
    let wanted = keys.iter().map(|key| wants(key.field));
    let mut worker = Worker::new(shared, wanted.fold(Wants::NONE, Wants::and));
    let mut source = InOrder::of(shared.found, selections);
    let mut kept = Kept::new(keep);
    let (mut rows, mut place) = (Vec::new(), 0);
    loop {
        rows.clear();
        source.fill(ROWS, &mut rows);
        if rows.is_empty() {
            return Ok(kept.into_rows());
        }
        let mut at = rows.iter();
        worker.show(&rows, |row| {
            let Some(reference) = at.next() else { return };
            let mut keys = keys.iter().map(|key| key.of(row, place, natural));
            kept.add(Item {
                first: keys.next(),
                rest: keys.collect(),
                place,
                row: (reference.root, reference.id),
            });
            place += 1;
        })?;
    }
}

/// The rows that are to be told, as far as they are known.
enum Kept {
    All(Vec<Item>),
    /// The smallest so many, the largest of them on top.
    Some(usize, BinaryHeap<Item>),
}

impl Kept {
    fn new(keep: Option<u64>) -> Kept {
        match keep.map(usize::try_from) {
            Some(Ok(keep)) => Kept::Some(keep, BinaryHeap::new()),
            _ => Kept::All(Vec::new()),
        }
    }

    fn add(&mut self, item: Item) {
        match self {
            Kept::All(items) => items.push(item),
            Kept::Some(keep, heap) if heap.len() < *keep => heap.push(item),
            Kept::Some(_, heap) => {
                if let Some(mut largest) = heap.peek_mut()
                    && item < *largest
                {
                    *largest = item;
                }
            }
        }
    }

    fn into_rows(self) -> Vec<RowRef> {
        let mut items = match self {
            Kept::All(items) => items,
            Kept::Some(_, heap) => heap.into_vec(),
        };
        items.sort_unstable();
        let row = |item: Item| RowRef {
            root: item.row.0,
            id: item.row.1,
        };
        items.into_iter().map(row).collect()
    }
}

impl SortKey {
    fn on_columns(self) -> groma_query::sort::SortKey {
        groma_query::sort::SortKey {
            field: self.field,
            descending: self.descending,
            natural: false,
        }
    }

    fn of(self, row: Row<'_>, place: u64, natural: bool) -> Key {
        match (self.rank(row, place, natural), self.descending) {
            (None, _) => Key::Unknown,
            (Some(rank), false) => Key::Up(rank),
            (Some(rank), true) => Key::Down(Reverse(rank)),
        }
    }

    fn rank(self, row: Row<'_>, place: u64, natural: bool) -> Option<Rank> {
        Some(match (self.field, row.value(self.field)) {
            (_, Value::Absent) => return None,
            (Field::Path | Field::Parent | Field::Root, Value::Bytes(path)) if natural => {
                Rank::Text(natural::path_key(path), Vec::new())
            }
            // Rows come in the order of their paths.
            (Field::Path, _) => Rank::Number(place),
            (Field::Parent | Field::Root, Value::Bytes(path)) => path_rank(path),
            (_, Value::Bytes(text)) if natural => {
                Rank::Text(natural::name_key(text), text.to_vec())
            }
            (_, Value::Bytes(text)) => text_rank(text),
            (_, Value::Number(number) | Value::Size(number)) => Rank::Number(number),
            (_, Value::Mode(mode)) => Rank::Number(u64::from(mode)),
            (_, Value::Is(is)) => Rank::Number(u64::from(is)),
            (_, Value::Time(time)) => Rank::Time(time),
            // Ratios are not negative, so their bits are in their order.
            (_, Value::Ratio(ratio)) => Rank::Number(ratio.to_bits()),
            (_, other) => {
                let mut text = Vec::new();
                other.push_plain(&mut text);
                text_rank(&text)
            }
        })
    }
}

fn text_rank(text: &[u8]) -> Rank {
    let mut folded = Vec::with_capacity(text.len());
    fold_into(text, &mut folded);
    Rank::Text(folded, text.to_vec())
}

/// Component by component: a slash counts less than anything a name can have.
fn path_rank(path: &[u8]) -> Rank {
    let below_all = |path: &[u8]| -> Vec<u8> {
        path.iter()
            .map(|&b| if b == b'/' { 0 } else { b })
            .collect()
    };
    let mut folded = Vec::with_capacity(path.len());
    fold_into(path, &mut folded);
    Rank::Text(below_all(&folded), below_all(path))
}
