//! A search from request to outcome.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use groma_base::{CancelToken, compare_paths};
use groma_query::pattern::Pattern;
use groma_walk::rules::{RuleError, RuleSettings, Rules};
use groma_walk::{Frontier, Reach, Visitor, Walk, WalkOptions};

use super::collect::Collector;
use super::entry::{LiveEntry, LonePath};
use super::filter::Filter;
use super::order::{Order, SortField};
use super::render::{Renderer, Style};
use super::roots::{self, Opened, RootNames, RootSpec};
use super::sink::{Outcome, Outlet, Sink};
use super::stream::{Stream, StreamPlan};
use super::tree::{Forest, Level, Tree, TreePlan, sort_by_key};
use super::visitor::{FindVisitor, Plan, Told};
use super::writer::Writer;

/// What is searched for, where, and how it is told.
pub struct FindRequest {
    /// Where to search.
    pub roots: Vec<RootSpec>,
    /// What a hit must be like.
    pub filters: Vec<Filter>,
    /// Entries whose path below the root matches one of these are left out.
    pub excluded: Vec<Pattern>,
    /// Hits lie at least this far from their root.
    pub min_depth: u32,
    /// Hits lie at most this far from their root.
    pub max_depth: Option<u32>,
    /// Whether hidden entries are seen.
    pub hidden: bool,
    /// Whether symbolic links are followed.
    pub follow: bool,
    /// Whether each directory is entered once only, links after all others.
    pub unique: bool,
    /// Whether other file systems than the root's are left out.
    pub one_file_system: bool,
    /// Whether directories that are hits are not entered.
    pub prune: bool,
    /// Directories that hold an entry of one of these names are left out.
    pub ignore_contain: Vec<Vec<u8>>,
    /// Ignore rules, if any.
    pub rules: Option<RuleSettings>,
    /// Most threads.
    pub threads: usize,
    /// Most hits.
    pub limit: Option<u64>,
    /// In which order hits are told.
    pub order: Order,
    /// How long a short result is held back to be told in order.
    pub hold: Duration,
    /// Whether each hit is passed on at once.
    pub eager: bool,
    /// Descriptors that the receiver of hits needs for itself.
    pub reserved_descriptors: u64,
    /// Whether entries' birth times will be asked for.
    pub wants_birth: bool,
    /// Whether directories' identities will be asked for.
    pub wants_ids: bool,
    /// The working directory, absolute.
    pub cwd: PathBuf,
    /// Ends the search early.
    pub cancel: CancelToken,
}

/// Searches, and tells the hits to `sink` as `renderer` writes them.
///
/// # Errors
/// When a rule that was asked for cannot be read. Trouble on the way goes to `sink` as warnings.
pub fn find(
    mut request: FindRequest,
    renderer: &Renderer,
    sink: &dyn Sink,
) -> Result<Outcome, RuleError> {
    let outlet = Outlet::new(sink, request.cancel.clone(), request.stream_limit());
    request.wants_birth |= matches!(renderer.style, Style::Json(_));
    let search = Search::prepare(request, &outlet)?;
    match search.request.order {
        Order::Arrival => search.stream(renderer),
        Order::Path => search.tree(renderer, None),
        Order::By(field) => search.tree(renderer, Some(field)),
        Order::Breadth => search.breadth(renderer),
    }
    let notes = search.notes;
    Ok(outlet.into_outcome(notes))
}

impl FindRequest {
    /// In an order, the limit cuts off at the end; without one, the first hits will do.
    fn stream_limit(&self) -> Option<u64> {
        self.limit.filter(|_| self.order == Order::Arrival)
    }
}

/// A search with its roots opened and its rules read.
pub(crate) struct Search<'a> {
    pub(crate) request: Remaining,
    walk: Walk,
    plan: Plan<'a>,
    files: Vec<RootSpec>,
    overlapping: bool,
    pub(crate) notes: Vec<String>,
    visitors: AtomicUsize,
}

/// What is still of interest of a request once a search is prepared.
pub(crate) struct Remaining {
    order: Order,
    limit: Option<u64>,
    hold: Duration,
    eager: bool,
    follow: bool,
    cancel: CancelToken,
}

