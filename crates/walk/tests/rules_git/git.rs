//! git, as the judge.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

/// git in `dir`, with nothing but our own configuration.
fn git_command(dir: &Path, config: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    command
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap())
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", config)
        .args(["-c", "protocol.file.allow=always"])
        .args(["-c", "user.name=n", "-c", "user.email=e"])
        .args(arguments)
        .current_dir(dir);
    command
}

/// Runs git, which must succeed.
pub(crate) fn git(dir: &Path, config: &Path, arguments: &[&str]) -> Vec<u8> {
    let output = git_command(dir, config, arguments).output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    output.stdout
}

fn split(list: &[u8]) -> BTreeSet<Vec<u8>> {
    list.split(|&b| b == 0)
        .filter(|path| !path.is_empty())
        .map(<[u8]>::to_vec)
        .collect()
}

/// The files that git would add.
pub(crate) fn git_listing(top: &Path, config: &Path) -> BTreeSet<Vec<u8>> {
    split(&git(
        top,
        config,
        &["ls-files", "--others", "--exclude-standard", "-z"],
    ))
}

/// The paths among `paths` that git ignores, whether they exist or not.
pub(crate) fn git_ignored(
    root: &Path,
    config: &Path,
    paths: &BTreeSet<Vec<u8>>,
) -> BTreeSet<Vec<u8>> {
    let list = root.with_file_name("paths");
    let bytes: Vec<u8> = paths
        .iter()
        .flat_map(|path| [path, &b"\0"[..]].concat())
        .collect();
    fs::write(&list, bytes).unwrap();
    let output = git_command(
        root,
        config,
        &["check-ignore", "--no-index", "-z", "--stdin"],
    )
    .stdin(fs::File::open(list).unwrap())
    .output()
    .unwrap();
    assert!(
        output.stderr.is_empty(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    split(&output.stdout)
}
