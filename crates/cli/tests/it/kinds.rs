//! Types, extensions and sizes.

use super::env::{Env, Name};

const TREE: &str = "run=755 plain=644 full:9 dir/ dir/sub/ dir/sub/x=700 dir/in link->full gone->nowhere \
                    todir->dir";

fn kinds() -> Env {
    let env = Env::new(TREE);
    env.write("run", "#!/bin/sh\n");
    env.tool("mkfifo", &["pipe"]);
    env
}

#[test]
fn types_by_all_their_names() {
    let env = kinds();
    let files = "dir/in dir/sub/x full plain run";
    let dirs = "dir/ dir/sub/";
    let links = "gone link todir";
    env.cases(&[
        ("-t f", files),
        ("-t file", files),
        ("--type=f", files),
        ("-t d", dirs),
        ("-t dir", dirs),
        ("-t directory", dirs),
        ("-t l", links),
        ("-t symlink", links),
        ("-t p", "pipe"),
        ("-t pipe", "pipe"),
        ("-t s", ""),
        ("-t socket", ""),
        ("-t b", ""),
        ("-t block-device", ""),
        ("-t c", ""),
        ("-t char-device", ""),
        ("-t x", "dir/sub/x run"),
        ("-t executable", "dir/sub/x run"),
        ("-t e", "dir/in dir/sub/x plain"),
        ("-t empty", "dir/in dir/sub/x plain"),
    ]);
    env.finds(&[("-t u", ""), ("-t unknown", "")]);
    env.both("-t c --exact null . /dev -d 1", "/dev/null");
    let listener = std::os::unix::net::UnixListener::bind(env.path("sock")).unwrap();
    env.cases(&[("-t s", "sock"), ("-t socket -t pipe", "pipe sock")]);
    drop(listener);
}

#[test]
fn types_add_up_and_x_and_e_narrow() {
    kinds().cases(&[
        (
            "-t f -t l",
            "dir/in dir/sub/x full gone link plain run todir",
        ),
        ("-tl -tp", "gone link pipe todir"),
        ("-t x -t e", "dir/sub/x"),
        ("-t e -t x", "dir/sub/x"),
        ("-t e -t f", "dir/in dir/sub/x plain"),
        ("-t x -t d", "dir/ dir/sub/ dir/sub/x run"),
        ("-t x -t l", "dir/sub/x run todir"),
        ("-t x -t f", "dir/sub/x run"),
        ("-t e -t l", "dir/in dir/sub/x plain"),
        ("-t f -t f", "dir/in dir/sub/x full plain run"),
    ]);
}

#[test]
fn empty_directories_are_known_by_all_that_is_in_them() {
    Env::new("a/ b/.hidden c/ignored d/e/ f:1").cases(&[
        ("-t e -t d", "a/ d/e/"),
        ("-t e", "a/ c/ignored d/e/"),
        ("-t e -d 1", "a/"),
        ("-t e -E ignored", "a/ d/e/"),
        ("-t e -L", "a/ c/ignored d/e/"),
        ("-t e --prune", "a/ c/ignored d/e/"),
    ]);
}

#[test]
fn types_of_what_links_lead_to_with_follow() {
    let env = kinds();
    env.cases(&[
        ("-L -t l", "gone"),
        ("-L -t d -d 1", "dir/ todir/"),
        ("-L -t x", "dir/sub/x run todir/sub/x"),
        ("-L -t f -d 1", "full link plain run"),
    ]);
}

#[test]
fn unknown_types_are_refused() {
    let env = Env::new("a");
    for line in ["-t zz", "-t fd", "-t F", "-t", "-t ''"] {
        env.refused(line, "--type <filetype>");
        env.fails(Name::Fd, line, 2, "possible values");
    }
}

#[test]
fn extensions() {
    Env::new("a.foo b.FOO c.foo.bak d.tar.gz e.gz .foo .h.foo foo x.tar.gzip tar.gz dir.foo/ n.")
        .cases(&[
            ("-e foo", "a.foo b.FOO dir.foo/"),
            ("-e .foo", "a.foo b.FOO dir.foo/"),
            ("-e Foo -t f", "a.foo b.FOO"),
            (
                "--extension=foo --extension gz",
                "a.foo b.FOO d.tar.gz dir.foo/ e.gz tar.gz",
            ),
            ("-e tar.gz", "d.tar.gz"),
            ("-e gz", "d.tar.gz e.gz tar.gz"),
            ("-H -e foo", ".h.foo a.foo b.FOO dir.foo/"),
            ("-e foo a", "a.foo"),
            ("-e bak", "c.foo.bak"),
            ("-e nothing", ""),
        ]);
}

#[test]
fn sizes() {
    let env = Env::new(
        "z:0 a1:1 a5:5 k1:1000 ki1:1024 k2:2000 m1:1000000 mi1:1048576 g1:1000000000 gi1:1073741824 d/",
    );
    env.cases(&[
        ("-S 0b", "z"),
        ("-S 5b", "a5"),
        ("-S -1b", "a1 z"),
        ("-S 1k", "k1"),
        ("-S 1kb", "k1"),
        ("-S 1K", "k1"),
        ("-S 1ki", "ki1"),
        ("-S 1KiB", "ki1"),
        ("-S 1m", "m1"),
        ("-S 1mi", "mi1"),
        ("-S 1g", "g1"),
        ("-S 1gi", "gi1"),
        ("-S +1m", "g1 gi1 m1 mi1"),
        ("--size=-999b", "a1 a5 z"),
        ("-S +1k -S -1ki", "k1 ki1"),
        ("-S +2k -S -1k", ""),
        ("-S +1t", ""),
        ("-S -1t -S +1ti", ""),
        ("-S +16777215ti", ""),
        ("-S -16777215ti a5", "a5"),
    ]);
    env.finds(&[
        ("-S 0", "z"),
        ("-S 5", "a5"),
        ("-S +1000000000", "g1 gi1"),
        ("-S=-5", "a1 a5 z"),
        ("-S 1.5k", ""),
        ("-S +0.5g", "g1 gi1"),
        ("-S 18446744073709551615", ""),
        ("-S -18446744073709551615 a5", "a5"),
        ("--not -S +1k", "a1 a5 d/ z"),
    ]);
}

#[test]
fn sizes_that_are_none_are_refused() {
    let env = Env::new("a");
    for text in [
        "+16777216ti",
        "18446744073709551616",
        "x",
        "+",
        "-",
        "10q",
        "1.k",
        "k",
        "''",
        "--1",
        "1e3",
    ] {
        let line = format!("-S {text}");
        env.refused(&line, "--size <size>");
        env.fails(Name::Fd, &line, 2, "--size <size>");
    }
}

#[test]
fn a_link_to_a_file_has_its_own_size() {
    let env = Env::new("big:5000 link->big dir/ todir->dir gone->nowhere");
    env.cases(&[
        ("-S 3b", "link"),
        ("-S +5k", "big"),
        ("-L -S +5k", "big link"),
    ]);
}
