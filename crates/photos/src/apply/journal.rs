//! The journal of a run: what is about to happen, and what has. Kept of it in memory are a few bytes per row.
//!
//! It is a plain log and no database: records are only ever added, one sync makes a whole batch durable, and a torn tail is what
//! a crash can leave, no more.

use std::collections::HashMap;
use std::io;

use groma_sys::LogFile;
use thiserror::Error;

use super::log::{Log, LogError, ends_with};
use super::record::{Naming, Record, Root};

/// Why a journal cannot be used.
#[derive(Debug, Error)]
#[error("the run's journal: {0}")]
pub struct JournalError(#[from] LogError);

impl From<io::Error> for JournalError {
    fn from(error: io::Error) -> JournalError {
        JournalError(LogError::Io(error))
    }
}

/// What is known of a row.
#[derive(Clone, Copy, Debug, Default)]
struct State {
    /// Where in the log its last naming stands, in the library and in the second place; 0: nowhere.
    namings: [u64; 2],
    is_committed: bool,
    is_source_gone: bool,
}

/// The journal of one run.
#[derive(Debug)]
pub(crate) struct Journal {
    log: Log,
    known: Known,
}

/// What the records say together.
#[derive(Debug, Default)]
struct Known {
    states: Vec<State>,
    /// Temporary files that may be there.
    begun: HashMap<(u32, Root), Vec<u8>>,
    /// Directories that the run has made, in the order in which that happened.
    made: Vec<(Root, Vec<u8>)>,
    is_undoing: bool,
}

impl Known {
    fn state(&mut self, row: u32) -> &mut State {
        let index = row as usize;
        if self.states.len() <= index {
            self.states.resize(index + 1, State::default());
        }
        &mut self.states[index]
    }

    fn learn(&mut self, at: u64, record: Record) {
        match record {
            Record::Making { root, dir } => self.made.push((root, dir)),
            Record::Begun { row, root, dir } => drop(self.begun.insert((row, root), dir)),
            Record::Naming(naming) => {
                let state = self.state(naming.row);
                state.namings[naming.root as usize] = at;
                state.is_committed = false;
            }
            Record::Committed { row } => {
                self.state(row).is_committed = true;
                self.forget_temporaries(row);
            }
            Record::TakenBack { row } | Record::Undone { row } => {
                *self.state(row) = State::default();
            }
            Record::SourceGone { row } => self.state(row).is_source_gone = true,
            // For who reads the journal.
            Record::Failed { .. } => {}
            Record::Finished => self.begun.clear(),
            Record::Undoing => self.is_undoing = true,
        }
    }

    fn forget_temporaries(&mut self, row: u32) {
        self.begun.remove(&(row, Root::Library));
        self.begun.remove(&(row, Root::Second));
    }
}

/// Whether a journal's run came to its end, and nothing was begun since.
pub(crate) fn is_finished(file: &LogFile) -> io::Result<bool> {
    ends_with(file, &Record::Finished.encode())
}

impl Journal {
    /// Opens a journal, or begins one.
    pub(crate) fn open(file: LogFile) -> Result<Journal, JournalError> {
        let mut known = Known::default();
        let log = Log::open(file, |at, bytes| {
            // Sound bytes that are no record come from a later version.
            let record = Record::decode(bytes).ok_or(LogError::Foreign)?;
            known.learn(at, record);
            Ok::<(), LogError>(())
        })?;
        Ok(Journal { log, known })
    }

    pub(crate) fn push(&mut self, record: Record) {
        let at = self.log.push(&record.encode());
        self.known.learn(at, record);
    }

    pub(crate) fn flush(&mut self) -> Result<(), JournalError> {
        Ok(self.log.flush()?)
    }

    /// The name that a row got, or was about to get.
    pub(crate) fn naming(&self, row: u32, root: Root) -> Result<Option<Naming>, JournalError> {
        let state = self.known.states.get(row as usize);
        let at = match state.map(|state| state.namings[root as usize]) {
            None | Some(0) => return Ok(None),
            Some(at) => at,
        };
        match Record::decode(&self.log.record(at)?) {
            Some(Record::Naming(naming)) => Ok(Some(naming)),
            _ => Err(LogError::Damaged(at).into()),
        }
    }

    pub(crate) fn is_committed(&self, row: u32) -> bool {
        let state = self.known.states.get(row as usize);
        state.is_some_and(|state| state.is_committed)
    }

    pub(crate) fn is_source_gone(&self, row: u32) -> bool {
        let state = self.known.states.get(row as usize);
        state.is_some_and(|state| state.is_source_gone)
    }

    /// Temporary files that may be there: row, place, directory.
    pub(crate) fn temporaries(&self) -> impl Iterator<Item = (u32, Root, &[u8])> {
        let begun = self.known.begun.iter();
        begun.map(|(&(row, root), dir)| (row, root, &dir[..]))
    }

    /// Directories that the run made, the first one first.
    pub(crate) fn made(&self) -> &[(Root, Vec<u8>)] {
        &self.known.made
    }

    /// Whether undoing it has begun.
    pub(crate) fn is_undoing(&self) -> bool {
        self.known.is_undoing
    }
}
