//! Where a repository keeps what belongs to it: git directories, worktrees, submodules.

use std::path::{Component, Path, PathBuf};

use super::files::{Links, OpenFile};
use super::paths;

/// The rule-related files of one repository.
#[derive(Debug, Default)]
pub(super) struct Repository {
    /// The git directory as the top's `.git` names it: relative to the top, or absolute.
    git_dir: Vec<u8>,
    /// Bytes of `info/exclude`; empty when there is none.
    pub(super) info_exclude: Vec<u8>,
    /// Bytes of the repository's own configuration.
    pub(super) config: Vec<u8>,
}

impl Repository {
    /// Reads the repository whose top, an open directory, has a `.git`.
    pub(super) fn read(top: &dyn OpenFile) -> Repository {
        let git_dir = git_dir(top);
        let common = common_dir(top, &git_dir);
        let read = |name: &[u8]| {
            top.read_file(&paths::join(&common, name), Links::Follow)
                .unwrap_or_default()
        };
        let mut config = read(b"config");
        config.push(b'\n');
        config.extend(
            top.read_file(&paths::join(&git_dir, b"config.worktree"), Links::Follow)
                .unwrap_or_default(),
        );
        Repository {
            info_exclude: read(b"info/exclude"),
            config,
            git_dir,
        }
    }

    /// The absolute path of the git directory of the repository whose top is `top`.
    pub(super) fn absolute_git_dir(&self, top: &Path) -> PathBuf {
        normalized(&top.join(paths::from_bytes(&self.git_dir)))
    }
}

/// `.git` itself, or where a file of this name points: worktrees and submodules have one.
fn git_dir(top: &dyn OpenFile) -> Vec<u8> {
    let content = top.read_file(b".git", Links::Follow).unwrap_or_default();
    match content.strip_prefix(b"gitdir: ") {
        Some(path) => without_line_end(path).to_vec(),
        None => b".git".to_vec(),
    }
}

/// Worktrees share a directory with their main repository.
fn common_dir(top: &dyn OpenFile, git_dir: &[u8]) -> Vec<u8> {
    match top.read_file(&paths::join(git_dir, b"commondir"), Links::Follow) {
        Ok(content) => paths::join(git_dir, without_line_end(&content)),
        Err(_) => git_dir.to_vec(),
    }
}

fn without_line_end(bytes: &[u8]) -> &[u8] {
    let end = bytes
        .iter()
        .rposition(|b| !matches!(b, b'\n' | b'\r'))
        .map_or(0, |last| last + 1);
    &bytes[..end]
}

/// The path without `.` and `..`.
fn normalized(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            other => plain.push(other),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::files::DirAt;
    use std::fs;

    #[test]
    fn a_file_points_to_the_git_directory_and_that_to_the_common_one() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        for name in ["main/.git/worktrees/w", "main/.git/info", "tree"] {
            fs::create_dir_all(at(name)).unwrap();
        }
        fs::write(at("main/.git/info/exclude"), "x\n").unwrap();
        fs::write(at("main/.git/worktrees/w/commondir"), "../..\n").unwrap();
        fs::write(at("tree/.git"), "gitdir: ../main/.git/worktrees/w\n").unwrap();
        let repository = Repository::read(&DirAt(at("tree")));
        assert_eq!(repository.info_exclude, b"x\n");
        assert_eq!(
            repository.absolute_git_dir(&at("tree")),
            at("main/.git/worktrees/w")
        );
        let repository = Repository::read(&DirAt(at("main")));
        assert_eq!(repository.info_exclude, b"x\n");
        assert_eq!(repository.absolute_git_dir(&at("main")), at("main/.git"));
    }
}
