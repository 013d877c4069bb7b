//! Deletes what a plan has confirmed, for good: by descriptors, children first, node by node.

use std::io;

use groma_base::{CancelToken, Kind, Metadata};

use super::plan::{Confirmed, Plan};
use super::subtree::{Met, Start, Taken, Trouble, Visitor, visit};

/// What was done, and what was not.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Marked entries that are gone from their places, whole.
    pub gone: Vec<Vec<u8>>,
    /// Entries that are gone, those below marked ones included.
    pub entries: u64,
    /// Allocated bytes of what was removed: nothing for a link of a node that has others.
    pub bytes: u64,
    /// What is still there, and why.
    pub failures: Vec<Failure>,
    /// Whether it was ended early.
    pub is_cancelled: bool,
}

/// An entry that is still there.
#[derive(Debug)]
pub struct Failure {
    /// Absolute path.
    pub path: Vec<u8>,
    /// Why.
    pub error: io::Error,
}

impl Outcome {
    pub(super) fn fail(&mut self, path: &[u8], error: io::Error) {
        self.failures.push(Failure {
            path: path.to_vec(),
            error,
        });
    }
}

impl Plan {
    /// Deletes what was confirmed, for good. Only nodes that were counted go: what has come since
    /// stays, and so do the directories that it lies in. No link is followed, no mount entered.
    pub fn remove(&self, cancel: &CancelToken) -> Outcome {
        self.act(cancel, |confirmed, outcome| {
            let top = self.open_top()?;
            let place = top.place(&confirmed.path)?;
            let start = Start {
                dir: &place.dir,
                name: place.name,
                path: &confirmed.path,
                id: confirmed.id,
            };
            let mut remover = Remover {
                confirmed,
                outcome,
                is_gone: false,
            };
            visit(&start, cancel, &mut remover);
            if remover.is_gone {
                outcome.gone.push(confirmed.path.clone());
            }
            Ok(())
        })
    }

    /// Does something with each entry that was confirmed; an error is a failure of that entry.
    pub(super) fn act(
        &self,
        cancel: &CancelToken,
        mut act: impl FnMut(&Confirmed, &mut Outcome) -> io::Result<()>,
    ) -> Outcome {
        let mut outcome = Outcome::default();
        for confirmed in &self.confirmed {
            if cancel.is_cancelled() || self.is_cancelled {
                break;
            }
            if let Err(error) = act(confirmed, &mut outcome) {
                outcome.fail(&confirmed.path, error);
            }
        }
        outcome.is_cancelled = cancel.is_cancelled() || self.is_cancelled;
        outcome
    }
}

struct Remover<'a> {
    confirmed: &'a Confirmed,
    outcome: &'a mut Outcome,
    /// Whether the marked entry itself is gone.
    is_gone: bool,
}

impl Remover<'_> {
    fn ensure_counted(&self, metadata: &Metadata) -> io::Result<()> {
        let is_counted = self
            .confirmed
            .inodes
            .binary_search(&metadata.id.inode)
            .is_ok();
        match is_counted {
            true => Ok(()),
            false => Err(io::Error::other("it was not there when this was confirmed")),
        }
    }
}

impl Visitor for Remover<'_> {
    fn enters(&mut self, metadata: &Metadata) -> io::Result<()> {
        self.ensure_counted(metadata)
    }

    fn take(&mut self, met: &Met<'_>, is_clear: bool) -> io::Result<Taken> {
        if !is_clear {
            return Ok(Taken::Stays);
        }
        self.ensure_counted(met.metadata)?;
        let is_dir = met.metadata.kind == Kind::Dir;
        met.dir.remove(met.name, met.metadata.id, is_dir)?;
        self.outcome.entries += 1;
        if is_dir || met.metadata.links <= 1 {
            let bytes = met.metadata.allocated;
            self.outcome.bytes = self.outcome.bytes.saturating_add(bytes);
        }
        self.is_gone |= met.path == self.confirmed.path;
        Ok(Taken::Gone)
    }

    fn fail(&mut self, path: &[u8], trouble: Trouble) {
        let error = match trouble {
            Trouble::Mount => io::Error::other("another file system is mounted here; it stays"),
            Trouble::Io(error) => error,
        };
        self.outcome.fail(path, error);
    }
}
