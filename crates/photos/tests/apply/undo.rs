//! Undoing restores the start, but for what has changed since.

use std::fs;

use groma_photos::apply::{ApplyError, Stop, Undone};
use groma_photos::plan::Mode;

use super::support::{World, bytes, files, tree};

fn worlds() -> Vec<World> {
    let modes = [Mode::Copy, Mode::Move, Mode::Hardlink, Mode::Symlink];
    let mut worlds: Vec<World> = modes.into_iter().map(World::new).collect();
    worlds.extend(
        [Mode::Copy, Mode::Move]
            .into_iter()
            .filter_map(World::across),
    );
    let mut second = World::new(Mode::Move);
    second.plan.0.second = Some(bytes(&second.second()));
    worlds.push(second);
    for world in &mut worlds {
        for n in 0..10 {
            world.add(
                &format!("d{}/{n}", n % 3),
                &vec![n; 1000 * usize::from(n)],
                &format!("2023/{}/{n}", n % 4),
            );
        }
        fs::create_dir_all(world.library().join("2023/0")).unwrap();
        fs::write(world.library().join("2023/0/was here"), "before").unwrap();
    }
    worlds
}

#[test]
fn every_mode_is_undone() {
    for world in worlds() {
        let (card, library) = (tree(&world.card()), tree(&world.library()));
        assert_eq!(world.apply().0.placed, 10);
        let (sums, _) = world.undo();
        assert_eq!((sums.restored, sums.refused), (10, 0), "{:?}", world.plan.0);
        assert_eq!(tree(&world.card()), card);
        assert_eq!(tree(&world.library()), library);
        assert!(files(&world.second()).is_empty());
        assert_eq!(world.undo().0.restored, 0);
        assert!(matches!(
            world.try_apply(&Stop::default()),
            Err(ApplyError::Undone)
        ));
    }
}

/// A move is undone even where the card's directories are gone by now.
#[test]
fn directories_of_sources_come_back() {
    for world in [Some(World::new(Mode::Move)), World::across(Mode::Move)]
        .into_iter()
        .flatten()
    {
        let mut world = world;
        world.add("deep/down/a", b"a", "x/a");
        let before = files(&world.card());
        world.apply();
        fs::remove_dir_all(world.card()).unwrap();
        assert_eq!(world.undo().0.restored, 1);
        assert_eq!(files(&world.card()), before);
    }
}

#[test]
fn what_changed_since_stays_and_is_told() {
    for world in [
        Some(World::new(Mode::Move)),
        World::across(Mode::Move),
        Some(World::new(Mode::Copy)),
    ]
    .into_iter()
    .flatten()
    {
        let mut world = world;
        for name in ["edited", "taken", "fine"] {
            world.add(name, name.as_bytes(), &format!("x/{name}"));
        }
        world.apply();
        fs::write(world.library().join("x/edited"), "by the user").unwrap();
        fs::write(world.card().join("taken"), "another photo").unwrap();
        let (sums, told) = world.undo();
        assert_eq!((sums.restored, sums.refused), (1, 2));
        assert_eq!(
            (&told[&0], &told[&1], &told[&2]),
            (&Undone::Changed, &Undone::SourceTaken, &Undone::Restored)
        );
        assert_eq!(
            fs::read(world.library().join("x/edited")).unwrap(),
            b"by the user"
        );
        assert_eq!(fs::read(world.library().join("x/taken")).unwrap(), b"taken");
        assert_eq!(fs::read(world.card().join("fine")).unwrap(), b"fine");
    }
}
