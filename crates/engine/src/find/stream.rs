//! Hits as they come. A short result is held back and told in order, as fd does.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use groma_base::compare_paths;

use super::collect::{Collector, Verdict};
use super::entry::LiveEntry;
use super::render::{Plain, Renderer};
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
        }
    }

    /// Tells what the workers still hold, in order if everything was held.
    pub(crate) fn finish(&self, streams: Vec<Stream<'_>>) {
        let mut held: Vec<Held> = streams.into_iter().flat_map(|stream| stream.held).collect();
        held.sort_by(|a, b| compare_paths(&a.path, &b.path));
        let text: Vec<u8> = held.into_iter().flat_map(|hit| hit.text).collect();
        self.outlet.write(&text);
    }
}

/// One worker's hits.
pub(crate) struct Stream<'a> {
    plan: &'a StreamPlan<'a>,
    /// The short way for a hit, once nothing is held back any more: its path and nothing else.
    fast: Option<Plain>,
    out: Vec<u8>,
    hits: u64,
    held: Vec<Held>,
    written: Instant,
}

/// A hit that is held back.
struct Held {
    path: Vec<u8>,
    text: Vec<u8>,
}

impl<'a> Stream<'a> {
    pub(crate) fn new(plan: &'a StreamPlan<'a>) -> Stream<'a> {
        Stream {
            plan,
            fast: None,
            out: Vec::new(),
            hits: 0,
            held: Vec::new(),
            written: plan.started,
        }
    }

    #[inline]
    fn hit(&mut self, entry: &LiveEntry<'_>) {
        let Some(plain) = self.fast else {
            return self.hit_slowly(entry);
        };
        self.hits += 1;
        plain.push(entry, &mut self.out);
        if self.out.len() >= WRITE_BYTES {
            self.write();
        }
    }

    fn hit_slowly(&mut self, entry: &LiveEntry<'_>) {
        if !self.plan.outlet.admit() {
            return;
        }
        self.hits += 1;
        if !self.plan.streaming.load(Ordering::Relaxed) {
            return self.hold(entry);
        }
        if !self.plan.eager && !self.plan.outlet.is_limited() {
            self.fast = self.plan.renderer.plain();
        }
        self.plan.renderer.render(entry, &mut self.out);
        if self.plan.eager || self.out.len() >= WRITE_BYTES {
            self.write();
        }
    }

    fn hold(&mut self, entry: &LiveEntry<'_>) {
        let mut hit = Held {
            path: Vec::new(),
            text: Vec::new(),
        };
        entry.push_path(&mut hit.path);
        self.plan.renderer.render(entry, &mut hit.text);
        self.held.push(hit);
        if self.plan.held.fetch_add(1, Ordering::Relaxed) >= MOST_HELD {
            self.plan.streaming.store(true, Ordering::Relaxed);
        }
    }

    fn write(&mut self) {
        for hit in self.held.drain(..) {
            self.out.extend_from_slice(&hit.text);
        }
        self.plan.outlet.write(&self.out);
        self.plan.outlet.count(std::mem::take(&mut self.hits));
        self.out.clear();
    }
}

impl Collector for Stream<'_> {
    #[inline]
    fn take(&mut self, entry: &LiveEntry<'_>, verdict: Verdict, _descends: bool) -> u64 {
        if verdict == Verdict::Hit {
            self.hit(entry);
        }
        0
    }

    fn take_late(&mut self, _tag: u64, entry: &LiveEntry<'_>) {
        self.hit(entry);
    }

    fn leave(&mut self) {
        if self.out.is_empty() && self.held.is_empty() {
            return;
        }
        let now = Instant::now();
        if !self.plan.streaming.load(Ordering::Relaxed) {
            if now.duration_since(self.plan.started) < self.plan.hold {
                return;
            }
            self.plan.streaming.store(true, Ordering::Relaxed);
        }
        if !self.held.is_empty() || now.duration_since(self.written) >= WRITE_PAUSE {
            self.written = now;
            self.write();
        }
    }

    fn idle(&mut self) {
        if self.plan.streaming.load(Ordering::Relaxed) {
            self.write();
        }
        self.plan.outlet.count(std::mem::take(&mut self.hits));
    }
}
