//! `--list-details`, compared with `ls -l`.

use super::env::{Env, Name};

/// Columns of a line: mode, links, user, group, size, and the rest from the date on.
fn columns(line: &str) -> Vec<String> {
    line.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn the_columns_are_those_of_ls() {
    let env = Env::new(
        "dir/sub/ file=640 exec=755 big:123456 gone->nowhere link->file suid=4755 sticky/",
    );
    env.chmod("sticky", 0o1777);
    env.touch("file", "2001-02-03 04:05:06");
    env.touch("exec", "6 days ago");
    env.tool("mkfifo", &["pipe"]);
    std::fs::hard_link(env.path("big"), env.path("big2")).unwrap();
    let ours = env.answer(Name::Groma, "-l -d 1");
    assert_eq!((ours.code, ours.stderr.as_str()), (0, ""));
    let ours = String::from_utf8(ours.stdout).unwrap();
    let paths = [
        "big", "big2", "dir", "exec", "file", "gone", "link", "pipe", "sticky", "suid",
    ];
    let theirs = env.tool("ls", &[&["-ldhU"][..], &paths[..]].concat());
    assert_eq!(ours.lines().count(), paths.len());
    for (ours, theirs) in ours.lines().zip(theirs.lines()) {
        let (ours, theirs) = (columns(&ours.replace("/", "")), columns(theirs));
        assert_eq!(ours, theirs);
    }
}

#[test]
fn columns_are_aligned_and_in_order() {
    let env = Env::new("z a:1 m:123456789 sub/x");
    let answer = env.answer(Name::Groma, "-l -t f");
    let text = String::from_utf8(answer.stdout).unwrap();
    let name_at: Vec<usize> = text.lines().map(|line| line.rfind(' ').unwrap()).collect();
    assert!(name_at.iter().all(|at| *at == name_at[0]), "{text}");
    let names: Vec<&str> = text
        .lines()
        .map(|line| line.rsplit(' ').next().unwrap())
        .collect();
    assert_eq!(names, ["a", "m", "sub/x", "z"]);
}

#[test]
fn listings_keep_to_an_order() {
    let env = Env::new("z:1 a:3 sub/x:2");
    for (line, want) in [
        ("-l -t f", ["a", "sub/x", "z"]),
        ("-l -t f --sort size", ["z", "sub/x", "a"]),
        ("-l -t f --sort path", ["a", "sub/x", "z"]),
        ("-l -t f --sort name", ["a", "sub/x", "z"]),
        ("-l -t f --order breadth", ["a", "z", "sub/x"]),
    ] {
        let text = String::from_utf8(env.answer(Name::Groma, line).stdout).unwrap();
        let names: Vec<&str> = text
            .lines()
            .map(|line| line.rsplit(' ').next().unwrap())
            .collect();
        assert_eq!(names, want, "{line}");
    }
}

#[test]
fn listings_of_nothing_and_of_little() {
    let env = Env::new("a link->a");
    env.both("-l nothing", "");
    assert!(
        env.answer(Name::Groma, "-l link")
            .shown()
            .ends_with(" link -> a")
    );
    assert!(
        env.answer(Name::Groma, "-lL link")
            .shown()
            .ends_with(" link")
    );
    assert!(env.answer(Name::Groma, "-l . a").shown().ends_with(" a"));
    for line in [
        "-l -a",
        "-l -x echo",
        "-l -X echo",
        "-l -q",
        "-l -1",
        "-l --max-results 1",
        "-l -0",
        "-l --json",
    ] {
        env.refused(line, "cannot be used with");
    }
}

#[test]
fn owners_without_names_are_numbers() {
    let env = Env::new("a");
    env.tool("chown", &["54321:65432", "a"]);
    let line = columns(&env.answer(Name::Groma, "-l").shown());
    assert_eq!(line[2..4], ["54321", "65432"]);
}

#[test]
fn access_control_lists_are_marked() {
    let env = Env::new("a b");
    env.tool("setfacl", &["-m", "u:54321:r", "a"]);
    let answer = env.answer(Name::Groma, "-l");
    let text = String::from_utf8(answer.stdout).unwrap();
    let modes: Vec<&str> = text
        .lines()
        .map(|line| line.split(' ').next().unwrap())
        .collect();
    assert_eq!(modes, ["-rw-r--r--+", "-rw-r--r--"]);
}
