//! A catalog of made-up roots.

use std::collections::BTreeMap;

use groma_base::time::{TimeZone, Zoned};
use groma_base::{BatchEntry, CancelToken, DirId, EntryBatch, FileId, Kind, Metadata, Timestamp};
use groma_catalog::{About, Builder, CatalogWriter, Volume};
use groma_engine::catalogs::{self, OpenRoot};
use groma_engine::search::{Form, Listing, Run, search};
use groma_query::bind::{Context, Target, bind};
use groma_query::bound::Expr;
use groma_query::syntax::parse;
use tempfile::TempDir;

/// 2025-06-01T00:00:00Z.
pub(crate) const NOW: i64 = 1_748_736_000;

/// One entry by its path below the root.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) path: Vec<u8>,
    pub(crate) kind: Kind,
    pub(crate) metadata: Option<Metadata>,
}

pub(crate) fn metadata(kind: Kind, size: u64, modified: i64) -> Metadata {
    Metadata {
        kind,
        id: FileId {
            device: 1,
            inode: size + 10,
        },
        mode: 0o644,
        links: 1,
        uid: 0,
        gid: 0,
        size,
        allocated: size.next_multiple_of(4096),
        special: (0, 0),
        accessed: Timestamp::from_seconds(modified + 1),
        modified: Timestamp::from_seconds(modified),
        changed: Timestamp::from_seconds(modified + 2),
        created: (size.is_multiple_of(2)).then(|| Timestamp::from_seconds(modified - 1)),
    }
}

pub(crate) fn file(path: impl AsRef<[u8]>, size: u64) -> Entry {
    let path = path.as_ref().to_vec();
    let modified = NOW - i64::try_from(path.len()).unwrap() * 86_400;
    Entry {
        path,
        kind: Kind::File,
        metadata: Some(metadata(Kind::File, size, modified)),
    }
}

pub(crate) fn dir(path: impl AsRef<[u8]>) -> Entry {
    Entry {
        path: path.as_ref().to_vec(),
        kind: Kind::Dir,
        metadata: Some(metadata(Kind::Dir, 64, NOW)),
    }
}

/// A catalog in a directory of its own.
pub(crate) struct Fixture {
    temp: TempDir,
}

impl Fixture {
    pub(crate) fn new() -> Fixture {
        Fixture {
            temp: TempDir::new().unwrap(),
        }
    }

    /// A catalog with one root, `/data`.
    pub(crate) fn of(entries: Vec<Entry>) -> Fixture {
        let fixture = Fixture::new();
        fixture.add("/data", entries);
        fixture
    }

    /// Adds a root. Directories that entries lie in need not be given.
    pub(crate) fn add(&self, root: &str, entries: Vec<Entry>) {
        let mut all = BTreeMap::new();
        for entry in entries {
            let slashes = (0..entry.path.len()).filter(|&at| entry.path[at] == b'/');
            for slash in slashes {
                let above = &entry.path[..slash];
                all.entry(above.to_vec()).or_insert_with(|| dir(above));
            }
            all.insert(entry.path.clone(), entry);
        }
        all.entry(Vec::new()).or_insert_with(|| dir(""));
        let numbers: BTreeMap<Vec<u8>, u32> = all.keys().cloned().zip(0..).collect();
        let mut batch = EntryBatch::new();
        for entry in all.values() {
            let (parent, name) = match entry.path.iter().rposition(|&b| b == b'/') {
                Some(slash) => (Some(&entry.path[..slash]), &entry.path[slash + 1..]),
                None if entry.path.is_empty() => (None, &[][..]),
                None => (Some(&[][..]), &entry.path[..]),
            };
            batch.push(BatchEntry {
                parent: parent.map(|path| DirId(numbers[path])),
                dir: (entry.kind == Kind::Dir).then(|| DirId(numbers[&entry.path])),
                name,
                kind: entry.kind,
                has_acl: false,
                is_mount: false,
                is_broken: false,
                excluded: None,
                metadata: entry.metadata.as_ref(),
            });
        }
        let mut builder = Builder::new();
        builder.push(&batch).unwrap();
        self.publish(root, builder);
    }

    fn publish(&self, root: &str, builder: Builder) {
        let mut writer = CatalogWriter::open(&self.temp.path().join("catalog")).unwrap();
        let about = About {
            root: root.as_bytes().to_vec(),
            source: b"test".to_vec(),
            ..About::default()
        };
        let volume = |device| Volume {
            device,
            ..Volume::default()
        };
        let cancel = CancelToken::new();
        writer
            .publish(root.as_bytes(), &about, 0, builder, volume, &cancel)
            .unwrap();
    }

    pub(crate) fn open(&self) -> Vec<OpenRoot> {
        catalogs::open(&self.temp.path().join("catalog")).unwrap()
    }
}

/// A query, bound.
pub(crate) fn query(text: &str) -> Expr {
    let now = Timestamp::from_seconds(NOW)
        .to_zoned(&TimeZone::UTC)
        .unwrap();
    let now: Zoned = now;
    bind(&parse(text).unwrap(), &Context::new(now, Target::Catalog)).unwrap()
}

/// Paths, each ended by a NUL.
pub(crate) fn paths() -> Listing {
    listing(Form::Paths {
        terminator: 0,
        escape: false,
        painter: None,
    })
}

/// A listing in the order of paths, without a limit, by two threads.
pub(crate) fn listing(form: Form) -> Listing {
    Listing {
        form,
        order: Vec::new(),
        natural: false,
        offset: 0,
        limit: None,
        now: Timestamp::from_seconds(NOW),
        groups: Vec::new(),
        threads: 2,
        cancel: CancelToken::new(),
    }
}

/// What a listing of what matches a query writes. The number of rows told and the total are right.
pub(crate) fn written(roots: &[OpenRoot], text: &str, listing: &Listing) -> Vec<u8> {
    let run = Run {
        threads: listing.threads,
        cancel: CancelToken::new(),
    };
    let found = search(roots, &query(text), &run, listing.most(), &|| {
        std::time::Duration::ZERO
    })
    .unwrap();
    let mut out = Vec::new();
    let told = found.write(listing, &mut out).unwrap();
    let rest = found.total().saturating_sub(listing.offset);
    assert_eq!(told, rest.min(listing.limit.unwrap_or(u64::MAX)));
    out
}

/// The paths of a listing made by [`paths`].
pub(crate) fn told(roots: &[OpenRoot], text: &str, listing: &Listing) -> Vec<String> {
    let out = written(roots, text, listing);
    let lines = out.split(|&b| b == 0).filter(|line| !line.is_empty());
    lines
        .map(|line| String::from_utf8_lossy(line).into_owned())
        .collect()
}
