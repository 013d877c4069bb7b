//! Runs that are killed, and disks whose power fails, at random moments.
//!
//! A few rounds by default; `GROMA_SOAK_ROUNDS` sets how many.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use groma_photos::apply::{Options, Silent, Stop, apply, undo};
use groma_photos::plan::{Action, Mode};
use tempfile::TempDir;

use super::support::{Image, World, files, placed, run, temporaries, tree};

const PLAN: &str = "GROMA_TEST_PLAN";

fn rounds(default: usize) -> usize {
    let asked = std::env::var("GROMA_SOAK_ROUNDS").ok();
    asked.and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Numbers that look random and are the same at each run.
pub(crate) fn numbers(seed: u64) -> impl FnMut(u64) -> u64 {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move |below| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    }
}

/// A world that each process builds alike from what is on the disk: its rows follow from the sources' names.
fn world(mode: Mode, sources: TempDir, library: TempDir) -> World {
    let mut world = World::on(mode, sources, library);
    let mut number = numbers(7);
    for n in 0..40u64 {
        let size = if n % 10 == 0 { 400_000 } else { number(9000) };
        let content: Vec<u8> = (0..size).map(|at| (at * 7 + n) as u8).collect();
        world.add(
            &format!("d{}/{n:02}.jpg", n % 3),
            &content,
            &format!("2023/{}/{n:02}.jpg", n % 5),
        );
    }
    world.join(&[3, 4, 5]);
    world.join(&[10, 11]);
    world.options.batch_files = 8;
    world.options.batch_bytes = 300_000;
    world
}

/// The plan as text: mode, sources, library, then a line per row.
fn save(world: &World, path: &Path) {
    let (header, rows) = &world.plan;
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let mut out = format!(
        "{:?}\n{}\n{}\n",
        header.mode,
        text(&header.sources[0]),
        text(&header.library)
    );
    for row in rows {
        let Action::Place { to, .. } = &row.action else {
            continue;
        };
        let identity = &row.identity;
        out += &format!(
            "{} {} {} {} {} {} {} {}\n",
            row.number,
            row.unit,
            identity.id.device,
            identity.id.inode,
            identity.size,
            identity.modified.seconds,
            identity.modified.nanoseconds,
            text(&row.source)
        );
        out += &format!("{}\n", text(to));
    }
    fs::write(path, out).unwrap();
}

fn load(path: &Path) -> (groma_photos::plan::Header, Vec<groma_photos::plan::Row>) {
    use groma_photos::plan::Header;
    let text = fs::read_to_string(path).unwrap();
    let mut lines = text.lines();
    let mode = match lines.next().unwrap() {
        "Move" => Mode::Move,
        _ => Mode::Copy,
    };
    let mut path = || lines.next().unwrap().as_bytes().to_vec();
    let (source, library) = (path(), path());
    let mut rows = Vec::new();
    while let (Some(line), Some(to)) = (lines.next(), lines.next()) {
        let parts: Vec<&str> = line.splitn(8, ' ').collect();
        let number = |at: usize| parts[at].parse::<u64>().unwrap();
        let identity = groma_photos::Identity {
            id: groma_base::FileId {
                device: number(2),
                inode: number(3),
            },
            size: number(4),
            modified: groma_base::Timestamp {
                seconds: number(5) as i64,
                nanoseconds: number(6) as u32,
            },
        };
        let source = parts[7].as_bytes().to_vec();
        let mut row = placed(number(0) as u32, source, identity, to);
        row.unit = number(1) as u32;
        rows.push(row);
    }
    let header = Header {
        sources: vec![source],
        library,
        second: None,
        mode,
    };
    (header, rows)
}

