//! Each mode does what it says; every row is accounted for.

use std::fs;
use std::os::unix::fs::MetadataExt;

use groma_base::Timestamp;
use groma_photos::apply::{ApplyError, Failure, Finding, Known, Outcome, Stop, apply, verify};
use groma_photos::plan::{Action, Mode, Skip};

use super::support::{Image, World, bytes, files, identity, tree};

fn three(mode: Mode) -> World {
    fill(World::new(mode))
}

fn fill(mut world: World) -> World {
    world.add("a.jpg", b"aaa", "2023/06-June/a.jpg");
    world.add("d/b.jpg", &vec![b'b'; 700_000], "2023/06-June/b.jpg");
    world.add("d/empty.jpg", b"", "2024/01-January/c.jpg");
    world
}

#[test]
fn copies_are_equal_and_sources_stay() {
    let world = three(Mode::Copy);
    let before = tree(&world.card());
    let (summary, _) = world.apply();
    assert_eq!(
        (summary.placed, summary.bytes, summary.earlier),
        (3, 700_003, 0)
    );
    let after = tree(&world.library());
    for (from, to) in [
        ("a.jpg", "2023/06-June/a.jpg"),
        ("d/b.jpg", "2023/06-June/b.jpg"),
        ("d/empty.jpg", "2024/01-January/c.jpg"),
    ] {
        assert_eq!(
            after[to.as_ref() as &std::path::Path],
            before[from.as_ref() as &std::path::Path]
        );
    }
    assert_eq!(tree(&world.card()), before);
    let (again, _) = world.apply();
    assert_eq!((again.placed, again.earlier, again.failed), (3, 3, 0));
}

#[test]
fn moves_within_a_file_system_keep_the_node() {
    let world = three(Mode::Move);
    let inode = fs::metadata(world.card().join("a.jpg")).unwrap().ino();
    assert_eq!(world.apply().0.placed, 3);
    assert_eq!(
        fs::metadata(world.library().join("2023/06-June/a.jpg"))
            .unwrap()
            .ino(),
        inode
    );
    assert!(files(&world.card()).is_empty());
    assert_eq!(world.apply().0.earlier, 3);
}

#[test]
fn moves_across_file_systems_copy_and_then_remove() {
    let Some(world) = World::across(Mode::Move).map(fill) else {
        return;
    };
    let before: Vec<_> = files(&world.card()).into_values().collect();
    assert_eq!(world.apply().0.placed, 3);
    assert!(files(&world.card()).is_empty());
    assert_eq!(
        files(&world.library()).into_values().collect::<Vec<_>>(),
        before
    );
    assert_eq!(world.apply().0.earlier, 3);
}

#[test]
fn links_are_links() {
    let world = three(Mode::Hardlink);
    assert_eq!(world.apply().0.placed, 3);
    assert_eq!(fs::metadata(world.card().join("a.jpg")).unwrap().nlink(), 2);
    let world = three(Mode::Symlink);
    assert_eq!(world.apply().0.placed, 3);
    let link = world.library().join("2023/06-June/a.jpg");
    assert_eq!(fs::read_link(link).unwrap(), world.card().join("a.jpg"));
    assert_eq!(world.apply().0.earlier, 3);
    if let Some(world) = World::across(Mode::Hardlink).map(fill) {
        let (summary, outcomes) = world.apply();
        assert_eq!(summary.failed, 3);
        assert!(matches!(&outcomes[&0], Outcome::Failed(Failure::Unable(_))));
    }
}

/// Blocks are shared where the file system can, and nothing is copied in their place where it cannot.
#[test]
fn reflinks_share_or_fail() {
    let world = three(Mode::Reflink);
    let (summary, outcomes) = world.apply();
    if summary.failed == 3 {
        assert!(matches!(&outcomes[&0], Outcome::Failed(Failure::Unable(_))));
        assert!(files(&world.library()).is_empty());
    } else {
        assert_eq!(summary.placed, 3);
        assert_eq!(files(&world.library()).len(), 3);
    }
}

