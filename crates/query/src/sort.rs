//! The first entries of a selection in a wanted order, and sums over it.
//!
//! With a limit, each piece of the selection keeps no more than twice the limit, so that a limit is
//! never a full sort; it is always the true first ones of all. Where entries are equal, paths
//! decide.

mod keys;
mod natural;
mod rough;

use std::cell::RefCell;
use std::cmp::Ordering;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use groma_catalog::{PACKED_BLOCK, SectionId, View, WideLoop, run_wide, unpacked_allocated};

use crate::fields::Field;
use crate::select::bits::{self, BLOCK};
use crate::select::filter::answers;
use crate::select::frame::Frame;
use crate::select::parallel::in_pieces;
use crate::select::{Run, SelectError, Selection};
use keys::Key;

pub use natural::compare_naturally;

/// One thing to sort by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SortKey {
    /// What is compared; one that [`can_sort_by`] allows.
    pub field: Field,
    /// Whether large values come first. What has no such value comes last either way.
    pub descending: bool,
    /// For names: whether digits count as numbers, so that `a2` comes before `a10`.
    pub natural: bool,
}

/// Whether entries can be sorted by a field.
pub fn can_sort_by(field: Field) -> bool {
    !matches!(
        field,
        Field::Missing
            | Field::Stem
            | Field::Parent
            | Field::Under
            | Field::Category
            | Field::Is
            | Field::Root
            | Field::Volume
            | Field::Stream
            | Field::Dupe
            | Field::Empty
            | Field::Broken
            | Field::Hidden
            | Field::Executable
    )
}

/// Ids of one piece of work.
const PIECE: u32 = 16 * BLOCK;
/// With fewer ids in a block than this, their keys are fetched one by one.
const FEW: u32 = if cfg!(test) { 16 } else { 256 };

/// An entry and the beginning of what it is sorted by: smaller comes first.
#[derive(Clone, Copy)]
struct Ranked {
    rough: u64,
    id: u32,
}

/// The first `most` entries of a selection in the order of `keys`, or all of them.
///
/// # Errors
/// [`SelectError::NotSortable`] for a field that [`can_sort_by`] refuses; otherwise as `select`.
pub fn top(
    view: &View,
    selection: &Selection,
    keys: &[SortKey],
    most: Option<usize>,
    run: &Run,
) -> Result<Vec<u32>, SelectError> {
    if let Some(key) = keys.iter().find(|key| !can_sort_by(key.field)) {
        return Err(SelectError::NotSortable(key.field.info().name));
    }
    let most = most.unwrap_or(usize::MAX);
    let by_path = match keys.first() {
        None => true,
        Some(key) => key.field == Field::Path && !key.descending,
    };
    if by_path {
        return Ok(selection.in_order(view).take(most).collect());
    }
    let frame = Frame::new(view, run)?;
    let keys: Vec<Key<'_, '_>> = keys
        .iter()
        .map(|key| Key::new(&frame, *key))
        .collect::<Result<_, _>>()?;
    let order = Order {
        keys: &keys,
        view,
        damage: RefCell::new(None),
    };
    let pieces = view.ids().div_ceil(PIECE);
    let bar = AtomicU64::new(u64::MAX);
    let found = in_pieces(pieces as usize, run, |piece| {
        // There are fewer pieces than ids.
        let first = piece as u32 * PIECE;
        of_piece(&frame, &keys, selection, first, most, &bar)
    })?;
    let mut all = found.concat();
    all.sort_by(|a, b| order.compare(a, b));
    order.into_damage()?;
    all.truncate(most);
    Ok(all.into_iter().map(|ranked| ranked.id).collect())
}

