//! Marked entries of real trees, moved to the trash or deleted, with the disk changing meanwhile.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use groma_base::time::{TimeZone, Zoned};
use groma_base::{CancelToken, Timestamp, Warning};
use groma_catalog::View;
use groma_engine::index::{Progress, Report, ScanOptions};
use groma_engine::map::{Map, Marks, Plan, Reflinks, Refusal, Roots, Scan, Surroundings, plan};

struct Quiet;

impl Report for Quiet {
    fn warn(&self, _warning: &Warning) {}
}

/// A tree, and the home of somebody who maps it.
struct Place {
    _dir: tempfile::TempDir,
    tree: PathBuf,
    data: PathBuf,
}

impl Place {
    fn new() -> Place {
        let dir = tempfile::tempdir().unwrap();
        let real = fs::canonicalize(dir.path()).unwrap();
        let (tree, data) = (real.join("tree"), real.join("data"));
        fs::create_dir(&tree).unwrap();
        Place {
            _dir: dir,
            tree,
            data,
        }
    }

    fn at(&self, path: impl AsRef<[u8]>) -> PathBuf {
        self.tree.join(OsStr::from_bytes(path.as_ref()))
    }

    fn file(&self, path: impl AsRef<[u8]>) -> PathBuf {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, vec![b'x'; 5000]).unwrap();
        path
    }

    fn view(&self) -> View {
        let map = Map::new();
        let scan = Scan {
            roots: Roots::new(std::slice::from_ref(&self.tree)),
            options: ScanOptions::default(),
            threads: 2,
            now: || (&Zoned::now()).into(),
            cancel: CancelToken::new(),
        };
        scan.run(&map, &Progress::new(), &Quiet).unwrap();
        map.seal().unwrap().unwrap().view
    }

    fn plan(&self, view: &View, marked: &[&[u8]]) -> Plan {
        let mut marks = Marks::new();
        for path in marked {
            marks.toggle(self.at(path).as_os_str().as_bytes());
        }
        plan(view, &marks, None, &CancelToken::new()).unwrap()
    }

    fn surroundings(&self) -> Surroundings {
        Surroundings {
            data_home: self.data.clone(),
            uid: own_uid(),
            now: Timestamp::from_seconds(1_700_000_000),
            zone: TimeZone::UTC,
        }
    }

    /// What the notes in a trash say: name in the trash, path, date.
    fn notes(&self) -> BTreeMap<Vec<u8>, (Vec<u8>, String)> {
        notes(&self.data.join("Trash"))
    }
}

/// The user who runs the tests: whom a new file belongs to.
fn own_uid() -> u32 {
    tempfile::tempfile().unwrap().metadata().unwrap().uid()
}

fn notes(trash: &Path) -> BTreeMap<Vec<u8>, (Vec<u8>, String)> {
    let read = |entry: fs::DirEntry| {
        let (name, text) = (entry.file_name(), fs::read(entry.path()).unwrap());
        let mut lines = text.split(|&b| b == b'\n');
        assert_eq!(lines.next(), Some(&b"[Trash Info]"[..]));
        let path = lines.next().unwrap().strip_prefix(b"Path=").unwrap();
        let date = lines
            .next()
            .unwrap()
            .strip_prefix(b"DeletionDate=")
            .unwrap();
        assert_eq!(
            (lines.next(), lines.next()),
            (Some(&b""[..]), None),
            "no more"
        );
        assert!(path.iter().all(u8::is_ascii_graphic));
        let name = name.as_bytes().strip_suffix(b".trashinfo").unwrap();
        let date = String::from_utf8(date.to_vec()).unwrap();
        (name.to_vec(), (decoded(path), date))
    };
    let entries = fs::read_dir(trash.join("info")).unwrap();
    entries.map(|entry| read(entry.unwrap())).collect()
}

fn decoded(text: &[u8]) -> Vec<u8> {
    let (mut out, mut rest) = (Vec::new(), text);
    while let Some((&first, after)) = rest.split_first() {
        if first == b'%' {
            let digits = std::str::from_utf8(&after[..2]).unwrap();
            out.push(u8::from_str_radix(digits, 16).unwrap());
            rest = &after[2..];
        } else {
            out.push(first);
            rest = after;
        }
    }
    out
}