impl<'a> Search<'a> {
    /// Opens the roots and reads the rules. What fails there is told as a warning.
    pub(crate) fn prepare(
        mut request: FindRequest,
        outlet: &'a Outlet<'a>,
    ) -> Result<Search<'a>, RuleError> {
        let opened = roots::open(std::mem::take(&mut request.roots));
        opened
            .failed
            .iter()
            .for_each(|warning| outlet.root_failed(warning));
        let mut notes = opened.notes.clone();
        let rules = read_rules(request.rules.take(), &mut notes)?;
        let wants_birth = request.wants_birth
            || request.filters.iter().any(Filter::needs_birth)
            || request.order == Order::By(SortField::Created);
        let Opened {
            dirs,
            files,
            overlapping,
            ..
        } = opened;
        let specs = dirs.iter().map(|(spec, _)| spec.clone()).collect();
        let names = RootNames::new(specs, files.clone(), &request.cwd, wants_birth);
        let options = WalkOptions {
            threads: request.threads,
            max_depth: request.max_depth,
            hidden: request.hidden,
            follow: request.follow,
            one_file_system: request.one_file_system,
            identities: overlapping || request.wants_ids,
            // Of nested roots each entry is told once anyhow; that the inner one was entered
            // before must not end it where a depth limit ended the outer one.
            unique: request.unique && (request.follow || !overlapping),
            rules,
            reserved_descriptors: request.reserved_descriptors,
            cancel: request.cancel.clone(),
        };
        let walk = Walk::new(options, roots::into_walk_roots(dirs, &names));
        let remaining = Remaining {
            order: request.order,
            limit: request.limit,
            hold: request.hold,
            eager: request.eager,
            follow: request.follow,
            cancel: request.cancel.clone(),
        };
        let plan = make_plan(request, names, overlapping, outlet);
        Ok(Search {
            request: remaining,
            walk,
            plan,
            files,
            overlapping,
            notes,
            visitors: AtomicUsize::new(0),
        })
    }

    /// Runs the whole search. `make` makes a collector, given a number that no other has.
    pub(crate) fn collect<C: Collector>(&self, make: impl Fn(usize) -> C + Sync) -> Vec<C> {
        let visitor = |_| FindVisitor::new(&self.plan, make(self.next_number()));
        let mut collectors = vec![self.collect_files(visitor(0))];
        let start = self.walk.start(self.plan.judges());
        let mut waiting: std::collections::VecDeque<Frontier> = match self.overlapping {
            true => start.by_root().into(),
            false => [start].into(),
        };
        while let Some(frontier) = waiting.pop_front() {
            let (visitors, later) = self.walk.run(frontier, Reach::Whole, visitor);
            collectors.extend(visitors.into_iter().map(|visitor| visitor.collector));
            waiting.extend(later.one_by_one());
        }
        collectors
    }

    pub(crate) fn roots(&self) -> &RootNames {
        self.plan.roots()
    }

    fn next_number(&self) -> usize {
        self.visitors.fetch_add(1, Ordering::Relaxed)
    }

    /// Decides about the roots that are no directories.
    fn collect_files<C: Collector>(&self, mut visitor: FindVisitor<'_, C>) -> C {
        let first = self.walk.roots().len();
        for (index, spec) in self.files.iter().enumerate() {
            let lone = roots::lone(spec, self.request.follow);
            let name = roots::lone_name(spec);
            let (Ok((dir, metadata, follow)), Some(name)) = (lone, name) else {
                continue;
            };
            let shown = groma_sys::path_bytes(&spec.path);
            let parent = &shown[..shown.len().saturating_sub(name.as_bytes().len())];
            let at = LonePath {
                parent,
                name: &name,
                metadata: &metadata,
                follow,
            };
            let root = first + index;
            visitor.collector.enter(root, 0);
            visitor.lone(&dir, &LiveEntry::lone(self.plan.roots(), root, &dir, &at));
            visitor.collector.leave();
        }
        visitor.collector.idle();
        visitor.collector
    }

    fn stream(&self, renderer: &Renderer) {
        let Remaining { hold, eager, .. } = self.request;
        let plan = StreamPlan::new(self.plan.outlet, renderer, hold, eager);
        std::thread::scope(|scope| {
            let stop = plan.stop_clock();
            let start = || {
                let clock = std::thread::Builder::new().spawn_scoped(scope, || plan.run_clock());
                // Without it hits may come late, not never.
                drop(clock);
            };
            let streams = self.collect(|_| Stream::new(&plan, &start));
            drop(stop);
            plan.finish(streams);
        });
    }

    fn tree(&self, renderer: &Renderer, key: Option<SortField>) {
        // Nested roots' entries lie among each other.
        let key = key.or(self.overlapping.then_some(SortField::Path));
        let plain = renderer.plain().filter(|_| key.is_none());
        let plan = TreePlan {
            renderer,
            key,
            plain,
        };
        let trees = self.collect(|number| Tree::new(&plan, number));
        if self.request.cancel.is_cancelled() {
            return;
        }
        let forest = Forest::new(&trees);
        let mut writer = Writer::new(self.plan.outlet, self.request.limit);
        let ranks = self.root_ranks();
        if let Some(plain) = plain {
            let roots = self.plan.roots();
            let prefixes: Vec<&[u8]> = (0..roots.len())
                .map(|root| roots.shown_before(root))
                .collect();
            forest.each_path(&ranks, &prefixes, plain, |path| writer.push(path));
        } else if key.is_none() {
            forest.each(&ranks, |hit| writer.push(hit.text));
        } else {
            let mut hits = Vec::new();
            forest.each(&ranks, |hit| hits.push(hit.clone()));
            sort_by_key(&mut hits);
            hits.iter().for_each(|hit| writer.push(hit.text));
        }
        writer.finish();
    }

    fn breadth(&self, renderer: &Renderer) {
        let plan = TreePlan {
            renderer,
            key: None,
            plain: None,
        };
        let mut writer = Writer::new(self.plan.outlet, self.request.limit);
        let files = FindVisitor::new(&self.plan, Tree::new(&plan, self.next_number()));
        let files = [self.collect_files(files)];
        Forest::new(&files).each(&self.root_ranks(), |hit| writer.push(hit.text));
        let mut level = Level::start(self.root_ranks());
        let mut frontier = self.walk.start(false);
        while !frontier.is_empty() && !writer.is_full() && !self.request.cancel.is_cancelled() {
            let make = |_| FindVisitor::new(&self.plan, Tree::new(&plan, self.next_number()));
            let (visitors, next) = self.level(frontier, make);
            let trees: Vec<Tree<'_>> = visitors.into_iter().map(|v| v.collector).collect();
            level = level.tell(&trees, |text| writer.push(text));
            writer.flush();
            frontier = next;
        }
        writer.finish();
    }

    /// Reads the directories of one level; one after the other, in the order of their paths, where
    /// several of them may be the same and only the first is entered.
    fn level<V: Visitor>(
        &self,
        frontier: Frontier,
        make: impl Fn(usize) -> V + Sync,
    ) -> (Vec<V>, Frontier) {
        if !self.plan.links_later {
            return self.walk.run(frontier, Reach::Level, make);
        }
        let (mut visitors, mut next) = (Vec::new(), Frontier::default());
        for directory in frontier.one_by_one() {
            let (some, below) = self.walk.run(directory, Reach::Level, &make);
            visitors.extend(some);
            next.append(below);
        }
        (visitors, next)
    }

    /// The place of each root in the order of paths.
    fn root_ranks(&self) -> Vec<usize> {
        let names = self.plan.roots();
        let mut order: Vec<usize> = (0..names.len()).collect();
        order.sort_by(|a, b| compare_paths(names.prefix(*a), names.prefix(*b)));
        let mut ranks = vec![0; order.len()];
        order
            .into_iter()
            .enumerate()
            .for_each(|(rank, root)| ranks[root] = rank);
        ranks
    }
}

fn make_plan<'a>(
    request: FindRequest,
    roots: RootNames,
    overlapping: bool,
    outlet: &'a Outlet<'a>,
) -> Plan<'a> {
    // Level by level, a directory must be known to be a hit before the next level is read.
    let inline = request.order == Order::Breadth;
    let mut filters = request.filters;
    filters.sort_by_key(Filter::cost);
    let (content_filters, filters) = filters
        .into_iter()
        .partition(|filter| filter.needs_contents() && !inline);
    Plan {
        outlet,
        roots,
        filters,
        content_filters,
        excluded: request.excluded,
        ignore_contain: request.ignore_contain,
        inline,
        min_depth: request.min_depth,
        prune: request.prune,
        links_later: request.unique && request.follow,
        told: overlapping.then(Told::default),
    }
}

fn read_rules(
    settings: Option<RuleSettings>,
    notes: &mut Vec<String>,
) -> Result<Option<Rules>, RuleError> {
    let Some(settings) = settings else {
        return Ok(None);
    };
    let (rules, warnings) = Rules::new(settings)?;
    notes.extend(warnings.iter().map(ToString::to_string));
    Ok(Some(rules))
}
