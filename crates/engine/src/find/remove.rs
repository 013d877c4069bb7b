//! `find --delete`: first everything is found, then it is removed, children before parents.
//!
//! Nothing is removed by path. Each entry goes by its name in its open directory, which is reached
//! from the root one component at a time without following links, and only if both are still the
//! nodes that were found. A directory goes only when it is empty.

use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};

use groma_base::{CancelToken, Facts, FileId, Kind, Warning, compare_paths};
use groma_sys::{Dir, c_name};
use groma_walk::rules::RuleError;

use super::collect::{Collector, Verdict};
use super::entry::LiveEntry;
use super::roots::{self, RootNames};
use super::run::{FindRequest, Search};
use super::sink::{Outcome, Outlet, Sink};

/// An entry that is to be removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Doomed {
    /// Its path as it is shown.
    pub path: Vec<u8>,
    /// Path of its root, to be opened.
    pub root: PathBuf,
    /// Its path below its root.
    pub below: Vec<u8>,
    /// The node that was found.
    pub id: FileId,
    /// Whether it is a directory.
    pub is_dir: bool,
    /// Whether another file system is mounted there. It stays then.
    pub is_mount: bool,
}

/// Finds what is to be removed, children before parents. Other file systems than their root's are
/// not entered.
///
/// # Errors
/// When a rule that was asked for cannot be read.
pub fn doomed(
    mut request: FindRequest,
    sink: &dyn Sink,
) -> Result<(Vec<Doomed>, Outcome), RuleError> {
    request.one_file_system = true;
    request.wants_ids = true;
    let outlet = Outlet::new(sink, request.cancel.clone(), request.limit);
    let search = Search::prepare(request, &outlet)?;
    let lists = search.collect(|_| DoomedList {
        outlet: &outlet,
        roots: search.roots(),
        found: Vec::new(),
    });
    let mut found: Vec<Doomed> = lists.into_iter().flat_map(|list| list.found).collect();
    found.sort_by(|a, b| compare_paths(&b.path, &a.path));
    let notes = search.notes.clone();
    Ok((found, outlet.into_outcome(notes)))
}

/// Removes what was found. Each failure is told as a warning and ends nothing. Returns how many
/// entries were removed.
pub fn remove(doomed: &[Doomed], cancel: &CancelToken, sink: &dyn Sink) -> u64 {
    let mut way = Way::new();
    let mut removed = 0;
    for entry in doomed {
        if cancel.is_cancelled() {
            break;
        }
        match way.remove(entry) {
            Ok(()) => removed += 1,
            Err(error) => {
                let path = entry.path.clone();
                sink.warn(&Warning {
                    path,
                    action: "delete",
                    error,
                    incomplete: true,
                });
            }
        }
    }
    removed
}

/// The way to the directory that the last entry was removed from. The next one most often lies
/// there too, or a little above: the nearest directories stay open.
struct Way {
    root: PathBuf,
    /// Path of the last directory in `open` below the root: empty, or ending in `/`.
    below: Vec<u8>,
    /// Directories on the way, and how much of `below` leads to each.
    open: VecDeque<(usize, Dir)>,
    /// How many of them may stay open.
    most_open: usize,
}

impl Way {
    fn new() -> Way {
        let limit = groma_sys::descriptor_limit().unwrap_or(u64::MAX);
        Way {
            root: PathBuf::new(),
            below: Vec::new(),
            open: VecDeque::new(),
            most_open: usize::try_from(limit / 8).map_or(64, |most| most.clamp(1, 64)),
        }
    }

    fn remove(&mut self, entry: &Doomed) -> io::Result<()> {
        if entry.is_mount {
            let reason = "another file system is mounted here; it stays";
            return Err(io::Error::other(reason));
        }
        let at = entry
            .below
            .iter()
            .rposition(|&b| b == b'/')
            .map_or(0, |slash| slash + 1);
        let (parent, name) = entry.below.split_at(at);
        let name = c_name(name).ok_or(io::ErrorKind::InvalidInput)?;
        self.go(&entry.root, parent)?
            .remove(&name, entry.id, entry.is_dir)
    }

    /// Opens the directory `parent` below a root, one component at a time, following no link, from
    /// the nearest one that is open.
    fn go(&mut self, root: &Path, parent: &[u8]) -> io::Result<&Dir> {
        if self.root != root {
            self.open.clear();
            root.clone_into(&mut self.root);
        }
        while let Some((end, _)) = self.open.back() {
            if parent.starts_with(&self.below[..*end]) {
                break;
            }
            self.open.pop_back();
        }
        let (mut end, mut dir) = match self.open.pop_back() {
            Some(nearest) => nearest,
            None => (0, Dir::open(root)?),
        };
        self.below = parent.to_vec();
        for component in parent[end..].split_inclusive(|&b| b == b'/') {
            end += component.len();
            let name = component.strip_suffix(b"/").unwrap_or(component);
            if name.is_empty() {
                continue;
            }
            let name = c_name(name).ok_or(io::ErrorKind::InvalidInput)?;
            let child = dir.open_child(&name, false)?;
            let above = std::mem::replace(&mut dir, child);
            self.open.push_back((end - component.len(), above));
            if self.open.len() >= self.most_open {
                self.open.pop_front();
            }
        }
        self.open.push_back((end, dir));
        let last = self.open.back().map(|(_, dir)| dir);
        last.ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

struct DoomedList<'a> {
    outlet: &'a Outlet<'a>,
    roots: &'a RootNames,
    found: Vec<Doomed>,
}

impl DoomedList<'_> {
    fn push(&mut self, entry: &LiveEntry<'_>) {
        if !self.outlet.admit() {
            return;
        }
        let path = entry.path().into_owned();
        let Some(meta) = entry.metadata() else { return };
        let root = self.roots.path(entry.root);
        // A root that is no directory goes by its name in the directory it lies in.
        let (root, below) = match entry.depth {
            0 => (roots::parent_of(root), entry.name().to_vec()),
            _ => (
                root,
                path.strip_prefix(self.roots.prefix(entry.root))
                    .unwrap_or(&path)
                    .to_vec(),
            ),
        };
        self.found.push(Doomed {
            below,
            path,
            root: root.to_owned(),
            id: meta.id,
            is_dir: entry.kind == Kind::Dir,
            is_mount: entry.is_mount_point() == Some(true),
        });
    }
}

impl Collector for DoomedList<'_> {
    fn take(&mut self, entry: &LiveEntry<'_>, verdict: Verdict, _descends: bool) -> u64 {
        if verdict == Verdict::Hit {
            self.push(entry);
        }
        0
    }

    fn take_late(&mut self, _tag: u64, entry: &LiveEntry<'_>) {
        self.push(entry);
    }
}
