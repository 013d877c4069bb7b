//! Hits in order: each directory's are sorted as it is read, and the directories are put together
//! at the end. Nothing as large as the whole result is ever sorted by path.

use std::ops::Range;

use groma_base::{Facts, Kind, compare_names, folded_word};
use rayon::slice::ParallelSliceMut;

use super::collect::{Collector, Verdict};
use super::entry::LiveEntry;
use super::order::{Key, SortField};
use super::render::{Plain, Renderer};

/// What the trees of all workers share.
pub(crate) struct TreePlan<'a> {
    pub(crate) renderer: &'a Renderer,
    /// What hits are sorted by, if not by path.
    pub(crate) key: Option<SortField>,
    /// The short way to render, where it serves: hits are written when they are told, from their
    /// names, and no paths are kept.
    pub(crate) plain: Option<Plain>,
}

/// One worker's part of the tree.
pub(crate) struct Tree<'a> {
    plan: &'a TreePlan<'a>,
    /// Number of the worker: upper part of the marks it gives.
    worker: u64,
    given: u64,
    bytes: Vec<u8>,
    nodes: Vec<Node>,
    keys: Vec<Key>,
    directories: Vec<Directory>,
    late: Vec<(u64, Range<usize>, Key)>,
    current: Current,
}

/// The directory that is being told.
struct Current {
    root: usize,
    tag: u64,
    start: usize,
}

/// A directory that was told: where its nodes are.
struct Directory {
    root: usize,
    tag: u64,
    nodes: Range<usize>,
}

/// An entry that is a hit, or leads to some.
struct Node {
    /// Where its name is in `bytes`; what is written for it follows there.
    at: usize,
    name_len: u32,
    /// Length of what is written for it; 0 when it is no hit, or is written the short way.
    text_len: u32,
    /// The first bytes of its name, folded: they decide most comparisons.
    prefix: u64,
    /// The mark of the directory it is; 0 for none.
    mark: u64,
    /// Its key in `keys`.
    key: u32,
    is_hit: bool,
    is_dir: bool,
}

impl Node {
    fn name<'b>(&self, bytes: &'b [u8]) -> &'b [u8] {
        &bytes[self.at..][..self.name_len as usize]
    }

    fn text<'b>(&self, bytes: &'b [u8]) -> &'b [u8] {
        &bytes[self.at + self.name_len as usize..][..self.text_len as usize]
    }
}

/// Bits of a mark that count a worker's directories.
const MARK_BITS: u32 = 40;

/// A hit, found again in the order of paths.
#[derive(Clone)]
pub(crate) struct Ordered<'t> {
    /// What is written for it.
    pub(crate) text: &'t [u8],
    /// What it is sorted by.
    pub(crate) key: &'t Key,
}

impl<'a> Tree<'a> {
    pub(crate) fn new(plan: &'a TreePlan<'a>, worker: usize) -> Tree<'a> {
        Tree {
            plan,
            worker: worker as u64 + 1,
            given: 0,
            bytes: Vec::new(),
            nodes: Vec::new(),
            keys: vec![Key::None],
            directories: Vec::new(),
            late: Vec::new(),
            current: Current {
                root: 0,
                tag: 0,
                start: 0,
            },
        }
    }

    fn render(&mut self, entry: &LiveEntry<'_>) -> Range<usize> {
        let start = self.bytes.len();
        self.plan.renderer.render(entry, &mut self.bytes);
        start..self.bytes.len()
    }

    fn key_of(&self, entry: &LiveEntry<'_>) -> Key {
        self.plan.key.map_or(Key::None, |field| field.key(entry))
    }
}

