//! Where the repository is, and which files it holds.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow};

/// Directories that hold no part of the project: version control, build output, fuzzing finds, what npm
/// installs.
const NOT_OURS: &[&str] = &[".git", "target", "corpus", "artifacts", "node_modules"];

/// The top of the repository.
pub(crate) fn root() -> Result<PathBuf> {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = manifest
        .parent()
        .ok_or_else(|| anyhow!("xtask has no parent directory"))?;
    Ok(root.to_owned())
}

/// Every file of the project as a path relative to `root` with `/` between components, sorted.
pub(crate) fn files(root: &Path) -> Result<Vec<String>> {
    let mut found = Vec::new();
    collect(root, "", &mut found)?;
    found.sort();
    Ok(found)
}

fn collect(dir: &Path, prefix: &str, found: &mut Vec<String>) -> Result<()> {
    for entry in fs::read_dir(dir).with_context(|| format!("cannot read {}", dir.display()))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{prefix}{name}");
        if !entry.file_type()?.is_dir() {
            found.push(path);
        } else if !is_foreign(&path, &name) {
            collect(&entry.path(), &format!("{path}/"), found)?;
        }
    }
    Ok(())
}

/// `xtask/src/corpus` is a module and `fuzz/corpus` is a heap of finds: only the latter is foreign.
fn is_foreign(path: &str, name: &str) -> bool {
    NOT_OURS.contains(&name) && !path.contains("src/")
}

/// Reads a file of the repository.
pub(crate) fn read(root: &Path, path: &str) -> Result<String> {
    fs::read_to_string(root.join(path)).with_context(|| format!("cannot read {path}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_our_files_and_not_the_build_output() {
        let files = files(&root().unwrap()).unwrap();
        assert!(files.contains(&"xtask/src/repo.rs".to_owned()));
        assert!(files.contains(&"Cargo.toml".to_owned()));
        assert!(
            !files
                .iter()
                .any(|path| path.starts_with("target/") || path.starts_with(".git/"))
        );
    }
}
