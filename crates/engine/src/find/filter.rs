//! The filters of `find`: what an entry must be like to be a hit.

use std::sync::Arc;

use groma_base::size::SizeFilter;
use groma_base::time::TimeSpan;
use groma_base::{Facts, FileId, Kind, Metadata};
use groma_query::bound::{Expr, Needs, Test, TimeField};
use groma_query::pattern::{Extensions, Pattern};
use groma_query::perm::PermTest;
use groma_sys::MountTable;

use super::entry::LiveEntry;
use super::names::IdCache;

/// One condition. An entry is a hit when all of a request's filters hold.
#[derive(Clone)]
pub enum Filter {
    /// The name matches.
    Name(Pattern),
    /// The absolute path matches.
    AbsolutePath(Pattern),
    /// The path as it is shown matches.
    ShownPath(Pattern),
    /// The name ends in one of these extensions.
    Extension(Extensions),
    /// The kind is one of these.
    Kinds(KindSet),
    /// It is one of these kinds, and the process may execute what it is or leads to.
    Executable(KindSet),
    /// It is a file without bytes or a directory without entries.
    Empty,
    /// The size of a file.
    Size(SizeFilter),
    /// One of its times lies in a span.
    Time(TimeField, TimeSpan),
    /// Owner and group.
    Owner(OwnerFilter),
    /// Permission bits.
    Permissions(PermTest),
    /// Number of hard links.
    Links(NumberFilter),
    /// Inode number.
    Inode(NumberFilter),
    /// It is a hard link of this node.
    SameFile(FileId),
    /// The type of its file system.
    FileSystem(Arc<MountTable>, String),
    /// It has an extended attribute of this name; any at all when empty.
    Xattr(Vec<u8>),
    /// No user has its uid.
    NoUser(Arc<IdCache>),
    /// No group has its gid.
    NoGroup(Arc<IdCache>),
    /// A query of the query language.
    Query(Arc<Expr>),
    /// The filter in it does not hold.
    Not(Box<Filter>),
}

/// A set of kinds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KindSet(u16);

impl KindSet {
    /// The set with `kind` added.
    #[must_use]
    pub fn with(self, kind: Kind) -> KindSet {
        KindSet(self.0 | 1 << kind as u16)
    }

    /// Whether `kind` is in it.
    #[inline]
    pub fn contains(self, kind: Kind) -> bool {
        self.0 & (1 << kind as u16) != 0
    }

    /// Whether nothing is in it.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// Owner and group, each wanted, unwanted, or of no interest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OwnerFilter {
    /// The uid, and whether it must be equal (or must differ).
    pub user: Option<(u32, bool)>,
    /// The gid, and whether it must be equal (or must differ).
    pub group: Option<(u32, bool)>,
}

impl OwnerFilter {
    fn matches(self, meta: &Metadata) -> bool {
        let holds =
            |test: Option<(u32, bool)>, id| test.is_none_or(|(want, eq)| (want == id) == eq);
        holds(self.user, meta.uid) && holds(self.group, meta.gid)
    }
}

/// How a number is compared, as `N`, `+N` (at least) or `-N` (at most).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberFilter {
    /// Exactly this.
    Exactly(u64),
    /// This or more.
    AtLeast(u64),
    /// This or less.
    AtMost(u64),
}

impl NumberFilter {
    fn matches(self, number: u64) -> bool {
        match self {
            NumberFilter::Exactly(want) => number == want,
            NumberFilter::AtLeast(least) => number >= least,
            NumberFilter::AtMost(most) => number <= most,
        }
    }
}

/// Longest text that a symbolic link can hold.
const LONGEST_LINK: u64 = 4096;

impl Filter {
    /// Rough price of asking: names are at hand, metadata costs a system call, a directory's
    /// contents several.
    pub(crate) fn cost(&self) -> u8 {
        match self {
            Filter::Kinds(_) => 0,
            Filter::Name(_) | Filter::Extension(_) => 1,
            Filter::AbsolutePath(_) | Filter::ShownPath(_) => 2,
            Filter::Executable(_) => 4,
            Filter::Xattr(_) => 5,
            Filter::Empty => 6,
            Filter::Query(query) => query_cost(query.needs()),
            Filter::Not(inner) => inner.cost(),
            _ => 3,
        }
    }

