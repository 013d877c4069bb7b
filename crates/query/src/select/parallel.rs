//! Work in pieces on several threads, with the results in the order of the pieces.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{Run, SelectError};

/// Does `count` pieces of work and answers with what each gave, in order. Whoever is idle takes the
/// next piece; a wish to stop is looked at before each.
///
/// # Errors
/// The error of the first piece that has one, or [`SelectError::Cancelled`].
pub(crate) fn in_pieces<T: Send>(
    count: usize,
    run: &Run,
    work: impl Fn(usize) -> Result<T, SelectError> + Sync,
) -> Result<Vec<T>, SelectError> {
    in_pieces_with(count, run, || (), |(), piece| work(piece))
}

/// The same; each thread has something of its own, made by `make`.
///
/// # Errors
/// As [`in_pieces`].
pub(crate) fn in_pieces_with<S, T: Send>(
    count: usize,
    run: &Run,
    make: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, usize) -> Result<T, SelectError> + Sync,
) -> Result<Vec<T>, SelectError> {
    let threads = run.threads.clamp(1, count.max(1));
    let next = AtomicUsize::new(0);
    let stop = AtomicUsize::new(usize::MAX);
    let done: Mutex<Vec<(usize, Result<T, SelectError>)>> = Mutex::new(Vec::with_capacity(count));
    let worker = || {
        let (mut mine, mut own) = (Vec::new(), make());
        loop {
            let piece = next.fetch_add(1, Ordering::Relaxed);
            if piece >= count || piece > stop.load(Ordering::Relaxed) {
                break;
            }
            let result = match run.cancel.is_cancelled() {
                true => Err(SelectError::Cancelled),
                false => work(&mut own, piece),
            };
            if result.is_err() {
                stop.fetch_min(piece, Ordering::Relaxed);
            }
            mine.push((piece, result));
        }
        // Nobody panics while he holds the lock.
        done.lock().unwrap_or_else(|e| e.into_inner()).extend(mine);
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            // Where the system has no more threads, fewer of them do the work.
            let _ = std::thread::Builder::new().spawn_scoped(scope, worker);
        }
        worker();
    });
    let mut done = done.into_inner().unwrap_or_else(|e| e.into_inner());
    done.sort_unstable_by_key(|(piece, _)| *piece);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use groma_base::CancelToken;

    #[test]
    fn results_are_in_order_and_the_first_error_counts() {
        for threads in [0, 1, 3, 50] {
            let run = Run::new(threads, CancelToken::new());
            let squares = in_pieces(20, &run, |at| Ok(at * at)).unwrap();
            assert_eq!(squares, (0..20).map(|at| at * at).collect::<Vec<_>>());
            assert_eq!(in_pieces(0, &run, |_| Ok(())), Ok(vec![]));
            run.cancel.cancel();
            let stopped = in_pieces(5, &run, |_| Ok(()));
            assert_eq!(stopped, Err(SelectError::Cancelled));
        }
    }
}
