//! A question at work: opens the catalog, counts, writes the answer.

use std::io::{self, Write};

use groma_engine::catalogs::OpenRoot;
use groma_engine::search::{Within, within};
use groma_engine::stats::{self, Reading, Report, StatsError};
use groma_formats::escape;

use super::request::{Form, Request};
use super::{csv, fail, json, table};
use crate::catalog_dir;
use crate::exit::Exit;
use crate::report::{reason, say};

/// Answers a question.
pub(super) fn run(request: &Request) -> Exit {
    let Some(roots) = catalog_dir::open(&request.catalog, fail) else {
        return Exit::Failure;
    };
    groma_sys::set_when_interrupted(request.run.cancel.flag());
    if let Some(why) = unknown_directory(request, &roots) {
        fail(&why);
        return Exit::Failure;
    }
    let report = match stats::run(&request.plan, &roots, &request.run) {
        Ok(report) => report,
        // The exit code says so.
        Err(StatsError::Cancelled) => return Exit::Failure,
        Err(error) => {
            fail(&error.to_string());
            return Exit::Failure;
        }
    };
    match rendered(request, &report).and_then(|text| write(request, &text)) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            fail(&format!("cannot write: {}", reason(&error.to_string())));
            Exit::Failure
        }
        _ => concluded(request, report.reading.as_ref()),
    }
}

/// What is wrong with a directory of `--in`.
fn unknown_directory(request: &Request, roots: &[OpenRoot]) -> Option<String> {
    request.within.iter().find_map(|path| {
        let why = match within(roots, path) {
            Ok(Within::Directory) => return None,
            Ok(Within::NoDirectory) => "is no directory".to_owned(),
            Ok(Within::Nothing) => {
                "is not in the catalog; 'groma index refresh' looks for new ones".to_owned()
            }
            Ok(_) => "is in no root of the catalog; 'groma index add' makes it one".to_owned(),
            Err(error) => error.to_string(),
        };
        Some(format!("--in: '{}' {why}", shown(path)))
    })
}

fn rendered(request: &Request, report: &Report) -> io::Result<Vec<u8>> {
    let mut out = Vec::new();
    match request.form {
        Form::Table => table::push(report, request.now.time_zone(), &mut out),
        Form::Csv => csv::push(report, &mut out),
        Form::Json => json::push(report, &mut out),
        Form::Ndjson => json::push_lines(report, &mut out),
        Form::Parquet => stats::write_parquet(report, &mut out)?,
    }
    Ok(out)
}

fn write(request: &Request, text: &[u8]) -> io::Result<()> {
    match &request.output {
        Some(path) => groma_sys::replace_file(path, |file| file.write_all(text)),
        None => {
            let mut stdout = io::stdout();
            stdout.write_all(text)?;
            stdout.flush()
        }
    }
}

/// Says what a person may want to know besides the numbers.
fn concluded(request: &Request, reading: Option<&Reading>) -> Exit {
    let Some(reading) = reading else {
        return Exit::Success;
    };
    if request.show_errors {
        for warning in &reading.unreadable {
            let error = warning.error.to_string();
            let path = shown(&warning.path);
            fail(&format!(
                "cannot {} '{path}': {}",
                warning.action,
                reason(&error)
            ));
        }
        let lists = [
            (&reading.changed, "has changed"),
            (&reading.vanished, "is gone"),
        ];
        for (paths, what) in lists {
            paths
                .iter()
                .for_each(|path| note(&format!("'{}' {what}", shown(path))));
        }
    }
    let changed = reading.changed.len() + reading.vanished.len();
    if changed > 0 {
        note(&format!(
            "{} changed since the catalog was made, and left out; 'groma index refresh' brings it up \
             to date",
            files(changed as u64)
        ));
    }
    let (skipped, bytes) = reading.skipped;
    if skipped > 0 {
        note(&format!(
            "{} of {bytes} bytes left out: --read-budget does not reach for them",
            files(skipped)
        ));
    }
    if reading.unreadable.is_empty() {
        return Exit::Success;
    }
    let count = files(reading.unreadable.len() as u64);
    fail(&format!(
        "{count} could not be read (--show-errors lists them)"
    ));
    Exit::Incomplete
}

fn files(count: u64) -> String {
    match count {
        1 => "1 file".to_owned(),
        count => format!("{count} files"),
    }
}

fn note(text: &str) {
    say(&format!("groma stats: note: {text}"));
}

fn shown(path: &[u8]) -> String {
    let mut out = Vec::new();
    escape::terminal(path, &mut out);
    String::from_utf8_lossy(&out).into_owned()
}
