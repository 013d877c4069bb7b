//! `find --delete`: first everything is found, then it is removed, children before parents.
//!
//! Nothing is removed by path. Each entry goes by its name in its open directory, which is reached
//! from the root one component at a time without following links, and only if both are still the
//! nodes that were found. A directory goes only when it is empty.

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
    let mut way = Way::default();
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

/// The directory that the last entry was removed from; the next one most often lies there too.
#[derive(Default)]
struct Way {
    root: PathBuf,
    below: Vec<u8>,
    dir: Option<Dir>,
}

impl Way {
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
        let dir = match self.dir.take() {
            Some(dir) if self.root == entry.root && self.below == parent => dir,
            _ => open_below(&entry.root, parent)?,
        };
        let answer = dir.remove(&name, entry.id, entry.is_dir);
        self.root.clone_from(&entry.root);
        self.below = parent.to_vec();
        self.dir = Some(dir);
        answer
    }
}

/// Opens the directory `below` a root, one component at a time, following no link.
fn open_below(root: &Path, below: &[u8]) -> io::Result<Dir> {
    let mut dir = Dir::open(root)?;
    for component in below.split(|&b| b == b'/').filter(|c| !c.is_empty()) {
        let name = c_name(component).ok_or(io::ErrorKind::InvalidInput)?;
        dir = dir.open_child(&name, false)?;
    }
    Ok(dir)
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
