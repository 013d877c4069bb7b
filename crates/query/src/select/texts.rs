//! Steps for texts: names by the dictionary, extensions by theirs, paths, directories.

use std::ops::RangeInclusive;

use super::SelectError;
use super::bits;
use super::filter::Cells;
use super::leaf::{Leaf, set};
use super::names::{self, Ask, NameSet};
use super::paths::{self, Found, PathTexts};
use super::plan::Node;
use super::rows_of::name_filter;
use super::set::{RowSet, joined};
use crate::bound::{TextField, TextTest};
use crate::pattern::{Extensions, Form, Pattern, Place};

/// A test of a text.
pub(super) fn text<'f>(
    leaf: &Leaf<'f, '_>,
    field: TextField,
    test: &TextTest,
) -> Result<Node<'f>, SelectError> {
    let pattern = &test.pattern;
    match field {
        TextField::Name => named(leaf, Ask::Name(pattern)),
        TextField::Stem => named(leaf, Ask::Stem(pattern)),
        TextField::Extension => match pattern.form() {
            Form::Plain(plain) if plain.fold => folded_extensions(leaf, pattern),
            _ => named(leaf, Ask::Extension(pattern)),
        },
        TextField::Path => path(leaf, pattern),
        TextField::Parent => parent(leaf, pattern),
        TextField::Root => {
            let matches = pattern.is_match(leaf.frame.view.root());
            Ok(if matches == leaf.want {
                Node::All
            } else {
                Node::None
            })
        }
        TextField::Volume => {
            leaf.volumes(|volume| Some(pattern.is_match(volume.words().as_bytes())))
        }
        TextField::Stream => Ok(Node::None),
    }
}

/// Rows whose names match.
fn named<'f>(leaf: &Leaf<'f, '_>, ask: Ask<'_>) -> Result<Node<'f>, SelectError> {
    let names = names::matching(leaf.frame, ask)?;
    Ok(leaf.known(rows_named(leaf, names)?))
}

fn rows_named<'f>(leaf: &Leaf<'f, '_>, names: NameSet) -> Result<Node<'f>, SelectError> {
    if names.len() == leaf.frame.names.len() {
        return Ok(Node::All);
    }
    Ok(match names.few_rows(leaf.frame)? {
        Some(rows) => set(leaf, rows),
        None => Node::Filter(name_filter(leaf.frame, names), 3, leaf.step),
    })
}

/// Names of a length.
pub(super) fn lengths<'f>(
    leaf: &Leaf<'f, '_>,
    ranges: &[RangeInclusive<u64>],
) -> Result<Node<'f>, SelectError> {
    named(leaf, Ask::Length(ranges))
}

/// Names that begin with a dot.
pub(super) fn hidden<'f>(leaf: &Leaf<'f, '_>) -> Result<Node<'f>, SelectError> {
    named(leaf, Ask::Name(&Pattern::plain(b".", Place::Start, true)))
}

/// Names that several entries of the view have.
pub(super) fn shared<'f>(leaf: &Leaf<'f, '_>) -> Result<Node<'f>, SelectError> {
    let frame = leaf.frame;
    let count = frame.names.len();
    let mut several = bits::empty(count);
    if frame.is_sealed() {
        for name in (0..count).filter(|&name| frame.names.is_shared(name)) {
            bits::set(&mut several, name);
        }
        return Ok(leaf.known(rows_named(leaf, NameSet::Bits(several))?));
    }
    let (mut once, mut raw) = (bits::empty(count), Vec::new());
    let mut seen = |name: u32| {
        let set = if bits::has(&once, name) {
            &mut several
        } else {
            &mut once
        };
        bits::set(set, name);
    };
    let column = frame.segment.name_numbers();
    for range in &frame.plain {
        frame.look()?;
        let names = column.iter(range.start as usize..range.end as usize);
        names.filter(|&name| name < count).for_each(&mut seen);
    }
    for id in frame.odd.iter().cloned().flatten().filter(|&id| id != 0) {
        raw.clear();
        frame.view.append_name(id, &mut raw)?;
        frame.names.exact(&raw)?.into_iter().for_each(&mut seen);
    }
    Ok(leaf.known(rows_named(leaf, NameSet::Bits(several))?))
}

/// Extensions without a dot in them by their dictionary, others as ends of names.
pub(super) fn extensions<'f>(
    leaf: &Leaf<'f, '_>,
    extensions: &Extensions,
) -> Result<Node<'f>, SelectError> {
    let frame = leaf.frame;
    if frame.segment.fold_version() != groma_base::FOLD_VERSION {
        return Ok(leaf.singly(&crate::bound::Test::Extension(extensions.clone())));
    }
    let (mut numbers, mut parts) = (Vec::new(), Vec::new());
    let dictionary = frame.segment.extensions()?;
    for text in extensions.texts() {
        if let Some(folded) = in_dictionary(text) {
            numbers.extend(dictionary.find(&folded)?);
            continue;
        }
        // At least one character stands before the dot.
        let end = [b".", &groma_base::folded(text.as_bytes())[..]].concat();
        let ends = names::matching(frame, Ask::Name(&Pattern::plain(&end, Place::End, true)))?;
        let alone = frame.names.equal_folded(&end)?;
        let longer: Vec<u32> = ends.iter().filter(|name| !alone.contains(name)).collect();
        parts.push(rows_named(leaf, NameSet::List(longer))?);
    }
    parts.push(with_extensions(leaf, numbers)?);
    let node = match parts.len() {
        1 => parts.remove(0),
        _ => Node::Or(parts),
    };
    Ok(leaf.known(node))
}

