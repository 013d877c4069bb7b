//! What goes beyond fd.

use clap::builder::PossibleValue;
use clap::{Arg, ArgAction, value_parser};

use super::{flag, option};

/// A filter by time: the names of its three options.
struct TimeOptions {
    within: (&'static str, &'static str),
    before: (&'static str, &'static str),
    range: (&'static str, &'static str),
    help: [&'static str; 3],
}

const TIMES: [TimeOptions; 3] = [
    TimeOptions {
        within: ("accessed_within", "accessed-within"),
        before: ("accessed_before", "accessed-before"),
        range: ("accessed", "accessed"),
        help: [
            "Filter by last access: newer than this",
            "Filter by last access: older than this",
            "Filter by last access: in this range",
        ],
    },
    TimeOptions {
        within: ("created_within", "created-within"),
        before: ("created_before", "created-before"),
        range: ("created", "created"),
        help: [
            "Filter by birth: newer than this",
            "Filter by birth: older than this",
            "Filter by birth: in this range",
        ],
    },
    TimeOptions {
        within: ("status_changed_within", "status-changed-within"),
        before: ("status_changed_before", "status-changed-before"),
        range: ("status_changed", "status-changed"),
        help: [
            "Filter by change of metadata (ctime): newer than this",
            "Filter by change of metadata (ctime): older than this",
            "Filter by change of metadata (ctime): in this range",
        ],
    },
];

/// Further filters.
pub(super) fn filters() -> Vec<Arg> {
    let mut args = vec![
        range(
            "modified",
            "modified",
            "Filter by time of change: in this range (1d..2h, 2025-06)",
        ),
        range(
            "time_modified",
            "time-modified",
            "Filter by time of change: -1h within, +2d before, 1d..2h between",
        )
        .short('T'),
    ];
    for TimeOptions {
        within,
        before,
        range: span,
        help,
    } in &TIMES
    {
        args.push(option(within.0, within.1, "date|dur", help[0]).hide_short_help(true));
        args.push(option(before.0, before.1, "date|dur", help[1]).hide_short_help(true));
        args.push(range(span.0, span.1, help[2]));
    }
    args.extend(by_metadata());
    args.extend(others());
    args
}

fn range(id: &'static str, long: &'static str, help: &'static str) -> Arg {
    option(id, long, "range", help)
        .allow_hyphen_values(true)
        .hide_short_help(true)
}

fn by_metadata() -> Vec<Arg> {
    let path = || value_parser!(std::path::PathBuf);
    vec![
        option(
            "newer_than",
            "newer-than",
            "file",
            "Filter: changed after this file was",
        )
        .value_parser(path())
        .hide_short_help(true),
        option(
            "perm",
            "perm",
            "mode",
            "Filter by permissions: 644 exactly, -222 all, /222 any of these bits",
        )
        .allow_hyphen_values(true)
        .hide_short_help(true)
        .long_help(
            "Filter by permissions, as find does: MODE exactly, -MODE all of these bits, /MODE \
                 any of them. Octal, or like u=rw,g+w,o+r.",
        ),
        option(
            "links",
            "links",
            "n",
            "Filter by number of hard links: 2, +2 (or more), -1 (or less)",
        )
        .allow_hyphen_values(true)
        .hide_short_help(true),
        option("inode", "inode", "n", "Filter by inode number")
            .allow_hyphen_values(true)
            .hide_short_help(true),
        option(
            "samefile",
            "samefile",
            "file",
            "Filter: hard links of this file",
        )
        .value_parser(path())
        .hide_short_help(true),
        option(
            "fstype",
            "fstype",
            "type",
            "Filter by type of file system (ext4, tmpfs ...)",
        )
        .hide_short_help(true),
        option(
            "xattr",
            "xattr",
            "name",
            "Filter: has this extended attribute, or any at all",
        )
        .require_equals(true)
        .num_args(0..=1)
        .default_missing_value("")
        .value_parser(value_parser!(std::ffi::OsString))
        .hide_short_help(true),
        flag("nouser", "nouser", "Filter: no user has its uid").hide_short_help(true),
        flag("nogroup", "nogroup", "Filter: no group has its gid").hide_short_help(true),
    ]
}

fn others() -> Vec<Arg> {
    vec![
        option(
            "where",
            "where",
            "query",
            "Filter by a query: 'size:>1mb modified:today'",
        )
        .action(ArgAction::Append)
        .allow_hyphen_values(true)
        .long_help("Filter by a query of groma's query language; 'groma help query' describes it."),
        Arg::new("not")
            .long("not")
            .action(ArgAction::Append)
            .num_args(0)
            .value_parser(value_parser!(bool))
            .default_missing_value("true")
            .help("Negate the next filter")
            .hide_short_help(true),
        option(
            "exclude_regex",
            "exclude-regex",
            "regex",
            "Leave out entries whose path matches this",
        )
        .action(ArgAction::Append)
        .allow_hyphen_values(true)
        .hide_short_help(true)
        .long_help(
            "Leave out files and directories whose path below the search root matches this \
                 regular expression. Directories that match are not entered.",
        ),
        option("ignoreg", "ignoreg", "glob", "The same as --exclude")
            .action(ArgAction::Append)
            .value_parser(value_parser!(std::ffi::OsString))
            .hide(true),
        option(
            "files0_from",
            "files0-from",
            "file",
            "Read the paths to search from a file, NUL-separated ('-': standard input)",
        )
        .value_parser(value_parser!(std::path::PathBuf))
        .conflicts_with_all(["path", "search_path"])
        .hide_short_help(true),
        flag(
            "unique",
            "unique",
            "Show every path once and enter every directory once, whatever links lead there",
        )
        .hide_short_help(true),
    ]
}

/// Further kinds of output.
pub(super) fn output() -> Vec<Arg> {
    let sort = ["path", "name", "size", "modified", "created"].map(PossibleValue::new);
    vec![
        option(
            "sort",
            "sort",
            "field",
            "Sort the results by path, name, size, modified or created",
        )
        .value_parser(sort)
        .hide_possible_values(true)
        .long_help(
            "Sort the results by path, name, size (smallest first), modified or created \
                 (oldest first). Equal ones are in the order of their paths. --max-results then \
                 cuts off the sorted list.",
        ),
        option(
            "order",
            "order",
            "order",
            "Show results near the search root first ('breadth')",
        )
        .value_parser([PossibleValue::new("breadth")])
        .hide_possible_values(true)
        .conflicts_with("sort")
        .hide_short_help(true),
        flag(
            "json",
            "json",
            "Show each result as a JSON object with its metadata",
        )
        .conflicts_with_all(["format", "list_details", "print0", "exec", "exec_batch"]),
        flag("quoted", "quoted", "Show each path in double quotes")
            .short('Q')
            .conflicts_with_all(["format", "json", "list_details", "exec", "exec_batch"])
            .hide_short_help(true),
        flag("nocolour", "nocolour", "The same as --color=never")
            .alias("nocolor")
            .overrides_with("color")
            .hide(true),
    ]
}

/// Deletion, and what concerns the program itself.
pub(super) fn actions() -> Vec<Arg> {
    vec![
        flag(
            "delete",
            "delete",
            "Delete the results; asks first on a terminal",
        )
        .conflicts_with_all(DELETE_ALONE)
        .hide_short_help(true)
        .long_help(
            "Delete the results, children before parents. Needs a filter. A directory is \
                 deleted only when it is empty by then, so what is hidden, ignored or does not \
                 match is never lost. Links are not followed, other file systems not entered. On \
                 a terminal the number of results is shown first and confirmed.",
        ),
        flag("yes", "yes", "Do not ask before --delete")
            .requires("delete")
            .hide_short_help(true),
        flag(
            "no_config",
            "no-config",
            "Do not read the configuration file",
        )
        .hide_short_help(true),
        Arg::new("gen_completions")
            .long("gen-completions")
            .alias("generate")
            .action(ArgAction::Set)
            .num_args(0..=1)
            .default_missing_value("")
            .exclusive(true)
            .hide(true)
            .help("Print completions for a shell"),
    ]
}

const DELETE_ALONE: [&str; 10] = [
    "follow",
    "exec",
    "exec_batch",
    "list_details",
    "json",
    "format",
    "quiet",
    "print0",
    "sort",
    "order",
];
