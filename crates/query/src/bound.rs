//! A query whose words have become values: a plain tree of typed tests.
//!
//! [`crate::eval`] asks it of one entry; a catalog walks the same tree over its columns.

use std::ops::{Bound, RangeBounds, RangeInclusive};

use groma_base::Kind;
use groma_base::time::TimeSpan;

use crate::fields::{Field, ValueKind};
use crate::flags::Flag;
use crate::pattern::{Extensions, Pattern};
use crate::perm::PermTest;

/// A bound expression.
///
/// Logic has three values: a test of something that cannot be known is neither true nor false,
/// and neither is its negation. Such an entry does not match.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Expr {
    /// Everything.
    All,
    /// All of these.
    And(Vec<Expr>),
    /// One of these.
    Or(Vec<Expr>),
    /// Not this.
    Not(Box<Expr>),
    /// One test.
    Test(Test),
}

/// One question about an entry.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Test {
    /// A text.
    Text(TextField, TextTest),
    /// The extension, whatever its case; compound ones such as `tar.gz` too.
    Extension(Extensions),
    /// The kind is one of these.
    Kind(Vec<Kind>),
    /// Below this absolute path, at any depth, itself excluded.
    Under(Vec<u8>),
    /// A whole number in one of these ranges.
    Number(NumberField, Vec<RangeInclusive<u64>>),
    /// Bytes on disk for each byte of size, in one of these ranges.
    Bulkiness(Vec<RatioRange>),
    /// A time in one of these stretches.
    Time(TimeField, Vec<TimeSpan>),
    /// Permission bits that pass one of these.
    Perm(Vec<PermTest>),
    /// A flag that is set.
    Flag(Flag),
    /// A field that it has not, or of which nothing is known.
    Missing(Field),
    /// A flag of which nothing is known.
    Unknown(Flag),
}

/// A range of ratios.
pub type RatioRange = (Bound<f64>, Bound<f64>);

/// What a text test looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TextField {
    /// The name.
    Name,
    /// The name without its extension.
    Stem,
    /// What follows the last dot; empty when there is no extension.
    Extension,
    /// The absolute path.
    Path,
    /// The absolute path of the directory it lies in.
    Parent,
    /// The root it was found under.
    Root,
    /// The file system; catalogs only.
    Volume,
    /// The data stream; catalogs only.
    Stream,
}

/// What a text must be like. `pattern` decides; the rest says how it came to be, for executors
/// that can do better than ask every text.
#[derive(Clone, Debug)]
pub struct TextTest {
    /// How `text` is to be found.
    pub how: How,
    /// The text, glob or regex.
    pub text: Vec<u8>,
    /// Whether case is ignored.
    pub ignore_case: bool,
    /// The compiled form.
    pub pattern: Pattern,
}

/// How a text is to be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum How {
    /// Anywhere.
    Contains,
    /// It is all there is.
    Equals,
    /// At the start.
    Starts,
    /// At the end.
    Ends,
    /// Anywhere, with word boundaries on both sides.
    Word,
    /// The last components of a path, or all of it.
    Tail,
    /// A glob for all of it.
    Glob,
    /// A regex that matches anywhere.
    Regex,
}

/// What a number test looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NumberField {
    /// Apparent size in bytes.
    Size,
    /// Bytes taken on disk.
    Allocated,
    /// Number of the owning user.
    Uid,
    /// Number of the owning group.
    Gid,
    /// Number of hard links.
    Links,
    /// Inode number.
    Inode,
    /// Distance from the root.
    Depth,
    /// Entries directly in a directory.
    Items,
    /// Entries directly in a directory that are no directories.
    Files,
    /// Directories directly in a directory.
    Dirs,
    /// Characters in the name.
    NameLength,
    /// Characters in the absolute path.
    PathLength,
    /// Entries in the subtree; catalogs only.
    TreeItems,
    /// Apparent size of the subtree; catalogs only.
    TreeSize,
    /// Bytes on disk of the subtree; catalogs only.
    TreeAllocated,
}

/// What a time test looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TimeField {
    /// Last change of content.
    Modified,
    /// Birth.
    Created,
    /// Last access.
    Accessed,
    /// Last change of the node.
    Changed,
}

/// What evaluating an expression may ask for beyond the name, the kind and the depth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is one independent need"
)]
pub struct Needs {
    /// The absolute path.
    pub path: bool,
    /// Metadata.
    pub metadata: bool,
    /// What lies in a directory: counts, or whether it is empty.
    pub children: bool,
    /// Where a link leads.
    pub link_target: bool,
    /// Whether something is mounted there.
    pub mount: bool,
    /// Whether this process may execute it.
    pub access: bool,
    /// Something that only a catalog can answer.
    pub catalog: bool,
}

