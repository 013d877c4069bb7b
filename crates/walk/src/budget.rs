//! How many directories may be held open for children that wait in the queue.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// More than this is never of use: a depth-first walk holds few directories open.
const MOST_HELD: usize = 1000;

/// Descriptors one worker has open at a time: the directory it reads, one on the way there or a
/// rule file, one that it opened again and may need once more.
const PER_WORKER: usize = 4;

/// The budget, shared by all workers.
#[derive(Debug)]
pub(crate) struct Budget {
    left: Arc<AtomicUsize>,
    /// Workers that the limit leaves room for.
    pub(crate) workers: usize,
}

/// The right to hold one directory open. Given back when dropped.
#[derive(Debug)]
pub(crate) struct Permit(Arc<AtomicUsize>);

impl Budget {
    /// Plans for `threads` workers, `reserved` descriptors of others and `roots` that are open.
    pub(crate) fn new(threads: usize, reserved: u64, roots: usize) -> Budget {
        let limit = groma_sys::descriptor_limit().unwrap_or(u64::MAX);
        // Counting costs calls of its own: only worth it where descriptors are scarce.
        let open = if limit < 1024 {
            groma_sys::open_descriptors()
        } else {
            64 + roots as u64
        };
        let free = limit.saturating_sub(open).saturating_sub(reserved);
        Budget::with_free(threads, usize::try_from(free).unwrap_or(usize::MAX))
    }

    fn with_free(threads: usize, free: usize) -> Budget {
        let workers = threads.clamp(1, (free / (PER_WORKER + 1)).max(1));
        let held = free.saturating_sub(workers * PER_WORKER).min(MOST_HELD);
        Budget {
            left: Arc::new(AtomicUsize::new(held)),
            workers,
        }
    }

    /// Takes one permit, if there is one left.
    pub(crate) fn acquire(&self) -> Option<Permit> {
        let take = |left: usize| left.checked_sub(1);
        let taken = self
            .left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, take);
        taken.ok().map(|_| Permit(Arc::clone(&self.left)))
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permits_run_out_and_come_back() {
        let budget = Budget::with_free(2, 10);
        let permits: Vec<_> = std::iter::from_fn(|| budget.acquire()).collect();
        assert_eq!((permits.len(), budget.workers), (2, 2));
        drop(permits);
        assert!(budget.acquire().is_some());
    }

    #[test]
    fn a_tight_limit_costs_workers_first_and_never_the_last() {
        assert_eq!(Budget::with_free(64, 15).workers, 3);
        assert_eq!(Budget::with_free(64, 0).workers, 1);
        assert!(Budget::with_free(64, 0).acquire().is_none());
    }
}
