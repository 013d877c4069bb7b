//! Between which times the entries of a view lie.

use groma_catalog::{Damage, ROWS_PER_BLOCK, View};
use groma_query::bound::TimeField;

/// The earliest and the latest whole second of a time, where the catalog knows them without looking
/// at every entry. Entries may lie outside where the catalog is damaged.
pub(super) fn extremes(view: &View, field: TimeField) -> Result<Option<(i64, i64)>, Damage> {
    if field != TimeField::Modified {
        return Ok(None);
    }
    let segment = view.segment();
    let blocks = (segment.rows() as usize).div_ceil(ROWS_PER_BLOCK as usize);
    let mut ends: Option<(i64, i64)> = None;
    let mut widen = |first: i64, last: i64| {
        let (low, high) = ends.unwrap_or((first, last));
        ends = Some((low.min(first), high.max(last)));
    };
    for block in 0..blocks {
        let (first, last) = segment.modified_extremes(block)?;
        widen(first, last);
    }
    for id in segment.rows()..view.ids() {
        if view.place(id).is_some() {
            let seconds = view.modified(id)?.seconds;
            widen(seconds, seconds);
        }
    }
    Ok(ends)
}
