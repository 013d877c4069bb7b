//! The log on the disk: damage, torn tails, and crashes between any two steps.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use groma_base::{CancelToken, Kind};
use groma_catalog::{Catalog, CatalogError, CatalogWriter, Delta};

use crate::model::{metadata, volume};
use crate::seen::compare;
use crate::tree::{Entry, Key, Tree, join};

const KEY: &[u8] = b"root";

struct Fixture {
    _temp: tempfile::TempDir,
    path: PathBuf,
    tree: Tree,
}

/// Files of a catalog's directory, but for the lock.
type Files = BTreeMap<String, Vec<u8>>;

impl Fixture {
    /// A catalog with a root that has not changed yet.
    fn new() -> Fixture {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("groma");
        let mut tree = Tree::new();
        for dir in ["a", "b"] {
            tree.put(&Key::new(), dir.as_bytes(), dir_entry(2));
            let dir = join(&Key::new(), dir.as_bytes());
            tree.put(&dir, b"one.txt", file(7));
            tree.put(&dir, b"two.txt", file(8));
        }
        let mut writer = CatalogWriter::open(&path).unwrap();
        let (builder, cancel) = (tree.builder(), CancelToken::new());
        writer
            .publish(KEY, &tree.about, 0, builder, volume, &cancel)
            .unwrap();
        Fixture {
            _temp: temp,
            path,
            tree,
        }
    }

    fn reader(&self) -> Result<groma_catalog::View, CatalogError> {
        Ok(Catalog::open(&self.path)?.view(KEY)?.unwrap())
    }

    fn log(&self) -> PathBuf {
        let catalog = Catalog::open(&self.path).unwrap();
        self.path.join(&catalog.roots()[0].log)
    }

    /// Makes and publishes some changes of every sort.
    fn append(&mut self, round: u64) {
        let mut writer = CatalogWriter::open(&self.path).unwrap();
        let mut delta = writer.delta(KEY).unwrap().unwrap();
        change(&mut delta, &mut self.tree, round);
        writer.append(KEY, &mut delta, 0).unwrap();
        assert!(!delta.is_waiting());
    }

    fn files(&self) -> Files {
        files(&self.path)
    }

    fn restore(&self, files: &Files) {
        for name in self.files().keys() {
            fs::remove_file(self.path.join(name)).unwrap();
        }
        for (name, bytes) in files {
            write(&self.path.join(name), bytes);
        }
    }
}

fn write(path: &Path, bytes: &[u8]) {
    use std::os::unix::fs::PermissionsExt;
    fs::write(path, bytes).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
}

fn files(path: &Path) -> Files {
    let entries = fs::read_dir(path).unwrap().map(Result::unwrap);
    let named = entries.map(|e| (e.file_name().into_string().unwrap(), e.path()));
    let named = named.filter(|(name, _)| name != "lock");
    named.map(|(n, p)| (n, fs::read(p).unwrap())).collect()
}

fn file(inode: u64) -> Entry {
    Entry::new(Kind::File, Some(metadata(Kind::File, inode)))
}

fn dir_entry(inode: u64) -> Entry {
    Entry::new(Kind::Dir, Some(metadata(Kind::Dir, inode)))
}

fn change(delta: &mut Delta, tree: &mut Tree, round: u64) {
    let top = delta.top().unwrap();
    let root = Key::new();
    delta.add_volume(volume(42)).unwrap();
    let name = format!("new {round}").into_bytes();
    let dir = delta
        .put(Some(top), &name, &dir_entry(round + 20).put())
        .unwrap();
    tree.put(&root, &name, dir_entry(round + 20));
    let key = join(&root, &name);
    delta
        .put(Some(dir), b"\xff.jpg", &file(round).put())
        .unwrap();
    tree.put(&key, b"\xff.jpg", file(round));
    delta
        .put(Some(dir), b"gone", &Entry::new(Kind::Fifo, None).put())
        .unwrap();
    let gone = delta.child(dir, b"gone").unwrap().unwrap();
    delta.remove(gone).unwrap();
    delta.mark_unread(dir, true).unwrap();
    tree.entries.get_mut(&key).unwrap().is_unread = true;
    if let Some(a) = delta.child(top, b"a").unwrap() {
        delta.rename(a, dir, b"A").unwrap();
        tree.rename(&join(&root, b"a"), &key, b"A");
    }
    let begun = groma_base::Timestamp::from_seconds(i64::try_from(round).unwrap());
    delta.mark_scanned(begun, begun.next()).unwrap();
    (tree.about.begun, tree.about.ended) = (begun, begun.next());
}

