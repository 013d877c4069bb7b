#![forbid(unsafe_code)]
//! The project's own chores: `cargo xtask COMMAND`.
//!
//! Nothing here ships. What the chores have in common: they say what they run, they stop at the
//! first thing that fails, and they never skip a step in silence.

// A chore talks to the person who started it; the ban on printing is for the product's crates.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod args;
mod code_map;
mod corpus;
mod fd_suite;
mod fuzz;
mod repo;
mod shell;
mod test;
mod tidy;
mod tools;

use std::process::ExitCode;

use anyhow::{Result, bail};

const USAGE: &str = "\
usage: cargo xtask COMMAND

  tidy                          check the rules of the house
  test                          run everything that must pass (installs what tests need)
  soak                          the same, long and large
  fd-suite [--program PATH]     run fd's own integration tests against groma
  corpus tree DIR --entries N [--seed S]
  corpus flat DIR --entries N [--seed S]
  corpus nested DIR --depth N   make a tree from a seed
  corpus catalog DIR --rows N [--seed S] [--root PATH]
                                make a catalog from a seed, or add a root to one
  corpus --help                 what is made, and how it is distributed
  fuzz [NAME]... [--seconds N] [--check]
                                run fuzz targets, or only build them
  code-map [--write]            print ARCHITECTURE.md's code map, or rewrite it in place
";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match run(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(words: &[String]) -> Result<()> {
    let Some((command, rest)) = words.split_first() else {
        bail!("expected a command, found none\n\n{USAGE}");
    };
    match command.as_str() {
        "tidy" => tidy::command(rest),
        "test" => test::command(rest, test::Length::Short),
        "soak" => test::command(rest, test::Length::Long),
        "fd-suite" => fd_suite::command(rest),
        "corpus" => corpus::command(rest),
        "fuzz" => fuzz::command(rest),
        "code-map" => code_map::command(rest),
        "help" | "--help" | "-h" => {
            print!("{USAGE}");
            Ok(())
        }
        other => bail!("expected a command, found `{other}`\n\n{USAGE}"),
    }
}