/// The first ones of the ids of one piece, in order. Of what lies behind the bar none need be among
/// them.
fn of_piece(
    frame: &Frame<'_>,
    keys: &[Key<'_, '_>],
    selection: &Selection,
    first: u32,
    most: usize,
    bar: &AtomicU64,
) -> Result<Vec<Ranked>, SelectError> {
    let order = Order {
        keys,
        view: frame.view,
        damage: RefCell::new(None),
    };
    let mut best = Best {
        order: &order,
        most,
        bar,
        held: Vec::new(),
        last: None,
    };
    let Some(key) = keys.first() else {
        return Ok(Vec::new());
    };
    let mut roughs = Vec::new();
    let end = first.saturating_add(PIECE).min(frame.view.ids());
    for first in (first..end).step_by(BLOCK as usize) {
        let mask = selection.mask(first);
        let count = bits::count(&mask);
        if count == 0 {
            continue;
        }
        frame.look()?;
        if best.is_hopeless(key.best_of_block(first)?) {
            continue;
        }
        let is_plain = count >= FEW && frame.is_plain(first, &mask);
        let hopeful = is_plain
            .then(|| key.hopeful(first, &mask, bar.load(Relaxed)))
            .flatten();
        if is_plain && hopeful.is_none() {
            key.fill(first, &mask, &mut roughs)?;
            best.add_block(first, &mask, &roughs);
            continue;
        }
        for bit in bits::ones(&hopeful.unwrap_or(mask)) {
            let id = first + bit;
            let rough = key.rough(id)?;
            best.add(Ranked { rough, id });
        }
    }
    let held = best.finish();
    order.into_damage()?;
    Ok(held)
}

/// The best entries so far.
struct Best<'a> {
    order: &'a Order<'a>,
    most: usize,
    /// No entry with a larger rough key is wanted: some thread has as many better ones.
    bar: &'a AtomicU64,
    held: Vec<Ranked>,
    /// The last of the best, once there are as many as wanted.
    last: Option<Ranked>,
}

impl Best<'_> {
    /// Whether nothing of a block can be among the best, whose best one is this.
    fn is_hopeless(&self, best: Option<u64>) -> bool {
        best.is_some_and(|best| best > self.bar.load(Relaxed))
    }

    /// Adds the rows of a mask; `roughs` are by places in the block that begins at `first`.
    fn add_block(&mut self, first: u32, mask: &bits::Mask, roughs: &[u64]) {
        for ((place, &word), roughs) in (0u32..).zip(mask).zip(roughs.chunks(64)) {
            if word == 0 {
                continue;
            }
            let least = self.bar.load(Relaxed);
            let hopeful = word & answers(roughs, |&rough| rough <= least);
            for bit in bits::word_ones(hopeful) {
                self.add(Ranked {
                    rough: roughs[bit as usize],
                    id: first + place * 64 + bit,
                });
            }
        }
    }

    #[inline]
    fn add(&mut self, ranked: Ranked) {
        if ranked.rough > self.bar.load(Relaxed) {
            return;
        }
        // The bar is never behind the last one held.
        let rival = self.last.filter(|last| last.rough == ranked.rough);
        if rival.is_some_and(|last| self.order.compare(&ranked, &last).is_ge()) {
            return;
        }
        self.held.push(ranked);
        if self.held.len() >= self.most.saturating_mul(2).saturating_add(64) {
            self.prune();
        }
    }

    fn prune(&mut self) {
        if self.most == 0 {
            self.held.clear();
            return;
        }
        let order = self.order;
        let last = self.most - 1;
        let (_, last, _) = self
            .held
            .select_nth_unstable_by(last, |a, b| order.compare(a, b));
        self.last = Some(*last);
        self.bar.fetch_min(last.rough, Relaxed);
        self.held.truncate(self.most);
    }

    fn finish(mut self) -> Vec<Ranked> {
        let order = self.order;
        self.held.sort_unstable_by(|a, b| order.compare(a, b));
        self.held.truncate(self.most);
        if let Some(last) = self.held.last().filter(|_| self.held.len() == self.most) {
            self.bar.fetch_min(last.rough, Relaxed);
        }
        self.held
    }
}

/// The order of entries. Damage that is met while they are compared is kept: a comparison cannot
/// fail.
struct Order<'a> {
    keys: &'a [Key<'a, 'a>],
    view: &'a View,
    damage: RefCell<Option<SelectError>>,
}

impl Order<'_> {
    fn compare(&self, a: &Ranked, b: &Ranked) -> Ordering {
        let rough = a.rough.cmp(&b.rough);
        if rough.is_ne() || a.id == b.id {
            return rough;
        }
        let exact = self.keys.first().is_some_and(|key| key.tells_all(a.rough));
        for key in self.keys.iter().skip(usize::from(exact)) {
            match key.compare(a.id, b.id) {
                Ok(Ordering::Equal) => {}
                Ok(order) => return order,
                Err(error) => {
                    self.damage.borrow_mut().get_or_insert(error);
                }
            }
        }
        if self.view.is_sealed() {
            return a.id.cmp(&b.id);
        }
        self.view.place(a.id).cmp(&self.view.place(b.id))
    }

    fn into_damage(self) -> Result<(), SelectError> {
        self.damage.into_inner().map_or(Ok(()), Err)
    }
}

