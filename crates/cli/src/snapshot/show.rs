//! `groma snapshot show` and `groma snapshot verify`.

use std::path::{Path, PathBuf};

use clap::ArgMatches;
use groma_base::CancelToken;
use groma_base::size::human_size;
use groma_base::time::Zoned;
use groma_engine::snapshot::{Loaded, SnapError, Times, load, verify as verify_file};
use groma_formats::json::{push_member, push_object};
use groma_formats::value::Value;
use groma_sys::path_bytes;

use super::{complain, failure, files, format, interruptible, shown};
use crate::completions;
use crate::exit::Exit;

/// Runs it.
pub(super) fn run(matches: &ArgMatches) -> Exit {
    let cancel = interruptible();
    let is_json = format(matches) == "json";
    let (mut out, mut exit) = (Vec::new(), Exit::Success);
    for path in files(matches, "file") {
        match describe(path, is_json, &cancel, &mut out) {
            Ok(()) => {}
            Err(error) => exit = exit.worse(failure(&error)),
        }
    }
    if is_json {
        out = [&b"["[..], &out, b"\n]\n"].concat();
    }
    completions::write(&out).worse(exit)
}

fn describe(
    path: &Path,
    is_json: bool,
    cancel: &CancelToken,
    out: &mut Vec<u8>,
) -> Result<(), SnapError> {
    let loaded = load(path, false, cancel)?;
    let totals = totals(&loaded)?;
    if is_json {
        out.extend_from_slice(if out.is_empty() { b"\n" } else { b",\n" });
        push_json(&loaded, totals, out);
    } else {
        push_lines(&loaded, totals, out);
    }
    Ok(())
}

/// Apparent bytes, bytes on disk and hard-linked entries of a tree, its root included.
fn totals(loaded: &Loaded) -> Result<(u64, u64), SnapError> {
    let measured = |measure| groma_engine::snapshot::tree_bytes(loaded, measure);
    Ok((
        measured(groma_engine::snapshot::Measure::Apparent)?,
        measured(groma_engine::snapshot::Measure::Allocated)?,
    ))
}

fn push_lines(loaded: &Loaded, (size, allocated): (u64, u64), out: &mut Vec<u8>) {
    let mut line = |word: &str, text: String| {
        out.extend_from_slice(format!("{word:11}{text}\n").as_bytes());
    };
    line("file", shown(&path_bytes(&loaded.path)));
    line("root", shown(&loaded.about.root));
    line("source", source(&loaded.about.source));
    line("taken", time(loaded));
    line("entries", loaded.view.len().to_string());
    line("size", sized(size));
    line("allocated", sized(allocated));
    line("unread", loaded.unread.to_string());
    line("partial", yes(loaded.is_partial).to_owned());
    if let Some(facts) = &loaded.facts {
        let per_entry = facts.length as f64 / f64::from(facts.rows.max(1));
        line("times", times(facts.times).to_owned());
        line(
            "bytes",
            format!("{} ({per_entry:.1} per entry)", facts.length),
        );
        line("sha256", facts.sha256_digits());
    }
}

fn push_json(loaded: &Loaded, (size, allocated): (u64, u64), out: &mut Vec<u8>) {
    let path = path_bytes(&loaded.path);
    let facts = loaded.facts.as_ref();
    let digits = facts.map(|facts| facts.sha256_digits());
    let digits = digits.as_deref().map(str::as_bytes);
    let word = loaded.about.source.split(|&b| b == 0).next();
    let names = [
        "file",
        "root",
        "source",
        "begun",
        "ended",
        "entries",
        "size",
        "allocated",
        "unread",
        "partial",
        "times",
        "bytes",
        "sha256",
    ];
    let values = [
        Value::Bytes(&path),
        Value::Bytes(&loaded.about.root),
        Value::Bytes(word.unwrap_or_default()),
        Value::Time(loaded.about.begun),
        Value::Time(loaded.about.ended),
        Value::Number(loaded.view.len().into()),
        Value::Size(size),
        Value::Size(allocated),
        Value::Number(loaded.unread),
        Value::Is(loaded.is_partial),
        facts.map_or(Value::Absent, |facts| Value::Word(times(facts.times))),
        facts.map_or(Value::Absent, |facts| Value::Size(facts.length)),
        digits.map_or(Value::Absent, Value::Bytes),
    ];
    push_object(&names, values, out);
}

fn time(loaded: &Loaded) -> String {
    let ended = loaded.about.ended;
    match ended.to_zoned(Zoned::now().time_zone()) {
        Some(at) => at.strftime("%Y-%m-%d %H:%M:%S").to_string(),
        None => format!("{} seconds since 1970", ended.seconds),
    }
}

fn sized(bytes: u64) -> String {
    match bytes {
        0..1024 => bytes.to_string(),
        _ => format!("{bytes} ({})", human_size(bytes)),
    }
}

fn source(source: &[u8]) -> String {
    let words: Vec<String> = source.split(|&b| b == 0).map(shown).collect();
    words.join(", ")
}

fn times(times: Times) -> &'static str {
    match times {
        Times::All => "all",
        Times::Modified => "modified",
    }
}

fn yes(is: bool) -> &'static str {
    if is { "yes" } else { "no" }
}

/// Verifies files.
pub(super) fn verify(matches: &ArgMatches) -> Exit {
    let cancel = interruptible();
    let mut exit = Exit::Success;
    let paths: Vec<&PathBuf> = files(matches, "file");
    for path in paths {
        let told = match verify_file(path, &cancel) {
            Ok(snapshot) => {
                let facts = snapshot.facts();
                let mut line = shown(&path_bytes(path)).into_bytes();
                let text = format!(
                    ": {} entries, sound, {}\n",
                    facts.rows,
                    facts.sha256_digits()
                );
                line.extend_from_slice(text.as_bytes());
                completions::write(&line)
            }
            Err(SnapError::Cancelled) => return Exit::Failure,
            Err(error) => {
                complain(&error.to_string());
                Exit::Failure
            }
        };
        exit = exit.worse(told);
    }
    exit
}

/// Appends a member whose value is a path.
pub(super) fn push_path(name: &str, path: &[u8], out: &mut Vec<u8>) {
    push_member(name, path, out);
}
