//! Small trees in memory, and the roots of a catalog that are made of them.

use std::io::Cursor;
use std::sync::Arc;

use groma_base::time::{TimeZone, Zoned};
use groma_base::{BatchEntry, CancelToken, DirId, EntryBatch, FileId, Kind, Metadata, Timestamp};
use groma_catalog::{About, Builder, RootRecord, Segment, View, Volume};
use groma_engine::catalogs::OpenRoot;
use groma_engine::stats::{Plan, Report, Request, Run, plan, run};
use groma_query::bind::{Context, Target};

/// Where tests stand in time.
pub(crate) fn now() -> Zoned {
    Timestamp::from_seconds(1_750_000_000)
        .to_zoned(&TimeZone::UTC)
        .unwrap()
}

pub(crate) fn context() -> Context<'static> {
    Context {
        current_directory: Some(b"/data".to_vec()),
        ..Context::new(now(), Target::Catalog)
    }
}

/// One entry below a root.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) parent: usize,
    pub(crate) name: Vec<u8>,
    pub(crate) kind: Kind,
    pub(crate) metadata: Option<Metadata>,
}

/// A tree: entry 0 is the root.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    pub(crate) root: Vec<u8>,
    pub(crate) nodes: Vec<Node>,
}

pub(crate) fn metadata(kind: Kind, inode: u64, size: u64) -> Metadata {
    let bits = match kind {
        Kind::Dir => 0o040_755,
        Kind::Symlink => 0o120_777,
        _ => 0o100_644,
    };
    Metadata {
        kind,
        id: FileId { device: 1, inode },
        mode: bits,
        links: 1,
        uid: 0,
        gid: 0,
        size,
        allocated: size.div_ceil(4096).saturating_mul(4096),
        special: (0, 0),
        accessed: Timestamp::default(),
        modified: Timestamp::from_seconds(1_700_000_000),
        changed: Timestamp::default(),
        created: None,
    }
}

impl Tree {
    pub(crate) fn new(root: &str) -> Tree {
        let node = Node {
            parent: 0,
            name: Vec::new(),
            kind: Kind::Dir,
            metadata: Some(metadata(Kind::Dir, 1, 0)),
        };
        Tree {
            root: root.as_bytes().to_vec(),
            nodes: vec![node],
        }
    }

    /// Adds an entry, unless its directory has one of this name.
    pub(crate) fn add(
        &mut self,
        parent: usize,
        name: &[u8],
        metadata: Option<Metadata>,
        kind: Kind,
    ) -> usize {
        let same = |node: &Node| node.parent == parent && node.name == name;
        if let Some(at) = self.nodes.iter().skip(1).position(same) {
            return at + 1;
        }
        self.nodes.push(Node {
            parent,
            name: name.to_vec(),
            kind,
            metadata,
        });
        self.nodes.len() - 1
    }

    pub(crate) fn dir(&mut self, parent: usize, name: &str) -> usize {
        let inode = 10_000 + self.nodes.len() as u64;
        self.add(
            parent,
            name.as_bytes(),
            Some(metadata(Kind::Dir, inode, 0)),
            Kind::Dir,
        )
    }

    pub(crate) fn file(&mut self, parent: usize, name: &str, size: u64) -> usize {
        let inode = 10_000 + self.nodes.len() as u64;
        self.add(
            parent,
            name.as_bytes(),
            Some(metadata(Kind::File, inode, size)),
            Kind::File,
        )
    }

    pub(crate) fn change(&mut self, at: usize, change: impl FnOnce(&mut Metadata)) {
        change(self.nodes[at].metadata.as_mut().unwrap());
    }

    pub(crate) fn segment(&self) -> Arc<Segment> {
        let mut batch = EntryBatch::new();
        for (at, node) in self.nodes.iter().enumerate() {
            let id = DirId(u32::try_from(at).unwrap());
            batch.push(BatchEntry {
                parent: (at > 0).then(|| DirId(u32::try_from(node.parent).unwrap())),
                dir: (node.kind == Kind::Dir).then_some(id),
                name: &node.name,
                kind: node.kind,
                has_acl: false,
                is_mount: false,
                is_broken: false,
                excluded: None,
                metadata: node.metadata.as_ref(),
            });
        }
        let mut builder = Builder::new();
        builder.push(&batch).unwrap();
        let about = About {
            root: self.root.clone(),
            ..About::default()
        };
        let mut out = Cursor::new(Vec::new());
        let volume = |device| Volume {
            device,
            uuid: [7; 16],
            ..Volume::default()
        };
        builder
            .seal(&mut out, &about, volume, &CancelToken::new())
            .unwrap();
        let segment = Segment::from_bytes(out.into_inner()).unwrap();
        if self.nodes.len() < 1000 {
            segment.check(&CancelToken::new()).unwrap();
        }
        Arc::new(segment)
    }
}

/// Roots as a catalog would give them: in order, an inner one hidden in the outer one.
pub(crate) fn open(trees: &[Tree]) -> Vec<OpenRoot> {
    let sealed = |tree: &Tree| View::sealed(tree.segment()).unwrap();
    open_views(trees.iter().map(sealed).collect())
}

/// The same from views.
pub(crate) fn open_views(mut views: Vec<View>) -> Vec<OpenRoot> {
    views.sort_by(|a, b| groma_base::compare_paths(a.root(), b.root()));
    for at in 0..views.len() {
        for inner in at + 1..views.len() {
            let root = views[inner].root().to_vec();
            if let Some(id) = views[at].find(&root).unwrap().filter(|&id| id != 0) {
                views[at] = views[at].without(id).unwrap();
            }
        }
    }
    let root = |view: View| OpenRoot {
        record: RootRecord {
            key: view.root().to_vec(),
            path: view.root().to_vec(),
            source: b"walk".to_vec(),
            segment: "x".to_owned(),
            rows: view.len(),
            entries: view.len(),
            ..RootRecord::default()
        },
        view,
    };
    views.into_iter().map(root).collect()
}

pub(crate) fn planned(request: &Request) -> Plan {
    plan(request, &context()).unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) fn answer_with(request: &Request, roots: &[OpenRoot], threads: usize) -> Report {
    let run_with = Run {
        threads,
        cancel: CancelToken::new(),
    };
    run(&planned(request), roots, &run_with).unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) fn answer(request: &Request, roots: &[OpenRoot]) -> Report {
    answer_with(request, roots, 2)
}
