//! A root that is no place on this machine but a list: of paths, or in Everything's form.

mod interruptible;
mod lines;
mod path;
mod tree;

use std::collections::BTreeMap;
use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use groma_base::{CancelToken, Kind, Metadata, Timestamp, Warning};
use groma_catalog::{About, Volume};
use groma_formats::efu::{ATTRIBUTE_DIRECTORY, ATTRIBUTE_READ_ONLY, EfuEntry, EfuError, EfuReader};
use groma_sys::{MountTable, path_bytes};
use thiserror::Error;

use self::interruptible::Interruptible;
use self::lines::Lines;
use self::path::Split;
use self::tree::Tree;
use super::add::between;
use super::options::SourceKind;
use super::progress::Phase;
use super::{Added, Index, IndexError, Progress, Report, identity};

/// Entries between two looks at whether somebody wants to stop.
const ENTRIES_PER_LOOK: u64 = 4096;

/// Why a list as a whole is of no use.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ListError {
    /// It cannot be read.
    #[error("'{}': {error}", path.display())]
    Read {
        /// The list.
        path: PathBuf,
        /// What the system answered, or what is wrong with its first line.
        error: EfuError,
    },
    /// There is no path in it.
    #[error("'{}' names no paths", .0.display())]
    Empty(PathBuf),
}

/// A list that is to be added.
pub struct ListRequest<'r> {
    /// Where it comes from.
    pub reader: &'r mut dyn BufRead,
    /// The file that this is; `None` for standard input.
    pub file: Option<PathBuf>,
    /// What relative paths in it are relative to, absolute.
    pub cwd: PathBuf,
    /// What time it is.
    pub now: fn() -> Timestamp,
    /// Ends the run early; the catalog is as it was then.
    pub cancel: CancelToken,
}

/// What a list came to: a tree for each root, `/` or a drive.
struct Listed<'a> {
    trees: BTreeMap<Vec<u8>, Tree>,
    file: &'a Path,
    cwd: Vec<u8>,
    bad: u64,
    entries: u64,
    progress: &'a Progress,
    report: &'a dyn Report,
    cancel: &'a CancelToken,
}

impl Index {
    /// Reads a list and publishes what it names: one root for `/`, and one for each drive or share
    /// of Windows. Directories that it does not name itself are made.
    ///
    /// # Errors
    /// [`IndexError`]; the catalog is as it was, or has some of several roots.
    pub fn add_list(
        &mut self,
        request: ListRequest<'_>,
        progress: &Progress,
        report: &dyn Report,
    ) -> Result<Vec<Added>, IndexError> {
        let file = request.file.clone().unwrap_or_else(|| PathBuf::from("-"));
        let begun = (request.now)();
        progress.set_phase(Phase::Reading);
        let mut listed = Listed {
            trees: BTreeMap::new(),
            file: &file,
            cwd: path_bytes(&request.cwd).into_owned(),
            bad: 0,
            entries: 0,
            progress,
            report,
            cancel: &request.cancel,
        };
        listed.read(request.reader)?;
        let ended = (request.now)();
        let (trees, bad) = (listed.trees, listed.bad);
        if trees.is_empty() {
            return Err(ListError::Empty(file).into());
        }
        progress.set_phase(Phase::Writing);
        let lead = key_lead(request.file.as_deref());
        let mut added = Vec::new();
        for (root, tree) in trees {
            let key = [&lead[..], b":", &root].concat();
            let about = About {
                root,
                source: SourceKind::List.word().as_bytes().to_vec(),
                begun,
                ended,
            };
            added.push(self.publish_tree(&key, &about, bad, tree, &request.cancel)?);
        }
        Ok(added)
    }

    fn publish_tree(
        &mut self,
        key: &[u8],
        about: &About,
        bad: u64,
        tree: Tree,
        cancel: &CancelToken,
    ) -> Result<Added, IndexError> {
        let replaced = self.record(key);
        let builder = tree.into_builder()?;
        let volume = |_| Volume::default();
        self.writer
            .publish(key, about, bad, builder, volume, cancel)?;
        Ok(Added {
            record: self.record(key).unwrap_or_default(),
            replaced,
            read_in: between(about.begun, about.ended),
        })
    }
}

/// What a list is known by: its file's place, as a root would be.
fn key_lead(file: Option<&Path>) -> Vec<u8> {
    let place = || {
        let path = std::fs::canonicalize(file?).ok()?;
        let table = MountTable::read().unwrap_or_default();
        let mut key = identity::key(path.parent()?, &table).ok()?;
        key.push(b'/');
        key.extend_from_slice(&path_bytes(Path::new(path.file_name()?)));
        Some(key)
    };
    [b"list-", &place().unwrap_or_else(|| b"-".to_vec())[..]].concat()
}

