//! A refresh: its result is that of a new scan, whatever happened since the last one.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use groma_base::time::Zoned;
use groma_base::{CancelToken, Kind, Metadata, Timestamp, Warning};
use groma_catalog::KindFlags;
use groma_engine::catalogs;
use groma_engine::index::{
    AddRequest, Index, Progress, RefreshRequest, Refreshing, Report, ScanOptions,
};

struct Silent;

impl Report for Silent {
    fn warn(&self, warning: &Warning) {
        panic!("{warning:?}");
    }
}

/// A clock that is ahead: nothing on the disk is so young that it could change again in the same
/// tick of the file system's clock.
fn later() -> Timestamp {
    let now: Timestamp = (&Zoned::now()).into();
    Timestamp {
        seconds: now.seconds + 3600,
        ..now
    }
}

/// A clock that is behind: everything may have changed since the last scan began.
fn earlier() -> Timestamp {
    Timestamp::from_seconds(0)
}

fn add(catalog: &Path, root: &Path, now: fn() -> Timestamp) {
    let request = AddRequest {
        root: root.to_owned(),
        options: ScanOptions::default(),
        threads: 3,
        now,
        cancel: CancelToken::new(),
    };
    let mut index = Index::open(catalog).unwrap();
    index.add(&request, &Progress::new(), &Silent).unwrap();
}

fn refresh(catalog: &Path, how: Refreshing, now: fn() -> Timestamp) {
    let mut index = Index::open(catalog).unwrap();
    let request = RefreshRequest {
        how,
        threads: 3,
        now,
        cancel: CancelToken::new(),
    };
    for root in index.refreshable(None).unwrap() {
        index
            .refresh(&root, &request, &Progress::new(), &Silent)
            .unwrap();
    }
}

/// Waits until the clock of the file system has gone on.
fn tick() {
    std::thread::sleep(std::time::Duration::from_millis(20));
}

type Entries = BTreeMap<String, (KindFlags, Option<Metadata>)>;

/// All that is stored, but for the last access: reading a directory is one.
fn entries(catalog: &Path) -> Entries {
    let mut entries = Entries::new();
    for root in catalogs::open(catalog).unwrap() {
        for id in root
            .view
            .pieces()
            .iter()
            .flat_map(|piece| piece.ids.clone())
        {
            let mut path = Vec::new();
            root.view.append_path(id, &mut path).unwrap();
            let metadata = root.view.metadata(id).unwrap().map(|metadata| Metadata {
                accessed: Timestamp::default(),
                ..metadata
            });
            let path = String::from_utf8_lossy(&path).into_owned();
            entries.insert(path, (root.view.kind(id).unwrap(), metadata));
        }
    }
    entries
}

/// A small generator, so that a failure can be seen again.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

fn dirs(root: &Path) -> Vec<std::path::PathBuf> {
    let mut dirs = vec![root.to_owned()];
    let mut at = 0;
    while at < dirs.len() {
        let mut below: Vec<_> = fs::read_dir(&dirs[at]).unwrap().flatten().collect();
        below.sort_by_key(fs::DirEntry::file_name);
        let is_dir = |entry: &fs::DirEntry| entry.file_type().unwrap().is_dir();
        dirs.extend(below.into_iter().filter(is_dir).map(|entry| entry.path()));
        at += 1;
    }
    dirs
}

/// Does something to the tree.
fn change(root: &Path, random: &mut Random, number: usize) {
    let dirs = dirs(root);
    let dir = &dirs[random.below(dirs.len())];
    let other = &dirs[random.below(dirs.len())];
    let files: Vec<_> = fs::read_dir(dir)
        .unwrap()
        .flatten()
        .map(|entry| entry.path())
        .collect();
    let file = files.get(random.below(files.len().max(1)));
    let new = dir.join(format!("n{number}"));
    match (random.below(9), file) {
        (0, _) => fs::create_dir(&new).unwrap(),
        (1, Some(file)) => drop(fs::rename(file, other.join(format!("m{number}")))),
        (2, Some(file)) if file.is_dir() => drop(fs::remove_dir_all(file)),
        (3, Some(file)) => drop(fs::remove_file(file)),
        (4, Some(file)) if file.is_file() => fs::write(file, vec![b'x'; number * 100]).unwrap(),
        (5, Some(file)) if file.is_file() => drop(fs::hard_link(file, &new)),
        (6, _) => symlink("nowhere", &new).unwrap(),
        (7, Some(file)) if file.is_dir() => {
            // The same name, another directory.
            let _ = fs::remove_dir_all(file);
            let _ = fs::create_dir(file);
        }
        _ => fs::write(&new, "new").unwrap(),
    }
}

