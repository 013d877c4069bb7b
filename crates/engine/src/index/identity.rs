//! What a root is known by: the identity of its file system and its place there.
//!
//! A path or a letter says where something is mounted today; a label is what somebody wrote on it.
//! Neither tells two disks apart, nor finds one again that is mounted elsewhere.

use std::io;
use std::path::{Path, PathBuf};

use groma_catalog::Volume;
use groma_sys::{FileSystem, Mount, MountTable, os_path, path_bytes};

/// The key of the root at `path`, which is absolute and free of links.
///
/// # Errors
/// When the path cannot be opened as a directory.
pub(crate) fn key(path: &Path, table: &MountTable) -> io::Result<Vec<u8>> {
    let system = FileSystem::of(path)?;
    let mount = mount_of(path, &system, table);
    let within = match mount.and_then(|mount| Some((mount, below(path, &mount.point)?))) {
        Some((mount, below)) => joined(&mount.root, &below),
        None => path_bytes(path).into_owned(),
    };
    let mut key = identity(&system, mount);
    key.push(b':');
    key.extend_from_slice(&within);
    Ok(key)
}

/// Where the root of this key is now; `None` when it is mounted nowhere. `last` is looked at first.
pub(crate) fn locate(root: &[u8], last: &Path, table: &MountTable) -> Option<PathBuf> {
    let is_it = |path: &PathBuf| key(path, table).is_ok_and(|found| found == root);
    let by_mount = |mount: &Mount| {
        let system = FileSystem::of(&mount.point).ok()?;
        let mut lead = identity(&system, Some(mount));
        lead.push(b':');
        let within = os_path(root.strip_prefix(&lead[..])?);
        let below = within.strip_prefix(os_path(&mount.root)).ok()?;
        Some(plain_join(&mount.point, below))
    };
    let last = std::iter::once(last.to_owned());
    let elsewhere = table.mounts().iter().filter_map(by_mount);
    last.chain(elsewhere).find(is_it)
}

/// Joining an empty path would leave a slash at the end.
fn plain_join(point: &Path, below: &Path) -> PathBuf {
    if below.as_os_str().is_empty() {
        return point.to_owned();
    }
    point.join(below)
}

/// What a segment says about the file system of the directory `path`, if that lies on `device`.
pub(crate) fn volume(path: &Path, device: u64, table: &MountTable) -> Volume {
    let mut volume = Volume {
        device,
        ..Volume::default()
    };
    let system = FileSystem::of(path).ok().filter(|s| s.device == device);
    let mount = system.and_then(|system| mount_of(path, &system, table));
    let kind = mount.map(|mount| &mount.kind[..]);
    if let Some(kind) = kind.or_else(|| table.type_of(device)) {
        let length = kind.len().min(volume.file_system.len());
        volume.file_system[..length].copy_from_slice(&kind.as_bytes()[..length]);
    }
    match system.unwrap_or_default() {
        FileSystem {
            uuid: Some(uuid), ..
        } => volume.uuid = uuid,
        FileSystem { fsid: Some(id), .. } => volume.uuid[..8].copy_from_slice(&id.to_be_bytes()),
        _ => {}
    }
    volume
}

fn mount_of<'t>(path: &Path, system: &FileSystem, table: &'t MountTable) -> Option<&'t Mount> {
    let by_number = system.mount.and_then(|id| table.by_id(id));
    by_number.or_else(|| table.by_path(path))
}

/// The identity of a file system, by the best that is known of it.
fn identity(system: &FileSystem, mount: Option<&Mount>) -> Vec<u8> {
    if let Some(uuid) = system.uuid {
        let digits: String = uuid.iter().map(|byte| format!("{byte:02x}")).collect();
        return format!("uuid-{digits}").into_bytes();
    }
    if let Some(id) = system.fsid {
        return format!("fsid-{id:016x}").into_bytes();
    }
    match mount {
        Some(mount) => [b"mount-", mount.kind.as_bytes(), b"-", &mount.source].concat(),
        None => format!("device-{:x}", system.device).into_bytes(),
    }
}

fn below(path: &Path, point: &Path) -> Option<Vec<u8>> {
    let below = path.strip_prefix(point).ok()?;
    Some(path_bytes(below).into_owned())
}

fn joined(root: &[u8], below: &[u8]) -> Vec<u8> {
    let mut path = root.to_vec();
    if !below.is_empty() {
        if !path.ends_with(b"/") {
            path.push(b'/');
        }
        path.extend_from_slice(below);
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_root_is_found_again_by_its_key() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().canonicalize().unwrap();
        std::fs::create_dir(path.join("a")).unwrap();
        let table = MountTable::read().unwrap();
        let [outer, inner] = [&path, &path.join("a")].map(|path| key(path, &table).unwrap());
        assert_ne!(outer, inner);
        assert!(inner.ends_with(b"/a") && inner.starts_with(&outer));
        assert_eq!(
            locate(&inner, Path::new("/nowhere"), &table),
            Some(path.join("a"))
        );
        assert_eq!(locate(b"uuid-00:/x", &path, &table), None);
    }
}
