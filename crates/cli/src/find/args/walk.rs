//! Options about how far a search goes.

use clap::{Arg, value_parser};

use super::{flag, opposite, option};

/// How deep, and where links and pruned directories are concerned.
pub(super) fn depths() -> Vec<Arg> {
    let depth = value_parser!(u32);
    vec![
        flag("follow", "follow", "Follow symbolic links")
            .short('L')
            .alias("dereference")
            .long_help("Follow symbolic links, also into directories. --no-follow takes it back."),
        opposite("no_follow", "no-follow", "follow"),
        option(
            "max_depth",
            "max-depth",
            "depth",
            "Go no deeper than this (default: no limit)",
        )
        .short('d')
        .aliases(["maxdepth", "depth"])
        .value_parser(depth),
        option(
            "min_depth",
            "min-depth",
            "depth",
            "Show only entries at least this deep",
        )
        .alias("mindepth")
        .value_parser(depth)
        .hide_short_help(true),
        option(
            "exact_depth",
            "exact-depth",
            "depth",
            "Show only entries exactly this deep",
        )
        .value_parser(depth)
        .conflicts_with_all(["max_depth", "min_depth"])
        .hide_short_help(true),
        flag("prune", "prune", "Do not enter directories that match")
            .conflicts_with_all(["size", "exact_depth"])
            .hide_short_help(true),
    ]
}

/// Where from, how far, and with how many threads.
pub(super) fn ways() -> Vec<Arg> {
    vec![
        flag(
            "one_file_system",
            "one-file-system",
            "Do not enter other file systems",
        )
        .aliases(["mount", "xdev", "same-file-system"])
        .hide_short_help(true),
        option(
            "base_directory",
            "base-directory",
            "path",
            "Change to this directory first",
        )
        .short('C')
        .value_parser(value_parser!(std::path::PathBuf))
        .hide_short_help(true),
        option(
            "threads",
            "threads",
            "num",
            "Number of threads to search and to run commands with",
        )
        .short('j')
        .value_parser(value_parser!(std::num::NonZeroUsize))
        .hide_short_help(true)
        .long_help(
            "Number of threads to search and to run commands with (default: as many as there \
                 are processors).",
        ),
        option(
            "max_buffer_time",
            "max-buffer-time",
            "ms",
            "Hold a short result back for this long",
        )
        .value_parser(value_parser!(u64))
        .hide(true),
    ]
}