/// The folded form of an extension that the dictionary has, if any name has it: compound ones and the empty one
/// are ends of names.
pub(super) fn in_dictionary(text: &str) -> Option<Vec<u8>> {
    let folded = groma_base::folded(text.as_bytes());
    (!folded.is_empty() && !folded.contains(&b'.')).then_some(folded)
}

/// A pattern of extensions that ignores case is asked once for each folded extension.
fn folded_extensions<'f>(leaf: &Leaf<'f, '_>, pattern: &Pattern) -> Result<Node<'f>, SelectError> {
    let dictionary = leaf.frame.segment.extensions()?;
    let count = u32::try_from(dictionary.len()).unwrap_or(u32::MAX);
    let mut numbers = Vec::new();
    for number in 0..count {
        if pattern.is_match(dictionary.get(number)?) {
            numbers.push(number);
        }
    }
    Ok(leaf.known(with_extensions(leaf, numbers)?))
}

/// Rows whose extension has one of these numbers.
fn with_extensions<'f>(
    leaf: &Leaf<'f, '_>,
    mut numbers: Vec<u32>,
) -> Result<Node<'f>, SelectError> {
    let frame = leaf.frame;
    let dictionary = frame.segment.extensions()?;
    numbers.sort_unstable();
    numbers.dedup();
    let mut total = 0;
    for &number in &numbers {
        total += dictionary.rows(number)?.len();
    }
    let listed = |numbers: &[u32]| -> Result<Node<'f>, SelectError> {
        let mut rows = Vec::with_capacity(total);
        for &number in numbers {
            dictionary.append_rows(number, &mut rows)?;
        }
        let rows = match numbers {
            [_] => RowSet::Sparse(rows),
            _ => RowSet::of_unsorted(rows, frame.rows),
        };
        Ok(set(leaf, rows))
    };
    if total < (frame.rows / 32) as usize {
        return listed(&numbers);
    }
    // The column holds numbers of 16 bits; higher ones are few, and listed.
    let split = numbers.partition_point(|&number| number < u32::from(u16::MAX));
    let (short, long) = numbers.split_at(split);
    let column = frame.segment.extension_numbers();
    let scan = match *short {
        [one] => {
            // Below 65535.
            let one = one as u16;
            leaf.filter(
                Cells {
                    column,
                    test: move |number: u16| number == one,
                },
                1,
            )
        }
        ref several => {
            let mut set = bits::empty(1 << 16);
            several
                .iter()
                .for_each(|&number| bits::set(&mut set, number));
            let test = move |number: u16| bits::has(&set, number.into());
            leaf.filter(Cells { column, test }, 1)
        }
    };
    Ok(match long {
        [] => scan,
        long => Node::Or(vec![listed(long)?, scan]),
    })
}

/// Everything below a directory, itself excluded.
pub(super) fn under<'f>(leaf: &Leaf<'f, '_>, directory: &[u8]) -> Result<Node<'f>, SelectError> {
    let view = leaf.frame.view;
    let root = view.root().strip_suffix(b"/").unwrap_or(view.root());
    let directory = directory.strip_suffix(b"/").unwrap_or(directory);
    let is_above = root
        .strip_prefix(directory)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"));
    if is_above {
        return Ok(leaf.known(Node::All));
    }
    let ranges = match view.find(directory)? {
        Some(id) => {
            let places = view.subtree(id)?;
            let below = places.start.saturating_add(1).min(places.end)..places.end;
            joined(view.between(below).map(|piece| piece.ids).collect())
        }
        None => Vec::new(),
    };
    Ok(leaf.known(set(leaf, RowSet::Ranges(ranges))))
}

/// Rows whose absolute path matches.
fn path<'f>(leaf: &Leaf<'f, '_>, pattern: &Pattern) -> Result<Node<'f>, SelectError> {
    let frame = leaf.frame;
    let asked = |pattern: &Pattern| PathTexts {
        frame,
        field: TextField::Path,
        pattern: pattern.clone(),
    };
    let node = match paths::matching(frame, pattern)? {
        Found::These(rows) => set(leaf, rows),
        Found::Among(rows) => set(leaf, rows).and(leaf.filter(asked(pattern), 8)),
        Found::Any => leaf.filter(asked(pattern), 8),
    };
    Ok(leaf.known(node))
}

/// Rows that lie directly in a directory whose path matches.
fn parent<'f>(leaf: &Leaf<'f, '_>, pattern: &Pattern) -> Result<Node<'f>, SelectError> {
    let frame = leaf.frame;
    let Found::These(dirs) = paths::matching(frame, pattern)? else {
        let asked = PathTexts {
            frame,
            field: TextField::Parent,
            pattern: pattern.clone(),
        };
        return Ok(leaf.known(leaf.filter(asked, 8)));
    };
    // The sets leave the root out: its path is no name.
    let in_root = pattern.is_match(frame.view.root());
    let mut set = dirs.into_words(frame.rows);
    if let Some(first) = set.first_mut() {
        *first = *first & !1 | u64::from(in_root);
    }
    let test = move |parent: u32| bits::has(&set, parent);
    let column = frame.segment.parents();
    Ok(leaf.known(leaf.filter(Cells { column, test }, 4)))
}
