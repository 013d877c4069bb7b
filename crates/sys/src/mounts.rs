//! What is mounted where, from the kernel's own table.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

/// One mounted file system, or a part of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mount {
    /// Number of the mount, as statx(2) tells it too.
    pub id: u64,
    /// Device number.
    pub device: u64,
    /// Which directory of the file system is mounted: `/`, a subvolume, what a bind mount shows.
    pub root: Vec<u8>,
    /// Where it is mounted.
    pub point: PathBuf,
    /// Type of the file system (`ext4`, `tmpfs` ...).
    pub kind: String,
    /// What it was mounted from: a device, `server:/export`, a word.
    pub source: Vec<u8>,
}

/// The mounts that this process sees, from `/proc/self/mountinfo`.
#[derive(Debug, Default)]
pub struct MountTable {
    mounts: Vec<Mount>,
    /// Where in `mounts` a device is.
    by_device: HashMap<u64, usize>,
}

impl MountTable {
    /// Reads the table as it is now.
    ///
    /// # Errors
    /// When `/proc` is not there.
    #[cfg(unix)]
    pub fn read() -> io::Result<MountTable> {
        Ok(MountTable::parse(&std::fs::read("/proc/self/mountinfo")?))
    }

    /// There is no such table here.
    ///
    /// # Errors
    /// Always `Unsupported`.
    #[cfg(not(unix))]
    pub fn read() -> io::Result<MountTable> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Reads lines of the form that proc(5) describes: `ID PARENT MAJOR:MINOR ROOT POINT OPTIONS
    /// [FIELDS...] - TYPE SOURCE OPTIONS`.
    #[cfg(unix)]
    fn parse(table: &[u8]) -> MountTable {
        let lines = table.split(|&b| b == b'\n').filter_map(parse_line);
        let mounts: Vec<Mount> = lines.collect();
        let devices = mounts.iter().map(|mount| mount.device);
        MountTable {
            by_device: devices.zip(0..).collect(),
            mounts,
        }
    }

    /// All mounts; of two at one place, the later one covers the other.
    pub fn mounts(&self) -> &[Mount] {
        &self.mounts
    }

    /// The type of the file system on `device` (`ext4`, `tmpfs` ...).
    pub fn type_of(&self, device: u64) -> Option<&str> {
        let mount = self.mounts.get(*self.by_device.get(&device)?)?;
        Some(&mount.kind)
    }

    /// The mount of this number.
    pub fn by_id(&self, id: u64) -> Option<&Mount> {
        self.mounts.iter().find(|mount| mount.id == id)
    }

    /// The mount that an absolute path without links lies on, judged by its components.
    pub fn by_path(&self, path: &Path) -> Option<&Mount> {
        let above = self.mounts.iter().filter(|m| path.starts_with(&m.point));
        above.max_by_key(|mount| mount.point.components().count())
    }
}

#[cfg(unix)]
fn parse_line(line: &[u8]) -> Option<Mount> {
    let dash = line.windows(3).position(|part| part == b" - ")?;
    let mut before = line[..dash].split(|&b| b == b' ');
    let mut after = line[dash + 3..].split(|&b| b == b' ');
    let number = |text: &[u8]| std::str::from_utf8(text).ok()?.parse::<u32>().ok();
    let id = number(before.next()?)?;
    let device = before.nth(1)?;
    let colon = device.iter().position(|&b| b == b':')?;
    let device = rustix::fs::makedev(number(&device[..colon])?, number(&device[colon + 1..])?);
    Some(Mount {
        id: id.into(),
        device,
        root: unescape(before.next()?),
        point: crate::os_path(&unescape(before.next()?)),
        kind: String::from_utf8_lossy(after.next()?).into_owned(),
        source: unescape(after.next().unwrap_or_default()),
    })
}

/// Undoes the kernel's `\040` for blanks and the like.
#[cfg(unix)]
fn unescape(text: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&first, after)) = rest.split_first() {
        let digits = after.get(..3).filter(|_| first == b'\\');
        let digits = digits.and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 8).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[3..];
            }
            None => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> MountTable {
        MountTable::parse(
            b"36 35 98:0 /mnt1 /mnt\\0402 rw,noatime master:1 - ext3 /dev/root rw\n\
              22 1 0:21 / /proc rw - proc proc rw\nbroken line\n\
              37 35 98:1 / / rw - ext4 /dev/a\\134b rw\n",
        )
    }

    #[test]
    fn reads_lines_with_and_without_optional_fields() {
        let table = table();
        assert_eq!(table.type_of(rustix::fs::makedev(98, 0)), Some("ext3"));
        assert_eq!(table.type_of(rustix::fs::makedev(0, 21)), Some("proc"));
        assert_eq!(table.type_of(1), None);
        let mount = table.by_id(36).unwrap();
        assert_eq!(
            (&mount.root[..], mount.point.to_str()),
            (&b"/mnt1"[..], Some("/mnt 2"))
        );
        assert_eq!(table.by_id(37).unwrap().source, b"/dev/a\\b");
    }

    #[test]
    fn a_path_lies_on_the_nearest_mount() {
        let table = table();
        let id = |path: &str| table.by_path(Path::new(path)).map(|mount| mount.id);
        assert_eq!(
            (id("/mnt 2/x"), id("/mnt 22"), id("/proc")),
            (Some(36), Some(37), Some(22))
        );
    }
}
