//! What has changed since a snapshot: a list of it, and colours by growth.

use std::collections::HashMap;
use std::path::Path;

use groma_base::CancelToken;
use groma_engine::catalogs::OpenRoot;
use groma_engine::map::Weigh;
use groma_engine::snapshot::{Change, ChangeKind, Comparison, Loaded, Measure, compare, load};

use crate::list::TableLine;
use crate::text::{Numbers, name};

/// What has changed.
pub(crate) struct Changes {
    /// The largest differences first.
    pub(crate) lines: Vec<TableLine>,
    /// Bytes before and after, by the items that are there now.
    pub(crate) growth: HashMap<u32, (u64, u64)>,
}

/// Compares a snapshot with what is shown.
pub(crate) fn changes(
    since: &Path,
    now: &OpenRoot,
    numbers: Numbers,
    cancel: &CancelToken,
) -> Result<Changes, String> {
    let old = load(since, true, cancel).map_err(|error| error.to_string())?;
    let new = Loaded::of_root(now, false).map_err(|error| error.to_string())?;
    let measure = match numbers.weigh {
        Weigh::Apparent => Measure::Apparent,
        _ => Measure::Allocated,
    };
    let compared = compare(&old, &new, measure).map_err(|error| error.to_string())?;
    let mut growth: HashMap<u32, (u64, u64)> = HashMap::new();
    for change in &compared.changes {
        growth.extend(change.new.map(|id| (id, (change.before, change.after))));
    }
    for dir in &compared.dirs {
        growth.extend(dir.new.map(|id| (id, (dir.before, dir.after))));
    }
    let told = compared.changes.iter().filter(|change| !change.is_inside);
    let mut lines: Vec<TableLine> = told
        .map(|change| line(&compared, change, numbers))
        .collect();
    lines.sort_by_key(|line| std::cmp::Reverse(line.weight));
    Ok(Changes { lines, growth })
}

fn line(compared: &Comparison<'_>, change: &Change, numbers: Numbers) -> TableLine {
    let path = |loaded: &Loaded, id: Option<u32>| {
        let mut path = Vec::new();
        id.and_then(|id| loaded.view.append_path(id, &mut path).ok());
        name(&path)
    };
    let (old, new) = (
        path(compared.old, change.old),
        path(compared.new, change.new),
    );
    let whole = |bytes: u64| bytes.max(change.sum);
    let (word, weight, label) = match change.kind {
        ChangeKind::New => ("new", whole(change.after), new),
        ChangeKind::Removed => ("removed", whole(change.before), old),
        ChangeKind::Grown => ("grown", change.after.saturating_sub(change.before), new),
        ChangeKind::Shrunk => ("shrunk", change.before.saturating_sub(change.after), new),
        _ => ("moved", change.after, format!("{old} -> {new}")),
    };
    let sizes = match change.kind {
        ChangeKind::Grown | ChangeKind::Shrunk => format!(
            "  ({} -> {})",
            numbers.bytes(change.before),
            numbers.bytes(change.after)
        ),
        _ => String::new(),
    };
    TableLine {
        label: format!("{word:<8} {label}{sizes}"),
        weight,
        entries: change.entries.max(1),
        query: None,
    }
}

/// How much of what there is, or was, is new or gone: from -1 to 1.
pub(crate) fn rate((before, after): (u64, u64)) -> f64 {
    let most = before.max(after).max(1) as f64;
    (after as f64 - before as f64) / most
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates() {
        assert!((rate((0, 10)) - 1.0).abs() < 1e-9);
        assert!((rate((10, 0)) + 1.0).abs() < 1e-9);
        assert!(rate((0, 0)).abs() < 1e-9);
    }
}
