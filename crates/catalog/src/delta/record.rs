//! Changes as bytes, and back. `docs/format.md` draws them.

use groma_base::{FileId, Metadata, Timestamp};

use super::change::Change;
use crate::about::Volume;
use crate::bytes::{i64_at, u16_at, u32_at, u64_at};
use crate::kinds::KindFlags;

const PUT: u8 = 1;
const REMOVE: u8 = 2;
const MOVE: u8 = 3;
const UNREAD: u8 = 4;
const VOLUME: u8 = 5;
const SCANNED: u8 = 6;

/// Stands for "no directory": what is put is the root.
const NO_PARENT: u32 = u32::MAX;

/// The flags that an entry which is put may have.
const PUT_FLAGS: [KindFlags; 5] = [
    KindFlags::NO_METADATA,
    KindFlags::ACL,
    KindFlags::MOUNT,
    KindFlags::HAS_CREATED,
    KindFlags::BROKEN,
];

impl Change {
    /// Appends the bytes of a record.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        match self {
            Change::Put { .. } => self.write_put(out),
            Change::Remove { id } => {
                out.push(REMOVE);
                out.extend_from_slice(&id.to_le_bytes());
            }
            Change::Move { id, parent, name } => {
                out.push(MOVE);
                out.extend_from_slice(&id.to_le_bytes());
                out.extend_from_slice(&parent.to_le_bytes());
                out.extend_from_slice(name);
            }
            Change::Unread { id, unread } => {
                out.push(UNREAD);
                out.extend_from_slice(&id.to_le_bytes());
                out.push(u8::from(*unread));
            }
            Change::Volume(volume) => {
                out.push(VOLUME);
                out.extend_from_slice(&volume.to_bytes());
            }
            Change::Scanned { begun, ended } => {
                out.push(SCANNED);
                write_time(*begun, out);
                write_time(*ended, out);
            }
        }
    }

    fn write_put(&self, out: &mut Vec<u8>) {
        let Change::Put {
            parent,
            name,
            kind,
            has_acl,
            is_mount,
            is_broken,
            metadata,
        } = self
        else {
            return;
        };
        let created = metadata.as_ref().is_some_and(|m| m.created.is_some());
        let flags = KindFlags::of(*kind)
            .with(KindFlags::NO_METADATA, metadata.is_none())
            .with(KindFlags::ACL, *has_acl)
            .with(KindFlags::MOUNT, *is_mount)
            .with(KindFlags::BROKEN, *is_broken)
            .with(KindFlags::HAS_CREATED, created);
        out.push(PUT);
        out.extend_from_slice(&parent.unwrap_or(NO_PARENT).to_le_bytes());
        out.extend_from_slice(&flags.0.to_le_bytes());
        if let Some(metadata) = metadata {
            write_metadata(metadata, out);
        }
        out.extend_from_slice(name);
    }

    /// What a record says; `None` when it says nothing that this program knows.
    pub(crate) fn read(record: &[u8]) -> Option<Change> {
        let (&tag, rest) = record.split_first()?;
        Some(match tag {
            PUT => return read_put(rest),
            MOVE => Change::Move {
                id: u32_at(rest, 0)?,
                parent: u32_at(rest, 4)?,
                name: rest.get(8..)?.to_vec(),
            },
            REMOVE if rest.len() == 4 => Change::Remove {
                id: u32_at(rest, 0)?,
            },
            UNREAD if rest.len() == 5 && rest[4] <= 1 => Change::Unread {
                id: u32_at(rest, 0)?,
                unread: rest[4] == 1,
            },
            VOLUME if rest.len() == 48 => Change::Volume(Volume::at(rest, 0)?),
            SCANNED if rest.len() == 24 => Change::Scanned {
                begun: time_at(rest, 0)?,
                ended: time_at(rest, 12)?,
            },
            _ => return None,
        })
    }
}

fn read_put(bytes: &[u8]) -> Option<Change> {
    let parent = u32_at(bytes, 0)?;
    let flags = KindFlags::from_number(u16_at(bytes, 4)?)?;
    let known = PUT_FLAGS.into_iter();
    let known = known.fold(KindFlags::of(flags.kind()), |known, flag| {
        known.with(flag, flags.has(flag))
    });
    if known != flags {
        return None;
    }
    let rest = bytes.get(6..)?;
    let (metadata, name) = match flags.has(KindFlags::NO_METADATA) {
        true if flags.has(KindFlags::HAS_CREATED) => return None,
        true => (None, rest),
        false => {
            let (metadata, length) = read_metadata(rest, flags)?;
            (Some(Box::new(metadata)), rest.get(length..)?)
        }
    };
    Some(Change::Put {
        parent: (parent != NO_PARENT).then_some(parent),
        name: name.to_vec(),
        kind: flags.kind(),
        has_acl: flags.has(KindFlags::ACL),
        is_mount: flags.has(KindFlags::MOUNT),
        is_broken: flags.has(KindFlags::BROKEN),
        metadata,
    })
}

