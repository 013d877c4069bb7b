//! The fields of the language. One row per field gives its names, its values, its help.

use crate::syntax::Op;

/// What a query can ask of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the table below says what each is")]
pub enum Field {
    Name,
    Stem,
    Path,
    Parent,
    Under,
    Ext,
    Type,
    Category,
    Size,
    Allocated,
    Modified,
    Created,
    Accessed,
    Changed,
    Age,
    Owner,
    Group,
    Uid,
    Gid,
    Perm,
    Links,
    Inode,
    Depth,
    Is,
    Items,
    Files,
    Dirs,
    TreeItems,
    TreeSize,
    TreeAllocated,
    NameLength,
    PathLength,
    Bulkiness,
    Root,
    Volume,
    Stream,
    Dupe,
    Empty,
    Broken,
    Hidden,
    Executable,
    Missing,
}

/// What values a field takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ValueKind {
    /// Text, patterns.
    Text,
    /// Text that may be a path: a leading `/` opens no regex.
    PathText,
    /// A directory.
    Directory,
    /// Extensions and names of groups of them.
    Extension,
    /// Kinds of entries.
    Kind,
    /// Groups of extensions.
    Category,
    /// Bytes.
    Size,
    /// Whole numbers.
    Count,
    /// Numbers with decimals.
    Ratio,
    /// Points, periods and ranges of time.
    Time,
    /// Durations.
    Age,
    /// A user, by name or number.
    User,
    /// A group of users, by name or number.
    UserGroup,
    /// Permission bits.
    Permission,
    /// Flags.
    Flags,
    /// Yes or no.
    Bool,
    /// Names of fields.
    Field,
}

impl ValueKind {
    /// The operators that make sense.
    pub fn operators(self) -> &'static [Op] {
        use Op::{Contains, Ends, Eq, Ge, Gt, Has, In, Le, Lt, Matches, Ne, Starts};
        match self {
            ValueKind::Text | ValueKind::PathText | ValueKind::Extension => {
                &[Has, Eq, Ne, In, Matches, Contains, Starts, Ends]
            }
            ValueKind::Size | ValueKind::Count | ValueKind::Ratio | ValueKind::Time => {
                &[Has, Eq, Ne, In, Gt, Ge, Lt, Le]
            }
            ValueKind::Age => &[Has, In, Gt, Ge, Lt, Le],
            ValueKind::Directory
            | ValueKind::Kind
            | ValueKind::Category
            | ValueKind::User
            | ValueKind::UserGroup
            | ValueKind::Permission
            | ValueKind::Flags
            | ValueKind::Field => &[Has, Eq, Ne, In],
            ValueKind::Bool => &[Has, Eq, Ne],
        }
    }

    /// Whether a value that begins with `/` may be a regex.
    pub(crate) fn takes_regex_literal(self) -> bool {
        matches!(self, ValueKind::Text | ValueKind::Extension)
    }
}

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct FieldInfo {
    /// The field.
    pub field: Field,
    /// Its name.
    pub name: &'static str,
    /// Other names.
    pub aliases: &'static [&'static str],
    /// What it is compared with.
    pub values: ValueKind,
    /// Whether only a catalog can answer, not a live entry.
    pub catalog_only: bool,
    /// What it is, in one line.
    pub help: &'static str,
    /// How it is used.
    pub example: &'static str,
}

impl Field {
    /// Its row.
    pub fn info(self) -> &'static FieldInfo {
        // A test holds that every field has a row; the first one is never reached for another.
        FIELDS
            .iter()
            .find(|row| row.field == self)
            .unwrap_or(&FIELDS[0])
    }
}

/// The field of a name or alias, whatever its case, `_` for `-` if need be.
pub fn lookup(word: &str) -> Option<&'static FieldInfo> {
    let matches = |name: &str| same_word(name, word);
    FIELDS
        .iter()
        .find(|row| matches(row.name) || row.aliases.iter().any(|a| matches(a)))
}

/// Whether a word is this name.
pub(crate) fn same_word(name: &str, word: &str) -> bool {
    name.len() == word.len()
        && name
            .bytes()
            .zip(word.bytes())
            .all(|(a, b)| a == b.to_ascii_lowercase() || (a == b'-' && b == b'_'))
}

const fn row(
    field: Field,
    name: &'static str,
    aliases: &'static [&'static str],
    values: ValueKind,
    help: &'static str,
    example: &'static str,
) -> FieldInfo {
    FieldInfo {
        field,
        name,
        aliases,
        values,
        catalog_only: false,
        help,
        example,
    }
}

const fn catalog(row: FieldInfo) -> FieldInfo {
    FieldInfo {
        catalog_only: true,
        ..row
    }
}

use ValueKind as V;

