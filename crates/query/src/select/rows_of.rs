//! From names to rows: by their lists where names are few, by the column of names otherwise.

use super::SelectError;
use super::bits::{self, BLOCK};
use super::filter::{Cells, Filter};
use super::frame::Frame;
use super::names::NameSet;
use super::parallel::in_pieces;
use super::set::RowSet;

/// Blocks of one piece of work.
const BLOCKS: u32 = 16;

/// All rows of the segment that have one of the names, whether the view shows them or not.
pub(crate) fn rows_of(frame: &Frame<'_>, names: &NameSet) -> Result<RowSet, SelectError> {
    if let Some(rows) = names.few_rows(frame)? {
        return Ok(rows);
    }
    let filter = name_filter(frame, names.clone());
    let pieces = frame.rows.div_ceil(BLOCK * BLOCKS);
    let words = in_pieces(pieces as usize, frame.run, |piece| {
        let mut words = Vec::with_capacity(BLOCKS as usize * bits::WORDS);
        // There are fewer pieces than rows.
        let first = piece as u32 * BLOCKS * BLOCK;
        let end = first.saturating_add(BLOCKS * BLOCK).min(frame.rows);
        for first in (first..end).step_by(BLOCK as usize) {
            let mut mask = bits::NONE;
            bits::set_range(&mut mask, 0..BLOCK.min(frame.rows - first));
            filter.apply(first, &mut mask)?;
            words.extend_from_slice(&mask);
        }
        Ok(words)
    })?;
    let mut words = words.concat();
    words.truncate((frame.rows as usize).div_ceil(64));
    Ok(RowSet::Dense(words))
}

/// Rows that have one of the names.
pub(crate) fn name_filter<'v>(frame: &Frame<'v>, names: NameSet) -> Box<dyn Filter + 'v> {
    let column = frame.segment.name_numbers();
    match names {
        NameSet::Range(range) => {
            let (start, length) = (range.start, range.end.saturating_sub(range.start));
            let test = move |name: u32| name.wrapping_sub(start) < length;
            Box::new(Cells { column, test })
        }
        NameSet::Bits(set) => {
            let test = move |name| bits::has(&set, name);
            Box::new(Cells { column, test })
        }
        NameSet::List(list) => {
            let mut set = bits::empty(frame.names.len());
            let known = list.into_iter().filter(|&name| name < frame.names.len());
            known.for_each(|name| bits::set(&mut set, name));
            let test = move |name| bits::has(&set, name);
            Box::new(Cells { column, test })
        }
    }
}
