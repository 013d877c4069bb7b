//! `groma stats`, from what was typed to the exit code.

mod args;
mod csv;
mod human;
mod json;
mod request;
mod run;
mod table;

use std::ffi::OsString;

use crate::exit::Exit;
use crate::find::print_clap;
use crate::report::{chain, say};

pub(crate) use args::command;
pub(crate) use json::push as push_json;
pub(crate) use table::push as push_table;

/// Runs the verb. `args` begin with the name it was started by.
pub(crate) fn run(args: Vec<OsString>) -> Exit {
    let command = command("groma stats").bin_name("groma stats");
    let matches = match command.try_get_matches_from(args) {
        Ok(matches) => matches,
        Err(error) => return print_clap(&error),
    };
    // Errors up to here mean that nothing was started.
    match request::read(&matches) {
        Ok(request) => run::run(&request),
        Err(error) => {
            fail(&chain(&error));
            Exit::Usage
        }
    }
}

/// Says that something went wrong.
fn fail(message: &str) {
    say(&format!("groma stats: {message}"));
}
