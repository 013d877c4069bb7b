//! Moves what a plan has confirmed to the trash, as freedesktop.org's Trash specification 1.0 has it.
//!
//! Nothing is copied: what cannot be renamed into a trash on its own file system stays where it is.

use std::ffi::CString;
use std::io;
use std::path::{Path, PathBuf};

use groma_base::time::TimeZone;
use groma_base::{CancelToken, FileId, Timestamp};
use groma_sys::{Dir, MountTable, c_name, os_path, path_bytes};

use super::place::Place;
use super::plan::{Confirmed, Plan};
use super::remove::Outcome;
use super::trash_dir::{TrashDir, home, of_mount};

/// Names that are tried for an entry whose name is taken.
const TRIES: u32 = 100_000;
/// Bytes that a name may have on Linux.
const LONGEST_NAME: usize = 255;
const SUFFIX: &[u8] = b".trashinfo";

/// What a trash depends on, besides the disk.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// `$XDG_DATA_HOME`, or what stands for it. Absolute.
    pub data_home: PathBuf,
    /// The user whose trash it is.
    pub uid: u32,
    /// What time it is.
    pub now: Timestamp,
    /// In which time zone: dates of deletion are local.
    pub zone: TimeZone,
}

impl Plan {
    /// Moves what was confirmed to the trash. An entry whose parent leads over a link by now, or whose
    /// name stands for another node, stays.
    pub fn trash(&self, surroundings: &Surroundings, cancel: &CancelToken) -> Outcome {
        let mounts = MountTable::read().unwrap_or_default();
        self.act(cancel, |confirmed, outcome| {
            let path = os_path(&confirmed.path);
            let mut inside = mounts.mounts().iter().map(|mount| &mount.point);
            if inside.any(|point| point.starts_with(&path)) {
                return Err(io::Error::other("another file system is mounted here"));
            }
            let place = self.open_top()?.place(&confirmed.path)?;
            trash(confirmed, &place, &path, surroundings, &mounts)?;
            outcome.gone.push(confirmed.path.clone());
            outcome.entries += confirmed.entries;
            Ok(())
        })
    }
}

/// Moves an entry to the trash of the home, or of its mount.
fn trash(
    confirmed: &Confirmed,
    place: &Place,
    path: &Path,
    surroundings: &Surroundings,
    mounts: &MountTable,
) -> io::Result<()> {
    ensure(place, confirmed)?;
    let date = date(surroundings)?;
    let device = confirmed.id.device;
    if let Some(trash) = home(surroundings, device)? {
        let moved = put(confirmed, place, &trash, &info(&confirmed.path, &date));
        // A bind mount has the device of what it shows, but is a place of its own.
        if !moved.as_ref().is_err_and(is_elsewhere) {
            return moved;
        }
    }
    let number = place.dir.mount_id();
    let mount = number.and_then(|id| mounts.by_id(id));
    let mount = mount.or_else(|| mounts.by_path(path));
    let point = mount.map(|mount| mount.point.clone());
    let point = point.ok_or_else(|| io::Error::other("there is no trash for this place"))?;
    let trash = of_mount(&point, surroundings.uid, device)?;
    // Below a mount the path is told relative to it: it may be mounted elsewhere some day.
    let below = path.strip_prefix(&point).map(path_bytes);
    let shown = below.unwrap_or_else(|_| path_bytes(path));
    put(confirmed, place, &trash, &info(&shown, &date))
}

fn is_elsewhere(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::CrossesDevices
}

/// Checks that a name still stands for the node that was confirmed.
fn ensure(place: &Place, confirmed: &Confirmed) -> io::Result<()> {
    let now = place.dir.stat(&place.name, false, false)?;
    match (now.id, now.kind) == (confirmed.id, confirmed.kind) {
        true => Ok(()),
        false => Err(replaced()),
    }
}

fn replaced() -> io::Error {
    let reason = "another file has this name now";
    io::Error::new(io::ErrorKind::NotFound, reason)
}

/// Writes the note, under a name that is free, and moves the entry.
fn put(confirmed: &Confirmed, place: &Place, trash: &TrashDir, info: &[u8]) -> io::Result<()> {
    for number in 1..=TRIES {
        let (name, note) = names(place.name.to_bytes(), number)?;
        let written = match trash.info.create_file(&note, info) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            written => written?,
        };
        let moved = move_checked(confirmed, place, &trash.files, &name);
        if let Err(error) = moved {
            withdraw(&trash.info, &note, written);
            // A file of that name without a note.
            if error.kind() == io::ErrorKind::AlreadyExists {
                continue;
            }
            return Err(error);
        }
        return Ok(());
    }
    let reason = "the trash has too many entries of this name";
    Err(io::Error::new(io::ErrorKind::AlreadyExists, reason))
}

/// Moves the entry if it is what was confirmed, and moves it back if what arrives is not.
fn move_checked(
    confirmed: &Confirmed,
    place: &Place,
    files: &Dir,
    name: &CString,
) -> io::Result<()> {
    ensure(place, confirmed)?;
    place.dir.rename_new(&place.name, files, name)?;
    let arrived = files.stat(name, false, false)?;
    if (arrived.id, arrived.kind) == (confirmed.id, confirmed.kind) {
        return Ok(());
    }
    files.rename_new(name, &place.dir, &place.name)?;
    Err(replaced())
}

/// Takes a note back. That the entry was not moved is what is told, not that a note was left.
fn withdraw(dir: &Dir, note: &CString, id: FileId) {
    let _ = dir.remove(note, id, false);
}

/// The name in the trash for the `number`th try, and that of its note.
fn names(name: &[u8], number: u32) -> io::Result<(CString, CString)> {
    let count = match number {
        1 => String::new(),
        _ => format!(".{number}"),
    };
    let room = LONGEST_NAME - SUFFIX.len() - count.len();
    let name = [&name[..name.len().min(room)], count.as_bytes()].concat();
    let note = [&name, SUFFIX].concat();
    let name = c_name(&name).ok_or(io::ErrorKind::InvalidInput)?;
    Ok((name, c_name(&note).ok_or(io::ErrorKind::InvalidInput)?))
}

/// The local time, as a note has it.
fn date(surroundings: &Surroundings) -> io::Result<String> {
    let zoned = surroundings.now.to_zoned(&surroundings.zone);
    let zoned = zoned.ok_or(io::ErrorKind::InvalidInput)?;
    Ok(zoned.strftime("%Y-%m-%dT%H:%M:%S").to_string())
}

fn info(path: &[u8], date: &str) -> Vec<u8> {
    let mut text = b"[Trash Info]\nPath=".to_vec();
    for &byte in path {
        match byte {
            b'/' | b'-' | b'_' | b'.' | b'~' => text.push(byte),
            _ if byte.is_ascii_alphanumeric() => text.push(byte),
            _ => text.extend_from_slice(format!("%{byte:02X}").as_bytes()),
        }
    }
    text.extend_from_slice(format!("\nDeletionDate={date}\n").as_bytes());
    text
}