/// Not a test of its own: what the tests here start and kill.
#[test]
fn child() {
    let Ok(path) = std::env::var(PLAN) else {
        return;
    };
    let plan = load(Path::new(&path));
    let options = Options {
        workers: 2,
        verify: !path.ends_with("quick"),
        batch_files: 8,
        batch_bytes: 300_000,
        ..Options::default()
    };
    let stop = Stop::default();
    if path.ends_with("undo") {
        undo(&plan, "r1", &stop, |_, _| {}).unwrap();
    } else {
        apply(&plan, "r1", &options, &Silent, &stop).unwrap();
    }
}

fn start(plan: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["crash::child", "--exact", "--nocapture"])
        .env(PLAN, plan)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Starts a run and kills it after so long; `true` when it had come to its end.
fn killed_after(plan: &Path, micros: u64) -> bool {
    let mut child = start(plan);
    std::thread::sleep(Duration::from_micros(micros));
    let is_done = child.try_wait().unwrap().is_some();
    let _ = child.kill();
    child.wait().unwrap();
    is_done
}

/// How long a run takes that nobody kills, start of the process included.
fn duration(plan: &Path) -> u64 {
    let begin = std::time::Instant::now();
    assert!(start(plan).wait().unwrap().success());
    begin.elapsed().as_micros() as u64
}

/// No final name has a half-written file, and each photo is somewhere.
fn check_nothing_lost(world: &World, original: &BTreeMap<PathBuf, Vec<u8>>) {
    let (card, library) = (files(&world.card()), files(&world.library()));
    for row in &world.plan.1 {
        let Action::Place { to, .. } = &row.action else {
            continue;
        };
        let source = Path::new(std::str::from_utf8(&row.source).unwrap());
        let name = source.strip_prefix(world.card()).unwrap();
        let whole = &original[name];
        let there = library.get(Path::new(std::str::from_utf8(to).unwrap()));
        let here = card.get(name);
        assert!(
            there.is_none_or(|found| found == whole),
            "half of {name:?} in the library"
        );
        assert!(
            here.is_none_or(|found| found == whole),
            "half of {name:?} on the card"
        );
        assert!(there.is_some() || here.is_some(), "{name:?} is lost");
    }
}

fn survive(make: impl Fn() -> Option<World>, rounds: usize) {
    let Some(first) = make() else { return };
    save(&first, &first.library_home.path().join("plan"));
    let whole = duration(&first.library_home.path().join("plan"));
    let mut number = numbers(11);
    let mut interrupted = 0;
    for round in 0..rounds {
        let world = make().unwrap();
        let home = world.library_home.path();
        save(&world, &home.join("plan"));
        save(&world, &home.join("plan-undo"));
        let original = files(&world.card());
        let before = tree(&world.card());
        // Twice, so that going on is interrupted as well.
        for _ in 0..2 {
            interrupted += usize::from(!killed_after(&home.join("plan"), number(whole)));
            check_nothing_lost(&world, &original);
        }
        if round % 2 == 0 {
            assert_eq!(world.apply().0.placed, 40, "round {round}");
            check_nothing_lost(&world, &original);
            assert_eq!(files(&world.library()).len(), 40);
        }
        killed_after(&home.join("plan-undo"), number(whole));
        check_nothing_lost(&world, &original);
        if world.library().join(".groma/runs/r1/journal").exists() {
            assert_eq!(world.undo().0.refused, 0, "round {round}");
        }
        assert_eq!(tree(&world.card()), before, "round {round}");
        assert!(tree(&world.library()).is_empty(), "round {round}");
        assert_eq!(temporaries(world.source_home.path()), 0);
    }
    println!("{interrupted} runs of {} were killed", 2 * rounds);
    assert!(interrupted > 0 || rounds < 5);
}

#[test]
fn killed_copies_go_on_and_are_undone() {
    let temp = || tempfile::tempdir().unwrap();
    survive(|| Some(world(Mode::Copy, temp(), temp())), rounds(12));
}

#[test]
fn killed_moves_across_file_systems_go_on_and_are_undone() {
    let temp = || tempfile::tempdir().unwrap();
    survive(
        || Some(world(Mode::Move, super::support::elsewhere()?, temp())),
        rounds(12),
    );
}

