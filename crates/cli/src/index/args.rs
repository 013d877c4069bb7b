//! The command line of `groma index`. Help, completions and the man page all come from here.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Arg, ArgAction, Command, value_parser};

use crate::catalog_dir;

/// The command.
pub(crate) fn command(name: &'static str) -> Command {
    Command::new(name)
        .about("Builds and keeps the catalog that search and stats ask")
        .version(env!("CARGO_PKG_VERSION"))
        .max_term_width(98)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
        .subcommand(add())
        .subcommand(refresh())
        .subcommand(list())
        .subcommand(remove())
        .subcommand(check())
        .subcommand(whereabouts())
}

fn add() -> Command {
    verb("add", "Reads directories and puts them into the catalog")
        .long_about(
            "Reads directories and puts them into the catalog. A root is known by its file system and \
             its place there: one that the catalog has is replaced, wherever it is mounted now. \
             File systems that the kernel makes up (proc, sysfs ...) are left out.",
        )
        .arg(
            Arg::new("path")
                .value_name("path")
                .required(true)
                .action(ArgAction::Append)
                .num_args(1..)
                .value_parser(value_parser!(PathBuf))
                .help("What to read: directories; with --source list files, or '-'"),
        )
        .arg(source())
        .args(scanning())
        .arg(threads())
        .arg(show_errors())
}

fn refresh() -> Command {
    verb(
        "refresh",
        "Brings roots up to date, with the options they were added with",
    )
    .long_about(
        "Brings roots up to date, with the options they were added with. Without --full or --quick \
             the result is that of a new scan: directories that did not change since the last scan \
             (same inode and times) are not read again, but all their entries are asked for \
             metadata.",
    )
    .arg(root("The root (default: all that are there)"))
    .arg(flag("full", "full", "Read everything again").conflicts_with("quick"))
    .arg(
        flag(
            "quick",
            "quick",
            "Take over the files of unchanged directories unseen",
        )
        .long_help(
            "Take over the files of unchanged directories unseen. What was written to a file \
                 without a file being made, removed or renamed beside it stays unnoticed; the \
                 catalog is marked so.",
        ),
    )
    .arg(threads())
    .arg(show_errors())
}

fn list() -> Command {
    verb("list", "Lists the roots of the catalog").arg(format())
}

fn remove() -> Command {
    verb(
        "remove",
        "Takes roots out of the catalog; no file that they describe is touched",
    )
    .arg(
        root("The root: its path, or its key")
            .required(true)
            .num_args(1..)
            .action(ArgAction::Append),
    )
}

fn check() -> Command {
    verb("check", "Verifies every checksum and every invariant")
        .arg(root("The root (default: all)"))
}

fn whereabouts() -> Command {
    verb(
        "where",
        "Tells which files hold a root, or which directory the catalog",
    )
    .arg(root("The root (default: the catalog itself)"))
}

fn root(help: &'static str) -> Arg {
    Arg::new("root")
        .value_name("root")
        .value_parser(value_parser!(PathBuf))
        .help(help)
}

fn verb(name: &'static str, about: &'static str) -> Command {
    Command::new(name).about(about).arg(catalog_dir::arg())
}

fn flag(id: &'static str, long: &'static str, help: &'static str) -> Arg {
    Arg::new(id)
        .long(long)
        .action(ArgAction::SetTrue)
        .help(help)
}

fn source() -> Arg {
    Arg::new("source")
        .long("source")
        .value_name("source")
        .value_parser(["auto", "walk", "list", "ntfs", "ext4"])
        .default_value("auto")
        .help("How it is read")
        .long_help(
            "How it is read. 'auto' and 'walk': with system calls. 'list': <path> is a file of paths \
             ('-': standard input), each ended by NUL or, where there is none, by a line feed; or a \
             file list of Everything (EFU). Directories that a list does not name are made. 'ntfs' \
             and 'ext4' are not built yet.",
        )
}

/// What is left out, and what is asked for beyond the usual. The catalog remembers these.
pub(crate) fn scanning() -> Vec<Arg> {
    vec![
        Arg::new("exclude")
            .long("exclude")
            .short('E')
            .value_name("glob")
            .action(ArgAction::Append)
            .value_parser(value_parser!(OsString))
            .help("Leave out entries that match this glob")
            .long_help(
                "Leave out files and directories that match this glob, as 'groma find --exclude' \
                 does. May be given several times.\n\nExamples:\n  --exclude '*.pyc'\n  --exclude \
                 node_modules",
            ),
        Arg::new("exclude_from")
            .long("exclude-from")
            .value_name("file")
            .action(ArgAction::Append)
            .value_parser(value_parser!(PathBuf))
            .help("Leave out what this file of globs names, as .gitignore does"),
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
        .aliases(["mount", "xdev"]),
        flag(
            "pseudo",
            "pseudo",
            "Also read file systems that the kernel makes up",
        )
        .long_help(
            "Also read file systems that the kernel makes up: proc, sysfs, cgroup, devpts and the \
             like. The file system of the root itself is always read.",
        ),
        flag(
            "acl",
            "acl",
            "Also find out which entries have access control lists",
        )
        .long_help(
            "Also find out which entries have access control lists. That takes one more call for \
             each entry.",
        ),
    ]
}

pub(crate) fn threads() -> Arg {
    Arg::new("threads")
        .long("threads")
        .short('j')
        .value_name("num")
        .value_parser(value_parser!(std::num::NonZeroUsize))
        .help("Number of threads to read with")
        .long_help("Number of threads to read with (default: as many as there are processors).")
}

pub(crate) fn show_errors() -> Arg {
    flag("show_errors", "show-errors", "Say what could not be read")
}

fn format() -> Arg {
    Arg::new("format")
        .long("format")
        .value_name("format")
        .value_parser(["table", "json"])
        .default_value("table")
        .help("Form of the output")
}
