//! `groma index list` and `groma index where`.

use std::io::IsTerminal;
use std::path::PathBuf;

use anyhow::Result;
use clap::ArgMatches;
use groma_base::size::human_size;
use groma_engine::index::{ListedRoot, Presence, SourceKind, find_root, list};
use groma_formats::escape;

use super::add::now;
use super::table::Table;
use super::{complain, failure, is_json, push_path};
use crate::exit::Exit;
use crate::{catalog_dir, completions};

/// Lists the roots.
pub(super) fn run(matches: &ArgMatches) -> Result<Exit> {
    let catalog = catalog_dir::of(matches)?;
    let roots = match list(&catalog) {
        Ok(roots) => roots,
        Err(error) => return Ok(failure(&error)),
    };
    if is_json(matches) {
        return Ok(completions::write(&json(&roots)));
    }
    if roots.is_empty() {
        complain("the catalog has no roots; 'groma index add PATH' makes one");
        return Ok(Exit::Success);
    }
    Ok(completions::write(table(&roots).as_bytes()))
}

/// Tells which files hold a root: its segment, and the log of what has changed since.
pub(super) fn run_where(matches: &ArgMatches) -> Result<Exit> {
    let catalog = catalog_dir::of(matches)?;
    let given = matches.get_one::<PathBuf>("root");
    let Some(given) = given else {
        let mut out = groma_sys::path_bytes(&catalog).into_owned();
        out.push(b'\n');
        return Ok(completions::write(&out));
    };
    match find_root(&catalog, Some(given)) {
        Ok(roots) => {
            let mut out = Vec::new();
            for (record, file) in roots {
                let log = (!record.log.is_empty()).then(|| catalog.join(&record.log));
                for file in std::iter::once(file).chain(log) {
                    out.extend_from_slice(&groma_sys::path_bytes(&file));
                    out.push(b'\n');
                }
            }
            Ok(completions::write(&out))
        }
        Err(error) => Ok(failure(&error)),
    }
}

fn table(roots: &[ListedRoot]) -> String {
    let mut table = Table::new(&[
        "root", "entries", "size", "age", "unread", "source", "state",
    ]);
    for root in roots {
        let record = &root.record;
        table.push([
            shown(&record.path),
            record.entries.to_string(),
            human_size(record.length + record.log_length),
            age(now().seconds - record.ended.seconds),
            record.unread.to_string(),
            source(&record.source),
            state(&root.presence),
        ]);
    }
    table.render()
}

/// A name may be hostile to a terminal.
fn shown(path: &[u8]) -> String {
    let mut out = Vec::new();
    if std::io::stdout().is_terminal() {
        escape::terminal(path, &mut out);
    } else {
        out.extend_from_slice(path);
    }
    String::from_utf8_lossy(&out).into_owned()
}

fn age(seconds: i64) -> String {
    let (number, unit) = match seconds {
        ..0 => return "0 s".to_owned(),
        0..120 => (seconds, "s"),
        120..7_200 => (seconds / 60, "min"),
        7_200..172_800 => (seconds / 3_600, "h"),
        _ => (seconds / 86_400, "d"),
    };
    format!("{number} {unit}")
}

fn source(source: &[u8]) -> String {
    let kind = SourceKind::of(source).map_or("?", SourceKind::word);
    match SourceKind::is_quick(source) {
        true => format!("{kind}, quick"),
        false => kind.to_owned(),
    }
}

fn state(presence: &Presence) -> String {
    match presence {
        Presence::Here => "here".to_owned(),
        Presence::At(path) => format!("now at {}", shown(&groma_sys::path_bytes(path))),
        Presence::Gone => "gone".to_owned(),
        Presence::Listed => "listed".to_owned(),
    }
}

fn json(roots: &[ListedRoot]) -> Vec<u8> {
    let mut out = b"[".to_vec();
    for (index, root) in roots.iter().enumerate() {
        out.extend_from_slice(if index == 0 { b"\n" } else { b",\n" });
        push_json(root, &mut out);
    }
    out.extend_from_slice(if roots.is_empty() { b"]\n" } else { b"\n]\n" });
    out
}

fn push_json(root: &ListedRoot, out: &mut Vec<u8>) {
    let record = &root.record;
    out.push(b'{');
    push_path("path", &record.path, out);
    out.push(b',');
    push_path("key", &record.key, out);
    let word = SourceKind::of(&record.source).map_or("unknown", SourceKind::word);
    let state = match &root.presence {
        Presence::Here => "here",
        Presence::At(_) => "moved",
        Presence::Gone => "gone",
        Presence::Listed => "listed",
    };
    out.extend_from_slice(
        format!(
            ",\"source\":\"{word}\",\"quick\":{},\"rows\":{},\"bytes\":{},\"unread\":{},\"state\":\"{state}\",",
            SourceKind::is_quick(&record.source),
            record.entries,
            record.length + record.log_length,
            record.unread
        )
        .as_bytes(),
    );
    out.extend_from_slice(b"\"ended\":\"");
    groma_formats::json::rfc3339(record.ended, out);
    out.push(b'"');
    out.push(b',');
    if let Presence::At(path) = &root.presence {
        push_path("now_at", &groma_sys::path_bytes(path), out);
        out.push(b',');
    }
    push_path("file", &groma_sys::path_bytes(&root.file), out);
    out.push(b'}');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages_are_short() {
        for (seconds, want) in [
            (-5, "0 s"),
            (7, "7 s"),
            (180, "3 min"),
            (9_000, "2 h"),
            (200_000, "2 d"),
        ] {
            assert_eq!(age(seconds), want);
        }
    }
}
