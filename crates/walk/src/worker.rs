//! One worker: opens a directory, reads it, tells its entries, queues its directories.

use std::io;
use std::sync::Arc;

use groma_base::{FileId, Kind, Metadata, Warning};
use groma_sys::{Dir, DirBuffer, RawEntry};

use crate::budget::Budget;
use crate::crew::{Crew, Finished};
use crate::node::{DirNode, Handle, Lineage};
use crate::options::{Root, WalkOptions};
use crate::rule_files::FilesIn;
use crate::rules::{RuleFiles, RuleNode, Rules, Scratch, Verdict};
use crate::task::{Purpose, Task};
use crate::visited::Visited;
use crate::visitor::{Found, Judged, Place, Step, Visitor};

/// From this depth on, a directory is compared with those it lies in: a damaged file system may
/// hold one that contains itself. Nearer the root that would cost a call for each and find nothing.
const WATCHED_DEPTH: u32 = 24;

const LOOP: &str = "a loop: the directory lies in itself";

/// Finds out whether the directory `id` repeats one that it lies in. Answers with the one that those
/// below are to be compared with: as that lies ever farther away, any loop is noticed in the end.
fn watch(parent: &DirNode, depth: u32, id: Option<FileId>) -> io::Result<Option<FileId>> {
    match parent.watch {
        Some(above) if id == Some(above) && above.inode != 0 => {
            Err(io::Error::other("a loop: the directory contains itself"))
        }
        Some(above) if !depth.is_power_of_two() => Ok(Some(above)),
        _ => Ok(id),
    }
}

/// A worker's own state, reused from directory to directory.
pub(crate) struct Worker<'w, V> {
    options: &'w WalkOptions,
    roots: &'w [Root],
    budget: &'w Budget,
    visited: &'w Visited,
    /// The roots' file systems, where others are left out.
    devices: &'w [Option<u64>],
    breadth: bool,
    /// Rules that look at what a directory holds.
    rules: Option<&'w Rules>,
    pub(crate) visitor: V,
    buffer: DirBuffer,
    path: Vec<u8>,
    scratch: Scratch,
    next: Vec<Task>,
    /// The directory that was last opened again.
    reopened: Option<(Arc<DirNode>, Dir)>,
}

/// The directory a worker is at.
struct Here<'w> {
    root: usize,
    depth: u32,
    prefix_len: usize,
    tag: u64,
    id: Option<FileId>,
    rules: Option<Arc<RuleNode>>,
    lineage: Option<Arc<Lineage>>,
    watch: Option<FileId>,
    dir: Holder<'w>,
    /// What stands for this directory in the tasks of its children, once it has any.
    node: Option<Arc<DirNode>>,
}

/// Who holds the open directory.
enum Holder<'w> {
    Root(&'w Dir),
    Own(Dir),
    /// The node in [`Here::node`].
    Node,
}

impl Here<'_> {
    fn dir(&self) -> &Dir {
        match (&self.dir, self.node.as_deref()) {
            (Holder::Root(dir), _) => dir,
            (Holder::Own(dir), _) => dir,
            (
                Holder::Node,
                Some(DirNode {
                    handle: Handle::Open(dir, _),
                    ..
                }),
            ) => dir,
            (Holder::Node, _) => unreachable!("only `share` makes this holder, with an open node"),
        }
    }

    fn place<'a>(&'a self, path: &'a [u8]) -> Place<'a> {
        Place {
            root: self.root,
            path,
            prefix_len: self.prefix_len,
            depth: self.depth,
            dir: self.dir(),
            tag: self.tag,
            id: self.id,
        }
    }
}