#[test]
fn an_exact_refresh_gives_what_a_new_scan_gives() {
    for seed in 0..6 {
        let temp = tempfile::tempdir().unwrap();
        let (root, one, two) = (
            temp.path().join("r"),
            temp.path().join("1"),
            temp.path().join("2"),
        );
        fs::create_dir(&root).unwrap();
        let mut random = Random(seed);
        (0..60).for_each(|number| change(&root, &mut random, number));
        add(&one, &root, later);
        for round in 1..4 {
            tick();
            (0..round * 4).for_each(|number| change(&root, &mut random, round * 100 + number));
            refresh(&one, Refreshing::Exact, later);
            add(&two, &root, later);
            assert_eq!(entries(&one), entries(&two), "seed {seed}, round {round}");
        }
    }
}

#[test]
fn a_quick_one_misses_only_what_was_written_in_place() {
    let temp = tempfile::tempdir().unwrap();
    let (root, one, two) = (
        temp.path().join("r"),
        temp.path().join("1"),
        temp.path().join("2"),
    );
    for dir in ["a/b", "a/c/d", "e"] {
        fs::create_dir_all(root.join(dir)).unwrap();
        fs::write(root.join(dir).join("f"), "old").unwrap();
    }
    add(&one, &root, later);
    fs::write(root.join("a/b/f"), "written in place").unwrap();
    fs::write(root.join("a/c/d/new"), "seen").unwrap();
    fs::write(root.join("a/c/d/f"), "seen too").unwrap();
    fs::remove_dir_all(root.join("e")).unwrap();
    refresh(&one, Refreshing::Quick, later);
    add(&two, &root, later);
    let (quick, mut full) = (entries(&one), entries(&two));
    let path = root
        .join("a/b/f")
        .canonicalize()
        .unwrap()
        .display()
        .to_string();
    let old = quick[&path].1.as_ref().unwrap().size;
    assert_eq!((old, full[&path].1.as_ref().unwrap().size), (3, 16));
    full.insert(path.clone(), quick[&path].clone());
    assert_eq!(quick, full);
    refresh(&one, Refreshing::Exact, later);
    assert_eq!(entries(&one), entries(&two));
}

/// What a quick refresh must tell: a new scan, but for files whose directory is what it was.
fn quickly(old: &Entries, new: &Entries) -> BTreeMap<String, (Kind, Option<Metadata>)> {
    let stamp = |entries: &Entries, path: &Path| {
        let (_, metadata) = entries.get(path.to_str()?)?;
        let metadata = metadata.as_ref()?;
        Some((metadata.id, metadata.modified, metadata.changed))
    };
    let told = |(path, entry): (&String, &(KindFlags, Option<Metadata>))| {
        let dir = Path::new(path).parent().unwrap();
        let is_unchanged = stamp(old, dir).is_some() && stamp(old, dir) == stamp(new, dir);
        let (kind, metadata) = match is_unchanged && !entry.0.is_dir() {
            true => &old[path],
            false => entry,
        };
        (path.clone(), (kind.kind(), metadata.clone()))
    };
    new.iter().map(told).collect()
}

#[test]
fn a_quick_one_tells_what_directories_tell() {
    for seed in 0..6 {
        let temp = tempfile::tempdir().unwrap();
        let (root, one, two) = (
            temp.path().join("r"),
            temp.path().join("1"),
            temp.path().join("2"),
        );
        // So deep, and so much below, that directories on the way are opened.
        let deep: std::path::PathBuf = (0..12).map(|depth| format!("d{depth}")).collect();
        for number in 0..40 {
            fs::create_dir_all(root.join(&deep).join(format!("e{number}/f"))).unwrap();
        }
        let mut random = Random(seed);
        (0..60).for_each(|number| change(&root, &mut random, number));
        add(&one, &root, later);
        for round in 1..5 {
            let old = entries(&one);
            tick();
            (0..round * 4).for_each(|number| change(&root, &mut random, round * 100 + number));
            refresh(&one, Refreshing::Quick, later);
            add(&two, &root, later);
            let quick = entries(&one).into_iter();
            let quick: BTreeMap<_, _> = quick.map(|(path, (k, m))| (path, (k.kind(), m))).collect();
            let wanted = quickly(&old, &entries(&two));
            assert_eq!(quick, wanted, "seed {seed}, round {round}");
        }
    }
}

#[test]
fn times_too_young_are_not_relied_on() {
    let temp = tempfile::tempdir().unwrap();
    let (root, one) = (temp.path().join("r"), temp.path().join("1"));
    fs::create_dir(&root).unwrap();
    fs::write(root.join("f"), "old").unwrap();
    add(&one, &root, earlier);
    // Were the directory taken to be unchanged, this would be missed.
    fs::write(root.join("f"), "newer").unwrap();
    refresh(&one, Refreshing::Quick, earlier);
    let path = root.join("f").canonicalize().unwrap().display().to_string();
    assert_eq!(entries(&one)[&path].1.as_ref().unwrap().size, 5);
}
