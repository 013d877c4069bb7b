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

    /// Of two parts of a run, how the whole ends: a failure beats what could not be read.
    pub(crate) fn worse(self, other: Exit) -> Exit {
        let rank = |exit| match exit {
            Exit::Success => 0,
            Exit::Incomplete => 1,
            Exit::Failure => 2,
            Exit::Usage => 3,
        };
        if rank(other) > rank(self) {
            other
        } else {
            self
        }
    }
}
