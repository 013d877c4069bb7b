//! Makes a change, or finds out why it cannot be made; then nothing has changed.

use std::sync::Arc;

use groma_base::Metadata;

use super::change::Change;
use super::error::DeltaError;
use super::shown::Shown;
use super::state::{Added, Link, Name, Row, State};
use crate::kinds::{KindFlags, type_bits};
use crate::layout::MAX_ROWS;
use crate::segment::Segment;

/// What applying a change came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Applied {
    /// It changed something; an entry that was put has this id.
    Done(Option<u32>),
    /// All was so already.
    Nothing,
}

/// Makes one change.
pub(crate) fn apply(
    segment: &Segment,
    state: &mut State,
    change: Change,
) -> Result<Applied, DeltaError> {
    let mut tree = Tree { segment, state };
    match change {
        Change::Put {
            parent,
            name,
            kind,
            has_acl,
            is_mount,
            is_broken,
            metadata,
        } => {
            let flags = KindFlags::of(kind)
                .with(KindFlags::ACL, has_acl)
                .with(KindFlags::MOUNT, is_mount)
                .with(KindFlags::BROKEN, is_broken);
            let facts = facts(flags, metadata)?;
            match parent {
                Some(parent) => tree.put(parent, &name, facts),
                None => tree.put_top(&name, facts),
            }
        }
        Change::Remove { id } => tree.remove(id),
        Change::Move { id, parent, name } => tree.rename(id, parent, &name),
        Change::Unread { id, unread } => tree.mark_unread(id, unread),
        Change::Volume(volume) => {
            tree.state.volumes.push(volume);
            Ok(Applied::Done(None))
        }
        Change::Scanned { begun, ended } => {
            check_time(begun.nanoseconds)?;
            check_time(ended.nanoseconds)?;
            tree.state.scanned = Some((begun, ended));
            Ok(Applied::Done(None))
        }
    }
}

/// Flags and metadata of an entry.
type Facts = (KindFlags, Option<Arc<Metadata>>);

/// Keeps what a segment keeps, in the form in which that gives it back.
fn facts(flags: KindFlags, metadata: Option<Box<Metadata>>) -> Result<Facts, DeltaError> {
    let Some(mut metadata) = metadata else {
        return Ok((flags.with(KindFlags::NO_METADATA, true), None));
    };
    let times = [metadata.modified, metadata.accessed, metadata.changed];
    for time in times.into_iter().chain(metadata.created) {
        check_time(time.nanoseconds)?;
    }
    metadata.kind = flags.kind();
    metadata.mode = type_bits(flags.kind()) | (metadata.mode & 0o7777);
    metadata.special = (0, 0);
    let flags = flags.with(KindFlags::HAS_CREATED, metadata.created.is_some());
    Ok((flags, Some(metadata.into())))
}

fn check_time(nanoseconds: u32) -> Result<(), DeltaError> {
    match nanoseconds < 1_000_000_000 {
        true => Ok(()),
        false => Err(DeltaError::BadTime(nanoseconds)),
    }
}

fn check_name(name: &[u8]) -> Result<(), DeltaError> {
    match name.is_empty() || name.iter().any(|&b| b == 0 || b == b'/') {
        true => Err(DeltaError::BadName(name.to_vec())),
        false => Ok(()),
    }
}

struct Tree<'a> {
    segment: &'a Segment,
    state: &'a mut State,
}

/// An entry and how it hangs in its directory, looked up before anything changes.
struct Hook {
    id: u32,
    /// The directory's key.
    key: u32,
    name: Arc<[u8]>,
    /// The row after the last one below it, when it is a row of the segment.
    end: u32,
}

/// A place in a directory that an entry can be hung at.
struct Spot {
    parent: u32,
    /// The directory's key.
    key: u32,
    name: Name,
    /// The row of the segment that the name comes before.
    before: u32,
}

