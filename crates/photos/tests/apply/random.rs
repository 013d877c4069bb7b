//! Random plans, and what may go wrong with each of their files: nothing is lost, nothing is half, all is accounted for.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;

use groma_photos::apply::{Outcome, Stop};
use groma_photos::plan::Mode;
use proptest::prelude::*;

use super::support::{World, bytes, elsewhere, files, tree};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    None,
    SourceGone,
    SourceChanged,
    SourceIsLink,
    TargetTaken,
    TargetIsDir,
}

fn fault() -> impl Strategy<Value = Fault> {
    prop_oneof![
        8 => Just(Fault::None),
        1 => Just(Fault::SourceGone),
        1 => Just(Fault::SourceChanged),
        1 => Just(Fault::SourceIsLink),
        1 => Just(Fault::TargetTaken),
        1 => Just(Fault::TargetIsDir),
    ]
}

fn mode() -> impl Strategy<Value = Mode> {
    prop_oneof![Just(Mode::Copy), Just(Mode::Move), Just(Mode::Hardlink)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn nothing_is_lost(
        mode in mode(),
        across: bool,
        second: bool,
        batch in 1..12usize,
        plan in prop::collection::vec((0..6u8, 0..5000usize, 0..4u8, fault()), 1..24),
    ) {
        let home = if across { elsewhere() } else { None };
        let home = home.unwrap_or_else(|| tempfile::tempdir().unwrap());
        let mut world = World::on(mode, home, tempfile::tempdir().unwrap());
        world.options.batch_files = batch;
        if second {
            world.plan.0.second = Some(bytes(&world.second()));
        }
        let mut units: BTreeMap<u8, Vec<usize>> = BTreeMap::new();
        for (n, (dir, size, unit, _)) in plan.iter().enumerate() {
            let content: Vec<u8> = (0..*size).map(|at| (at + n) as u8).collect();
            let row = world.add(&format!("{n:02}"), &content, &format!("y/{dir}/{n:02}"));
            if *unit > 0 {
                units.entry(*unit).or_default().push(row);
            }
        }
        units.values().for_each(|rows| world.join(rows));
        for (n, (dir, _, _, fault)) in plan.iter().enumerate() {
            let source = world.card().join(format!("{n:02}"));
            let target = world.library().join(format!("y/{dir}/{n:02}"));
            match fault {
                Fault::None => {}
                Fault::SourceGone => fs::remove_file(source).unwrap(),
                Fault::SourceChanged => fs::write(source, "changed since").unwrap(),
                Fault::SourceIsLink => {
                    fs::remove_file(&source).unwrap();
                    symlink("/etc/hostname", source).unwrap();
                }
                Fault::TargetTaken => {
                    fs::create_dir_all(target.parent().unwrap()).unwrap();
                    fs::write(target, "theirs").unwrap();
                }
                Fault::TargetIsDir => fs::create_dir_all(target).unwrap(),
            }
        }
        check(&world, &plan.iter().map(|row| row.3).collect::<Vec<_>>())?;
    }
}

fn check(world: &World, faults: &[Fault]) -> Result<(), TestCaseError> {
    let (card, library) = (tree(&world.card()), tree(&world.library()));
    let contents = files(&world.card());
    let (summary, outcomes) = world.apply();
    prop_assert_eq!(summary.rows(), faults.len() as u64);
    let (card_after, library_after) = (files(&world.card()), files(&world.library()));
    for row in &world.plan.1 {
        let n = row.number as usize;
        let is_unit_sound = world
            .plan
            .1
            .iter()
            .filter(|other| other.unit == row.unit)
            .all(|other| faults[other.number as usize] == Fault::None);
        let is_placed = matches!(outcomes[&row.number], Outcome::Placed { .. });
        let is_far_link = world.plan.0.mode == Mode::Hardlink && !is_placed;
        prop_assert!(
            is_placed == is_unit_sound || is_far_link,
            "row {} {:?}",
            n,
            outcomes[&row.number]
        );
        let name = format!("{n:02}");
        let here = card_after.get(name.as_ref() as &std::path::Path);
        let groma_photos::plan::Action::Place { to, .. } = &row.action else {
            continue;
        };
        let to = std::path::Path::new(std::str::from_utf8(to).unwrap());
        if is_placed {
            prop_assert_eq!(
                library_after.get(to),
                contents.get(name.as_ref() as &std::path::Path)
            );
            prop_assert_eq!(here.is_none(), world.plan.0.mode == Mode::Move);
            if world.plan.0.second.is_some() {
                let second = files(&world.second());
                prop_assert_eq!(second.get(to), library_after.get(to));
            }
        } else {
            prop_assert_eq!(here, contents.get(name.as_ref() as &std::path::Path));
            prop_assert_eq!(
                library_after.contains_key(to),
                library.get(to).is_some_and(|seen| seen.is_some())
            );
        }
    }
    let again = world.apply().0;
    prop_assert_eq!(
        (again.placed, again.earlier),
        (summary.placed, summary.placed)
    );
    prop_assert_eq!(world.undo().0.refused, 0);
    prop_assert_eq!(tree(&world.card()), card);
    prop_assert_eq!(tree(&world.library()), library);
    prop_assert!(files(&world.second()).is_empty());
    Ok(())
}

/// A disk that gets full fails some files, keeps the others whole, and goes on once there is room.
#[test]
fn a_full_disk_fails_and_leaves_nothing_half() {
    let home = tempfile::tempdir().unwrap();
    let mounted = std::process::Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=2m", "none"])
        .arg(home.path())
        .status();
    if !mounted.is_ok_and(|status| status.success()) {
        eprintln!("skipped: no right to mount a file system");
        return;
    }
    let inner = tempfile::tempdir_in(home.path()).unwrap();
    let mut world = World::on(Mode::Move, tempfile::tempdir().unwrap(), inner);
    world.options.batch_files = 4;
    for n in 0..12 {
        world.add(&format!("{n:02}"), &vec![n; 300_000], &format!("x/{n:02}"));
    }
    let original = files(&world.card());
    assert!(
        world.try_apply(&Stop::default()).is_err(),
        "there is no room for all of it"
    );
    world.options.check_space = false;
    let (summary, _) = world.apply();
    assert!(summary.placed > 0 && summary.failed > 0, "{summary:?}");
    let (card, library) = (files(&world.card()), files(&world.library()));
    assert_eq!(card.len() + library.len(), 12);
    for (path, content) in &original {
        let there = library.get(&std::path::Path::new("x").join(path));
        assert_eq!(there.or_else(|| card.get(path)), Some(content));
    }
    let grown = std::process::Command::new("mount")
        .args(["-o", "remount,size=16m"])
        .arg(home.path())
        .status();
    assert!(grown.unwrap().success());
    assert_eq!(world.apply().0.placed, 12);
    assert_eq!(world.undo().0.restored, 12);
    assert_eq!(files(&world.card()), original);
    drop(world);
    let gone = std::process::Command::new("umount")
        .arg(home.path())
        .status();
    assert!(gone.unwrap().success());
}