fn log_offset(error: CatalogError) -> u64 {
    match error {
        CatalogError::Log { path, error } => {
            assert!(path.extension().unwrap() == "log");
            assert!(
                error.to_string().starts_with("damaged log: byte "),
                "{error}"
            );
            error.offset
        }
        other => panic!("{other}"),
    }
}

#[test]
fn every_changed_byte_is_found_and_its_record_named() {
    let mut fixture = Fixture::new();
    fixture.append(100);
    fixture.append(200);
    compare(&fixture.reader().unwrap(), &fixture.tree);
    let log = fixture.log();
    let bytes = fs::read(&log).unwrap();
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1 << (at % 8);
        write(&log, &damaged);
        let offset = log_offset(fixture.reader().unwrap_err());
        let place = u64::try_from(at).unwrap();
        assert!(offset <= place || place < 40, "{offset} for {at}");
    }
}

#[test]
fn a_log_cut_anywhere_is_an_error_and_a_longer_one_is_not() {
    let mut fixture = Fixture::new();
    fixture.append(100);
    let log = fixture.log();
    let bytes = fs::read(&log).unwrap();
    for length in 0..bytes.len() {
        write(&log, &bytes[..length]);
        log_offset(fixture.reader().unwrap_err());
    }
    for tail in [&b"x"[..], &bytes, &[0; 64]] {
        write(&log, &[&bytes[..], tail].concat());
        compare(&fixture.reader().unwrap(), &fixture.tree);
    }
    fs::remove_file(&log).unwrap();
    assert!(fixture.reader().is_err());
}

#[test]
fn records_cannot_be_left_out_repeated_or_moved() {
    let mut fixture = Fixture::new();
    fixture.append(100);
    let log = fixture.log();
    let bytes = fs::read(&log).unwrap();
    let mut starts = vec![40];
    while let Some(length) = bytes
        .get(starts[starts.len() - 1]..)
        .and_then(|b| b.get(..4))
    {
        let length = u32::from_le_bytes(length.try_into().unwrap()) as usize;
        starts.push(starts[starts.len() - 1] + 8 + length);
    }
    assert_eq!(starts.pop(), Some(bytes.len()));
    let record = |n: usize| &bytes[starts[n]..starts.get(n + 1).copied().unwrap_or(bytes.len())];
    let records: Vec<&[u8]> = (0..starts.len()).map(record).collect();
    assert!(records.len() > 6);
    for at in 0..records.len() - 1 {
        let mut swapped = records.clone();
        swapped.swap(at, at + 1);
        write(&log, &[&bytes[..40], &swapped.concat()].concat());
        log_offset(fixture.reader().unwrap_err());
    }
}

#[test]
fn a_log_of_another_segment_is_refused() {
    let mut fixture = Fixture::new();
    fixture.append(100);
    let before = fs::read(fixture.log()).unwrap();
    let mut writer = CatalogWriter::open(&fixture.path).unwrap();
    writer.fold(KEY, &CancelToken::new()).unwrap().unwrap();
    drop(writer);
    fixture.append(200);
    let log = fixture.log();
    let length = fs::read(&log).unwrap().len();
    let mut other = before;
    other.resize(length, 0);
    write(&log, &other);
    assert_eq!(log_offset(fixture.reader().unwrap_err()), 12);
}

/// States that a kill between two steps of an append may leave: each is the old one or the new one,
/// and can be gone on from.
#[test]
fn an_append_that_was_killed() {
    for rounds in 0..2 {
        let mut fixture = Fixture::new();
        (0..rounds).for_each(|_| fixture.append(100));
        let (old, old_tree) = (fixture.files(), fixture.tree.clone());
        fixture.append(300);
        let (new, new_tree) = (fixture.files(), fixture.tree.clone());
        let log = fixture
            .log()
            .file_name()
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned();
        let written = &new[&log];
        let valid = old.get(&log).map_or(0, Vec::len);
        for length in (valid..=written.len()).step_by(11) {
            let mut torn = old.clone();
            torn.insert(log.clone(), written[..length].to_vec());
            go_on_from(&mut fixture, &torn, &old_tree);
        }
        let mut torn = old.clone();
        torn.insert(log.clone(), written.clone());
        torn.insert("manifest.tmp".to_owned(), b"half".to_vec());
        go_on_from(&mut fixture, &torn, &old_tree);
        go_on_from(&mut fixture, &new, &new_tree);
    }
}

