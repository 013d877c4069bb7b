//! File systems by name, from the kernel's own table.

use std::collections::HashMap;
use std::io;

/// Which file system lies behind each device number, from `/proc/self/mountinfo`.
#[derive(Debug, Default)]
pub struct MountTable {
    by_device: HashMap<u64, String>,
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
        MountTable {
            by_device: lines.collect(),
        }
    }

    /// The type of the file system on `device` (`ext4`, `tmpfs` ...).
    pub fn type_of(&self, device: u64) -> Option<&str> {
        self.by_device.get(&device).map(String::as_str)
    }
}

#[cfg(unix)]
fn parse_line(line: &[u8]) -> Option<(u64, String)> {
    let line = String::from_utf8_lossy(line);
    let (before, after) = line.split_once(" - ")?;
    let (major, minor) = before.split(' ').nth(2)?.split_once(':')?;
    let device = rustix::fs::makedev(major.parse().ok()?, minor.parse().ok()?);
    Some((device, after.split(' ').next()?.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_lines_with_and_without_optional_fields() {
        let table = MountTable::parse(
            b"36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw\n\
              22 1 0:21 / /proc rw - proc proc rw\nbroken line\n",
        );
        assert_eq!(table.type_of(rustix::fs::makedev(98, 0)), Some("ext3"));
        assert_eq!(table.type_of(rustix::fs::makedev(0, 21)), Some("proc"));
        assert_eq!(table.type_of(1), None);
    }
}
