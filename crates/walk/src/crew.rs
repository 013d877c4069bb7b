//! The workers of one walk: who starts them, what they share.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::Scope;

use crossbeam_deque::Worker as End;

use crate::budget::Budget;
use crate::options::{Root, WalkOptions};
use crate::queue::Queue;
use crate::task::Task;
use crate::visited::Visited;
use crate::visitor::Visitor;
use crate::walk::Walk;
use crate::worker::Worker;

/// What all workers of a walk share.
pub(crate) struct Crew<'w, V, F> {
    pub(crate) options: &'w WalkOptions,
    pub(crate) roots: &'w [Root],
    pub(crate) budget: &'w Budget,
    pub(crate) visited: &'w Visited,
    pub(crate) devices: &'w [Option<u64>],
    /// Whether directories found are kept for the next level instead of being queued.
    pub(crate) breadth: bool,
    queue: Queue<Task>,
    ends: Mutex<Vec<End<Task>>>,
    unstarted: AtomicUsize,
    make: F,
    finished: Mutex<Vec<Finished<V>>>,
}

/// What a worker leaves behind.
pub(crate) struct Finished<V> {
    pub(crate) visitor: V,
    /// Directories for the next level of a breadth-first walk.
    pub(crate) next: Vec<Task>,
}

impl<'w, V: Visitor, F: Fn(usize) -> V + Sync> Crew<'w, V, F> {
    pub(crate) fn new(walk: &'w Walk, breadth: bool, make: F) -> Self {
        let (queue, ends) = Queue::new(walk.budget.workers);
        Crew {
            options: &walk.options,
            roots: &walk.roots,
            budget: &walk.budget,
            visited: &walk.visited,
            devices: &walk.devices,
            breadth,
            queue,
            unstarted: AtomicUsize::new(ends.len() - 1),
            ends: Mutex::new(ends),
            make,
            finished: Mutex::new(Vec::new()),
        }
    }

    /// Does all tasks and what follows from them. The calling thread is the first worker; others
    /// start when there is work for them.
    pub(crate) fn run(self, tasks: Vec<Task>) -> Vec<Finished<V>> {
        let Some(own) = self.take_end() else {
            return Vec::new();
        };
        std::thread::scope(|scope| {
            for task in tasks.into_iter().rev() {
                self.push(scope, &own, task);
            }
            self.queue.done();
            self.work(scope, 0, own);
        });
        self.finished
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn work<'s>(&'s self, scope: &'s Scope<'s, '_>, number: usize, own: End<Task>) {
        let _guard = FinishOnPanic(&self.queue);
        let mut worker = Worker::new(self, (self.make)(number));
        while let Some(task) = self.queue.next(&own, || worker.visitor.idle()) {
            if self.options.cancel.is_cancelled() {
                self.queue.finish();
                break;
            }
            worker.process(task, &mut |task| self.push(scope, &own, task));
            self.queue.done();
        }
        let mut finished = self.finished.lock().unwrap_or_else(PoisonError::into_inner);
        finished.push(worker.finish());
    }

    fn push<'s>(&'s self, scope: &'s Scope<'s, '_>, own: &End<Task>, task: Task) {
        self.queue.push(own, task);
        if own.len() > 1 && self.unstarted.load(Ordering::Relaxed) > 0 {
            self.start_another(scope);
        }
    }

    /// One more worker, now that there is work for it.
    fn start_another<'s>(&'s self, scope: &'s Scope<'s, '_>) {
        let take = |left: usize| left.checked_sub(1);
        let Ok(number) = self
            .unstarted
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, take)
        else {
            return;
        };
        if let Some(end) = self.take_end() {
            let start = move || self.work(scope, number, end);
            // Without another thread the walk is slower, not wrong.
            let _ = std::thread::Builder::new().spawn_scoped(scope, start);
        }
    }

    fn take_end(&self) -> Option<End<Task>> {
        self.ends
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop()
    }
}

/// Without it, a worker that panics would leave the others waiting for its tasks for ever.
struct FinishOnPanic<'q>(&'q Queue<Task>);

impl Drop for FinishOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.finish();
        }
    }
}
