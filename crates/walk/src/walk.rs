//! A walk, whole or in parts.

use std::sync::Arc;

use crate::budget::Budget;
use crate::crew::Crew;
use crate::node::{DirNode, Handle};
use crate::options::{Root, WalkOptions};
use crate::task::{Purpose, Task};
use crate::visited::Visited;
use crate::visitor::Visitor;

/// A walk over some roots.
pub struct Walk {
    pub(crate) options: WalkOptions,
    pub(crate) roots: Vec<Root>,
    pub(crate) budget: Budget,
    pub(crate) visited: Visited,
    /// The roots' file systems, where others are left out.
    pub(crate) devices: Vec<Option<u64>>,
}

/// Directories found but not read yet.
#[derive(Default)]
pub struct Frontier(Vec<Task>);

/// How far a run goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// To the ends, but for what a visitor puts off ([`crate::Step::Later`]).
    Whole,
    /// One level down.
    Level,
}

impl Frontier {
    /// Whether nothing is left to read.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds the directories of another frontier.
    pub fn append(&mut self, mut other: Frontier) {
        self.0.append(&mut other.0);
    }

    /// One frontier per root, in the order they were given.
    pub fn by_root(self) -> Vec<Frontier> {
        self.0
            .into_iter()
            .map(|task| Frontier(vec![task]))
            .collect()
    }

    /// One frontier per directory, in the order of their paths.
    pub fn one_by_one(mut self) -> Vec<Frontier> {
        self.0.sort_by(Task::compare);
        self.0
            .into_iter()
            .map(|task| Frontier(vec![task]))
            .collect()
    }
}

impl Walk {
    /// Plans a walk; nothing is read yet.
    pub fn new(options: WalkOptions, roots: Vec<Root>) -> Walk {
        let devices = match options.one_file_system {
            true => roots.iter().map(|root| root.device().ok()).collect(),
            false => Vec::new(),
        };
        let held = roots.iter().filter(|root| root.opened().is_some()).count();
        let budget = Budget::new(options.threads, options.reserved_descriptors, held);
        Walk {
            options,
            roots,
            budget,
            visited: Visited::default(),
            devices,
        }
    }

    /// The roots, by the index that a [`crate::Place`] tells.
    pub fn roots(&self) -> &[Root] {
        &self.roots
    }

    /// Where a walk begins: all roots. `judge`: [`Visitor::judge`] is asked about them too.
    pub fn start(&self, judge: bool) -> Frontier {
        let purpose = if judge {
            Purpose::Judge
        } else {
            Purpose::Enter
        };
        let task = |(root, it): (usize, &Root)| Task {
            parent: Arc::new(DirNode {
                root,
                depth: 0,
                path: it.prefix.clone().into(),
                handle: Handle::Root,
                rules: None,
                lineage: None,
                watch: None,
            }),
            name: None,
            purpose,
            tag: it.tag,
            enterable: self.options.max_depth != Some(0),
            through_link: false,
        };
        Frontier(self.roots.iter().enumerate().map(task).collect())
    }

    /// Walks on from `frontier`. `make` makes a visitor for each worker that starts; they come
    /// back in no particular order, with what is left to read.
    pub fn run<V: Visitor>(
        &self,
        frontier: Frontier,
        reach: Reach,
        make: impl Fn(usize) -> V + Sync,
    ) -> (Vec<V>, Frontier) {
        let mut visitors = Vec::new();
        let mut next = Vec::new();
        for mut finished in Crew::new(self, reach == Reach::Level, make).run(frontier.0) {
            visitors.push(finished.visitor);
            next.append(&mut finished.next);
        }
        (visitors, Frontier(next))
    }
}
