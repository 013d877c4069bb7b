//! The roots of a search: opened, named, and freed of repetitions.

use std::collections::{HashMap, HashSet};
use std::ffi::CString;
use std::io;
use std::path::{Path, PathBuf};

use groma_base::{FileId, Metadata, Warning};
use groma_sys::{Dir, path_bytes};
use groma_walk::{Root, RootDir};

/// A root as the user gave it.
#[derive(Clone, Debug)]
pub struct RootSpec {
    /// What is opened.
    pub path: PathBuf,
    /// What stands before the paths of its entries: empty, or ending in `/`.
    pub prefix: Vec<u8>,
}

impl RootSpec {
    /// The root `path`, whose entries are shown below it.
    pub fn new(path: &Path) -> RootSpec {
        let mut prefix = path_bytes(path).into_owned();
        if !prefix.ends_with(b"/") {
            prefix.push(b'/');
        }
        RootSpec {
            path: path.to_owned(),
            prefix,
        }
    }
}

/// The names of all roots, for entries that need to know.
pub(crate) struct RootNames {
    specs: Vec<RootSpec>,
    /// So many of them are directories; they come first.
    directories: usize,
    /// Absolute paths of the roots, without `.`, ending in `/`.
    absolute: Vec<Vec<u8>>,
    /// Whether entries' metadata must include birth times.
    pub(crate) wants_birth: bool,
}

impl RootNames {
    /// The names of `directories` and of the other roots, `files`.
    pub(crate) fn new(
        directories: Vec<RootSpec>,
        files: Vec<RootSpec>,
        cwd: &Path,
        wants_birth: bool,
    ) -> RootNames {
        let count = directories.len();
        let specs: Vec<RootSpec> = directories.into_iter().chain(files).collect();
        let absolute = specs
            .iter()
            .map(|spec| absolute_prefix(&spec.path, cwd))
            .collect();
        RootNames {
            specs,
            directories: count,
            absolute,
            wants_birth,
        }
    }

    /// Number of roots.
    pub(crate) fn len(&self) -> usize {
        self.specs.len()
    }

    /// The root as the user gave it.
    pub(crate) fn given(&self, root: usize) -> &[u8] {
        let prefix = &self.specs[root].prefix;
        match &prefix[..] {
            b"" => b".",
            b"/" => b"/",
            [path @ .., b'/'] => path,
            path => path,
        }
    }

    /// The absolute path of an entry, by how its directory is shown.
    pub(crate) fn absolute(&self, root: usize, parent_path: &[u8], name: &[u8]) -> Vec<u8> {
        let above = &self.absolute[root];
        if root >= self.directories {
            return above.strip_suffix(b"/").unwrap_or(above).to_vec();
        }
        let below = parent_path
            .strip_prefix(&self.specs[root].prefix[..])
            .unwrap_or_default();
        [&above[..], below, name].concat()
    }

    /// The absolute path of a root.
    pub(crate) fn absolute_root(&self, root: usize) -> PathBuf {
        groma_sys::os_path(&self.absolute[root])
    }

    /// The root's path, as it is opened.
    pub(crate) fn path(&self, root: usize) -> &Path {
        &self.specs[root].path
    }

    /// What stands before the names of a root's own entries; before its own name, for a root that
    /// is no directory.
    pub(crate) fn shown_before(&self, root: usize) -> &[u8] {
        let spec = &self.specs[root];
        if root < self.directories {
            return &spec.prefix;
        }
        let path = spec.prefix.strip_suffix(b"/").unwrap_or(&spec.prefix);
        &path[..path.len() - groma_base::basename(path).len()]
    }

    /// What stands before the paths of a root's entries.
    pub(crate) fn prefix(&self, root: usize) -> &[u8] {
        &self.specs[root].prefix
    }
}

/// The path joined to the working directory, `.` components left out, ending in `/`.
fn absolute_prefix(path: &Path, cwd: &Path) -> Vec<u8> {
    let joined: PathBuf = cwd.join(path).components().collect();
    let mut bytes = path_bytes(&joined).into_owned();
    if !bytes.ends_with(b"/") {
        bytes.push(b'/');
    }
    bytes
}

/// What became of the roots that were given.
#[derive(Default)]
pub(crate) struct Opened {
    /// Directories, to be walked.
    pub(crate) dirs: Vec<(RootSpec, RootDir)>,
    /// Roots that are something else.
    pub(crate) files: Vec<RootSpec>,
    /// Roots that could not be opened.
    pub(crate) failed: Vec<Warning>,
    /// What the user should know about repetitions.
    pub(crate) notes: Vec<String>,
    /// Whether some root lies inside another, so that entries could be met twice.
    pub(crate) overlapping: bool,
}