#[test]
fn every_row_is_accounted_for() {
    let mut world = three(Mode::Copy);
    for (name, action) in [
        (
            "dup",
            Action::Duplicate {
                of: b"x".to_vec(),
                in_library: true,
            },
        ),
        ("skip", Action::Skip(Skip::Undated)),
        ("fail", Action::Fail("why".to_owned())),
        (
            "out",
            Action::Place {
                to: b"../out".to_vec(),
                replaces: None,
            },
        ),
    ] {
        let row = world.add(name, name.as_bytes(), "");
        world.plan.1[row].action = action;
    }
    let (summary, outcomes) = world.apply();
    assert_eq!(
        (
            summary.placed,
            summary.duplicates,
            summary.skipped,
            summary.failed
        ),
        (3, 1, 1, 2)
    );
    assert_eq!(outcomes[&6], Outcome::Failed(Failure::BadPath));
}

#[test]
fn the_second_place_has_every_file_before_a_source_goes() {
    let mut world = three(Mode::Move);
    world.plan.0.second = Some(bytes(&world.second()));
    let before: Vec<_> = files(&world.card()).into_values().collect();
    assert_eq!(world.apply().0.placed, 3);
    assert_eq!(files(&world.second()), files(&world.library()));
    assert_eq!(
        files(&world.second()).into_values().collect::<Vec<_>>(),
        before
    );
    // What the second place cannot take is not moved.
    let mut world = three(Mode::Move);
    world.plan.0.second = Some(bytes(&world.second()));
    fs::create_dir_all(world.second().join("2023")).unwrap();
    fs::write(world.second().join("2023/06-June"), "in the way").unwrap();
    let (summary, _) = world.apply();
    assert_eq!((summary.placed, summary.failed), (1, 2));
    assert_eq!(files(&world.card()).len(), 2);
}

#[test]
fn what_is_replaced_is_kept_aside() {
    let mut world = three(Mode::Copy);
    let old = world.library().join("2023/06-June/a.jpg");
    fs::create_dir_all(old.parent().unwrap()).unwrap();
    fs::write(&old, "old").unwrap();
    let before = tree(&world.library());
    world.plan.1[0].action = Action::Place {
        to: b"2023/06-June/a.jpg".to_vec(),
        replaces: Some(identity(&old)),
    };
    assert_eq!(world.apply().0.placed, 3);
    assert_eq!(fs::read(&old).unwrap(), b"aaa");
    let kept = world.library().join(".groma/replaced/r1/0-a.jpg");
    assert_eq!(fs::read(kept).unwrap(), b"old");
    assert_eq!(world.undo().0.restored, 3);
    assert_eq!(tree(&world.library()), before);
}

#[test]
fn overlaps_and_full_disks_and_bad_names_are_refused_before_anything_happens() {
    let mut world = three(Mode::Copy);
    world.plan.0.library = bytes(&world.card().join("library"));
    let refused = world.try_apply(&Stop::default());
    assert!(matches!(refused, Err(ApplyError::Overlap(..))));
    assert!(!world.card().join("library").exists());
    let mut world = three(Mode::Copy);
    world.plan.1[1].identity.size = 1 << 60;
    assert!(matches!(
        world.try_apply(&Stop::default()),
        Err(ApplyError::Space { .. })
    ));
    let silent = groma_photos::apply::Silent;
    let refused = apply(
        &world.plan,
        "../r",
        &world.options,
        &silent,
        &Stop::default(),
    );
    assert!(matches!(refused, Err(ApplyError::RunName(_))));
}

#[test]
fn eight_workers_and_one_new_folder() {
    let mut world = World::new(Mode::Copy);
    world.options.workers = 8;
    world.options.batch_files = 64;
    for n in 0..400 {
        world.add(
            &format!("{n:03}.jpg"),
            format!("photo {n}").as_bytes(),
            &format!("2023/new/{n:03}.jpg"),
        );
    }
    assert_eq!(world.apply().0.placed, 400);
    let copied: Vec<_> = files(&world.library()).into_values().collect();
    assert_eq!(
        copied,
        files(&world.card()).into_values().collect::<Vec<_>>()
    );
}

