//! Options about what is seen, and how patterns match.

use clap::{Arg, ArgAction, value_parser};

use super::{flag, opposite, option};

/// Which entries are seen at all.
pub(super) fn entries() -> Vec<Arg> {
    vec![
        flag("hidden", "hidden", "Search hidden files and directories")
            .short('H')
            .long_help(
                "Search entries whose name begins with a dot, which are skipped otherwise. \
                 Ignore rules still apply. --no-hidden takes it back.",
            ),
        opposite("no_hidden", "no-hidden", "hidden"),
        flag("no_ignore", "no-ignore", "Do not respect .(git|fd)ignore files").short('I').long_help(
            "Show what '.gitignore', '.ignore', '.fdignore', git's exclude files or the global \
             ignore file would leave out. --ignore takes it back.",
        ),
        opposite("ignore", "ignore", "no_ignore"),
        flag("no_ignore_vcs", "no-ignore-vcs", "Do not respect git's ignore rules")
            .hide_short_help(true),
        opposite("ignore_vcs", "ignore-vcs", "no_ignore_vcs"),
        flag("no_require_git", "no-require-git", "Respect .gitignore files outside of repositories too")
            .hide_short_help(true)
            .overrides_with("require_git"),
        opposite("require_git", "require-git", "no_require_git"),
        flag("no_ignore_parent", "no-ignore-parent", "Do not respect ignore files of parent directories")
            .hide_short_help(true),
        opposite("ignore_parent", "ignore-parent", "no_ignore_parent"),
        flag("no_global_ignore_file", "no-global-ignore-file", "Do not respect the global ignore file")
            .hide(true),
        Arg::new("unrestricted")
            .long("unrestricted")
            .short('u')
            .action(ArgAction::Count)
            .overrides_with_all(["ignore", "no_hidden"])
            .hide_short_help(true)
            .help("Search everything: the same as '--no-ignore --hidden'"),
        option("ignore_file", "ignore-file", "path", "Add an ignore file in .gitignore's format")
            .action(ArgAction::Append)
            .value_parser(value_parser!(std::path::PathBuf))
            .hide_short_help(true)
            .long_help("Add an ignore file in .gitignore's format; all others beat it."),
        option("exclude", "exclude", "glob", "Leave out entries that match this glob")
            .short('E')
            .action(ArgAction::Append)
            .value_parser(value_parser!(std::ffi::OsString))
            .long_help(
                "Leave out files and directories that match this glob, whatever other rules say. \
                 May be given several times.\n\nExamples:\n  --exclude '*.pyc'\n  --exclude node_modules",
            ),
        option("ignore_contain", "ignore-contain", "name", "Leave out directories that hold an entry of this name")
            .action(ArgAction::Append)
            .value_parser(value_parser!(std::ffi::OsString)),
    ]
}

/// How patterns match.
pub(super) fn patterns() -> Vec<Arg> {
    vec![
        flag(
            "case_sensitive",
            "case-sensitive",
            "Match case exactly (default: smart case)",
        )
        .short('s')
        .overrides_with("ignore_case")
        .long_help(
            "Match case exactly. By default case matters only if a pattern holds an \
                 upper-case letter (smart case).",
        ),
        flag(
            "ignore_case",
            "ignore-case",
            "Ignore case (default: smart case)",
        )
        .short('i')
        .overrides_with("case_sensitive"),
        flag(
            "glob",
            "glob",
            "Match by glob instead of regular expression",
        )
        .short('g')
        .conflicts_with("fixed_strings"),
        flag("regex", "regex", "Match by regular expression (default)")
            .overrides_with("glob")
            .hide_short_help(true),
        flag(
            "fixed_strings",
            "fixed-strings",
            "Match the pattern as plain text, anywhere in the name",
        )
        .short('F')
        .alias("literal")
        .hide_short_help(true),
        flag(
            "exact",
            "exact",
            "Match the pattern as plain text, against the whole name",
        )
        .conflicts_with_all(["glob", "fixed_strings"])
        .hide_short_help(true),
        option(
            "and",
            "and",
            "pattern",
            "Further pattern that must match as well",
        )
        .action(ArgAction::Append)
        .allow_hyphen_values(true)
        .hide_short_help(true),
        flag(
            "full_path",
            "full-path",
            "Match the absolute path (default: the name only)",
        )
        .short('p')
        .long_help(
            "Match against the absolute path instead of the name; with --relative-path, \
                 against the path as it is shown.\n\nExample:\n  --glob -p '**/.git/config'",
        ),
    ]
}
