//! Tests of times: whole seconds decide, nanoseconds are looked at where a second is cut.

use groma_base::Timestamp;
use groma_base::time::TimeSpan;
use groma_catalog::{Column, Damage, PACKED_BLOCK, PackedColumn, SectionId, unpacked_seconds};

use super::SelectError;
use super::bits::{self, BLOCK, Mask};
use super::filter::{Filter, answers};
use super::frame::Frame;
use super::numbers::settle;
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
    /// All of these seconds lie within.
    first: i64,
    after: i64,
}

impl Cut {
    fn new(span: &TimeSpan) -> Cut {
        let first = span.start.seconds;
        let is_cut = span.start.nanoseconds > 0;
        Cut {
            span: *span,
            first: first.saturating_add(i64::from(is_cut)),
            after: span.end.seconds,
        }
    }

    #[inline]
    fn holds(&self, second: i64) -> bool {
        self.first <= second && second < self.after
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

    /// Keeps the rows of one word that pass; `seconds` are those of its 64 rows.
    fn keep(&self, word: &mut u64, row: usize, seconds: &[i64; 64]) -> Result<(), Damage> {
        let mut yes = match &self.spans[..] {
            [one] => answers(seconds, |&second| one.holds(second)),
            several => answers(seconds, |&s| several.iter().any(|cut| cut.holds(s))),
        };
        if self.spans.iter().any(Cut::has_ends) {
            let is_cut = |s: &i64| self.spans.iter().any(|cut| cut.is_cut(*s));
            let open = *word & !yes & answers(seconds, is_cut);
            for bit in bits::word_ones(open) {
                if self.looks_closer(row + bit as usize, seconds[bit as usize])? {
                    yes |= 1 << bit;
                }
            }
        }
        *word &= if self.want { yes } else { !yes };
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
        let mut seconds = [[0; 64]; 2];
        let mut numbers = [0; PACKED_BLOCK];
        for (pair, words) in mask.as_chunks_mut::<2>().0.iter_mut().enumerate() {
            if words[0] | words[1] == 0 {
                continue;
            }
            let row = start + pair * PACKED_BLOCK;
            match &self.seconds {
                Seconds::Plain(column) => {
                    let values = column.iter(row..row + PACKED_BLOCK);
                    seconds
                        .as_flattened_mut()
                        .iter_mut()
                        .zip(values)
                        .for_each(|(s, v)| *s = v);
                }
                Seconds::Packed(column) => {
                    column.block(row / PACKED_BLOCK, &mut numbers)?;
                    let values = numbers.iter().map(|&n| unpacked_seconds(n));
                    seconds
                        .as_flattened_mut()
                        .iter_mut()
                        .zip(values)
                        .for_each(|(s, v)| *s = v);
                }
            }
            for (half, word) in words.iter_mut().enumerate() {
                self.keep(word, row + half * 64, &seconds[half])?;
            }
        }
        Ok(())
    }
}
