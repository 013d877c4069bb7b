//! Exit codes, the same for every verb.

/// How the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Done.
    Success,
    /// It could not do, or not all of, what was asked.
    Failure,
    /// Wrong usage; nothing was started.
    Usage,
    /// Done, but something could not be read.
    Incomplete,
}

impl Exit {
    pub(crate) fn code(self) -> u8 {
        match self {
            Exit::Success => 0,
            Exit::Failure => 1,
            Exit::Usage => 2,
            Exit::Incomplete => 3,
        }
    }
}
