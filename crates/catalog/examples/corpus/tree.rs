//! A made tree, entry by entry, handed to a builder.

use groma_base::{BatchEntry, DirId, EntryBatch, Kind, Metadata};
use groma_catalog::{BuildError, Builder};

use super::naming::Siblings;
use super::nodes::{Nodes, Place};
use super::rng::Rng;
use super::shape::{Dir, Shape};

/// What a stream of random numbers is for: each part of a tree has its own.
const CONTENTS: u64 = 0x434f_4e54_454e_5453;

/// Entries that are handed over at a time.
const BATCH: usize = 4096;

/// One entry of this many has an access control list.
const ENTRIES_PER_ACL: usize = 1000;

/// Collects all entries of the tree of `rows` entries that this seed makes.
pub(crate) fn build(rows: u32, seed: u64) -> Result<Builder, BuildError> {
    let mut maker = Maker {
        builder: Builder::new(),
        batch: EntryBatch::new(),
        nodes: Nodes::new(rows),
        open: Vec::new(),
        files: Siblings::default(),
        seed,
    };
    for dir in Shape::new(rows, seed) {
        maker.dir(&dir)?;
    }
    maker.builder.push(&maker.batch)?;
    Ok(maker.builder)
}

struct Maker {
    builder: Builder,
    batch: EntryBatch,
    nodes: Nodes,
    /// The directories on the way down.
    open: Vec<Open>,
    /// Names of the files of the directory that is being made.
    files: Siblings,
    seed: u64,
}

struct Open {
    id: DirId,
    place: Place,
    subdirs: Siblings,
}

/// One entry's own words, beside its metadata.
struct Named<'n> {
    parent: Option<DirId>,
    dir: Option<DirId>,
    name: &'n [u8],
}

impl Maker {
    fn dir(&mut self, dir: &Dir) -> Result<(), BuildError> {
        let mut rng = Rng::part(self.seed ^ CONTENTS, dir.number as usize);
        self.open.truncate(dir.depth);
        let id = DirId(dir.number);
        let (parent, name, place) = match self.open.last_mut() {
            None => (None, Vec::new(), Place::top()),
            Some(parent) => {
                let name = parent.subdirs.dir(dir.number, &mut rng);
                (Some(parent.id), name, parent.place.below(&mut rng))
            }
        };
        let node = self.nodes.dir(dir.number, dir.files, &place, &mut rng);
        let named = Named {
            parent,
            dir: Some(id),
            name: &name,
        };
        self.add(named, &node, &mut rng)?;
        self.fill(dir, &place, &mut rng)?;
        self.open.push(Open {
            id,
            place,
            subdirs: Siblings::default(),
        });
        Ok(())
    }

    fn fill(&mut self, dir: &Dir, place: &Place, rng: &mut Rng) -> Result<(), BuildError> {
        self.files.clear();
        for number in dir.first_file..dir.first_file + dir.files {
            let name = self.files.file(self.seed, number);
            let node = self.nodes.file(place, rng);
            let named = Named {
                parent: Some(DirId(dir.number)),
                dir: None,
                name: &name,
            };
            self.add(named, &node, rng)?;
        }
        Ok(())
    }

    fn add(&mut self, named: Named<'_>, node: &Metadata, rng: &mut Rng) -> Result<(), BuildError> {
        let has_acl = node.kind != Kind::Symlink && rng.below(ENTRIES_PER_ACL) == 0;
        self.batch.push(BatchEntry {
            parent: named.parent,
            dir: named.dir,
            name: named.name,
            kind: node.kind,
            has_acl,
            is_mount: false,
            is_broken: false,
            excluded: None,
            metadata: Some(node),
        });
        if self.batch.len() < BATCH {
            return Ok(());
        }
        self.builder.push(&self.batch)?;
        self.batch.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use groma_base::CancelToken;
    use groma_catalog::{Segment, Volume};

    use super::*;

    fn made(rows: u32, seed: u64) -> Vec<u8> {
        let mut out = Cursor::new(Vec::new());
        let builder = build(rows, seed).unwrap();
        let about = super::super::about("/made");
        let volume = |_| Volume::default();
        let sealed = builder.seal(&mut out, &about, volume, &CancelToken::new());
        let sealed = sealed.unwrap();
        assert_eq!((sealed.rows, sealed.duplicates), (rows, 0));
        out.into_inner()
    }

    #[test]
    fn a_seed_makes_one_sound_segment_with_exactly_as_many_rows() {
        for rows in [1, 2, 40, 20_000] {
            let bytes = made(rows, 5);
            assert!(bytes == made(rows, 5), "{rows}");
            let segment = Segment::from_bytes(bytes).unwrap();
            segment.check(&CancelToken::new()).unwrap();
        }
        assert!(made(40, 5) != made(40, 6));
    }
}
