//! Changes since a segment: an overlay in memory, a log beside the segment on the disk.
//!
//! Entries are told by ids. Rows of the segment keep their numbers; an entry that is put gets the
//! next number above them. A removed directory is one note, however much lies below it, and so is a
//! moved one.

mod apply;
mod change;
mod devices;
mod error;
pub(crate) mod log;
mod record;
mod shown;
pub(crate) mod state;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::Arc;

use groma_base::Timestamp;

pub use change::Put;
pub use error::{DeltaError, LogError};
pub use log::LOG_VERSION;
pub(crate) use shown::Shown;

use crate::error::Damage;
use crate::segment::Segment;
use crate::view::View;
use apply::{Applied, apply};
use change::Change;
use log::{Records, SegmentStamp};
use state::State;

/// A segment and what has changed since.
#[derive(Clone, Debug)]
pub struct Delta {
    segment: Arc<Segment>,
    state: Arc<State>,
    stamp: SegmentStamp,
    /// Bytes of the log that hold all changes but those in `waiting`; 0 where there is no log.
    logged: u64,
    checksum: u32,
    /// Contents of records that are in no log yet.
    waiting: Vec<Vec<u8>>,
    /// Device numbers of now, and the numbers that they are stored as.
    devices: HashMap<u64, u64>,
}

impl Delta {
    /// No changes. They can be viewed; to be kept, a delta comes from
    /// [`Catalog::delta`](crate::Catalog::delta).
    pub fn new(segment: Arc<Segment>) -> Delta {
        Delta::stamped(segment, 0)
    }

    /// No changes since the segment whose name has this number.
    pub(crate) fn stamped(segment: Arc<Segment>, generation: u64) -> Delta {
        let stamp = SegmentStamp {
            generation,
            length: segment.length() as u64,
            checksum: segment.header_checksum(),
        };
        Delta {
            segment,
            state: Arc::default(),
            stamp,
            logged: 0,
            checksum: 0,
            waiting: Vec::new(),
            devices: HashMap::new(),
        }
    }

    /// All changes that a log holds. `generation` is the number in the segment's name.
    ///
    /// # Errors
    /// [`LogError`] when the log is damaged, or belongs to another segment.
    pub fn replay(segment: Arc<Segment>, generation: u64, log: &[u8]) -> Result<Delta, LogError> {
        let mut delta = Delta::stamped(segment, generation);
        let mut records = Records::new(log, &delta.stamp)?;
        let mut state = State::default();
        while let Some((at, change)) = records.next()? {
            apply(&delta.segment, &mut state, change)
                .map_err(|error| LogError::new(at, error.to_string()))?;
        }
        delta.state = Arc::new(state);
        delta.checksum = records.checksum();
        delta.logged = log.len() as u64;
        Ok(delta)
    }

    /// The segment that changed.
    pub fn segment(&self) -> &Segment {
        &self.segment
    }

    pub(crate) fn shared_segment(&self) -> &Arc<Segment> {
        &self.segment
    }

    pub(crate) fn state(&self) -> &Arc<State> {
        &self.state
    }