impl Listed<'_> {
    fn read(&mut self, inner: &mut dyn BufRead) -> Result<(), IndexError> {
        let cancel = self.cancel;
        let mut reader = Interruptible { inner, cancel };
        let start = reader
            .fill_buf()
            .map_err(|error| self.failed(error.into()))?;
        if is_efu(start) {
            return self.read_efu(&mut reader);
        }
        let end = if start.contains(&0) { 0 } else { b'\n' };
        self.read_lines(&mut reader, end)
    }

    fn read_efu(&mut self, reader: &mut dyn BufRead) -> Result<(), IndexError> {
        let mut reader = EfuReader::new(reader).map_err(|error| self.failed(error))?;
        let mut entry = EfuEntry::default();
        loop {
            match reader.read(&mut entry) {
                Ok(None) => return Ok(()),
                Ok(Some(line)) => {
                    let is_dir = entry.attributes.unwrap_or(0) & ATTRIBUTE_DIRECTORY != 0;
                    self.take(&entry.filename, line, is_dir, metadata(&entry, is_dir));
                }
                Err(EfuError::Line { line, expected }) => self.refuse(line, expected),
                Err(error) => return Err(self.failed(error)),
            }
            self.look()?;
        }
    }

    fn read_lines(&mut self, reader: &mut dyn BufRead, end: u8) -> Result<(), IndexError> {
        let mut lines = Lines::new(reader, end);
        loop {
            match lines.next() {
                Ok(None) => return Ok(()),
                Ok(Some((_, b""))) => {}
                Ok(Some((line, path))) => self.take(path, line, false, None),
                Err(EfuError::Line { line, expected }) => self.refuse(line, expected),
                Err(error) => return Err(self.failed(error)),
            }
            self.look()?;
        }
    }

    fn look(&mut self) -> Result<(), IndexError> {
        self.entries += 1;
        if self.entries.is_multiple_of(ENTRIES_PER_LOOK) {
            self.progress.add(ENTRIES_PER_LOOK);
            if self.cancel.is_cancelled() {
                return Err(IndexError::Cancelled);
            }
        }
        Ok(())
    }

    fn take(&mut self, path: &[u8], line: u64, is_dir: bool, metadata: Option<Metadata>) {
        match Split::new(path, &self.cwd) {
            Ok(split) => {
                let is_dir = is_dir || split.is_dir;
                let tree = self.trees.entry(split.root.clone()).or_default();
                if !tree.add(split.components(), is_dir, metadata) {
                    self.refuse(line, "fewer than 2^31 entries below one root");
                }
            }
            Err(expected) => self.refuse(line, expected),
        }
    }

    fn refuse(&mut self, line: u64, expected: &'static str) {
        self.bad += 1;
        self.report.warn(&Warning {
            path: path_bytes(self.file).into_owned(),
            action: "use",
            error: io::Error::other(format!("line {line}: expected {expected}")),
            incomplete: true,
        });
    }

    fn failed(&self, error: EfuError) -> IndexError {
        if self.cancel.is_cancelled() {
            return IndexError::Cancelled;
        }
        IndexError::List(ListError::Read {
            path: self.file.to_owned(),
            error,
        })
    }
}

/// Whether a file begins with the header of a file list.
fn is_efu(start: &[u8]) -> bool {
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start);
    let line = start.split(|&b| b == b'\n').next().unwrap_or_default();
    let mut fields = line.split(|&b| b == b',').map(|field| {
        let field = field.trim_ascii();
        let inner = field
            .strip_prefix(b"\"")
            .and_then(|f| f.strip_suffix(b"\""));
        inner.unwrap_or(field)
    });
    fields.any(|field| field.eq_ignore_ascii_case(b"Filename"))
}

/// What a line tells, as metadata; `None` when it tells nothing. What it does not tell is zero.
fn metadata(entry: &EfuEntry, is_dir: bool) -> Option<Metadata> {
    let is_known = entry.size.is_some() || entry.modified.is_some() || entry.created.is_some();
    let attributes = entry.attributes.unwrap_or(0);
    let writable = if attributes & ATTRIBUTE_READ_ONLY == 0 {
        0o200
    } else {
        0
    };
    let size = entry.size.filter(|_| !is_dir).unwrap_or(0);
    is_known.then(|| Metadata {
        kind: if is_dir { Kind::Dir } else { Kind::File },
        id: groma_base::FileId {
            device: 0,
            inode: 0,
        },
        mode: 0o444 | writable | if is_dir { 0o040_111 } else { 0o100_000 },
        links: 1,
        uid: 0,
        gid: 0,
        size,
        allocated: size,
        special: (0, 0),
        accessed: Timestamp::default(),
        modified: entry.modified.unwrap_or_default(),
        changed: Timestamp::default(),
        created: entry.created,
    })
}
