//! Frozen segments, one for each version of the format: they open for ever.

use std::fs;
use std::path::{Path, PathBuf};

use groma_base::{FOLD_VERSION, Kind};
use groma_catalog::{FORMAT_VERSION, Segment};

use crate::compare::compare;
use crate::model::{Model, metadata};

fn sample(version: u32) -> PathBuf {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples");
    samples.join(format!("v{version}.seg"))
}

/// The tree of all samples. It must stay what it is.
fn tree() -> Model {
    let mut model = Model::new();
    let dir = model.dir(0, "Photos", 2);
    let mut linked = metadata(Kind::File, 9);
    linked.links = 3;
    for (parent, name) in [(0, "IMG_1.JPG"), (dir, "img_1.jpg"), (dir, "copy")] {
        model.add(parent, name.as_bytes(), Kind::File, Some(linked.clone()));
    }
    let mut early = metadata(Kind::File, 77);
    early.modified.seconds = -11_644_473_600;
    early.id.device = 43;
    model.add(dir, "Ärger.é".as_bytes(), Kind::File, Some(early));
    model.add(dir, b"\xff.jpg", Kind::Symlink, None);
    for n in 0..70u64 {
        let sub = model.dir(dir, &format!("Album {n}"), 100 + n * 97);
        model.file(sub, "index.html", 1_000 + n * n);
    }
    model
}

#[test]
fn version_1_opens_for_ever() {
    let bytes = fs::read(sample(1)).unwrap();
    compare(&Segment::from_bytes(bytes).unwrap(), &tree());
}

/// A change of the format shows here: it takes a new version, and a new sample beside the old ones.
#[test]
fn the_newest_sample_is_what_is_written_today() {
    let bytes = fs::read(sample(FORMAT_VERSION)).unwrap();
    let segment = Segment::from_bytes(bytes.clone()).unwrap();
    if segment.fold_version() == FOLD_VERSION {
        assert!(bytes == tree().bytes(), "the format has changed");
    }
}

#[test]
#[ignore = "writes the sample of a new version; never over one that is there"]
fn write_the_newest_sample() {
    let path = sample(FORMAT_VERSION);
    assert!(!path.exists());
    fs::write(path, tree().bytes()).unwrap();
}
