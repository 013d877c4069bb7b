//! A bound expression, asked of one entry.

use groma_base::{
    ChildCounts, Facts, Kind, Metadata, SubtreeTotals, Timestamp, characters, extension, parent,
    stem,
};

use crate::bound::{Expr, NumberField, Test, TextField, TextTest, TimeField, ratio_in};
use crate::fields::Field;
use crate::flags::{FLAGS, Flag};

impl Expr {
    /// Whether an entry matches. What cannot be known does not match.
    #[inline]
    pub fn matches(&self, facts: &dyn Facts) -> bool {
        self.evaluate(facts) == Some(true)
    }

    /// Whether an entry matches; `None` when that depends on something that cannot be known.
    pub fn evaluate(&self, facts: &dyn Facts) -> Option<bool> {
        match self {
            Expr::All => Some(true),
            Expr::And(list) => decide(list, facts, false),
            Expr::Or(list) => decide(list, facts, true),
            Expr::Not(inner) => inner.evaluate(facts).map(|answer| !answer),
            Expr::Test(test) => test.evaluate(facts),
        }
    }
}

/// One answer `decisive` settles it; otherwise one unknown leaves it open.
fn decide(list: &[Expr], facts: &dyn Facts, decisive: bool) -> Option<bool> {
    let mut known = true;
    for expr in list {
        match expr.evaluate(facts) {
            Some(answer) if answer == decisive => return Some(decisive),
            Some(_) => {}
            None => known = false,
        }
    }
    known.then_some(!decisive)
}

impl Test {
    fn evaluate(&self, facts: &dyn Facts) -> Option<bool> {
        match self {
            Test::Text(field, test) => text(*field, test, facts),
            Test::Extension(extensions) => Some(extensions.is_match(facts.name())),
            Test::Kind(kinds) => kind(facts).map(|kind| kinds.contains(&kind)),
            Test::Under(directory) => Some(is_below(&facts.absolute_path(), directory)),
            Test::Number(field, ranges) => match number(*field, facts)? {
                Some(n) => Some(ranges.iter().any(|range| range.contains(&n))),
                None => Some(false),
            },
            Test::Bulkiness(ranges) => {
                let ratio = bulkiness(facts.metadata()?);
                Some(ratio.is_some_and(|ratio| ranges.iter().any(|r| ratio_in(r, ratio))))
            }
            Test::Time(field, spans) => {
                let at = time(*field, facts.metadata()?)?;
                Some(spans.iter().any(|span| span.contains(at)))
            }
            Test::Perm(tests) => {
                let mode = facts.metadata()?.mode;
                Some(tests.iter().any(|test| test.matches(mode)))
            }
            Test::Flag(flag) => self::flag(*flag, facts),
            Test::Missing(field) => Some(is_missing(*field, facts)),
            Test::Unknown(flag) => Some(self::flag(*flag, facts).is_none()),
        }
    }
}

fn text(field: TextField, test: &TextTest, facts: &dyn Facts) -> Option<bool> {
    let matches = |text: &[u8]| Some(test.pattern.is_match(text));
    match field {
        TextField::Name => matches(facts.name()),
        TextField::Stem => matches(stem(facts.name())),
        TextField::Extension => matches(extension(facts.name()).unwrap_or_default()),
        TextField::Path => matches(&facts.absolute_path()),
        TextField::Parent => matches(parent(&facts.absolute_path())),
        TextField::Root => matches(&facts.root()),
        TextField::Volume => matches(&facts.volume()?),
        // Nobody keeps the names of streams yet.
        TextField::Stream => None,
    }
}

/// The kind; where the directory did not tell, metadata does.
fn kind(facts: &dyn Facts) -> Option<Kind> {
    match facts.kind() {
        Kind::Unknown => facts.metadata().map(|m| m.kind),
        known => Some(known),
    }
}

fn is_below(path: &[u8], directory: &[u8]) -> bool {
    match path.strip_prefix(directory) {
        Some(rest) if directory.ends_with(b"/") => !rest.is_empty(),
        Some(rest) => rest.len() > 1 && rest[0] == b'/',
        None => false,
    }
}

/// `None` when it cannot be known, `Some(None)` when the entry has no such number.
#[allow(
    clippy::option_option,
    reason = "unknown and absent answer differently to NOT"
)]
pub(crate) fn number(field: NumberField, facts: &dyn Facts) -> Option<Option<u64>> {
    let metadata = |look: fn(&Metadata) -> u64| facts.metadata().map(|m| Some(look(m)));
    match field {
        NumberField::Size => metadata(|m| m.size),
        NumberField::Allocated => metadata(|m| m.allocated),
        NumberField::Uid => metadata(|m| m.uid.into()),
        NumberField::Gid => metadata(|m| m.gid.into()),
        NumberField::Links => metadata(|m| m.links),
        NumberField::Inode => metadata(|m| m.id.inode),
        NumberField::Depth => Some(Some(facts.depth().into())),
        NumberField::Items => children(facts, |c| c.files.saturating_add(c.dirs)),
        NumberField::Files => children(facts, |c| c.files),
        NumberField::Dirs => children(facts, |c| c.dirs),
        NumberField::NameLength => Some(Some(characters(facts.name()))),
        NumberField::PathLength => Some(Some(characters(&facts.absolute_path()))),
        NumberField::TreeItems => subtree(facts, |t| t.items),
        NumberField::TreeSize => subtree(facts, |t| t.size),
        NumberField::TreeAllocated => subtree(facts, |t| t.allocated),
    }
}

