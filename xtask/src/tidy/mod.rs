//! The rules of the house, each proved by reading the repository.
//!
//! Every rule is a function from text to [`Problem`]s, so that its unit test can show it a sample
//! that must fail. `the_repository_is_tidy` runs them all, and so does `cargo xtask tidy`.

mod code_map;
mod exceptions;
mod headers;
mod lengths;
mod levels;
mod manifest;
mod outside;
mod printing;
mod source;
mod text;
mod unsafety;

use std::fmt;
use std::path::Path;

use anyhow::{Result, bail};

use crate::{args::Args, repo};
use exceptions::Exceptions;
pub(crate) use headers::first_sentence;
use source::Source;

/// A place where the repository breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Problem {
    file: String,
    line: usize,
    expected: String,
    found: String,
}

impl Problem {
    fn new(file: &str, line: usize, expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self {
            file: file.to_owned(),
            line,
            expected: expected.into(),
            found: found.into(),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            file,
            line,
            expected,
            found,
        } = self;
        write!(f, "{file}:{line}: expected {expected}, found {found}")
    }
}

/// `cargo xtask tidy`.
pub(crate) fn command(words: &[String]) -> Result<()> {
    Args::new(words).finish()?;
    let problems = check(&repo::root()?)?;
    for problem in &problems {
        eprintln!("{problem}");
    }
    match problems.len() {
        0 => Ok(()),
        count => bail!("{count} problem(s)"),
    }
}

/// Everything that is wrong with the repository at `root`, in order of place.
pub(crate) fn check(root: &Path) -> Result<Vec<Problem>> {
    let files = repo::files(root)?;
    let mut problems = Vec::new();
    check_manifests(root, &files, &mut problems)?;
    check_sources(root, &files, &mut problems)?;
    check_texts(root, &files, &mut problems)?;
    problems.extend(code_map::check(root, &files)?);
    problems.sort();
    Ok(problems)
}

fn check_manifests(root: &Path, files: &[String], problems: &mut Vec<Problem>) -> Result<()> {
    let mut manifests = Vec::new();
    for path in files.iter().filter(|path| is_member_manifest(path)) {
        manifests.push(manifest::parse(path, &repo::read(root, path)?)?);
    }
    problems.extend(levels::check(&manifests));
    problems.extend(outside::check(&manifests));
    Ok(())
}

fn is_member_manifest(path: &str) -> bool {
    path == "xtask/Cargo.toml" || (path.starts_with("crates/") && path.ends_with("/Cargo.toml"))
}

fn check_sources(root: &Path, files: &[String], problems: &mut Vec<Problem>) -> Result<()> {
    let mut exceptions = Exceptions::parse(&repo::read(root, exceptions::FILE)?)?;
    for path in files.iter().filter(|path| is_rust(path)) {
        let source = match Source::parse(path, repo::read(root, path)?) {
            Ok(source) => source,
            Err(problem) => {
                problems.push(problem);
                continue;
            }
        };
        problems.extend(unsafety::check(&source));
        problems.extend(printing::check(&source));
        problems.extend(headers::check(&source));
        problems.extend(lengths::check(&source, &mut exceptions));
    }
    problems.extend(exceptions.unneeded());
    Ok(())
}

fn is_rust(path: &str) -> bool {
    path.ends_with(".rs") && (path.starts_with("crates/") || path.starts_with("xtask/"))
}

fn check_texts(root: &Path, files: &[String], problems: &mut Vec<Problem>) -> Result<()> {
    let machine = text::Machine::here(root);
    for path in files.iter().filter(|path| *path != "Cargo.lock") {
        // What is not UTF-8 is a picture or a frozen sample, and no text that somebody wrote.
        if let Ok(content) = std::fs::read_to_string(root.join(path)) {
            problems.extend(text::leftovers(path, &content));
            problems.extend(machine.check(path, &content));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_repository_is_tidy() {
        let problems = check(&repo::root().unwrap()).unwrap();
        let lines: Vec<String> = problems.iter().map(Problem::to_string).collect();
        assert!(lines.is_empty(), "\n{}\n", lines.join("\n"));
    }

    #[test]
    fn a_problem_names_the_place_and_both_sides() {
        let problem = Problem::new("a/b.rs", 3, "an apple", "a pear");
        assert_eq!(
            problem.to_string(),
            "a/b.rs:3: expected an apple, found a pear"
        );
    }
}
