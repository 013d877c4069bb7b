//! What is asked of applying a plan, and what it answers.

use groma_base::CancelToken;
use thiserror::Error;

use crate::plan::Skip;

/// How a plan is to be applied.
#[derive(Clone, Debug)]
pub struct Options {
    /// Threads that copy.
    pub workers: usize,
    /// Whether copies are read back from the disk before they count, and known hashes compared.
    pub verify: bool,
    /// Whether a plan is refused that the free space does not suffice for.
    pub check_space: bool,
    /// Files of one batch, at most; a unit is never divided.
    pub batch_files: usize,
    /// Bytes of one batch, about: a larger file is a batch of its own.
    pub batch_bytes: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            workers: 4,
            verify: true,
            check_space: true,
            batch_files: 2048,
            batch_bytes: 512 << 20,
        }
    }
}

/// How a run is told to end early.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    /// No unit is begun any more; those in flight are finished and keep their names.
    pub finish: CancelToken,
    /// All stops at once; temporary files are removed.
    pub abort: CancelToken,
}

impl Stop {
    pub(crate) fn is_wanted(&self) -> bool {
        self.finish.is_cancelled() || self.abort.is_cancelled()
    }
}

/// What became of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is in the library.
    Placed {
        /// Its bytes.
        bytes: u64,
        /// An earlier run of the same plan did it.
        earlier: bool,
    },
    /// Its bytes are there already: the plan found that.
    Duplicate {
        /// The other one.
        of: Vec<u8>,
    },
    /// The plan leaves it where it is.
    Skipped(Skip),
    /// It is where it was.
    Failed(Failure),
}

/// Why a row failed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Failure {
    /// The plan could do nothing with it.
    #[error("{0}")]
    Planned(String),
    /// It is no longer what the plan was made for.
    #[error("the source has changed since the plan was made")]
    SourceChanged,
    /// It was written to while it was read.
    #[error("the source was written to while it was read")]
    ChangedMeanwhile,
    /// Neither the source nor its place in the library has it.
    #[error("the source is gone, and it is not in the library")]
    Gone,
    /// Something else got its name in the library since the plan was made.
    #[error("its name in the library is taken by something else")]
    Taken,
    /// What it was to replace is no longer what the plan knew.
    #[error("the file that it replaces has changed since the plan was made")]
    ReplacedChanged,
    /// What was read back is not what was written.
    #[error("the copy differs from what was written when it is read back")]
    ReadBack,
    /// Its bytes are not those that the plan read.
    #[error("its bytes are not those that were read for the plan")]
    OtherHash,
    /// Its path in the library is not one that may be made.
    #[error("its path in the library leads out of it")]
    BadPath,
    /// The file system cannot do what the mode says.
    #[error("the file system cannot do that: {0}")]
    Unable(String),
    /// Another file of its unit failed.
    #[error("another file of its unit failed: row {0}")]
    Unit(u32),
    /// The run was stopped before its turn.
    #[error("stopped before its turn")]
    Stopped,
    /// It is in the library, and could not be removed from where it was.
    #[error("it is in the library, but the source could not be removed: {0}")]
    SourceStays(String),
    /// A call of the system failed.
    #[error("{0}")]
    Io(String),
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        Failure::Io(error.to_string())
    }
}

/// The sums of a run: every row of the plan is in one of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Rows in the library.
    pub placed: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Of `placed`: by an earlier run of the plan.
    pub earlier: u64,
    /// Rows whose bytes are there already.
    pub duplicates: u64,
    /// Rows that the plan leaves out.
    pub skipped: u64,
    /// Rows that failed.
    pub failed: u64,
    /// Whether the run was told to stop before its end.
    pub stopped: bool,
}

impl Summary {
    pub(crate) fn count(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Placed { bytes, earlier } => {
                self.placed += 1;
                self.bytes += bytes;
                self.earlier += u64::from(*earlier);
            }
            Outcome::Duplicate { .. } => self.duplicates += 1,
            Outcome::Skipped(_) => self.skipped += 1,
            Outcome::Failed(_) => self.failed += 1,
        }
    }

    /// All rows.
    pub fn rows(&self) -> u64 {
        self.placed + self.duplicates + self.skipped + self.failed
    }
}

/// Who is told how a run gets on. Several threads tell.
pub trait Progress: Sync {
    /// So many bytes more were copied.
    fn copied(&self, bytes: u64);

    /// A row has come to its end.
    fn done(&self, row: u32, outcome: &Outcome);
}

/// Nobody is told.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn copied(&self, _bytes: u64) {}

    fn done(&self, _row: u32, _outcome: &Outcome) {}
}
