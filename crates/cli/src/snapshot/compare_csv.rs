//! A comparison as CSV: a line for each change, then one for each directory.

use groma_engine::snapshot::{ChangeKind, SnapError};
use groma_formats::csv;
use groma_formats::value::Value;

use super::compare::Told;

/// Names of the columns.
const COLUMNS: [&str; 8] = [
    "what", "type", "path", "old_path", "before", "after", "growth", "entries",
];

/// Appends all lines.
pub(super) fn push(told: &Told<'_>, out: &mut Vec<u8>) -> Result<(), SnapError> {
    csv::push_header(&COLUMNS, out);
    for change in &told.changes {
        let (path, old_path) = told.change_paths(change)?;
        let growth = change.whole_growth().to_string();
        let (before, after) = match change.kind {
            ChangeKind::New => (0, change.sum),
            ChangeKind::Removed => (change.sum, 0),
            _ => (change.before, change.after),
        };
        let kind = told.comparison.kind(change.old, change.new);
        let values = [
            Value::Word(change.kind.word()),
            Value::Word(kind.word()),
            Value::Bytes(&path),
            old_path.as_deref().map_or(Value::Absent, Value::Bytes),
            Value::Size(before),
            Value::Size(after),
            Value::Bytes(growth.as_bytes()),
            Value::Number(change.entries),
        ];
        csv::push_row(values, out);
    }
    for dir in told.dirs {
        let (path, _) = told.paths(dir.old, dir.new, false)?;
        let growth = dir.growth().to_string();
        let values = [
            Value::Word("below"),
            Value::Word("dir"),
            Value::Bytes(&path),
            Value::Absent,
            Value::Size(dir.before),
            Value::Size(dir.after),
            Value::Bytes(growth.as_bytes()),
            Value::Absent,
        ];
        csv::push_row(values, out);
    }
    Ok(())
}
