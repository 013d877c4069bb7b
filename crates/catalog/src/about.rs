//! What a segment says about itself: root, source, time of the scan; owners and file systems.

use groma_base::Timestamp;

use crate::bytes::{i64_at, u32_at, u64_at};
use crate::error::Damage;
use crate::layout::SectionId;

/// What a scan covered, and when.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// Absolute path of the root, raw bytes, without a trailing `/` unless it is `/`.
    pub root: Vec<u8>,
    /// How the root was read: `walk`, `ntfs` ...
    pub source: Vec<u8>,
    /// When the scan began.
    pub begun: Timestamp,
    /// When the scan had ended.
    pub ended: Timestamp,
}

/// Identity of a file system that lasts longer than a mount.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Volume {
    /// Device number at the time of the scan.
    pub device: u64,
    /// Number of the subvolume; 0 where there are none.
    pub subvolume: u64,
    /// UUID; all zeros when it is not known.
    pub uuid: [u8; 16],
    /// Name of its type (`ext4`), padded with NULs; cut where it is longer.
    pub file_system: [u8; 16],
}

/// User and group that own an entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Owner {
    /// User.
    pub uid: u32,
    /// Group.
    pub gid: u32,
}

impl About {
    /// Bytes before the two texts.
    const FIXED: usize = 32;

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(About::FIXED + self.root.len() + self.source.len());
        for time in [self.begun, self.ended] {
            bytes.extend_from_slice(&time.seconds.to_le_bytes());
            bytes.extend_from_slice(&time.nanoseconds.to_le_bytes());
        }
        let root_length = u64::try_from(self.root.len()).unwrap_or(u64::MAX);
        bytes.extend_from_slice(&root_length.to_le_bytes());
        bytes.extend_from_slice(&self.root);
        bytes.extend_from_slice(&self.source);
        bytes
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<About, Damage> {
        let read = || {
            let root_length = usize::try_from(u64_at(bytes, 24)?).ok()?;
            let texts = bytes.get(About::FIXED..)?;
            let (root, source) = texts.split_at_checked(root_length)?;
            Some(About {
                root: root.to_vec(),
                source: source.to_vec(),
                begun: time_at(bytes, 0)?,
                ended: time_at(bytes, 12)?,
            })
        };
        read().ok_or_else(|| Damage::section(SectionId::About, 0, "texts or times out of range"))
    }
}

fn time_at(bytes: &[u8], at: usize) -> Option<Timestamp> {
    let nanoseconds = u32_at(bytes, at + 8)?;
    (nanoseconds < 1_000_000_000).then_some(Timestamp {
        seconds: i64_at(bytes, at)?,
        nanoseconds,
    })
}

/// File systems of Unix on which nothing has the file attributes of Windows.
const WITHOUT_ATTRIBUTES: &[&str] = &[
    "apfs", "autofs", "bcachefs", "btrfs", "ceph", "cgroup2", "devtmpfs", "ext2", "ext3", "ext4",
    "f2fs", "hfs", "iso9660", "jfs", "nfs", "nfs4", "overlay", "proc", "ramfs", "reiserfs",
    "squashfs", "sysfs", "tmpfs", "ufs", "xfs", "zfs",
];

impl Volume {
    /// Type of the file system, UUID and subvolume with spaces between them, as far as they are
    /// known: `btrfs 0f3cbe0e-5c1d-4b8e-a3f5-7d5b3f6c1a2b 256`.
    pub fn words(&self) -> String {
        let mut words = vec![self.type_name()];
        if self.uuid != [0; 16] {
            let mut uuid = String::new();
            for (place, byte) in self.uuid.iter().enumerate() {
                let hyphen = if [4, 6, 8, 10].contains(&place) {
                    "-"
                } else {
                    ""
                };
                uuid.push_str(&format!("{hyphen}{byte:02x}"));
            }
            words.push(uuid);
        }
        if self.subvolume != 0 {
            words.push(self.subvolume.to_string());
        }
        words.retain(|word| !word.is_empty());
        words.join(" ")
    }

    /// Whether the file system is known to have no file attributes of Windows.
    pub fn has_no_windows_attributes(&self) -> bool {
        WITHOUT_ATTRIBUTES.contains(&self.type_name().as_str())
    }

    fn type_name(&self) -> String {
        let end = self.file_system.iter().position(|&b| b == 0);
        let name = &self.file_system[..end.unwrap_or(self.file_system.len())];
        String::from_utf8_lossy(name).into_owned()
    }

    pub(crate) fn to_bytes(self) -> [u8; 48] {
        let mut bytes = [0; 48];
        bytes[..8].copy_from_slice(&self.device.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.subvolume.to_le_bytes());
        bytes[16..32].copy_from_slice(&self.uuid);
        bytes[32..].copy_from_slice(&self.file_system);
        bytes
    }

    pub(crate) fn at(bytes: &[u8], index: usize) -> Option<Volume> {
        let start = index.checked_mul(48)?;
        let bytes = bytes.get(start..start.checked_add(48)?)?;
        Some(Volume {
            device: u64_at(bytes, 0)?,
            subvolume: u64_at(bytes, 8)?,
            uuid: bytes.get(16..32)?.try_into().ok()?,
            file_system: bytes.get(32..)?.try_into().ok()?,
        })
    }
}

impl Owner {
    pub(crate) fn to_bytes(self) -> [u8; 8] {
        let mut bytes = [0; 8];
        bytes[..4].copy_from_slice(&self.uid.to_le_bytes());
        bytes[4..].copy_from_slice(&self.gid.to_le_bytes());
        bytes
    }

    pub(crate) fn at(bytes: &[u8], index: usize) -> Option<Owner> {
        let start = index.checked_mul(8)?;
        Some(Owner {
            uid: u32_at(bytes, start)?,
            gid: u32_at(bytes, start.checked_add(4)?)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn volumes_in_words() {
        let mut volume = Volume::default();
        assert_eq!(volume.words(), "");
        volume.file_system[..5].copy_from_slice(b"btrfs");
        volume.subvolume = 256;
        assert_eq!(volume.words(), "btrfs 256");
        volume.uuid = [0xab; 16];
        assert_eq!(
            volume.words(),
            "btrfs abababab-abab-abab-abab-abababababab 256"
        );
        assert!(volume.has_no_windows_attributes());
        volume.file_system[..5].copy_from_slice(b"ntfs3");
        assert!(!volume.has_no_windows_attributes());
    }

    #[test]
    fn goes_there_and_back() {
        let about = About {
            root: b"/a\xff".to_vec(),
            source: b"walk".to_vec(),
            begun: Timestamp::from_seconds(-5),
            ended: Timestamp::from_seconds(7).next(),
        };
        let bytes = about.to_bytes();
        assert_eq!(About::from_bytes(&bytes), Ok(about));
        for end in 0..34 {
            assert!(About::from_bytes(&bytes[..end]).is_err(), "{end}");
        }
    }
}
