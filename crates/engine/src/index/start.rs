//! Where a scan begins: one directory, or several places below one.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use groma_base::{BatchEntry, DirId, EntryBatch, Kind, Metadata};
use groma_sys::{Dir, c_name, path_bytes};
use groma_walk::{Root, RootDir};

/// What is known before anything is read.
pub(crate) struct Start {
    /// Absolute path of the entry that all others lie below.
    pub(crate) top: PathBuf,
    /// Metadata of that entry.
    pub(crate) own: Metadata,
    /// Directories to be read.
    pub(crate) roots: Vec<Root>,
    /// Their paths and devices.
    pub(crate) devices: Vec<(Vec<u8>, u64)>,
    /// Entries that no directory tells: the top, and what leads from it to the roots.
    pub(crate) first: EntryBatch,
    /// Directories that have a number already.
    pub(crate) dirs: u32,
}

impl Start {
    /// One directory, whose path is absolute and free of links.
    pub(crate) fn one(path: &Path) -> io::Result<Start> {
        let (dir, own) = open(path)?;
        let mut start = Start::at(path, own);
        start.push_root(path, dir, DirId(0));
        Ok(start)
    }

    /// Files and directories below `top`, none within another, all paths absolute and free of links;
    /// with what could not be opened. The directories that lead to them weigh nothing.
    pub(crate) fn several(
        top: &Path,
        paths: &[PathBuf],
    ) -> io::Result<(Start, Vec<(PathBuf, io::Error)>)> {
        let own = weightless(open(top)?.1);
        let (mut start, mut failed) = (Start::at(top, own), Vec::new());
        let mut ways = BTreeMap::from([(top.to_owned(), DirId(0))]);
        for path in paths {
            if let Err(error) = start.add(path, &mut ways) {
                failed.push((path.clone(), error));
            }
        }
        Ok((start, failed))
    }

    fn at(top: &Path, own: Metadata) -> Start {
        let mut start = Start {
            top: top.to_owned(),
            own,
            roots: Vec::new(),
            devices: Vec::new(),
            first: EntryBatch::new(),
            dirs: 0,
        };
        let own = start.own.clone();
        start.push(None, OsStr::new(""), true, &own);
        start
    }

    fn add(&mut self, path: &Path, ways: &mut BTreeMap<PathBuf, DirId>) -> io::Result<()> {
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        let above = Dir::open(parent)?;
        let c_name = c_name(name.as_encoded_bytes()).ok_or(io::ErrorKind::InvalidInput)?;
        let metadata = above.examine(&c_name)?.metadata;
        let opened = match metadata.kind {
            Kind::Dir => Some(above.open_child(&c_name, false)?),
            _ => None,
        };
        let parent = self.way(parent, ways)?;
        let number = self.push(Some(parent), name, opened.is_some(), &metadata);
        if let (Some(dir), Some(number)) = (opened, number) {
            self.push_root(path, dir, number);
        }
        Ok(())
    }

    /// The number of a directory that leads to a root.
    fn way(&mut self, path: &Path, ways: &mut BTreeMap<PathBuf, DirId>) -> io::Result<DirId> {
        if let Some(&known) = ways.get(path) {
            return Ok(known);
        }
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(io::ErrorKind::InvalidInput.into());
        };
        let parent = self.way(parent, ways)?;
        let metadata = weightless(open(path)?.1);
        let number = self.push(Some(parent), name, true, &metadata);
        let number = number.unwrap_or(parent);
        ways.insert(path.to_owned(), number);
        Ok(number)
    }

    /// Adds an entry; gives a directory its number.
    fn push(
        &mut self,
        parent: Option<DirId>,
        name: &OsStr,
        is_dir: bool,
        metadata: &Metadata,
    ) -> Option<DirId> {
        let dir = is_dir.then_some(DirId(self.dirs));
        self.dirs += u32::from(is_dir);
        self.first.push(BatchEntry {
            parent,
            dir,
            name: name.as_encoded_bytes(),
            kind: metadata.kind,
            has_acl: false,
            is_mount: false,
            is_broken: false,
            excluded: None,
            metadata: Some(metadata),
        });
        dir
    }

    fn push_root(&mut self, path: &Path, dir: Dir, number: DirId) {
        let bytes = path_bytes(path).into_owned();
        if let Ok(own) = dir.own_metadata(false) {
            self.devices.push((bytes.clone(), own.id.device));
        }
        let mut prefix = bytes;
        if !prefix.ends_with(b"/") {
            prefix.push(b'/');
        }
        self.roots.push(Root {
            prefix,
            dir: RootDir::Open(dir),
            absolute: path.to_owned(),
            tag: number.0.into(),
        });
    }
}

fn open(path: &Path) -> io::Result<(Dir, Metadata)> {
    let dir = Dir::open(path)?;
    let own = dir.own_metadata(true)?;
    Ok((dir, own))
}

/// A directory that is shown only because it leads somewhere.
pub(super) fn weightless(own: Metadata) -> Metadata {
    Metadata {
        size: 0,
        allocated: 0,
        ..own
    }
}
