//! The queue of directories: work stealing, with idle workers asleep.
//!
//! Each worker takes its own newest task, so a walk goes down before it goes wide; an idle worker
//! steals the oldest task of another, which is nearest the root and likely the largest.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering, fence};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crossbeam_deque::{Steal, Stealer, Worker};

/// State that all workers share.
pub(crate) struct Queue<T> {
    stealers: Vec<Stealer<T>>,
    /// Tasks queued or being worked on, and one for whoever still hands in the first ones. Nobody
    /// adds a task once this is zero.
    pending: AtomicUsize,
    idle: AtomicUsize,
    finished: AtomicBool,
    sleep: Mutex<()>,
    wake: Condvar,
}

impl<T> Queue<T> {
    /// Makes a queue and the workers' own ends of it. Once the first tasks are handed in,
    /// [`Queue::done`] must be called, like after a task.
    pub(crate) fn new(workers: usize) -> (Queue<T>, Vec<Worker<T>>) {
        let ends: Vec<Worker<T>> = (0..workers).map(|_| Worker::new_lifo()).collect();
        let queue = Queue {
            stealers: ends.iter().map(Worker::stealer).collect(),
            pending: AtomicUsize::new(1),
            idle: AtomicUsize::new(0),
            finished: AtomicBool::new(false),
            sleep: Mutex::new(()),
            wake: Condvar::new(),
        };
        (queue, ends)
    }

    /// Adds a task to a worker's own end.
    pub(crate) fn push(&self, own: &Worker<T>, task: T) {
        self.pending.fetch_add(1, Ordering::Relaxed);
        own.push(task);
        // A lone task is not worth waking anybody for: its owner is about to take it.
        if own.len() < 2 {
            return;
        }
        // Pairs with the fence in `sleep_until_work`: either the sleeper sees the task or we see
        // the sleeper.
        fence(Ordering::SeqCst);
        if self.idle.load(Ordering::Relaxed) > 0 {
            drop(self.lock());
            self.wake.notify_one();
        }
    }

    /// The next task for this worker; sleeps while there is none. `None` when all work is done.
    /// `before_sleep` runs once before the worker first goes to sleep.
    pub(crate) fn next(&self, own: &Worker<T>, before_sleep: impl FnOnce()) -> Option<T> {
        let mut before_sleep = Some(before_sleep);
        loop {
            if self.finished.load(Ordering::Acquire) {
                return None;
            }
            if let Some(task) = own.pop().or_else(|| self.steal()) {
                return Some(task);
            }
            if let Some(run) = before_sleep.take() {
                run();
            }
            self.sleep_until_work();
        }
    }

    /// Tells that a task taken with [`Queue::next`] is done, its own tasks having been added.
    pub(crate) fn done(&self) {
        if self.pending.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.finish();
        }
    }

    /// Ends the work at once, whatever is still queued.
    pub(crate) fn finish(&self) {
        self.finished.store(true, Ordering::Release);
        drop(self.lock());
        self.wake.notify_all();
    }

    fn steal(&self) -> Option<T> {
        let mut contended = true;
        while contended {
            contended = false;
            for stealer in &self.stealers {
                match stealer.steal() {
                    Steal::Success(task) => return Some(task),
                    Steal::Retry => contended = true,
                    Steal::Empty => {}
                }
            }
        }
        None
    }

    fn sleep_until_work(&self) {
        let guard = self.lock();
        self.idle.fetch_add(1, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        let nothing = self.stealers.iter().all(Stealer::is_empty);
        if nothing && !self.finished.load(Ordering::Acquire) {
            drop(self.wake.wait(guard));
        }
        self.idle.fetch_sub(1, Ordering::Relaxed);
    }

    fn lock(&self) -> MutexGuard<'_, ()> {
        self.sleep.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every task spawns two smaller ones; all must be done exactly once.
    #[test]
    fn all_tasks_are_done_whatever_the_number_of_workers() {
        for workers in [1, 2, 3, 8] {
            let (queue, ends) = Queue::new(workers);
            let count = AtomicUsize::new(0);
            queue.push(&ends[0], 12u32);
            queue.done();
            std::thread::scope(|scope| {
                for own in ends {
                    let (queue, count) = (&queue, &count);
                    scope.spawn(move || {
                        while let Some(level) = queue.next(&own, || ()) {
                            count.fetch_add(1, Ordering::Relaxed);
                            for _ in 0..if level > 0 { 2 } else { 0 } {
                                queue.push(&own, level - 1);
                            }
                            queue.done();
                        }
                    });
                }
            });
            assert_eq!(count.into_inner(), (1 << 13) - 1, "{workers} workers");
        }
    }

    #[test]
    fn finishing_early_wakes_sleepers() {
        let (queue, ends) = Queue::<u32>::new(3);
        queue.push(&ends[0], 1);
        std::thread::scope(|scope| {
            let mut ends = ends.into_iter();
            let busy = ends.next();
            for own in ends {
                let queue = &queue;
                scope.spawn(move || while queue.next(&own, || ()).is_some() {});
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
            queue.finish();
            drop(busy);
        });
    }
}
