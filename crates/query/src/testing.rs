//! An entry in memory, for tests.

pub(crate) mod tree;

use std::borrow::Cow;

use groma_base::time::Zoned;
use groma_base::{ChildCounts, Facts, FileId, Kind, Metadata, Timestamp, basename};

use crate::bind::{Context, Target};

/// Wednesday 2025-06-18 10:30:00 at +02:00.
pub(crate) fn now() -> Zoned {
    "2025-06-18T10:30:00+02:00[+02:00]".parse().unwrap()
}

/// A live context with two users, two groups, one own extension group and a home.
pub(crate) fn context() -> Context<'static> {
    static OWN: std::sync::LazyLock<Vec<(String, Vec<String>)>> =
        std::sync::LazyLock::new(|| vec![("own".to_owned(), vec!["gz".to_owned()])]);
    Context {
        current_directory: Some(b"/home/me".to_vec()),
        user: &|name| match name {
            "root" => Some(0),
            "me" => Some(1000),
            _ => None,
        },
        group: &|name| (name == "users").then_some(100),
        extension_groups: &OWN,
        ..Context::new(now(), Target::Live)
    }
}

/// An entry whose facts are given.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) path: Vec<u8>,
    pub(crate) kind: Kind,
    pub(crate) metadata: Option<Metadata>,
    pub(crate) children: Option<ChildCounts>,
    pub(crate) empty: Option<bool>,
    pub(crate) broken: Option<bool>,
    pub(crate) mount: Option<bool>,
    pub(crate) executable: Option<bool>,
    /// Panics when metadata is asked for.
    pub(crate) refuse_metadata: bool,
}

impl Entry {
    pub(crate) fn file(path: &str) -> Entry {
        Entry::new(path, Kind::File)
    }

    pub(crate) fn file_bytes(path: &[u8]) -> Entry {
        Entry {
            path: path.to_vec(),
            ..Entry::file("")
        }
    }

    pub(crate) fn new(path: &str, kind: Kind) -> Entry {
        let mode = match kind {
            Kind::Dir => 0o040_755,
            Kind::Symlink => 0o120_777,
            _ => 0o100_644,
        };
        let metadata = Metadata {
            kind,
            id: FileId {
                device: 1,
                inode: 2,
            },
            mode,
            links: 1,
            uid: 0,
            gid: 0,
            size: 0,
            allocated: 0,
            special: (0, 0),
            accessed: Timestamp::default(),
            modified: Timestamp::default(),
            changed: Timestamp::default(),
            created: Some(Timestamp::default()),
        };
        Entry {
            path: path.as_bytes().to_vec(),
            kind,
            metadata: Some(metadata),
            children: None,
            empty: Some(false),
            broken: Some(false),
            mount: Some(false),
            executable: Some(false),
            refuse_metadata: false,
        }
    }

    pub(crate) fn metadata_mut(&mut self, change: impl FnOnce(&mut Metadata)) {
        change(self.metadata.as_mut().unwrap());
    }
}

impl Facts for Entry {
    fn name(&self) -> &[u8] {
        basename(&self.path)
    }

    fn path(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(&self.path)
    }

    fn absolute_path(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(&self.path)
    }

    fn root(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(b"/home")
    }

    fn kind(&self) -> Kind {
        self.kind
    }

    fn depth(&self) -> u32 {
        1
    }

    fn metadata(&self) -> Option<&Metadata> {
        assert!(!self.refuse_metadata, "metadata is not needed");
        self.metadata.as_ref()
    }

    fn is_empty(&self) -> Option<bool> {
        self.empty
    }

    fn child_counts(&self) -> Option<ChildCounts> {
        self.children
    }

    fn is_broken_link(&self) -> Option<bool> {
        self.broken
    }

    fn is_mount_point(&self) -> Option<bool> {
        self.mount
    }

    fn is_executable(&self) -> Option<bool> {
        self.executable
    }
}
