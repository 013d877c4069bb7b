//! Places at which a scan would read the same directories again: bind mounts, and file systems that are
//! mounted twice.

use std::path::{Path, PathBuf};

use groma_sys::{Mount, os_path};

/// Mount points below `tops` that show what the scan meets elsewhere too. Of two mounts that show the
/// same, the one with the smaller path is read.
pub(super) fn repeated(mounts: &[Mount], tops: &[PathBuf]) -> Vec<PathBuf> {
    let is_scanned = |path: &Path| tops.iter().any(|top| path.starts_with(top));
    let shown_again = |mount: &&Mount| {
        is_scanned(&mount.point)
            && mounts.iter().any(|other| {
                let elsewhere = place_in(other, mount);
                elsewhere
                    .is_some_and(|place| is_scanned(&place) && goes_first(other, mount, &place))
            })
    };
    let repeated = mounts.iter().filter(shown_again);
    repeated.map(|mount| mount.point.clone()).collect()
}

/// Where `other` shows the directory that `mount` shows.
fn place_in(other: &Mount, mount: &Mount) -> Option<PathBuf> {
    if other.id == mount.id || other.device != mount.device || other.point == mount.point {
        return None;
    }
    let below = os_path(&mount.root);
    let below = below.strip_prefix(os_path(&other.root)).ok()?.to_owned();
    Some(match below.as_os_str().is_empty() {
        true => other.point.clone(),
        false => other.point.join(below),
    })
}

/// Whether what `mount` shows is read at `place`, where `other` shows it.
fn goes_first(other: &Mount, mount: &Mount, place: &Path) -> bool {
    // A mount of a larger part is not left out for the sake of a smaller one.
    place != mount.point && (other.root != mount.root || other.point < mount.point)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mount(id: u64, device: u64, root: &str, point: &str) -> Mount {
        Mount {
            id,
            device,
            root: root.as_bytes().to_vec(),
            point: PathBuf::from(point),
            kind: "ext4".to_owned(),
            source: Vec::new(),
        }
    }

    #[test]
    fn what_is_shown_twice_is_read_once() {
        let mounts = [
            mount(1, 1, "/", "/"),
            mount(2, 1, "/home/me", "/srv/me"),
            mount(3, 2, "/", "/data"),
            mount(4, 2, "/", "/also"),
            mount(5, 1, "/", "/mnt/all"),
            mount(6, 3, "/@home", "/vol/home"),
            mount(7, 3, "/@root", "/vol/root"),
        ];
        for (top, want) in [
            ("/", &["/srv/me", "/data", "/mnt/all"][..]),
            ("/srv", &[]),
            ("/data", &[]),
            ("/mnt", &[]),
            ("/vol", &[]),
        ] {
            let got = repeated(&mounts, &[PathBuf::from(top)]);
            let want: Vec<PathBuf> = want.iter().map(PathBuf::from).collect();
            assert_eq!(got, want, "{top}");
        }
    }
}