/// Sums over entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    /// Apparent size, bytes; stops at 2^64 - 1.
    pub size: u64,
    /// Allocated size, bytes; stops at 2^64 - 1.
    pub allocated: u64,
}

impl Sums {
    fn add(&mut self, size: u64, allocated: u64) {
        self.size = self.size.saturating_add(size);
        self.allocated = self.allocated.saturating_add(allocated);
    }
}

/// The sums of rows that follow each other: those whose bits are set.
struct SumOfRows<'a> {
    words: [u64; 2],
    sizes: &'a [[u8; 8]],
    numbers: &'a [u64; PACKED_BLOCK],
}

impl WideLoop for SumOfRows<'_> {
    type Output = (u64, u64);

    #[inline(always)]
    fn run(self) -> (u64, u64) {
        let (mut size, mut allocated) = (Halves::default(), Halves::default());
        let mut add = |taken: u64, bytes: &[u8; 8], number: u64| {
            let bytes = u64::from_le_bytes(*bytes);
            size.add(bytes & taken);
            allocated.add(unpacked_allocated(bytes, number) & taken);
        };
        let halves = self.sizes.chunks(64).zip(self.numbers.chunks(64));
        for (word, (sizes, numbers)) in self.words.into_iter().zip(halves) {
            for (place, (bytes, &number)) in sizes.iter().zip(numbers).enumerate() {
                // All ones for a row whose bit is set, else zero.
                add((word >> place & 1).wrapping_neg(), bytes, number);
            }
        }
        (size.sum(), allocated.sum())
    }
}

/// A sum of some thousand numbers of 64 bits without a look at each for an overflow.
#[derive(Clone, Copy, Default)]
struct Halves {
    low: u64,
    high: u64,
}

impl Halves {
    #[inline(always)]
    fn add(&mut self, number: u64) {
        self.low += number & 0xffff_ffff;
        self.high += number >> 32;
    }

    fn sum(self) -> u64 {
        let sum = (u128::from(self.high) << 32) + u128::from(self.low);
        u64::try_from(sum).unwrap_or(u64::MAX)
    }
}

/// Sizes of all entries of a selection. Each counts, also where several are one node.
///
/// # Errors
/// As `select`.
pub fn sum(view: &View, selection: &Selection, run: &Run) -> Result<Sums, SelectError> {
    let frame = Frame::new(view, run)?;
    let pieces = view.ids().div_ceil(PIECE);
    let sums = in_pieces(pieces as usize, run, |piece| {
        let mut sums = Sums::default();
        let first = piece as u32 * PIECE;
        let end = first.saturating_add(PIECE).min(view.ids());
        for first in (first..end).step_by(BLOCK as usize) {
            let mask = selection.mask(first);
            if bits::count(&mask) >= FEW && frame.is_plain(first, &mask) {
                sum_of_block(&frame, first, &mask, &mut sums)?;
                continue;
            }
            for bit in bits::ones(&mask) {
                let id = first + bit;
                sums.add(view.size(id)?, view.allocated(id)?);
            }
        }
        Ok(sums)
    })?;
    let mut all = Sums::default();
    sums.iter()
        .for_each(|part| all.add(part.size, part.allocated));
    Ok(all)
}

/// Adds the sizes of rows that columns tell.
fn sum_of_block(
    frame: &Frame<'_>,
    first: u32,
    mask: &bits::Mask,
    sums: &mut Sums,
) -> Result<(), SelectError> {
    let (sizes, column) = (
        frame.segment.sizes(),
        frame.segment.packed_column(SectionId::Allocated)?,
    );
    let mut numbers = [0; PACKED_BLOCK];
    let words = mask.as_chunks::<2>().0;
    for (row, &words) in (first as usize..).step_by(PACKED_BLOCK).zip(words) {
        if words != [0; 2] {
            column.block(row / PACKED_BLOCK, &mut numbers)?;
            let (size, allocated) = run_wide(SumOfRows {
                words,
                sizes: sizes.cells(row..row + PACKED_BLOCK),
                numbers: &numbers,
            });
            sums.add(size, allocated);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
