//! What entries can be grouped by, and how a bucket is named and asked for.

use std::sync::Arc;

use groma_base::Kind;
use groma_base::time::{Calendar, Period, TimeZone};
use groma_query::bind::Context;
use groma_query::bound::{NumberField, TimeField};
use groma_query::fields::{Field, lookup};
use groma_query::flags::{self, FLAGS, Flag};
use groma_query::groups::{Categories, extensions};
use groma_query::syntax::{Node, nearest};

use super::ages::Ages;
use super::bulk::Bulk;
use super::classes::Classes;
use super::error::PlanError;
use super::key::Key;
use super::metric::Metric;
use super::nodes;
use super::ranges::Ranges;

/// The fields to group by, with what each tells apart.
pub const GROUPINGS: [(&str, &str); 43] = [
    ("ext", "extension"),
    ("category", "group of extensions, of files"),
    ("type", "kind of entry"),
    ("owner", "owning user"),
    ("group", "owning group"),
    ("uid", "number of the owning user"),
    ("gid", "number of the owning group"),
    ("root", "root of the catalog"),
    ("volume", "file system"),
    (
        "dir",
        "folder that it lies below, one level below the root; dir:2 two levels",
    ),
    ("parent", "folder that it lies in"),
    ("name", "name"),
    ("stem", "name without its extension"),
    ("depth", "distance from the root"),
    ("year", "year of the last change of content"),
    ("month", "month of the last change of content"),
    ("week", "week of the last change of content"),
    ("day", "day of the last change of content"),
    (
        "modified",
        "modified:year, modified:month, modified:week, modified:day",
    ),
    ("created", "as modified, by birth"),
    ("accessed", "as modified, by last access"),
    ("changed", "as modified, by last change of the node"),
    (
        "age",
        "time since the last change of content; age:day, age:month ...",
    ),
    (
        "size",
        "class of size; size:10 and size:2 for powers, size:1mb for equal widths",
    ),
    ("allocated", "class of size on disk, as size"),
    (
        "bulkiness",
        "class of bytes on disk for each byte of size, of files that are not empty",
    ),
    ("perm", "permission bits"),
    (
        "is",
        "flag: an entry is in the bucket of each that it has; is:hidden for yes and no",
    ),
    (
        "links",
        "number of hard links; links:10 ten to a class, as all numbers",
    ),
    ("inode", "inode number"),
    ("items", "entries directly in a folder"),
    ("files", "entries directly in a folder that are no folders"),
    ("dirs", "folders directly in a folder"),
    ("name-length", "characters in the name"),
    ("path-length", "characters in the path"),
    ("hidden", "whether the name begins with a dot"),
    ("executable", "whether it is a file that may be run"),
    (
        "empty",
        "whether it is a file without bytes or a folder without entries",
    ),
    ("broken", "whether it is a symbolic link that leads nowhere"),
    ("dupe", "whether another entry has the same name"),
    ("tree-items", "entries in a folder's whole subtree"),
    ("tree-size", "class of size of a folder's whole subtree"),
    (
        "tree-allocated",
        "class of size on disk of a folder's whole subtree",
    ),
];

/// What entries are grouped by.
#[derive(Clone, Debug)]
pub(super) enum Grouping {
    /// The folded extension.
    Extension,
    /// A named group of extensions, for regular files.
    Category(Arc<Categories>),
    /// The kind.
    Type,
    /// The owning user, named where it has a name.
    Owner,
    /// The owning group.
    Group,
    /// The root of the catalog.
    Root,
    /// The name.
    Name,
    /// The name without its extension.
    Stem,
    /// The file system.
    Volume,
    /// The directory it lies in.
    Parent,
    /// The innermost directory it lies in that is at most so many levels below the root.
    Dir(u32),
    /// Permission bits.
    Mode,
    /// A number, in classes.
    Number(NumberField, Field, Classes),
    /// A time, in periods of the calendar.
    Time(TimeField, Field, Arc<Calendar>),
    /// Time since the last change of content.
    Age(Arc<Ages>),
    /// Bytes on disk for each byte of size, in classes.
    Bulkiness(Bulk),
    /// Yes or no.
    Flag(Flag),
    /// All flags; an entry may have several.
    Flags,
    /// Ranges that the user named.
    Ranges(Arc<Ranges>),
}

