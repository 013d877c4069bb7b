//! `groma snapshot prune`.

use anyhow::{Result, anyhow};
use clap::ArgMatches;
use groma_base::time::Zoned;
use groma_engine::snapshot::{Keep, Pruned, prune};
use groma_formats::json::push_object;
use groma_formats::value::Value;
use groma_sys::path_bytes;

use super::{complain, failure, format, interruptible, path, table};
use crate::completions;
use crate::exit::Exit;

/// Columns of a table, and members of objects.
const COLUMNS: [&str; 6] = ["what", "kept_by", "taken", "root", "bytes", "file"];

/// Runs it.
pub(super) fn run(matches: &ArgMatches) -> Result<Exit> {
    let rules = matches.get_one::<String>("keep").map_or("", String::as_str);
    let keep = Keep::parse(rules).map_err(|error| anyhow!("--keep: {error}"))?;
    let is_dry = matches.get_flag("dry_run");
    let cancel = interruptible();
    let now = Zoned::now();
    let dir = path(matches, "dir");
    let pruned = match prune(&dir, &keep, now.time_zone(), is_dry, &cancel) {
        Ok(pruned) => pruned,
        Err(error) => return Ok(failure(&error)),
    };
    let out = match format(matches) {
        "json" => json(&pruned, is_dry),
        _ => lines(&pruned, is_dry),
    };
    let mut exit = Exit::Success;
    for pruned in &pruned {
        if let Some(damage) = &pruned.damage {
            complain(&format!("{damage}; it stays"));
            exit = exit.worse(Exit::Incomplete);
        }
        if let Some(error) = &pruned.failure {
            complain(&format!("cannot remove {error}"));
            exit = exit.worse(Exit::Failure);
        }
    }
    if cancel.is_cancelled() {
        exit = Exit::Failure;
    }
    Ok(completions::write(&out).worse(exit))
}

fn lines(pruned: &[Pruned], is_dry: bool) -> Vec<u8> {
    let mut table = table(&COLUMNS);
    let mut out = Vec::new();
    if pruned.is_empty() {
        return out;
    }
    for pruned in pruned {
        let (words, file) = (words(pruned), path_bytes(&pruned.path));
        table.push_row(values(pruned, is_dry, &words, &file));
    }
    table.render(&mut out);
    out
}

fn json(pruned: &[Pruned], is_dry: bool) -> Vec<u8> {
    let mut out = b"[".to_vec();
    for (index, pruned) in pruned.iter().enumerate() {
        out.extend_from_slice(if index == 0 { b"\n" } else { b",\n" });
        let (words, file) = (words(pruned), path_bytes(&pruned.path));
        push_object(&COLUMNS, values(pruned, is_dry, &words, &file), &mut out);
    }
    out.extend_from_slice(if pruned.is_empty() { b"]\n" } else { b"\n]\n" });
    out
}

fn words(pruned: &Pruned) -> Vec<&'static str> {
    pruned.kept_by.iter().map(|period| period.word()).collect()
}

fn values<'p>(
    pruned: &'p Pruned,
    is_dry: bool,
    words: &'p [&'static str],
    file: &'p [u8],
) -> [Value<'p>; 6] {
    let what = match pruned {
        Pruned {
            damage: Some(_), ..
        } => "damaged",
        Pruned {
            failure: Some(_), ..
        } => "failed",
        pruned if !pruned.kept_by.is_empty() => "kept",
        _ if is_dry => "would-remove",
        _ => "removed",
    };
    let is_damaged = pruned.damage.is_some();
    let known = |value| if is_damaged { Value::Absent } else { value };
    [
        Value::Word(what),
        Value::Words(words),
        known(Value::Time(pruned.at)),
        known(Value::Bytes(&pruned.root)),
        known(Value::Size(pruned.length)),
        Value::Bytes(file),
    ]
}
