//! Names of the users and groups that own rows, asked for once per worker.

use std::collections::HashMap;
use std::sync::Arc;

use groma_catalog::Owner;

use crate::find::IdCache;

/// Users and groups by number, for all workers together.
pub(crate) struct Names {
    pub(crate) users: IdCache,
    pub(crate) groups: IdCache,
}

impl Default for Names {
    fn default() -> Names {
        Names {
            users: IdCache::users(),
            groups: IdCache::groups(),
        }
    }
}

/// One owner with its names.
#[derive(Clone, Debug, Default)]
pub(crate) struct NamedOwner {
    pub(crate) owner: Owner,
    pub(crate) user: Option<Arc<str>>,
    pub(crate) group: Option<Arc<str>>,
}

/// The owners that a worker has met.
#[derive(Debug, Default)]
pub(crate) struct Owners {
    known: Vec<NamedOwner>,
    numbers: HashMap<Owner, u32>,
}

impl Owners {
    /// The number under which an owner is known here.
    pub(crate) fn number(&mut self, owner: Owner, names: &Names) -> u32 {
        let next = u32::try_from(self.known.len()).unwrap_or(u32::MAX);
        *self.numbers.entry(owner).or_insert_with(|| {
            self.known.push(NamedOwner {
                owner,
                user: names.users.name(owner.uid),
                group: names.groups.name(owner.gid),
            });
            next
        })
    }

    pub(crate) fn get(&self, number: u32) -> Option<&NamedOwner> {
        self.known.get(number as usize)
    }
}
