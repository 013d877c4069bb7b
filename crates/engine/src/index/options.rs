//! How a root is read, and how a catalog remembers it.

use std::path::PathBuf;

/// The word that marks a catalog whose last refresh took files over unseen.
const QUICK: &str = "quick";

/// How the entries of a root are come by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceKind {
    /// A walk with system calls.
    Walk,
    /// A list of paths in a file.
    List,
}

/// What a scan leaves out, and what it asks for beyond the usual.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScanOptions {
    /// Globs of what is left out.
    pub excludes: Vec<Vec<u8>>,
    /// Files of such globs, a line each, in the form of `.gitignore`.
    pub exclude_files: Vec<PathBuf>,
    /// Whether only the tag is kept of directories that `CACHEDIR.TAG` marks as caches.
    pub exclude_caches: bool,
    /// The directory that relative globs with a `/` are also relative to.
    pub cwd: PathBuf,
    /// Whether directories on other file systems than the root's are left closed.
    pub one_file_system: bool,
    /// Whether file systems that the kernel makes up (`proc` ...) are read like any other.
    pub pseudo: bool,
    /// Whether directories that are mounted at several places are read at one of them only, and mount
    /// points that are not read weigh nothing: so that sums are those of what is read.
    pub mounts_once: bool,
    /// Whether entries are asked for access control lists, at the price of one more call for each.
    pub acl: bool,
}

impl SourceKind {
    const ALL: [SourceKind; 2] = [SourceKind::Walk, SourceKind::List];

    /// Its word in catalogs and on the command line.
    pub fn word(self) -> &'static str {
        match self {
            SourceKind::Walk => "walk",
            SourceKind::List => "list",
        }
    }

    /// The kind that a catalog's text about a source begins with.
    pub fn of(source: &[u8]) -> Option<SourceKind> {
        let word = source.split(|&b| b == 0).next()?;
        let is_it = |kind: &&SourceKind| kind.word().as_bytes() == word;
        SourceKind::ALL.iter().find(is_it).copied()
    }

    /// Whether the last refresh took files of unchanged directories over unseen.
    pub fn is_quick(source: &[u8]) -> bool {
        source
            .split(|&b| b == 0)
            .skip(1)
            .any(|option| option == QUICK.as_bytes())
    }
}

impl ScanOptions {
    /// What a catalog remembers: the word of the source, and after a NUL each the options that are
    /// not the usual ones.
    /// `is_quick`: files were taken over unseen.
    pub(crate) fn to_source(&self, kind: SourceKind, is_quick: bool) -> Vec<u8> {
        let mut text = kind.word().as_bytes().to_vec();
        let mut add = |parts: &[&[u8]]| {
            text.push(0);
            parts.iter().for_each(|part| text.extend_from_slice(part));
        };
        for (is_set, word) in [
            (self.one_file_system, "one-file-system"),
            (self.pseudo, "pseudo"),
            (self.acl, "acl"),
            (self.mounts_once, "mounts-once"),
            (self.exclude_caches, "exclude-caches"),
            (is_quick, QUICK),
        ] {
            if is_set {
                add(&[word.as_bytes()]);
            }
        }
        for glob in &self.excludes {
            add(&[b"exclude=", glob]);
        }
        for file in &self.exclude_files {
            add(&[b"exclude-from=", &groma_sys::path_bytes(file)]);
        }
        if !(self.excludes.is_empty() && self.exclude_files.is_empty()) {
            add(&[b"cwd=", &groma_sys::path_bytes(&self.cwd)]);
        }
        text
    }

    /// The options that a catalog remembers. What a later version may have added is passed over.
    pub fn from_source(source: &[u8]) -> ScanOptions {
        let mut options = ScanOptions::default();
        for option in source.split(|&b| b == 0).skip(1) {
            match option {
                b"one-file-system" => options.one_file_system = true,
                b"pseudo" => options.pseudo = true,
                b"acl" => options.acl = true,
                b"mounts-once" => options.mounts_once = true,
                b"exclude-caches" => options.exclude_caches = true,
                _ => {
                    if let Some(glob) = option.strip_prefix(b"exclude=") {
                        options.excludes.push(glob.to_vec());
                    } else if let Some(file) = option.strip_prefix(b"exclude-from=") {
                        options.exclude_files.push(groma_sys::os_path(file));
                    } else if let Some(cwd) = option.strip_prefix(b"cwd=") {
                        options.cwd = groma_sys::os_path(cwd);
                    }
                }
            }
        }
        options
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_remembered() {
        let options = ScanOptions {
            excludes: vec![b"*.tmp".to_vec(), b"a=b".to_vec()],
            exclude_files: vec![PathBuf::from("/w/list")],
            exclude_caches: true,
            cwd: PathBuf::from("/w"),
            one_file_system: true,
            pseudo: true,
            acl: true,
            mounts_once: true,
        };
        for options in [options, ScanOptions::default()] {
            let source = options.to_source(SourceKind::Walk, true);
            assert!(SourceKind::is_quick(&source));
            assert_eq!(ScanOptions::from_source(&source), options);
            assert_eq!(SourceKind::of(&source), Some(SourceKind::Walk));
        }
        assert_eq!(SourceKind::of(b"ntfs\0x"), None);
    }
}
