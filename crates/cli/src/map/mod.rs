//! `groma map`, from what was typed to the exit code.

mod args;
mod json;
mod reports;
mod request;
mod run;
mod table;
mod terminal;

use std::ffi::OsString;

use crate::exit::Exit;
use crate::find::print_clap;
use crate::report::{chain, say};

pub(crate) use args::command;

/// Runs the verb. `args` begin with the name it was started by.
pub(crate) fn run(args: Vec<OsString>) -> Exit {
    let command = command("groma map").bin_name("groma map");
    let matches = match command.try_get_matches_from(args) {
        Ok(matches) => matches,
        Err(error) => return print_clap(&error),
    };
    // Errors up to here mean that nothing was started.
    match request::read(&matches) {
        Ok(request) => run::run(request),
        Err(error) => {
            fail(&chain(&error));
            Exit::Usage
        }
    }
}

/// Says that something went wrong.
fn fail(message: &str) {
    say(&format!("groma map: {message}"));
}
