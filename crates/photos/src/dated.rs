//! When something was taken, and how sure that is.

use groma_base::time::civil;

use crate::{DateFact, Origin};

/// When something was taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Taken {
    /// What clocks showed where it was taken: what folders and names are made of.
    pub local: civil::DateTime,
    /// How many seconds these clocks were ahead of UTC, where that is known.
    pub offset: Option<i32>,
}

/// How sure a date is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Confidence {
    /// Guessed from when a file came to its disk or was written.
    Low,
    /// From a name, from a file beside it, or from a clock of which the zone had to be guessed.
    Medium,
    /// The camera wrote it.
    High,
}

/// A date that was believed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dated {
    /// When it was taken.
    pub taken: Taken,
    /// Where that comes from.
    pub origin: Origin,
    /// How sure that is.
    pub confidence: Confidence,
    /// Candidates that say something else.
    pub disagreeing: Vec<DateFact>,
}
