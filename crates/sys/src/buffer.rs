//! A buffer of directory records, in the layout of Linux's `struct linux_dirent64`.
//!
//! The kernel writes this layout itself; other platforms encode what they read into it, so that
//! there is one reader. Record: inode (8 bytes), offset (8), record length (2), `d_type` (1), then
//! the name, NUL-terminated and padded to a multiple of 8.

use std::ffi::CStr;

use groma_base::Kind;

/// Room for one reading: large directories need few calls, and untouched pages cost nothing.
pub(crate) const READ_BYTES: usize = 256 * 1024;

/// Where the name begins in a record.
pub(crate) const NAME_AT: usize = 19;

/// No system takes a longer name: file systems stop at 255 characters of up to four bytes.
const LONGEST_NAME: usize = 4096;

/// Length of the shortest record: a name of at most four bytes.
const SHORTEST: usize = 24;

/// Holds directory records. Reused from directory to directory; empty ones take no memory.
#[derive(Default)]
pub struct DirBuffer {
    bytes: Vec<u8>,
    used: usize,
}

/// A name with its terminating NUL, as a directory record holds it.
#[derive(Clone, Copy)]
pub struct EntryName<'a>(&'a [u8]);

impl<'a> EntryName<'a> {
    /// The name without its terminator.
    #[inline]
    pub fn to_bytes(self) -> &'a [u8] {
        self.0.split_last().map_or(b"", |(_, name)| name)
    }

    /// Length of the name in bytes.
    #[inline]
    pub fn count_bytes(self) -> usize {
        self.to_bytes().len()
    }

    /// The name as system calls take it. A NUL inside, which only a broken file system tells, ends
    /// it there.
    pub fn c_str(self) -> &'a CStr {
        CStr::from_bytes_until_nul(self.0).unwrap_or_default()
    }
}

impl<'a> From<&'a CStr> for EntryName<'a> {
    fn from(name: &'a CStr) -> EntryName<'a> {
        EntryName(name.to_bytes_with_nul())
    }
}

/// One directory record. `.` and `..` never come out of a buffer.
#[derive(Clone, Copy)]
pub struct RawEntry<'a> {
    /// The name.
    pub entry_name: EntryName<'a>,
    /// Kind as the directory tells it; `Unknown` where the file system does not say.
    pub kind: Kind,
    /// Inode number as the directory tells it (a mount point shows the covered directory's).
    pub inode: u64,
}

impl<'a> RawEntry<'a> {
    /// The name's bytes.
    #[inline]
    pub fn name(&self) -> &'a [u8] {
        self.entry_name.to_bytes()
    }

    /// The name as system calls take it.
    pub fn c_name(&self) -> &'a CStr {
        self.entry_name.c_str()
    }
}

impl DirBuffer {
    /// Forgets what was read, and gives back what an exceptionally large directory took.
    pub fn clear(&mut self) {
        self.used = 0;
        if self.bytes.len() > READ_BYTES * 4 {
            *self = DirBuffer::default();
        }
    }

    /// The free tail, at least as large as any single reading needs.
    pub(crate) fn spare(&mut self) -> &mut [u8] {
        if self.bytes.is_empty() {
            // Zeroed by the system, page by page as they are used; growing would touch them all.
            self.bytes = vec![0; READ_BYTES];
        } else if self.bytes.len() - self.used < READ_BYTES / 4 {
            self.bytes.resize(self.bytes.len() * 2, 0);
        }
        &mut self.bytes[self.used..]
    }

    /// Takes the first `count` bytes of the spare tail as records.
    #[cfg(all(target_os = "linux", not(feature = "portable")))]
    pub(crate) fn advance(&mut self, count: usize) {
        self.used += count;
    }

    /// Appends one record, for whoever knows what lies in a directory without reading it, and for
    /// platforms whose system does not write this layout. Answers `false` when the name is longer
    /// than any that a system takes; nothing is appended then.
    pub fn push(&mut self, inode: u64, kind: Kind, name: &[u8]) -> bool {
        if name.len() > LONGEST_NAME {
            return false;
        }
        let length = (NAME_AT + name.len() + 1).next_multiple_of(8);
        self.spare();
        let record = &mut self.bytes[self.used..self.used + length];
        record.fill(0);
        record[..8].copy_from_slice(&inode.to_ne_bytes());
        record[16..18].copy_from_slice(&(length as u16).to_ne_bytes());
        record[18] = d_type(kind);
        record[NAME_AT..NAME_AT + name.len()].copy_from_slice(name);
        self.used += length;
        true
    }

    /// The records read so far, in the order they were read.
    #[inline]
    pub fn entries(&self) -> Entries<'_> {
        Entries {
            rest: &self.bytes[..self.used],
        }
    }
}

/// Iterator over the records of a [`DirBuffer`].
pub struct Entries<'a> {
    rest: &'a [u8],
}

