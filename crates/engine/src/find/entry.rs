//! A live entry: what a walk has just found, asked for more only when a filter or a format needs it.

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::ffi::CStr;
use std::io;

use groma_base::{ChildCounts, Facts, Kind, Metadata};
use groma_sys::{Dir, DirBuffer, EntryName};
use groma_walk::{Found, Judged, Place};

use super::roots::RootNames;

/// How an entry is reached.
#[derive(Clone, Copy)]
enum Reach<'a> {
    /// By its name in an open directory.
    In(&'a Dir),
    /// It is this open directory.
    Itself(&'a Dir),
    /// Not at all: it could not be opened.
    Lost,
}

/// An entry as the walk found it.
pub(crate) struct LiveEntry<'a> {
    reach: Reach<'a>,
    roots: &'a RootNames,
    /// Index of the root it lies under.
    pub(crate) root: usize,
    /// Path of its directory as it is shown: empty, or ending in `/`.
    pub(crate) parent_path: &'a [u8],
    /// Its name.
    pub(crate) entry_name: EntryName<'a>,
    /// Its kind; of its target when links are followed.
    pub(crate) kind: Kind,
    /// Distance from its root.
    pub(crate) depth: u32,
    target: Option<&'a Metadata>,
    contents: Option<&'a DirBuffer>,
    metadata: OnceCell<Option<Metadata>>,
    failure: RefCell<Option<io::Error>>,
    /// Whether a link is being followed.
    follows: bool,
}

impl<'a> LiveEntry<'a> {
    /// An entry that a directory has just told.
    #[inline]
    pub(crate) fn found(roots: &'a RootNames, place: &Place<'a>, found: &Found<'a>) -> Self {
        LiveEntry {
            reach: Reach::In(place.dir),
            roots,
            root: place.root,
            parent_path: place.path,
            entry_name: found.name,
            kind: found.kind,
            depth: place.depth + 1,
            target: found.target,
            contents: None,
            metadata: OnceCell::new(),
            failure: RefCell::new(None),
            follows: found.target.is_some(),
        }
    }

    /// A directory that has been read before it was judged.
    pub(crate) fn judged(roots: &'a RootNames, judged: &Judged<'a>) -> Self {
        LiveEntry {
            reach: judged.dir.map_or(Reach::Lost, Reach::Itself),
            roots,
            root: judged.root,
            parent_path: judged.parent_path,
            entry_name: judged.name,
            kind: Kind::Dir,
            depth: judged.depth,
            target: None,
            contents: judged.contents,
            metadata: OnceCell::new(),
            failure: RefCell::new(None),
            follows: false,
        }
    }

    /// A root that is no directory, by its name in the directory it lies in.
    pub(crate) fn lone(roots: &'a RootNames, root: usize, dir: &'a Dir, at: &LonePath<'a>) -> Self {
        LiveEntry {
            reach: Reach::In(dir),
            roots,
            root,
            parent_path: at.parent,
            entry_name: at.name.into(),
            kind: at.metadata.kind,
            depth: 0,
            target: None,
            contents: None,
            metadata: OnceCell::new(),
            failure: RefCell::new(None),
            follows: at.follow,
        }
    }

    /// Whether metadata was asked for and could not be had.
    #[inline]
    pub(crate) fn has_failed(&self) -> bool {
        matches!(self.metadata.get(), Some(None))
    }

    /// Why metadata could not be had, if it could not; told once.
    pub(crate) fn take_failure(&self) -> Option<io::Error> {
        self.failure.take()
    }

