//! `groma snapshot`, from what was typed to the exit code.

mod args;
mod compare;
mod compare_csv;
mod compare_json;
mod compare_table;
mod foreign;
mod list;
mod prune;
mod save;
mod show;

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use anyhow::Result;
use clap::ArgMatches;
use groma_base::CancelToken;
use groma_base::time::Zoned;
use groma_engine::snapshot::SnapError;
use groma_formats::escape;
use groma_formats::table::{Shown, Table};

use crate::completions;
use crate::exit::Exit;
use crate::find::print_clap;
use crate::report::{chain, reason, say};
use crate::stdout::Stdout;

pub(crate) use args::command;

/// The verb as it calls itself in messages.
const VOICE: &str = "groma snapshot";

/// Runs the verb. `args` begin with the name it was started by.
pub(crate) fn run(args: Vec<OsString>) -> Exit {
    let command = command(VOICE).bin_name(VOICE);
    match command.try_get_matches_from(args) {
        Ok(matches) => dispatch(&matches).unwrap_or_else(|error| {
            complain(&chain(&error));
            Exit::Usage
        }),
        Err(error) => print_clap(&error),
    }
}

/// Errors up to here mean that nothing was started.
fn dispatch(matches: &ArgMatches) -> Result<Exit> {
    match matches.subcommand() {
        Some(("save", matches)) => save::run(matches),
        Some(("show", matches)) => Ok(show::run(matches)),
        Some(("verify", matches)) => Ok(show::verify(matches)),
        Some(("compare", matches)) => compare::run(matches),
        Some(("list", matches)) => Ok(list::run(matches)),
        Some(("prune", matches)) => prune::run(matches),
        Some(("import", matches)) => Ok(foreign::import(matches)),
        Some(("export", matches)) => Ok(foreign::export(matches)),
        _ => Ok(Exit::Usage),
    }
}

/// Says that something went wrong.
fn complain(message: &str) {
    say(&format!("{VOICE}: {}", reason(message)));
}

fn note(message: &str) {
    say(&format!("{VOICE}: note: {message}"));
}

/// What an error means for the exit code; an interruption has said all by its signal, and a closed
/// pipe is quiet.
fn failure(error: &SnapError) -> Exit {
    match error {
        SnapError::Cancelled => Exit::Failure,
        SnapError::Write(error) => completions::concluded(Err(error.kind().into())),
        SnapError::Search(groma_engine::search::SearchError::Io(error)) => {
            completions::concluded(Err(error.kind().into()))
        }
        SnapError::Scan(groma_engine::index::IndexError::Rule(_)) => {
            complain(&error.to_string());
            Exit::Usage
        }
        error => {
            complain(&error.to_string());
            Exit::Failure
        }
    }
}

/// Says how many places could not be read.
fn incomplete(unread: u64) -> Exit {
    if unread == 0 {
        return Exit::Success;
    }
    let places = if unread == 1 { "place" } else { "places" };
    complain(&format!(
        "{unread} {places} could not be read (--show-errors lists them)"
    ));
    Exit::Incomplete
}

/// A token that the first signal cancels.
fn interruptible() -> CancelToken {
    let cancel = CancelToken::new();
    groma_sys::set_when_interrupted(cancel.flag());
    cancel
}

fn files<'m>(matches: &'m ArgMatches, id: &str) -> Vec<&'m PathBuf> {
    matches.get_many(id).into_iter().flatten().collect()
}

fn path(matches: &ArgMatches, id: &str) -> PathBuf {
    matches.get_one::<PathBuf>(id).cloned().unwrap_or_default()
}

fn format(matches: &ArgMatches) -> &str {
    matches
        .get_one::<String>("format")
        .map_or("", String::as_str)
}

/// Hands over the file that was named, or stdout.
fn write(
    matches: &ArgMatches,
    write: impl FnOnce(&mut (dyn Write + Send)) -> Result<(), SnapError>,
) -> Exit {
    let written = match matches.get_one::<PathBuf>("output") {
        Some(path) => groma_sys::replace_file(path, |file| write(file)),
        None => write(&mut Stdout::new()),
    };
    match written {
        Ok(()) => Exit::Success,
        Err(error) => failure(&error),
    }
}

/// A table for people: rounded on a terminal, exact elsewhere; its names are harmless.
fn table(names: &[&str]) -> Table {
    let shown = match io::stdout().is_terminal() {
        true => {
            let now = Zoned::now();
            let zone = now.time_zone().clone();
            Shown::Human((&now).into(), zone)
        }
        false => Shown::Exact,
    };
    Table::new(names, shown)
}

/// A name may be hostile to a terminal.
fn shown(path: &[u8]) -> String {
    let mut out = Vec::new();
    escape::terminal(path, &mut out);
    String::from_utf8_lossy(&out).into_owned()
}
