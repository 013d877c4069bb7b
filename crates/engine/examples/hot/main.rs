#![forbid(unsafe_code)]
//! How long questions take inside one process, on a catalog with generated rows.
//!
//! `hot queries|groupings CATALOG [THREADS [ROUNDS [WORD]]]` asks each question a number of times and
//! tells the median, the 95th percentile and how many rows or groups there are; one thread is timed by
//! its time on the processor; with a word, only questions that hold it, and queries are explained.
//! `docs/bench/corpus.md` tells how a catalog is made.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "it is a program that prints a table"
)]

mod groupings;
mod queries;
mod timing;

use std::process::ExitCode;

use timing::Timing;

type Failure = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match run(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("hot: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(words: &[String]) -> Result<(), Failure> {
    let usage = "usage: hot queries|groupings CATALOG [THREADS [ROUNDS [WORD]]]";
    let [what, catalog, options @ ..] = words else {
        return Err(usage.into());
    };
    let timing = Timing::new(options)?;
    match &what[..] {
        "queries" => queries::run(catalog.as_ref(), &timing),
        "groupings" => groupings::run(catalog.as_ref(), &timing),
        _ => Err(usage.into()),
    }
}