#[test]
fn verifying_tells_rot_from_change() {
    let world = three(Mode::Copy);
    world.apply();
    let known: Vec<Known> = files(&world.library())
        .into_iter()
        .map(|(path, content)| {
            let found = identity(&world.library().join(&path));
            Known {
                path: bytes(&path),
                size: found.size,
                modified: found.modified,
                hash: blake3::hash(&content).into(),
            }
        })
        .collect();
    let check = || {
        let mut found = Vec::new();
        let library = bytes(&world.library());
        let sums = verify(
            &library,
            known.iter().cloned(),
            &Stop::default(),
            |known, finding| {
                found.push((String::from_utf8(known.path.clone()).unwrap(), finding));
            },
        );
        (sums.unwrap().sound, found)
    };
    assert_eq!(check(), (3, vec![]));
    let (a, b, c) = (known[0].clone(), known[1].clone(), known[2].clone());
    let at = |known: &Known| {
        world
            .library()
            .join(std::str::from_utf8(&known.path).unwrap())
    };
    let time = |t: Timestamp| {
        std::time::SystemTime::UNIX_EPOCH
            + std::time::Duration::new(t.seconds as u64, t.nanoseconds)
    };
    fs::write(at(&a), "aab").unwrap();
    fs::File::options()
        .write(true)
        .open(at(&a))
        .unwrap()
        .set_modified(time(a.modified))
        .unwrap();
    fs::write(at(&b), "shorter").unwrap();
    fs::remove_file(at(&c)).unwrap();
    let name = |known: &Known| String::from_utf8(known.path.clone()).unwrap();
    assert_eq!(
        check(),
        (
            0,
            vec![
                (name(&a), Finding::Rotten),
                (name(&b), Finding::Changed),
                (name(&c), Finding::Missing)
            ]
        )
    );
}

/// Where the file system can, copies share the blocks of their sources; known by their extents, they are not read back.
#[test]
fn copies_share_blocks_on_btrfs() {
    let Some(image) = Image::new("btrfs", 128) else {
        return;
    };
    let inside = || tempfile::tempdir_in(image.path().join("mount")).unwrap();
    for mode in [Mode::Copy, Mode::Reflink] {
        let mut world = World::on(mode, inside(), inside());
        world.add("a", &vec![7; 400_000], "x/a");
        world.add("small", b"inline", "x/small");
        assert_eq!(world.apply().0.placed, 2);
        assert_eq!(files(&world.library()).len(), 2);
        let dir = groma_sys::Dir::open(&world.library().join("x")).unwrap();
        let shared = dir.open_file(c"a").unwrap().shared_bytes().unwrap();
        assert!(shared >= 400_000, "{mode:?} {shared}");
        assert_eq!(world.apply().0.earlier, 2);
        assert_eq!(world.undo().0.restored, 2);
    }
}

#[test]
fn one_run_at_a_time() {
    let world = three(Mode::Copy);
    world.apply();
    let lock = fs::File::open(world.library().join(".groma/lock")).unwrap();
    lock.try_lock().unwrap();
    assert!(matches!(
        world.try_apply(&Stop::default()),
        Err(ApplyError::Busy)
    ));
    drop(lock);
    assert_eq!(world.apply().0.earlier, 3);
}

/// When another file of the unit fails, what was put aside is back under its name.
#[test]
fn a_failed_unit_gives_back_what_it_was_to_replace() {
    let mut world = three(Mode::Copy);
    let dir = world.library().join("2023/06-June");
    fs::create_dir_all(&dir).unwrap();
    fs::write(dir.join("a.jpg"), "old").unwrap();
    fs::write(dir.join("b.jpg"), "in the way").unwrap();
    let replaces = Some(identity(&dir.join("a.jpg")));
    world.plan.1[0].action = Action::Place {
        to: b"2023/06-June/a.jpg".to_vec(),
        replaces,
    };
    world.join(&[0, 1]);
    let before = tree(&dir);
    assert_eq!(world.apply().0.failed, 2);
    assert_eq!(tree(&dir), before);
    // What has changed since the plan is not replaced.
    fs::remove_file(dir.join("b.jpg")).unwrap();
    fs::write(dir.join("a.jpg"), "newer").unwrap();
    let (_, outcomes) = world.apply();
    assert_eq!(outcomes[&0], Outcome::Failed(Failure::ReplacedChanged));
    assert_eq!(fs::read(dir.join("a.jpg")).unwrap(), b"newer");
}
