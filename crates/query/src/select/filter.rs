//! Filters on blocks of rows: each takes the rows out that do not pass.

use groma_catalog::{Cell, Column, PACKED_BLOCK, PackedColumn, StoredEntry, WideLoop, run_wide};

use super::SelectError;
use super::bits::{self, BLOCK, Mask};
use super::frame::Frame;
use crate::bound::Expr;

/// A test of rows.
pub(crate) trait Filter: Sync {
    /// Takes the rows out of `mask` that do not pass; `first` is the first row of the block.
    fn apply(&self, first: u32, mask: &mut Mask) -> Result<(), SelectError>;
}

/// Where a word of a mask has no more rows than this, they are looked at one by one.
const FEW: u32 = 6;

/// Keeps what passes of the rows of one word; `test` is asked for places in the word.
#[inline]
pub(crate) fn keep(word: &mut u64, mut test: impl FnMut(usize) -> bool) {
    for bit in bits::word_ones(*word) {
        if !test(bit as usize) {
            *word &= !(1 << bit);
        }
    }
}

/// The answers to at most 64 values as bits.
#[inline(always)]
pub(crate) fn answers<V>(values: &[V], test: impl Fn(&V) -> bool) -> u64 {
    match <&[V; 64]>::try_from(values) {
        Ok(values) => all_answers(values, test),
        Err(_) => {
            let mut answers = 0;
            for (place, value) in values.iter().enumerate() {
                answers |= u64::from(test(value)) << place;
            }
            answers
        }
    }
}

/// Loops whose length is known become vector instructions. They count by themselves: an iterator that
/// is not inlined would be compiled for narrow vectors.
#[inline(always)]
#[allow(clippy::needless_range_loop, reason = "see above")]
fn all_answers<V>(values: &[V; 64], test: impl Fn(&V) -> bool) -> u64 {
    if size_of::<V>() == 8 {
        // Answers are as wide as the values here: they need not be put together from bytes.
        let mut answers = 0;
        for place in 0..64 {
            answers |= u64::from(test(&values[place])) << place;
        }
        return answers;
    }
    let mut answers = [0u8; 64];
    for place in 0..64 {
        answers[place] = u8::from(test(&values[place]));
    }
    bits::gather(&answers)
}

/// Keeps the rows of a mask whose numbers pass. `cells` are the numbers of the block; a row without
/// one does not pass.
#[inline]
pub(crate) fn keep_cells<T: Cell>(cells: &[T::Bytes], mask: &mut Mask, test: impl Fn(T) -> bool) {
    run_wide(KeepCells { cells, mask, test });
}

struct KeepCells<'a, T: Cell, F> {
    cells: &'a [T::Bytes],
    mask: &'a mut Mask,
    test: F,
}

impl<T: Cell, F: Fn(T) -> bool> WideLoop for KeepCells<'_, T, F> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (at, word) in self.mask.iter_mut().enumerate() {
            if *word == 0 {
                continue;
            }
            match self.cells.get(at * 64..at * 64 + 64) {
                Some(cells) if word.count_ones() > FEW => {
                    *word &= answers(cells, |cell| (self.test)(T::read(cell)));
                }
                _ => keep(word, |bit| {
                    let cell = self.cells.get(at * 64 + bit);
                    cell.is_some_and(|cell| (self.test)(T::read(cell)))
                }),
            }
        }
    }
}

/// A test of the numbers of a plain column.
pub(crate) struct Cells<'v, T: Cell, F> {
    pub(crate) column: Column<'v, T>,
    pub(crate) test: F,
}

impl<T: Cell, F: Fn(T) -> bool + Sync> Filter for Cells<'_, T, F> {
    fn apply(&self, first: u32, mask: &mut Mask) -> Result<(), SelectError> {
        let first = first as usize;
        let cells = self.column.cells(first..first + BLOCK as usize);
        keep_cells(cells, mask, |number| (self.test)(number));
        Ok(())
    }
}

/// A test of the numbers of a packed column.
pub(crate) struct PackedCells<'v, F> {
    pub(crate) column: PackedColumn<'v>,
    pub(crate) test: F,
}

impl<F: Fn(u64) -> bool + Sync> Filter for PackedCells<'_, F> {
    fn apply(&self, first: u32, mask: &mut Mask) -> Result<(), SelectError> {
        each_packed(&self.column, first, mask, |_, value| (self.test)(value))
    }
}

/// Goes through the numbers of a packed column at the rows of a mask, 128 at a time. `test` is
/// handed the place in the block as well.
#[inline]
pub(crate) fn each_packed(
    column: &PackedColumn<'_>,
    first: u32,
    mask: &mut Mask,
    test: impl Fn(usize, u64) -> bool,
) -> Result<(), SelectError> {
    let mut values = [0; PACKED_BLOCK];
    for (pair, words) in mask.as_chunks_mut::<2>().0.iter_mut().enumerate() {
        let rows = words[0].count_ones() + words[1].count_ones();
        let start = pair * PACKED_BLOCK;
        if rows == 0 {
            continue;
        }
        if rows > FEW {
            column.block((first as usize + start) / PACKED_BLOCK, &mut values)?;
        }
        for (half, word) in words.iter_mut().enumerate() {
            let start = start + half * 64;
            if rows > FEW {
                let values = &values[half * 64..half * 64 + 64];
                keep_all(word, start, values, &test);
                continue;
            }
            for bit in bits::word_ones(*word) {
                let place = start + bit as usize;
                if !test(place, column.get(first as usize + place)?) {
                    *word &= !(1 << bit);
                }
            }
        }
    }
    Ok(())
}

#[inline]
fn keep_all(word: &mut u64, start: usize, values: &[u64], test: &impl Fn(usize, u64) -> bool) {
    let rows = values.iter().enumerate();
    *word &= rows.fold(0, |all, (place, &value)| {
        all | u64::from(test(start + place, value)) << place
    });
}

/// Asks rows one by one: whatever no column can tell.
pub(crate) struct Singly<'f, 'v> {
    pub(crate) frame: &'f Frame<'v>,
    pub(crate) expr: Expr,
    /// The answer that passes.
    pub(crate) want: bool,
}

impl Filter for Singly<'_, '_> {
    fn apply(&self, first: u32, mask: &mut Mask) -> Result<(), SelectError> {
        for bit in bits::ones(&mask.clone()) {
            if bit % 256 == 0 {
                self.frame.look()?;
            }
            if evaluate(self.frame, &self.expr, first + bit)? != Some(self.want) {
                bits::clear(mask, bit);
            }
        }
        Ok(())
    }
}

/// The answer of one entry.
pub(crate) fn evaluate(
    frame: &Frame<'_>,
    expr: &Expr,
    id: u32,
) -> Result<Option<bool>, SelectError> {
    let entry = StoredEntry::new(frame.view, id)?;
    let answer = expr.evaluate(&entry);
    match entry.damage() {
        Some(damage) => Err(damage.into()),
        None => Ok(answer),
    }
}
