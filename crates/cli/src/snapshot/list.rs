//! `groma snapshot list`.

use clap::ArgMatches;
use groma_engine::snapshot::{Listed, list};
use groma_formats::json::push_object;
use groma_formats::value::Value;
use groma_sys::path_bytes;

use super::{complain, failure, format, interruptible, path, table};
use crate::completions;
use crate::exit::Exit;

/// Columns of a table.
const COLUMNS: [&str; 7] = [
    "taken", "root", "entries", "unread", "partial", "bytes", "file",
];
/// Members of objects.
const MEMBERS: [&str; 8] = [
    "taken", "root", "entries", "unread", "partial", "bytes", "file", "damage",
];

/// Runs it.
pub(super) fn run(matches: &ArgMatches) -> Exit {
    let cancel = interruptible();
    let dir = path(matches, "dir");
    let listed = match list(&dir, false, &cancel) {
        Ok(listed) => listed,
        Err(error) => return failure(&error),
    };
    let out = match format(matches) {
        "json" => json(&listed),
        _ => lines(&listed),
    };
    let mut exit = Exit::Success;
    for damage in listed
        .iter()
        .filter_map(|listed| listed.told.as_ref().err())
    {
        complain(&damage.to_string());
        exit = Exit::Incomplete;
    }
    if listed.is_empty() {
        complain(&format!("there are no snapshots in '{}'", dir.display()));
    }
    completions::write(&out).worse(exit)
}

fn lines(listed: &[Listed]) -> Vec<u8> {
    let mut out = Vec::new();
    if listed.iter().all(|listed| listed.told.is_err()) {
        return out;
    }
    let mut table = table(&COLUMNS);
    for listed in listed.iter().filter(|listed| listed.told.is_ok()) {
        let file = path_bytes(&listed.path);
        let values = values(listed, &file);
        table.push_row(values.into_iter().take(COLUMNS.len()));
    }
    table.render(&mut out);
    out
}

fn json(listed: &[Listed]) -> Vec<u8> {
    let mut out = b"[".to_vec();
    for (index, listed) in listed.iter().enumerate() {
        out.extend_from_slice(if index == 0 { b"\n" } else { b",\n" });
        let file = path_bytes(&listed.path);
        let damage = listed.told.as_ref().err().map(ToString::to_string);
        let mut values = values(listed, &file);
        values.push(match &damage {
            Some(damage) => Value::Bytes(damage.as_bytes()),
            None => Value::Absent,
        });
        push_object(&MEMBERS, values, &mut out);
    }
    out.extend_from_slice(if listed.is_empty() { b"]\n" } else { b"\n]\n" });
    out
}

fn values<'l>(listed: &'l Listed, file: &'l [u8]) -> Vec<Value<'l>> {
    match &listed.told {
        Ok((facts, about)) => vec![
            Value::Time(about.ended),
            Value::Bytes(&about.root),
            Value::Number(facts.rows.into()),
            Value::Number(facts.unread),
            Value::Is(facts.is_partial),
            Value::Size(facts.length),
            Value::Bytes(file),
        ],
        Err(_) => {
            let mut values = vec![Value::Absent; COLUMNS.len() - 1];
            values.push(Value::Bytes(file));
            values
        }
    }
}
