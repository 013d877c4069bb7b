//! Names of users and groups, looked up once each.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Looks up names and remembers them: the answer may come over a network.
pub struct IdCache {
    look_up: fn(u32) -> Option<String>,
    known: Mutex<HashMap<u32, Option<Arc<str>>>>,
}

impl IdCache {
    /// A cache of user names.
    pub fn users() -> IdCache {
        IdCache {
            look_up: groma_sys::user_name,
            known: Mutex::default(),
        }
    }

    /// A cache of group names.
    pub fn groups() -> IdCache {
        IdCache {
            look_up: groma_sys::group_name,
            known: Mutex::default(),
        }
    }

    /// The name of `id`, if it has one.
    pub(crate) fn name(&self, id: u32) -> Option<Arc<str>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known
            .entry(id)
            .or_insert_with(|| (self.look_up)(id).map(Arc::from))
            .clone()
    }
}