/// Opens the roots. A root given twice is opened once.
pub(crate) fn open(specs: Vec<RootSpec>) -> Opened {
    let several = specs.len() > 1;
    let most_open = most_open(specs.len());
    let mut opened = Opened::default();
    let mut ids: HashSet<FileId> = HashSet::new();
    let mut places = HashSet::new();
    for spec in specs {
        match open_one(&spec, several) {
            Ok(None) if several && place(&spec).is_some_and(|place| !places.insert(place)) => {
                opened.notes.push(given_before(&spec));
            }
            Ok(None) => opened.files.push(spec),
            // Without an inode number nothing can be said.
            Ok(Some((_, Some(id)))) if id.inode != 0 && !ids.insert(id) => {
                opened.notes.push(given_before(&spec));
            }
            Ok(Some((_, Some(id)))) if opened.dirs.len() >= most_open => {
                let path = spec.path.clone();
                opened.dirs.push((spec, RootDir::Closed(path, id)));
            }
            Ok(Some((dir, _))) => opened.dirs.push((spec, RootDir::Open(dir))),
            Err(error) => {
                let path = path_bytes(&spec.path).into_owned();
                opened.failed.push(Warning {
                    path,
                    action: "open",
                    error,
                    incomplete: true,
                });
            }
        }
    }
    if several && !opened.dirs.is_empty() {
        note_nesting(&mut opened);
    }
    opened
}

/// How many roots may stay open: a part of the descriptors, when there are more roots than that.
fn most_open(roots: usize) -> usize {
    if roots <= 2 {
        return roots;
    }
    let limit = groma_sys::descriptor_limit().unwrap_or(u64::MAX);
    usize::try_from(limit / 8).unwrap_or(usize::MAX).min(256)
}

/// What two names of one root have in common: directory and name. `None` when nobody can say.
fn place(spec: &RootSpec) -> Option<(FileId, CString)> {
    let dir = Dir::open(parent_of(&spec.path)).ok()?;
    Some((dir.own_metadata(false).ok()?.id, lone_name(spec)?))
}

fn given_before(spec: &RootSpec) -> String {
    format!(
        "'{}' was given before; it is searched once",
        spec.path.display()
    )
}

/// Opens a root, and identifies it if asked to. `None`: it is an entry, but no directory.
fn open_one(spec: &RootSpec, identify: bool) -> io::Result<Option<(Dir, Option<FileId>)>> {
    let error = match Dir::open(&spec.path) {
        Ok(dir) if identify => {
            let id = dir.own_metadata(false)?.id;
            return Ok(Some((dir, Some(id))));
        }
        Ok(dir) => return Ok(Some((dir, None))),
        Err(error) => error,
    };
    // What does not end in its name can only be meant for a directory.
    let path = path_bytes(&spec.path);
    let is_named = lone_name(spec).is_some_and(|name| path.ends_with(name.as_bytes()));
    // A link that leads nowhere is an entry all the same.
    if is_named && groma_sys::is_gone(&error) && spec.path.symlink_metadata().is_ok() {
        return Ok(None);
    }
    Err(error)
}

/// Finds roots that lie inside others.
fn note_nesting(opened: &mut Opened) {
    let real = |path: &Path| std::fs::canonicalize(path).ok();
    let specs: Vec<&RootSpec> = opened.dirs.iter().map(|(spec, _)| spec).collect();
    let dirs: Vec<Option<PathBuf>> = specs.iter().map(|spec| real(&spec.path)).collect();
    let outer: HashMap<&Path, &RootSpec> = dirs
        .iter()
        .zip(&specs)
        .filter_map(|(path, spec)| Some((path.as_deref()?, *spec)))
        .collect();
    // A file may be a link, and is where the link is.
    let file = |spec: &RootSpec| Some(real(parent_of(&spec.path))?.join(spec.path.file_name()?));
    let files = opened.files.iter().map(|spec| (file(spec), spec));
    let given = dirs.iter().cloned().zip(specs.iter().copied()).chain(files);
    let mut notes = Vec::new();
    for (path, inner) in given {
        let mut above = path.iter().flat_map(|path| path.ancestors().skip(1));
        if let Some(outer) = above.find_map(|path| outer.get(path)) {
            let (inner, outer) = (inner.path.display(), outer.path.display());
            notes.push(format!(
                "'{inner}' lies inside '{outer}'; each entry is told once"
            ));
        }
    }
    opened.overlapping = !notes.is_empty();
    opened.notes.append(&mut notes);
}

/// Opens the directory that a root which is no directory lies in, and asks what it is.
pub(crate) fn lone(spec: &RootSpec, follow: bool) -> io::Result<(Dir, Metadata, bool)> {
    let dir = Dir::open(parent_of(&spec.path))?;
    let name = lone_name(spec).ok_or(io::ErrorKind::InvalidInput)?;
    if follow && let Ok(meta) = dir.stat(&name, true, false) {
        return Ok((dir, meta, true));
    }
    let meta = dir.stat(&name, false, false)?;
    Ok((dir, meta, false))
}

/// The directory that a root lies in.
pub(crate) fn parent_of(root: &Path) -> &Path {
    match root.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// The last component of a root's path.
pub(crate) fn lone_name(spec: &RootSpec) -> Option<CString> {
    groma_sys::c_name(&path_bytes(Path::new(spec.path.file_name()?)))
}

/// Directories ready to be walked.
pub(crate) fn into_walk_roots(dirs: Vec<(RootSpec, RootDir)>, names: &RootNames) -> Vec<Root> {
    let root = |(index, (spec, dir)): (usize, (RootSpec, RootDir))| Root {
        prefix: spec.prefix,
        dir,
        absolute: names.absolute_root(index),
        tag: 0,
    };
    dirs.into_iter().enumerate().map(root).collect()
}
