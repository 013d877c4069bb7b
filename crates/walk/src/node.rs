//! A directory whose children wait in the queue, and the way back to it.

use std::io;
use std::sync::Arc;

use groma_base::FileId;
use groma_sys::{Dir, c_name};

use crate::budget::Permit;
use crate::options::Root;
use crate::rules::RuleNode;

/// A directory that has been read, shared by the tasks of its children.
pub(crate) struct DirNode {
    /// Index of the root it lies under.
    pub(crate) root: usize,
    /// Distance from the root.
    pub(crate) depth: u32,
    /// Path as it is shown, ending in `/` (empty for a root shown without prefix).
    pub(crate) path: Box<[u8]>,
    pub(crate) handle: Handle,
    pub(crate) rules: Option<Arc<RuleNode>>,
    pub(crate) lineage: Option<Arc<Lineage>>,
    /// A directory far down that this one lies in, to notice one that contains itself.
    pub(crate) watch: Option<FileId>,
}

/// How the directory itself can be reached.
pub(crate) enum Handle {
    /// It is a root, which stays open.
    Root,
    /// It is held open.
    Open(Dir, #[allow(dead_code)] Permit),
    /// Descriptors ran short: it must be opened again and be the same.
    Closed(FileId),
}

/// The directories on the way from the root, to find out that a link leads back to one of them.
pub(crate) struct Lineage {
    pub(crate) id: FileId,
    pub(crate) depth: u32,
    /// Whether there is a link on the way.
    pub(crate) linked: bool,
    pub(crate) parent: Option<Arc<Lineage>>,
}

impl Drop for Lineage {
    /// One after the other: a recursion as deep as the tree could be deeper than the stack.
    fn drop(&mut self) {
        let mut next = self.parent.take();
        while let Some(mut lineage) = next.and_then(Arc::into_inner) {
            next = lineage.parent.take();
        }
    }
}

impl Lineage {
    /// The nearest directory on the way that is `id`. Nothing is said where the platform has no
    /// inode numbers.
    pub(crate) fn find(&self, id: FileId) -> Option<&Lineage> {
        if id.inode == 0 {
            return None;
        }
        let mut at = self;
        loop {
            if at.id == id {
                return Some(at);
            }
            at = at.parent.as_deref()?;
        }
    }
}

impl DirNode {
    /// Opens the directory again, one component at a time from its root, and makes sure that it is
    /// the directory that was read. `follow`: there may be links on the way.
    pub(crate) fn reopen(&self, root: &Root, id: FileId, follow: bool) -> io::Result<Dir> {
        let below = self.path.strip_prefix(&root.prefix[..]).unwrap_or_default();
        let opened = root.opened();
        let mut at: Option<Dir> = match opened {
            Some(_) => None,
            None => Some(root.open_again()?),
        };
        for component in below.split(|&b| b == b'/').filter(|c| !c.is_empty()) {
            let name = c_name(component).ok_or(io::ErrorKind::InvalidInput)?;
            let dir = at.as_ref().or(opened).ok_or(io::ErrorKind::NotFound)?;
            at = Some(dir.open_child(&name, follow)?);
        }
        let dir = at.ok_or(io::ErrorKind::NotFound)?;
        if dir.own_metadata(false)?.id != id {
            return Err(io::Error::new(
                io::ErrorKind::NotFound,
                "the directory was replaced",
            ));
        }
        Ok(dir)
    }
}
