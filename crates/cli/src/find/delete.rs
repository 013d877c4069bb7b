//! `--delete`: finds, asks, removes.

use std::fs::File;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::ArgMatches;
use groma_base::CancelToken;
use groma_engine::find::{FindRequest, doomed, remove};

use super::modes::conclude;
use super::output::{Reporter, Silent};
use crate::exit::Exit;
use crate::report::{Voice, say};

pub(super) fn run(
    voice: Voice,
    matches: &ArgMatches,
    request: FindRequest,
    reporter: &Reporter,
) -> Result<Exit> {
    if request.filters.is_empty() {
        bail!(
            "--delete needs a filter: a pattern, a type, a size ... Without one, everything would go."
        );
    }
    require_rules(matches)?;
    let (found, outcome) = doomed(request, &Silent(reporter))?;
    let exit = conclude(voice, outcome);
    if !matches.get_flag("yes") && !found.is_empty() && !confirmed(found.len())? {
        say(&format!("{}: nothing was deleted", voice.name()));
        return Ok(Exit::Failure);
    }
    let failures = Failures(voice);
    // The search's own token is cancelled once it has found as much as was asked for.
    let removed = remove(&found, &CancelToken::new(), &failures);
    Ok(match exit {
        _ if removed < found.len() as u64 => Exit::Failure,
        Ok(_) => Exit::Success,
        Err(exit) => exit,
    })
}

/// A search may go on without a file of rules; what that file would have kept must not be deleted.
fn require_rules(matches: &ArgMatches) -> Result<()> {
    let files = matches.get_many::<PathBuf>("ignore_file");
    for file in files.into_iter().flatten() {
        File::open(file).with_context(|| {
            format!(
                "--delete without the rules of --ignore-file '{}'",
                file.display()
            )
        })?;
    }
    Ok(())
}

/// Asks on a terminal; a script has said what it wants.
fn confirmed(count: usize) -> io::Result<bool> {
    if !io::stdin().is_terminal() {
        return Ok(true);
    }
    let entries = if count == 1 { "entry" } else { "entries" };
    let mut stderr = io::stderr();
    // In one piece: what is typed ahead must not come between.
    stderr.write_all(format!("Delete {count} {entries}? [y/N] ").as_bytes())?;
    stderr.flush()?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

/// What could not be deleted is always told.
struct Failures(Voice);

impl groma_engine::find::Sink for Failures {
    fn write(&self, _hits: &[u8]) -> io::Result<()> {
        Ok(())
    }

    fn warn(&self, warning: &groma_base::Warning) {
        self.0.warning(warning);
    }

    fn root_failed(&self, warning: &groma_base::Warning) {
        self.0.warning(warning);
    }
}