impl<'w, V: Visitor> Worker<'w, V> {
    pub(crate) fn new<F: Fn(usize) -> V + Sync>(crew: &Crew<'w, V, F>, visitor: V) -> Self {
        Worker {
            options: crew.options,
            roots: crew.roots,
            budget: crew.budget,
            visited: crew.visited,
            devices: crew.devices,
            breadth: crew.breadth,
            rules: crew
                .options
                .rules
                .as_ref()
                .filter(|rules| !rules.is_empty()),
            visitor,
            buffer: DirBuffer::default(),
            path: Vec::new(),
            scratch: Scratch::default(),
            next: Vec::new(),
            reopened: None,
        }
    }

    pub(crate) fn finish(mut self) -> Finished<V> {
        self.visitor.idle();
        Finished {
            visitor: self.visitor,
            next: self.next,
        }
    }

    /// Does one task. `push` queues what follows from it.
    pub(crate) fn process(&mut self, task: Task, push: &mut impl FnMut(Task)) {
        self.path.clear();
        self.path.extend_from_slice(&task.parent.path);
        if let Some(name) = &task.name {
            self.path.extend_from_slice(name.to_bytes());
            self.path.push(b'/');
        }
        let opened = self.open(&task);
        let entered = opened.and_then(|dir| self.arrive(&task, dir));
        match entered {
            Ok(here) => self.read(&task, here, push),
            Err(error) => {
                if task.purpose == Purpose::Judge {
                    self.judge(&task, None, false);
                }
                self.fail_here(task.parent.root, task.tag, "open", error);
            }
        }
    }

