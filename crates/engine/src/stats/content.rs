//! Files of equal size compared by their content: first their beginnings, then all of them.
//!
//! Files are opened below the root of the catalog, component by component, and no link is followed.
//! One that is not what the catalog says is left out and told.

use std::collections::HashMap;
use std::ffi::CString;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};

use groma_base::{Kind, Metadata, Timestamp, Warning, basename, parent};
use groma_catalog::View;
use groma_sys::{Dir, OpenFile, c_name, is_gone, os_path};

use super::duplicates::{Likes, Member, view_of};
use super::error::StatsError;
use super::group::Data;
use super::reading::Reading;
use crate::threads::on_threads;

/// Bytes of a beginning.
const HEAD: u64 = 16 << 10;
/// Bytes that are read at a time.
const PIECE: usize = 256 << 10;

/// A file that is to be read, as far as that.
#[derive(Clone, Copy, Debug)]
struct Task {
    /// The place of the set it belongs to.
    set: usize,
    /// The place of its node there.
    node: usize,
    member: Member,
    length: u64,
}

/// What reading a file came to.
enum Outcome {
    Hash(blake3::Hash),
    Changed,
    Vanished,
    Failed(Warning),
    Cancelled,
}

/// Sets of files with equal content, from sets of equal size. Larger files are read first; a set
/// that would take more bytes than are left is not begun.
pub(super) fn compare(
    data: &Data<'_>,
    mut sets: Vec<Likes>,
    budget: Option<u64>,
) -> Result<(Vec<Likes>, Reading), StatsError> {
    sets.sort_by_key(|set| std::cmp::Reverse(set.size));
    let mut reader = Comparison {
        data,
        left: budget.map(u128::from),
        reading: Reading::default(),
    };
    let heads = reader.split(&sets, HEAD)?;
    let (whole, begun): (Vec<Likes>, Vec<Likes>) =
        heads.into_iter().partition(|set| set.size <= HEAD);
    let mut equal = reader.split(&begun, u64::MAX)?;
    equal.extend(whole);
    Ok((equal, reader.reading))
}

struct Comparison<'a> {
    data: &'a Data<'a>,
    /// Bytes that may still be read.
    left: Option<u128>,
    reading: Reading,
}

impl Comparison<'_> {
    /// Splits sets by the first `most` bytes of their files; what is alone is dropped.
    fn split(&mut self, sets: &[Likes], most: u64) -> Result<Vec<Likes>, StatsError> {
        let mut tasks = Vec::new();
        for (place, set) in sets.iter().enumerate() {
            if !self.reserve(set, most) {
                continue;
            }
            tasks.extend(set.nodes.iter().enumerate().map(|(node, members)| Task {
                set: place,
                node,
                member: members[0],
                length: set.size.min(most),
            }));
        }
        let outcomes = self.read(&tasks);
        let mut split: Vec<Likes> = Vec::new();
        let mut known: HashMap<(usize, blake3::Hash), usize> = HashMap::new();
        for (task, outcome) in tasks.iter().zip(outcomes) {
            let Some(hash) = self.note(task, outcome)? else {
                continue;
            };
            let at = *known.entry((task.set, hash)).or_insert(split.len());
            if at == split.len() {
                split.push(Likes {
                    label: hash.to_hex().as_bytes().to_vec(),
                    size: sets[task.set].size,
                    nodes: Vec::new(),
                });
            }
            split[at]
                .nodes
                .push(sets[task.set].nodes[task.node].clone());
        }
        split.retain(|set| set.nodes.len() > 1);
        Ok(split)
    }

    /// Takes the bytes of a set from what may be read; `false`: they are too many.
    fn reserve(&mut self, set: &Likes, most: u64) -> bool {
        let files = set.nodes.len() as u64;
        let bytes = u128::from(set.size.min(most)) * u128::from(files);
        match self.left {
            Some(left) if bytes > left => {
                self.reading.skipped.0 += files;
                self.reading.skipped.1 += u128::from(set.size) * u128::from(files);
                false
            }
            Some(left) => {
                self.left = Some(left - bytes);
                true
            }
            None => true,
        }
    }

    /// Reads files with several threads; outcomes are in the order of tasks.
    fn read(&self, tasks: &[Task]) -> Vec<Outcome> {
        let next = AtomicUsize::new(0);
        let work = || {
            let mut reader = FileReader::new(self.data);
            let mut done = Vec::new();
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                match tasks.get(at) {
                    Some(task) => done.push((at, reader.outcome(task))),
                    None => return done,
                }
            }
        };
        let threads = self.data.threads.clamp(1, tasks.len().max(1));
        let mut done: Vec<_> = on_threads(threads, work).into_iter().flatten().collect();
        done.sort_by_key(|(at, _)| *at);
        done.into_iter().map(|(_, outcome)| outcome).collect()
    }

    /// Keeps account of what reading came to.
    fn note(&mut self, task: &Task, outcome: Outcome) -> Result<Option<blake3::Hash>, StatsError> {
        match outcome {
            Outcome::Hash(hash) => {
                self.reading.bytes += task.length;
                return Ok(Some(hash));
            }
            Outcome::Changed => self.reading.changed.push(path(self.data, task.member)),
            Outcome::Vanished => self.reading.vanished.push(path(self.data, task.member)),
            Outcome::Failed(warning) => self.reading.unreadable.push(warning),
            Outcome::Cancelled => return Err(StatsError::Cancelled),
        }
        Ok(None)
    }
}

