//! Asking a number of times, and the table of how long it took.

use std::sync::LazyLock;
use std::time::Instant;

use super::Failure;

/// How often, with how many threads, and which questions.
pub(super) struct Timing {
    pub(super) threads: usize,
    rounds: usize,
    /// Only questions that hold it.
    word: Option<String>,
}

impl Timing {
    /// From threads, rounds and a word, as far as they are given.
    pub(super) fn new(options: &[String]) -> Result<Timing, Failure> {
        let number = |at: usize, otherwise| options.get(at).map_or(Ok(otherwise), |w| w.parse());
        Ok(Timing {
            threads: number(0, 2)?,
            rounds: number(1, 21)?.max(1),
            word: options.get(2).cloned(),
        })
    }

    /// Prints what stands above the table; `counted` is what questions count.
    pub(super) fn head(&self, rows: u64, counted: &str) {
        let (threads, rounds) = (self.threads, self.rounds);
        println!("{rows} rows, {threads} threads, {rounds} rounds; ms");
        println!(
            "{:30} {:>9} {:>9} {:>9} {counted:>11}",
            "question", "budget", "p50", "p95"
        );
    }

    /// Whether a question is asked at all.
    pub(super) fn has(&self, what: &str) -> bool {
        self.word.as_ref().is_none_or(|word| what.contains(word))
    }

    /// Whether it is asked by its name.
    pub(super) fn is_named(&self) -> bool {
        self.word.is_some()
    }

    /// Asks, and prints a line. `budget`: in milliseconds, where there is one.
    pub(super) fn line(
        &self,
        what: &str,
        budget: Option<f64>,
        ask: impl Fn() -> Result<usize, Failure>,
    ) -> Result<(), Failure> {
        // The first time brings pages into memory.
        let mut counted = ask()?;
        let mut times = Vec::new();
        for _ in 0..self.rounds {
            let begun = now(self.threads);
            counted = ask()?;
            times.push(now(self.threads) - begun);
        }
        times.sort_by(f64::total_cmp);
        let (p50, p95) = (times[times.len() / 2], times[times.len() * 95 / 100]);
        let wanted = budget.map_or(String::new(), |budget| format!("{budget}"));
        let mark = if budget.is_some_and(|budget| p50 > budget) {
            " missed"
        } else {
            ""
        };
        println!("{what:30} {wanted:>9} {p50:>9.3} {p95:>9.3} {counted:>11}{mark}");
        Ok(())
    }
}

/// Milliseconds since some moment: with one thread, those in which this one has had a processor, so
/// that what else the machine does shows less.
fn now(threads: usize) -> f64 {
    let ran = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let ran = ran.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    match ran.filter(|_| threads == 1) {
        Some(nanoseconds) => nanoseconds / 1e6,
        None => START.elapsed().as_secs_f64() * 1e3,
    }
}

static START: LazyLock<Instant> = LazyLock::new(Instant::now);