#[allow(clippy::option_option, reason = "as in `number`")]
fn children(facts: &dyn Facts, look: impl Fn(ChildCounts) -> u64) -> Option<Option<u64>> {
    match kind(facts)? {
        Kind::Dir => facts.child_counts().map(|counts| Some(look(counts))),
        _ => Some(None),
    }
}

#[allow(clippy::option_option, reason = "as in `number`")]
fn subtree(facts: &dyn Facts, look: impl Fn(SubtreeTotals) -> u64) -> Option<Option<u64>> {
    match kind(facts)? {
        Kind::Dir => facts.subtree_totals().map(|totals| Some(look(totals))),
        _ => Some(None),
    }
}

fn bulkiness(metadata: &Metadata) -> Option<f64> {
    (metadata.size > 0).then(|| metadata.allocated as f64 / metadata.size as f64)
}

fn time(field: TimeField, metadata: &Metadata) -> Option<Timestamp> {
    match field {
        TimeField::Modified => Some(metadata.modified),
        TimeField::Created => metadata.created,
        TimeField::Accessed => Some(metadata.accessed),
        TimeField::Changed => Some(metadata.changed),
    }
}

fn flag(flag: Flag, facts: &dyn Facts) -> Option<bool> {
    match flag {
        Flag::File => kind(facts).map(|k| k == Kind::File),
        Flag::Dir => kind(facts).map(|k| k == Kind::Dir),
        Flag::Symlink => kind(facts).map(|k| k == Kind::Symlink),
        Flag::Hidden => Some(facts.name().starts_with(b".")),
        Flag::Readonly => facts.metadata().map(|m| m.mode & 0o222 == 0),
        Flag::Executable => facts.is_executable(),
        Flag::Empty => facts.is_empty(),
        Flag::Broken => facts.is_broken_link(),
        Flag::Mount => facts.is_mount_point(),
        Flag::Hardlinked => facts.metadata().map(|m| m.links > 1 && m.kind != Kind::Dir),
        Flag::Sparse => facts
            .metadata()
            .map(|m| m.kind == Kind::File && m.allocated < m.size),
        Flag::Dupe => facts.shares_name(),
        Flag::Error => facts.was_unreadable(),
        // Other file systems than those of Windows compress and encrypt as well, and do not tell.
        Flag::Compressed | Flag::Encrypted => windows(flag, facts).filter(|&is_set| is_set),
        _ => windows(flag, facts),
    }
}

/// Whether a file attribute of Windows is set.
fn windows(flag: Flag, facts: &dyn Facts) -> Option<bool> {
    let bit = flag.windows_attribute()?;
    facts.windows_attributes().map(|set| set & bit != 0)
}

/// Whether an entry has no such thing, or nobody knows. This itself is always known.
fn is_missing(field: Field, facts: &dyn Facts) -> bool {
    let number = |field| number(field, facts).flatten().is_none();
    let at = |field| facts.metadata().and_then(|m| time(field, m)).is_none();
    match field {
        Field::Name | Field::Stem | Field::Path | Field::Parent | Field::Under | Field::Root => {
            false
        }
        Field::Depth | Field::NameLength | Field::PathLength | Field::Missing => false,
        Field::Is => !FLAGS
            .iter()
            .any(|row| self::flag(row.flag, facts) == Some(true)),
        Field::Ext => extension(facts.name()).is_none(),
        Field::Type => matches!(kind(facts), None | Some(Kind::Unknown)),
        Field::Category => kind(facts) != Some(Kind::File),
        Field::Size => number(NumberField::Size),
        Field::Allocated => number(NumberField::Allocated),
        Field::Owner | Field::Uid => number(NumberField::Uid),
        Field::Group | Field::Gid => number(NumberField::Gid),
        Field::Links => number(NumberField::Links),
        Field::Inode => number(NumberField::Inode),
        Field::Items => number(NumberField::Items),
        Field::Files => number(NumberField::Files),
        Field::Dirs => number(NumberField::Dirs),
        Field::TreeItems => number(NumberField::TreeItems),
        Field::TreeSize => number(NumberField::TreeSize),
        Field::TreeAllocated => number(NumberField::TreeAllocated),
        Field::Perm => facts.metadata().is_none(),
        Field::Modified | Field::Age => at(TimeField::Modified),
        Field::Created => at(TimeField::Created),
        Field::Accessed => at(TimeField::Accessed),
        Field::Changed => at(TimeField::Changed),
        Field::Bulkiness => facts.metadata().and_then(bulkiness).is_none(),
        Field::Volume => facts.volume().is_none(),
        // Nobody keeps the names of streams yet.
        Field::Stream => true,
        Field::Dupe => self::flag(Flag::Dupe, facts).is_none(),
        Field::Empty => self::flag(Flag::Empty, facts).is_none(),
        Field::Broken => self::flag(Flag::Broken, facts).is_none(),
        Field::Hidden => false,
        Field::Executable => self::flag(Flag::Executable, facts).is_none(),
    }
}

impl NumberField {
    /// The number of an entry; `None` where it has none, or it cannot be known.
    pub fn value(self, facts: &dyn Facts) -> Option<u64> {
        number(self, facts).flatten()
    }
}

impl TimeField {
    /// The time of an entry; `None` where it is not known.
    pub fn value(self, metadata: &Metadata) -> Option<Timestamp> {
        time(self, metadata)
    }
}

impl Flag {
    /// Whether an entry has the flag; `None` where that cannot be known.
    pub fn value(self, facts: &dyn Facts) -> Option<bool> {
        flag(self, facts)
    }
}
