//! The command line of `groma search`. Help, completions and the man page all come from here.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::builder::PossibleValue;
use clap::{Arg, ArgAction, Command, value_parser};

use crate::catalog_dir;
use crate::find::{flag, option};

const AFTER_HELP: &str = "\
Exit codes:
  0    done, also when nothing matches
  1    it could not be done: no catalog, a damaged one, nothing there to write to
  2    wrong usage, a mistake in the query included; nothing was started
  130  interrupted

Places that could not be read when a root was indexed are no failure of a search. A note tells of
them, on a terminal or with --show-errors.

Examples:
  groma search report                       names with 'report' in them
  groma search 'ext:pdf size>1mb'           see 'groma help query'
  groma search --in ~/work '*.rs' 'modified:7d'
  groma search --sort -size --limit 20      the twenty largest of all entries
  groma search ext:pictures --format csv --output pictures.csv";

const FORMAT_HELP: &str = "\
How results are written:
  paths   one path a line, the default; on a terminal in the colours of LS_COLORS
  table   aligned columns; on a terminal with rounded sizes and local times
  csv     RFC 4180, with line feeds; bytes of names as they are
  tsv     tabs between fields; tabs, line feeds and backslashes in names are escaped
  json    one array of objects, with the members of 'groma find --json'
  ndjson  one object a line
  parquet columns for pandas, DuckDB and the like
  efu     a file list of Everything
A text with '{' in it is a template: {} is the path, {/} the name, {//} the parent, {.} the path and
{/.} the name without extension, {size} and the like are columns, {{ and }} braces.";

const SORT_HELP: &str = "\
Sort by fields, separated by commas. Fields are those of --columns; they sort ascending (smallest, \
oldest, first in the alphabet), with '-' before them descending: --sort size has the smallest first, \
--sort -size the largest. 'largest', 'smallest', 'newest' and 'oldest' are words for -size, size, \
-modified and modified. What is not known comes last. Equal ones are in \
the order of their paths. With --limit, the first of all sorted matches are shown.";

/// The command, under the name it was started by.
pub(crate) fn command(name: &'static str) -> Command {
    Command::new(name)
        .about("Asks the catalog: names, paths and metadata of everything that was indexed")
        .version(env!("CARGO_PKG_VERSION"))
        .max_term_width(98)
        .args_override_self(true)
        .arg(
            Arg::new("query")
                .value_name("query")
                .num_args(0..)
                .value_parser(value_parser!(OsString))
                .help("What to search for; several queries must all match (default: everything)")
                .long_help(
                    "What to search for; 'groma help query' describes the language. Several \
                     queries must all match. Without one, everything does. One that begins with \
                     '-' must follow '--'.",
                ),
        )
        .args(which())
        .args(order())
        .args(forms())
        .args(rest())
        .after_long_help(AFTER_HELP)
}

fn which() -> Vec<Arg> {
    vec![
        option("in", "in", "path", "Search only below this directory")
            .action(ArgAction::Append)
            .value_parser(value_parser!(PathBuf))
            .long_help(
                "Search only below this directory, itself excluded; may be given several times. A \
                 relative path begins in the working directory.",
            ),
        flag(
            "ignore_case",
            "ignore-case",
            "Upper and lower case are the same",
        )
        .short('i')
        .overrides_with("case")
        .long_help(
            "Upper and lower case are the same. By default they are unless the text has an \
                 upper-case letter.",
        ),
        flag("case", "case", "Upper and lower case differ")
            .short('s')
            .alias("case-sensitive")
            .overrides_with("ignore_case"),
    ]
}

fn order() -> Vec<Arg> {
    vec![
        option(
            "sort",
            "sort",
            "fields",
            "Sort by fields: 'size', '-size', 'ext,-modified', 'largest'",
        )
        .allow_hyphen_values(true)
        .long_help(SORT_HELP),
        flag(
            "natural",
            "natural",
            "Sort texts so that numbers in them count: 'a9' before 'a10'",
        )
        .requires("sort"),
        option("limit", "limit", "n", "Show at most this many results")
            .short('n')
            .value_parser(value_parser!(u64)),
        option(
            "offset",
            "offset",
            "n",
            "Leave this many results out at the beginning",
        )
        .value_parser(value_parser!(u64)),
    ]
}

fn forms() -> Vec<Arg> {
    let when = ["auto", "always", "never"].map(PossibleValue::new);
    vec![
        option(
            "format",
            "format",
            "format",
            "paths, table, csv, tsv, json, ndjson, parquet, efu, or a template",
        )
        .short('f')
        .long_help(FORMAT_HELP),
        option(
            "columns",
            "columns",
            "fields",
            "Columns of a table, CSV, TSV, JSON or Parquet, or 'all'",
        )
        .long_help(
            "Columns of a table, CSV, TSV, JSON or Parquet, separated by commas: fields of the query \
                 language, or 'all'. A table is the default form then.",
        ),
        flag(
            "print0",
            "print0",
            "End each path or filled-in template with a NUL byte",
        )
        .short('0'),
        option(
            "output",
            "output",
            "file",
            "Write the results to this file, whole or not at all",
        )
        .short('o')
        .value_parser(value_parser!(PathBuf))
        .long_help(
            "Write the results to this file. They are written under another name first, and \
                 take its place when they are complete.",
        ),
        option("color", "color", "when", "When to use colours")
            .short('c')
            .value_parser(when)
            .default_value("auto"),
        flag("count", "count", "Show only how many match")
            .conflicts_with_all([
                "sort", "limit", "offset", "format", "columns", "print0", "explain",
            ])
            .long_help("Show only how many match, in all roots together."),
        flag(
            "explain",
            "explain",
            "Show how the search is done, and how long it takes",
        )
        .conflicts_with_all(["sort", "format", "columns", "print0", "output"]),
    ]
}

fn rest() -> Vec<Arg> {
    vec![
        catalog_dir::arg(),
        option(
            "threads",
            "threads",
            "num",
            "Number of threads (default: one per processor)",
        )
        .short('j')
        .value_parser(value_parser!(NonZeroUsize)),
        flag(
            "no_daemon",
            "no-daemon",
            "Ask the catalog's files, not a daemon",
        )
        .long_help(
            "Ask the catalog's files, not a daemon. There is no daemon in this version, so \
                 this is always so.",
        ),
        flag(
            "show_errors",
            "show-errors",
            "Tell of places that could not be indexed",
        ),
        flag(
            "no_config",
            "no-config",
            "Do not read the configuration file",
        ),
    ]
}
