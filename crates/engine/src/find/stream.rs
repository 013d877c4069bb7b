//! Hits as they come. A short result is held back and told in order, as fd does.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::collect::{Collector, Verdict};
use super::entry::LiveEntry;
use super::render::{Plain, Renderer};
use super::shelf::{Clock, Pending, Shelf, StopClock, in_order, lock};
use super::sink::Outlet;

/// More hits than this are not held back.
const MOST_HELD: usize = 1000;

/// A worker writes when it has this much: few calls, and it stays in the nearest caches.
const WRITE_BYTES: usize = 32 * 1024;

/// A worker that has less than that writes after this time all the same.
const WRITE_PAUSE: Duration = Duration::from_millis(50);

/// What the streams of all workers share.
pub(crate) struct StreamPlan<'a> {
    pub(crate) outlet: &'a Outlet<'a>,
    pub(crate) renderer: &'a Renderer,
    /// Whether every hit is passed on at once, for receivers that work on each.
    pub(crate) eager: bool,
    streaming: AtomicBool,
    held: AtomicUsize,
    started: Instant,
    hold: Duration,
    clock: Clock,
}

impl<'a> StreamPlan<'a> {
    /// Hits are held back for `hold` at most.
    pub(crate) fn new(
        outlet: &'a Outlet<'a>,
        renderer: &'a Renderer,
        hold: Duration,
        eager: bool,
    ) -> StreamPlan<'a> {
        StreamPlan {
            outlet,
            renderer,
            eager,
            streaming: AtomicBool::new(eager || hold.is_zero()),
            held: AtomicUsize::new(0),
            started: Instant::now(),
            hold,
            clock: Clock::default(),
        }
    }

    /// Writes what workers laid down, from time to time, until the answer of
    /// [`StreamPlan::stop_clock`] is dropped.
    pub(crate) fn run_clock(&self) {
        let first = match self.streaming.load(Ordering::Relaxed) {
            true => WRITE_PAUSE,
            false => self.hold.saturating_sub(self.started.elapsed()),
        };
        self.clock.run(first, WRITE_PAUSE, |pending| {
            self.streaming.store(true, Ordering::Relaxed);
            pending.write(self.outlet);
        });
    }

    /// Stops the clock when the answer is dropped.
    pub(crate) fn stop_clock(&self) -> StopClock<'_> {
        self.clock.stop_at_end()
    }

    /// Tells what the workers still hold, in order if everything was held.
    pub(crate) fn finish(&self, streams: Vec<Stream<'_>>) {
        let mut held = Vec::new();
        for mut stream in streams {
            stream.pick_up();
            held.push(std::mem::take(&mut stream.own.held));
            stream.write();
        }
        self.outlet.write(&in_order(&held));
    }
}

/// One worker's hits.
pub(crate) struct Stream<'a> {
    plan: &'a StreamPlan<'a>,
    /// Has [`StreamPlan::run_clock`] called on a thread of its own.
    start_clock: &'a (dyn Fn() + Sync),
    /// The short way for a hit, once nothing is held back any more: its path and nothing else.
    fast: Option<Plain>,
    own: Pending,
    /// The path of the hit in hand, while hits are held back.
    path: Vec<u8>,
    /// Where hits lie while the worker reads.
    shelf: Shelf,
    is_laid_down: bool,
    /// Whether more directories follow, for which the hits of this one should not wait.
    goes_on: bool,
    written: Instant,
}

impl<'a> Stream<'a> {
    pub(crate) fn new(plan: &'a StreamPlan<'a>, start_clock: &'a (dyn Fn() + Sync)) -> Stream<'a> {
        Stream {
            plan,
            start_clock,
            fast: None,
            own: Pending::default(),
            path: Vec::new(),
            shelf: plan.clock.shelf(),
            is_laid_down: false,
            goes_on: false,
            written: plan.started,
        }
    }

    #[inline]
    fn hit(&mut self, entry: &LiveEntry<'_>) {
        let Some(plain) = self.fast else {
            return self.hit_slowly(entry);
        };
        self.own.hits += 1;
        plain.push(entry, &mut self.own.out);
        if self.own.out.len() >= WRITE_BYTES {
            self.write();
        }
    }

    fn hit_slowly(&mut self, entry: &LiveEntry<'_>) {
        if !self.plan.outlet.admit() {
            return;
        }
        self.pick_up();
        self.own.hits += 1;
        if !self.plan.streaming.load(Ordering::Relaxed) {
            return self.hold(entry);
        }
        if !self.plan.eager && !self.plan.outlet.is_limited() {
            self.fast = self.plan.renderer.plain();
        }
        self.plan.renderer.render(entry, &mut self.own.out);
        if self.plan.eager || self.own.out.len() >= WRITE_BYTES {
            self.write();
        }
    }

    fn hold(&mut self, entry: &LiveEntry<'_>) {
        self.path.clear();
        entry.push_path(&mut self.path);
        let render = |out: &mut Vec<u8>| self.plan.renderer.render(entry, out);
        self.own.held.push(&self.path, render);
        if self.plan.held.fetch_add(1, Ordering::Relaxed) >= MOST_HELD {
            self.plan.streaming.store(true, Ordering::Relaxed);
        }
    }

    fn write(&mut self) {
        self.own.write(self.plan.outlet);
    }

    /// Lays hits down where the clock finds them if the next reading takes long.
    fn lay_down(&mut self) {
        if self.own.is_empty() {
            return;
        }
        std::mem::swap(&mut *lock(&self.shelf), &mut self.own);
        self.is_laid_down = true;
        self.fast = None;
        if self.goes_on && self.plan.clock.must_start() {
            (self.start_clock)();
        }
    }

    /// Takes the hits back that were laid down, if the clock has not written them.
    fn pick_up(&mut self) {
        if std::mem::take(&mut self.is_laid_down) {
            std::mem::swap(&mut *lock(&self.shelf), &mut self.own);
        }
    }
}

impl Collector for Stream<'_> {
    #[inline]
    fn take(&mut self, entry: &LiveEntry<'_>, verdict: Verdict, descends: bool) -> u64 {
        self.goes_on |= descends;
        if verdict == Verdict::Hit {
            self.hit(entry);
        }
        0
    }

    fn take_late(&mut self, _tag: u64, entry: &LiveEntry<'_>) {
        self.hit(entry);
    }

    fn pause(&mut self) {
        self.leave();
        // What follows this part may be slow, too.
        self.goes_on = true;
    }

    fn leave(&mut self) {
        if self.own.is_empty() {
            return;
        }
        let now = Instant::now();
        if !self.plan.streaming.load(Ordering::Relaxed) {
            if now.duration_since(self.plan.started) < self.plan.hold {
                return self.lay_down();
            }
            self.plan.streaming.store(true, Ordering::Relaxed);
        }
        if !self.own.held.is_empty() || now.duration_since(self.written) >= WRITE_PAUSE {
            self.written = now;
            self.write();
        }
        self.lay_down();
    }

    fn idle(&mut self) {
        self.pick_up();
        if self.plan.streaming.load(Ordering::Relaxed) {
            self.write();
        }
        self.plan.outlet.count(std::mem::take(&mut self.own.hits));
        self.lay_down();
    }
}