    /// Opens the directory of a task, relative to the one it lies in.
    fn open(&mut self, task: &Task) -> io::Result<Holder<'w>> {
        let root = &self.roots[task.parent.root];
        let follow = self.options.follow && task.through_link;
        let Some(name) = &task.name else {
            return match root.opened() {
                Some(dir) => Ok(Holder::Root(dir)),
                None => root.open_again().map(Holder::Own),
            };
        };
        let parent = match &task.parent.handle {
            Handle::Root => root.opened().ok_or(io::ErrorKind::NotFound)?,
            Handle::Open(dir, _) => dir,
            Handle::Closed(id) => self.reopen(&task.parent, *id)?,
        };
        parent.open_child(name, follow).map(Holder::Own)
    }

    /// A directory that was closed because descriptors ran short, open again. The last one stays
    /// open: the next task most often lies in it, too.
    fn reopen(&mut self, node: &Arc<DirNode>, id: FileId) -> io::Result<&Dir> {
        let is_same = |(last, _): &(Arc<DirNode>, Dir)| Arc::ptr_eq(last, node);
        let (_, dir) = match self.reopened.take().filter(is_same) {
            Some(same) => self.reopened.insert(same),
            None => {
                let root = &self.roots[node.root];
                let dir = node.reopen(root, id, self.options.follow)?;
                self.reopened.insert((Arc::clone(node), dir))
            }
        };
        Ok(dir)
    }

    /// What must be known about a directory before it is read.
    fn arrive(&self, task: &Task, dir: Holder<'w>) -> io::Result<Here<'w>> {
        let parent = &task.parent;
        let is_root = task.name.is_none();
        let mut here = Here {
            root: parent.root,
            depth: if is_root { 0 } else { parent.depth + 1 },
            prefix_len: self.roots[parent.root].prefix.len(),
            tag: task.tag,
            id: None,
            rules: parent.rules.clone(),
            lineage: None,
            watch: None,
            dir,
            node: None,
        };
        let options = self.options;
        let watched = here.depth >= WATCHED_DEPTH;
        let asked = options.one_file_system || options.identities || options.unique;
        if watched || asked || options.follow {
            here.id = Some(here.dir().own_metadata(false)?.id);
        }
        if watched {
            here.watch = watch(parent, here.depth, here.id)?;
        }
        if let (true, Some(id)) = (self.options.follow, here.id) {
            let above = parent.lineage.as_deref();
            let linked = task.through_link || above.is_some_and(|above| above.linked);
            if linked && above.is_some_and(|above| above.find(id).is_some()) {
                return Err(io::Error::other(LOOP));
            }
            let lineage = Lineage {
                id,
                depth: here.depth,
                linked,
                parent: parent.lineage.clone(),
            };
            here.lineage = Some(Arc::new(lineage));
        }
        Ok(here)
    }

    /// Reads the directory and tells what is in it.
    fn read(&mut self, task: &Task, mut here: Here<'w>, push: &mut impl FnMut(Task)) {
        let inside = task.enterable && self.same_file_system(&here) && self.is_first_visit(&here);
        let judges = task.purpose == Purpose::Judge;
        let looks_for_rules = inside && self.rules.is_some_and(|rules| !rules.excludes_only());
        self.buffer.clear();
        let whole = judges || looks_for_rules;
        let complete = !whole || self.read_whole(&here);
        if judges {
            let known = complete || self.buffer.entries().next().is_some();
            match self.judge(task, known.then_some(here.dir()), inside) {
                Step::Enter(tag) => here.tag = tag,
                Step::Skip | Step::Later(_) | Step::Judge(_) => return,
            }
        }
        if !inside {
            return;
        }
        self.find_rules(&mut here);
        self.visitor.enter(&here.place(&self.path));
        if whole || self.recall(&here) {
            self.tell(&mut here, push);
        } else {
            self.tell_in_parts(&mut here, push);
        }
        self.visitor.leave(&here.place(&self.path));
    }

    /// Whether the visitor knows what lies in the directory. Then that is in the buffer.
    fn recall(&mut self, here: &Here<'_>) -> bool {
        let place = here.place(&self.path);
        self.visitor.recall(&place, &mut self.buffer)
    }

    fn same_file_system(&self, here: &Here<'_>) -> bool {
        let device = self.devices.get(here.root).copied().flatten();
        device.is_none() || here.id.map(|id| id.device) == device
    }

    /// Whether nobody has been in this directory yet, where that matters.
    fn is_first_visit(&self, here: &Here<'_>) -> bool {
        match here.id {
            Some(id) if self.options.unique => self.visited.insert(id),
            _ => true,
        }
    }

    /// Reads all records into the buffer. `false` when that failed on the way.
    fn read_whole(&mut self, here: &Here<'_>) -> bool {
        loop {
            match here.dir().read(&mut self.buffer) {
                Ok(true) => {}
                Ok(false) => return true,
                Err(error) => {
                    self.fail_here(here.root, here.tag, "read", error);
                    return false;
                }
            }
        }
    }

    /// Tells the records as they come, so that a huge directory takes no more memory than a small.
    fn tell_in_parts(&mut self, here: &mut Here<'w>, push: &mut impl FnMut(Task)) {
        loop {
            self.buffer.clear();
            match here.dir().read(&mut self.buffer) {
                Ok(true) => {
                    self.tell(here, push);
                    self.visitor.pause();
                }
                Ok(false) => return,
                Err(error) => return self.fail_here(here.root, here.tag, "read", error),
            }
            if self.options.cancel.is_cancelled() {
                return;
            }
        }
    }

    fn judge(&mut self, task: &Task, dir: Option<&Dir>, enterable: bool) -> Step {
        let parent = &task.parent;
        self.visitor.judge(&Judged {
            root: parent.root,
            parent_path: if task.name.is_some() {
                &parent.path
            } else {
                b""
            },
            prefix_len: self.roots[parent.root].prefix.len(),
            name: task.name.as_deref().unwrap_or(c"").into(),
            depth: if task.name.is_some() {
                parent.depth + 1
            } else {
                0
            },
            dir,
            contents: dir.map(|_| &self.buffer),
            tag: task.tag,
            enterable,
        })
    }

    /// Puts the rules in force that apply below this directory.
    fn find_rules(&self, here: &mut Here<'w>) {
        let Some(rules) = self.rules else { return };
        let mut present = RuleFiles::default();
        if !rules.excludes_only() {
            self.buffer
                .entries()
                .for_each(|entry| rules.note(&mut present, entry.name()));
        }
        let files = FilesIn(here.dir());
        let node = match &here.rules {
            None => rules.root(&self.roots[here.root].absolute, present, &files),
            Some(parent) => {
                let below = &self.path[here.prefix_len..self.path.len() - 1];
                rules.child(parent, below, present, &files)
            }
        };
        here.rules = Some(node);
    }

    /// Tells the records in the buffer.
    fn tell(&mut self, here: &mut Here<'w>, push: &mut impl FnMut(Task)) {
        // Taken out for the time being, so that the rest of the worker stays at hand.
        let buffer = std::mem::take(&mut self.buffer);
        let path = std::mem::take(&mut self.path);
        let mut scratch = std::mem::take(&mut self.scratch);
        let node = here.rules.clone();
        let below = &path[here.prefix_len..path.len().saturating_sub(1).max(here.prefix_len)];
        let mut rules = node
            .as_deref()
            .map(|node| node.matcher(below, &mut scratch));
        let mut place = here.place(&path);
        for entry in buffer.entries() {
            let name = entry.name();
            let hides = !self.options.hidden && name.first() == Some(&b'.');
            if hides && rules.is_none() {
                continue;
            }
            let (kind, target) = self.resolve(here, &path, &entry);
            let is_dir = kind == Kind::Dir;
            if let Some(rules) = &mut rules {
                // A rule that asks for an entry shows it even if it is hidden.
                match rules.verdict(name, is_dir) {
                    Verdict::Ignored => continue,
                    Verdict::Undecided if hides => continue,
                    _ => {}
                }
            }
            let target = target.as_deref();
            if is_dir && target.is_some_and(|target| self.leads_back(here, &path, name, target)) {
                continue;
            }
            let found = Found {
                name: entry.entry_name,
                kind,
                target,
                enterable: is_dir && self.is_above_limit(here),
            };
            let step = self.visitor.entry(&place, &found);
            if is_dir {
                self.follow_up(here, &path, &found, step, push);
                place = here.place(&path);
            }
        }
        self.buffer = buffer;
        self.path = path;
        self.scratch = scratch;
    }

    /// Whether the directories in this one may be entered.
    fn is_above_limit(&self, here: &Here<'_>) -> bool {
        self.options
            .max_depth
            .is_none_or(|most| here.depth + 1 < most)
    }

    /// The entry's kind, and its target's metadata if it is a link to be followed (in a box: most
    /// entries have none, and should not pay for its size).
    #[inline]
    fn resolve(
        &mut self,
        here: &Here<'_>,
        path: &[u8],
        entry: &RawEntry<'_>,
    ) -> (Kind, Option<Box<Metadata>>) {
        let mut kind = entry.kind;
        if kind == Kind::Unknown {
            match here.dir().stat(entry.c_name(), false, false) {
                Ok(meta) => kind = meta.kind,
                Err(error) => self.warn_of_entry(path, entry, "stat", error),
            }
        }
        if kind != Kind::Symlink || !self.options.follow {
            return (kind, None);
        }
        // A link that leads nowhere is told as a link.
        match here.dir().stat(entry.c_name(), true, false) {
            Ok(target) => (target.kind, Some(Box::new(target))),
            Err(error) => {
                self.warn_of_entry(path, entry, "follow", error);
                (Kind::Symlink, None)
            }
        }
    }

    #[cold]
    fn warn_of_entry(
        &mut self,
        path: &[u8],
        entry: &RawEntry<'_>,
        action: &'static str,
        error: io::Error,
    ) {
        let incomplete = !groma_sys::is_gone(&error);
        // Links that lead nowhere are no news.
        if incomplete || action != "follow" {
            let path = [path, entry.name()].concat();
            self.visitor.warn(Warning {
                path,
                action,
                error,
                incomplete,
            });
        }
    }

    /// Whether a link leads to a directory that it lies in. That is told, and goes no farther.
    fn leads_back(&mut self, here: &Here<'_>, path: &[u8], name: &[u8], target: &Metadata) -> bool {
        let found = here
            .lineage
            .as_deref()
            .and_then(|lineage| lineage.find(target.id));
        let Some(ancestor) = found else { return false };
        let mut ends = path.iter().enumerate().skip(here.prefix_len);
        let mut end = here.prefix_len;
        for _ in 0..ancestor.depth {
            end = ends
                .find(|(_, b)| **b == b'/')
                .map_or(end, |(at, _)| at + 1);
        }
        let ancestor = String::from_utf8_lossy(shown(&path[..end]));
        let text = format!("a loop: the link leads back to '{ancestor}'");
        let path = [path, name].concat();
        let error = io::Error::other(text);
        self.visitor.warn(Warning {
            path,
            action: "follow",
            error,
            incomplete: false,
        });
        true
    }

    /// Queues a directory that the visitor wants to know more of.
    fn follow_up(
        &mut self,
        here: &mut Here<'w>,
        path: &[u8],
        found: &Found<'_>,
        step: Step,
        push: &mut impl FnMut(Task),
    ) {
        let (purpose, tag) = match step {
            Step::Enter(tag) | Step::Later(tag) if found.enterable => (Purpose::Enter, tag),
            Step::Judge(tag) => (Purpose::Judge, tag),
            Step::Skip | Step::Enter(_) | Step::Later(_) => return,
        };
        let later = self.breadth || matches!(step, Step::Later(_));
        match self.node(here, path) {
            Ok(parent) => {
                let task = Task {
                    parent,
                    name: Some(found.name.c_str().to_owned()),
                    purpose,
                    tag,
                    enterable: found.enterable,
                    through_link: found.target.is_some(),
                };
                if later {
                    self.next.push(task);
                } else {
                    push(task);
                }
            }
            Err(error) => {
                if self.warn(path, "stat", error) {
                    self.visitor.unread(here.root, tag);
                }
            }
        }
    }

    /// What stands for this directory in the tasks of its children.
    fn node(&self, here: &mut Here<'w>, path: &[u8]) -> io::Result<Arc<DirNode>> {
        if let Some(node) = &here.node {
            return Ok(Arc::clone(node));
        }
        let (holder, handle) = match std::mem::replace(&mut here.dir, Holder::Node) {
            Holder::Own(dir) => match self.budget.acquire() {
                Some(permit) => (Holder::Node, Ok(Handle::Open(dir, permit))),
                None => {
                    let id = dir.own_metadata(false).map(|meta| meta.id);
                    (Holder::Own(dir), id.map(Handle::Closed))
                }
            },
            root => (root, Ok(Handle::Root)),
        };
        here.dir = holder;
        let node = Arc::new(DirNode {
            root: here.root,
            depth: here.depth,
            path: path.into(),
            handle: handle?,
            rules: here.rules.clone(),
            lineage: here.lineage.clone(),
            watch: here.watch,
        });
        here.node = Some(Arc::clone(&node));
        Ok(node)
    }

    /// The directory at hand cannot be read.
    fn fail_here(&mut self, root: usize, tag: u64, action: &'static str, error: io::Error) {
        let path = std::mem::take(&mut self.path);
        if self.warn(&path, action, error) {
            self.visitor.unread(root, tag);
        }
        self.path = path;
    }

    /// Answers whether something is missing because of it.
    fn warn(&mut self, path: &[u8], action: &'static str, error: io::Error) -> bool {
        let is_loop = error.kind() == io::ErrorKind::Other;
        let incomplete = !is_loop && !groma_sys::is_gone(&error);
        let path = shown(path).to_vec();
        self.visitor.warn(Warning {
            path,
            action,
            error,
            incomplete,
        });
        incomplete
    }
}

/// A directory's path as it is told: without the slash that ends it.
fn shown(path: &[u8]) -> &[u8] {
    match path {
        [] => b".",
        [b'/'] => b"/",
        [path @ .., _] => path,
    }
}