/// The path of an entry; what is damaged was met before.
fn path(data: &Data<'_>, member: Member) -> Vec<u8> {
    let mut path = Vec::new();
    let _ = view_of(data, member).append_path(member.id, &mut path);
    path
}

/// One thread's means to read files.
struct FileReader<'a> {
    data: &'a Data<'a>,
    /// The directory of the file before: the next one is often beside it.
    last: Option<(Vec<u8>, Dir)>,
    buffer: Vec<u8>,
}

impl FileReader<'_> {
    fn new<'a>(data: &'a Data<'a>) -> FileReader<'a> {
        FileReader {
            data,
            last: None,
            buffer: vec![0; PIECE],
        }
    }

    fn outcome(&mut self, task: &Task) -> Outcome {
        let path = path(self.data, task.member);
        let view = view_of(self.data, task.member);
        match self.hash(task, &path, view) {
            Ok(outcome) => outcome,
            Err(error) if is_gone(&error) => Outcome::Vanished,
            Err(error) => Outcome::Failed(Warning {
                path,
                action: "read",
                error,
                incomplete: true,
            }),
        }
    }

    fn hash(&mut self, task: &Task, path: &[u8], view: &View) -> io::Result<Outcome> {
        let file = self.open(path, view)?;
        let before = file.metadata()?;
        let recorded = view.metadata(task.member.id).map_err(io::Error::other)?;
        if !recorded.is_some_and(|recorded| is_same(&recorded, &before)) {
            return Ok(Outcome::Changed);
        }
        let mut hasher = blake3::Hasher::new();
        let mut at = 0;
        while at < task.length {
            if self.data.cancel.is_cancelled() {
                return Ok(Outcome::Cancelled);
            }
            let wanted = usize::try_from(task.length - at)
                .unwrap_or(PIECE)
                .min(PIECE);
            let count = file.read_at(&mut self.buffer[..wanted], at)?;
            if count == 0 {
                return Ok(Outcome::Changed);
            }
            hasher.update(&self.buffer[..count]);
            at += count as u64;
        }
        let after = file.metadata()?;
        if (after.size, after.modified) != (before.size, before.modified) {
            return Ok(Outcome::Changed);
        }
        Ok(Outcome::Hash(hasher.finalize()))
    }

    /// Opens a file below the root of its catalog.
    fn open(&mut self, path: &[u8], view: &View) -> io::Result<OpenFile> {
        let dir = parent(path);
        if self.last.as_ref().is_none_or(|(last, _)| last != dir) {
            self.last = None;
            self.last = Some((dir.to_vec(), open_dir(dir, view.root())?));
        }
        let (_, opened) = self.last.as_ref().ok_or(io::ErrorKind::NotFound)?;
        opened.open_file(&name(basename(path))?)
    }
}

/// Opens a directory below a root, or the root itself; only the root's own path may have links.
fn open_dir(dir: &[u8], root: &[u8]) -> io::Result<Dir> {
    let below = dir.strip_prefix(root).unwrap_or_default();
    let mut opened = Dir::open(&os_path(root))?;
    for part in below.split(|&b| b == b'/').filter(|part| !part.is_empty()) {
        opened = opened.open_child(&name(part)?, false)?;
    }
    Ok(opened)
}

fn name(bytes: &[u8]) -> io::Result<CString> {
    c_name(bytes).ok_or_else(|| io::ErrorKind::InvalidInput.into())
}

/// Whether a file is the one that the catalog recorded. Some sources know times to 100 ns only, and
/// no inode numbers.
fn is_same(recorded: &Metadata, found: &Metadata) -> bool {
    let coarse = |at: Timestamp| (at.seconds, at.nanoseconds / 100);
    let inode = recorded.id.inode;
    found.kind == Kind::File
        && found.size == recorded.size
        && (inode == 0 || inode == found.id.inode)
        && coarse(found.modified) == coarse(recorded.modified)
}
