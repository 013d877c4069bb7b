//! The outside programs that tests need: found, or installed, or named; never skipped.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use crate::{repo, shell};

/// A program and the Debian package that brings it.
struct Tool {
    program: &'static str,
    package: &'static str,
}

const fn tool(program: &'static str, package: &'static str) -> Tool {
    Tool { program, package }
}

/// What the tests call or compare with.
const TOOLS: &[Tool] = &[
    tool("bash", "bash"),
    tool("cc", "gcc"),
    tool("chromium", "chromium"),
    tool("find", "findutils"),
    tool("fish", "fish"),
    tool("fusermount3", "fuse3"),
    tool("git", "git"),
    tool("groff", "groff"),
    tool("man", "man-db"),
    tool("mkfs.btrfs", "btrfs-progs"),
    tool("mkfs.ext4", "e2fsprogs"),
    tool("mount", "mount"),
    tool("mkfifo", "coreutils"),
    tool("node", "nodejs"),
    tool("npm", "npm"),
    tool("prlimit", "util-linux"),
    tool("script", "bsdutils"),
    tool("setcap", "libcap2-bin"),
    tool("setfacl", "acl"),
    tool("setfattr", "attr"),
    tool("setpriv", "util-linux"),
    tool("strace", "strace"),
    tool("unshare", "util-linux"),
    tool("zsh", "zsh"),
];

/// Makes sure that every tool is there.
pub(crate) fn ensure() -> Result<()> {
    let missing = missing(shell::has_program);
    if missing.is_empty() {
        return Ok(());
    }
    if !(is_root()? && shell::has_program("apt-get")) {
        bail!(
            "expected these Debian packages (or their like) installed: {}",
            missing.join(" ")
        );
    }
    shell::run(apt().arg("update").arg("--quiet"))?;
    shell::run(
        apt()
            .args(["install", "--yes", "--no-install-recommends"])
            .args(&missing),
    )?;
    let still = self::missing(shell::has_program);
    if !still.is_empty() {
        bail!(
            "expected their programs after installing, found none of: {}",
            still.join(" ")
        );
    }
    Ok(())
}

/// The directory whose `package-lock.json` pins what tests take from npm, and what it brings.
const BROWSER: &str = "crates/formats/tests/browser";
const DRIVER: &str = "node_modules/playwright-core/package.json";

/// Makes sure that the driver of the browser is there, in the version of the lock file.
pub(crate) fn ensure_browser_driver(root: &Path) -> Result<()> {
    let dir = root.join(BROWSER);
    let lock = repo::read(root, &format!("{BROWSER}/package-lock.json"))?;
    let installed = fs::read_to_string(dir.join(DRIVER)).ok();
    if installed.is_some_and(|text| is_locked(&lock, &text)) {
        return Ok(());
    }
    let mut npm = Command::new("npm");
    npm.args(["ci", "--no-audit", "--no-fund", "--ignore-scripts"]);
    shell::run(npm.current_dir(dir))
}

/// Whether an installed package is in the version that the lock file names.
fn is_locked(lock: &str, installed: &str) -> bool {
    let version = installed
        .lines()
        .map(str::trim)
        .find(|line| line.starts_with("\"version\":"));
    version.is_some_and(|version| lock.lines().any(|line| line.trim() == version))
}

/// Makes sure that `cargo nextest` is there.
pub(crate) fn ensure_nextest() -> Result<()> {
    let probe = shell::cargo().args(["nextest", "--version"]).output();
    if probe.is_ok_and(|output| output.status.success()) {
        return Ok(());
    }
    // A build directory of its own: the project's may not hold what another project builds.
    shell::run(shell::cargo().args(["install", "--locked", "cargo-nextest"]))
}

fn missing(has: impl Fn(&str) -> bool) -> Vec<&'static str> {
    let mut packages: Vec<_> = TOOLS
        .iter()
        .filter(|tool| !has(tool.program))
        .map(|tool| tool.package)
        .collect();
    packages.sort_unstable();
    packages.dedup();
    packages
}

fn is_root() -> Result<bool> {
    Ok(shell::output(Command::new("id").arg("-u"))?.trim() == "0")
}

fn apt() -> Command {
    let mut command = Command::new("apt-get");
    command.env("DEBIAN_FRONTEND", "noninteractive");
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_installed_package_has_the_version_of_the_lock_file() {
        let lock = "{\n  \"lockfileVersion\": 3,\n    \"version\": \"1.2.3\",\n}";
        assert!(is_locked(
            lock,
            "{\n  \"name\": \"a\",\n  \"version\": \"1.2.3\",\n}"
        ));
        assert!(!is_locked(lock, "  \"version\": \"1.2.4\","));
        assert!(!is_locked(lock, "{}"));
    }

    #[test]
    fn names_each_missing_package_once() {
        assert!(missing(|_| true).is_empty());
        let without = |gone: &'static [&'static str]| move |name: &str| !gone.contains(&name);
        assert_eq!(
            missing(without(&["prlimit", "setpriv", "git"])),
            ["git", "util-linux"]
        );
    }
}
