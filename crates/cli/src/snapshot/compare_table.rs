//! A comparison as tables for people.

use groma_base::size::human_size;
use groma_engine::snapshot::{ChangeKind, SnapError, bytes_per_day};
use groma_formats::value::Value;
use groma_sys::path_bytes;

use super::compare::Told;
use super::table;

/// Appends the trees, sums by kind of change, directories, changes.
pub(super) fn push(told: &Told<'_>, out: &mut Vec<u8>) -> Result<(), SnapError> {
    push_trees(told, out);
    push_sums(told, out);
    push_dirs(told, out)?;
    push_changes(told, out)
}

fn push_trees(told: &Told<'_>, out: &mut Vec<u8>) {
    let mut trees = table(&["taken", "entries", "bytes", "growth", "per-day", "tree"]);
    let mut before = None;
    for (tree, point) in told.trees.iter().zip(&told.points) {
        let path = path_bytes(&tree.path);
        let growth = before.map(|before: u64| i128::from(point.bytes) - i128::from(before));
        let growth = growth.map(signed);
        let per_day = point.per_day.map(rounded);
        before = Some(point.bytes);
        let size = human_size(point.bytes);
        trees.push_row([
            Value::Time(point.at),
            Value::Number(point.entries.into()),
            Value::Bytes(size.as_bytes()),
            text(growth.as_ref()),
            text(per_day.as_ref()),
            Value::Bytes(&path),
        ]);
    }
    trees.render(out);
}

fn push_sums(told: &Told<'_>, out: &mut Vec<u8>) {
    out.push(b'\n');
    let mut sums = table(&["change", "entries", "growth"]);
    for kind in ChangeKind::ALL {
        let sum = told.comparison.sum(kind);
        let growth = signed(sum.growth);
        sums.push_row([
            Value::Word(kind.word()),
            Value::Number(sum.entries),
            Value::Bytes(growth.as_bytes()),
        ]);
    }
    let (growth, per_day) = (
        signed(told.comparison.growth()),
        told.per_day().map(rounded),
    );
    sums.render(out);
    let per_day = per_day.map_or_else(String::new, |per_day| format!(", {per_day} a day"));
    out.extend_from_slice(format!("in all {growth}{per_day}\n").as_bytes());
}

fn push_dirs(told: &Told<'_>, out: &mut Vec<u8>) -> Result<(), SnapError> {
    if told.dirs.is_empty() {
        return Ok(());
    }
    out.push(b'\n');
    let mut dirs = table(&["growth", "before", "after", "directory"]);
    for dir in told.dirs {
        let (path, _) = told.paths(dir.old, dir.new, false)?;
        let growth = signed(dir.growth());
        let (before, after) = (human_size(dir.before), human_size(dir.after));
        dirs.push_row([
            Value::Bytes(growth.as_bytes()),
            Value::Bytes(before.as_bytes()),
            Value::Bytes(after.as_bytes()),
            Value::Bytes(&path),
        ]);
    }
    dirs.render(out);
    let more = told.comparison.dirs.len() - told.dirs.len();
    push_more(more as u64, "directories", out);
    Ok(())
}

fn push_changes(told: &Told<'_>, out: &mut Vec<u8>) -> Result<(), SnapError> {
    if told.changes.is_empty() {
        return Ok(());
    }
    out.push(b'\n');
    let mut changes = table(&["change", "growth", "entries", "path", "from"]);
    for change in &told.changes {
        let (path, old_path) = told.change_paths(change)?;
        let growth = signed(change.whole_growth());
        changes.push_row([
            Value::Word(change.kind.word()),
            Value::Bytes(growth.as_bytes()),
            Value::Number(change.entries),
            Value::Bytes(&path),
            old_path.as_deref().map_or(Value::Bytes(b""), Value::Bytes),
        ]);
    }
    changes.render(out);
    push_more(told.more, "changes", out);
    Ok(())
}

fn push_more(more: u64, what: &str, out: &mut Vec<u8>) {
    if more > 0 {
        out.extend_from_slice(format!("... and {more} more {what}\n").as_bytes());
    }
}

fn text(text: Option<&String>) -> Value<'_> {
    text.map_or(Value::Absent, |text| Value::Bytes(text.as_bytes()))
}

/// Bytes with a sign.
fn signed(bytes: i128) -> String {
    let size = human_size(u64::try_from(bytes.unsigned_abs()).unwrap_or(u64::MAX));
    match bytes {
        0 => "0".to_owned(),
        1.. => format!("+{size}"),
        _ => format!("-{size}"),
    }
}

/// The same of bytes a day.
fn rounded(bytes: f64) -> String {
    // Far below 2^127.
    signed(bytes.round() as i128)
}

impl Told<'_> {
    /// Bytes a day from the first tree to the last.
    pub(super) fn per_day(&self) -> Option<f64> {
        let (first, last) = self.points.first().zip(self.points.last())?;
        bytes_per_day(self.comparison.growth(), first.at, last.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_have_signs() {
        for (bytes, want) in [(0, "0"), (5, "+5"), (-2048, "-2.0K")] {
            assert_eq!(signed(bytes), want);
        }
        assert_eq!(rounded(-0.2), "0");
    }
}