impl<'a> Iterator for Entries<'a> {
    type Item = RawEntry<'a>;

    #[inline]
    fn next(&mut self) -> Option<RawEntry<'a>> {
        loop {
            let header = self.rest.first_chunk::<SHORTEST>()?;
            let length = usize::from(u16::from_ne_bytes([header[16], header[17]]));
            if length < SHORTEST {
                return None;
            }
            let (record, rest) = self.rest.split_at_checked(length)?;
            self.rest = rest;
            if is_dot_or_dot_dot(header) {
                continue;
            }
            return Some(RawEntry {
                entry_name: EntryName(name_of(record)?),
                kind: kind_of(header[18]),
                inode: u64::from_ne_bytes([
                    header[0], header[1], header[2], header[3], header[4], header[5], header[6],
                    header[7],
                ]),
            });
        }
    }
}

/// Every directory begins with these two; they are nobody's entries.
#[inline]
fn is_dot_or_dot_dot(record: &[u8; SHORTEST]) -> bool {
    record[NAME_AT] == b'.'
        && (record[NAME_AT + 1] == 0 || (record[NAME_AT + 1] == b'.' && record[NAME_AT + 2] == 0))
}

/// The name of a record, its NUL included. Records are padded to 8 bytes, so the first NUL lies in
/// the last word: one word is searched instead of the whole name.
#[inline]
fn name_of(record: &[u8]) -> Option<&[u8]> {
    let word = u64::from_le_bytes(*record.last_chunk::<8>()?);
    // The shortest names share their word with the end of the header: hide those bytes.
    let hidden = if record.len() == SHORTEST {
        0x00ff_ffff
    } else {
        0
    };
    let word = word | hidden;
    let zeros = word.wrapping_sub(0x0101_0101_0101_0101) & !word & 0x8080_8080_8080_8080;
    let end = record.len() - 8 + zeros.trailing_zeros() as usize / 8;
    record.get(NAME_AT..=end)
}

#[inline]
fn kind_of(d_type: u8) -> Kind {
    KINDS[usize::from(d_type & 15)]
}

/// Kinds by `d_type` (the upper half of a mode's file-type bits).
const KINDS: [Kind; 16] = {
    let mut kinds = [Kind::Unknown; 16];
    kinds[8] = Kind::File;
    kinds[4] = Kind::Dir;
    kinds[10] = Kind::Symlink;
    kinds[6] = Kind::BlockDevice;
    kinds[2] = Kind::CharDevice;
    kinds[1] = Kind::Fifo;
    kinds[12] = Kind::Socket;
    kinds
};

fn d_type(kind: Kind) -> u8 {
    match kind {
        Kind::File => 8,
        Kind::Dir => 4,
        Kind::Symlink => 10,
        Kind::BlockDevice => 6,
        Kind::CharDevice => 2,
        Kind::Fifo => 1,
        Kind::Socket => 12,
        Kind::Unknown => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_every_length_come_back() {
        let mut buffer = DirBuffer::default();
        let names: Vec<Vec<u8>> = (1..=255).map(|n| vec![b'a' + (n % 26) as u8; n]).collect();
        for (inode, name) in names.iter().enumerate() {
            buffer.push(inode as u64, Kind::File, name);
        }
        let read: Vec<Vec<u8>> = buffer.entries().map(|e| e.name().to_vec()).collect();
        assert_eq!(read, names);
        assert!(buffer.entries().all(|e| e.c_name().to_bytes() == e.name()));
    }

    #[test]
    fn padding_after_the_terminator_may_hold_anything() {
        for length in 1..=8 {
            let mut record = vec![0xff; (NAME_AT + length + 1).next_multiple_of(8)];
            record[NAME_AT..NAME_AT + length].fill(b'x');
            record[NAME_AT + length] = 0;
            assert_eq!(name_of(&record).map(<[u8]>::len), Some(length + 1));
        }
    }

    #[test]
    fn dots_are_left_out_and_kinds_survive() {
        let mut buffer = DirBuffer::default();
        buffer.push(1, Kind::Dir, b".");
        buffer.push(2, Kind::Dir, b"..");
        let kinds = [
            Kind::File,
            Kind::Dir,
            Kind::Symlink,
            Kind::BlockDevice,
            Kind::CharDevice,
            Kind::Fifo,
            Kind::Socket,
            Kind::Unknown,
        ];
        for kind in kinds {
            buffer.push(3, kind, b"...");
        }
        assert!(buffer.entries().map(|e| e.kind).eq(kinds));
    }

    #[test]
    fn grows_for_large_directories_and_shrinks_again() {
        let mut buffer = DirBuffer::default();
        for i in 0..100_000 {
            buffer.push(i, Kind::File, b"a name of twenty-two.b");
        }
        assert_eq!(buffer.entries().count(), 100_000);
        buffer.clear();
        assert_eq!(buffer.bytes.len(), 0);
    }
}
