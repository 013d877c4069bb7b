//! What goes wrong while a plan is applied.

use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};

use groma_photos::apply::{Failure, Outcome, Progress, Stop};
use groma_photos::plan::Mode;

use super::support::{World, files, temporaries};

fn failure(outcome: &Outcome) -> Option<&Failure> {
    match outcome {
        Outcome::Failed(failure) => Some(failure),
        _ => None,
    }
}

#[test]
fn a_source_that_changed_since_the_plan_fails() {
    for mode in [Mode::Copy, Mode::Move, Mode::Hardlink] {
        let mut world = World::new(mode);
        world.add("a", b"one", "x/a");
        world.add("b", b"two", "x/b");
        world.add("c", b"three", "x/c");
        fs::write(world.card().join("a"), "new").unwrap();
        fs::remove_file(world.card().join("c")).unwrap();
        let (summary, outcomes) = world.apply();
        assert_eq!((summary.placed, summary.failed), (1, 2));
        assert_eq!(failure(&outcomes[&0]), Some(&Failure::SourceChanged));
        assert_eq!(failure(&outcomes[&2]), Some(&Failure::Gone));
        assert_eq!(fs::read(world.card().join("a")).unwrap(), b"new");
        assert_eq!(files(&world.library()).len(), 1);
    }
}

#[test]
fn bytes_that_are_not_those_of_the_plan_fail() {
    let mut world = World::new(Mode::Copy);
    let row = world.add("a", b"one", "x/a");
    world.plan.1[row].hash = Some(blake3::hash(b"eno").into());
    assert_eq!(failure(&world.apply().1[&0]), Some(&Failure::OtherHash));
    world.plan.1[row].hash = Some(blake3::hash(b"one").into());
    assert_eq!(world.apply().0.placed, 1);
}

/// A unit is placed whole or not at all, whichever of its files fails and however.
#[test]
fn units_are_all_or_none() {
    for mode in [Mode::Copy, Mode::Move, Mode::Hardlink, Mode::Symlink] {
        for bad in 0..3 {
            for how in ["gone", "taken"] {
                let mut world = World::new(mode);
                let rows: Vec<usize> = (0..3)
                    .map(|n| world.add(&format!("{n}"), b"unit", &format!("x/{n}")))
                    .collect();
                world.join(&rows);
                let other = world.add("other", b"other", "x/other");
                if how == "gone" {
                    fs::remove_file(world.card().join(format!("{bad}"))).unwrap();
                } else {
                    fs::create_dir_all(world.library().join("x")).unwrap();
                    fs::write(world.library().join(format!("x/{bad}")), "theirs").unwrap();
                }
                let (summary, outcomes) = world.apply();
                assert_eq!(
                    (summary.placed, summary.failed),
                    (1, 3),
                    "{mode:?} {bad} {how}"
                );
                assert!(matches!(outcomes[&(other as u32)], Outcome::Placed { .. }));
                let expected = if how == "gone" {
                    Failure::Gone
                } else {
                    Failure::Taken
                };
                assert_eq!(failure(&outcomes[&bad]), Some(&expected));
                let theirs = world.library().join(format!("x/{bad}"));
                assert_eq!(
                    fs::read(&theirs).ok(),
                    (how == "taken").then(|| b"theirs".to_vec())
                );
                assert_eq!(
                    files(&world.library()).len(),
                    if how == "gone" { 1 } else { 2 }
                );
                // With what was in the way gone, the run goes on.
                if how == "taken" {
                    fs::remove_file(theirs).unwrap();
                    assert_eq!(world.apply().0.placed, 4);
                    assert_eq!(files(&world.library()).len(), 4);
                }
            }
        }
    }
}

/// Does something once the first bytes are copied.
struct During<F: Fn() + Sync>(F, AtomicU64);

impl<F: Fn() + Sync> Progress for During<F> {
    fn copied(&self, _bytes: u64) {
        if self.1.fetch_add(1, Ordering::SeqCst) == 0 {
            self.0();
        }
    }

    fn done(&self, _row: u32, _outcome: &Outcome) {}
}

#[test]
fn a_target_that_another_program_makes_meanwhile_is_kept() {
    let mut world = World::new(Mode::Copy);
    world.add("a", b"ours", "x/a");
    let target = world.library().join("x/a");
    let progress = During(|| fs::write(&target, "theirs").unwrap(), AtomicU64::new(0));
    let summary = world.apply_telling(&progress, &Stop::default());
    assert_eq!((summary.placed, summary.failed), (0, 1));
    assert_eq!(fs::read(&target).unwrap(), b"theirs");
    assert_eq!(temporaries(&world.library()), 0);
}

#[test]
fn a_source_that_is_written_to_meanwhile_fails() {
    let mut world = World::new(Mode::Copy);
    world.add("a", &vec![1; 1 << 20], "x/a");
    let source = world.card().join("a");
    let progress = During(
        || {
            use std::os::unix::fs::FileExt;
            let file = fs::File::options().write(true).open(&source).unwrap();
            file.write_all_at(b"new", 900_000).unwrap();
        },
        AtomicU64::new(0),
    );
    let summary = world.apply_telling(&progress, &Stop::default());
    assert_eq!((summary.placed, summary.failed), (0, 1));
    assert!(files(&world.library()).is_empty());
}

#[test]
fn stopping_once_finishes_and_twice_leaves_nothing() {
    for twice in [false, true] {
        let mut world = World::new(Mode::Copy);
        world.options.workers = 1;
        for n in 0..20 {
            world.add(&format!("{n:02}"), &vec![n; 600_000], &format!("x/{n}"));
        }
        let stop = Stop::default();
        let progress = During(
            || {
                stop.finish.cancel();
                if twice {
                    stop.abort.cancel();
                }
            },
            AtomicU64::new(0),
        );
        let summary = world.apply_telling(&progress, &stop);
        assert!(summary.stopped);
        assert_eq!(
            (summary.placed, summary.failed),
            if twice { (0, 20) } else { (1, 19) }
        );
        assert_eq!(temporaries(&world.library()), 0);
        assert_eq!(files(&world.library()).len() as u64, summary.placed);
        assert_eq!(world.apply().0.placed, 20);
    }
}

#[test]
fn what_was_deleted_in_the_library_is_copied_again_and_changed_sources_are_told() {
    let mut world = World::new(Mode::Copy);
    for n in 0..4 {
        world.add(
            &format!("{n}"),
            format!("photo {n}").as_bytes(),
            &format!("x/{n}"),
        );
    }
    world.apply();
    fs::remove_file(world.library().join("x/1")).unwrap();
    fs::write(world.card().join("2"), "another").unwrap();
    // The same size and time, and other bytes.
    let broken = world.library().join("x/3");
    let time = fs::metadata(&broken).unwrap().modified().unwrap();
    fs::write(&broken, "phot0 3").unwrap();
    fs::File::options()
        .write(true)
        .open(&broken)
        .unwrap()
        .set_modified(time)
        .unwrap();
    let (summary, outcomes) = world.apply();
    assert_eq!((summary.placed, summary.earlier, summary.failed), (2, 1, 2));
    assert!(matches!(
        outcomes[&1],
        Outcome::Placed { earlier: false, .. }
    ));
    assert_eq!(failure(&outcomes[&2]), Some(&Failure::SourceChanged));
    assert_eq!(failure(&outcomes[&3]), Some(&Failure::Taken));
    assert_eq!(fs::read(world.library().join("x/2")).unwrap(), b"photo 2");
}
