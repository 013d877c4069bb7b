//! A comparison as one JSON object.

use groma_engine::snapshot::{Change, ChangeKind, DirGrowth, Loaded, Measure, SnapError};
use groma_formats::json::push_object;
use groma_formats::value::Value;
use groma_sys::path_bytes;

use super::compare::Told;
use super::show::push_path;

/// Appends it.
pub(super) fn push(told: &Told<'_>, out: &mut Vec<u8>) -> Result<(), SnapError> {
    let comparison = told.comparison;
    let measure = match comparison.measure {
        Measure::Allocated => "allocated",
        Measure::Apparent => "apparent",
    };
    out.extend_from_slice(format!("{{\"measure\":\"{measure}\",\"trees\":[").as_bytes());
    for (index, tree) in told.trees.iter().enumerate() {
        separate(index, out);
        push_tree(told, tree, index, out);
    }
    let per_day = told.per_day();
    out.extend_from_slice(
        format!(
            "\n],\"seconds\":{},\"growth\":{},\"growth_per_day\":{},\"sums\":{{",
            comparison.seconds(),
            comparison.growth(),
            number(per_day)
        )
        .as_bytes(),
    );
    for (index, kind) in ChangeKind::ALL.into_iter().enumerate() {
        let sum = comparison.sum(kind);
        separate(index, out);
        out.extend_from_slice(
            format!(
                "\"{}\":{{\"entries\":{},\"growth\":{}}}",
                kind.word(),
                sum.entries,
                sum.growth
            )
            .as_bytes(),
        );
    }
    out.extend_from_slice(b"\n},\"changes\":[");
    for (index, change) in told.changes.iter().enumerate() {
        separate(index, out);
        push_change(told, change, out)?;
    }
    out.extend_from_slice(b"\n],\"directories\":[");
    for (index, dir) in told.dirs.iter().enumerate() {
        separate(index, out);
        push_dir(told, dir, out)?;
    }
    out.extend_from_slice(b"\n]}\n");
    Ok(())
}

fn separate(index: usize, out: &mut Vec<u8>) {
    out.extend_from_slice(if index == 0 { b"\n" } else { b",\n" });
}

/// A number, or null where it is not known.
fn number(number: Option<f64>) -> String {
    number.map_or_else(|| "null".to_owned(), |number| format!("{number:.1}"))
}

fn push_tree(told: &Told<'_>, tree: &Loaded, index: usize, out: &mut Vec<u8>) {
    let point = told.points.get(index);
    let path = path_bytes(&tree.path);
    let names = [
        "file", "root", "taken", "entries", "bytes", "unread", "partial",
    ];
    let values = [
        Value::Bytes(&path),
        Value::Bytes(&tree.about.root),
        Value::Time(tree.about.ended),
        Value::Number(tree.view.len().into()),
        point.map_or(Value::Absent, |point| Value::Size(point.bytes)),
        Value::Number(tree.unread),
        Value::Is(tree.is_partial),
    ];
    push_object(&names, values, out);
    out.pop();
    let per_day = number(point.and_then(|point| point.per_day));
    out.extend_from_slice(format!(",\"growth_per_day\":{per_day}}}").as_bytes());
}

fn push_change(told: &Told<'_>, change: &Change, out: &mut Vec<u8>) -> Result<(), SnapError> {
    let (path, old_path) = told.change_paths(change)?;
    let kind = told.comparison.kind(change.old, change.new);
    out.extend_from_slice(
        format!(
            "{{\"change\":\"{}\",\"kind\":\"{}\",",
            change.kind.word(),
            kind.word()
        )
        .as_bytes(),
    );
    push_path("path", &path, out);
    if let Some(old_path) = old_path {
        out.push(b',');
        push_path("old_path", &old_path, out);
    }
    out.extend_from_slice(
        format!(
            ",\"before\":{},\"after\":{},\"growth\":{},\"entries\":{}}}",
            change.before,
            change.after,
            change.whole_growth(),
            change.entries
        )
        .as_bytes(),
    );
    Ok(())
}

fn push_dir(told: &Told<'_>, dir: &DirGrowth, out: &mut Vec<u8>) -> Result<(), SnapError> {
    let (path, _) = told.paths(dir.old, dir.new, false)?;
    out.push(b'{');
    push_path("path", &path, out);
    out.extend_from_slice(
        format!(
            ",\"before\":{},\"after\":{},\"growth\":{}}}",
            dir.before,
            dir.after,
            dir.growth()
        )
        .as_bytes(),
    );
    Ok(())
}