impl Tree<'_> {
    fn shown(&self) -> Shown<'_> {
        Shown {
            segment: self.segment,
            state: self.state,
        }
    }

    fn expect_shown(&self, id: u32) -> Result<(), DeltaError> {
        match self.shown().is_shown(id)? {
            true => Ok(()),
            false => Err(DeltaError::NoEntry(id)),
        }
    }

    fn expect_dir(&self, id: u32) -> Result<(), DeltaError> {
        self.expect_shown(id)?;
        match self.shown().kind(id)?.is_dir() {
            true => Ok(()),
            false => Err(DeltaError::NoDir(id)),
        }
    }

    fn hook(&self, id: u32) -> Result<Hook, DeltaError> {
        let shown = self.shown();
        let parent = shown.parent(id)?.ok_or(DeltaError::Root)?;
        let end = match id < self.segment.rows() {
            true => self.segment.subtree(id)?.end,
            false => 0,
        };
        Ok(Hook {
            id,
            key: shown.key(parent)?,
            name: shown.name(id)?,
            end,
        })
    }

    fn spot(&self, parent: u32, name: &[u8]) -> Result<Spot, DeltaError> {
        check_name(name)?;
        self.expect_dir(parent)?;
        let (name, base) = (Name::new(name), self.shown().base(parent)?);
        let before = match base {
            Some(base) => {
                let names = self.segment.names()?;
                let number = names.lower_bound(&name.folded, &name.raw)?;
                self.segment.position(base, number)?
            }
            None => 0,
        };
        Ok(Spot {
            parent,
            key: base.unwrap_or(parent),
            name,
            before,
        })
    }

    fn put(&mut self, parent: u32, name: &[u8], facts: Facts) -> Result<Applied, DeltaError> {
        let spot = self.spot(parent, name)?;
        let Some(old) = self.shown().child(parent, name)? else {
            return self.add(spot, facts, None);
        };
        let flags = self.shown().kind(old)?;
        if flags.is_dir() != facts.0.is_dir() {
            self.check_room()?;
            let hook = self.hook(old)?;
            self.detach(&hook);
            return self.add(spot, facts, None);
        }
        let facts = (keep_unread(flags, facts.0), facts.1);
        if self.shown().delta_row(old)?.is_some() {
            return Ok(self.update(old, facts));
        }
        self.check_room()?;
        let hook = self.hook(old)?;
        self.detach(&hook);
        let base = flags.is_dir().then_some(old);
        self.add(spot, facts, base)
    }

    /// New facts of the root.
    fn put_top(&mut self, name: &[u8], facts: Facts) -> Result<Applied, DeltaError> {
        if !name.is_empty() {
            return Err(DeltaError::BadName(name.to_vec()));
        }
        let old = self.shown().top();
        let flags = match old {
            Some(top) => self.shown().kind(top)?,
            None => facts.0,
        };
        if flags.is_dir() != facts.0.is_dir() {
            return Err(DeltaError::Root);
        }
        let facts = (keep_unread(flags, facts.0), facts.1);
        if let Some(top) = self.state.top {
            return Ok(self.update(top, facts));
        }
        let base = old.filter(|_| flags.is_dir());
        let id = self.push(None, name.into(), facts, base)?;
        self.state.top = Some(id);
        Ok(Applied::Done(Some(id)))
    }

    fn check_room(&self) -> Result<u32, DeltaError> {
        let ids = self.segment.rows() as usize + self.state.rows.len();
        match u32::try_from(ids) {
            Ok(id) if id < MAX_ROWS => Ok(id),
            _ => Err(DeltaError::TooManyRows(MAX_ROWS)),
        }
    }

    fn add(&mut self, spot: Spot, facts: Facts, base: Option<u32>) -> Result<Applied, DeltaError> {
        let id = self.push(Some(spot.parent), Arc::clone(&spot.name.raw), facts, base)?;
        self.hang(id, spot);
        Ok(Applied::Done(Some(id)))
    }

    fn push(
        &mut self,
        parent: Option<u32>,
        name: Arc<[u8]>,
        (kind, metadata): Facts,
        base: Option<u32>,
    ) -> Result<u32, DeltaError> {
        let id = self.check_room()?;
        self.state.rows.push(Row {
            link: link(parent, name),
            kind,
            metadata,
            base,
        });
        if let Some(base) = base {
            self.state.replaced.insert(base, id);
        }
        Ok(id)
    }

    fn update(&mut self, id: u32, (kind, metadata): Facts) -> Applied {
        let number = id.saturating_sub(self.segment.rows());
        if let Some(row) = self.state.rows.get_mut(number as usize) {
            row.kind = kind;
            row.metadata = metadata;
        }
        Applied::Done(Some(id))
    }

    fn remove(&mut self, id: u32) -> Result<Applied, DeltaError> {
        self.expect_shown(id)?;
        let hook = self.hook(id)?;
        self.detach(&hook);
        Ok(Applied::Done(None))
    }

    fn rename(&mut self, id: u32, parent: u32, name: &[u8]) -> Result<Applied, DeltaError> {
        check_name(name)?;
        self.expect_shown(id)?;
        let spot = self.spot(parent, name)?;
        let hook = self.hook(id)?;
        self.expect_outside(parent, id)?;
        match self.shown().child(parent, name)? {
            Some(other) if other == id => return Ok(Applied::Nothing),
            Some(other) => {
                let other = self.hook(other)?;
                self.detach(&other);
            }
            None => {}
        }
        self.detach(&hook);
        let link = link(Some(parent), Arc::clone(&spot.name.raw));
        match id.checked_sub(self.segment.rows()) {
            Some(number) => {
                if let Some(row) = self.state.rows.get_mut(number as usize) {
                    row.link = link;
                }
            }
            None => {
                self.state.moved.insert(id, link);
            }
        }
        self.hang(id, spot);
        Ok(Applied::Done(None))
    }

    /// A directory cannot lie in itself, nor below.
    fn expect_outside(&self, parent: u32, id: u32) -> Result<(), DeltaError> {
        let mut at = Some(parent);
        while let Some(dir) = at {
            if dir == id {
                return Err(DeltaError::IntoItself(id));
            }
            at = self.shown().parent(dir)?;
        }
        Ok(())
    }

    fn mark_unread(&mut self, id: u32, unread: bool) -> Result<Applied, DeltaError> {
        self.expect_dir(id)?;
        let flags = self.shown().kind(id)?;
        if flags.has(KindFlags::UNREAD) == unread {
            return Ok(Applied::Nothing);
        }
        match id.checked_sub(self.segment.rows()) {
            Some(number) => {
                if let Some(row) = self.state.rows.get_mut(number as usize) {
                    row.kind = flags.set(KindFlags::UNREAD, unread);
                }
            }
            // There are two states, so a second mark takes the first back.
            None => {
                if self.state.unread.remove(&id).is_none() {
                    self.state.unread.insert(id, unread);
                }
            }
        }
        Ok(Applied::Done(None))
    }

    /// Takes an entry out of its directory. What lies below it is not touched.
    fn detach(&mut self, hook: &Hook) {
        let changed = self.state.dirs.entry(hook.key).or_default();
        let link = match hook.id.checked_sub(self.segment.rows()) {
            Some(number) => self
                .state
                .rows
                .get_mut(number as usize)
                .map(|row| &mut row.link),
            None => self.state.moved.get_mut(&hook.id),
        };
        match link {
            Some(link) => {
                link.is_attached = false;
                changed.added.remove(&Name::new(&hook.name));
            }
            None => {
                changed.gone.insert(hook.id, hook.end);
            }
        }
    }

    fn hang(&mut self, id: u32, spot: Spot) {
        let before = spot.before;
        let changed = self.state.dirs.entry(spot.key).or_default();
        changed.added.insert(spot.name, Added { id, before });
    }
}

fn link(parent: Option<u32>, name: Arc<[u8]>) -> Link {
    Link {
        parent,
        name,
        is_attached: true,
    }
}

/// Whether a directory could be read does not change with its metadata.
fn keep_unread(old: KindFlags, new: KindFlags) -> KindFlags {
    let unread = new.is_dir() && old.is_dir() && old.has(KindFlags::UNREAD);
    new.set(KindFlags::UNREAD, unread)
}
