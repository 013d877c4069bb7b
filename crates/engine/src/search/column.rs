//! The columns of a listing: the fields of the query language that have a value.

use groma_base::{Timestamp, characters, extension, parent, stem};
use groma_catalog::{DirTotals, View};
use groma_formats::value::Value;
use groma_query::fields::Field;
use groma_query::flags::Flag;
use groma_query::groups::Categories;

use super::block::Block;
use super::owners::{NamedOwner, Owners};
use super::wants::Wants;

/// Every column, in the order of `all`.
pub const COLUMNS: &[Field] = &[
    Field::Path,
    Field::Name,
    Field::Stem,
    Field::Parent,
    Field::Ext,
    Field::Type,
    Field::Category,
    Field::Size,
    Field::Allocated,
    Field::Modified,
    Field::Created,
    Field::Accessed,
    Field::Changed,
    Field::Age,
    Field::Owner,
    Field::Group,
    Field::Uid,
    Field::Gid,
    Field::Perm,
    Field::Links,
    Field::Inode,
    Field::Depth,
    Field::Is,
    Field::Items,
    Field::Files,
    Field::Dirs,
    Field::TreeItems,
    Field::TreeSize,
    Field::TreeAllocated,
    Field::NameLength,
    Field::PathLength,
    Field::Bulkiness,
    Field::Root,
    Field::Volume,
    Field::Dupe,
    Field::Empty,
    Field::Broken,
    Field::Hidden,
    Field::Executable,
];

/// Whether a field has a value that can be listed.
pub fn is_column(field: Field) -> bool {
    COLUMNS.contains(&field)
}

/// The name of a column: the field's, or what `find --json` calls it.
pub fn column_name(field: Field) -> &'static str {
    match field {
        Field::Type => "kind",
        Field::Perm => "mode",
        Field::Owner => "user",
        field => field.info().name,
    }
}

/// What must be read for a column.
pub(crate) fn wants(field: Field) -> Wants {
    match field {
        Field::Name | Field::Stem | Field::Ext | Field::Category | Field::NameLength => Wants::NAME,
        Field::Path | Field::Parent | Field::PathLength | Field::Depth => Wants::PATH,
        Field::Size => Wants::SIZE,
        Field::Allocated => Wants::ALLOCATED,
        Field::Bulkiness => Wants::SIZE.and(Wants::ALLOCATED),
        Field::Modified | Field::Age => Wants::MODIFIED,
        Field::Created => Wants::CREATED,
        Field::Accessed => Wants::ACCESSED,
        Field::Changed => Wants::CHANGED,
        Field::Owner | Field::Group | Field::Uid | Field::Gid => Wants::OWNER,
        Field::Perm => Wants::MODE,
        Field::Links => Wants::LINKS,
        Field::Inode => Wants::INODE,
        Field::Items | Field::Files | Field::Dirs => Wants::COUNTS,
        Field::TreeItems | Field::TreeSize | Field::TreeAllocated => Wants::TOTALS,
        Field::Volume => Wants::VOLUME_NAME,
        Field::Is
        | Field::Dupe
        | Field::Empty
        | Field::Broken
        | Field::Hidden
        | Field::Executable => Wants::FLAGS,
        _ => Wants::NONE,
    }
}

/// What decides about values besides the row itself.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    pub(crate) now: Timestamp,
    /// The categories of files.
    pub(crate) categories: Categories,
}

/// One row.
#[derive(Clone, Copy)]
pub(crate) struct Row<'a> {
    pub(crate) view: &'a View,
    pub(crate) block: &'a Block,
    pub(crate) owners: &'a Owners,
    pub(crate) frame: &'a Frame,
    pub(crate) at: usize,
    /// Empty unless it was wanted.
    pub(crate) path: &'a [u8],
    pub(crate) depth: u32,
}

