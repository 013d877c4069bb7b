//! The order of paths of a changed tree: which ids follow each other, found without a look at the
//! rows that did not change.
//!
//! What happens between rows of the segment are *events*: a cut, where rows are gone or shown
//! elsewhere; an insertion, where an entry comes in; a close, where a changed directory ends. They
//! are sorted by the row that they happen before. A subtree of the segment is laid out by passing
//! the events that lie in it; an entry that comes in may bring a subtree of its own, whose events
//! lie elsewhere in the list.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::delta::Shown;
use crate::error::Damage;
use crate::layout::SectionId;

/// The order of paths.
#[derive(Debug, Default)]
pub(super) struct Layout {
    /// Ids that follow each other; no range has ids of the segment and of the delta.
    pub(super) ranges: Vec<Range<u32>>,
    /// Rows of the segment that are shown below another directory or under another name.
    pub(super) relocated: Vec<Range<u32>>,
    /// Of directories with changes below them: the place after the last entry below.
    pub(super) ends: HashMap<u32, u32>,
    len: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    /// An entry comes in.
    Insert(u32),
    /// The directory of the event ends.
    Close,
    /// Rows up to this one are left out.
    Cut(u32),
}

/// Something that happens before a row. At one row the events of inner directories come first,
/// those of one directory in the order of names; a cut comes last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Event {
    row: u32,
    is_cut: bool,
    /// The directory that it happens in.
    dir: Reverse<u32>,
    /// Its place among those of the directory.
    place: u32,
    what: What,
}

/// A subtree that is being laid out.
struct Frame<'a> {
    rest: Rest<'a>,
    is_relocated: bool,
    /// The entry whose end is the end of this.
    closes: Option<u32>,
}

enum Rest<'a> {
    /// Rows below `dir`, from `next` to `end`; the next event.
    Rows {
        dir: u32,
        next: u32,
        end: u32,
        event: usize,
    },
    /// Entries of a directory that the segment does not know.
    List(Box<dyn Iterator<Item = u32> + 'a>),
}

struct Layer<'a> {
    shown: Shown<'a>,
    events: Vec<Event>,
    layout: Layout,
    stack: Vec<Frame<'a>>,
    /// Entries that came in; in a sound segment each does once.
    entered: HashSet<u32>,
}

/// Lays out all entries.
pub(super) fn lay_out(shown: Shown<'_>) -> Result<Layout, Damage> {
    let mut layer = Layer {
        events: events(shown)?,
        shown,
        layout: Layout::default(),
        stack: Vec::new(),
        entered: HashSet::new(),
    };
    if let Some(top) = shown.top() {
        layer.entry(top, false)?;
    }
    while layer.step()? {}
    Ok(layer.layout)
}

/// All events, sorted.
fn events(shown: Shown<'_>) -> Result<Vec<Event>, Damage> {
    let (segment, state) = (shown.segment, shown.state);
    let mut events = Vec::new();
    for (&dir, changed) in state.dirs.range(..segment.rows()) {
        let event = |row, place, what| Event {
            row,
            is_cut: matches!(what, What::Cut(_)),
            dir: Reverse(dir),
            place,
            what,
        };
        for (&row, &end) in &changed.gone {
            events.push(event(row, 0, What::Cut(end)));
        }
        for (place, added) in (0..).zip(changed.added.values()) {
            events.push(event(added.before, place, What::Insert(added.id)));
        }
    }
    for dir in dirs_above_changes(shown)? {
        if dir < segment.rows() && segment.kind(dir)?.is_dir() {
            events.push(Event {
                row: segment.subtree(dir)?.end,
                is_cut: false,
                dir: Reverse(dir),
                place: u32::MAX,
                what: What::Close,
            });
        }
    }
    events.sort_unstable();
    Ok(events)
}

/// Directories with changes, and all directories above them.
pub(super) fn dirs_above_changes(shown: Shown<'_>) -> Result<HashSet<u32>, Damage> {
    let mut above = HashSet::new();
    for &key in shown.state.dirs.keys() {
        climb(shown, Some(shown.current(key)), &mut above)?;
    }
    Ok(above)
}

/// Notes a directory and all above it, up to one that is noted.
pub(super) fn climb(
    shown: Shown<'_>,
    from: Option<u32>,
    above: &mut HashSet<u32>,
) -> Result<(), Damage> {
    let mut at = from;
    while let Some(dir) = at.filter(|&dir| above.insert(dir)) {
        at = shown.parent(dir)?;
    }
    Ok(())
}

