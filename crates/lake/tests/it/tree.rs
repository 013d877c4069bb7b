//! A small tree with everything that a column may have to say.

use std::io::Cursor;
use std::sync::Arc;

use groma_base::{BatchEntry, CancelToken, DirId, EntryBatch, FileId, Kind, Metadata, Timestamp};
use groma_catalog::{About, Builder, Segment, View, Volume};

/// One entry below the root, which lies in it.
#[derive(Clone, Debug)]
pub(crate) struct File {
    pub(crate) name: Vec<u8>,
    /// `None` where the stat call failed.
    pub(crate) metadata: Option<Metadata>,
}

/// A file of which everything has another number.
pub(crate) fn file(name: &[u8], number: u32) -> File {
    let at = |seconds: i64| Timestamp {
        seconds,
        nanoseconds: number,
    };
    let long = u64::from(number);
    File {
        name: name.to_vec(),
        metadata: Some(Metadata {
            kind: Kind::File,
            id: FileId {
                device: 1,
                inode: 1_000 + long,
            },
            mode: 0o100_600 + number % 0o200,
            links: 1,
            uid: number + 1,
            gid: number + 2,
            size: long * 1000,
            allocated: long * 4096,
            special: (0, 0),
            accessed: at(10),
            modified: at(20 + i64::from(number)),
            changed: at(30),
            created: number.is_multiple_of(2).then(|| at(40)),
        }),
    }
}

/// The root `/top` with these files in it.
pub(crate) fn view(files: &[File]) -> View {
    let mut batch = EntryBatch::new();
    let root = file(b"", 7).metadata.map(|metadata| Metadata {
        kind: Kind::Dir,
        mode: 0o040_755,
        ..metadata
    });
    batch.push(entry(None, Some(DirId(0)), b"", Kind::Dir, root.as_ref()));
    for file in files {
        let metadata = file.metadata.as_ref();
        batch.push(entry(
            Some(DirId(0)),
            None,
            &file.name,
            Kind::File,
            metadata,
        ));
    }
    let mut builder = Builder::new();
    builder.push(&batch).unwrap();
    let about = About {
        root: b"/top".to_vec(),
        ..About::default()
    };
    let mut out = Cursor::new(Vec::new());
    let volume = |_| Volume::default();
    let sealed = builder.seal(&mut out, &about, volume, &CancelToken::new());
    assert_eq!(sealed.unwrap().duplicates, 0);
    View::sealed(Arc::new(Segment::from_bytes(out.into_inner()).unwrap())).unwrap()
}

fn entry<'a>(
    parent: Option<DirId>,
    dir: Option<DirId>,
    name: &'a [u8],
    kind: Kind,
    metadata: Option<&'a Metadata>,
) -> BatchEntry<'a> {
    BatchEntry {
        parent,
        dir,
        name,
        kind,
        has_acl: false,
        is_mount: false,
        is_broken: false,
        excluded: None,
        metadata,
    }
}
