//! The simplest walk that asks the rules.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use groma_walk::rules::{Links, OpenFile, RuleFiles, RuleNode, Rules, Scratch};

/// Files by the top of their repository; a repository inside of another one is one of its files.
pub(crate) type Listing = BTreeMap<PathBuf, BTreeSet<Vec<u8>>>;

/// A directory, by its path.
pub(crate) struct Here<'a>(pub(crate) &'a Path);

impl OpenFile for Here<'_> {
    fn read_file(&self, path: &[u8], links: Links) -> io::Result<Vec<u8>> {
        let path = self.0.join(OsStr::from_bytes(path));
        if links == Links::Refuse && path.is_symlink() {
            return Err(io::Error::other("a link"));
        }
        fs::read(path)
    }
}

/// A walk of one root.
pub(crate) struct Walk<'a> {
    rules: &'a Rules,
    root: &'a Path,
    found: Listing,
    scratch: Scratch,
}

impl Walk<'_> {
    pub(crate) fn run(rules: &Rules, root: &Path) -> Listing {
        let mut walk = Walk {
            rules,
            root,
            found: Listing::new(),
            scratch: Scratch::default(),
        };
        let node = rules.root(root, walk.noted(root), &Here(root));
        walk.found.insert(root.to_path_buf(), BTreeSet::new());
        walk.dir(b"", root, &node);
        walk.found
    }

    fn noted(&self, dir: &Path) -> RuleFiles {
        let mut present = RuleFiles::default();
        for name in names(dir) {
            self.rules.note(&mut present, &name);
        }
        present
    }

    fn dir(&mut self, from_root: &[u8], top: &Path, node: &Arc<RuleNode>) {
        let dir = self.root.join(OsStr::from_bytes(from_root));
        for name in names(&dir) {
            let path = dir.join(OsStr::from_bytes(&name));
            let is_dir = path.is_dir() && !path.is_symlink();
            if name == b".git" || node.is_ignored(from_root, &name, is_dir, &mut self.scratch) {
                continue;
            }
            let mut below = path
                .strip_prefix(top)
                .unwrap()
                .as_os_str()
                .as_bytes()
                .to_vec();
            if !is_dir {
                self.found.get_mut(top).unwrap().insert(below);
                continue;
            }
            let child_path = path.strip_prefix(self.root).unwrap().as_os_str().as_bytes();
            let child = self
                .rules
                .child(node, child_path, self.noted(&path), &Here(&path));
            let is_top = path.join(".git").exists();
            if is_top {
                below.push(b'/');
                self.found.get_mut(top).unwrap().insert(below);
                self.found.insert(path.clone(), BTreeSet::new());
            }
            self.dir(child_path, if is_top { &path } else { top }, &child);
        }
    }
}

pub(crate) fn names(dir: &Path) -> BTreeSet<Vec<u8>> {
    fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().as_bytes().to_vec())
        .collect()
}
