//! Whether two paths lie in one another, be it through links or mounts.

use std::io;
use std::path::{Component, Path, PathBuf};

use groma_base::FileId;
use groma_sys::{Dir, MountTable, c_name, os_path, path_bytes};

use super::library::open_parent;

/// Whether one of two absolute paths is the other, or lies in it. What is not there yet is judged by what is above it.
pub(crate) fn overlap(one: &[u8], other: &[u8]) -> io::Result<bool> {
    let (one, other) = (Spot::of(one)?, Spot::of(other)?);
    Ok(one.is_in(&other) || other.is_in(&one))
}

/// Where a path leads.
struct Spot {
    /// The nodes from the path itself up to the root; the path's own is `None` where it is not there.
    ids: Vec<Option<FileId>>,
    /// The path as the file system itself has it: its device, and the components below its root.
    inner: Option<(u64, PathBuf)>,
}

impl Spot {
    fn of(path: &[u8]) -> io::Result<Spot> {
        let path = real(&os_path(path));
        let mut ids = Vec::new();
        for above in path.ancestors() {
            ids.push(id_of(above)?);
        }
        Ok(Spot {
            ids,
            inner: inner(&path),
        })
    }

    fn is_in(&self, other: &Spot) -> bool {
        let own = other.ids.first().copied().flatten();
        let by_id = own.is_some_and(|own| self.ids.contains(&Some(own)));
        let by_place = match (&self.inner, &other.inner) {
            (Some((device, path)), Some((other_device, other))) => {
                device == other_device && path.starts_with(other)
            }
            _ => false,
        };
        by_id || by_place
    }
}

/// The path without links, as far as it is there.
fn real(path: &Path) -> PathBuf {
    for above in path.ancestors() {
        if let (Ok(real), Ok(rest)) = (std::fs::canonicalize(above), path.strip_prefix(above)) {
            let rest = rest
                .components()
                .filter(|part| matches!(part, Component::Normal(_)));
            return rest.fold(real, |path, part| path.join(part));
        }
    }
    path.to_owned()
}

fn id_of(path: &Path) -> io::Result<Option<FileId>> {
    let bytes = path_bytes(path);
    let answer = match path.parent() {
        None => Dir::open(path).and_then(|dir| dir.own_metadata(false)),
        Some(_) => open_parent(&bytes).and_then(|(dir, name)| dir.stat(&name, true, false)),
    };
    match answer {
        Ok(found) => Ok(Some(found.id)),
        Err(error) if groma_sys::is_gone(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Two mounts may show parts of one file system: what counts is where in it a path lies.
fn inner(path: &Path) -> Option<(u64, PathBuf)> {
    let table = MountTable::read().ok()?;
    let mount = table.by_path(path)?;
    let below = path.strip_prefix(&mount.point).ok()?;
    c_name(&mount.root)?;
    Some((mount.device, os_path(&mount.root).join(below)))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn paths_in_one_another_are_found_through_links() {
        let temp = tempfile::tempdir().unwrap();
        let at = |path: &str| temp.path().join(path);
        std::fs::create_dir_all(at("photos/2023")).unwrap();
        std::fs::create_dir_all(at("card/dcim")).unwrap();
        std::fs::write(at("card/dcim/a.jpg"), "").unwrap();
        std::os::unix::fs::symlink("photos/2023", at("year")).unwrap();
        for (one, other, lies) in [
            ("photos", "photos", true),
            ("photos", "photos/2023", true),
            ("photos", "year", true),
            ("photos", "year/none/yet", true),
            ("photos", "photos/none", true),
            ("photos", "card", false),
            ("photos", "photos2", false),
            ("photos/2023", "card/../photos", true),
            ("card", "card/dcim/a.jpg", true),
            ("photos", "card/dcim/a.jpg", false),
            ("none", "none/deeper", true),
        ] {
            let bytes = |path: &str| path_bytes(&at(path)).into_owned();
            assert_eq!(
                overlap(&bytes(one), &bytes(other)).unwrap(),
                lies,
                "{one} {other}"
            );
            assert_eq!(
                overlap(&bytes(other), &bytes(one)).unwrap(),
                lies,
                "{other} {one}"
            );
        }
    }
}