/// Every field.
#[rustfmt::skip]
pub static FIELDS: &[FieldInfo] = &[
    row(Field::Name, "name", &["filename", "basename"], V::Text, "the name, last part of the path", "name:report"),
    row(Field::Stem, "stem", &[], V::Text, "the name without its extension", "stem=report"),
    row(Field::Path, "path", &["fullpath"], V::PathText, "the absolute path", "path:src/main"),
    row(Field::Parent, "parent", &["folder-name"], V::PathText, "the directory it lies in: its path or the last parts of it", "parent:src"),
    row(Field::Under, "under", &["in-dir", "below"], V::Directory, "a directory that it lies below, at any depth", "under:/home/me/work"),
    row(Field::Ext, "ext", &["extension"], V::Extension, "the extension, or a named group of extensions", "ext:jpg;png"),
    row(Field::Type, "type", &["kind"], V::Kind, "what it is: file, dir, symlink, fifo, socket, block-device, char-device", "type:symlink"),
    row(Field::Category, "category", &["cat"], V::Category, "a file in one of the named groups of extensions, or other", "category:pictures"),
    row(Field::Size, "size", &["bytes"], V::Size, "apparent size: bytes that a reader sees", "size>1mb"),
    row(Field::Allocated, "allocated", &["alloc", "size-on-disk", "disk-size"], V::Size, "bytes taken on disk", "allocated>=1gib"),
    row(Field::Modified, "modified", &["mtime", "dm", "date-modified"], V::Time, "last change of content", "modified:7d"),
    row(Field::Created, "created", &["birth", "dc", "date-created", "btime"], V::Time, "birth", "created:2025-06"),
    row(Field::Accessed, "accessed", &["da", "atime", "date-accessed"], V::Time, "last access", "accessed<2024"),
    row(Field::Changed, "changed", &["ctime", "status-changed"], V::Time, "last change of the node: content, owner, mode, links", "changed:today"),
    row(Field::Age, "age", &[], V::Age, "time since the last change of content", "age>1y"),
    row(Field::Owner, "owner", &["user"], V::User, "owning user, by name or number", "owner:root"),
    row(Field::Group, "group", &[], V::UserGroup, "owning group, by name or number", "group:0"),
    row(Field::Uid, "uid", &[], V::Count, "number of the owning user", "uid:1000..1999"),
    row(Field::Gid, "gid", &[], V::Count, "number of the owning group", "gid=100"),
    row(Field::Perm, "perm", &["mode", "permissions"], V::Permission, "permission bits: 644 exactly, -022 all of these, /022 any of these", "perm:/o+w"),
    row(Field::Links, "links", &["nlink", "hardlinks"], V::Count, "number of hard links", "links>1"),
    row(Field::Inode, "inode", &["ino", "inum"], V::Count, "inode number", "inode=1234"),
    row(Field::Depth, "depth", &["level"], V::Count, "distance from the root; directly in it is 1", "depth<=2"),
    row(Field::Is, "is", &["flag", "attr", "attrib", "attributes", "flags"], V::Flags, "flags, listed below", "is:hidden"),
    row(Field::Items, "items", &["childcount", "child-count"], V::Count, "entries directly in a directory", "items>1000"),
    row(Field::Files, "files", &["childfilecount", "file-count"], V::Count, "entries directly in a directory that are no directories", "files=0"),
    row(Field::Dirs, "dirs", &["childfoldercount", "folders", "dir-count"], V::Count, "directories directly in a directory", "dirs:1.."),
    catalog(row(Field::TreeItems, "tree-items", &["descendants"], V::Count, "entries in a directory's whole subtree", "tree-items>10000")),
    catalog(row(Field::TreeSize, "tree-size", &["treesize"], V::Size, "apparent size of a directory's whole subtree", "tree-size>10gb")),
    catalog(row(Field::TreeAllocated, "tree-allocated", &["treealloc", "tree-alloc"], V::Size, "bytes that a directory's whole subtree takes on disk", "tree-allocated>10gb")),
    row(Field::NameLength, "name-length", &["namelen", "len"], V::Count, "characters in the name", "name-length>100"),
    row(Field::PathLength, "path-length", &["pathlen"], V::Count, "characters in the absolute path", "path-length>255"),
    row(Field::Bulkiness, "bulkiness", &["bulk"], V::Ratio, "bytes on disk for each byte of size; empty files have none", "bulkiness>2"),
    row(Field::Root, "root", &[], V::PathText, "the root it was found under", "root:backup"),
    catalog(row(Field::Volume, "volume", &["vol"], V::Text, "the file system it lies on", "volume:data")),
    catalog(row(Field::Stream, "stream", &["ads"], V::Text, "the name of an alternate data stream", "stream:Zone.Identifier")),
    catalog(row(Field::Dupe, "dupe", &["duplicate"], V::Bool, "whether another entry has the same name", "dupe:")),
    row(Field::Empty, "empty", &[], V::Bool, "a file without bytes, a directory without entries", "empty:"),
    row(Field::Broken, "broken", &["dangling"], V::Bool, "a symbolic link that leads nowhere", "broken:yes"),
    row(Field::Hidden, "hidden", &[], V::Bool, "a name that begins with a dot", "hidden:no"),
    row(Field::Executable, "executable", &["exec"], V::Bool, "a file that this process may run", "executable:"),
    row(Field::Missing, "missing", &["without", "unknown"], V::Field, "a field that it has not, or a field or flag of which nothing is known", "missing:created"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_one_field() {
        for row in FIELDS {
            assert_eq!(row.field.info().name, row.name);
            for name in row.aliases.iter().chain([&row.name]) {
                assert_eq!(lookup(name).map(|r| r.field), Some(row.field), "{name}");
                let loud = name.to_uppercase().replace('-', "_");
                assert_eq!(lookup(&loud).map(|r| r.field), Some(row.field), "{loud}");
            }
        }
        assert!(lookup("nonsense").is_none());
    }
}
