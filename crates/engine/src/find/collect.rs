//! What is done with the hits of one worker.

use super::entry::LiveEntry;

/// Whether an entry is a hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Hit,
    Miss,
    /// It is a directory of which one must know first what lies in it.
    Later,
}

/// Takes the hits of one worker.
pub(crate) trait Collector: Send {
    /// Entries of the directory marked `tag` (0 for a root) follow, until `leave`.
    fn enter(&mut self, _root: usize, _tag: u64) {}

    /// Takes an entry and what it is; answers with a mark for the directory it may be.
    fn take(&mut self, entry: &LiveEntry<'_>, verdict: Verdict, descends: bool) -> u64;

    /// Takes a directory that turned out to be a hit after it was read. `tag` is what
    /// [`Collector::take`] answered for it.
    fn take_late(&mut self, tag: u64, entry: &LiveEntry<'_>);

    /// A part of the directory is told; reading the next may take a while.
    fn pause(&mut self) {}

    /// The directory is told.
    fn leave(&mut self) {}

    /// Nothing follows for the moment.
    fn idle(&mut self) {}
}
