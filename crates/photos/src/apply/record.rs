//! What a journal's records say, and their bytes.

use groma_base::Timestamp;

use crate::plan::Hash;

/// Where a file gets a name: the library, or the second place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Root {
    Library,
    Second,
}

/// How a file got its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum How {
    /// It is a copy, made under a temporary name.
    Copy,
    /// It is the source itself.
    Rename,
    /// It is another name of the source's node.
    Link,
    /// It is a symbolic link to the source.
    Symlink,
}

/// A file that is about to get its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Naming {
    pub(crate) row: u32,
    pub(crate) root: Root,
    pub(crate) how: How,
    pub(crate) to: Vec<u8>,
    pub(crate) inode: u64,
    pub(crate) size: u64,
    pub(crate) modified: Timestamp,
    pub(crate) hash: Option<Hash>,
}

/// A record: each stands in the journal before the thing is done, but for those that say that it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Record {
    /// A directory is about to be made.
    Making { root: Root, dir: Vec<u8> },
    /// The temporary file of a row is about to be made in a directory.
    Begun { row: u32, root: Root, dir: Vec<u8> },
    /// A file is about to get its name.
    Naming(Naming),
    /// A row has all its names, and they are on the disk.
    Committed { row: u32 },
    /// A row's names were taken back.
    TakenBack { row: u32 },
    /// The source of a copy that was moved is gone.
    SourceGone { row: u32 },
    /// A row failed: why.
    Failed { row: u32, why: String },
    /// All rows have come to their end, and no temporary file is left.
    Finished,
    /// Undoing has begun.
    Undoing,
    /// A row is undone.
    Undone { row: u32 },
}

impl Record {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Writer(Vec::with_capacity(96));
        match self {
            Record::Making { root, dir } => out.byte(1).root(*root).bytes(dir),
            Record::Begun { row, root, dir } => out.byte(2).number(*row).root(*root).bytes(dir),
            Record::Naming(naming) => {
                let how = naming.how as u8;
                out.byte(3).number(naming.row).root(naming.root).byte(how);
                out.long(naming.inode).long(naming.size);
                out.long(naming.modified.seconds as u64);
                out.number(naming.modified.nanoseconds).bytes(&naming.to);
                out.bytes(naming.hash.as_ref().map_or(&[][..], |hash| &hash[..]))
            }
            Record::Committed { row } => out.byte(4).number(*row),
            Record::TakenBack { row } => out.byte(5).number(*row),
            Record::SourceGone { row } => out.byte(6).number(*row),
            Record::Failed { row, why } => out.byte(7).number(*row).bytes(why.as_bytes()),
            Record::Finished => out.byte(8),
            Record::Undoing => out.byte(9),
            Record::Undone { row } => out.byte(10).number(*row),
        };
        out.0
    }

    /// The record that these bytes are; `None` when they are none.
    pub(crate) fn decode(bytes: &[u8]) -> Option<Record> {
        let mut from = Reader(bytes);
        let record = match from.byte()? {
            1 => Record::Making {
                root: from.root()?,
                dir: from.bytes()?,
            },
            2 => Record::Begun {
                row: from.number()?,
                root: from.root()?,
                dir: from.bytes()?,
            },
            3 => Record::Naming(from.naming()?),
            4 => Record::Committed {
                row: from.number()?,
            },
            5 => Record::TakenBack {
                row: from.number()?,
            },
            6 => Record::SourceGone {
                row: from.number()?,
            },
            7 => Record::Failed {
                row: from.number()?,
                why: String::from_utf8(from.bytes()?).ok()?,
            },
            8 => Record::Finished,
            9 => Record::Undoing,
            10 => Record::Undone {
                row: from.number()?,
            },
            _ => return None,
        };
        from.0.is_empty().then_some(record)
    }
}

struct Writer(Vec<u8>);

impl Writer {
    fn byte(&mut self, byte: u8) -> &mut Writer {
        self.0.push(byte);
        self
    }

    fn root(&mut self, root: Root) -> &mut Writer {
        self.byte(u8::from(root == Root::Second))
    }

    fn number(&mut self, number: u32) -> &mut Writer {
        self.0.extend_from_slice(&number.to_le_bytes());
        self
    }

    fn long(&mut self, number: u64) -> &mut Writer {
        self.0.extend_from_slice(&number.to_le_bytes());
        self
    }

    fn bytes(&mut self, bytes: &[u8]) -> &mut Writer {
        self.number(bytes.len() as u32);
        self.0.extend_from_slice(bytes);
        self
    }
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    fn root(&mut self) -> Option<Root> {
        match self.byte()? {
            0 => Some(Root::Library),
            1 => Some(Root::Second),
            _ => None,
        }
    }

    fn how(&mut self) -> Option<How> {
        let all = [How::Copy, How::Rename, How::Link, How::Symlink];
        all.get(usize::from(self.byte()?)).copied()
    }

    fn number(&mut self) -> Option<u32> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u32::from_le_bytes(*first))
    }

    fn long(&mut self) -> Option<u64> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*first))
    }

    fn bytes(&mut self) -> Option<Vec<u8>> {
        let length = usize::try_from(self.number()?).ok()?;
        let (first, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(first.to_vec())
    }

    fn naming(&mut self) -> Option<Naming> {
        let (row, root, how) = (self.number()?, self.root()?, self.how()?);
        let (inode, size) = (self.long()?, self.long()?);
        let modified = Timestamp {
            seconds: self.long()? as i64,
            nanoseconds: self.number()?,
        };
        let to = self.bytes()?;
        let hash = match self.bytes()? {
            none if none.is_empty() => None,
            hash => Some(Hash::try_from(hash).ok()?),
        };
        Some(Naming {
            row,
            root,
            how,
            to,
            inode,
            size,
            modified,
            hash,
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn records_come_back(row: u32, second: bool, how in 0..4usize, to: Vec<u8>, inode: u64, seconds: i64, hash: Option<[u8; 32]>, why: String) {
            let root = if second { Root::Second } else { Root::Library };
            let how = [How::Copy, How::Rename, How::Link, How::Symlink][how];
            let modified = Timestamp { seconds, nanoseconds: 5 };
            let naming = Naming { row, root, how, to: to.clone(), inode, size: inode / 3, modified, hash };
            for record in [
                Record::Making { root, dir: to.clone() },
                Record::Begun { row, root, dir: to },
                Record::Naming(naming),
                Record::Committed { row },
                Record::TakenBack { row },
                Record::SourceGone { row },
                Record::Failed { row, why },
                Record::Finished,
                Record::Undoing,
                Record::Undone { row },
            ] {
                let bytes = record.encode();
                prop_assert_eq!(Record::decode(&bytes), Some(record));
                for cut in 0..bytes.len() {
                    prop_assert_eq!(Record::decode(&bytes[..cut]), None);
                }
            }
        }

        #[test]
        fn no_bytes_panic(bytes: Vec<u8>) {
            if let Some(record) = Record::decode(&bytes) {
                prop_assert_eq!(record.encode(), bytes);
            }
        }
    }
}
