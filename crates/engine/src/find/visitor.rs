//! Decides about each entry that the walk finds.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use groma_base::{FileId, Kind, Warning};
use groma_query::pattern::Pattern;
use groma_sys::Dir;
use groma_walk::{Found, Judged, Place, Step, Visitor};

use super::collect::{Collector, Verdict};
use super::entry::LiveEntry;
use super::filter::Filter;
use super::roots::RootNames;
use super::sink::Outlet;

/// What all visitors of a run share.
pub(crate) struct Plan<'a> {
    pub(crate) outlet: &'a Outlet<'a>,
    pub(crate) roots: RootNames,
    /// Filters about the entry alone, cheapest first.
    pub(crate) filters: Vec<Filter>,
    /// Filters about what lies in a directory.
    pub(crate) content_filters: Vec<Filter>,
    /// Entries whose path below the root matches one of these are left out altogether.
    pub(crate) excluded: Vec<Pattern>,
    /// Directories that hold an entry of one of these names are left out altogether.
    pub(crate) ignore_contain: Vec<Vec<u8>>,
    /// Whether directories are asked for their contents at once, at the price of opening them
    /// twice, instead of when they are read.
    pub(crate) inline: bool,
    pub(crate) min_depth: u32,
    pub(crate) prune: bool,
    /// Whether directories behind links come after all others.
    pub(crate) links_later: bool,
    /// Entries that have been told, where they could be met twice.
    pub(crate) told: Option<Told>,
}

impl Plan<'_> {
    pub(crate) fn roots(&self) -> &RootNames {
        &self.roots
    }

    /// Whether directories are judged by what they hold even if they are no hits.
    pub(crate) fn judges(&self) -> bool {
        !self.ignore_contain.is_empty() && !self.inline
    }
}

/// Entries that have been told: directory and name.
#[derive(Default)]
pub(crate) struct Told(Mutex<HashSet<(FileId, Vec<u8>)>>);

impl Told {
    /// Notes an entry. `false` when it was told before.
    fn insert(&self, dir: FileId, name: &[u8]) -> bool {
        let mut told = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        told.insert((dir, name.to_vec()))
    }
}

/// One worker's visitor.
pub(crate) struct FindVisitor<'a, C> {
    plan: &'a Plan<'a>,
    pub(crate) collector: C,
    /// Clones of the plan's: the working memory of a regular expression serves one thread best.
    filters: Vec<Filter>,
    content_filters: Vec<Filter>,
    excluded: Vec<Pattern>,
    scratch: Vec<u8>,
}

impl<'a, C: Collector> FindVisitor<'a, C> {
    pub(crate) fn new(plan: &'a Plan<'a>, collector: C) -> Self {
        FindVisitor {
            plan,
            collector,
            filters: plan.filters.clone(),
            content_filters: plan.content_filters.clone(),
            excluded: plan.excluded.clone(),
            scratch: Vec::new(),
        }
    }

    /// Decides about a root that is no directory.
    pub(crate) fn lone(&mut self, dir: &Dir, entry: &LiveEntry<'_>) {
        if self.plan.min_depth > 0 {
            return;
        }
        let mut hit = self.passes(entry) && self.passes_on_contents(entry);
        if let (true, Some(told)) = (hit, &self.plan.told) {
            let id = dir.own_metadata(false).map(|meta| meta.id);
            hit = id.map_or(true, |id| told.insert(id, entry.entry_name.to_bytes()));
        }
        let verdict = if hit { Verdict::Hit } else { Verdict::Miss };
        self.collector.take(entry, verdict, false);
        self.warn_of_failure(entry);
    }

    #[inline]
    fn passes(&mut self, entry: &LiveEntry<'_>) -> bool {
        let scratch = &mut self.scratch;
        self.filters
            .iter()
            .all(|filter| filter.matches(entry, scratch))
    }

    fn passes_on_contents(&mut self, entry: &LiveEntry<'_>) -> bool {
        let scratch = &mut self.scratch;
        self.content_filters
            .iter()
            .all(|filter| filter.matches(entry, scratch))
    }

    /// Whether the path below the root matches an expression that leaves it out.
    fn is_excluded(&mut self, place: &Place<'_>, entry: &LiveEntry<'_>) -> bool {
        self.scratch.clear();
        entry.push_path(&mut self.scratch);
        let below = &self.scratch[place.prefix_len..];
        self.excluded.iter().any(|pattern| pattern.is_match(below))
    }

    /// What can be said of an entry before a directory's contents are known.
    #[inline]
    fn verdict(&mut self, place: &Place<'_>, entry: &LiveEntry<'_>) -> Verdict {
        let plan = self.plan;
        if entry.depth < plan.min_depth || !self.passes(entry) {
            return Verdict::Miss;
        }
        if let (Some(told), Some(dir)) = (&plan.told, place.id)
            && !told.insert(dir, entry.entry_name.to_bytes())
        {
            return Verdict::Miss;
        }
        if plan.content_filters.is_empty() {
            return Verdict::Hit;
        }
        match entry.kind {
            Kind::Dir => Verdict::Later,
            _ if self.passes_on_contents(entry) => Verdict::Hit,
            _ => Verdict::Miss,
        }
    }

