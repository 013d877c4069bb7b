//! `groma find`, from what was typed to the exit code.

mod args;
mod command;
mod delete;
mod exec;
mod filters;
mod modes;
mod output;
mod request;
mod roots;
mod times;

use std::ffi::OsString;
use std::io::Write;
use std::mem::ManuallyDrop;

use anyhow::Result;
use clap::ArgMatches;

use crate::completions;
use crate::exit::Exit;
use crate::report::{self, Voice};

pub(crate) use args::{command, flag, option};
pub(crate) use request::config_home;

/// Runs the verb. `args` begin with the name it was started by.
pub(crate) fn run(voice: Voice, args: Vec<OsString>) -> Exit {
    let args = match crate::config::with_defaults(voice, args) {
        Ok(args) => args,
        Err(error) => {
            voice.error(&report::chain(&error));
            return Exit::Usage;
        }
    };
    // Neither is taken apart again: the program ends before that would be of use.
    let mut command = ManuallyDrop::new(typed_command(voice));
    let matches = match command.try_get_matches_from_mut(args) {
        Ok(matches) => ManuallyDrop::new(matches),
        Err(error) => return print_clap(&error),
    };
    if let Some(shell) = matches.get_one::<String>("gen_completions") {
        return completions::print_find(voice, shell);
    }
    search(voice, &matches).unwrap_or_else(|error| {
        if let Some(error) = error.downcast_ref::<clap::Error>() {
            return print_clap(error);
        }
        voice.error(&report::chain(&error));
        match voice {
            Voice::Groma => Exit::Usage,
            Voice::Fd => Exit::Failure,
        }
    })
}

/// The command under the name that it was typed by, for messages about what was typed.
fn typed_command(voice: Voice) -> clap::Command {
    command(voice.name()).bin_name(voice.name())
}

/// Errors up to here mean that nothing was started.
fn search(voice: Voice, matches: &ArgMatches) -> Result<Exit> {
    roots::change_directory(matches)?;
    let cwd = roots::working_directory(matches)?;
    let roots = roots::read(voice, matches, &cwd)?;
    let request = request::build(voice, matches, roots, cwd)?;
    modes::run(voice, matches, request)
}

/// Prints clap's own answer: help on stdout, errors on stderr.
pub(crate) fn print_clap(error: &clap::Error) -> Exit {
    let printed = error.print().and_then(|()| std::io::stdout().flush());
    if error.use_stderr() {
        return Exit::Usage;
    }
    completions::concluded(printed)
}
