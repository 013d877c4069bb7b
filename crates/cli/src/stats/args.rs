//! The command line of `groma stats`. Help, completions and the man page all come from here.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Arg, ArgAction, Command, value_parser};
use groma_engine::stats::{GROUPINGS, Metric, PRESETS};

use crate::catalog_dir;
use crate::find::{flag, option};

const AFTER_HELP: &str = "\
Sizes are counted once for each node: a file with several hard links is counted at the smallest of
those of its paths that match, however many of them do. The number of entries counts each path.
Every bucket has a query that lists its rows; all forms but the table show it.

Exit codes:
  0    done, also when nothing matches
  1    it could not be done: no catalog, a damaged one, nothing there to write to
  2    wrong usage, a mistake in the query included; nothing was started
  3    done, but files that were to be compared could not be read
  130  interrupted

Examples:
  groma stats                                an overview
  groma stats by-extension --in ~/work
  groma stats 'type:file size>1mb' --by owner,year
  groma stats --histogram size:2 --metrics count,size,waste
  groma stats --ranges age:..30d,30d..1y,1y..
  groma stats ext:pictures --duplicates=content --read-budget 10gb";

/// The command, under the name it was started by.
pub(crate) fn command(name: &'static str) -> Command {
    Command::new(name)
        .about("Asks the catalog for numbers: groups, histograms, copies, ages")
        .version(env!("CARGO_PKG_VERSION"))
        .max_term_width(98)
        .args_override_self(true)
        .arg(query())
        .args(which())
        .args(tables())
        .args(rows())
        .args(copies())
        .args(forms())
        .args(rest())
        .after_long_help(AFTER_HELP)
}

fn query() -> Arg {
    let names: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
    Arg::new("query")
        .value_name("query")
        .num_args(0..)
        .value_parser(value_parser!(OsString))
        .help("A preset's name, then queries that must all match (default: overview, everything)")
        .long_help(format!(
            "What is to be counted; 'groma help query' describes the language. Several queries must \
             all match. Where the first word is exactly the name of a preset and no other table is \
             asked for, it is that preset: {}. To look for such a word, put quotes into it: \
             '\"largest\"'. A query that begins with '-' must follow '--'.",
            names.join(", ")
        ))
}

fn which() -> Vec<Arg> {
    vec![
        option(
            "in",
            "in",
            "path",
            "Count only what lies below this directory",
        )
        .action(ArgAction::Append)
        .value_parser(value_parser!(PathBuf))
        .long_help(
            "Count only what lies below this directory, itself excluded; may be given several \
                 times. A relative path begins in the working directory.",
        ),
        flag(
            "ignore_case",
            "ignore-case",
            "Upper and lower case are the same",
        )
        .short('i')
        .overrides_with("case"),
        flag("case", "case", "Upper and lower case differ")
            .short('s')
            .alias("case-sensitive")
            .overrides_with("ignore_case"),
    ]
}

/// One item a line: its name, and what it is.
fn listed<'a>(rows: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let mut text = String::new();
    for (name, help) in rows {
        // Writing to a string cannot fail.
        let _ = write!(text, "\n  {name:<14} {help}");
    }
    text
}

fn tables() -> Vec<Arg> {
    const TABLES: [&str; 4] = ["by", "histogram", "ranges", "duplicates"];
    let presets = listed(PRESETS.iter().map(|preset| (preset.name, preset.help)));
    vec![
        option("preset", "preset", "name", "A named question")
            .conflicts_with_all(TABLES)
            .long_help(format!("A named question:{presets}")),
        option("by", "by", "field", "Group by a field, or by two: owner,year")
            .action(ArgAction::Append)
            .value_delimiter(',')
            .long_help(format!(
                "Group by a field, or by two, with a comma between them or by giving this twice. \
                 Fields, and their other names in the query language:{}",
                listed(GROUPINGS.iter().copied())
            )),
        option(
            "histogram",
            "histogram",
            "field",
            "A histogram: size, size:2, age, modified:week, depth ...",
        )
        .action(ArgAction::Append)
        .long_help(
            "Buckets of a scale in order, empty ones between others included: size or allocated in \
             powers of ten, with ':2' in powers of two, with ':1mb' as wide as that; age; modified, \
             created, accessed, changed by ':day', ':week', ':month' or ':year'; any number.",
        ),
        option(
            "ranges",
            "ranges",
            "field:a..b,c..d",
            "Ranges of a size, a number or a time; they may overlap",
        )
        .action(ArgAction::Append)
        .long_help(
            "Ranges of a size, a number, a time or an age, as the query language has them: both ends \
             included, either may be left out. They may overlap.",
        ),
    ]
}

