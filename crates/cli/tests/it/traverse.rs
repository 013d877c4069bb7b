//! How far a search goes: depths, pruning, links, file systems, threads.

use super::env::{Env, Name};

const TREE: &str = "a.foo one/b.foo one/two/c.foo one/two/three/d.foo";

#[test]
fn depths() {
    let env = Env::new(TREE);
    env.cases(&[
        ("-d 1", "a.foo one/"),
        ("--max-depth 2", "a.foo one/ one/b.foo one/two/"),
        ("--maxdepth=2", "a.foo one/ one/b.foo one/two/"),
        ("-d 0", ""),
        ("-d1 -d2", "a.foo one/ one/b.foo one/two/"),
        (
            "--min-depth 3",
            "one/two/c.foo one/two/three/ one/two/three/d.foo",
        ),
        ("--mindepth 4", "one/two/three/d.foo"),
        ("--min-depth 2 -d 2", "one/b.foo one/two/"),
        ("--min-depth 3 -d 1", ""),
        ("--exact-depth 2", "one/b.foo one/two/"),
        ("--exact-depth 0", ""),
        ("--exact-depth 1 . one", "one/b.foo one/two/"),
        ("-d 4294967295 d.foo", "one/two/three/d.foo"),
    ]);
    for line in ["--exact-depth 2 -d 1", "--exact-depth 2 --min-depth 1"] {
        env.refused(line, "cannot be used with");
    }
    for line in [
        "-d x",
        "-d -1",
        "-d ''",
        "--min-depth 1.5",
        "-d 99999999999",
    ] {
        env.refused(line, "depth");
        env.fails(Name::Fd, line, 2, "depth");
    }
}

#[test]
fn prune() {
    let env = Env::new(TREE);
    env.cases(&[
        ("--prune one", "one/"),
        ("--prune o", "a.foo one/"),
        ("--prune -t d", "one/"),
        ("--prune two", "one/two/"),
        (
            "--prune -t f",
            "a.foo one/b.foo one/two/c.foo one/two/three/d.foo",
        ),
        ("--prune --min-depth 2", "one/b.foo one/two/"),
    ]);
    env.refused("--prune -S 0", "cannot be used with");
    env.refused("--prune --exact-depth 1", "cannot be used with");
}

#[test]
fn links_are_followed_when_asked() {
    let env = Env::new("dir/in dir/sub/x link->dir file->dir/in gone->nowhere deep/gone2->no");
    env.cases(&[
        (
            "",
            "deep/ deep/gone2 dir/ dir/in dir/sub/ dir/sub/x file gone link",
        ),
        ("-L . dir", "dir/in dir/sub/ dir/sub/x"),
        ("-L -d 1", "deep/ dir/ file gone link/"),
        ("--follow ^in", "dir/in link/in"),
        ("--dereference ^in", "dir/in link/in"),
        ("-L --no-follow ^in", "dir/in"),
        ("--no-follow -L ^in", "dir/in link/in"),
    ]);
}

#[test]
fn filters_hold_for_dangling_links_too() {
    Env::new("a gone->nowhere deep/gone2->no").cases(&[
        ("-L", "a deep/ deep/gone2 gone"),
        ("-L -E gone", "a deep/ deep/gone2"),
        ("-L -E 'gone*'", "a deep/"),
        ("-L --min-depth 2", "deep/gone2"),
        ("-L -d 1", "a deep/ gone"),
        ("-L -t f", "a"),
        ("-L -t l", "deep/gone2 gone"),
        ("-L -e x", ""),
        ("-L -S +0b gone", ""),
        ("-L -S +1000b", ""),
    ]);
}

#[test]
fn a_link_to_an_ancestor_is_told_and_ends() {
    let env = Env::new("a/b/c a/b/up->.. a/self->self");
    let want = "a/ a/b/ a/b/c a/self";
    env.find("-L", want);
    let answer = env.answer(Name::Groma, "-L --show-errors");
    assert_eq!(answer.shown(), want);
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    assert!(answer.stderr.contains("'a/b/up'"), "{}", answer.stderr);
    assert!(answer.stderr.contains("loop"), "{}", answer.stderr);
}

#[test]
fn unique_enters_every_directory_once() {
    // Each level has two links to the next: there are 2^20 paths through them.
    let env = Env::new("top/");
    for level in 0..20 {
        let dir = format!("l{level:02}");
        std::fs::create_dir(env.path(&dir)).unwrap();
        for link in ["x", "y"] {
            let target = format!("../l{:02}", level + 1);
            std::os::unix::fs::symlink(target, env.path(format!("{dir}/{link}"))).unwrap();
        }
    }
    std::fs::create_dir(env.path("l20")).unwrap();
    env.write("l20/end", "");
    env.find("-L --unique end", "l20/end");
    env.find("-L --unique --sort path end", "l20/end");
    let answer = env.answer(Name::Groma, "--unique end . . l20");
    assert_eq!(answer.shown(), "./l20/end");
    let all = env.answer(Name::Groma, "-L --unique");
    assert_eq!(all.sorted().len(), 1 + 21 + 40 + 1);
    let twice = Env::new("a/x b->a c->a");
    twice.find("-L --unique", "a/ a/x b/ c/");
    let answer = twice.answer(Name::Groma, "-L --unique x b c");
    assert_eq!(answer.shown(), "b/x");
    assert!(
        answer.stderr.contains("'c' was given before"),
        "{}",
        answer.stderr
    );
}

#[test]
fn other_file_systems_are_left_out() {
    let env = Env::new("a");
    let dev = "--exact null / -d 2";
    for flag in ["--one-file-system", "--mount", "--xdev"] {
        env.both(&format!("{flag} {dev}"), "");
    }
    env.find(&format!("--same-file-system {dev}"), "");
    env.both(dev, "/dev/null");
}

#[test]
fn the_base_directory_comes_first() {
    let env = Env::new(TREE);
    env.cases(&[
        ("-C one", "b.foo two/ two/c.foo two/three/ two/three/d.foo"),
        (
            "--base-directory one . two",
            "two/c.foo two/three/ two/three/d.foo",
        ),
        ("-C one -C one/two foo", "c.foo three/d.foo"),
        ("-C one -x echo {} ';' b", "./b.foo"),
        ("-C $PWD/one b", "b.foo"),
        ("-C one -a b", &format!("{}/one/b.foo", env.dir().display())),
        ("-C one -p tree/one/b", "b.foo"),
    ]);
    for dir in ["nope", "a.foo"] {
        let line = format!("-C {dir}");
        env.refused(&line, "is not a directory");
        env.fails(Name::Fd, &line, 1, "The '--base-directory' path");
    }
}

#[test]
fn threads() {
    let env = Env::new(TREE);
    for line in [
        "-j 1 foo",
        "-j2 foo",
        "--threads=64 foo",
        "-j 1 -j 3 foo",
        "-j 100000 foo",
    ] {
        env.both(line, "a.foo one/b.foo one/two/c.foo one/two/three/d.foo");
    }
    for line in ["-j 0", "-j x", "-j -1"] {
        env.refused(line, "threads");
    }
}
