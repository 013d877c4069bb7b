//! Options that run commands.

use clap::{Arg, ArgAction, value_parser};

use super::option;

/// All of them.
pub(super) fn actions() -> Vec<Arg> {
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
