//! Frozen segments and logs, one for each version of the format: they open for ever.

use std::fs;
use std::path::{Path, PathBuf};

use groma_base::{FOLD_VERSION, Kind, Timestamp};
use groma_catalog::{
    Delta, FORMAT_VERSION, Kept, LOG_VERSION, Put, SNAPSHOT_VERSION, Segment, Snapshot,
};

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

/// The snapshot of a version.
fn sample_snapshot(version: u32) -> PathBuf {
    sample(version).with_extension("snapshot")
}

/// What is compressed may be other bytes tomorrow; what it expands to may not.
#[test]
fn every_snapshot_opens_for_ever() {
    for version in 1..=SNAPSHOT_VERSION {
        let snapshot = Snapshot::from_bytes(fs::read(sample_snapshot(version)).unwrap()).unwrap();
        compare(snapshot.segment(), &tree());
        snapshot.verify(&groma_base::CancelToken::new()).unwrap();
        assert_eq!(
            (snapshot.facts().unread, snapshot.facts().is_partial),
            (1, true)
        );
    }
}

#[test]
#[ignore = "writes the snapshot of a new version; never over one that is there"]
fn write_the_newest_snapshot() {
    let path = sample_snapshot(SNAPSHOT_VERSION);
    assert!(!path.exists());
    let kept = Kept {
        unread: 1,
        is_partial: true,
        ..Kept::default()
    };
    let bytes = crate::snapshot::snapshot_bytes(&tree().segment(), &kept);
    fs::write(path, bytes).unwrap();
}

/// The log of a version, which belongs to the first segment.
fn sample_log(version: u32) -> PathBuf {
    sample(version).with_extension("log")
}

/// The changes of all sample logs. They must stay what they are.
fn change(delta: &mut Delta) {
    let known = metadata(Kind::File, 500);
    let put = |kind, metadata| Put {
        kind,
        has_acl: true,
        is_mount: kind == Kind::Dir,
        is_broken: false,
        metadata,
    };
    delta.add_volume(crate::model::volume(44)).unwrap();
    let photos = delta.child(0, b"Photos").unwrap().unwrap();
    let child = |delta: &Delta, name| delta.child(photos, name).unwrap().unwrap();
    let dir = delta.put(Some(0), b"New", &put(Kind::Dir, None)).unwrap();
    delta
        .put(Some(dir), b"\xff", &put(Kind::File, Some(&known)))
        .unwrap();
    let album = child(delta, b"Album 7");
    delta.rename(album, dir, b"Moved").unwrap();
    delta.remove(child(delta, b"Album 8")).unwrap();
    delta.mark_unread(album, true).unwrap();
    delta.mark_scanned(Timestamp::MIN, Timestamp::MAX).unwrap();
}

/// Writes the sample segment, the log and a manifest of both into a directory of a catalog.
#[cfg(unix)]
fn catalog(dir: &Path, log: &[u8]) -> groma_catalog::Catalog {
    use std::os::unix::fs::PermissionsExt;
    let segment = fs::read(sample(1)).unwrap();
    let rows = Segment::from_bytes(segment.clone()).unwrap().rows();
    let (length, valid) = (segment.len(), log.len());
    let text = format!(
        "groma catalog 2\ngeneration 2\n\
        root\tk\t/data\twalk\t00000001.seg\t{length}\t{rows}\t0\t0\t0\t00000002.log\t{valid}\t0\n"
    );
    let text = format!("{text}crc32c {:08x}\n", crc32c::crc32c(text.as_bytes()));
    fs::set_permissions(dir, fs::Permissions::from_mode(0o700)).unwrap();
    for (name, bytes) in [
        ("00000001.seg", &segment[..]),
        ("00000002.log", log),
        ("manifest", text.as_bytes()),
    ] {
        fs::write(dir.join(name), bytes).unwrap();
        fs::set_permissions(dir.join(name), fs::Permissions::from_mode(0o600)).unwrap();
    }
    groma_catalog::Catalog::open(dir).unwrap()
}

#[cfg(unix)]
#[test]
fn logs_of_version_1_are_read_for_ever() {
    let dir = tempfile::tempdir().unwrap();
    let mut catalog = catalog(dir.path(), &fs::read(sample_log(1)).unwrap());
    let view = catalog.view(b"k").unwrap().unwrap();
    let segment = Segment::from_bytes(fs::read(sample(1)).unwrap()).unwrap();
    let mut expected = Delta::new(std::sync::Arc::new(segment));
    change(&mut expected);
    let expected = expected.view().unwrap();
    assert_eq!(view.pieces(), expected.pieces());
    assert_eq!(view.about().unwrap(), expected.about().unwrap());
    assert_eq!(view.about().unwrap().ended, Timestamp::MAX);
    for id in view.pieces().iter().flat_map(|piece| piece.ids.clone()) {
        let path = |view: &groma_catalog::View| {
            let mut path = Vec::new();
            view.append_path(id, &mut path).unwrap();
            path
        };
        assert_eq!(path(&view), path(&expected));
        assert_eq!(view.kind(id).unwrap(), expected.kind(id).unwrap());
        assert_eq!(view.metadata(id).unwrap(), expected.metadata(id).unwrap());
        assert_eq!(view.totals(id).unwrap(), expected.totals(id).unwrap());
    }
    assert!(view.find(b"/data/New/Moved/index.html").unwrap().is_some());
    assert_eq!(view.find(b"/data/Photos/Album 8").unwrap(), None);
}

/// The log that is written today for the changes of the sample.
#[cfg(unix)]
fn log_of_today() -> Vec<u8> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("c");
    let mut writer = groma_catalog::CatalogWriter::open(&path).unwrap();
    let mut builder = groma_catalog::Builder::new();
    let (tree, mut batch) = (tree(), groma_base::EntryBatch::new());
    (0..tree.nodes.len()).for_each(|at| batch.push(tree.entry(at)));
    builder.push(&batch).unwrap();
    let (about, cancel) = (crate::model::about(), groma_base::CancelToken::new());
    let volume = crate::model::volume;
    writer
        .publish(b"k", &about, 0, builder, volume, &cancel)
        .unwrap();
    let mut delta = writer.delta(b"k").unwrap().unwrap();
    change(&mut delta);
    writer.append(b"k", &mut delta, 0).unwrap();
    fs::read(path.join("00000002.log")).unwrap()
}

/// As for segments: a change of the form takes a new version.
#[cfg(unix)]
#[test]
fn the_newest_log_is_what_is_written_today() {
    let segment = Segment::from_bytes(fs::read(sample(1)).unwrap()).unwrap();
    if segment.fold_version() == FOLD_VERSION {
        let sample = fs::read(sample_log(LOG_VERSION)).unwrap();
        assert!(log_of_today() == sample, "the form of the log has changed");
    }
}

#[cfg(unix)]
#[test]
#[ignore = "writes the sample of a new version; never over one that is there"]
fn write_the_newest_log() {
    let path = sample_log(LOG_VERSION);
    assert!(!path.exists());
    fs::write(path, log_of_today()).unwrap();
}
