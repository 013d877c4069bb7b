//! What a long run says of itself, on a terminal: entries, entries per second, the place at hand.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, bounded};
use groma_engine::index::{Phase, Progress};
use groma_formats::escape;
use indicatif::{ProgressBar, ProgressStyle};

/// Between two looks.
const INTERVAL: Duration = Duration::from_millis(100);

/// Does `work`, and shows meanwhile how far it is, where stderr is a terminal and `shown`.
pub(crate) fn watched<T>(shown: bool, progress: &Progress, work: impl FnOnce() -> T) -> T {
    if !shown || !std::io::stderr().is_terminal() {
        return work();
    }
    std::thread::scope(|scope| {
        let (done, ended) = bounded::<()>(0);
        // Without another thread nothing is shown, and all is done.
        let _ = std::thread::Builder::new().spawn_scoped(scope, move || draw(progress, &ended));
        let answer = work();
        drop(done);
        answer
    })
}

fn draw(progress: &Progress, ended: &Receiver<()>) {
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
        bar.set_style(style);
    }
    let start = Instant::now();
    while ended.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
        bar.set_message(line(progress, start.elapsed()));
        bar.tick();
    }
    bar.finish_and_clear();
}

fn line(progress: &Progress, elapsed: Duration) -> String {
    let entries = progress.entries();
    let verb = match progress.phase() {
        Phase::Reading => {
            let per_second = entries as f64 / elapsed.as_secs_f64().max(0.001);
            return format!("{entries} entries, {per_second:.0}/s  {}", place(progress));
        }
        Phase::Writing => "writing",
        Phase::Checking => "checking",
    };
    format!("{entries} entries, {verb}  {}", place(progress))
}

fn place(progress: &Progress) -> String {
    let mut shown = Vec::new();
    escape::terminal(&progress.place(), &mut shown);
    String::from_utf8_lossy(&shown).into_owned()
}
