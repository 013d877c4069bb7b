//! `cargo xtask test`: everything that must pass; `cargo xtask soak`: the same, long and large.

use std::process::Command;
use std::time::Instant;

use anyhow::Result;

use crate::args::Args;
use crate::{fd_suite, repo, shell, tools};

/// How much of it: what a change must pass, or what a night is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Length {
    /// At most 15 minutes on two cores.
    Short,
    /// Large trees and many more random cases.
    Long,
}

/// Random cases per property in a long run: twenty times proptest's own default, and a hundred times
/// what the properties that write catalogs try otherwise.
const SOAK_CASES: &str = "5000";

/// Optimised, so that a long run is long in what it tries, but with all checks.
const SOAK_PROFILE: &str = "soak";

/// The crates that touch the machine, on what other platforms than Linux use.
const PORTABLE: &[&str] = &[
    "nextest",
    "run",
    "--package",
    "groma-sys",
    "--package",
    "groma-walk",
    "--features",
    "groma-sys/portable",
    "--locked",
];

/// Runs all tests, one part after the other.
pub(crate) fn command(words: &[String], length: Length) -> Result<()> {
    Args::new(words).finish()?;
    let start = Instant::now();
    tools::ensure()?;
    tools::ensure_nextest()?;
    let root = repo::root()?;
    tools::ensure_browser_driver(&root)?;
    let run = |words: &[&str]| {
        let mut cargo = shell::cargo();
        shell::run(lengthen(cargo.args(words).current_dir(&root), length))
    };
    let profile = |option: &'static str| match length {
        Length::Short => vec![],
        Length::Long => vec![option, SOAK_PROFILE],
    };
    run(&["build", "--workspace", "--locked"])?;
    let nextest = profile("--cargo-profile");
    run(&[&["nextest", "run", "--workspace", "--locked"], &nextest[..]].concat())?;
    run(&[PORTABLE, &nextest].concat())?;
    let doc = ["test", "--doc", "--workspace", "--locked"];
    run(&[&doc, &profile("--profile")[..]].concat())?;
    fd_suite::run(&fd_suite::built_program()?)?;
    eprintln!("xtask: all tests passed in {} s", start.elapsed().as_secs());
    Ok(())
}

/// What the tests look at to know how long to go on.
fn lengthen(command: &mut Command, length: Length) -> &mut Command {
    match length {
        Length::Short => command,
        Length::Long => command
            .env("GROMA_SOAK", "1")
            .env("PROPTEST_CASES", SOAK_CASES),
    }
}