#[test]
fn a_fold_that_was_killed() {
    let mut fixture = Fixture::new();
    fixture.append(100);
    let old = fixture.files();
    let mut writer = CatalogWriter::open(&fixture.path).unwrap();
    writer.fold(KEY, &CancelToken::new()).unwrap().unwrap();
    drop(writer);
    let new = fixture.files();
    let tree = fixture.tree.clone();
    let segment = new.keys().find(|name| name.ends_with(".seg")).unwrap();
    let with = |files: &Files, name: &str, bytes: &[u8]| {
        let mut files = files.clone();
        files.insert(name.to_owned(), bytes.to_vec());
        files
    };
    let half = &new[segment][..new[segment].len() / 2];
    let built = with(&old, segment, &new[segment]);
    let published = with(&built, "manifest", &new["manifest"]);
    for state in [
        with(&old, &format!("{segment}.tmp"), half),
        built.clone(),
        with(&built, "manifest.tmp", b"half"),
        published.clone(),
        new,
    ] {
        go_on_from(&mut fixture, &state, &tree);
    }
    // A fold that is cancelled leaves all as it was.
    fixture.restore(&old);
    let mut writer = CatalogWriter::open(&fixture.path).unwrap();
    let cancel = CancelToken::new();
    cancel.cancel();
    assert!(writer.fold(KEY, &cancel).is_err());
    drop(writer);
    assert_eq!(fixture.files(), old);
}

/// What is there is read, and the next writer appends to it, leaving no file that is not needed.
fn go_on_from(fixture: &mut Fixture, files: &Files, tree: &Tree) {
    fixture.restore(files);
    fixture.tree = tree.clone();
    compare(&fixture.reader().unwrap(), tree);
    fixture.append(500);
    compare(&fixture.reader().unwrap(), &fixture.tree);
    let names: Vec<String> = fixture.files().into_keys().collect();
    assert!(names.len() == 3 && names[2] == "manifest", "{names:?}");
}

#[test]
fn changes_to_what_is_no_longer_there_are_refused() {
    let mut fixture = Fixture::new();
    fixture.append(100);
    let mut writer = CatalogWriter::open(&fixture.path).unwrap();
    let mut first = writer.delta(KEY).unwrap().unwrap();
    let mut second = writer.delta(KEY).unwrap().unwrap();
    change(&mut first, &mut fixture.tree, 200);
    writer.append(KEY, &mut first, 0).unwrap();
    second.remove(1).unwrap();
    let stale = |answer| matches!(answer, Err(CatalogError::Stale));
    assert!(stale(writer.append(KEY, &mut second, 0).map(drop)));
    writer.fold(KEY, &CancelToken::new()).unwrap().unwrap();
    assert!(stale(writer.append(KEY, &mut first, 0).map(drop)));
    assert!(stale(writer.append(b"other", &mut first, 0).map(drop)));
    assert!(stale(writer.fold(b"other", &CancelToken::new()).map(drop)));
    compare(&fixture.reader().unwrap(), &fixture.tree);
    // Nothing to fold.
    assert_eq!(writer.fold(KEY, &CancelToken::new()).unwrap(), None);
}

/// A reader that opened the catalog before goes on, and finds what is new when it asks again.
#[test]
fn readers_meet_appends_and_folds() {
    let mut fixture = Fixture::new();
    let mut reader = Catalog::open(&fixture.path).unwrap();
    let old_tree = fixture.tree.clone();
    let old = reader.view(KEY).unwrap().unwrap();
    assert!(old.is_sealed());
    fixture.append(100);
    // The manifest that it knows names what is still there.
    compare(&reader.view(KEY).unwrap().unwrap(), &old_tree);
    reader.reload().unwrap();
    compare(&reader.view(KEY).unwrap().unwrap(), &fixture.tree);
    let record = reader.roots()[0].clone();
    assert_eq!((record.entries, record.rows), (9, 7));
    let mut writer = CatalogWriter::open(&fixture.path).unwrap();
    writer.fold(KEY, &CancelToken::new()).unwrap().unwrap();
    let folded = reader.view(KEY).unwrap().unwrap();
    assert!(folded.is_sealed());
    compare(&folded, &fixture.tree);
    compare(&old, &old_tree);
    assert!(writer.remove(KEY).unwrap());
    assert!(reader.view(KEY).unwrap().is_none());
    assert_eq!(
        fixture.files().into_keys().collect::<Vec<_>>(),
        ["manifest"]
    );
}
