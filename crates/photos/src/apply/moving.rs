//! Names that files get, and that are taken back when their unit fails.

use std::ffi::CString;
use std::io;

use groma_base::FileId;
use groma_sys::{Dir, c_name};

use super::batch::{Item, Place, Roots};
use super::library::{OWN, open_parent, remove_if_there, temporary_name};
use super::options::Failure;
use super::record::{How, Naming, Root};
use super::resumed::is_same;

/// Where a run keeps what it replaced, below the library.
pub(crate) fn aside_path(run: &str) -> Vec<u8> {
    [OWN, b"replaced", run.as_bytes()].join(&b'/')
}

/// Under which name the file is kept that a row replaced: its number, and its own name as far as that fits.
pub(crate) fn aside_name(row: u32, name: &[u8]) -> CString {
    let extension = groma_base::extension(name).unwrap_or_default();
    let long = [row.to_string().as_bytes(), name].join(&b'-');
    let short = [row.to_string().as_bytes(), extension].join(&b'.');
    c_name(if long.len() <= 255 { &long } else { &short }).unwrap_or_default()
}

/// Gives a prepared file its name. Nothing is replaced but what is kept aside.
pub(crate) fn name(roots: &Roots, run: &str, item: &Item, place: &Place) -> Result<(), Failure> {
    let Some(naming) = &place.naming else {
        return Ok(());
    };
    if item.replaces.is_some() {
        put_aside(roots, run, item, place)?;
    }
    let to = &item.to.name;
    let answer = match naming.how {
        How::Copy => {
            let temporary = temporary_name(run, item.row.number);
            place.dir.place_new(&temporary, &place.dir, to)
        }
        How::Rename => return rename(item, place, naming),
        How::Link => {
            let (dir, name) = open_parent(&item.row.source)?;
            dir.link_new(&name, &place.dir, to)
        }
        How::Symlink => {
            let target = c_name(&item.row.source).ok_or(Failure::BadPath)?;
            place.dir.link_symbolically(&target, to)
        }
    };
    answer.map_err(|error| naming_failure(naming.how, &error))
}

fn naming_failure(how: How, error: &io::Error) -> Failure {
    match (error.kind(), how) {
        (io::ErrorKind::AlreadyExists, _) => Failure::Taken,
        (_, How::Link | How::Symlink) => Failure::Unable(error.to_string()),
        _ => Failure::Io(error.to_string()),
    }
}

/// A file that got another content in this very moment goes back where it was.
fn rename(item: &Item, place: &Place, naming: &Naming) -> Result<(), Failure> {
    let (dir, name) = open_parent(&item.row.source)?;
    let moved = dir.place_new(&name, &place.dir, &item.to.name);
    moved.map_err(|error| naming_failure(How::Rename, &error))?;
    let found = place.dir.stat(&item.to.name, false, false)?;
    if is_same(naming, &found) {
        return Ok(());
    }
    place.dir.place_new(&item.to.name, &dir, &name)?;
    Err(Failure::SourceChanged)
}

fn put_aside(roots: &Roots, run: &str, item: &Item, place: &Place) -> Result<(), Failure> {
    let found = match place.dir.stat(&item.to.name, false, false) {
        // It is aside already, since an earlier run that was killed; or somebody else removed it.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        answer => answer?,
    };
    let is_known = item.replaces.is_some_and(|old| old.is_of(&found));
    if place.root == Root::Library && !is_known {
        return Err(Failure::ReplacedChanged);
    }
    let Some(library) = roots.get(place.root) else {
        return Ok(());
    };
    let aside = library.own_dir(&aside_path(run))?;
    let kept = aside_name(item.row.number, item.to.name.to_bytes());
    place.dir.place_new(&item.to.name, &aside, &kept)?;
    Ok(aside.sync()?)
}

/// Brings back what a row replaced, if it is kept and its name is free.
pub(crate) fn bring_back(
    roots: &Roots,
    run: &str,
    root: Root,
    row: u32,
    dir: &Dir,
    name: &std::ffi::CStr,
) -> io::Result<()> {
    let Some(library) = roots.get(root) else {
        return Ok(());
    };
    let answer = library
        .dir(&aside_path(run))
        .and_then(|aside| aside.place_new(&aside_name(row, name.to_bytes()), dir, name));
    match answer {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        answer => answer,
    }
}

/// Takes a name back that a file has got: its source is as it was.
pub(crate) fn take_back(
    roots: &Roots,
    run: &str,
    item: &Item,
    place: &Place,
) -> Result<(), Failure> {
    let Some(naming) = &place.naming else {
        return Ok(());
    };
    let found = place.dir.stat(&item.to.name, false, false)?;
    if !is_same(naming, &found) {
        return Err(Failure::Taken);
    }
    match naming.how {
        How::Rename => {
            let (dir, name) = open_parent(&item.row.source)?;
            place.dir.place_new(&item.to.name, &dir, &name)?;
        }
        How::Copy | How::Link | How::Symlink => {
            let id: FileId = found.id;
            remove_if_there(&place.dir, &item.to.name, id)?;
        }
    }
    if item.replaces.is_some() {
        bring_back(
            roots,
            run,
            place.root,
            item.row.number,
            &place.dir,
            &item.to.name,
        )?;
    }
    Ok(())
}
