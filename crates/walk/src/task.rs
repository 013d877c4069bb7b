//! A directory that waits to be read.

use std::cmp::Ordering;
use std::ffi::CString;
use std::sync::Arc;

use groma_base::compare_paths;

use crate::node::DirNode;

/// A directory that waits to be read.
pub(crate) struct Task {
    /// The directory it lies in; for a root, what stands for the root itself.
    pub(crate) parent: Arc<DirNode>,
    /// Its name; `None` for a root.
    pub(crate) name: Option<CString>,
    pub(crate) purpose: Purpose,
    /// The visitor's mark.
    pub(crate) tag: u64,
    /// Whether it lies above the depth limit, so that a walk may go on inside.
    pub(crate) enterable: bool,
    /// Whether it was reached through a symbolic link.
    pub(crate) through_link: bool,
}

/// What a waiting directory is opened for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Its entries are told.
    Enter,
    /// The visitor wants to know what is inside, and decides then.
    Judge,
}

impl Task {
    /// The order of tasks: root by root, then by path.
    pub(crate) fn compare(&self, other: &Task) -> Ordering {
        let roots = self.parent.root.cmp(&other.parent.root);
        roots.then_with(|| compare_paths(&self.path(), &other.path()))
    }

    fn path(&self) -> Vec<u8> {
        let name = self.name.as_deref().unwrap_or_default().to_bytes();
        [&self.parent.path[..], name].concat()
    }
}
