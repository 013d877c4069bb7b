//! Following links: loops are told and end, `--unique` enters everything once.

use crate::env::{Env, run, same_for_all_threads, scaled};
use crate::rng::Rng;

#[test]
fn a_link_to_an_ancestor_is_a_loop_told_by_name() {
    let env = Env::new();
    env.file("a/b/f");
    env.link("..", "a/b/up");
    env.link("../..", "a/b/top");
    env.link("self", "a/self");
    let answer = run(env.find().args(["-L", "--show-errors"])).expect(0);
    assert_eq!(answer.sorted(), ["a", "a/b", "a/b/f", "a/self"]);
    for line in [
        "cannot follow 'a/b/up': a loop: the link leads back to 'a'",
        "cannot follow 'a/b/top': a loop: the link leads back to '.'",
    ] {
        assert!(answer.stderr.contains(line), "{line}: {}", answer.stderr);
    }
    let quiet = run(env.find().args(["-L"])).expect(0);
    assert_eq!(quiet.stderr, "");
}

#[test]
fn a_way_back_from_above_is_a_loop_too() {
    let env = Env::new();
    env.file("a/f");
    env.link("../..", "a/above");
    let answer = run(env.find().args(["-L", "--show-errors", "-j4"])).expect(0);
    let below: Vec<_> = answer.sorted();
    assert!(below.iter().any(|path| path == "a/above/tree"), "{below:?}");
    assert!(
        !below.iter().any(|path| path == "a/above/tree/a"),
        "{below:?}"
    );
    let line = "cannot open 'a/above/tree': a loop: the directory lies in itself";
    assert!(answer.stderr.contains(line), "{}", answer.stderr);
}

#[test]
fn links_outside_are_followed_with_their_paths() {
    let env = Env::new();
    std::fs::create_dir(env.beside("outside")).unwrap();
    std::fs::write(env.beside("outside/f"), b"").unwrap();
    env.link("../outside", "out");
    env.link("missing", "dangling");
    let answer = run(env.find().arg("-L")).expect(0);
    assert_eq!(answer.sorted(), ["dangling", "out", "out/f"]);
    let links = run(env.find().args(["-L", "-tl"])).expect(0);
    assert_eq!(links.sorted(), ["dangling"]);
}

#[test]
fn filters_apply_to_dangling_links_under_l() {
    let env = Env::new();
    env.dir("d/e");
    env.link("missing", "top");
    env.link("missing", "d/e/deep");
    let lines = |args: &[&str]| run(env.find().arg("-L").args(args)).expect(0).sorted();
    assert_eq!(lines(&["-E", "top"]), ["d", "d/e", "d/e/deep"]);
    assert_eq!(lines(&["--min-depth=2", "-tl"]), ["d/e/deep"]);
    assert_eq!(lines(&["-d1", "-tl"]), ["top"]);
}

/// Every directory holds links to every other: without `--unique` that is factorial.
#[test]
fn unique_ends_over_a_full_graph() {
    let env = Env::new();
    let count = scaled(12, 40);
    for from in 0..count {
        env.file(&format!("d{from}/file"));
        for to in 0..count {
            env.link(&format!("../d{to}"), &format!("d{from}/to{to}"));
        }
    }
    let answer = same_for_all_threads(|| {
        let mut command = env.find();
        command.args(["-L", "--unique"]);
        command
    });
    assert_eq!(answer.code(), 0);
    let files = run(env.find().args(["-L", "--unique", "-tf"])).expect(0);
    assert_eq!(files.lines().len(), count);
}

#[test]
fn unique_gives_the_same_for_any_number_of_threads() {
    for seed in 0..scaled(4, 60) {
        let env = Env::new();
        let mut rng = Rng::new(seed);
        let mut dirs = vec![String::new()];
        for index in 0..60 {
            let dir = rng.pick(&dirs).clone();
            match rng.below(3) {
                0 => {
                    env.dir(&format!("{dir}d{index}"));
                    dirs.push(format!("{dir}d{index}/"));
                }
                1 => env.file(&format!("{dir}f{index}")),
                _ => {
                    let target = env.tree().join(rng.pick(&dirs));
                    env.link(target.to_str().unwrap(), &format!("{dir}l{index}"));
                }
            }
        }
        for extra in [&[][..], &["-d3"], &["--sort=path"], &["--order=breadth"]] {
            let answer = same_for_all_threads(|| {
                let mut command = env.find();
                command.args(["-L", "--unique"]).args(extra);
                command
            });
            let mut lines = answer.sorted();
            lines.dedup();
            assert_eq!(lines.len(), answer.lines().len(), "a path was told twice");
        }
    }
}