    pub(crate) fn shown(&self) -> Shown<'_> {
        Shown {
            segment: &self.segment,
            state: &self.state,
        }
    }

    /// The root; `None` when there are no entries at all.
    pub fn top(&self) -> Option<u32> {
        self.shown().top()
    }

    /// The entry of this name in a directory.
    ///
    /// # Errors
    /// [`Damage`] met on the way.
    pub fn child(&self, dir: u32, name: &[u8]) -> Result<Option<u32>, Damage> {
        let shown = self.shown();
        shown.child(shown.current(dir), name)
    }

    /// The entry that stands for a row of the segment, a directory, since it was put; any other
    /// entry stands for itself. All that takes an id here takes that of either.
    pub fn current(&self, id: u32) -> u32 {
        self.shown().current(id)
    }

    /// Puts an entry into a directory, or the root where there is no directory to put it in. It
    /// takes the place of what had that name; where both are directories, what lay below stays
    /// below. Answers its id, which is that of the old entry if that was put before.
    ///
    /// # Errors
    /// [`DeltaError`]; nothing has changed.
    pub fn put(
        &mut self,
        parent: Option<u32>,
        name: &[u8],
        put: &Put<'_>,
    ) -> Result<u32, DeltaError> {
        let mut metadata = put.metadata.cloned().map(Box::new);
        if let Some(metadata) = &mut metadata {
            let device = &mut metadata.id.device;
            *device = self.devices.get(device).copied().unwrap_or(*device);
        }
        let applied = self.make(Change::Put {
            parent: parent.map(|parent| self.current(parent)),
            name: name.to_vec(),
            kind: put.kind,
            has_acl: put.has_acl,
            is_mount: put.is_mount,
            is_broken: put.is_broken,
            metadata,
        })?;
        match applied {
            Applied::Done(Some(id)) => Ok(id),
            _ => Err(DeltaError::NoEntry(u32::MAX)),
        }
    }

    /// Removes an entry and all that lies below it.
    ///
    /// # Errors
    /// [`DeltaError`]; nothing has changed.
    pub fn remove(&mut self, id: u32) -> Result<(), DeltaError> {
        let id = self.current(id);
        self.make(Change::Remove { id }).map(drop)
    }

    /// Moves an entry, with all that lies below it, into a directory and under a name. What had
    /// that name there is removed.
    ///
    /// # Errors
    /// [`DeltaError`]; nothing has changed.
    pub fn rename(&mut self, id: u32, parent: u32, name: &[u8]) -> Result<(), DeltaError> {
        let (id, parent) = (self.current(id), self.current(parent));
        let name = name.to_vec();
        self.make(Change::Move { id, parent, name }).map(drop)
    }

    /// Notes whether the content of a directory could not be read, or not all of it.
    ///
    /// # Errors
    /// [`DeltaError`]; nothing has changed.
    pub fn mark_unread(&mut self, id: u32, unread: bool) -> Result<(), DeltaError> {
        let id = self.current(id);
        self.make(Change::Unread { id, unread }).map(drop)
    }

    /// Notes when the scan that found the changes began and ended.
    ///
    /// # Errors
    /// [`DeltaError::BadTime`].
    pub fn mark_scanned(&mut self, begun: Timestamp, ended: Timestamp) -> Result<(), DeltaError> {
        self.make(Change::Scanned { begun, ended }).map(drop)
    }

    /// When the scan that found the last changes, or else the segment, began and ended.
    ///
    /// # Errors
    /// [`Damage`] when the segment does not tell.
    pub fn scanned(&self) -> Result<(Timestamp, Timestamp), Damage> {
        if let Some(times) = self.state.scanned {
            return Ok(times);
        }
        let about = self.segment.about()?;
        Ok((about.begun, about.ended))
    }

    fn make(&mut self, change: Change) -> Result<Applied, DeltaError> {
        let mut record = Vec::new();
        change.write(&mut record);
        let applied = apply(&self.segment, Arc::make_mut(&mut self.state), change)?;
        if applied != Applied::Nothing {
            self.waiting.push(record);
        }
        Ok(applied)
    }

    /// A frozen reading of the segment as it is now.
    ///
    /// # Errors
    /// [`Damage`] met on the way.
    pub fn view(&self) -> Result<View, Damage> {
        View::of(self)
    }

    /// Entries that were put, moved or marked, and places where something was removed.
    pub fn changes(&self) -> usize {
        let state = &self.state;
        let gone = state.dirs.values().map(|dir| dir.gone.len());
        state.rows.len() + state.moved.len() + state.unread.len() + gone.sum::<usize>()
    }

    /// Whether there are changes that no log holds.
    pub fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    pub(crate) fn stamp(&self) -> &SegmentStamp {
        &self.stamp
    }

    /// Bytes of the log that hold all changes but those that wait.
    pub(crate) fn logged(&self) -> u64 {
        self.logged
    }

    /// What has to be written behind the bytes that are logged, and the checksum it ends with.
    pub(crate) fn unlogged(&self) -> (Vec<u8>, u32) {
        let (mut bytes, mut checksum) = (Vec::new(), self.checksum);
        if self.logged == 0 {
            bytes = log::header(&self.stamp);
            checksum = crate::bytes::u32_at(&bytes, log::HEADER_LEN - 4).unwrap_or_default();
        }
        for record in &self.waiting {
            log::write_record(record, &mut checksum, &mut bytes);
        }
        (bytes, checksum)
    }

    /// Notes that those bytes are written.
    pub(crate) fn set_logged(&mut self, length: u64, checksum: u32) {
        self.logged = length;
        self.checksum = checksum;
        self.waiting.clear();
    }
}

/// The changes and one more: an entry is removed, with all that lies below it.
pub(crate) fn without(segment: &Segment, state: &State, id: u32) -> Result<State, Damage> {
    let mut state = state.clone();
    match apply(segment, &mut state, Change::Remove { id }) {
        // It stays when it is not there, or is the root.
        Err(DeltaError::Damaged(damage)) => Err(damage),
        _ => Ok(state),
    }
}