    /// Appends the path as it is shown.
    #[inline]
    pub(crate) fn push_path(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.parent_path);
        out.extend_from_slice(self.entry_name.to_bytes());
    }

    /// Apparent size, at less than the price of all metadata.
    #[inline]
    pub(crate) fn size(&self) -> Option<u64> {
        let asked = self.metadata.get().is_some() || self.target.is_some() || self.follows;
        match self.reach {
            // An error is left to the long way, which reports it.
            Reach::In(dir) if !asked && let Ok(size) = dir.size(self.entry_name.c_str()) => {
                Some(size)
            }
            _ => self.metadata().map(|meta| meta.size),
        }
    }

    /// Where this link leads, as it is written.
    pub(crate) fn link_target(&self) -> Option<Vec<u8>> {
        match self.reach {
            Reach::In(dir) if self.kind == Kind::Symlink => {
                dir.read_link(self.entry_name.c_str()).ok()
            }
            _ => None,
        }
    }

    /// Metadata of what this link leads to; an error when it leads nowhere.
    pub(crate) fn target_metadata(&self) -> io::Result<Metadata> {
        match (self.target, self.reach) {
            (Some(target), _) => Ok(target.clone()),
            (None, Reach::In(dir)) => dir.stat(self.entry_name.c_str(), true, false),
            (None, Reach::Itself(dir)) => dir.own_metadata(false),
            (None, Reach::Lost) => Err(io::ErrorKind::NotFound.into()),
        }
    }

    /// Names of its extended attributes.
    pub(crate) fn xattrs(&self) -> Vec<Vec<u8>> {
        let (dir, name) = match self.reach {
            Reach::In(dir) => (dir, self.entry_name.c_str()),
            Reach::Itself(dir) => (dir, c"."),
            Reach::Lost => return Vec::new(),
        };
        groma_sys::list_xattrs(dir, name).unwrap_or_default()
    }

    /// Whether access control lists are attached to it.
    pub(crate) fn has_acl(&self) -> bool {
        let is_acl = |name: &Vec<u8>| ACL_ATTRIBUTES.contains(&&name[..]);
        self.kind != Kind::Symlink && self.xattrs().iter().any(is_acl)
    }

    /// Whether it carries file capabilities.
    pub(crate) fn has_capability(&self) -> bool {
        matches!(self.reach, Reach::In(dir) if groma_sys::has_capability(dir, self.entry_name.c_str()))
    }

    fn fetch(&self) -> io::Result<Metadata> {
        if let (Some(target), false) = (self.target, self.roots.wants_birth) {
            return Ok(target.clone());
        }
        match self.reach {
            Reach::In(dir) => dir.stat(
                self.entry_name.c_str(),
                self.follows,
                self.roots.wants_birth,
            ),
            Reach::Itself(dir) => dir.own_metadata(self.roots.wants_birth),
            Reach::Lost => Err(io::ErrorKind::NotFound.into()),
        }
    }

    /// Reads a directory that nobody has read yet, for what lies in it.
    fn read_contents(&self) -> Option<DirBuffer> {
        let Reach::In(parent) = self.reach else {
            return None;
        };
        let dir = parent
            .open_child(self.entry_name.c_str(), self.follows)
            .ok()?;
        let mut buffer = DirBuffer::default();
        while dir.read(&mut buffer).ok()? {}
        Some(buffer)
    }
}

/// The extended attributes that hold access control lists.
const ACL_ATTRIBUTES: [&[u8]; 3] = [
    b"system.posix_acl_access",
    b"system.posix_acl_default",
    b"system.nfs4_acl",
];

/// Where a root that is no directory lies.
pub(crate) struct LonePath<'a> {
    /// Path of its directory as it is shown: empty, or ending in `/`.
    pub(crate) parent: &'a [u8],
    /// Its name.
    pub(crate) name: &'a CStr,
    /// What it is.
    pub(crate) metadata: &'a Metadata,
    /// Whether it is a link that was followed.
    pub(crate) follow: bool,
}

fn count(buffer: &DirBuffer) -> ChildCounts {
    let mut counts = ChildCounts::default();
    for entry in buffer.entries() {
        match entry.kind {
            Kind::Dir => counts.dirs += 1,
            _ => counts.files += 1,
        }
    }
    counts
}

impl Facts for LiveEntry<'_> {
    #[inline]
    fn name(&self) -> &[u8] {
        self.entry_name.to_bytes()
    }

    fn path(&self) -> Cow<'_, [u8]> {
        Cow::Owned([self.parent_path, self.entry_name.to_bytes()].concat())
    }

    fn absolute_path(&self) -> Cow<'_, [u8]> {
        Cow::Owned(
            self.roots
                .absolute(self.root, self.parent_path, self.entry_name.to_bytes()),
        )
    }

    fn root(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(self.roots.given(self.root))
    }

    #[inline]
    fn kind(&self) -> Kind {
        self.kind
    }

    fn depth(&self) -> u32 {
        self.depth
    }

    fn metadata(&self) -> Option<&Metadata> {
        let fetched = self.metadata.get_or_init(|| match self.fetch() {
            Ok(metadata) => Some(metadata),
            Err(error) => {
                self.failure.replace(Some(error));
                None
            }
        });
        fetched.as_ref()
    }

    fn is_empty(&self) -> Option<bool> {
        match self.kind {
            Kind::File => self.metadata().map(|meta| meta.size == 0),
            Kind::Dir => self.child_counts().map(|c| c.files + c.dirs == 0),
            _ => Some(false),
        }
    }

    fn child_counts(&self) -> Option<ChildCounts> {
        if self.kind != Kind::Dir {
            return None;
        }
        match (self.contents, self.reach) {
            (Some(contents), _) => Some(count(contents)),
            (None, Reach::In(_)) => self.read_contents().as_ref().map(count),
            (None, _) => None,
        }
    }

    fn is_broken_link(&self) -> Option<bool> {
        Some(self.kind == Kind::Symlink && self.target_metadata().is_err())
    }

    fn is_mount_point(&self) -> Option<bool> {
        if self.kind != Kind::Dir {
            return Some(false);
        }
        let own = self.metadata()?.id.device;
        match self.reach {
            Reach::In(parent) => Some(parent.own_metadata(false).ok()?.id.device != own),
            Reach::Itself(dir) => Some(dir.stat(c"..", false, false).ok()?.id.device != own),
            Reach::Lost => None,
        }
    }

    fn is_executable(&self) -> Option<bool> {
        match self.reach {
            Reach::In(dir) => Some(groma_sys::is_executable(dir, self.entry_name.c_str())),
            Reach::Itself(dir) => Some(groma_sys::is_executable(dir, c".")),
            Reach::Lost => None,
        }
    }
}
