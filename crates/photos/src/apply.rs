//! Apply: rows of a plan become files of a library, so that nothing is lost, nothing half written, and
//! everything can be taken back.
//!
//! Files are made under temporary names in the directories they belong to, in batches that reach the disk together
//! (one sync of the file system), are read back, and only then get their names, which never replace anything. What is about
//! to happen is in the run's journal before it happens. Sources go last.

mod batch;
mod commit;
mod copying;
mod journal;
mod library;
mod log;
mod moving;
mod options;
mod overlap;
mod place;
mod record;
mod resumed;
mod rows;
mod run;
mod undo;
mod verify;

pub use journal::JournalError;
pub use options::{Failure, Options, Outcome, Progress, Silent, Stop, Summary};
pub use rows::{Rows, RowsError};
pub use run::{ApplyError, apply};
pub use undo::{UndoSummary, Undone, undo};
pub use verify::{Finding, Known, Verified, verify};