fn rows() -> Vec<Arg> {
    let metrics = Metric::ALL.iter().map(|row| (row.1, row.2));
    vec![
        option("metrics", "metrics", "list", "What is told of each bucket: count,size,newest ...")
            .value_delimiter(',')
            .long_help(format!("What is told of each bucket:{}", listed(metrics))),
        option("top", "top", "n", "Show at most this many buckets; 0: all")
            .short('n')
            .value_parser(value_parser!(usize))
            .long_help(
                "Show at most this many buckets, and of two levels this many on each. 0 shows all, \
                 where a preset would not.",
            ),
        option("sort", "sort", "what", "Sort buckets by a metric or by 'key': -size, count, key")
            .allow_hyphen_values(true)
            .long_help(
                "Sort buckets by a metric or by 'key', what they stand for; ascending, or with '-' \
                 before it descending. By default numbers and times are in their order, all else has \
                 the largest size first. Equal ones are in the order of their keys.",
            ),
        option("sample", "sample", "n", "Show this many entries of each bucket: the largest")
            .value_parser(value_parser!(usize))
            .long_help(
                "Show this many entries of each bucket: the largest, and of equal ones those with the \
                 smallest paths; a node once. Of duplicates it is the smallest paths, 5 by default.",
            ),
        option("distinct", "distinct", "field", "Count the distinct values of a field in each bucket")
            .action(ArgAction::Append)
            .value_delimiter(','),
        flag(
            "missing",
            "missing",
            "Show a bucket of entries without the field, or of which it is not known",
        ),
    ]
}

fn copies() -> Vec<Arg> {
    vec![
        option(
            "duplicates",
            "duplicates",
            "likeness",
            "Show files that are alike: by name, size or content",
        )
        .require_equals(true)
        .num_args(0..=1)
        .default_missing_value("content")
        .value_parser(["name", "size", "content"])
        .long_help(
            "Show regular files that are alike. Hard links are no copies, and empty files have none. \
             'content' compares files of equal size: first their beginnings, then all of them, by \
             BLAKE3. A file that has changed since it was indexed is left out, and a note tells so.",
        ),
        option(
            "read_budget",
            "read-budget",
            "size",
            "Read no more bytes than this to compare contents",
        )
        .requires("duplicates")
        .long_help(
            "Read no more bytes than this to compare contents, the largest files first; what was not \
             read is told.",
        ),
    ]
}

fn forms() -> Vec<Arg> {
    vec![
        option(
            "format",
            "format",
            "format",
            "table, csv, json, ndjson or parquet",
        )
        .short('f')
        .value_parser(["table", "csv", "json", "ndjson", "parquet"])
        .long_help(
            "How the answer is written: a table with bars, the default on a terminal; csv, the \
                 default elsewhere; json, one object; ndjson, one object for each bucket; parquet, \
                 columns for pandas, DuckDB and the like.",
        ),
        option(
            "output",
            "output",
            "file",
            "Write the answer to this file, whole or not at all",
        )
        .short('o')
        .value_parser(value_parser!(PathBuf)),
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
            "show_errors",
            "show-errors",
            "Show what could not be read or has changed",
        ),
        flag(
            "no_config",
            "no-config",
            "Do not read the configuration file",
        ),
    ]
}
