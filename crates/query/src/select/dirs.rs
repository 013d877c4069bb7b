//! What is told of directories alone: how much lies in them, directly and in all.

use std::ops::RangeInclusive;

use groma_catalog::{Damage, SectionId};

use super::SelectError;
use super::frame::{DirTable, Frame};
use super::numbers::is_in;
use super::set::RowSet;
use crate::bound::NumberField;

/// The directories of a sealed view whose number is in one of the ranges.
pub(crate) fn matching(
    frame: &Frame<'_>,
    field: NumberField,
    ranges: &[RangeInclusive<u64>],
) -> Result<RowSet, SelectError> {
    let numbers = numbers(frame, field)?;
    frame.look()?;
    let rows = frame.dirs()?.rows.iter().zip(numbers);
    let kept = rows.filter(|(_, number)| is_in(ranges, *number));
    Ok(RowSet::Sparse(kept.map(|(&row, _)| row).collect()))
}

/// The number of each directory of a sealed view, in the order of rows.
pub(crate) fn numbers(frame: &Frame<'_>, field: NumberField) -> Result<Vec<u64>, Damage> {
    let column = |id: SectionId| {
        let column = frame.segment.packed_column(id)?;
        let mut numbers = Vec::with_capacity(column.len());
        column.append(0..column.len(), &mut numbers)?;
        Ok(numbers)
    };
    match field {
        NumberField::TreeSize => column(SectionId::DirSize),
        NumberField::TreeAllocated => column(SectionId::DirAllocated),
        NumberField::TreeItems => {
            let table = frame.dirs()?;
            let rows = table.rows.iter().zip(&table.ends);
            // An end is behind its row; where it is not, the catalog is damaged, and a check says so.
            let items = rows.map(|(row, end)| u64::from(end.saturating_sub(row + 1)));
            Ok(items.collect())
        }
        NumberField::Dirs => Ok(subdirectories(frame.dirs()?)),
        NumberField::Files => {
            let items = column(SectionId::DirChildren)?;
            let dirs = subdirectories(frame.dirs()?);
            let files = items.iter().zip(dirs);
            Ok(files
                .map(|(items, dirs)| items.saturating_sub(dirs))
                .collect())
        }
        _ => column(SectionId::DirChildren),
    }
}

/// How many directories lie directly in each.
fn subdirectories(table: &DirTable) -> Vec<u64> {
    let mut counts = vec![0; table.rows.len()];
    let mut open: Vec<usize> = Vec::new();
    for (at, &row) in table.rows.iter().enumerate() {
        // In the order of paths, whatever is still open is above.
        while open.last().is_some_and(|&dir| table.ends[dir] <= row) {
            open.pop();
        }
        if let Some(&parent) = open.last() {
            counts[parent] += 1;
        }
        open.push(at);
    }
    counts
}
