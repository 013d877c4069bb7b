//! Kind and flags of an entry as one number of 16 bits.

use groma_base::{Excluded, Kind};

/// Low bits that hold the kind.
const KIND_BITS: u16 = 0b1111;
/// Kinds by their code.
const KINDS: [Kind; 8] = [
    Kind::Unknown,
    Kind::File,
    Kind::Dir,
    Kind::Symlink,
    Kind::BlockDevice,
    Kind::CharDevice,
    Kind::Fifo,
    Kind::Socket,
];

/// Kind and flags of one row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KindFlags(pub(crate) u16);

impl KindFlags {
    /// A stat call failed: sizes, times and the like are not known.
    pub const NO_METADATA: KindFlags = KindFlags(1 << 4);
    /// The content of the directory could not be read, or not all of it.
    pub const UNREAD: KindFlags = KindFlags(1 << 5);
    /// Access control lists are attached.
    pub const ACL: KindFlags = KindFlags(1 << 6);
    /// Another file system is mounted here.
    pub const MOUNT: KindFlags = KindFlags(1 << 7);
    /// The birth time is known.
    pub const HAS_CREATED: KindFlags = KindFlags(1 << 8);
    /// The node has several entries here.
    pub const LINKED: KindFlags = KindFlags(1 << 9);
    /// The node's sizes are counted at another of its entries, whose path is smaller.
    pub const COUNTED_ELSEWHERE: KindFlags = KindFlags(1 << 10);
    /// A symbolic link that leads nowhere.
    pub const BROKEN: KindFlags = KindFlags(1 << 11);
    /// It was left out: nothing is known but that it is there.
    pub const EXCLUDED: KindFlags = KindFlags(1 << 12);
    const ALL: u16 = 0b1_1111_1111 << 4;
    /// Two bits that say why; zeros unless it was left out.
    const REASON_SHIFT: u32 = 13;
    const REASON: u16 = 0b11 << KindFlags::REASON_SHIFT;

    /// A kind without flags.
    pub(crate) fn of(kind: Kind) -> KindFlags {
        let code = KINDS.iter().position(|&k| k == kind).unwrap_or(0);
        // There are eight kinds.
        KindFlags(code as u16)
    }

    /// What a stored number means; `None` when it means nothing.
    pub fn from_number(number: u16) -> Option<KindFlags> {
        let is_excluded = number & KindFlags::EXCLUDED.0 != 0;
        let reason = if is_excluded { KindFlags::REASON } else { 0 };
        let known = number & !(KIND_BITS | KindFlags::ALL | reason) == 0;
        (known && usize::from(number & KIND_BITS) < KINDS.len()).then_some(KindFlags(number))
    }

    /// The number that is stored. The numbers of several rows, each bit of any of them set, mean
    /// something if each of them does.
    #[inline]
    pub fn number(self) -> u16 {
        self.0
    }

    /// The kind.
    pub fn kind(self) -> Kind {
        let code = usize::from(self.0 & KIND_BITS);
        KINDS.get(code).copied().unwrap_or(Kind::Unknown)
    }

    /// Why it was left out; `None` where it was not.
    pub fn excluded(self) -> Option<Excluded> {
        let reason = usize::from((self.0 & KindFlags::REASON) >> KindFlags::REASON_SHIFT);
        let reason = Excluded::ALL.get(reason).copied();
        reason.filter(|_| self.has(KindFlags::EXCLUDED))
    }

    /// The same of an entry that was left out, where a reason is given.
    pub(crate) fn with_excluded(self, excluded: Option<Excluded>) -> KindFlags {
        let code = Excluded::ALL.iter().position(|&e| Some(e) == excluded);
        match code {
            // There are four.
            Some(code) => {
                KindFlags(self.0 | KindFlags::EXCLUDED.0 | (code as u16) << KindFlags::REASON_SHIFT)
            }
            None => self,
        }
    }

    /// Whether this is a directory.
    pub fn is_dir(self) -> bool {
        self.kind() == Kind::Dir
    }

    /// Whether all of `flags` are set.
    pub fn has(self, flags: KindFlags) -> bool {
        let flags = flags.0 & KindFlags::ALL;
        self.0 & flags == flags
    }

    /// The same with these flags set or not.
    pub(crate) fn set(self, flags: KindFlags, to: bool) -> KindFlags {
        KindFlags(self.0 & !flags.0).with(flags, to)
    }

    /// The same with more flags, where `when` holds.
    pub(crate) fn with(self, flags: KindFlags, when: bool) -> KindFlags {
        KindFlags(if when { self.0 | flags.0 } else { self.0 })
    }
}

/// The type bits of a Unix mode (`S_IFMT`) that stand for a kind.
pub(crate) fn type_bits(kind: Kind) -> u32 {
    match kind {
        Kind::File => 0o100_000,
        Kind::Dir => 0o040_000,
        Kind::Symlink => 0o120_000,
        Kind::BlockDevice => 0o060_000,
        Kind::CharDevice => 0o020_000,
        Kind::Fifo => 0o010_000,
        Kind::Socket => 0o140_000,
        Kind::Unknown => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_go_there_and_back() {
        for kind in KINDS {
            let flags = KindFlags::of(kind).with(KindFlags::UNREAD, true);
            assert_eq!(flags.kind(), kind);
            assert_eq!(Kind::from_mode(type_bits(kind)), kind);
            assert!(flags.has(KindFlags::UNREAD) && !flags.has(KindFlags::ACL));
            assert_eq!(KindFlags::from_number(flags.0), Some(flags));
        }
        assert_eq!(KindFlags::from_number(8), None);
        let all = KINDS.map(|kind| KindFlags::of(kind).number());
        let together = all.into_iter().fold(0, |all, number| all | number);
        assert!(KindFlags::from_number(together).is_some());
        assert_eq!(KindFlags::from_number(1 << 13), None);
        assert_eq!(KindFlags::from_number(1 << 15), None);
        for excluded in Excluded::ALL.map(Some).into_iter().chain([None]) {
            let flags = KindFlags::of(Kind::File).with_excluded(excluded);
            assert_eq!(flags.excluded(), excluded);
            assert_eq!(KindFlags::from_number(flags.number()), Some(flags));
        }
    }
}
