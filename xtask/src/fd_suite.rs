//! `cargo xtask fd-suite`: fd's own integration tests, run against groma under the name `fd`.
//!
//! The tests come from fd's published package, are built in a scratch package in a cache directory
//! and never enter the repository. Only the test program is built, not fd itself: a program that
//! does nothing stands in for it, and the tests are told at run time where the real one is.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, anyhow, bail};

use crate::args::Args;
use crate::{repo, shell};

/// The release whose command line groma promises to understand, and how many tests it has.
const VERSION: &str = "10.5.0";
const TESTS: usize = 111;

/// The scratch package that builds fd's tests. It has fd's name, so that fd's locked versions hold;
/// the dependencies are those of fd's that its tests use.
const PACKAGE: &str = "\
name = 'fd-find'
edition = '2024'
[workspace]
[[bin]]
name = 'fd'
path = 'src/main.rs'
[dev-dependencies]
diff = '0.1'
filetime = '0.2'
jiff = '0.2'
nix = { version = '0.31', default-features = false, features = ['hostname', 'user'] }
normpath = '1'
regex = '1'
tempfile = '3'
test-case = '3'
[profile.dev]
debug = false
";

/// `cargo xtask fd-suite [--program PATH]`; without a path the groma of this checkout is built.
pub(crate) fn command(words: &[String]) -> Result<()> {
    let mut args = Args::new(words);
    let program: Option<PathBuf> = args.option("--program")?;
    args.finish()?;
    match program {
        Some(program) => run(&fs::canonicalize(&program)
            .with_context(|| format!("expected a program at {}", program.display()))?),
        None => run(&built_program()?),
    }
}

/// Builds groma and says where it is.
pub(crate) fn built_program() -> Result<PathBuf> {
    let mut cargo = shell::cargo();
    cargo.args(["build", "--workspace", "--locked", "--bin", "groma"]);
    cargo
        .args(["--message-format", "json-render-diagnostics"])
        .current_dir(repo::root()?);
    executable(&shell::output(&mut cargo)?, "groma")
}