impl Expr {
    /// Whether metadata may be asked for.
    pub fn needs_metadata(&self) -> bool {
        self.needs().metadata
    }

    /// Everything that may be asked for.
    pub fn needs(&self) -> Needs {
        let mut needs = Needs::default();
        self.visit(&mut |test| test.add_needs(&mut needs));
        needs
    }

    /// Shows every test to `look`.
    pub fn visit(&self, look: &mut impl FnMut(&Test)) {
        match self {
            Expr::All => {}
            Expr::And(list) | Expr::Or(list) => list.iter().for_each(|e| e.visit(look)),
            Expr::Not(inner) => inner.visit(look),
            Expr::Test(test) => look(test),
        }
    }

    /// How dear it is to ask; cheap tests go first.
    pub(crate) fn cost(&self) -> u8 {
        match self {
            Expr::All => 0,
            Expr::And(list) | Expr::Or(list) => list.iter().map(Expr::cost).max().unwrap_or(0),
            Expr::Not(inner) => inner.cost(),
            Expr::Test(test) => test.cost(),
        }
    }
}

impl Test {
    fn add_needs(&self, needs: &mut Needs) {
        match self {
            Test::Text(field, _) => match field {
                TextField::Path | TextField::Parent => needs.path = true,
                TextField::Volume | TextField::Stream => needs.catalog = true,
                TextField::Name | TextField::Stem | TextField::Extension | TextField::Root => {}
            },
            Test::Under(_) => needs.path = true,
            Test::Number(field, _) => field.add_needs(needs),
            Test::Bulkiness(_) | Test::Time(..) | Test::Perm(_) => needs.metadata = true,
            Test::Flag(flag) | Test::Unknown(flag) => add_flag_needs(*flag, needs),
            Test::Missing(field) => add_missing_needs(*field, needs),
            Test::Extension(_) | Test::Kind(_) => {}
        }
    }

    fn cost(&self) -> u8 {
        let mut needs = Needs::default();
        self.add_needs(&mut needs);
        if needs.children || needs.catalog {
            return 5;
        }
        if needs.mount || needs.access || needs.link_target {
            return 4;
        }
        if needs.metadata {
            return 3;
        }
        match self {
            Test::Kind(_) | Test::Flag(_) => 0,
            Test::Number(NumberField::Depth, _) => 0,
            _ if needs.path => 2,
            _ => 1,
        }
    }
}

impl NumberField {
    fn add_needs(self, needs: &mut Needs) {
        match self {
            NumberField::Depth | NumberField::NameLength => {}
            NumberField::PathLength => needs.path = true,
            NumberField::Items | NumberField::Files | NumberField::Dirs => needs.children = true,
            NumberField::TreeItems | NumberField::TreeSize | NumberField::TreeAllocated => {
                needs.catalog = true;
            }
            NumberField::Size
            | NumberField::Allocated
            | NumberField::Uid
            | NumberField::Gid
            | NumberField::Links
            | NumberField::Inode => needs.metadata = true,
        }
    }
}

fn add_flag_needs(flag: Flag, needs: &mut Needs) {
    match flag {
        Flag::File | Flag::Dir | Flag::Symlink | Flag::Hidden => {}
        Flag::Readonly | Flag::Hardlinked | Flag::Sparse => needs.metadata = true,
        Flag::Executable => needs.access = true,
        // A file's emptiness is in its metadata, a directory's in its list of entries.
        Flag::Empty => {
            needs.metadata = true;
            needs.children = true;
        }
        Flag::Broken => needs.link_target = true,
        Flag::Mount => needs.mount = true,
        _ => needs.catalog = true,
    }
}

fn add_missing_needs(field: Field, needs: &mut Needs) {
    match field.info().values {
        ValueKind::Text | ValueKind::PathText | ValueKind::Directory | ValueKind::Extension => {}
        ValueKind::Bool | ValueKind::Flags => {
            needs.metadata = true;
            needs.children = true;
            needs.link_target = true;
            needs.access = true;
            needs.mount = matches!(field, Field::Is);
        }
        ValueKind::Count if !matches!(field, Field::Depth) => {
            needs.metadata = true;
            needs.children = matches!(field, Field::Items | Field::Files | Field::Dirs);
        }
        _ => needs.metadata = true,
    }
    if field.info().catalog_only {
        needs.catalog = true;
    }
}

/// Whether a ratio lies in a range.
pub fn ratio_in(range: &RatioRange, ratio: f64) -> bool {
    range.contains(&ratio)
}