/// Metadata without its kind, which stands before it.
fn write_metadata(metadata: &Metadata, out: &mut Vec<u8>) {
    for number in [
        metadata.id.device,
        metadata.id.inode,
        metadata.links,
        metadata.size,
        metadata.allocated,
    ] {
        out.extend_from_slice(&number.to_le_bytes());
    }
    for number in [metadata.mode & 0o7777, metadata.uid, metadata.gid] {
        out.extend_from_slice(&number.to_le_bytes());
    }
    let times = [metadata.accessed, metadata.modified, metadata.changed];
    for time in times.into_iter().chain(metadata.created) {
        write_time(time, out);
    }
}

/// Metadata, and how many bytes it took.
fn read_metadata(bytes: &[u8], flags: KindFlags) -> Option<(Metadata, usize)> {
    let number = |place: usize| u64_at(bytes, place * 8);
    let short = |place: usize| u32_at(bytes, 40 + place * 4);
    let created = match flags.has(KindFlags::HAS_CREATED) {
        true => Some(time_at(bytes, 88)?),
        false => None,
    };
    let metadata = Metadata {
        kind: flags.kind(),
        id: FileId {
            device: number(0)?,
            inode: number(1)?,
        },
        mode: short(0).filter(|mode| *mode <= 0o7777)?,
        links: number(2)?,
        uid: short(1)?,
        gid: short(2)?,
        size: number(3)?,
        allocated: number(4)?,
        special: (0, 0),
        accessed: time_at(bytes, 52)?,
        modified: time_at(bytes, 64)?,
        changed: time_at(bytes, 76)?,
        created,
    };
    Some((metadata, if created.is_some() { 100 } else { 88 }))
}

fn write_time(time: Timestamp, out: &mut Vec<u8>) {
    out.extend_from_slice(&time.seconds.to_le_bytes());
    out.extend_from_slice(&time.nanoseconds.to_le_bytes());
}

fn time_at(bytes: &[u8], at: usize) -> Option<Timestamp> {
    Some(Timestamp {
        seconds: i64_at(bytes, at)?,
        nanoseconds: u32_at(bytes, at.checked_add(8)?)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use groma_base::Kind;
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn changes() -> Vec<Change> {
        let time = |n: i64| Timestamp {
            seconds: n - 11_644_473_600,
            nanoseconds: 999_999_999,
        };
        let metadata = |created| Metadata {
            kind: Kind::File,
            id: FileId {
                device: 1,
                inode: u64::MAX,
            },
            mode: 0o4755,
            links: 3,
            uid: 5,
            gid: u32::MAX,
            size: 6,
            allocated: 7,
            special: (0, 0),
            accessed: time(1),
            modified: time(2),
            changed: time(3),
            created,
        };
        let put = |parent, name: &[u8], metadata| Change::Put {
            parent,
            name: name.to_vec(),
            kind: Kind::File,
            has_acl: true,
            is_mount: false,
            is_broken: true,
            metadata,
        };
        vec![
            put(Some(7), b"\xffname", Some(Box::new(metadata(None)))),
            put(None, b"", Some(Box::new(metadata(Some(time(9)))))),
            put(Some(0), b"x", None),
            Change::Remove { id: 9 },
            Change::Move {
                id: 1,
                parent: 2,
                name: b"new".to_vec(),
            },
            Change::Unread {
                id: 3,
                unread: true,
            },
            Change::Volume(Volume {
                device: 4,
                subvolume: 5,
                uuid: [6; 16],
                file_system: [7; 16],
            }),
            Change::Scanned {
                begun: time(5),
                ended: time(6),
            },
        ]
    }

    #[test]
    fn changes_go_there_and_back() {
        for change in changes() {
            let mut bytes = Vec::new();
            change.write(&mut bytes);
            assert_eq!(Change::read(&bytes), Some(change));
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_a_panic(tag in 0u8..8, bytes in vec(any::<u8>(), 0..130)) {
            let record = [&[tag][..], &bytes].concat();
            if let Some(change) = Change::read(&record) {
                let mut again = Vec::new();
                change.write(&mut again);
                prop_assert_eq!(Change::read(&again), Some(change));
            }
        }
    }
}
