//! Which directory is the trash for a place: found, made, and checked not to be somebody else's.

use std::ffi::CStr;
use std::io;
use std::path::Path;

use groma_base::Kind;
use groma_sys::{Dir, c_name};

use super::trash::Surroundings;

/// The two directories of a trash.
pub(super) struct TrashDir {
    /// What was moved there.
    pub(super) files: Dir,
    /// A note about each.
    pub(super) info: Dir,
}

/// The trash of the home, if it is on this device.
///
/// # Errors
/// When it cannot be made or is not the user's.
pub(super) fn home(surroundings: &Surroundings, device: u64) -> io::Result<Option<TrashDir>> {
    let path = &surroundings.data_home;
    if !path.is_absolute() {
        return Ok(None);
    }
    let nearest = path.ancestors().find_map(|above| Dir::open(above).ok());
    let Some(nearest) = nearest else {
        return Ok(None);
    };
    if nearest.own_metadata(false)?.id.device != device {
        return Ok(None);
    }
    std::fs::create_dir_all(path)?;
    let data = Dir::open(path)?;
    let trash = private_child(&data, c"Trash", surroundings.uid)?;
    parts(&trash, surroundings.uid).map(Some)
}

/// The trash of a mount: in the one that all users share, or one of the user's own.
///
/// # Errors
/// When the mount is of another device by now, or there can be no trash.
pub(super) fn of_mount(point: &Path, uid: u32, device: u64) -> io::Result<TrashDir> {
    let top = Dir::open(point)?;
    if top.own_metadata(false)?.id.device != device {
        return Err(io::Error::other("there is no trash on this file system"));
    }
    if let Some(trash) = in_shared(&top, uid) {
        return parts(&trash, uid);
    }
    let name = c_name(format!(".Trash-{uid}").as_bytes()).ok_or(io::ErrorKind::InvalidInput)?;
    parts(&private_child(&top, &name, uid)?, uid)
}

/// The user's directory in the shared one, which must be sticky and no link.
fn in_shared(top: &Dir, uid: u32) -> Option<Dir> {
    const STICKY: u32 = 0o1000;
    let shared = top.open_child(c".Trash", false).ok()?;
    let metadata = shared.own_metadata(false).ok()?;
    if metadata.mode & STICKY == 0 {
        return None;
    }
    let name = c_name(uid.to_string().as_bytes())?;
    private_child(&shared, &name, uid).ok()
}

fn parts(trash: &Dir, uid: u32) -> io::Result<TrashDir> {
    Ok(TrashDir {
        files: private_child(trash, c"files", uid)?,
        info: private_child(trash, c"info", uid)?,
    })
}

/// Opens a directory of the user's, and makes it where there is none.
fn private_child(dir: &Dir, name: &CStr, uid: u32) -> io::Result<Dir> {
    match dir.make_private_dir(name) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    let child = dir.open_child(name, false)?;
    let metadata = child.own_metadata(false)?;
    if metadata.kind == Kind::Dir && metadata.uid == uid {
        return Ok(child);
    }
    let reason = "the trash belongs to somebody else";
    Err(io::Error::new(io::ErrorKind::PermissionDenied, reason))
}
