//! What a segment is made of: magic, version, sections. `docs/format.md` draws the bytes.

/// The first eight bytes of every segment.
pub(crate) const MAGIC: [u8; 8] = *b"groma\x1aSG";
/// The version of the format that this code writes and reads.
pub const FORMAT_VERSION: u32 = 1;
/// Bytes of the header before the section table.
pub(crate) const HEADER_LEN: usize = 64;
/// Bytes of one line of the section table.
pub(crate) const TABLE_LINE_LEN: usize = 32;
/// Every section begins at a multiple of this.
pub(crate) const ALIGNMENT: u64 = 64;
/// Rows whose sizes and times share one minimum and maximum.
pub const ROWS_PER_BLOCK: u32 = 4096;
/// Most rows of one segment: the upper half of 32 bits marks names that have several rows.
pub const MAX_ROWS: u32 = (1 << 31) - 1;
/// What the column of extensions holds where the number of the extension takes more than 16 bits.
pub(crate) const EXTENSION_OVERFLOW: u16 = u16::MAX;
/// Set in the postings of a name that does not have exactly one row.
pub(crate) const SHARED_NAME: u32 = 1 << 31;

/// How the elements of a section are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// Each element takes this many bytes.
    Plain(u64),
    /// Blocks of 128 elements, bit-packed.
    Packed,
    /// Bytes whose number no other number determines.
    Bytes,
}

/// How many elements a section has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Count {
    /// One per row.
    Rows,
    /// One per block of [`ROWS_PER_BLOCK`] rows.
    Blocks,
    /// One per distinct name.
    Names,
    /// One more than distinct names.
    NameEnds,
    /// As many as the section with this id has.
    Same(SectionId),
    /// As many as its line of the table says.
    Free,
}

