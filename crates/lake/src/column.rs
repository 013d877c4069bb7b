//! The columns that entries of a view have.

use crate::spec::{Form, Spec};

/// A column of entries.
///
/// Some have a second one beside them: [`Form::Text`] the bytes of what is no text, [`Form::Time`]
/// what is left of nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Column {
    /// Absolute path as text; beside it `path_raw`, its bytes where they are no UTF-8.
    Path,
    /// Name as text, of a root the last part of its path; beside it `name_raw`.
    Name,
    /// Bytes after the last dot of the name, folded, as text; empty where there are none.
    Extension,
    /// `file`, `dir`, `symlink` ...
    Kind,
    /// Apparent size, bytes.
    Size,
    /// Allocated size, bytes.
    Allocated,
    /// Last change of content; beside it `modified_nanos`.
    Modified,
    /// Last access; beside it `accessed_nanos`.
    Accessed,
    /// Last change of the node; beside it `changed_nanos`.
    Changed,
    /// Birth, where it is known; beside it `created_nanos`.
    Created,
    /// Inode number.
    Inode,
    /// Number of hard links.
    Links,
    /// Permissions: the lower 12 bits of the mode.
    Mode,
    /// Owning user.
    Uid,
    /// Owning group.
    Gid,
    /// Distance from the root.
    Depth,
}

impl Column {
    /// All columns, in the order in which they are usually shown.
    pub const ALL: [Column; 16] = [
        Column::Path,
        Column::Name,
        Column::Extension,
        Column::Kind,
        Column::Size,
        Column::Allocated,
        Column::Modified,
        Column::Accessed,
        Column::Changed,
        Column::Created,
        Column::Inode,
        Column::Links,
        Column::Mode,
        Column::Uid,
        Column::Gid,
        Column::Depth,
    ];

    /// Its name in the file.
    pub fn word(self) -> &'static str {
        match self {
            Column::Path => "path",
            Column::Name => "name",
            Column::Extension => "extension",
            Column::Kind => "kind",
            Column::Size => "size",
            Column::Allocated => "allocated",
            Column::Modified => "modified",
            Column::Accessed => "accessed",
            Column::Changed => "changed",
            Column::Created => "created",
            Column::Inode => "inode",
            Column::Links => "links",
            Column::Mode => "mode",
            Column::Uid => "uid",
            Column::Gid => "gid",
            Column::Depth => "depth",
        }
    }

    /// Its name, and what its values are.
    pub fn spec(self) -> Spec {
        let form = match self {
            Column::Path | Column::Name => Form::Text,
            Column::Extension | Column::Kind => Form::Word,
            Column::Modified | Column::Accessed | Column::Changed | Column::Created => Form::Time,
            Column::Inode => Form::Unsigned,
            // A file system may count more links than 32 bits hold.
            Column::Size | Column::Allocated | Column::Links => Form::Long,
            Column::Mode | Column::Uid | Column::Gid | Column::Depth => Form::Int,
        };
        Spec {
            name: self.word().to_owned(),
            form,
        }
    }

    /// The column with this name.
    pub fn from_word(word: &str) -> Option<Column> {
        Column::ALL.into_iter().find(|column| column.word() == word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_there_and_back() {
        for column in Column::ALL {
            assert_eq!(Column::from_word(column.word()), Some(column));
        }
        assert_eq!(Column::from_word("shoe-size"), None);
    }
}
