//! Jobs on several threads, whose results are taken in the order of the jobs, few at a time.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Work that gives a result.
pub(crate) type Job<'j, T> = Box<dyn FnOnce() -> T + Send + 'j>;

/// What the threads share.
struct Shared<'j, T> {
    state: Mutex<State<'j, T>>,
    changed: Condvar,
    /// So many jobs may be begun whose results have not been taken.
    lead: usize,
}

struct State<'j, T> {
    waiting: VecDeque<Job<'j, T>>,
    begun: usize,
    done: BTreeMap<usize, T>,
    taken: usize,
    is_stopped: bool,
}

/// Does all jobs on `threads` threads and hands their results to `take`, in order. Results that
/// wait for that are at most one more than there are threads.
///
/// # Errors
/// What `take` answers; jobs that have not begun are dropped then.
pub(crate) fn in_order<T: Send, E>(
    threads: usize,
    jobs: Vec<Job<'_, T>>,
    mut take: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    if threads < 2 {
        return jobs.into_iter().try_for_each(|job| take(job()));
    }
    let count = jobs.len();
    let shared = Shared {
        state: Mutex::new(State {
            waiting: jobs.into(),
            begun: 0,
            done: BTreeMap::new(),
            taken: 0,
            is_stopped: false,
        }),
        changed: Condvar::new(),
        lead: threads + 1,
    };
    std::thread::scope(|scope| {
        let _stop = Stop(&shared);
        let mut started = 0;
        for _ in 0..threads {
            let worker = std::thread::Builder::new().spawn_scoped(scope, || shared.work());
            started += usize::from(worker.is_ok());
        }
        for number in 0..count {
            let result = match started {
                // Where no thread is to be had, this one does it all.
                0 => shared.do_one().map(|(_, result)| result),
                _ => shared.wait_for(number),
            };
            // Without one, a job has panicked; so does the scope.
            let Some(result) = result else { break };
            take(result)?;
        }
        Ok(())
    })
}

impl<'j, T> Shared<'j, T> {
    fn lock(&self) -> MutexGuard<'_, State<'j, T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'g>(&self, state: MutexGuard<'g, State<'j, T>>) -> MutexGuard<'g, State<'j, T>> {
        self.changed
            .wait(state)
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self) {
        let _stop = StopOnPanic(self);
        while let Some((number, result)) = self.do_one() {
            self.lock().done.insert(number, result);
            self.changed.notify_all();
        }
    }

    /// Does the next job, once there is room for its result; `None` when none is left.
    fn do_one(&self) -> Option<(usize, T)> {
        let mut state = self.lock();
        while !state.is_stopped
            && !state.waiting.is_empty()
            && state.begun >= state.taken + self.lead
        {
            state = self.wait(state);
        }
        if state.is_stopped {
            return None;
        }
        let job = state.waiting.pop_front()?;
        let number = state.begun;
        state.begun += 1;
        drop(state);
        Some((number, job()))
    }

    fn wait_for(&self, number: usize) -> Option<T> {
        let mut state = self.lock();
        loop {
            if let Some(result) = state.done.remove(&number) {
                state.taken = number + 1;
                self.changed.notify_all();
                return Some(result);
            }
            if state.is_stopped {
                return None;
            }
            state = self.wait(state);
        }
    }

    fn stop(&self) {
        self.lock().is_stopped = true;
        self.changed.notify_all();
    }
}

/// Sends the threads home when nobody takes results any more.
struct Stop<'s, 'j, T>(&'s Shared<'j, T>);

impl<T> Drop for Stop<'_, '_, T> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Without it, a job that panics would be waited for for ever.
struct StopOnPanic<'s, 'j, T>(&'s Shared<'j, T>);

impl<T> Drop for StopOnPanic<'_, '_, T> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jobs(count: usize) -> Vec<Job<'static, usize>> {
        (0..count)
            .map(|number| Box::new(move || number) as Job<'static, usize>)
            .collect()
    }

    #[test]
    fn results_come_in_order() {
        for threads in [0, 1, 2, 7] {
            let mut taken = Vec::new();
            let done: Result<(), ()> = in_order(threads, jobs(50), |number| {
                taken.push(number);
                Ok(())
            });
            assert_eq!((done, taken), (Ok(()), (0..50).collect()));
        }
    }

    #[test]
    fn an_error_ends_it() {
        for threads in [1, 3] {
            let done = in_order(threads, jobs(50), |number| match number {
                5 => Err(number),
                _ => Ok(()),
            });
            assert_eq!(done, Err(5));
        }
    }

    #[test]
    #[should_panic]
    fn a_panic_is_passed_on() {
        let bad: Job<'static, usize> = Box::new(|| panic!("as it should"));
        let _: Result<(), ()> = in_order(2, vec![bad], |_| Ok(()));
    }
}
