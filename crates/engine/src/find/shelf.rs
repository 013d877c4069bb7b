//! Where a worker lays its hits down while it waits for the disk, and the clock that writes them
//! when that takes long: a hit must not wait for a directory that answers slowly.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use groma_base::push_path_key;

use super::sink::Outlet;

/// Hits that are not written yet.
#[derive(Default)]
pub(super) struct Pending {
    /// Rendered, in no particular order.
    pub(super) out: Vec<u8>,
    /// Held back, to be told in order if there are few.
    pub(super) held: Held,
    /// How many were not counted yet.
    pub(super) hits: u64,
}

/// Hits that are held back: what they are sorted by, and what is written.
#[derive(Default)]
pub(super) struct Held {
    keys: Vec<u8>,
    texts: Vec<u8>,
    /// Where each hit's key and text end.
    ends: Vec<(usize, usize)>,
}

impl Held {
    pub(super) fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Adds the hit with this path, whose text `render` appends.
    pub(super) fn push(&mut self, path: &[u8], render: impl FnOnce(&mut Vec<u8>)) {
        push_path_key(path, &mut self.keys);
        render(&mut self.texts);
        self.ends.push((self.keys.len(), self.texts.len()));
    }

    /// The texts as they came.
    pub(super) fn texts(&self) -> &[u8] {
        &self.texts
    }

    pub(super) fn clear(&mut self) {
        self.keys.clear();
        self.texts.clear();
        self.ends.clear();
    }

    /// Key and text of each hit.
    fn hits(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        let starts = std::iter::once((0, 0)).chain(self.ends.iter().copied());
        let spans = starts.zip(&self.ends);
        spans.map(|((key, text), &(key_end, text_end))| {
            (&self.keys[key..key_end], &self.texts[text..text_end])
        })
    }
}

/// The texts of all hits in the order of their paths.
pub(super) fn in_order(held: &[Held]) -> Vec<u8> {
    let mut hits: Vec<_> = held.iter().flat_map(Held::hits).collect();
    hits.sort_by_key(|(key, _)| *key);
    hits.into_iter()
        .flat_map(|(_, text)| text)
        .copied()
        .collect()
}

impl Pending {
    pub(super) fn is_empty(&self) -> bool {
        self.out.is_empty() && self.held.is_empty()
    }

    /// Writes everything.
    pub(super) fn write(&mut self, outlet: &Outlet<'_>) {
        self.out.extend_from_slice(self.held.texts());
        self.held.clear();
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