/// A grouping under the name that it was asked for by.
#[derive(Clone, Debug)]
pub(super) struct Level {
    /// The name of its column.
    pub(super) title: String,
    /// What it is.
    pub(super) grouping: Grouping,
}

/// Kinds, in the order of their numbers as keys.
pub(super) const KINDS: [Kind; 7] = [
    Kind::File,
    Kind::Dir,
    Kind::Symlink,
    Kind::BlockDevice,
    Kind::CharDevice,
    Kind::Fifo,
    Kind::Socket,
];

impl Level {
    /// Reads `field` or `field:argument`.
    ///
    /// # Errors
    /// [`PlanError`]: no such field, or an argument that it does not take.
    pub(super) fn parse(
        text: &str,
        option: &'static str,
        context: &Context<'_>,
    ) -> Result<Level, PlanError> {
        let (word, argument) = match text.split_once(':') {
            Some((word, argument)) => (word.trim(), Some(argument.trim())),
            None => (text.trim(), None),
        };
        let reading = Reading {
            option,
            text,
            argument,
            context,
        };
        let grouping = match reading.own(&word.to_lowercase())? {
            Some(grouping) => grouping,
            None => match lookup(word) {
                Some(info) => reading.of_field(info.field)?,
                None => return Err(PlanError::unknown_field(option, word)),
            },
        };
        let title = match (lookup(word), argument) {
            // Their own names are those of metrics.
            (Some(info), None) if Metric::find(info.name).is_some() => {
                format!("{}-class", info.name)
            }
            (Some(info), None) => info.name.to_owned(),
            (Some(info), Some(argument)) => format!("{}:{argument}", info.name),
            (None, _) => text.trim().to_lowercase(),
        };
        Ok(Level { title, grouping })
    }
}

/// A grouping that is being read.
struct Reading<'a> {
    option: &'static str,
    text: &'a str,
    argument: Option<&'a str>,
    context: &'a Context<'a>,
}

