//! One piece of work done by several threads, each of which takes its share.

use std::thread::{self, Builder};

/// Has `work` done by this thread and by others, `threads` in all, and answers with what each came to. Where
/// the system has no more threads, fewer of them do the work.
pub(crate) fn on_threads<T: Send>(threads: usize, work: impl Fn() -> T + Sync) -> Vec<T> {
    thread::scope(|scope| {
        let spawn = |_| Builder::new().spawn_scoped(scope, &work).ok();
        let others: Vec<_> = (1..threads).map_while(spawn).collect();
        let mut done = vec![work()];
        done.extend(others.into_iter().map(|thread| match thread.join() {
            Ok(answer) => answer,
            Err(panic) => std::panic::resume_unwind(panic),
        }));
        done
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn each_thread_answers_once_and_all_is_done() {
        for threads in [0, 1, 5] {
            let next = AtomicUsize::new(0);
            let done = on_threads(threads, || {
                let mine = std::iter::from_fn(|| {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    (at < 100).then_some(at)
                });
                mine.collect::<Vec<_>>()
            });
            assert!((1..=threads.max(1)).contains(&done.len()));
            let mut all = done.concat();
            all.sort_unstable();
            assert!(all.into_iter().eq(0..100));
        }
    }
}
