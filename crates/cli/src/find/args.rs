//! The command line of `groma find`: fd's, and what goes beyond it. Help, completions and the man
//! page all come from here.

mod actions;
mod beyond;
mod filters;
mod output;
mod seen;
mod walk;

use clap::{Arg, ArgAction, ArgGroup, Command, value_parser};

/// Arguments that filter; `--not` negates the next of these.
pub(crate) const FILTERS: &[&str] = &[
    "pattern",
    "and",
    "type",
    "extension",
    "size",
    "changed_within",
    "changed_before",
    "modified",
    "time_modified",
    "accessed_within",
    "accessed_before",
    "accessed",
    "created_within",
    "created_before",
    "created",
    "status_changed_within",
    "status_changed_before",
    "status_changed",
    "newer_than",
    "owner",
    "perm",
    "links",
    "inode",
    "samefile",
    "fstype",
    "xattr",
    "nouser",
    "nogroup",
    "where",
];

/// The command, under the name it was started by.
pub(crate) fn command(name: &'static str) -> Command {
    Command::new(name)
        .about(
            "Finds files and directories, live, in parallel. Takes fd's command line, and what \
             find can do beyond it",
        )
        .version(env!("CARGO_PKG_VERSION"))
        .max_term_width(98)
        .args_override_self(true)
        .args(seen::entries())
        .args(seen::patterns())
        .args(filters::filters())
        .args(walk::depths())
        .args(walk::ways())
        .args(output::paths())
        .args(output::forms())
        .args(output::limits())
        .args(actions::actions())
        .args(beyond::filters())
        .args(beyond::output())
        .args(beyond::actions())
        .args(positionals())
        .group(
            ArgGroup::new("execs")
                .args(["exec", "exec_batch", "list_details"])
                .conflicts_with_all(["max_results", "quiet", "max_one_result"]),
        )
}

/// A flag without a value.
pub(crate) fn flag(id: &'static str, long: &'static str, help: &'static str) -> Arg {
    Arg::new(id)
        .long(long)
        .action(ArgAction::SetTrue)
        .help(help)
}

/// A flag that takes back another one, and is not listed.
fn opposite(id: &'static str, long: &'static str, of: &'static str) -> Arg {
    flag(id, long, "").overrides_with(of).hide(true)
}

/// An option with a value.
pub(crate) fn option(
    id: &'static str,
    long: &'static str,
    value: &'static str,
    help: &'static str,
) -> Arg {
    Arg::new(id)
        .long(long)
        .value_name(value)
        .action(ArgAction::Set)
        .help(help)
}

fn positionals() -> Vec<Arg> {
    vec![
        Arg::new("pattern")
            .value_name("pattern")
            .help("What to search for: a regular expression, unless --glob and the like say otherwise")
            .long_help(
                "What to search for: a regular expression, unless --glob and the like say \
                 otherwise. Without one, everything is found. One that begins with '-' must \
                 follow '--'.",
            ),
        Arg::new("path")
            .value_name("path")
            .action(ArgAction::Append)
            .num_args(1..)
            .value_parser(value_parser!(std::path::PathBuf))
            .help("Where to search (default: the current directory)"),
        option("search_path", "search-path", "search-path", "Where to search, instead of <path>")
            .action(ArgAction::Append)
            .value_parser(value_parser!(std::path::PathBuf))
            .conflicts_with("path")
            .hide_short_help(true),
    ]
}
