//! `cargo xtask fuzz`: the fuzz targets, guided by coverage, with the compiler that everybody has.
//!
//! The sanitizers that cargo-fuzz adds need a nightly compiler; the counters that guide libFuzzer
//! do not. All code under test forbids `unsafe`, so what is missed is little.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, bail};

use crate::args::Args;
use crate::{repo, shell};

/// How long each target runs where nothing else is said, seconds.
const SECONDS: u32 = 60;

/// Counters at every edge and at every comparison, checks of arithmetic as in a debug build.
const RUSTFLAGS: &str = "--cfg fuzzing -Cpasses=sancov-module \
    -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
    -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares \
    -Ccodegen-units=1 -Cdebug-assertions=yes -Coverflow-checks=yes";

/// `fuzz [NAME]... [--seconds N]`: these targets, or all of them; `--check` builds them only.
pub(crate) fn command(words: &[String]) -> Result<()> {
    let mut args = Args::new(words);
    let seconds = args.option("--seconds")?.unwrap_or(SECONDS);
    let only_check = args.flag("--check");
    let root = repo::root()?;
    let known = targets(&root)?;
    let mut names = Vec::new();
    while let Ok(name) = args.word("a target") {
        if !known.contains(&name) {
            bail!(
                "expected a target among {}, found `{name}`",
                known.join(", ")
            );
        }
        names.push(name);
    }
    args.finish()?;
    let names = if names.is_empty() { known } else { names };
    let host = host()?;
    let dir = root.join("fuzz");
    for name in &names {
        build(&dir, name, &host)?;
        if !only_check {
            run(&dir, name, &host, seconds)?;
        }
    }
    Ok(())
}

/// The targets: a file each.
fn targets(root: &Path) -> Result<Vec<String>> {
    let files = repo::files(root)?;
    let names = files.iter().filter_map(|path| {
        let name = path.strip_prefix("fuzz/fuzz_targets/")?;
        name.strip_suffix(".rs").map(str::to_owned)
    });
    Ok(names.collect())
}

/// The platform that this runs on; named, so that build scripts are built without counters.
fn host() -> Result<String> {
    let told = shell::output(Command::new("rustc").arg("-vV"))?;
    let host = told.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned)
        .context("expected rustc to name its host")
}

fn build(dir: &Path, name: &str, host: &str) -> Result<()> {
    let mut command = shell::cargo();
    command.args([
        "build",
        "--release",
        "--locked",
        "--target",
        host,
        "--bin",
        name,
    ]);
    command.args(["--target-dir", "target"]);
    shell::run(command.env("RUSTFLAGS", RUSTFLAGS).current_dir(dir))
}

fn run(dir: &Path, name: &str, host: &str, seconds: u32) -> Result<()> {
    let (corpus, seeds) = (format!("corpus/{name}"), format!("seeds/{name}"));
    std::fs::create_dir_all(dir.join(&corpus))?;
    std::fs::create_dir_all(dir.join("artifacts"))?;
    let mut command = Command::new(format!("target/{host}/release/{name}"));
    command.args([corpus, seeds, format!("-max_total_time={seconds}")]);
    command.args([
        "-artifact_prefix=artifacts/",
        "-timeout=20",
        "-print_final_stats=1",
    ]);
    shell::run(command.current_dir(dir))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_has_seeds_and_a_line_in_the_manifest() {
        let root = repo::root().unwrap();
        let manifest = repo::read(&root, "fuzz/Cargo.toml").unwrap();
        let targets = targets(&root).unwrap();
        assert!(targets.len() >= 4);
        for name in targets {
            let line = format!("path = \"fuzz_targets/{name}.rs\"");
            assert!(manifest.contains(&line), "{name}");
            let seeds = std::fs::read_dir(root.join("fuzz/seeds").join(&name)).unwrap();
            assert!(seeds.count() >= 3, "{name}");
        }
    }
}
