//! Tests of times: whole seconds decide, nanoseconds are looked at where a second is cut.

use groma_base::Timestamp;
use groma_base::time::TimeSpan;
use groma_catalog::{Column, Damage, PACKED_BLOCK, PackedColumn, SectionId, unpacked_seconds};

use super::SelectError;
use super::bits::{self, BLOCK, Mask};
use super::filter::{Filter, answers};
use super::frame::Frame;
use super::numbers::settle;
use super::range::CellRange;
use crate::bound::TimeField;

/// A test of one time of each row.
pub(crate) struct Times<'f, 'v> {
    frame: &'f Frame<'v>,
    seconds: Seconds<'v>,
    nanoseconds: PackedColumn<'v>,
    spans: Vec<Cut>,
    want: bool,
}

#[derive(Clone, Copy)]
enum Seconds<'v> {
    Plain(Column<'v, i64>),
    Packed(PackedColumn<'v>),
}

/// A stretch of time and what whole seconds say of it.
#[derive(Clone, Copy)]
struct Cut {
    span: TimeSpan,
    /// The seconds that lie within as a whole.
    whole: Option<CellRange>,
}

impl Cut {
    fn new(span: &TimeSpan) -> Cut {
        let is_cut = span.start.nanoseconds > 0;
        let (first, end) = (
            span.start.seconds.saturating_add(i64::from(is_cut)),
            span.end.seconds,
        );
        Cut {
            span: *span,
            whole: (first < end).then(|| CellRange::of_seconds(first, end - 1)),
        }
    }

    #[inline]
    fn holds(&self, second: i64) -> bool {
        self.whole
            .is_some_and(|range| range.holds(second.cast_unsigned()))
    }

    /// Whether it begins or ends within a second.
    fn has_ends(&self) -> bool {
        self.span.start.nanoseconds > 0 || self.span.end.nanoseconds > 0
    }

    /// Whether a part of this second, and not all of it, may lie within.
    #[inline]
    fn is_cut(&self, second: i64) -> bool {
        (second == self.span.start.seconds && self.span.start.nanoseconds > 0)
            || (second == self.span.end.seconds && self.span.end.nanoseconds > 0)
    }
}

/// The columns of a time: whole seconds, unless they are plain, and nanoseconds.
pub(crate) fn sections(field: TimeField) -> (Option<SectionId>, SectionId) {
    match field {
        TimeField::Modified => (None, SectionId::ModifiedNanos),
        TimeField::Created => (Some(SectionId::Created), SectionId::CreatedNanos),
        TimeField::Accessed => (Some(SectionId::Accessed), SectionId::AccessedNanos),
        TimeField::Changed => (Some(SectionId::Changed), SectionId::ChangedNanos),
    }
}

impl<'f, 'v> Times<'f, 'v> {
    pub(crate) fn new(
        frame: &'f Frame<'v>,
        field: TimeField,
        spans: &[TimeSpan],
        want: bool,
    ) -> Result<Times<'f, 'v>, Damage> {
        let segment = frame.segment;
        let (seconds, nanoseconds) = sections(field);
        Ok(Times {
            frame,
            seconds: match seconds {
                Some(id) => Seconds::Packed(segment.packed_column(id)?),
                None => Seconds::Plain(segment.modified_seconds()),
            },
            nanoseconds: segment.packed_column(nanoseconds)?,
            spans: spans.iter().map(Cut::new).collect(),
            want,
        })
    }

    /// The answer for a row whose second alone does not tell.
    fn looks_closer(&self, row: usize, seconds: i64) -> Result<bool, Damage> {
        let nanoseconds = self.nanoseconds.get(row)?;
        let nanoseconds = u32::try_from(nanoseconds)
            .ok()
            .filter(|&n| n < 1_000_000_000)
            .ok_or_else(|| self.nanoseconds.wrong(row, "more than a second"))?;
        let at = Timestamp {
            seconds,
            nanoseconds,
        };
        Ok(self.spans.iter().any(|cut| cut.span.contains(at)))
    }

    /// Keeps the rows of one word that pass, by its numbers from a packed column.
    fn keep(&self, word: &mut u64, row: usize, numbers: &[u64]) -> Result<(), Damage> {
        let second = |number: &u64| unpacked_seconds(*number);
        let mut yes = match &self.spans[..] {
            [one] => answers(numbers, |value| one.holds(second(value))),
            several => answers(numbers, |value| {
                let second = second(value);
                several.iter().any(|cut| cut.holds(second))
            }),
        };
        if self.spans.iter().any(Cut::has_ends) {
            let is_cut = |value: &u64| {
                let second = second(value);
                self.spans.iter().any(|cut| cut.is_cut(second))
            };
            let open = *word & !yes & answers(numbers, is_cut);
            for bit in bits::word_ones(open) {
                let Some(value) = numbers.get(bit as usize) else {
                    break;
                };
                if self.looks_closer(row + bit as usize, second(value))? {
                    yes |= 1 << bit;
                }
            }
        }
        *word &= if self.want { yes } else { !yes };
        Ok(())
    }

    /// Keeps the rows of a block that pass, by a plain column.
    fn keep_plain(
        &self,
        column: &Column<'_, i64>,
        first: u32,
        mask: &mut Mask,
    ) -> Result<(), SelectError> {
        let start = first as usize;
        let cells = column.cells(start..start + BLOCK as usize);
        let mut yes = bits::NONE;
        for cut in &self.spans {
            let mut open = bits::without(mask, &yes);
            if let Some(range) = cut.whole {
                let mut within = open;
                range.keep(cells, true, &mut within);
                yes.iter_mut()
                    .zip(within)
                    .for_each(|(yes, more)| *yes |= more);
                open = bits::without(&open, &within);
            }
            for end in [cut.span.start, cut.span.end] {
                if end.nanoseconds == 0 {
                    continue;
                }
                let mut same = open;
                CellRange::of_seconds(end.seconds, end.seconds).keep(cells, true, &mut same);
                for bit in bits::ones(&same) {
                    if self.looks_closer(start + bit as usize, end.seconds)? {
                        bits::set(&mut yes, bit);
                    }
                }
            }
        }
        *mask = if self.want {
            yes
        } else {
            bits::without(mask, &yes)
        };
        Ok(())
    }

    /// Whether a block need not be looked at: all of it is within, or none.
    fn whole_block(&self, first: u32) -> Result<Option<bool>, Damage> {
        if matches!(self.seconds, Seconds::Packed(_)) {
            return Ok(None);
        }
        let block = (first / BLOCK) as usize;
        let (least, most) = self.frame.segment.modified_extremes(block)?;
        if self
            .spans
            .iter()
            .any(|cut| cut.holds(least) && cut.holds(most))
        {
            return Ok(Some(true));
        }
        let is_apart = |cut: &Cut| most < cut.span.start.seconds || least > cut.span.end.seconds;
        Ok(self.spans.iter().all(is_apart).then_some(false))
    }
}

impl Filter for Times<'_, '_> {
    fn apply(&self, first: u32, mask: &mut Mask) -> Result<(), SelectError> {
        if let Some(answer) = self.whole_block(first)? {
            return settle(mask, answer == self.want);
        }
        let start = first as usize;
        match &self.seconds {
            Seconds::Plain(column) => self.keep_plain(column, first, mask)?,
            Seconds::Packed(column) => {
                let mut numbers = [0; PACKED_BLOCK];
                for (pair, words) in mask.as_chunks_mut::<2>().0.iter_mut().enumerate() {
                    if words[0] | words[1] == 0 {
                        continue;
                    }
                    let row = start + pair * PACKED_BLOCK;
                    column.block(row / PACKED_BLOCK, &mut numbers)?;
                    for (half, word) in words.iter_mut().enumerate() {
                        let numbers = &numbers[half * 64..half * 64 + 64];
                        self.keep(word, row + half * 64, numbers)?;
                    }
                }
            }
        }
        Ok(())
    }
}
