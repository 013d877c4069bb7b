//! Which verb was asked for.

use std::ffi::OsString;
use std::path::Path;

use clap::{Arg, Command, value_parser};
use clap_complete::Shell;

use crate::exit::Exit;
use crate::report::Voice;
use crate::{completions, find, help, index, map, search, snapshot, stats};

/// Runs the program. `args` begin with the name it was started by.
pub(crate) fn run(mut args: Vec<OsString>) -> Exit {
    let name = args
        .first()
        .and_then(|arg| Path::new(arg).file_stem())
        .unwrap_or_default();
    if name == "fd" {
        return find::run(Voice::Fd, args);
    }
    // Only the verb's own command line is built: the others would cost time at every start.
    if args.get(1).is_some_and(|verb| verb == "find") {
        args.remove(0);
        return find::run(Voice::Groma, args);
    }
    if args.get(1).is_some_and(|verb| verb == "index") {
        args.remove(0);
        return index::run(args);
    }
    if args.get(1).is_some_and(|verb| verb == "map") {
        args.remove(0);
        return map::run(args);
    }
    if args.get(1).is_some_and(|verb| verb == "search") {
        args.remove(0);
        return search::run(args);
    }
    if args.get(1).is_some_and(|verb| verb == "snapshot") {
        args.remove(0);
        return snapshot::run(args);
    }
    if args.get(1).is_some_and(|verb| verb == "stats") {
        args.remove(0);
        return stats::run(args);
    }
    match command().try_get_matches_from(args) {
        Ok(matches) => match matches.subcommand() {
            Some(("help", matches)) => help::print(matches.get_one("topic").map(String::as_str)),
            Some(("man", matches)) => help::print_man(matches.get_one("verb").map(String::as_str)),
            Some(("completions", matches)) => match matches.get_one::<Shell>("shell") {
                Some(shell) => completions::print(*shell, command(), "groma"),
                None => Exit::Usage,
            },
            _ => Exit::Usage,
        },
        Err(error) => find::print_clap(&error),
    }
}

/// The whole command line, for help, completions and man pages.
pub(crate) fn command() -> Command {
    Command::new("groma")
        .about("Surveys the files of a machine")
        .version(env!("CARGO_PKG_VERSION"))
        .max_term_width(98)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
        .subcommand(find::command("find"))
        .subcommand(index::command("index"))
        .subcommand(map::command("map"))
        .subcommand(search::command("search"))
        .subcommand(snapshot::command("snapshot"))
        .subcommand(stats::command("stats"))
        .subcommand(
            Command::new("completions")
                .about("Prints completions for a shell")
                .arg(
                    Arg::new("shell")
                        .required(true)
                        .value_parser(value_parser!(Shell)),
                ),
        )
        .subcommand(
            Command::new("man")
                .about("Prints the man page of the program or of a verb")
                .arg(
                    Arg::new("verb")
                        .value_parser(["find", "index", "map", "search", "snapshot", "stats"]),
                ),
        )
        .subcommand(
            Command::new("help")
                .about("Describes a verb, or the query language")
                .arg(Arg::new("topic").value_parser([
                    "find", "index", "map", "search", "snapshot", "stats", "query",
                ])),
        )
}