impl Collector for Tree<'_> {
    fn enter(&mut self, root: usize, tag: u64) {
        self.current = Current {
            root,
            tag,
            start: self.nodes.len(),
        };
    }

    fn take(&mut self, entry: &LiveEntry<'_>, verdict: Verdict, descends: bool) -> u64 {
        let hit = verdict == Verdict::Hit;
        if !hit && !descends && verdict != Verdict::Later {
            return 0;
        }
        let mark = if descends || verdict == Verdict::Later {
            self.given += 1;
            self.worker << MARK_BITS | self.given
        } else {
            0
        };
        let at = self.bytes.len();
        self.bytes.extend_from_slice(entry.name());
        let text = match self.plan.plain {
            None if hit => self.render(entry).len(),
            _ => 0,
        };
        if hit && self.plan.key.is_some() {
            let key = self.key_of(entry);
            self.keys.push(key);
        }
        self.nodes.push(Node {
            at,
            name_len: entry.name().len() as u32,
            text_len: text as u32,
            prefix: folded_word(entry.name(), 0),
            mark,
            key: if hit { (self.keys.len() - 1) as u32 } else { 0 },
            is_hit: hit,
            is_dir: entry.kind == Kind::Dir,
        });
        mark
    }

    fn take_late(&mut self, tag: u64, entry: &LiveEntry<'_>) {
        let text = self.render(entry);
        let key = self.key_of(entry);
        self.late.push((tag, text, key));
    }

    fn leave(&mut self) {
        let Current { root, tag, start } = self.current;
        let bytes = &self.bytes;
        let by_name = |a: &Node, b: &Node| compare_names(a.name(bytes), b.name(bytes));
        self.nodes[start..]
            .sort_unstable_by(|a, b| a.prefix.cmp(&b.prefix).then_with(|| by_name(a, b)));
        self.directories.push(Directory {
            root,
            tag,
            nodes: start..self.nodes.len(),
        });
    }
}

/// Something about directories, by their marks: per worker number, per number given.
type ByMark<T> = Vec<Vec<Option<T>>>;

/// The trees of all workers, put together.
pub(crate) struct Forest<'t> {
    trees: &'t [Tree<'t>],
    /// Which tree has the directory, and where.
    places: ByMark<(usize, Range<usize>)>,
    late: ByMark<Ordered<'t>>,
    /// The roots' own: which root, which tree, where in it.
    tops: Vec<(usize, usize, Range<usize>)>,
}

impl<'t> Forest<'t> {
    pub(crate) fn new(trees: &'t [Tree<'t>]) -> Forest<'t> {
        let workers = trees
            .iter()
            .map(|tree| tree.worker as usize)
            .max()
            .unwrap_or(0)
            + 1;
        let mut forest = Forest {
            trees,
            places: (0..workers).map(|_| Vec::new()).collect(),
            late: (0..workers).map(|_| Vec::new()).collect(),
            tops: Vec::new(),
        };
        for (index, tree) in trees.iter().enumerate() {
            for Directory { root, tag, nodes } in &tree.directories {
                match tag {
                    0 => forest.tops.push((*root, index, nodes.clone())),
                    tag => *slot(&mut forest.places, *tag) = Some((index, nodes.clone())),
                }
            }
            for (tag, text, key) in &tree.late {
                let text = &tree.bytes[text.clone()];
                *slot(&mut forest.late, *tag) = Some(Ordered { text, key });
            }
        }
        forest
    }

    /// Tells every hit in the order of paths, roots in the order of `rank`.
    pub(crate) fn each(&self, rank: &[usize], mut tell: impl FnMut(&Ordered<'t>)) {
        self.traverse(rank, |step| match step {
            Step::Node(tree, node) if node.is_hit => tell(&Ordered {
                text: node.text(&tree.bytes),
                key: &tree.keys[node.key as usize],
            }),
            Step::Late(late) => tell(late),
            _ => {}
        });
    }

    /// Tells every hit in the order of paths, written from the names alone. `prefixes` stand
    /// before the paths of each root.
    pub(crate) fn each_path(
        &self,
        rank: &[usize],
        prefixes: &[&[u8]],
        plain: Plain,
        mut tell: impl FnMut(&[u8]),
    ) {
        let (mut path, mut lengths) = (Vec::new(), Vec::new());
        self.traverse(rank, |step| match step {
            Step::Root(root) => {
                path.clear();
                path.extend_from_slice(prefixes.get(root).unwrap_or(&&b""[..]));
            }
            Step::Node(tree, node) if node.is_hit => {
                let length = path.len();
                path.extend_from_slice(node.name(&tree.bytes));
                plain.push_ending(node.is_dir, &mut path);
                tell(&path);
                path.truncate(length);
            }
            Step::Node(..) => {}
            Step::Late(late) => tell(late.text),
            Step::Down(name) => {
                lengths.push(path.len());
                path.extend_from_slice(name);
                path.push(b'/');
            }
            Step::Up => path.truncate(lengths.pop().unwrap_or_default()),
        });
    }

    fn traverse(&self, rank: &[usize], mut see: impl FnMut(Step<'_, 't>)) {
        let mut tops = self.tops.clone();
        tops.sort_by_key(|(root, ..)| rank.get(*root).copied());
        for (root, tree, range) in tops {
            see(Step::Root(root));
            // Directories may be nested deeper than a thread's stack goes: no recursion.
            let mut ways = vec![(tree, range)];
            while let Some((tree, range)) = ways.last_mut() {
                let Some(at) = range.next() else {
                    ways.pop();
                    see(Step::Up);
                    continue;
                };
                let tree = &self.trees[*tree];
                let node = &tree.nodes[at];
                see(Step::Node(tree, node));
                if node.mark != 0 {
                    if let Some(late) = look(&self.late, node.mark) {
                        see(Step::Late(late));
                    }
                    if let Some(place) = look(&self.places, node.mark) {
                        see(Step::Down(node.name(&tree.bytes)));
                        ways.push(place.clone());
                    }
                }
            }
        }
    }
}

