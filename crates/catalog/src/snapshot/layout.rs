//! What a snapshot is made of: header, stored sections, table, sums. `docs/format.md` draws the bytes.

use crate::layout::SectionId;

/// The first eight bytes of every snapshot.
pub(super) const MAGIC: [u8; 8] = *b"groma\x1aSN";
/// The version of the form that this code writes and reads.
pub const SNAPSHOT_VERSION: u32 = 1;
/// Bytes of the header.
pub(super) const HEADER_LEN: usize = 64;
/// Bytes of one line of the table.
pub(super) const LINE_LEN: usize = 48;
/// Bytes of the SHA-256 at the end.
pub(super) const SUM_LEN: usize = 32;
/// Bytes of the table's checksum.
pub(super) const TABLE_SUM_LEN: usize = 4;

/// Set in the header where the scan was ended before it was done.
pub(super) const PARTIAL: u32 = 1;
/// Set in the header where of all times only the last change of content is kept.
pub(super) const ONLY_MODIFIED: u32 = 1 << 1;

/// Bytes of memory that a row takes at most in a snapshot with everything expanded.
const ROW_WEIGHT: u64 = 256;
/// How often bytes of names and the like are held at most: as they are, and what is derived from them.
const BYTE_WEIGHT: u64 = 4;
/// Bytes of memory that a byte of a file may ask for.
pub const EXPANSION_RATIO: u64 = 256;
/// Bytes of memory that any file may ask for.
pub(super) const ALLOWANCE: u64 = 1 << 20;

/// How the numbers of a stored section became bytes, before those were compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coding {
    /// Bytes as they are.
    Bytes,
    /// The lowest byte of every number, then the second of every number and so on.
    Planes,
    /// The same of differences from one number to the next.
    Steps,
    /// The same of differences to the number of this section in the same row.
    Against(SectionId),
    /// What each name has in common with the one before it, then what it has not.
    Front,
}

/// The sections that a snapshot holds, in the order of their numbers; all others follow from them.
pub(super) const STORED: &[(SectionId, Coding)] = &[
    (SectionId::About, Coding::Bytes),
    (SectionId::Name, Coding::Steps),
    (SectionId::Kind, Coding::Planes),
    (SectionId::Size, Coding::Planes),
    (SectionId::Modified, Coding::Planes),
    (SectionId::ModifiedNanos, Coding::Planes),
    (SectionId::Allocated, Coding::Planes),
    (SectionId::Accessed, Coding::Against(SectionId::Changed)),
    (
        SectionId::AccessedNanos,
        Coding::Against(SectionId::ChangedNanos),
    ),
    (SectionId::Changed, Coding::Steps),
    (SectionId::ChangedNanos, Coding::Planes),
    (SectionId::Created, Coding::Against(SectionId::Changed)),
    (
        SectionId::CreatedNanos,
        Coding::Against(SectionId::ChangedNanos),
    ),
    (SectionId::Inode, Coding::Steps),
    (SectionId::Links, Coding::Planes),
    (SectionId::Mode, Coding::Planes),
    (SectionId::Owner, Coding::Planes),
    (SectionId::Volume, Coding::Planes),
    (SectionId::Owners, Coding::Bytes),
    (SectionId::Volumes, Coding::Bytes),
    (SectionId::NameBytes, Coding::Front),
    (SectionId::NameCase, Coding::Bytes),
    (SectionId::OddNames, Coding::Steps),
    (SectionId::OddEnds, Coding::Steps),
    (SectionId::OddBytes, Coding::Bytes),
    (SectionId::DirChildren, Coding::Planes),
    (SectionId::DirSize, Coding::Planes),
    (SectionId::DirAllocated, Coding::Planes),
    (SectionId::DirNewest, Coding::Planes),
    (SectionId::DirNewestNanos, Coding::Planes),
];

/// The columns of times that a snapshot may go without.
pub(super) const OTHER_TIMES: [SectionId; 6] = [
    SectionId::Accessed,
    SectionId::AccessedNanos,
    SectionId::Changed,
    SectionId::ChangedNanos,
    SectionId::Created,
    SectionId::CreatedNanos,
];

/// Bytes of memory that a snapshot takes at most: `bytes` are those of its sections of bytes.
pub(super) fn weight(rows: u64, bytes: u64) -> u64 {
    let rows = rows.saturating_mul(ROW_WEIGHT);
    rows.saturating_add(bytes.saturating_mul(BYTE_WEIGHT))
}

/// Bytes of the shortest file that may ask for so much.
pub(super) fn least_length(weight: u64) -> u64 {
    weight.saturating_sub(ALLOWANCE).div_ceil(EXPANSION_RATIO)
}

impl Coding {
    /// The byte that stands for it in the table.
    pub(super) fn number(self) -> u8 {
        match self {
            Coding::Bytes => 0,
            Coding::Planes => 1,
            Coding::Steps => 2,
            Coding::Against(_) => 3,
            Coding::Front => 4,
        }
    }

    /// What two bytes of the table mean: the coding, and the number of a section where it takes one.
    pub(super) fn of(number: u8, other: u8) -> Option<Coding> {
        match (number, other) {
            (0, 0) => Some(Coding::Bytes),
            (1, 0) => Some(Coding::Planes),
            (2, 0) => Some(Coding::Steps),
            (3, other) => {
                let index = usize::from(other).checked_sub(1)?;
                SectionId::ALL.get(index).copied().map(Coding::Against)
            }
            (4, 0) => Some(Coding::Front),
            _ => None,
        }
    }

    /// The number of the section that it takes; 0 where it takes none.
    pub(super) fn other(self) -> u8 {
        match self {
            // There are fifty.
            Coding::Against(id) => id.number() as u8,
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::Encoding;

    #[test]
    fn sections_are_in_order_and_their_codings_fit() {
        assert!(STORED.windows(2).all(|pair| pair[0].0 < pair[1].0));
        for &(id, coding) in STORED {
            let bytes = id.encoding() == Encoding::Bytes
                || matches!(id, SectionId::Owners | SectionId::Volumes);
            assert_eq!(
                matches!(coding, Coding::Bytes | Coding::Front),
                bytes,
                "{id:?}"
            );
            assert_eq!(Coding::of(coding.number(), coding.other()), Some(coding));
            if let Coding::Against(base) = coding {
                let of_base = STORED.iter().find(|(id, _)| *id == base);
                assert!(matches!(of_base, Some((_, Coding::Planes | Coding::Steps))));
            }
        }
        assert_eq!(Coding::of(5, 0), None);
        assert_eq!(Coding::of(3, 51), None);
    }

    #[test]
    fn the_shortest_file_may_ask_for_its_weight() {
        for weight in [0, ALLOWANCE, ALLOWANCE + 1, 1 << 40] {
            let length = least_length(weight);
            assert!(ALLOWANCE + length * EXPANSION_RATIO >= weight);
        }
    }
}
