//! The command line of `groma snapshot`. Help, completions and the man page all come from here.

use std::path::PathBuf;

use clap::{Arg, ArgAction, Command, value_parser};

use crate::index::{scanning, show_errors, threads};

/// The command.
pub(crate) fn command(name: &'static str) -> Command {
    Command::new(name)
        .about("Saves trees to files, and tells what has changed between them")
        .version(env!("CARGO_PKG_VERSION"))
        .max_term_width(98)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
        .subcommand(save())
        .subcommand(show())
        .subcommand(verify())
        .subcommand(compare())
        .subcommand(list())
        .subcommand(prune())
        .subcommand(import())
        .subcommand(export())
}

fn save() -> Command {
    Command::new("save")
        .about("Reads a directory and saves what is known of everything in it")
        .long_about(
            "Reads a directory and saves what is known of everything in it to one file: names, kinds, \
             sizes, times, owners, links; no contents. The file is written under a temporary name and \
             then renamed. It is no part of the tree, even if it lies there.",
        )
        .arg(path("path", "What to save").default_value("."))
        .arg(output().required(true).help("The file to write"))
        .arg(
            Arg::new("times")
                .long("times")
                .value_name("times")
                .value_parser(["all", "modified"])
                .default_value("all")
                .help("Which times are kept: all, or only that of the last change"),
        )
        .arg(
            flag("partial", "Keep what there is when interrupted").long_help(
                "Keep what there is when interrupted: the snapshot is marked as partial, and so are \
                 the directories in it that were not read to their ends. The exit code is that of \
                 the signal nevertheless.",
            ),
        )
        .args(scanning())
        .arg(threads())
        .arg(show_errors())
}

fn show() -> Command {
    Command::new("show")
        .about("Tells what snapshots say about themselves")
        .arg(files("The snapshots"))
        .arg(format(["table", "json"], "table"))
}

fn verify() -> Command {
    Command::new("verify")
        .about("Verifies the SHA-256, every checksum and every invariant")
        .arg(files("The snapshots"))
}

fn compare() -> Command {
    Command::new("compare")
        .about("Tells what is new, removed, grown, shrunk and moved, and how much directories have grown")
        .long_about(
            "Tells what is new, removed, grown, shrunk and moved, and how much directories have grown. \
             Each of the trees is a snapshot, an export of ncdu, or a directory, which is read now, \
             with the options that the snapshot before it was taken with. Entries are compared by \
             their paths below the roots; what has another path but the same node (file system, \
             inode, kind, and time of birth where it is known) was moved. Of more than two trees the \
             first is compared with the last, and each with the one before it by their sizes: how \
             many bytes a day.",
        )
        .arg(
            path("tree", "The trees: older ones first")
                .required(true)
                .num_args(2..)
                .action(ArgAction::Append),
        )
        .arg(format(["table", "json", "csv"], "table"))
        .arg(output().help("Write to this file, which is replaced at the end"))
        .arg(
            Arg::new("limit")
                .long("limit")
                .short('n')
                .value_name("num")
                .value_parser(value_parser!(usize))
                .help("Most changes, and most directories, that are told (default: 20 in a table, else all)"),
        )
        .arg(flag("apparent", "Count the bytes that a reader sees, not those on disk"))
        .arg(flag(
            "all",
            "Also tell what lies in directories that are new or removed as a whole",
        ))
        .arg(threads())
        .arg(show_errors())
}

fn list() -> Command {
    Command::new("list")
        .about("Lists the snapshots in a directory")
        .arg(path("dir", "The directory").default_value("."))
        .arg(format(["table", "json"], "table"))
}

fn prune() -> Command {
    Command::new("prune")
        .about("Removes snapshots from a directory that no rule keeps")
        .long_about(
            "Removes snapshots from a directory that no rule keeps: of each root and each period the \
             newest is kept, for as many periods as the rule says, counting those that have one. Only \
             files go that verify as snapshots; their own times count, not those of the files. Partial \
             ones are kept only where a period has no whole one.",
        )
        .arg(path("dir", "The directory").required(true))
        .arg(
            Arg::new("keep")
                .long("keep")
                .value_name("rules")
                .required(true)
                .help("What is kept, like 'daily=7,weekly=4,monthly=12,yearly=10'"),
        )
        .arg(flag("dry_run", "Only tell what would be removed").long("dry-run"))
        .arg(format(["table", "json"], "table"))
}

fn import() -> Command {
    Command::new("import")
        .about("Makes a snapshot of an export of ncdu, which may be packed with gzip or zstd")
        .arg(path("file", "The export").required(true))
        .arg(output().required(true).help("The file to write"))
}

fn export() -> Command {
    Command::new("export")
        .about("Writes all entries of a snapshot for other programs")
        .arg(path("file", "The snapshot").required(true))
        .arg(format(["ncdu", "json", "ndjson", "csv"], "ncdu"))
        .arg(output().help("Write to this file, which is replaced at the end"))
}

fn path(id: &'static str, help: &'static str) -> Arg {
    Arg::new(id)
        .value_name(id)
        .value_parser(value_parser!(PathBuf))
        .help(help)
}

fn files(help: &'static str) -> Arg {
    path("file", help)
        .required(true)
        .num_args(1..)
        .action(ArgAction::Append)
}

fn output() -> Arg {
    Arg::new("output")
        .long("output")
        .short('o')
        .value_name("file")
        .value_parser(value_parser!(PathBuf))
}

fn format<const N: usize>(formats: [&'static str; N], default: &'static str) -> Arg {
    Arg::new("format")
        .long("format")
        .value_name("format")
        .value_parser(formats)
        .default_value(default)
        .help("Form of the output")
}

fn flag(id: &'static str, help: &'static str) -> Arg {
    Arg::new(id).long(id).action(ArgAction::SetTrue).help(help)
}
