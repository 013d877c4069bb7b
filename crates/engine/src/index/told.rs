//! An entry that a worker of a scan has found, on its way to whoever collects.

use groma_base::{BatchEntry, DirId, Kind, Metadata};

use super::feed::Feed;
use super::findings::{DirRef, Findings, Limit};
use super::old::OldMetadata;

/// An entry about to be handed on.
pub(crate) struct Told<'t> {
    /// The directory that it lies in, by number; and as a delta knows it.
    pub(crate) parent: DirId,
    pub(crate) parent_ref: Option<DirRef>,
    pub(crate) dir: Option<DirId>,
    /// The id that an entry of this name had.
    pub(crate) old: Option<u32>,
    /// Whether it is a directory where none was.
    pub(crate) is_new_dir: bool,
    pub(crate) name: &'t [u8],
    pub(crate) kind: Kind,
    pub(crate) has_acl: bool,
    pub(crate) is_mount: bool,
    pub(crate) is_broken: bool,
    pub(crate) metadata: Option<&'t Metadata>,
}

impl Told<'_> {
    fn as_entry(&self) -> BatchEntry<'_> {
        BatchEntry {
            parent: Some(self.parent),
            dir: self.dir,
            name: self.name,
            kind: self.kind,
            has_acl: self.has_acl,
            is_mount: self.is_mount,
            is_broken: self.is_broken,
            excluded: None,
            metadata: self.metadata,
        }
    }
}

/// Where a worker's entries go.
pub(crate) enum Output<'a> {
    /// All of them to a builder.
    Feed(Feed),
    /// What has changed is noted.
    Changes {
        old: OldMetadata<'a>,
        limit: &'a Limit,
        findings: Findings,
        /// Entries since the last look at how far the scan is.
        entries: u64,
    },
}

/// Entries after which the progress of a scan for changes is told.
const ENTRIES_PER_LOOK: u64 = 1024;

impl Output<'_> {
    /// Takes an entry. Answers how many there were, when it is time to say so.
    #[inline]
    pub(crate) fn push(&mut self, told: &Told<'_>) -> Option<u64> {
        match self {
            Output::Feed(feed) => {
                let waiting = feed.waiting() as u64 + 1;
                feed.push(told.as_entry()).then_some(waiting)
            }
            Output::Changes {
                old,
                limit,
                findings,
                ..
            } => {
                findings.put(old, limit, told);
                self.count(1)
            }
        }
    }

    /// Counts entries that are what they were. Answers as [`Output::push`].
    pub(crate) fn count(&mut self, more: u64) -> Option<u64> {
        let Output::Changes { entries, .. } = self else {
            return None;
        };
        *entries += more;
        (*entries >= ENTRIES_PER_LOOK).then(|| std::mem::take(entries))
    }

    /// Notes that a directory could not be read.
    pub(crate) fn mark_unread(&mut self, number: DirId, dir: DirRef) {
        match self {
            Output::Feed(feed) => feed.mark_unread(number),
            Output::Changes { findings, .. } => findings.mark_unread(dir, true),
        }
    }

    /// Notes that a directory that could not be read before is read now.
    pub(crate) fn mark_read(&mut self, dir: DirRef) {
        if let Output::Changes { findings, .. } = self {
            findings.mark_unread(dir, false);
        }
    }

    /// Notes that an entry of the last scan is gone. A builder is told nothing of it.
    pub(crate) fn remove(&mut self, id: u32) {
        if let Output::Changes {
            limit, findings, ..
        } = self
        {
            findings.remove(limit, id);
        }
    }

    /// Whether changes are looked for.
    pub(crate) fn is_changes(&self) -> bool {
        matches!(self, Output::Changes { .. })
    }

    /// Whether going on is of no use: nobody takes entries any more, or there are too many changes.
    pub(crate) fn is_closed(&self) -> bool {
        match self {
            Output::Feed(feed) => feed.is_closed(),
            Output::Changes { limit, .. } => limit.is_passed(),
        }
    }

    /// Hands on what waits. Answers how many entries that are.
    pub(crate) fn flush(&mut self) -> u64 {
        match self {
            Output::Feed(feed) => {
                let waiting = feed.waiting() as u64;
                feed.flush();
                waiting
            }
            Output::Changes { entries, .. } => std::mem::take(entries),
        }
    }

    /// What was noted.
    pub(crate) fn into_findings(self) -> Option<Findings> {
        match self {
            Output::Feed(_) => None,
            Output::Changes { findings, .. } => Some(findings),
        }
    }
}