impl<'a> Layer<'a> {
    /// One range or one entry more. `false` when all is laid out.
    fn step(&mut self) -> Result<bool, Damage> {
        let Some(frame) = self.stack.last_mut() else {
            return Ok(false);
        };
        let is_relocated = frame.is_relocated;
        let (dir, next, end, at) = match &mut frame.rest {
            Rest::List(ids) => {
                match ids.next() {
                    Some(id) => self.entry(id, is_relocated)?,
                    None => self.end_frame(),
                }
                return Ok(true);
            }
            &mut Rest::Rows {
                dir,
                next,
                end,
                event,
            } => (dir, next, end, event),
        };
        let event = self.events.get(at).copied();
        // At the end of the rows, events of directories around them may follow.
        let is_inside = |e: &Event| e.row < end || (e.row == end && !e.is_cut && e.dir.0 >= dir);
        let Some(event) = event.filter(is_inside) else {
            self.push(next..end, is_relocated);
            self.end_frame();
            return Ok(true);
        };
        self.push(next..event.row, is_relocated);
        let (next, at) = match event.what {
            What::Cut(after) => (after, self.after_cut(event.row, after)),
            _ => (next.max(event.row), at + 1),
        };
        if let Some(frame) = self.stack.last_mut() {
            frame.rest = Rest::Rows {
                dir,
                next,
                end,
                event: at,
            };
        }
        match event.what {
            What::Insert(id) => self.entry(id, is_relocated)?,
            What::Close => {
                self.layout.ends.insert(event.dir.0, self.layout.len);
            }
            What::Cut(_) => {}
        }
        Ok(true)
    }

    /// The first event that is not one of rows `from..to`.
    fn after_cut(&self, from: u32, to: u32) -> usize {
        self.events
            .partition_point(|e| e.row < to || (e.row == to && !e.is_cut && e.dir.0 >= from))
    }

    /// Begins an entry: itself, then what lies below it.
    fn entry(&mut self, id: u32, is_relocated: bool) -> Result<(), Damage> {
        let shown = self.shown;
        if !self.entered.insert(id) {
            let found = format!("entry {id} lies in itself");
            return Err(Damage::section(SectionId::DirEnd, 0, found));
        }
        let Some(row) = shown.delta_row(id)? else {
            let rows = shown.segment.subtree(id)?;
            let is_relocated = is_relocated || shown.link(id)?.is_some();
            self.rows(id, rows, None, is_relocated);
            return Ok(());
        };
        self.push(id..id + 1, is_relocated);
        match row.base {
            Some(base) => {
                let rows = shown.segment.subtree(base)?;
                let is_relocated = is_relocated || !is_in_place(shown, id, base)?;
                self.rows(base, rows.start + 1..rows.end, Some(id), is_relocated);
            }
            None if row.kind.is_dir() => {
                let added = shown.state.dirs.get(&id);
                let ids = added.into_iter().flat_map(|dir| dir.added_ids());
                self.stack.push(Frame {
                    rest: Rest::List(Box::new(ids)),
                    is_relocated,
                    closes: Some(id),
                });
            }
            None => {}
        }
        Ok(())
    }

    /// Begins rows of the segment that are `dir` or lie below it.
    fn rows(&mut self, dir: u32, rows: Range<u32>, closes: Option<u32>, is_relocated: bool) {
        self.stack.push(Frame {
            rest: Rest::Rows {
                dir,
                next: rows.start,
                end: rows.end,
                event: self.events.partition_point(|event| event.row <= dir),
            },
            is_relocated,
            closes,
        });
    }

    fn end_frame(&mut self) {
        if let Some(id) = self.stack.pop().and_then(|frame| frame.closes) {
            self.layout.ends.insert(id, self.layout.len);
        }
    }

    fn push(&mut self, ids: Range<u32>, is_relocated: bool) {
        if ids.is_empty() {
            return;
        }
        let layout = &mut self.layout;
        let rows = self.shown.segment.rows();
        layout.len = layout.len.saturating_add(ids.end - ids.start);
        if is_relocated && ids.start < rows {
            extend(&mut layout.relocated, ids.clone(), rows);
        }
        extend(&mut layout.ranges, ids, rows);
    }
}

/// Adds a range, or makes the last one longer. None goes across `border`.
fn extend(ranges: &mut Vec<Range<u32>>, ids: Range<u32>, border: u32) {
    match ranges.last_mut() {
        Some(last) if last.end == ids.start && ids.start != border => last.end = ids.end,
        _ => ranges.push(ids),
    }
}

/// Whether an entry is where the row was that it stands for, and has its name.
fn is_in_place(shown: Shown<'_>, id: u32, base: u32) -> Result<bool, Damage> {
    let before = shown.segment.parent(base)?;
    if shown.parent(id)? != before.map(|parent| shown.current(parent)) {
        return Ok(false);
    }
    let mut name = Vec::new();
    let names = shown.segment.names()?;
    names.append(shown.segment.name(base)?, &mut name)?;
    Ok(shown.name(id)?[..] == name[..])
}