impl Reading<'_> {
    /// What is no field of the query language.
    fn own(&self, word: &str) -> Result<Option<Grouping>, PlanError> {
        if let Some((_, period)) = Period::ALL.iter().find(|row| row.0 == word) {
            self.bare(())?;
            return Ok(Some(self.time(
                TimeField::Modified,
                Field::Modified,
                *period,
            )));
        }
        if word != "dir" {
            return Ok(None);
        }
        let levels = match self.argument {
            None => Some(1),
            Some(text) => text.parse().ok().filter(|&levels| levels > 0),
        };
        let levels = levels.ok_or_else(|| self.wrong("a number of levels is needed: dir:2"))?;
        Ok(Some(Grouping::Dir(levels)))
    }

    fn of_field(&self, field: Field) -> Result<Grouping, PlanError> {
        let flag = |flag| self.bare(Grouping::Flag(flag));
        match field {
            Field::Ext => self.bare(Grouping::Extension),
            Field::Category => {
                let categories = Categories::new(self.context.extension_groups);
                self.bare(Grouping::Category(categories.into()))
            }
            Field::Type => self.bare(Grouping::Type),
            Field::Owner => self.bare(Grouping::Owner),
            Field::Group => self.bare(Grouping::Group),
            Field::Root => self.bare(Grouping::Root),
            Field::Name => self.bare(Grouping::Name),
            Field::Stem => self.bare(Grouping::Stem),
            Field::Volume => self.bare(Grouping::Volume),
            Field::Parent => self.bare(Grouping::Parent),
            Field::Perm => self.bare(Grouping::Mode),
            Field::Modified => self.period(TimeField::Modified, field),
            Field::Created => self.period(TimeField::Created, field),
            Field::Accessed => self.period(TimeField::Accessed, field),
            Field::Changed => self.period(TimeField::Changed, field),
            Field::Age => self.age(),
            Field::Bulkiness => self.bare(Grouping::Bulkiness(Bulk::new())),
            Field::Is => self.flags(),
            Field::Hidden => flag(Flag::Hidden),
            Field::Executable => flag(Flag::Executable),
            Field::Empty => flag(Flag::Empty),
            Field::Broken => flag(Flag::Broken),
            Field::Dupe => flag(Flag::Dupe),
            field => match number_field(field) {
                Some((number, is_size)) => self.number(number, field, is_size),
                None => Err(PlanError::unknown_field(self.option, field.info().name)),
            },
        }
    }

    fn flags(&self) -> Result<Grouping, PlanError> {
        let Some(word) = self.argument else {
            return Ok(Grouping::Flags);
        };
        match flags::lookup(word) {
            Some(row) => Ok(Grouping::Flag(row.flag)),
            None => {
                let names = FLAGS.iter().map(|row| row.name);
                let near = nearest(word, names).map(|name| format!("did you mean '{name}'?"));
                Err(self.wrong(&near.unwrap_or_else(|| "there is no such flag".to_owned())))
            }
        }
    }

    fn wrong(&self, why: &str) -> PlanError {
        PlanError::value(self.option, self.text, why)
    }

    /// A grouping that takes no argument.
    fn bare<T>(&self, grouping: T) -> Result<T, PlanError> {
        match self.argument {
            None => Ok(grouping),
            Some(_) => Err(self.wrong("nothing may stand behind this field's name")),
        }
    }

    fn number(
        &self,
        number: NumberField,
        field: Field,
        is_size: bool,
    ) -> Result<Grouping, PlanError> {
        let classes = match self.argument {
            None if is_size => Classes::Powers(10),
            None => Classes::Exact,
            // The powers are for sizes; ten to a class is more like a number.
            Some("2" | "10") if !is_size => {
                let width = if self.argument == Some("2") { 2 } else { 10 };
                Classes::Width(width)
            }
            Some(text) => Classes::parse(text).map_err(|why| self.wrong(&why))?,
        };
        Ok(Grouping::Number(number, field, classes))
    }

    fn named_period(&self, text: &str) -> Result<Period, PlanError> {
        let row = Period::ALL.iter().find(|row| row.0 == text);
        row.map(|row| row.1)
            .ok_or_else(|| self.wrong("a period is day, week, month or year"))
    }

    fn period(&self, time: TimeField, field: Field) -> Result<Grouping, PlanError> {
        let period = self
            .argument
            .map_or(Ok(Period::Month), |text| self.named_period(text))?;
        Ok(self.time(time, field, period))
    }

    fn time(&self, time: TimeField, field: Field, period: Period) -> Grouping {
        let zone: TimeZone = self.context.now.time_zone().clone();
        Grouping::Time(time, field, Arc::new(Calendar::new(period, zone)))
    }

    fn age(&self) -> Result<Grouping, PlanError> {
        let step = self
            .argument
            .map(|text| self.named_period(text))
            .transpose()?;
        let ages =
            Ages::new(step, &self.context.now).map_err(|error| self.wrong(&error.to_string()))?;
        Ok(Grouping::Age(Arc::new(ages)))
    }
}

/// The number that a field is, and whether it is a size.
fn number_field(field: Field) -> Option<(NumberField, bool)> {
    Some(match field {
        Field::Size => (NumberField::Size, true),
        Field::Allocated => (NumberField::Allocated, true),
        Field::TreeSize => (NumberField::TreeSize, true),
        Field::TreeAllocated => (NumberField::TreeAllocated, true),
        Field::Uid => (NumberField::Uid, false),
        Field::Gid => (NumberField::Gid, false),
        Field::Links => (NumberField::Links, false),
        Field::Inode => (NumberField::Inode, false),
        Field::Depth => (NumberField::Depth, false),
        Field::Items => (NumberField::Items, false),
        Field::Files => (NumberField::Files, false),
        Field::Dirs => (NumberField::Dirs, false),
        Field::TreeItems => (NumberField::TreeItems, false),
        Field::NameLength => (NumberField::NameLength, false),
        Field::PathLength => (NumberField::PathLength, false),
        _ => return None,
    })
}