fn never() -> CancelToken {
    CancelToken::new()
}

fn exists(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

const DATE: &str = "2023-11-14T22:13:20";

#[test]
fn entries_of_any_name_go_to_the_trash_of_the_home() {
    let place = Place::new();
    let long = [b'n'; 255];
    let names: [&[u8]; 5] = [b"new\nline", b"bad\xff\xfe%41", b"d/same", b"e/same", &long];
    for name in names {
        place.file(name);
    }
    fs::create_dir(place.at("e/dir")).unwrap();
    let view = place.view();
    let marked = [&names[..], &[b"e/dir"]].concat();
    let outcome = place
        .plan(&view, &marked)
        .trash(&place.surroundings(), &never());
    assert!(outcome.failures.is_empty(), "{:?}", outcome.failures);
    assert_eq!((outcome.entries, outcome.gone.len()), (6, 6));
    let notes = place.notes();
    let path = |name: &[u8]| place.at(name).as_os_str().as_bytes().to_vec();
    let wanted: [(&[u8], &[u8]); 6] = [
        (b"new\nline", b"new\nline"),
        (b"bad\xff\xfe%41", b"bad\xff\xfe%41"),
        (b"same", b"d/same"),
        (b"same.2", b"e/same"),
        (b"dir", b"e/dir"),
        (&long[..245], &long),
    ];
    let wanted = wanted.map(|(name, of)| (name.to_vec(), (path(of), DATE.to_owned())));
    assert_eq!(notes, BTreeMap::from(wanted));
    for name in notes.keys() {
        let file = place.data.join("Trash/files").join(OsStr::from_bytes(name));
        assert!(exists(&file), "{file:?}");
    }
    assert!(names.iter().all(|name| !exists(&place.at(name))));
}

#[test]
fn a_file_in_the_trash_without_a_note_is_not_replaced() {
    let place = Place::new();
    place.file("a");
    let files = place.data.join("Trash/files");
    fs::create_dir_all(&files).unwrap();
    fs::write(files.join("a"), "other").unwrap();
    let plan = place.plan(&place.view(), &[b"a"]);
    let outcome = plan.trash(&place.surroundings(), &never());
    assert_eq!(outcome.gone.len(), 1);
    assert_eq!(fs::read(files.join("a")).unwrap(), b"other");
    assert_eq!(
        place.notes().keys().collect::<Vec<_>>(),
        [&b"a.2"[..].to_vec()]
    );
}

#[test]
fn nested_marks_count_once_and_links_when_all_go() {
    let place = Place::new();
    place.file("d/e/f");
    place.file("d/two");
    fs::hard_link(place.at("d/two"), place.at("outside")).unwrap();
    let view = place.view();
    let some = place.plan(&view, &[b"d", b"d/e", b"d/e/f"]);
    assert_eq!((some.entries, some.confirmed.len()), (4, 1));
    assert!(!some.confirmed[0].is_changed);
    let two = fs::metadata(place.at("d/two")).unwrap().blocks() * 512;
    assert_eq!((some.kept.nodes, some.kept.bytes), (1, two));
    assert_eq!((some.kept.links.here, some.kept.links.all), (1, 2));
    let all = place.plan(&view, &[b"d", b"outside"]);
    assert_eq!((all.bytes, all.kept.nodes), (some.bytes + two, 0));
    let outcome = all.remove(&never());
    assert!(outcome.failures.is_empty(), "{:?}", outcome.failures);
    assert_eq!((outcome.entries, outcome.bytes), (5, all.bytes));
    assert_eq!(fs::read_dir(&place.tree).unwrap().count(), 0);
}

#[test]
fn what_vanished_or_is_another_file_is_refused_before_the_question() {
    let place = Place::new();
    for name in ["gone", "other", "kind", "way/x", "grown", "stays"] {
        place.file(name);
    }
    let view = place.view();
    fs::remove_file(place.at("gone")).unwrap();
    fs::write(place.at("new"), "").unwrap();
    fs::rename(place.at("new"), place.at("other")).unwrap();
    fs::rename(place.at("way"), place.at("moved")).unwrap();
    symlink("moved", place.at("way")).unwrap();
    fs::write(place.at("grown"), vec![b'x'; 50_000]).unwrap();
    let mut plan = place.plan(
        &view,
        &[b"gone", b"other", b"way/x", b"grown", b"", b"never"],
    );
    let mut why = |name: &str| {
        let path = place.at(name);
        let path = path.as_os_str().as_bytes();
        let at = plan.refused.iter().position(|r| r.path == path);
        plan.refused.remove(at.unwrap()).why
    };
    assert!(matches!(why("gone"), Refusal::Vanished));
    assert!(matches!(why("other"), Refusal::Replaced));
    assert!(matches!(why("way/x"), Refusal::Replaced));
    assert!(matches!(why("never"), Refusal::Unknown));
    assert!(plan.confirmed.iter().all(|c| c.is_changed));
    assert_eq!(plan.confirmed.len(), 1);
}

/// Changes made between the question and the answer.
fn check_race(change: impl Fn(&Place)) {
    for is_trash in [true, false] {
        let place = Place::new();
        place.file("way/d/x");
        place.file("keep/d/x");
        let plan = place.plan(&place.view(), &[b"way/d"]);
        assert_eq!(plan.entries, 2);
        change(&place);
        let outcome = match is_trash {
            true => plan.trash(&place.surroundings(), &never()),
            false => plan.remove(&never()),
        };
        assert_eq!((outcome.gone.len(), outcome.failures.len()), (0, 1));
        assert!(exists(&place.at("keep/d/x")), "trash: {is_trash}");
        let info = place.data.join("Trash/info");
        assert!(!info.exists() || fs::read_dir(info).unwrap().next().is_none());
    }
}

#[test]
fn a_swap_between_question_and_answer_is_refused() {
    check_race(|place| {
        fs::rename(place.at("way"), place.at("old")).unwrap();
        symlink("keep", place.at("way")).unwrap();
    });
    check_race(|place| {
        fs::rename(place.at("way/d"), place.at("old")).unwrap();
        symlink("../keep/d", place.at("way/d")).unwrap();
    });
    check_race(|place| {
        fs::rename(place.at("way"), place.at("old")).unwrap();
        fs::create_dir(place.at("way")).unwrap();
        fs::create_dir(place.at("way/d")).unwrap();
    });
    check_race(|place| fs::remove_dir_all(place.at("way")).unwrap());
    check_race(|place| {
        let moved = place.tree.with_file_name("moved");
        fs::rename(&place.tree, moved).unwrap();
        place.file("way/d/x");
        place.file("keep/d/x");
    });
}

#[test]
fn what_came_after_the_question_stays() {
    let place = Place::new();
    place.file("d/e/x");
    place.file("d/y");
    symlink(&place.data, place.at("d/link")).unwrap();
    fs::create_dir(&place.data).unwrap();
    fs::write(place.data.join("precious"), "").unwrap();
    let plan = place.plan(&place.view(), &[b"d"]);
    place.file("d/e/new");
    let outcome = plan.remove(&never());
    let failed: Vec<_> = outcome.failures.iter().map(|f| f.path.clone()).collect();
    assert_eq!(failed, [place.at("d/e/new").as_os_str().as_bytes()]);
    assert_eq!((outcome.entries, outcome.gone.len()), (3, 0));
    assert!(exists(&place.data.join("precious")));
    assert!(exists(&place.at("d/e/new")) && !exists(&place.at("d/y")));
}

#[test]
#[cfg(not(feature = "portable"))] // There, paths have a limit.
fn fifteen_hundred_nested_directories() {
    let place = Place::new();
    // Built from the inside: each new directory takes the last one in.
    let (next, all) = (place.at("next"), place.at("all"));
    fs::create_dir(&all).unwrap();
    fs::write(all.join("bottom"), "x").unwrap();
    for _ in 1..1500 {
        fs::create_dir(&next).unwrap();
        fs::rename(&all, next.join("a_name_that_makes_it_long")).unwrap();
        fs::rename(&next, &all).unwrap();
    }
    let plan = place.plan(&place.view(), &[b"all"]);
    assert_eq!(plan.entries, 1501);
    let outcome = plan.remove(&never());
    assert!(outcome.failures.is_empty(), "{:?}", outcome.failures);
    assert_eq!((outcome.entries, exists(&all)), (1501, false));
}

#[test]
fn a_cancelled_plan_or_deletion_does_nothing() {
    let place = Place::new();
    place.file("d/x");
    let view = place.view();
    let cancelled = CancelToken::new();
    cancelled.cancel();
    let plan = place.plan(&view, &[b"d"]);
    assert!(plan.remove(&cancelled).is_cancelled);
    let mut marks = Marks::new();
    marks.toggle(place.at("d").as_os_str().as_bytes());
    let early = groma_engine::map::plan(&view, &marks, Some(10), &cancelled).unwrap();
    assert!(early.is_cancelled && early.remove(&never()).is_cancelled);
    assert!(exists(&place.at("d/x")));
    let asked = |most| groma_engine::map::plan(&view, &marks, Some(most), &never()).unwrap();
    assert_eq!(asked(0).reflinks, Reflinks::TooMany);
    assert_eq!(asked(1).reflinks, Reflinks::Shared(0));
}

/// A mounted tmpfs; taken away at the end.
struct Mounted(PathBuf);

impl Mounted {
    fn new(at: &Path) -> Mounted {
        let mut mount = Command::new("mount");
        let status = mount.args(["-t", "tmpfs", "none"]).arg(at).status();
        assert!(status.unwrap().success(), "mounting needs root");
        Mounted(at.to_owned())
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

#[test]
fn mounts_are_never_crossed() {
    let place = Place::new();
    place.file("d/m/below");
    place.file("d/x");
    let view = place.view();
    let early = place.plan(&view, &[b"d"]);
    let mounted = Mounted::new(&place.at("d/m"));
    place.file("d/m/inside");
    let late = place.plan(&view, &[b"d"]);
    let why = &late.refused[0].why;
    assert!(matches!(why, Refusal::Mount(at) if at == place.at("d/m").as_os_str().as_bytes()));
    let outcome = early.trash(&place.surroundings(), &never());
    assert_eq!((outcome.gone.len(), outcome.failures.len()), (0, 1));
    let outcome = early.remove(&never());
    assert_eq!((outcome.entries, outcome.failures.len()), (1, 1));
    assert!(exists(&place.at("d/m/inside")) && !exists(&place.at("d/x")));
    drop(mounted);
    assert!(exists(&place.at("d/m/below")));
}

#[test]
fn another_file_system_has_a_trash_of_its_own() {
    let place = Place::new();
    fs::create_dir(place.at("m")).unwrap();
    let _mounted = Mounted::new(&place.at("m"));
    place.file("m/a b");
    place.file("m/c");
    let view = place.view();
    let own = place.at(format!("m/.Trash-{}", own_uid()));
    let trash = |name: &[u8]| {
        let plan = place.plan(&view, &[name]);
        plan.trash(&place.surroundings(), &never())
    };
    // Not sticky: everybody could take away what others have there.
    fs::create_dir(place.at("m/.Trash")).unwrap();
    let outcome = trash(b"m/a b");
    assert!(outcome.failures.is_empty(), "{:?}", outcome.failures);
    let note = (b"a b".to_vec(), (b"a b".to_vec(), DATE.to_owned()));
    assert_eq!(notes(&own), BTreeMap::from([note]));
    let mode = fs::Permissions::from_mode(0o1777);
    fs::set_permissions(place.at("m/.Trash"), mode).unwrap();
    assert!(trash(b"m/c").failures.is_empty());
    let shared = place.at(format!("m/.Trash/{}", own_uid()));
    assert!(exists(&shared.join("files/c")) && exists(&own.join("files/a b")));
    assert_eq!(fs::metadata(&shared).unwrap().mode() & 0o777, 0o700);
}

#[test]
fn paths_in_notes_are_percent_encoded() {
    let place = Place::new();
    place.file("sp ace é");
    let plan = place.plan(&place.view(), &["sp ace é".as_bytes()]);
    let outcome = plan.trash(&place.surroundings(), &never());
    assert_eq!(outcome.gone.len(), 1);
    let note = place.data.join("Trash/info/sp ace é.trashinfo");
    let text = fs::read_to_string(note).unwrap();
    assert!(text.contains("/tree/sp%20ace%20%C3%A9\n"), "{text}");
}
