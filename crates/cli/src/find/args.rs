//! The command line of `groma find`: fd's, and what goes beyond it. Help, completions and the man
//! page all come from here.

use clap::builder::PossibleValue;
use clap::{Arg, ArgAction, ArgGroup, Command, value_parser};

use super::args_more;

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
        .args(what_is_seen())
        .args(how_patterns_match())
        .args(filters())
        .args(how_to_walk())
        .args(output())
        .args(actions())
        .args(args_more::filters())
        .args(args_more::output())
        .args(positionals())
        .group(
            ArgGroup::new("execs")
                .args(["exec", "exec_batch", "list_details"])
                .conflicts_with_all(["max_results", "quiet", "max_one_result"]),
        )
}

/// A flag without a value.
pub(super) fn flag(id: &'static str, long: &'static str, help: &'static str) -> Arg {
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
pub(super) fn option(
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

fn what_is_seen() -> Vec<Arg> {
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

fn how_patterns_match() -> Vec<Arg> {
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

fn filters() -> Vec<Arg> {
    vec![
        option("type", "type", "filetype", "Filter by type: file (f), directory (d), symlink (l), executable (x), empty (e), socket (s), pipe (p), char-device (c), block-device (b), unknown (u)")
            .short('t')
            .action(ArgAction::Append)
            .hide_possible_values(true)
            .value_parser(file_types())
            .long_help(TYPE_HELP),
        option("extension", "extension", "ext", "Filter by extension")
            .short('e')
            .action(ArgAction::Append)
            .long_help(
                "Filter by extension, in any case; may be given several times, and may hold dots \
                 (tar.gz). Directories count too, unless --type says otherwise.",
            ),
        option("size", "size", "size", "Filter files by size: +10k, -2mi, 0")
            .short('S')
            .action(ArgAction::Append)
            .allow_hyphen_values(true)
            .long_help(SIZE_HELP),
        option("changed_within", "changed-within", "date|dur", "Filter by time of change: newer than this")
            .aliases(["change-newer-than", "newer", "changed-after"])
            .long_help(TIME_HELP),
        option("changed_before", "changed-before", "date|dur", "Filter by time of change: older than this")
            .aliases(["change-older-than", "older"])
            .long_help(TIME_HELP),
        option("owner", "owner", "user:group", "Filter by owning user or group")
            .short('o')
            .long_help(
                "Filter by owner: [user|uid][:group|gid], either may be left out, and '!' before \
                 one negates it.\n\nExamples:\n  --owner john\n  --owner :students\n  --owner '!john:students'",
            ),
    ]
}

fn file_types() -> Vec<PossibleValue> {
    vec![
        PossibleValue::new("file").alias("f"),
        PossibleValue::new("directory").aliases(["d", "dir"]),
        PossibleValue::new("symlink").alias("l"),
        PossibleValue::new("block-device").alias("b"),
        PossibleValue::new("char-device").alias("c"),
        PossibleValue::new("executable").alias("x"),
        PossibleValue::new("empty").alias("e"),
        PossibleValue::new("socket").alias("s"),
        PossibleValue::new("pipe").alias("p"),
        PossibleValue::new("unknown").alias("u"),
    ]
}

fn how_to_walk() -> Vec<Arg> {
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

fn output() -> Vec<Arg> {
    let when = || ["auto", "always", "never"].map(PossibleValue::new);
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

fn actions() -> Vec<Arg> {
    let command = |id: &'static str, short, help, long| {
        Arg::new(id)
            .action(ArgAction::Append)
            .long(if short == 'x' { "exec" } else { "exec-batch" })
            .short(short)
            .num_args(1..)
            .allow_hyphen_values(true)
            .value_terminator(";")
            .value_parser(value_parser!(std::ffi::OsString))
            .value_name("cmd")
            .help(help)
            .long_help(long)
    };
    vec![
        command("exec", 'x', "Run a command for each result", EXEC_HELP)
            .conflicts_with("list_details"),
        command(
            "exec_batch",
            'X',
            "Run a command with all results at once",
            BATCH_HELP,
        )
        .conflicts_with_all(["exec", "list_details"]),
        option(
            "batch_size",
            "batch-size",
            "size",
            "Most results that one run of -X is given",
        )
        .value_parser(value_parser!(usize))
        .default_value("0")
        .hide_default_value(true)
        .requires("exec_batch")
        .hide_short_help(true)
        .long_help(
            "Most results that one run of -X is given; more runs follow. 0, the default, is \
                 no limit but the system's.",
        ),
    ]
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

const TYPE_HELP: &str = "Filter by type; may be given several times:
  f, file            regular files
  d, dir, directory  directories
  l, symlink         symbolic links
  s, socket          sockets
  p, pipe            named pipes
  b, block-device    block devices
  c, char-device     character devices
  u, unknown         what the file system tells no type of
  x, executable      files that may be executed
  e, empty           files without bytes, directories without entries

Types add up: '-tf -tl' finds files and links. 'x' and 'e' narrow: '-tx' means executable files, \
'-te' empty files and directories, '-te -td' empty directories.";

const SIZE_HELP: &str = "Filter files by size, <+|-><number><unit>: '+' at least, '-' at most, \
otherwise exactly. Several must all hold. Units, in any case:
  b            bytes (the default)
  k m g t      powers of 1000
  ki mi gi ti  powers of 1024";

const TIME_HELP: &str = "Filter by the time of the last change. The time is a duration before now \
(10h, 1d, 35min, 2weeks), a date (2018-10-27), a local date and time ('2018-10-27 10:00:00'), RFC \
3339, or seconds (@1540598400).";

const EXEC_HELP: &str = "Run a command for each result, several at a time (--threads=1: one after \
the other). What follows belongs to the command, up to ';'. In it these are replaced:
  {}    path
  {/}   name
  {//}  parent directory
  {.}   path without extension
  {/.}  name without extension
  {{ }} braces
Without any of them the path is put at the end.

Examples:
  -e zip -x unzip
  -e jpg -x convert {} {.}.png";

const BATCH_HELP: &str =
    "Run a command once, with all results as arguments; more often if they do \
not fit. The results are sorted by path. The same is replaced as in --exec, in one argument.

Examples:
  -g 'test_*.py' -X vim
  -e rs -X wc -l";