macro_rules! sections {
    ($($(#[doc = $doc:literal])* $id:literal $name:ident $word:literal $encoding:expr, $count:expr;)*) => {
        /// The sections of a segment, in the order in which they lie in the file.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum SectionId {
            $($(#[doc = $doc])* $name = $id,)*
        }

        impl SectionId {
            /// All of them, in order.
            pub const ALL: &[SectionId] = &[$(SectionId::$name,)*];

            /// The number that the section table holds.
            pub fn number(self) -> u32 {
                match self { $(SectionId::$name => $id,)* }
            }

            /// The name by which errors and documents call it.
            pub fn word(self) -> &'static str {
                match self { $(SectionId::$name => $word,)* }
            }

            pub(crate) fn encoding(self) -> Encoding {
                use Encoding::*;
                match self { $(SectionId::$name => $encoding,)* }
            }

            pub(crate) fn count_rule(self) -> Count {
                use Count::*;
                match self { $(SectionId::$name => $count,)* }
            }
        }
    };
}

sections! {
    /// Root path and the time of the scan.
    1 About "about" Bytes, Free;
    /// Per row: the row of the directory it lies in.
    2 Parent "parent" Plain(4), Rows;
    /// Per row: number of the name.
    3 Name "name" Plain(4), Rows;
    /// Per row: kind and flags.
    4 Kind "kind" Plain(2), Rows;
    /// Per row: number of the extension, or the mark of an overflow.
    5 Extension "extension" Plain(2), Rows;
    /// Per row: apparent size, bytes.
    6 Size "size" Plain(8), Rows;
    /// Per row: last change of content, seconds.
    7 Modified "modified" Plain(8), Rows;
    /// Per row: nanoseconds of the same.
    8 ModifiedNanos "modified-nanos" Packed, Rows;
    /// Per row: allocated size, as a difference.
    9 Allocated "allocated" Packed, Rows;
    /// Per row: last access, seconds.
    10 Accessed "accessed" Packed, Rows;
    /// Per row: nanoseconds of the same.
    11 AccessedNanos "accessed-nanos" Packed, Rows;
    /// Per row: last change of the node, seconds.
    12 Changed "changed" Packed, Rows;
    /// Per row: nanoseconds of the same.
    13 ChangedNanos "changed-nanos" Packed, Rows;
    /// Per row: birth, seconds.
    14 Created "created" Packed, Rows;
    /// Per row: nanoseconds of the same.
    15 CreatedNanos "created-nanos" Packed, Rows;
    /// Per row: inode number.
    16 Inode "inode" Packed, Rows;
    /// Per row: number of hard links.
    17 Links "links" Packed, Rows;
    /// Per row: permission bits.
    18 Mode "mode" Packed, Rows;
    /// Per row: number of the owner.
    19 Owner "owner" Packed, Rows;
    /// Per row: number of the file system.
    20 Volume "volume" Packed, Rows;
    /// Owners: user and group.
    21 Owners "owners" Plain(8), Free;
    /// File systems: device number, subvolume, UUID, type.
    22 Volumes "volumes" Plain(48), Free;
    /// Folded names, each ended by NUL.
    23 NameBytes "name-bytes" Bytes, Free;
    /// Where each folded name begins.
    24 NameStarts "name-starts" Packed, NameEnds;
    /// One bit per byte of the folded names: upper case in the raw name.
    25 NameCase "name-case" Bytes, Free;
    /// Names whose raw form is not told by case bits.
    26 OddNames "odd-names" Plain(4), Free;
    /// Where each of their raw forms ends.
    27 OddEnds "odd-ends" Packed, Same(SectionId::OddNames);
    /// Their raw forms.
    28 OddBytes "odd-bytes" Bytes, Free;
    /// Per name: its row, or the number of its list of rows.
    29 NameRows "name-rows" Plain(4), Names;
    /// Where each list of rows ends.
    30 SharedEnds "shared-ends" Packed, Free;
    /// The lists of rows.
    31 SharedRows "shared-rows" Packed, Free;
    /// Distinct folded extensions, one after another.
    32 ExtensionBytes "extension-bytes" Bytes, Free;
    /// Where each of them ends.
    33 ExtensionEnds "extension-ends" Packed, Free;
    /// Rows whose extension's number takes more than 16 bits.
    34 OverflowRows "overflow-rows" Plain(4), Free;
    /// The numbers of their extensions.
    35 OverflowExtensions "overflow-extensions" Plain(4), Same(SectionId::OverflowRows);
    /// Per extension: where its list of rows ends.
    36 ExtensionRowEnds "extension-row-ends" Packed, Same(SectionId::ExtensionEnds);
    /// The lists of rows.
    37 ExtensionRows "extension-rows" Packed, Rows;
    /// The rows that are directories.
    38 Dirs "dirs" Packed, Free;
    /// Per directory: the row after the last one below it.
    39 DirEnd "dir-end" Packed, Same(SectionId::Dirs);
    /// Per directory: entries directly in it.
    40 DirChildren "dir-children" Packed, Same(SectionId::Dirs);
    /// Per directory: bytes of all below it, hard links once.
    41 DirSize "dir-size" Packed, Same(SectionId::Dirs);
    /// Per directory: bytes on disk of all below it, hard links once.
    42 DirAllocated "dir-allocated" Packed, Same(SectionId::Dirs);
    /// Per directory: newest change of content below it, seconds.
    43 DirNewest "dir-newest" Packed, Same(SectionId::Dirs);
    /// Per directory: nanoseconds of the same.
    44 DirNewestNanos "dir-newest-nanos" Packed, Same(SectionId::Dirs);
    /// Rows of nodes that have several entries here, node by node.
    45 LinkRows "link-rows" Plain(4), Free;
    /// Where each node's rows end.
    46 LinkEnds "link-ends" Packed, Free;
    /// The same rows, ascending.
    47 LinkedRows "linked-rows" Plain(4), Same(SectionId::LinkRows);
    /// The number of the node of each of these.
    48 LinkedNodes "linked-nodes" Plain(4), Same(SectionId::LinkRows);
    /// Smallest and largest size of each block of rows.
    49 SizeBlocks "size-blocks" Plain(16), Blocks;
    /// Earliest and latest change of content of each block of rows.
    50 ModifiedBlocks "modified-blocks" Plain(16), Blocks;
}

impl SectionId {
    /// Its place in the section table, from 0.
    pub(crate) fn index(self) -> usize {
        self.number() as usize - 1
    }
}

/// Where the first section begins: after header and section table.
pub(crate) fn data_start() -> u64 {
    let table = TABLE_LINE_LEN * SectionId::ALL.len();
    align((HEADER_LEN + table) as u64)
}

/// The next multiple of [`ALIGNMENT`]. The callers' offsets are far below 2^63.
pub(crate) fn align(offset: u64) -> u64 {
    offset.next_multiple_of(ALIGNMENT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_places() {
        for (place, id) in SectionId::ALL.iter().enumerate() {
            assert_eq!(id.index(), place);
        }
        assert_eq!(data_start() % ALIGNMENT, 0);
    }
}