    #[inline]
    fn warn_of_failure(&mut self, entry: &LiveEntry<'_>) {
        if entry.has_failed() {
            self.warn_of_trouble(entry);
        }
    }

    #[cold]
    fn warn_of_trouble(&mut self, entry: &LiveEntry<'_>) {
        let Some(error) = entry.take_failure() else {
            return;
        };
        let mut path = Vec::new();
        entry.push_path(&mut path);
        let incomplete = error.kind() != std::io::ErrorKind::NotFound;
        self.plan.outlet.warn(&Warning {
            path,
            action: "stat",
            error,
            incomplete,
        });
    }

    /// Whether the directory `name` holds an entry that makes it be left out, by asking.
    fn holds_marker(&self, dir: &Dir, name: &[u8]) -> bool {
        self.plan.ignore_contain.iter().any(|wanted| {
            let path = groma_sys::c_name(&[name, b"/", wanted].concat());
            path.is_some_and(|path| dir.stat(&path, true, false).is_ok())
        })
    }

    /// Whether a directory that was read holds an entry that makes it be left out.
    fn is_marked(&self, judged: &Judged<'_>) -> bool {
        let (Some(dir), Some(contents)) = (judged.dir, judged.contents) else {
            return false;
        };
        self.plan.ignore_contain.iter().any(|wanted| {
            let direct = || contents.entries().any(|entry| entry.name() == &wanted[..]);
            // A name with a slash lies deeper, and a link counts only if it leads somewhere.
            let leads = || {
                let name = groma_sys::c_name(wanted);
                name.is_some_and(|name| dir.stat(&name, true, false).is_ok())
            };
            (wanted.contains(&b'/') || direct()) && leads()
        })
    }

    /// Tells a directory, and how the walk goes on there.
    fn directory(
        &mut self,
        place: &Place<'_>,
        found: &Found<'_>,
        entry: &LiveEntry<'_>,
        mut verdict: Verdict,
    ) -> Step {
        if self.plan.inline && self.holds_marker(place.dir, entry.entry_name.to_bytes()) {
            return Step::Skip;
        }
        let judged = verdict == Verdict::Later || self.plan.judges();
        if judged && verdict == Verdict::Hit {
            verdict = Verdict::Later;
        }
        let descends = found.enterable && !(self.plan.prune && verdict == Verdict::Hit);
        let mark = self.collector.take(entry, verdict, descends || judged);
        self.warn_of_failure(entry);
        if judged {
            // The lowest bit of a judged directory's tag tells whether it can still be a hit.
            return Step::Judge(mark << 1 | u64::from(verdict == Verdict::Later));
        }
        self.step(entry, found, mark, verdict == Verdict::Hit)
    }

    /// How the walk goes on at a directory.
    fn step(&self, entry: &LiveEntry<'_>, found: &Found<'_>, mark: u64, hit: bool) -> Step {
        if !found.enterable || (hit && self.plan.prune) {
            return Step::Skip;
        }
        if self.plan.links_later && found.target.is_some() && entry.kind == Kind::Dir {
            return Step::Later(mark);
        }
        Step::Enter(mark)
    }
}

impl<C: Collector> Visitor for FindVisitor<'_, C> {
    fn enter(&mut self, place: &Place<'_>) {
        self.collector.enter(place.root, place.tag);
    }

    #[inline]
    fn entry(&mut self, place: &Place<'_>, found: &Found<'_>) -> Step {
        let entry = LiveEntry::found(&self.plan.roots, place, found);
        if !self.excluded.is_empty() && self.is_excluded(place, &entry) {
            return Step::Skip;
        }
        let verdict = self.verdict(place, &entry);
        if found.kind == Kind::Dir {
            return self.directory(place, found, &entry, verdict);
        }
        self.collector.take(&entry, verdict, false);
        self.warn_of_failure(&entry);
        Step::Skip
    }

    fn judge(&mut self, judged: &Judged<'_>) -> Step {
        let (mark, open) = (judged.tag >> 1, judged.tag & 1 == 1);
        if self.is_marked(judged) {
            return Step::Skip;
        }
        if judged.depth == 0 {
            return Step::Enter(0);
        }
        let entry = LiveEntry::judged(&self.plan.roots, judged);
        let hit = open && self.passes_on_contents(&entry);
        if hit {
            self.collector.take_late(mark, &entry);
        }
        self.warn_of_failure(&entry);
        if judged.enterable && !(hit && self.plan.prune) {
            Step::Enter(mark)
        } else {
            Step::Skip
        }
    }

    fn pause(&mut self) {
        self.collector.pause();
    }

    fn leave(&mut self, _place: &Place<'_>) {
        self.collector.leave();
    }

    fn idle(&mut self) {
        self.collector.idle();
    }

    fn warn(&mut self, warning: Warning) {
        self.plan.outlet.warn(&warning);
    }
}
