//! The rules that hold in one directory, and the question put to them for each entry.

use std::sync::Arc;

use super::entry_path::EntryPath;
use super::set::{PatternSet, Probe, Verdict};

/// Where a layer comes from. A smaller source beats a larger one, whatever the directories; among
/// equals the deeper directory wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Source {
    Exclude,
    /// A custom name; counted so that a later name is smaller.
    Custom(u8),
    DotIgnore,
    GitIgnore,
    InfoExclude,
    ExcludesFile,
    /// A file named by the user; counted so that a later one is smaller.
    Given(u32),
}

impl Source {
    /// Whether a repository inside of another one does without it.
    pub(super) fn ends_at_repository(self) -> bool {
        matches!(
            self,
            Source::GitIgnore | Source::InfoExclude | Source::ExcludesFile
        )
    }
}

/// Which of a root's two paths a layer's directory is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum View {
    /// The path without links: rule files lie somewhere on it.
    Physical,
    /// The path as given: what patterns on the command line are about.
    Given,
}

/// Where a layer's patterns are anchored: at this many bytes into an entry's absolute path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Base {
    pub(super) view: View,
    pub(super) offset: usize,
}

/// One source of rules, at its place.
#[derive(Clone, Debug)]
pub(super) struct Layer {
    pub(super) source: Source,
    pub(super) base: Base,
    pub(super) set: Arc<PatternSet>,
}

/// The absolute paths of a root, without leading and with trailing `/`.
#[derive(Debug)]
pub(super) struct RootPaths {
    pub(super) physical: Vec<u8>,
    /// The path as given; `None` when it is the same.
    pub(super) given: Option<Vec<u8>>,
}

impl RootPaths {
    /// The view that layers anchored on the given path should use.
    pub(super) fn given_view(&self) -> View {
        if self.given.is_some() {
            View::Given
        } else {
            View::Physical
        }
    }

    pub(super) fn given(&self) -> &[u8] {
        self.given.as_deref().unwrap_or(&self.physical)
    }
}

/// The rules of one directory. Directories without rule files share their parent's.
#[derive(Clone, Debug)]
pub struct RuleNode {
    pub(super) root: Arc<RootPaths>,
    /// What wins comes first.
    pub(super) layers: Vec<Layer>,
    /// Whether the directory lies in a repository.
    pub(super) in_repository: bool,
}

impl RuleNode {
    /// Puts a layer before all that are not stronger: a later, deeper one of the same source wins.
    pub(super) fn add(&mut self, layer: Layer) {
        if layer.set.is_empty() {
            return;
        }
        let at = self
            .layers
            .partition_point(|other| other.source < layer.source);
        self.layers.insert(at, layer);
    }

    /// Whether no entry of this directory, nor of any below that shares its rules, can be ignored.
    pub fn is_empty(&self) -> bool {
        self.layers.is_empty()
    }

    /// Readies the rules for the entries of one directory, given relative to the walk's root
    /// (empty for the root itself). Fastest for many entries: what the directory contributes to
    /// their paths is built once.
    pub fn matcher<'a>(&'a self, dir_from_root: &'a [u8], scratch: &'a mut Scratch) -> Matcher<'a> {
        let Scratch { physical, given } = scratch;
        Matcher {
            layers: &self.layers,
            physical: EntryPath::new(&self.root.physical, dir_from_root, physical),
            given: EntryPath::new(self.root.given(), dir_from_root, given),
        }
    }

    /// Whether a rule leaves this entry out.
    pub fn is_ignored(
        &self,
        dir_from_root: &[u8],
        name: &[u8],
        is_dir: bool,
        scratch: &mut Scratch,
    ) -> bool {
        self.matcher(dir_from_root, scratch).verdict(name, is_dir) == Verdict::Ignored
    }
}

/// Buffers that matching needs; keep one per thread.
#[derive(Debug, Default)]
pub struct Scratch {
    physical: Vec<u8>,
    given: Vec<u8>,
}

/// The rules, ready for the entries of one directory.
pub struct Matcher<'a> {
    layers: &'a [Layer],
    physical: EntryPath<'a>,
    given: EntryPath<'a>,
}

impl Matcher<'_> {
    /// What the rules say about one entry of the directory. `is_dir`: whether rules for
    /// directories apply to it; a link is a directory only if it is being followed.
    #[inline]
    pub fn verdict(&mut self, name: &[u8], is_dir: bool) -> Verdict {
        let mut probe = Probe::new(name, is_dir);
        self.physical.next_entry();
        self.given.next_entry();
        for layer in self.layers {
            let path = match layer.base.view {
                View::Physical => &mut self.physical,
                View::Given => &mut self.given,
            };
            let verdict = layer.set.verdict(&mut probe, path, layer.base.offset);
            if verdict != Verdict::Undecided {
                return verdict;
            }
        }
        Verdict::Undecided
    }
}
