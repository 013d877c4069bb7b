//! What earlier runs of a plan have done already: judged by what is there, not by what a journal says alone.

use groma_base::{Kind, Metadata};
use groma_sys::Dir;

use super::batch::{Item, Place};
use super::copying::hash_of;
use super::library::open_parent;
use super::options::{Failure, Stop};
use super::record::{How, Naming};

/// Whether the file that a naming tells of is there, unchanged. Its bytes are read where `verify` asks for that and their hash
/// is known.
pub(crate) fn is_there(
    dir: &Dir,
    name: &std::ffi::CStr,
    naming: &Naming,
    verify: bool,
    stop: &Stop,
) -> Result<bool, Failure> {
    let found = match dir.stat(name, false, false) {
        Err(error) if groma_sys::is_gone(&error) => return Ok(false),
        answer => answer?,
    };
    if !is_same(naming, &found) {
        return Ok(false);
    }
    match naming.hash {
        Some(hash) if verify => Ok(hash_of(&dir.open_file(name)?, stop)? == hash),
        _ => Ok(true),
    }
}

/// Whether a node is the one that a naming tells of, as far as a stat call tells. A copy may have been
/// restored from a backup and is known by its size and time; what is the source itself is known by its inode.
pub(crate) fn is_same(naming: &Naming, found: &Metadata) -> bool {
    let is_alike = (naming.size, naming.modified) == (found.size, found.modified);
    match naming.how {
        How::Copy => found.kind == Kind::File && is_alike,
        How::Rename | How::Link => {
            found.kind == Kind::File && is_alike && found.id.inode == naming.inode
        }
        How::Symlink => found.kind == Kind::Symlink,
    }
}

/// Whether a symbolic link leads to the source.
pub(crate) fn leads_to(dir: &Dir, name: &std::ffi::CStr, source: &[u8]) -> bool {
    dir.read_link(name).is_ok_and(|target| target == source)
}

/// Whether a place has its file from an earlier run.
pub(crate) fn is_earlier(
    item: &Item,
    place: &Place,
    naming: &Naming,
    verify: bool,
    stop: &Stop,
) -> Result<bool, Failure> {
    if naming.to != target_bytes(item) {
        return Ok(false);
    }
    if naming.how == How::Symlink && !leads_to(&place.dir, &item.to.name, &item.row.source) {
        return Ok(false);
    }
    is_there(&place.dir, &item.to.name, naming, verify, stop)
}

/// What has the source's name now.
pub(crate) fn source_now(path: &[u8]) -> Result<Option<Metadata>, Failure> {
    let answer = open_parent(path).and_then(|(dir, name)| dir.stat(&name, false, false));
    match answer {
        Ok(found) => Ok(Some(found)),
        Err(error) if groma_sys::is_gone(&error) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// An item's path in the library.
pub(crate) fn target_bytes(item: &Item) -> Vec<u8> {
    match item.to.dir.is_empty() {
        true => item.to.name.to_bytes().to_vec(),
        false => [&item.to.dir, item.to.name.to_bytes()].join(&b'/'),
    }
}
