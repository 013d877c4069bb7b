//! What a scan finds changed since the last one, and how that becomes a delta.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};

use groma_base::Metadata;
use groma_catalog::{Delta, DeltaError, Put};

use super::old::OldMetadata;
use super::told::Told;

/// A directory, as a worker knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DirRef {
    /// It has an id in the last scan.
    Old(u32),
    /// It is new, and has a number of this scan. Those below it have larger ones.
    New(u32),
}

/// A change.
#[derive(Debug)]
enum Finding {
    Put {
        parent: Option<DirRef>,
        /// The number that its entries name it by, where it is new and a directory.
        number: Option<u32>,
        name: Box<[u8]>,
        told: Flags,
        metadata: Option<Box<Metadata>>,
    },
    Remove(u32),
    Unread(DirRef, bool),
}

#[derive(Clone, Copy, Debug)]
struct Flags {
    kind: groma_base::Kind,
    has_acl: bool,
    is_mount: bool,
    is_broken: bool,
}

/// So many changes are worth a delta; with more, everything is better written anew.
#[derive(Debug)]
pub(crate) struct Limit {
    left: AtomicU64,
}

/// The changes that one worker finds.
#[derive(Debug, Default)]
pub(crate) struct Findings(Vec<Finding>);

impl Limit {
    /// For a root of so many entries.
    pub(crate) fn new(entries: u32) -> Limit {
        Limit {
            left: AtomicU64::new(u64::from(entries) / 8 + 10_000),
        }
    }

    /// Whether there were more.
    pub(crate) fn is_passed(&self) -> bool {
        self.left.load(Ordering::Relaxed) == 0
    }

    fn take(&self) {
        let order = Ordering::Relaxed;
        let less = |left: u64| left.checked_sub(1);
        let _ = self.left.fetch_update(order, order, less);
    }
}

impl Findings {
    /// Notes an entry, unless it is what it was.
    pub(crate) fn put(&mut self, old: &mut OldMetadata<'_>, limit: &Limit, told: &Told<'_>) {
        if told.old.is_some_and(|id| old.is_same(id, told)) {
            return;
        }
        limit.take();
        self.0.push(Finding::Put {
            parent: told.parent_ref,
            number: told.dir.filter(|_| told.is_new_dir).map(|dir| dir.0),
            name: told.name.into(),
            told: Flags {
                kind: told.kind,
                has_acl: told.has_acl,
                is_mount: told.is_mount,
                is_broken: told.is_broken,
            },
            metadata: told.metadata.cloned().map(Box::new),
        });
    }

    /// Notes that an entry is gone, with all that lay below it.
    pub(crate) fn remove(&mut self, limit: &Limit, id: u32) {
        limit.take();
        self.0.push(Finding::Remove(id));
    }

    /// Notes whether the content of a directory could not be read.
    pub(crate) fn mark_unread(&mut self, dir: DirRef, unread: bool) {
        self.0.push(Finding::Unread(dir, unread));
    }

    /// Makes the changes that all workers found.
    ///
    /// # Errors
    /// [`DeltaError`]; some of them may have been made.
    pub(crate) fn apply(all: Vec<Findings>, delta: &mut Delta) -> Result<(), DeltaError> {
        let mut findings: Vec<Finding> = all.into_iter().flat_map(|findings| findings.0).collect();
        // What is gone goes first; a directory comes before what lies in it.
        findings.sort_by_key(|finding| match finding {
            Finding::Remove(_) => (0, 0),
            Finding::Put { parent, .. } => match parent {
                Some(DirRef::New(number)) => (1, u64::from(*number) + 1),
                _ => (1, 0),
            },
            Finding::Unread(..) => (2, 0),
        });
        let mut ids = HashMap::new();
        for finding in findings {
            finding.apply(delta, &mut ids)?;
        }
        Ok(())
    }
}

impl Finding {
    fn apply(self, delta: &mut Delta, ids: &mut HashMap<u32, u32>) -> Result<(), DeltaError> {
        let id_of = |dir: DirRef, ids: &HashMap<u32, u32>| match dir {
            DirRef::Old(id) => Ok(id),
            DirRef::New(number) => ids
                .get(&number)
                .copied()
                .ok_or(DeltaError::NoEntry(u32::MAX)),
        };
        match self {
            Finding::Remove(id) => delta.remove(id),
            Finding::Unread(dir, unread) => delta.mark_unread(id_of(dir, ids)?, unread),
            Finding::Put {
                parent,
                number,
                name,
                told,
                metadata,
            } => {
                let parent = parent.map(|parent| id_of(parent, ids)).transpose()?;
                let put = Put {
                    kind: told.kind,
                    has_acl: told.has_acl,
                    is_mount: told.is_mount,
                    is_broken: told.is_broken,
                    metadata: metadata.as_deref(),
                };
                let id = delta.put(parent, &name, &put)?;
                if let Some(number) = number {
                    ids.insert(number, id);
                }
                Ok(())
            }
        }
    }
}
