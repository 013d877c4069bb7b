//! Where a worker lays its hits down while it waits for the disk, and the clock that writes them
//! when that takes long: a hit must not wait for a directory that answers slowly.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::sink::Outlet;

/// Hits that are not written yet.
#[derive(Default)]
pub(super) struct Pending {
    /// Rendered, in no particular order.
    pub(super) out: Vec<u8>,
    /// Held back, to be told in order if there are few.
    pub(super) held: Vec<Held>,
    /// How many were not counted yet.
    pub(super) hits: u64,
}

/// A hit that is held back.
pub(super) struct Held {
    pub(super) path: Vec<u8>,
    pub(super) text: Vec<u8>,
}

impl Pending {
    pub(super) fn is_empty(&self) -> bool {
        self.out.is_empty() && self.held.is_empty()
    }

    /// Writes everything.
    pub(super) fn write(&mut self, outlet: &Outlet<'_>) {
        for hit in self.held.drain(..) {
            self.out.extend_from_slice(&hit.text);
        }
        outlet.write(&self.out);
        outlet.count(std::mem::take(&mut self.hits));
        self.out.clear();
    }
}

/// One worker's place for its hits; the clock reaches it too.
pub(super) type Shelf = Arc<Mutex<Pending>>;

/// The shelves of all workers, and when they are looked at.
#[derive(Default)]
pub(super) struct Clock {
    shelves: Mutex<Vec<Shelf>>,
    runs: AtomicBool,
    stopped: Mutex<bool>,
    wake: Condvar,
}

/// Stops the clock when dropped, so that nobody waits for it after a panic either.
pub(super) struct StopClock<'c>(&'c Clock);

impl Clock {
    /// A shelf for one more worker.
    pub(super) fn shelf(&self) -> Shelf {
        let shelf = Shelf::default();
        lock(&self.shelves).push(Arc::clone(&shelf));
        shelf
    }

    /// Whether the caller is the first to ask, and has to see that [`Clock::run`] is called.
    pub(super) fn must_start(&self) -> bool {
        !self.runs.load(Ordering::Relaxed) && !self.runs.swap(true, Ordering::Relaxed)
    }

    /// Calls `tick` for each shelf: first after `first`, then every `pause`, until stopped.
    pub(super) fn run(&self, first: Duration, pause: Duration, tick: impl Fn(&mut Pending)) {
        let mut time = first;
        while !self.is_stopped_within(time) {
            let shelves = lock(&self.shelves).clone();
            shelves.iter().for_each(|shelf| tick(&mut lock(shelf)));
            time = pause;
        }
    }

    fn is_stopped_within(&self, time: Duration) -> bool {
        let stopped = lock(&self.stopped);
        let waited = self
            .wake
            .wait_timeout_while(stopped, time, |stopped| !*stopped);
        let (stopped, _) = waited.unwrap_or_else(PoisonError::into_inner);
        *stopped
    }

    /// Makes the clock stop when the answer is dropped.
    pub(super) fn stop_at_end(&self) -> StopClock<'_> {
        StopClock(self)
    }
}

impl Drop for StopClock<'_> {
    fn drop(&mut self) {
        *lock(&self.0.stopped) = true;
        self.0.wake.notify_all();
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