/// A step on the way through a forest.
enum Step<'f, 't> {
    /// The entries of a root follow.
    Root(usize),
    /// An entry.
    Node(&'t Tree<'t>, &'t Node),
    /// The entry just seen turned out to be a hit.
    Late(&'f Ordered<'t>),
    /// The entries of the directory of this name follow.
    Down(&'t [u8]),
    /// That was all of a directory.
    Up,
}

/// One level of a breadth-first search: the marks of its directories in order.
pub(crate) struct Level {
    /// For the roots alone, which have no marks: their places in the order of paths.
    ranks: Option<Vec<usize>>,
    marks: Vec<u64>,
}

impl Level {
    /// The level of the roots.
    pub(crate) fn start(ranks: Vec<usize>) -> Level {
        Level {
            ranks: Some(ranks),
            marks: Vec::new(),
        }
    }

    /// Tells the hits of this level, and gives the next.
    pub(crate) fn tell(&self, trees: &[Tree<'_>], mut tell: impl FnMut(&[u8])) -> Level {
        let forest = Forest::new(trees);
        let mut tops = forest.tops.clone();
        if let Some(ranks) = &self.ranks {
            tops.sort_by_key(|(root, ..)| ranks.get(*root).copied());
        }
        let tops = tops.into_iter().map(|(_, tree, nodes)| (tree, nodes));
        let below = self
            .marks
            .iter()
            .filter_map(|mark| look(&forest.places, *mark).cloned());
        let mut marks = Vec::new();
        for (tree, nodes) in tops.chain(below) {
            let tree = &trees[tree];
            for node in &tree.nodes[nodes] {
                if node.is_hit {
                    tell(node.text(&tree.bytes));
                }
                if node.mark != 0 {
                    marks.push(node.mark);
                }
            }
        }
        Level { ranks: None, marks }
    }
}

/// Fewer hits than this are sorted before other threads have begun.
const SORTED_TOGETHER: usize = 16 * 1024;

/// Sorts hits that are in the order of paths by their keys; equal ones stay in that order. Where no
/// further threads can be had, one does it.
pub(crate) fn sort_by_key(hits: &mut [Ordered<'_>]) {
    let pool = (hits.len() >= SORTED_TOGETHER).then(|| rayon::ThreadPoolBuilder::new().build());
    match pool {
        Some(Ok(pool)) => pool.install(|| hits.par_sort_by(|a, b| a.key.cmp(b.key))),
        _ => hits.sort_by(|a, b| a.key.cmp(b.key)),
    }
}

fn parts(mark: u64) -> (usize, usize) {
    (
        (mark >> MARK_BITS) as usize,
        (mark & ((1 << MARK_BITS) - 1)) as usize,
    )
}

fn slot<T>(table: &mut [Vec<Option<T>>], mark: u64) -> &mut Option<T> {
    let (worker, index) = parts(mark);
    let row = &mut table[worker];
    if row.len() <= index {
        row.resize_with(index + 1, || None);
    }
    &mut row[index]
}

fn look<T>(table: &[Vec<Option<T>>], mark: u64) -> Option<&T> {
    let (worker, index) = parts(mark);
    table.get(worker)?.get(index)?.as_ref()
}