impl<'a> Row<'a> {
    /// What stands in a column.
    #[inline]
    pub(crate) fn value(self, field: Field) -> Value<'a> {
        let Row { block, at, .. } = self;
        match field {
            Field::Path => Value::Bytes(self.path),
            Field::Name => Value::Bytes(block.name(at)),
            Field::Type => Value::Word(block.kinds[at].kind().word()),
            Field::Size => self.known(|| Value::Size(block.sizes[at])),
            Field::Allocated => self.known(|| Value::Size(block.allocated[at])),
            Field::Modified => self.known(|| Value::Time(block.modified[at])),
            Field::Accessed => self.known(|| Value::Time(block.accessed[at])),
            Field::Changed => self.known(|| Value::Time(block.changed[at])),
            Field::Created => block.created(at).map_or(Value::Absent, Value::Time),
            Field::Perm => self.known(|| Value::Mode(block.modes[at] as u32)),
            Field::Links => self.known(|| Value::Number(block.links[at])),
            Field::Inode => self.known(|| Value::Number(block.inodes[at])),
            Field::Owner | Field::Group | Field::Uid | Field::Gid => self.owner_value(field),
            Field::Stem => Value::Bytes(stem(block.name(at))),
            Field::Ext => extension(block.name(at)).map_or(Value::Absent, Value::Bytes),
            Field::Parent => Value::Bytes(parent(self.path)),
            Field::Depth => Value::Number(u64::from(self.depth)),
            Field::Root => Value::Bytes(self.view.root()),
            field => self.worked_out(field),
        }
    }

    #[inline]
    fn known(self, value: impl FnOnce() -> Value<'a>) -> Value<'a> {
        if self.block.is_known(self.at) {
            value()
        } else {
            Value::Absent
        }
    }

    /// The owner of the row, where it is known.
    pub(crate) fn owner(self) -> Option<&'a NamedOwner> {
        let number = self.block.owners.get(self.at).copied()?;
        self.owners
            .get(number)
            .filter(|_| self.block.is_known(self.at))
    }

    /// By name, where it has one; by number otherwise.
    fn owner_value(self, field: Field) -> Value<'a> {
        let Some(named) = self.owner() else {
            return Value::Absent;
        };
        let (name, number) = match field {
            Field::Owner => (&named.user, named.owner.uid),
            Field::Group => (&named.group, named.owner.gid),
            Field::Uid => (&None, named.owner.uid),
            _ => (&None, named.owner.gid),
        };
        match name {
            Some(name) => Value::Bytes(name.as_bytes()),
            None => Value::Number(u64::from(number)),
        }
    }

    /// Columns that few listings have.
    fn worked_out(self, field: Field) -> Value<'a> {
        let Row { block, at, .. } = self;
        let flag = |flag| block.flag(at, flag).map_or(Value::Absent, Value::Is);
        let counts = || block.counts.get(at).copied().flatten();
        let totals = |look: fn(&DirTotals) -> Value<'a>| {
            let totals = block.totals.get(at).and_then(Option::as_ref);
            totals.map_or(Value::Absent, look)
        };
        let number = |number: Option<u64>| number.map_or(Value::Absent, Value::Number);
        match field {
            Field::Category => self.category(),
            Field::Age => self.known(|| self.age()),
            Field::Is => Value::Words(block.words(at)),
            Field::Items => number(counts().map(|(files, dirs)| files.saturating_add(dirs))),
            Field::Files => number(counts().map(|(files, _)| files)),
            Field::Dirs => number(counts().map(|(_, dirs)| dirs)),
            Field::TreeItems => totals(|t| Value::Number(u64::from(t.entries))),
            Field::TreeSize => totals(|t| Value::Size(t.below.size)),
            Field::TreeAllocated => totals(|t| Value::Size(t.below.allocated)),
            Field::NameLength => Value::Number(characters(block.name(at))),
            Field::PathLength => Value::Number(characters(self.path)),
            Field::Bulkiness => self.known(|| self.bulkiness()),
            Field::Volume => match block.volume(at) {
                [] => Value::Absent,
                words => Value::Bytes(words),
            },
            Field::Dupe => flag(Flag::Dupe),
            Field::Empty => flag(Flag::Empty),
            Field::Broken => flag(Flag::Broken),
            Field::Hidden => flag(Flag::Hidden),
            Field::Executable => flag(Flag::Executable),
            _ => Value::Absent,
        }
    }

    fn bulkiness(self) -> Value<'a> {
        match self.block.sizes[self.at] {
            0 => Value::Absent,
            size => Value::Ratio(self.block.allocated[self.at] as f64 / size as f64),
        }
    }

    /// Whole seconds; none for what will change in the future.
    fn age(self) -> Value<'a> {
        let seconds = self.frame.now.seconds;
        let age = seconds.saturating_sub(self.block.modified[self.at].seconds);
        Value::Number(u64::try_from(age).unwrap_or(0))
    }

    fn category(self) -> Value<'a> {
        let kind = self.block.kinds[self.at].kind();
        if kind != groma_base::Kind::File {
            return Value::Absent;
        }
        let extension = extension(self.block.name(self.at)).unwrap_or_default();
        let categories = &self.frame.categories;
        Value::Bytes(categories.name(categories.of(extension)).as_bytes())
    }
}
