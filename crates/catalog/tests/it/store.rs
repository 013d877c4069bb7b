//! Publishing: writers, readers, crashes.

use std::fs;
use std::path::{Path, PathBuf};

use groma_base::{CancelToken, EntryBatch};
use groma_catalog::{BuildError, Builder, Catalog, CatalogError, CatalogWriter};

use crate::compare::compare;
use crate::model::{Model, about, volume};

struct Fixture {
    _temp: tempfile::TempDir,
    path: PathBuf,
}

fn fixture() -> Fixture {
    let temp = tempfile::tempdir().unwrap();
    let path = temp.path().join("groma");
    Fixture { _temp: temp, path }
}

fn builder(model: &Model) -> Builder {
    let mut batch = EntryBatch::new();
    (0..model.nodes.len()).for_each(|at| batch.push(model.entry(at)));
    let mut builder = Builder::new();
    builder.push(&batch).unwrap();
    builder
}

fn publish(writer: &mut CatalogWriter, key: &[u8], model: &Model) -> Result<(), CatalogError> {
    let cancel = CancelToken::new();
    let sealed = writer.publish(key, &about(), 3, builder(model), volume, &cancel)?;
    assert_eq!(sealed.rows as usize, model.nodes.len());
    Ok(())
}

fn models() -> (Model, Model) {
    let (mut small, mut large) = (Model::new(), Model::new());
    small.file(0, "a", 2);
    let dir = large.dir(0, "d", 2);
    large.file(dir, "b.txt", 3);
    (small, large)
}

fn files(path: &Path) -> Vec<String> {
    let entries = fs::read_dir(path).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn publishes_replaces_and_removes() {
    let fixture = fixture();
    let (small, large) = models();
    let mut writer = CatalogWriter::open(&fixture.path).unwrap();
    publish(&mut writer, b"one", &small).unwrap();
    publish(&mut writer, b"\xfftwo", &large).unwrap();
    let mut reader = Catalog::open(&fixture.path).unwrap();
    let old = reader.segment(b"one").unwrap().unwrap();
    publish(&mut writer, b"one", &large).unwrap();
    // The old reader keeps what it has and, when it asks again, finds what is new.
    compare(&old, &small);
    compare(&reader.segment(b"one").unwrap().unwrap(), &large);
    compare(&reader.segment(b"\xfftwo").unwrap().unwrap(), &large);
    assert!(reader.segment(b"three").unwrap().is_none());
    let record = &reader.roots()[0];
    assert_eq!(
        (record.unread, record.rows, &record.path[..]),
        (3, 3, &b"/data"[..])
    );
    assert_eq!(
        files(&fixture.path),
        ["00000002.seg", "00000003.seg", "lock", "manifest"]
    );
    assert!(writer.remove(b"one").unwrap() && !writer.remove(b"one").unwrap());
    assert!(reader.segment(b"one").unwrap().is_none());
    assert_eq!(files(&fixture.path), ["00000002.seg", "lock", "manifest"]);
}

#[test]
fn one_writer_at_a_time() {
    let fixture = fixture();
    let writer = CatalogWriter::open(&fixture.path).unwrap();
    let second = CatalogWriter::open(&fixture.path);
    assert!(matches!(second, Err(CatalogError::Locked(_))));
    assert!(Catalog::open(&fixture.path).unwrap().roots().is_empty());
    drop(writer);
    assert!(CatalogWriter::open(&fixture.path).is_ok());
}

#[test]
fn what_was_published_stays_when_the_next_one_fails() {
    let fixture = fixture();
    let (small, large) = models();
    let mut writer = CatalogWriter::open(&fixture.path).unwrap();
    publish(&mut writer, b"one", &small).unwrap();
    let cancel = CancelToken::new();
    cancel.cancel();
    let answer = writer.publish(b"one", &about(), 0, builder(&large), volume, &cancel);
    assert!(matches!(
        answer,
        Err(CatalogError::Build(BuildError::Cancelled))
    ));
    let mut reader = Catalog::open(&fixture.path).unwrap();
    compare(&reader.segment(b"one").unwrap().unwrap(), &small);
    assert_eq!(files(&fixture.path), ["00000001.seg", "lock", "manifest"]);
}

#[test]
fn the_next_writer_sweeps_what_a_crash_has_left() {
    let fixture = fixture();
    let (small, _) = models();
    publish(
        &mut CatalogWriter::open(&fixture.path).unwrap(),
        b"one",
        &small,
    )
    .unwrap();
    for name in [
        "00000002.seg",
        "00000003.seg.tmp",
        "00000003.log",
        "manifest.tmp",
        "notes.txt",
    ] {
        fs::write(fixture.path.join(name), b"half").unwrap();
    }
    let mut writer = CatalogWriter::open(&fixture.path).unwrap();
    let left = ["00000001.seg", "lock", "manifest", "notes.txt"];
    assert_eq!(files(&fixture.path), left);
    publish(&mut writer, b"two", &small).unwrap();
}

#[test]
fn damage_is_told_with_its_file() {
    let fixture = fixture();
    let (small, _) = models();
    publish(
        &mut CatalogWriter::open(&fixture.path).unwrap(),
        b"one",
        &small,
    )
    .unwrap();
    let segment = fixture.path.join("00000001.seg");
    let bytes = fs::read(&segment).unwrap();
    let mut reader = Catalog::open(&fixture.path).unwrap();
    for damaged in [
        &bytes[..0],
        &bytes[..7],
        &bytes[..100],
        &bytes[..bytes.len() - 1],
    ] {
        fs::write(&segment, damaged).unwrap();
        let error = reader.segment(b"one").unwrap_err();
        assert!(error.to_string().contains("00000001.seg"), "{error}");
    }
    fs::remove_file(&segment).unwrap();
    assert!(reader.segment(b"one").is_err());
    fs::write(fixture.path.join("manifest"), "groma catalog 3\n").unwrap();
    let error = Catalog::open(&fixture.path).unwrap_err().to_string();
    assert!(
        error.ends_with("manifest: line 1: expected groma catalog 2"),
        "{error}"
    );
}

#[test]
fn a_directory_that_others_can_enter_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let fixture = fixture();
    drop(CatalogWriter::open(&fixture.path).unwrap());
    let mode = fs::metadata(&fixture.path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
    fs::set_permissions(&fixture.path, fs::Permissions::from_mode(0o755)).unwrap();
    assert!(Catalog::open(&fixture.path).is_err());
    assert!(CatalogWriter::open(&fixture.path).is_err());
}