impl Grouping {
    /// Whether buckets are best shown in the order of their keys: those of a scale.
    pub(super) fn is_scale(&self) -> bool {
        matches!(
            self,
            Grouping::Number(..)
                | Grouping::Time(..)
                | Grouping::Age(_)
                | Grouping::Bulkiness(_)
                | Grouping::Ranges(_)
        )
    }

    /// The numbers of the buckets that a key counted under is part of, where it may be several: the
    /// ranges over a piece of an axis, the flags of an entry.
    pub(super) fn parts(&self, key: &Key) -> Option<Vec<u64>> {
        let number = key.number();
        match self {
            Grouping::Ranges(ranges) => {
                Some(ranges.holding(number).map(|range| range as u64).collect())
            }
            Grouping::Flags => {
                let flags = 0..FLAGS.len() as u64;
                Some(flags.filter(|flag| number >> flag & 1 == 1).collect())
            }
            _ => None,
        }
    }

    /// A bucket's name: raw bytes for names and paths.
    pub(super) fn label(&self, key: &Key) -> Vec<u8> {
        let number = key.number();
        match self {
            Grouping::Extension
            | Grouping::Root
            | Grouping::Name
            | Grouping::Stem
            | Grouping::Volume
            | Grouping::Parent
            | Grouping::Dir(_) => return key.bytes().to_vec(),
            Grouping::Category(categories) => category_name(categories, number).to_owned(),
            Grouping::Type => kind_of(number).word().to_owned(),
            Grouping::Owner => name_or_number(number, groma_sys::user_name),
            Grouping::Group => name_or_number(number, groma_sys::group_name),
            Grouping::Mode => format!("{number:04o}"),
            Grouping::Number(_, field, classes) => {
                let is_size = number_field(*field).is_some_and(|row| row.1);
                classes.label(number, is_size)
            }
            Grouping::Time(_, _, calendar) => match key {
                Key::Period(period) => calendar.label(*period),
                _ => String::new(),
            },
            Grouping::Age(ages) => ages.label(number),
            Grouping::Bulkiness(_) => Bulk::label(number),
            Grouping::Flag(_) => if number == 1 { "yes" } else { "no" }.to_owned(),
            Grouping::Flags => flag_of(number).name().to_owned(),
            Grouping::Ranges(ranges) => ranges.label(number),
        }
        .into_bytes()
    }

    /// A query that lists a bucket's rows.
    pub(super) fn node(&self, key: &Key) -> Node {
        let number = key.number();
        match self {
            Grouping::Extension => extension_node(key.bytes()),
            Grouping::Category(categories) => {
                nodes::has(Field::Category, category_name(categories, number))
            }
            Grouping::Type => nodes::has(Field::Type, kind_of(number).word()),
            Grouping::Owner => nodes::is(Field::Uid, &number.to_string()),
            Grouping::Group => nodes::is(Field::Gid, &number.to_string()),
            Grouping::Root => nodes::exactly(Field::Root, key.bytes()),
            Grouping::Name => nodes::exactly(Field::Name, key.bytes()),
            Grouping::Stem => nodes::exactly(Field::Stem, key.bytes()),
            Grouping::Volume => nodes::exactly(Field::Volume, key.bytes()),
            Grouping::Parent => nodes::exactly(Field::Parent, key.bytes()),
            Grouping::Dir(_) => dir_node(key),
            Grouping::Mode => nodes::is(Field::Perm, &format!("{number:o}")),
            Grouping::Number(_, field, classes) => nodes::has(*field, &classes.text(number)),
            Grouping::Time(_, field, calendar) => match key {
                Key::Period(period) => nodes::has(*field, &calendar.text(*period)),
                _ => Node::All,
            },
            Grouping::Age(ages) => nodes::has(Field::Modified, &ages.text(number)),
            Grouping::Bulkiness(_) => Bulk::node(number),
            Grouping::Flag(flag) => nodes::flag(*flag, number == 1),
            Grouping::Flags => nodes::flag(flag_of(number), true),
            Grouping::Ranges(ranges) => ranges.node(number),
        }
    }