    /// Whether the answer about a directory depends on what lies in it.
    pub(crate) fn needs_contents(&self) -> bool {
        match self {
            Filter::Empty => true,
            Filter::Query(query) => query.needs().children,
            Filter::Not(inner) => inner.needs_contents(),
            _ => false,
        }
    }

    /// Whether birth times are asked for.
    pub(crate) fn needs_birth(&self) -> bool {
        match self {
            Filter::Time(field, _) => *field == TimeField::Created,
            Filter::Query(query) => asks_for_birth(query),
            Filter::Not(inner) => inner.needs_birth(),
            _ => false,
        }
    }

    /// Whether it holds for this entry.
    pub(crate) fn matches(&self, entry: &LiveEntry<'_>, scratch: &mut Vec<u8>) -> bool {
        match self {
            Filter::Name(pattern) => pattern.is_match(entry.name()),
            Filter::AbsolutePath(pattern) => pattern.is_match(&entry.absolute_path()),
            Filter::ShownPath(pattern) => {
                scratch.clear();
                entry.push_path(scratch);
                pattern.is_match(scratch)
            }
            Filter::Extension(extensions) => extensions.is_match(entry.name()),
            Filter::Kinds(kinds) => kinds.contains(entry.kind),
            Filter::Executable(kinds) => {
                kinds.contains(entry.kind) && entry.is_executable() == Some(true)
            }
            Filter::Empty => entry.is_empty() == Some(true),
            Filter::Size(size) => size_matches(*size, entry),
            Filter::Xattr(name) => has_xattr(entry, name),
            Filter::Query(query) => query.matches(entry),
            Filter::Not(inner) => !inner.matches(entry, scratch),
            _ => entry
                .metadata()
                .is_some_and(|meta| self.matches_metadata(meta)),
        }
    }

    fn matches_metadata(&self, meta: &Metadata) -> bool {
        match self {
            Filter::Time(field, span) => time_of(*field, meta).is_some_and(|t| span.contains(t)),
            Filter::Owner(owner) => owner.matches(meta),
            Filter::Permissions(want) => want.matches(meta.mode),
            Filter::Links(want) => want.matches(meta.links),
            Filter::Inode(want) => want.matches(meta.id.inode),
            Filter::SameFile(id) => meta.id == *id,
            Filter::FileSystem(table, name) => table.type_of(meta.id.device) == Some(name),
            Filter::NoUser(names) => names.name(meta.uid).is_none(),
            Filter::NoGroup(names) => names.name(meta.gid).is_none(),
            _ => false,
        }
    }
}

fn time_of(field: TimeField, meta: &Metadata) -> Option<groma_base::Timestamp> {
    match field {
        TimeField::Modified => Some(meta.modified),
        TimeField::Accessed => Some(meta.accessed),
        TimeField::Changed => Some(meta.changed),
        TimeField::Created => meta.created,
    }
}

/// Sizes are those of files. A link that is not followed counts when it leads to a file, with its
/// own length, as in fd.
fn size_matches(want: SizeFilter, entry: &LiveEntry<'_>) -> bool {
    match entry.kind {
        Kind::File => {}
        Kind::Symlink => {
            let possible = match want {
                SizeFilter::AtLeast(size) | SizeFilter::Exactly(size) => size < LONGEST_LINK,
                SizeFilter::AtMost(_) => true,
            };
            let leads_to_file = || entry.target_metadata().is_ok_and(|t| t.kind == Kind::File);
            if !possible || !leads_to_file() {
                return false;
            }
        }
        _ => return false,
    }
    entry.size().is_some_and(|size| want.matches(size))
}

fn has_xattr(entry: &LiveEntry<'_>, name: &[u8]) -> bool {
    let names = entry.xattrs();
    if name.is_empty() {
        !names.is_empty()
    } else {
        names.iter().any(|n| n == name)
    }
}

fn query_cost(needs: Needs) -> u8 {
    match () {
        () if needs.children => 6,
        () if needs.mount || needs.access || needs.link_target => 4,
        () if needs.metadata => 3,
        () => 2,
    }
}

fn asks_for_birth(query: &Expr) -> bool {
    let mut asks = false;
    query.visit(&mut |test| asks |= matches!(test, Test::Time(TimeField::Created, ..)));
    asks
}
