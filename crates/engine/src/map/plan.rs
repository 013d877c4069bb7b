//! What is about to be deleted, read from the disk before anybody is asked, and what then may be.

use std::io;
use std::path::PathBuf;

use groma_base::{CancelToken, FileId, Kind};
use groma_catalog::{Damage, View};
use groma_sys::{Dir, os_path};

use super::confirm::{Counted, Planner};
use super::marks::{Kept, Marks, Nodes};
use super::place::Top;

/// A marked entry as it is on the disk now.
#[derive(Debug)]
pub struct Confirmed {
    /// Absolute path.
    pub path: Vec<u8>,
    /// The node that it is.
    pub id: FileId,
    /// Its kind.
    pub kind: Kind,
    /// Entries, itself included.
    pub entries: u64,
    /// Allocated bytes of them, a node with several links once.
    pub bytes: u64,
    /// Entries that the scan found.
    pub scanned_entries: u64,
    /// Whether the scan found other numbers of entries or bytes.
    pub is_changed: bool,
    /// Places in it that cannot be read. Deleting it for good will leave them.
    pub unread: u64,
    /// Inodes of all that was counted, ascending. They are on the file system of `id`.
    pub(super) inodes: Vec<u64>,
}

/// A marked entry that is not deleted.
#[derive(Debug)]
pub struct Refused {
    /// Absolute path.
    pub path: Vec<u8>,
    /// Why.
    pub why: Refusal,
}

/// Why a marked entry is not deleted.
#[derive(Debug)]
#[non_exhaustive]
pub enum Refusal {
    /// It is what everything else lies in.
    Top,
    /// It is not in the view.
    Unknown,
    /// Nothing has this name any more.
    Vanished,
    /// Another file has this name now, or a link stands on the way to it.
    Replaced,
    /// Something is mounted there, or below it at this path.
    Mount(Vec<u8>),
    /// It cannot be looked at.
    Unreadable(io::Error),
}

/// Bytes that other files share, in the files that are to go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reflinks {
    /// The file systems were not asked: what is freed is "up to".
    #[default]
    NotAsked,
    /// There are more files than were to be asked about.
    TooMany,
    /// So many bytes are in shared extents. What shares them may be marked as well.
    Shared(u64),
}

/// What is to be deleted: the sum that a question tells, and the entries that an answer permits.
#[derive(Debug)]
pub struct Plan {
    /// The directory that the view lies below.
    pub(super) root: PathBuf,
    pub(super) root_id: FileId,
    /// What may be deleted, none of it within another.
    pub confirmed: Vec<Confirmed>,
    /// What stays.
    pub refused: Vec<Refused>,
    /// Entries that go.
    pub entries: u64,
    /// Allocated bytes that deleting them for good frees.
    pub bytes: u64,
    /// Nodes that stay because they have other links.
    pub kept: Kept,
    /// What files share.
    pub reflinks: Reflinks,
    /// Whether reading was ended early. Nothing is deleted then.
    pub is_cancelled: bool,
}

/// Reads the marked entries from the disk. `reflinks`: ask the file system about shared extents, if
/// there are no more than so many files.
///
/// # Errors
/// When the top cannot be opened any more or is another directory, or the view is damaged
/// (`InvalidData`).
pub fn plan(
    view: &View,
    marks: &Marks,
    reflinks: Option<u64>,
    cancel: &CancelToken,
) -> io::Result<Plan> {
    let root = os_path(view.root());
    let dir = Dir::open(&root)?;
    let now = dir.own_metadata(false)?;
    let top = view.top().ok_or(io::ErrorKind::NotFound)?;
    let then = view.metadata(top).map_err(damaged)?;
    if then
        .as_ref()
        .is_some_and(|then| then.id.inode != now.id.inode)
    {
        return Err(io::Error::new(
            io::ErrorKind::NotFound,
            "the directory of the map is another one now",
        ));
    }
    let planner = Planner {
        view,
        device_then: then.map_or(now.id.device, |then| then.id.device),
        top: Top::new(dir, &root, now.id.device),
        cancel,
    };
    let mut plan = Plan {
        root,
        root_id: now.id,
        confirmed: Vec::new(),
        refused: Vec::new(),
        entries: 0,
        bytes: 0,
        kept: Kept::default(),
        reflinks: reflinks.map_or(Reflinks::NotAsked, |_| Reflinks::Shared(0)),
        is_cancelled: false,
    };
    let (mut nodes, mut left) = (Nodes::default(), reflinks.unwrap_or(0));
    for path in marks.outermost() {
        match planner.confirm(path, &mut left)? {
            Ok((confirmed, counted)) => plan.add(confirmed, &counted, &mut nodes),
            Err(why) => plan.refused.push(Refused {
                path: path.to_vec(),
                why,
            }),
        }
    }
    let (bytes, kept) = nodes.settle();
    plan.bytes = plan.bytes.saturating_add(bytes);
    plan.kept = kept;
    plan.is_cancelled = cancel.is_cancelled();
    Ok(plan)
}

pub(super) fn damaged(damage: Damage) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, damage)
}

impl Plan {
    /// Opens the top, if it is the directory that was planned with.
    pub(super) fn open_top(&self) -> io::Result<Top> {
        let dir = Dir::open(&self.root)?;
        let id = dir.own_metadata(false)?.id;
        if id != self.root_id {
            let reason = "the directory of the map is another one now";
            return Err(io::Error::new(io::ErrorKind::NotFound, reason));
        }
        Ok(Top::new(dir, &self.root, id.device))
    }

    fn add(&mut self, confirmed: Confirmed, counted: &Counted, nodes: &mut Nodes) {
        self.entries += confirmed.entries;
        self.bytes = self.bytes.saturating_add(counted.alone);
        for link in &counted.linked {
            nodes.add(link.id, link.links, link.allocated);
        }
        self.reflinks = match (self.reflinks, counted.shared) {
            (Reflinks::Shared(sum), Some(more)) => Reflinks::Shared(sum.saturating_add(more)),
            (Reflinks::Shared(_), None) => Reflinks::TooMany,
            (other, _) => other,
        };
        self.confirmed.push(confirmed);
    }
}