/// Runs the whole suite against `program`, and fails unless every test passes.
pub(crate) fn run(program: &Path) -> Result<()> {
    let scratch = cache_dir()?.join(format!("fd-suite-{VERSION}"));
    let tests = build(&scratch)?;
    let link = scratch.join("program/fd");
    point(&link, program)?;
    let mut suite = Command::new(&tests);
    let output = suite
        .current_dir(&scratch)
        .env("CARGO_BIN_EXE_fd", &link)
        .output()
        .with_context(|| format!("cannot run {}", tests.display()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    match passed(&text) {
        Some(TESTS) if output.status.success() => {
            eprintln!("xtask: fd {VERSION}'s tests: {TESTS} of {TESTS} passed");
            Ok(())
        }
        count => {
            println!("{text}{}", String::from_utf8_lossy(&output.stderr));
            let count = count.map_or("no summary".to_owned(), |count| count.to_string());
            bail!("expected {TESTS} of fd {VERSION}'s tests to pass, found {count}")
        }
    }
}

/// Number of passed tests in libtest's summary.
fn passed(text: &str) -> Option<usize> {
    let summary = text
        .lines()
        .rev()
        .find(|line| line.starts_with("test result:"))?;
    let words: Vec<&str> = summary.split_whitespace().collect();
    let at = words.iter().position(|word| word.starts_with("passed"))?;
    words[at.checked_sub(1)?].parse().ok()
}

/// Builds the test program and returns where it is.
fn build(scratch: &Path) -> Result<PathBuf> {
    let source = fetch(&scratch.join("fetch"))?;
    let package = scratch.join("package");
    lay_out(&package, &source)?;
    let mut cargo = shell::cargo();
    cargo.args(["test", "--no-run", "--test", "tests"]);
    cargo.args(["--message-format", "json-render-diagnostics"]);
    cargo
        .current_dir(&package)
        .env("CARGO_TARGET_DIR", scratch.join("target"));
    executable(&shell::output(&mut cargo)?, "tests")
}

/// Downloads fd's package through cargo and returns the directory it was unpacked to.
fn fetch(dir: &Path) -> Result<PathBuf> {
    let manifest = format!(
        "[workspace]\n[package]\nname = 'fetch'\nversion = '0.0.0'\nedition = '2024'\n\
         [dependencies]\nfd-find = '={VERSION}'\n"
    );
    write(&dir.join("Cargo.toml"), &manifest)?;
    write(&dir.join("src/lib.rs"), "")?;
    shell::run(
        shell::cargo()
            .args(["fetch", "--target", &host()?])
            .current_dir(dir),
    )?;
    unpacked(&cargo_home()?.join("registry/src"))
}

/// Where cargo unpacked fd's package: a directory of that name below one per registry.
fn unpacked(sources: &Path) -> Result<PathBuf> {
    let registries = fs::read_dir(sources)
        .with_context(|| format!("cannot read cargo's sources in {}", sources.display()))?;
    for registry in registries {
        let package = registry?.path().join(format!("fd-find-{VERSION}"));
        if package.is_dir() {
            return Ok(package);
        }
    }
    bail!(
        "expected fd-find-{VERSION} in {}, found nothing",
        sources.display()
    )
}

fn cargo_home() -> Result<PathBuf> {
    if let Some(home) = std::env::var_os("CARGO_HOME") {
        return Ok(home.into());
    }
    let home = std::env::var_os("HOME").ok_or_else(|| anyhow!("expected HOME, found none"))?;
    Ok(Path::new(&home).join(".cargo"))
}

/// The platform of this machine, as cargo calls it.
fn host() -> Result<String> {
    let version = shell::output(Command::new("rustc").arg("-vV"))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned)
        .ok_or_else(|| anyhow!("expected a host in `rustc -vV`, found none"))
}

/// The scratch package: fd's tests, its locked versions, and a stand-in for its program.
fn lay_out(package: &Path, source: &Path) -> Result<()> {
    let manifest = format!("[package]\nversion = '{VERSION}'\n{PACKAGE}");
    write(&package.join("Cargo.toml"), &manifest)?;
    write(&package.join("src/main.rs"), "fn main() {}\n")?;
    copy(&source.join("Cargo.lock"), &package.join("Cargo.lock"))?;
    for file in ["tests.rs", "testenv/mod.rs"] {
        copy(
            &source.join("tests").join(file),
            &package.join("tests").join(file),
        )?;
    }
    Ok(())
}

/// Makes `link` lead to `program`.
fn point(link: &Path, program: &Path) -> Result<()> {
    make_parent(link)?;
    if link.is_symlink() {
        fs::remove_file(link)?;
    }
    symlink(program, link).with_context(|| format!("cannot link {}", link.display()))
}

/// The program in cargo's JSON messages whose file name is `name`, or `name-` and a hash.
fn executable(messages: &str, name: &str) -> Result<PathBuf> {
    let is_it = |path: &&str| {
        let file = path.rsplit('/').next().unwrap_or_default();
        file == name
            || file
                .strip_prefix(name)
                .is_some_and(|rest| rest.starts_with('-'))
    };
    let found = json_strings(messages, "executable")
        .find(is_it)
        .map(PathBuf::from);
    found.ok_or_else(|| anyhow!("expected cargo to build `{name}`, found no such program"))
}

/// The values of `"key":"value"` in cargo's compact JSON. Paths with `"` or `\` are not for it.
fn json_strings<'a>(text: &'a str, key: &str) -> impl Iterator<Item = &'a str> {
    let key = format!("\"{key}\":\"");
    let starts: Vec<usize> = text
        .match_indices(&key)
        .map(|(at, _)| at + key.len())
        .collect();
    starts
        .into_iter()
        .filter_map(|start| text[start..].split('"').next())
}

/// Where scratch packages are kept between runs, outside the project.
fn cache_dir() -> Result<PathBuf> {
    let given = std::env::var_os("XDG_CACHE_HOME").filter(|dir| !dir.is_empty());
    let home = || std::env::var_os("HOME").map(|home| Path::new(&home).join(".cache"));
    let cache = given
        .map(PathBuf::from)
        .or_else(home)
        .unwrap_or_else(std::env::temp_dir);
    let dir = cache.join("groma-xtask");
    fs::create_dir_all(&dir).with_context(|| format!("cannot make {}", dir.display()))?;
    Ok(dir)
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    let text =
        fs::read_to_string(from).with_context(|| format!("cannot read {}", from.display()))?;
    write(to, &text)
}

/// Writes only what differs, so that cargo does not build again what it has.
fn write(path: &Path, text: &str) -> Result<()> {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    make_parent(path)?;
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

fn make_parent(path: &Path) -> Result<()> {
    let parent = path.parent().unwrap_or(Path::new("/"));
    fs::create_dir_all(parent).with_context(|| format!("cannot make {}", parent.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_passed_tests_from_the_summary() {
        let text = "test a ... ok\n\ntest result: ok. 111 passed; 0 failed; 0 ignored\n";
        assert_eq!(passed(text), Some(111));
        assert_eq!(passed("test result: FAILED. 7 passed; 3 failed\n"), Some(7));
        assert_eq!(passed("killed"), None);
    }

    #[test]
    fn finds_the_program_in_cargos_messages() {
        let messages = r#"{"reason":"x","executable":null}
{"reason":"y","executable":"/t/debug/deps/tests-1"}
{"reason":"z","executable":"/t/debug/fd"}"#;
        let tests = executable(messages, "tests").unwrap();
        assert_eq!(tests, Path::new("/t/debug/deps/tests-1"));
        assert_eq!(
            executable(messages, "fd").unwrap(),
            Path::new("/t/debug/fd")
        );
        assert!(executable(messages, "groma").is_err());
    }
}