#[test]
fn killed_moves_within_a_file_system_go_on_and_are_undone() {
    let temp = || tempfile::tempdir().unwrap();
    survive(|| Some(world(Mode::Move, temp(), temp())), rounds(8));
}

/// The disk is copied while a move to it is under way: what the copy holds is what a power failure at that moment would
/// have left. Every source that was gone by then must be in it.
#[test]
fn a_source_goes_only_when_the_disk_has_its_copy() {
    let mut number = numbers(23);
    let make = |image: &Image| {
        let library = tempfile::tempdir_in(image.path().join("mount")).unwrap();
        let world = world(Mode::Move, tempfile::tempdir().unwrap(), library);
        save(&world, &image.path().join("plan"));
        save(&world, &image.path().join("plan-quick"));
        world
    };
    let Some(image) = Image::new("ext4", 24) else {
        return;
    };
    let _first = make(&image);
    let whole = duration(&image.path().join("plan"));
    let mut halfway = 0;
    for round in 0..rounds(6) {
        let Some(image) = Image::new("ext4", 24) else {
            return;
        };
        let world = make(&image);
        let original = files(&world.card());
        // Reading back brings bytes to the disk too, so every other round does without.
        let plan = ["plan", "plan-quick"][round % 2];
        let plan = image.path().join(plan);
        let mut child = start(&plan);
        std::thread::sleep(Duration::from_micros(number(whole)));
        // Halted rather than killed: that the process ends must not help anything to the disk.
        let id = child.id().to_string();
        run("kill", &[Path::new("-STOP"), Path::new(&id)]);
        let left = files(&world.card());
        fs::copy(image.path().join("image"), image.path().join("copy")).unwrap();
        let _ = child.kill();
        child.wait().unwrap();
        assert!(image.mount("copy", "after"), "round {round}");
        let inside = world
            .library()
            .strip_prefix(image.path().join("mount"))
            .unwrap()
            .to_owned();
        let after = files(&image.path().join("after").join(inside));
        let mut gone = 0;
        for row in &world.plan.1 {
            let Action::Place { to, .. } = &row.action else {
                continue;
            };
            let source = Path::new(std::str::from_utf8(&row.source).unwrap());
            let name = source.strip_prefix(world.card()).unwrap();
            let there = after.get(Path::new(std::str::from_utf8(to).unwrap()));
            assert!(
                there.is_none_or(|found| found == &original[name]),
                "half of {name:?}, round {round}"
            );
            if !left.contains_key(name) {
                gone += 1;
                assert!(there.is_some(), "{name:?} is lost, round {round}");
            }
        }
        halfway += usize::from(gone > 0 && gone < world.plan.1.len());
    }
    println!("{halfway} of {} moves were halted halfway", rounds(6));
}

/// What a killed run has left is removed by the next one, and nothing else that only looks like it.
#[test]
fn the_next_run_sweeps_what_a_killed_one_has_left() {
    let temp = || tempfile::tempdir().unwrap();
    let mut number = numbers(5);
    for _ in 0..50 {
        let world = world(Mode::Copy, temp(), temp());
        let home = world.library_home.path();
        save(&world, &home.join("plan"));
        killed_after(&home.join("plan"), 5_000 + number(60_000));
        let left = temporaries(home);
        if left == 0 {
            continue;
        }
        fs::create_dir_all(world.library().join("mine")).unwrap();
        let mine = world.library().join("mine/.groma-r1-3.tmp");
        fs::write(&mine, "not made by a run").unwrap();
        let nothing = (world.plan.0.clone(), Vec::new());
        apply(&nothing, "r2", &world.options, &Silent, &Stop::default()).unwrap();
        assert!(mine.exists());
        assert_eq!(temporaries(home), 1);
        return;
    }
    panic!("no run was killed while it copied");
}
