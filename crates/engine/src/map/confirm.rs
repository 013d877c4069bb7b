//! Looks at one marked entry, and at all that lies below it, before anybody is asked.

use std::io;

use groma_base::{CancelToken, FileId, Kind, Metadata};
use groma_catalog::View;
use groma_sys::is_gone;

use super::marks::{Nodes, freed};
use super::place::{Place, Top};
use super::plan::{Confirmed, Refusal, damaged};
use super::subtree::{Met, Start, Taken, Trouble, Visitor, visit};

/// What entries are compared with.
pub(super) struct Planner<'a> {
    pub(super) view: &'a View,
    pub(super) top: Top,
    /// Device of the top when it was scanned: it may have been mounted anew.
    pub(super) device_then: u64,
    pub(super) cancel: &'a CancelToken,
}

/// One link of a node that has several.
pub(super) struct Link {
    pub(super) id: FileId,
    pub(super) links: u64,
    pub(super) allocated: u64,
}

/// What was found below a marked entry.
#[derive(Default)]
pub(super) struct Counted {
    /// Allocated bytes of nodes with one entry.
    pub(super) alone: u64,
    pub(super) linked: Vec<Link>,
    /// Bytes in shared extents; `None` when there were too many files to ask about.
    pub(super) shared: Option<u64>,
    inodes: Vec<u64>,
    unread: u64,
    /// What prevents all of it.
    refusal: Option<Refusal>,
}

impl Planner<'_> {
    /// Looks at an entry. `left`: how many more files the file system may be asked about.
    ///
    /// # Errors
    /// `InvalidData` when the view is damaged. The inner error: the entry stays.
    pub(super) fn confirm(
        &self,
        path: &[u8],
        left: &mut u64,
    ) -> io::Result<Result<(Confirmed, Counted), Refusal>> {
        let Some(id) = self.view.find(path).map_err(damaged)? else {
            return Ok(Err(Refusal::Unknown));
        };
        if Some(id) == self.view.top() {
            return Ok(Err(Refusal::Top));
        }
        let then = self.view.metadata(id).map_err(damaged)?;
        let kind = self.view.kind(id).map_err(damaged)?.kind();
        let (place, now) = match self.look(path) {
            Ok(found) => found,
            Err(error) => return Ok(Err(refusal(error))),
        };
        let is_same = then.is_none_or(|then| self.is_same(then.id, now.id));
        if now.kind != kind || !is_same {
            return Ok(Err(Refusal::Replaced));
        }
        let mut counted = self.count(path, place, now.id, left);
        if let Some(why) = counted.refusal.take() {
            return Ok(Err(why));
        }
        let scanned = freed(self.view, &[id]).map_err(damaged)?;
        Ok(Ok(confirmed(path, &now, counted, &scanned)))
    }

    fn look(&self, path: &[u8]) -> io::Result<(Place, Metadata)> {
        let place = self.top.place(path)?;
        let now = place.dir.stat(&place.name, false, false)?;
        Ok((place, now))
    }

    /// Whether a node is the one that was scanned.
    fn is_same(&self, then: FileId, now: FileId) -> bool {
        let is_with_top = then.device == self.device_then && now.device == self.top.device;
        then.inode == now.inode && (then.device == now.device || is_with_top)
    }

    fn count(&self, path: &[u8], place: Place, id: FileId, left: &mut u64) -> Counted {
        let mut counter = Counter {
            counted: Counted {
                shared: Some(0),
                ..Counted::default()
            },
            top: path,
            left,
        };
        let start = Start {
            dir: &place.dir,
            name: place.name,
            path,
            id,
        };
        visit(&start, self.cancel, &mut counter);
        let mut counted = counter.counted;
        counted.inodes.sort_unstable();
        counted
    }
}

fn confirmed(
    path: &[u8],
    now: &Metadata,
    mut counted: Counted,
    scanned: &super::marks::Freed,
) -> (Confirmed, Counted) {
    let mut nodes = Nodes::default();
    for link in &counted.linked {
        nodes.add(link.id, link.links, link.allocated);
    }
    let (freed, kept) = nodes.settle();
    let bytes = counted.alone.saturating_add(freed);
    let entries = counted.inodes.len() as u64;
    let is_changed = (scanned.entries, scanned.bytes, scanned.kept) != (entries, bytes, kept);
    let confirmed = Confirmed {
        path: path.to_vec(),
        id: now.id,
        kind: now.kind,
        entries,
        bytes,
        scanned_entries: scanned.entries,
        is_changed,
        unread: counted.unread,
        inodes: std::mem::take(&mut counted.inodes),
    };
    (confirmed, counted)
}

fn refusal(error: io::Error) -> Refusal {
    match error.kind() {
        io::ErrorKind::NotFound => Refusal::Vanished,
        _ if is_gone(&error) => Refusal::Replaced,
        _ => Refusal::Unreadable(error),
    }
}

struct Counter<'a> {
    counted: Counted,
    /// Path of the marked entry.
    top: &'a [u8],
    left: &'a mut u64,
}

impl Counter<'_> {
    fn ask_for_shared(&mut self, met: &Met<'_>) {
        let Some(shared) = &mut self.counted.shared else {
            return;
        };
        if met.metadata.kind != Kind::File || met.metadata.allocated == 0 {
            return;
        }
        if *self.left == 0 {
            self.counted.shared = None;
            return;
        }
        *self.left -= 1;
        // A file that cannot be read, or a file system that does not tell, adds nothing.
        let told = met.dir.open_file(met.name);
        let told = told.and_then(|file| file.shared_bytes()).unwrap_or(0);
        *shared = shared.saturating_add(told.min(met.metadata.allocated));
    }
}

impl Visitor for Counter<'_> {
    fn enters(&mut self, _metadata: &Metadata) -> io::Result<()> {
        Ok(())
    }

    fn take(&mut self, met: &Met<'_>, _is_clear: bool) -> io::Result<Taken> {
        let metadata = met.metadata;
        self.counted.inodes.push(metadata.id.inode);
        let allocated = metadata.allocated;
        if metadata.links > 1 && metadata.kind != Kind::Dir {
            self.counted.linked.push(Link {
                id: metadata.id,
                links: metadata.links,
                allocated,
            });
        } else {
            self.counted.alone = self.counted.alone.saturating_add(allocated);
        }
        self.ask_for_shared(met);
        Ok(Taken::Gone)
    }

    fn fail(&mut self, path: &[u8], trouble: Trouble) {
        let why = match trouble {
            Trouble::Mount => Refusal::Mount(path.to_vec()),
            Trouble::Io(error) if path == self.top => match refusal(error) {
                // A directory that may not be read can still be moved as a whole.
                Refusal::Unreadable(_) => {
                    self.counted.unread += 1;
                    return;
                }
                why => why,
            },
            Trouble::Io(_) => {
                self.counted.unread += 1;
                return;
            }
        };
        self.counted.refusal.get_or_insert(why);
    }
}
