//! Options about what is shown of a result.

use clap::builder::PossibleValue;
use clap::{Arg, ArgAction, value_parser};

use super::{flag, option};

/// When something is done that can be left to the program.
fn when() -> [PossibleValue; 3] {
    ["auto", "always", "never"].map(PossibleValue::new)
}

/// Which form results have.
pub(super) fn paths() -> Vec<Arg> {
    vec![
        flag(
            "absolute_path",
            "absolute-path",
            "Show absolute instead of relative paths",
        )
        .short('a'),
        flag(
            "relative_path",
            "relative-path",
            "Show relative paths; with -p, match them",
        )
        .overrides_with("absolute_path")
        .hide_short_help(true),
        flag(
            "list_details",
            "list-details",
            "Show a long listing with metadata, like 'ls -l'",
        )
        .short('l')
        .conflicts_with("absolute_path"),
        flag("print0", "print0", "End each result with a NUL byte")
            .short('0')
            .alias("null-terminated")
            .conflicts_with("list_details")
            .hide_short_help(true),
        option("format", "format", "fmt", "Show results by a template")
            .conflicts_with("list_details")
            .long_help(
                "Show results by a template, in which these are replaced:\n  {}    path\n  \
                 {/}   name\n  {//}  parent directory\n  {.}   path without extension\n  \
                 {/.}  name without extension\n  {{ }} braces",
            ),
    ]
}

/// How paths look.
pub(super) fn forms() -> Vec<Arg> {
    vec![
        option("color", "color", "when", "When to use colours")
            .short('c')
            .overrides_with("nocolour")
            .value_parser(when())
            .default_value("auto"),
        option(
            "hyperlink",
            "hyperlink",
            "when",
            "Make the paths links to their files",
        )
        .alias("hyper")
        .require_equals(true)
        .num_args(0..=1)
        .default_value("never")
        .default_missing_value("auto")
        .value_parser(when()),
        option(
            "path_separator",
            "path-separator",
            "separator",
            "Show this instead of '/' in paths",
        )
        .hide_short_help(true),
        option(
            "strip_cwd_prefix",
            "strip-cwd-prefix",
            "when",
            "Whether to leave out './' before relative paths",
        )
        .require_equals(true)
        .num_args(0..=1)
        .default_missing_value("always")
        .value_parser(when())
        .conflicts_with_all(["path", "search_path"])
        .hide_short_help(true)
        .long_help(
            "Paths relative to the current directory begin with './' when they go to -x, -X \
                 or -0, so that none looks like an option. This leaves it out ('always') or puts \
                 it everywhere ('never').",
        ),
    ]
}

/// How many results, and what else is said.
pub(super) fn limits() -> Vec<Arg> {
    vec![
        option(
            "max_results",
            "max-results",
            "count",
            "Show no more results than this",
        )
        .short_alias('n')
        .value_parser(value_parser!(u64))
        .overrides_with("max_one_result")
        .hide_short_help(true),
        Arg::new("max_one_result")
            .short('1')
            .action(ArgAction::SetTrue)
            .overrides_with("max_results")
            .help("Show one result: the same as '--max-results=1'")
            .hide_short_help(true),
        flag(
            "quiet",
            "quiet",
            "Show nothing; the exit code is 0 if there is a result, otherwise 1",
        )
        .short('q')
        .alias("has-results")
        .conflicts_with("max_results")
        .hide_short_help(true),
        flag("show_errors", "show-errors", "Show what could not be read").hide_short_help(true),
    ]
}
