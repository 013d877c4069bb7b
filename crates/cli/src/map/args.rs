//! The command line of `groma map`. Help, completions and the man page all come from here.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Arg, ArgAction, Command, value_parser};

use crate::find::{flag, option};

const AFTER_HELP: &str = "\
Sizes are bytes taken on disk, as du counts them: a file with several hard links once, at the smallest
of its paths; directories themselves included. Overlapping or repeated paths are counted once.

Exit codes:
  0    done
  1    it could not be done, or not for every path that was named
  2    wrong usage, a mistake in the query included; nothing was started
  3    done, but something could not be read
  130  interrupted

Examples:
  groma map                                  the map of the working directory, on a terminal
  groma map ~ --summary                      what is largest in the home directory
  groma map /usr --largest-files 20
  groma map /var --largest-dirs 10 --where 'modified < 1y'
  groma map . --types --ages
  groma map / -x --depth 2 --si
  groma map . --json > all.json";

/// Reports, by the flags that ask for them.
pub(super) const REPORTS: [&str; 8] = [
    "summary",
    "depth",
    "largest_dirs",
    "largest_files",
    "types",
    "ages",
    "owners",
    "duplicates",
];

/// Forms of everything there is.
pub(super) const EXPORTS: [&str; 4] = ["csv", "html", "ncdu", "svg"];

/// The command, under the name it was started by.
pub(crate) fn command(name: &'static str) -> Command {
    Command::new(name)
        .about("Shows where the space went")
        .version(env!("CARGO_PKG_VERSION"))
        .max_term_width(98)
        .args_override_self(true)
        .arg(
            Arg::new("path")
                .value_name("path")
                .num_args(0..)
                .value_parser(value_parser!(PathBuf))
                .help("Directories, files, or one snapshot (default: the working directory)"),
        )
        .args(reports())
        .args(exports())
        .args(which())
        .args(measures())
        .args(rest())
        .after_long_help(AFTER_HELP)
}

fn number(id: &'static str, long: &'static str, help: &'static str) -> Arg {
    option(id, long, "n", help).value_parser(value_parser!(usize))
}

fn reports() -> Vec<Arg> {
    vec![
        flag("summary", "summary", "Print totals and what is largest, and exit"),
        number("depth", "depth", "Print directories and files down to this depth")
            .short('d')
            .long_help(
                "Print what lies down to this depth below each path, the largest first, and how much of \
                 the whole each is.",
            ),
        number("largest_dirs", "largest-dirs", "Print the largest directories"),
        number("largest_files", "largest-files", "Print the largest files"),
        flag("types", "types", "Print how much each kind of file takes"),
        flag("ages", "ages", "Print how much was last changed when"),
        flag("owners", "owners", "Print how much each user owns"),
        flag("duplicates", "duplicates", "Print files of equal content"),
    ]
}

fn exports() -> Vec<Arg> {
    vec![
        flag(
            "json",
            "json",
            "Write everything, or the reports that are asked for, as JSON",
        )
        .conflicts_with_all(EXPORTS),
        flag("csv", "csv", "Write everything as CSV").conflicts_with_all(REPORTS),
        flag("ncdu", "ncdu", "Write everything as ncdu's JSON")
            .conflicts_with_all(REPORTS)
            .conflicts_with("csv"),
        option("svg", "svg", "file", "Draw the map into this file, as SVG")
            .value_parser(value_parser!(PathBuf))
            .conflicts_with_all(REPORTS)
            .conflicts_with_all(["csv", "ncdu", "output"]),
        option("html", "html", "file", "Write the map into this file, as a page for a browser")
            .value_parser(value_parser!(PathBuf))
            .conflicts_with_all(REPORTS)
            .conflicts_with_all(["csv", "ncdu", "output", "svg"])
            .long_help(
                "Write the map into this file, as one page that needs nothing else: a treemap to go into, a \
                 table, types, ages, owners, a search. It works without a network.",
            ),
        option(
            "output",
            "output",
            "file",
            "Write to this file, whole or not at all",
        )
        .short('o')
        .value_parser(value_parser!(PathBuf)),
    ]
}

fn which() -> Vec<Arg> {
    vec![
        option(
            "where",
            "where",
            "query",
            "Count only what matches this query",
        )
        .value_parser(value_parser!(OsString))
        .long_help(
            "Count only what matches this query; 'groma help query' describes the language. A \
                 directory is as large as what matches below it.",
        ),
        option("from", "from", "file", "Map a snapshot, or an export of ncdu")
            .value_parser(value_parser!(PathBuf))
            .conflicts_with("path")
            .long_help(
                "Map what a file holds: a snapshot of 'groma snapshot save', or an export of ncdu, which \
                 may be packed with gzip or zstd. Nothing on the disk is read or changed then.",
            ),
        option(
            "exclude",
            "exclude",
            "glob",
            "Leave out entries that match this glob",
        )
        .short('E')
        .action(ArgAction::Append)
        .value_parser(value_parser!(OsString)),
        option(
            "exclude_from",
            "exclude-from",
            "file",
            "Leave out what this file of globs names, as .gitignore does",
        )
        .action(ArgAction::Append)
        .value_parser(value_parser!(PathBuf)),
        flag(
            "exclude_caches",
            "exclude-caches",
            "Leave out what lies in directories with a CACHEDIR.TAG",
        ),
        flag(
            "one_file_system",
            "one-file-system",
            "Do not enter other file systems",
        )
        .short('x')
        .aliases(["mount", "xdev"]),
    ]
}

fn measures() -> Vec<Arg> {
    vec![
        flag(
            "apparent",
            "apparent",
            "Measure apparent sizes: bytes that a reader sees",
        )
        .alias("apparent-size")
        .overrides_with("count"),
        flag(
            "count",
            "count",
            "Measure the number of entries, not their sizes",
        )
        .overrides_with("apparent"),
        flag("si", "si", "Write sizes in powers of 1000"),
    ]
}

fn rest() -> Vec<Arg> {
    vec![
        option(
            "threads",
            "workers",
            "num",
            "Number of threads to read with (default: one per processor)",
        )
        .short('j')
        .alias("threads")
        .value_parser(value_parser!(NonZeroUsize)),
        option(
            "since",
            "since",
            "snapshot",
            "Tell in the view 'changes' what has changed since this",
        )
        .value_parser(value_parser!(PathBuf)),
        option("color", "color", "when", "When to use colours")
            .value_parser(["auto", "always", "never"]),
        option("theme", "theme", "theme", "Dark or light").value_parser(["dark", "light"]),
        flag("read_only", "read-only", "Change nothing on the disk"),
        flag(
            "allow_delete",
            "allow-delete",
            "Allow deleting for good, after a typed confirmation",
        )
        .conflicts_with("read_only"),
        flag("no_mouse", "no-mouse", "Leave the mouse to the terminal"),
        flag("show_errors", "show-errors", "Say what could not be read"),
        flag(
            "no_config",
            "no-config",
            "Do not read the configuration file",
        ),
    ]
}