    /// Whether there can be anything in a bucket: some zones have days that never were.
    pub(super) fn is_real(&self, key: &Key) -> bool {
        match (self, key) {
            (Grouping::Time(_, _, calendar), Key::Period(period)) => {
                let span = calendar.span(*period);
                span.start < span.end
            }
            _ => true,
        }
    }

    /// A query that lists the entries without a bucket.
    pub(super) fn missing_node(&self) -> Node {
        match self {
            // Only the root lies in no folder that is shown.
            Grouping::Dir(_) => nodes::is(Field::Depth, "0"),
            Grouping::Flag(flag) => nodes::missing(flag.name()),
            _ => nodes::missing(self.field().info().name),
        }
    }

    /// The field whose absence makes an entry have no bucket.
    fn field(&self) -> Field {
        match self {
            Grouping::Extension => Field::Ext,
            Grouping::Category(_) => Field::Category,
            Grouping::Type => Field::Type,
            Grouping::Owner => Field::Owner,
            Grouping::Group => Field::Group,
            Grouping::Root => Field::Root,
            Grouping::Name => Field::Name,
            Grouping::Stem => Field::Stem,
            Grouping::Volume => Field::Volume,
            Grouping::Parent | Grouping::Dir(_) => Field::Parent,
            Grouping::Mode => Field::Perm,
            Grouping::Number(_, field, _) | Grouping::Time(_, field, _) => *field,
            Grouping::Age(_) => Field::Age,
            Grouping::Bulkiness(_) => Field::Bulkiness,
            Grouping::Flag(_) | Grouping::Flags => Field::Is,
            Grouping::Ranges(ranges) => ranges.field().unwrap_or(Field::Size),
        }
    }
}

fn category_name(categories: &Categories, number: u64) -> &str {
    categories.name(usize::try_from(number).unwrap_or(usize::MAX))
}

fn kind_of(number: u64) -> Kind {
    let kind = usize::try_from(number).ok().and_then(|at| KINDS.get(at));
    kind.copied().unwrap_or(Kind::Unknown)
}

fn flag_of(number: u64) -> Flag {
    let row = usize::try_from(number).ok().and_then(|at| FLAGS.get(at));
    row.map_or(Flag::File, |row| row.flag)
}

fn name_or_number(number: u64, name: impl Fn(u32) -> Option<String>) -> String {
    let named = u32::try_from(number).ok().and_then(name);
    named.unwrap_or_else(|| number.to_string())
}

/// An extension that is also the name of a group, or has unusual characters, is compared as text.
fn extension_node(extension: &[u8]) -> Node {
    let is_plain = |b: &u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"_+-".contains(b);
    match std::str::from_utf8(extension) {
        Ok(text) if extension.iter().all(is_plain) && extensions(text).is_none() => {
            nodes::has(Field::Ext, text)
        }
        _ => nodes::whatever_case(Field::Ext, extension),
    }
}

/// Everything below a directory, or for one that is not deep enough only what lies in it: the form
/// of the key tells. See [`super::coder`].
fn dir_node(key: &Key) -> Node {
    let inside = match key.bytes().strip_suffix(b"/") {
        Some(b"") => nodes::exactly(Field::Parent, b"/"),
        Some(shallow) => nodes::exactly(Field::Parent, shallow),
        None => nodes::under(key.bytes()),
    };
    match key {
        Key::Below(_, root) => {
            let not_root = nodes::has(Field::Depth, "1..");
            nodes::all([inside, nodes::exactly(Field::Root, root), not_root])
        }
        _ if key.bytes() == b"/" => nodes::all([inside, nodes::has(Field::Depth, "1..")]),
        _ => inside,
    }
}
