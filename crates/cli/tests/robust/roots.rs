//! Roots of every sort: links, files, nothing, the same one twice, one inside another.

use crate::env::{Env, run, same_for_all_threads};

fn env() -> Env {
    let env = Env::new();
    for file in ["a/f1", "a/b/f2", "a/b/c/f3", "a/.h/f4", "other/f5"] {
        env.file(file);
    }
    env.link("a", "to-a");
    env.link("a/f1", "to-file");
    env.link("nowhere", "dangling");
    env.link("self", "self");
    env
}

#[track_caller]
fn finds(args: &[&str], code: i32, wanted: &[&str]) -> String {
    let env = env();
    let answer = run(env.find().args(args)).expect(code);
    assert_eq!(answer.sorted(), wanted, "{args:?}");
    answer.stderr
}

#[test]
fn a_link_to_a_directory_is_searched() {
    finds(
        &[".", "to-a"],
        0,
        &["to-a/b", "to-a/b/c", "to-a/b/c/f3", "to-a/b/f2", "to-a/f1"],
    );
    finds(
        &[".", "to-a/"],
        0,
        &["to-a/b", "to-a/b/c", "to-a/b/c/f3", "to-a/b/f2", "to-a/f1"],
    );
    finds(&["-d1", "-tf", ".", "to-a/."], 0, &["to-a/./f1"]);
}

#[test]
fn other_roots_are_entries_themselves() {
    finds(&[".", "a/f1"], 0, &["a/f1"]);
    finds(
        &[".", "to-file", "dangling", "self"],
        0,
        &["dangling", "self", "to-file"],
    );
    finds(&["-tf", ".", "to-file", "dangling"], 0, &[]);
    finds(&["-L", "-tf", ".", "to-file", "dangling"], 0, &["to-file"]);
    finds(&[".", "/dev/null"], 0, &["/dev/null"]);
    finds(
        &["--order", "breadth", ".", "a/f1", "other"],
        0,
        &["a/f1", "other/f5"],
    );
    finds(
        &["--sort", "path", "-l", "nothing has this name", "a/f1"],
        0,
        &[],
    );
}

#[test]
fn roots_that_cannot_be_are_told() {
    for (root, reason) in [
        ("missing", "No such file"),
        ("a/f1/", "Not a directory"),
        ("a/f1/x", "Not a directory"),
        ("a/f1/.", "Not a directory"),
        ("to-file/", "Not a directory"),
    ] {
        let said = finds(&[".", root, "other"], 1, &["other/f5"]);
        assert!(
            said.contains(root) && said.contains(reason),
            "{root}: {said}"
        );
        finds(&[".", root], 1, &[]);
    }
}

#[test]
fn the_same_root_twice_is_searched_once() {
    let said = finds(&[".", "other", "./other", "other/"], 0, &["other/f5"]);
    assert_eq!(said.matches("given before").count(), 2, "{said}");
    let said = finds(&[".", "to-a", "a", "-d1", "-tf"], 0, &["to-a/f1"]);
    assert!(said.contains("'a' was given before"), "{said}");
    finds(&[".", "a/f1", "a/f1"], 0, &["a/f1"]);
}

#[test]
fn nested_roots_tell_each_entry_once() {
    let all = ["a/b", "a/b/c", "a/b/c/f3", "a/b/f2", "a/f1"];
    let said = finds(&[".", "a", "a/b"], 0, &all);
    assert!(said.contains("lies inside"), "{said}");
    finds(&[".", "a/b", "a"], 0, &all);
    finds(&[".", "a/b/c", "a", "a/b"], 0, &all);
    finds(&["--sort=path", ".", "a/b", "a"], 0, &all);
    finds(&["--order=breadth", ".", "a/b", "a"], 0, &all);
    finds(&["--unique", ".", "a/b", "a"], 0, &all);
    // What the outer search does not reach, the inner one does.
    finds(
        &["-d1", ".", "a", "a/b"],
        0,
        &["a/b", "a/b/c", "a/b/f2", "a/f1"],
    );
    finds(
        &["-d1", "--unique", ".", "a", "a/b"],
        0,
        &["a/b", "a/b/c", "a/b/f2", "a/f1"],
    );
    finds(
        &["-d2", "--unique", "-tf", ".", "a", "a/b"],
        0,
        &["a/b/c/f3", "a/b/f2", "a/f1"],
    );
    finds(
        &["-tf", ".", "a", "a/.h"],
        0,
        &["a/.h/f4", "a/b/c/f3", "a/b/f2", "a/f1"],
    );
    finds(
        &["-tf", "-H", ".", "a/.h", "a"],
        0,
        &["a/.h/f4", "a/b/c/f3", "a/b/f2", "a/f1"],
    );
    finds(
        &["--exact-depth=1", "-tf", ".", "a", "a/b"],
        0,
        &["a/b/f2", "a/f1"],
    );
}

#[test]
fn a_file_inside_another_root_is_told_once() {
    finds(
        &["-tf", ".", "a", "a/f1"],
        0,
        &["a/b/c/f3", "a/b/f2", "a/f1"],
    );
    finds(&["-tf", ".", "a/b/f2", "a/b"], 0, &["a/b/c/f3", "a/b/f2"]);
}

#[test]
fn nested_roots_sorted_are_one_sorted_list() {
    let env = env();
    for roots in [["a/b", "a"], ["a", "a/b"]] {
        let answer = run(env.find().args(["--sort=path", ".", "-d2"]).args(roots)).expect(0);
        assert_eq!(
            answer.lines(),
            ["a/b", "a/b/c", "a/b/c/f3", "a/b/f2", "a/f1"]
        );
    }
}

#[test]
fn thousands_of_roots_need_no_thousands_of_descriptors() {
    let env = Env::new();
    let mut list = Vec::new();
    for index in 0..1200 {
        env.file(&format!("r{index}/x/f"));
        list.extend_from_slice(format!("r{index}\0").as_bytes());
    }
    std::fs::write(env.beside("list"), list).unwrap();
    let file = format!("--files0-from={}", env.beside("list").display());
    for args in [
        &["-tf"][..],
        &["-tf", "--sort=path"],
        &["-tf", "--order=breadth"],
        &["-tf", "-L"],
        &["-tf", "--one-file-system"],
    ] {
        let mut command = env.find_under(&["prlimit", "--nofile=256:256"]);
        let answer = run(command.arg(&file).args(args)).expect(0);
        assert_eq!(answer.lines().len(), 1200, "{args:?}: {}", answer.stderr);
        assert_eq!(answer.stderr, "");
    }
}

#[test]
fn two_roots_give_the_same_for_any_number_of_threads() {
    let env = env();
    same_for_all_threads(|| {
        let mut command = env.find();
        command.args([".", "a/b", "a", "other", "to-a", "-u"]);
        command
    });
}
