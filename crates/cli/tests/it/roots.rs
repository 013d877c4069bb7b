//! Where a search starts: directories, links, plain files, lists, the same place twice.

use super::env::{Env, Name, bytes};

const TREE: &str =
    "one/a.foo one/two/b.foo deep/c.foo file.foo link->one gone->nowhere flink->file.foo";

#[test]
fn roots_are_shown_as_they_are_given() {
    let env = Env::new(TREE);
    let top = env.dir().display();
    env.cases(&[
        ("foo one", "one/a.foo one/two/b.foo"),
        ("foo one/", "one/a.foo one/two/b.foo"),
        ("foo ./one", "./one/a.foo ./one/two/b.foo"),
        (
            "foo .",
            "./deep/c.foo ./file.foo ./one/a.foo ./one/two/b.foo",
        ),
        (
            "foo ./",
            "./deep/c.foo ./file.foo ./one/a.foo ./one/two/b.foo",
        ),
        ("foo deep one", "deep/c.foo one/a.foo one/two/b.foo"),
        ("foo one deep", "deep/c.foo one/a.foo one/two/b.foo"),
        ("foo one/../deep", "one/../deep/c.foo"),
        ("foo ../tree/deep", "../tree/deep/c.foo"),
        ("foo $PWD/deep", &format!("{top}/deep/c.foo")),
        ("--search-path one", "one/a.foo one/two/ one/two/b.foo"),
        ("--search-path one foo", "one/a.foo one/two/b.foo"),
        (
            "--search-path one --search-path deep foo",
            "deep/c.foo one/a.foo one/two/b.foo",
        ),
        ("-- foo one", "one/a.foo one/two/b.foo"),
        ("-a foo deep", &format!("{top}/deep/c.foo")),
        ("-a foo ./deep/", &format!("{top}/deep/c.foo")),
        ("--absolute-path c.foo", &format!("{top}/deep/c.foo")),
        ("-a --relative-path c.foo", "deep/c.foo"),
        ("--relative-path -a c.foo", &format!("{top}/deep/c.foo")),
        ("-a a.foo link", &format!("{top}/one/a.foo")),
    ]);
    env.refused("foo --search-path one deep", "cannot be used with");
}

#[test]
fn a_root_that_is_a_link_is_entered() {
    Env::new(TREE).cases(&[
        ("foo link", "link/a.foo link/two/b.foo"),
        ("foo link/", "link/a.foo link/two/b.foo"),
        ("foo link/.", "link/./a.foo link/./two/b.foo"),
        ("-t d . link", "link/two/"),
        ("-L foo link", "link/a.foo link/two/b.foo"),
    ]);
}

#[test]
fn plain_files_are_roots_too() {
    let env = Env::new(TREE);
    env.finds(&[
        ("foo file.foo", "file.foo"),
        ("foo ./file.foo", "./file.foo"),
        ("foo one/a.foo", "one/a.foo"),
        ("nothing file.foo", ""),
        ("-e foo . file.foo", "file.foo"),
        ("-t d . file.foo", ""),
        ("foo file.foo deep", "deep/c.foo file.foo"),
        (". gone", "gone"),
        ("-t l . gone flink", "flink gone"),
        ("-L -t f . flink", "flink"),
        ("-S 0 . file.foo", "file.foo"),
        ("--min-depth 1 . file.foo", ""),
        ("-d 0 . file.foo", "file.foo"),
        ("--where depth=0 . file.foo", "file.foo"),
        ("--sort name . one/a.foo file.foo", "one/a.foo file.foo"),
        ("--order breadth . one/a.foo deep", "one/a.foo deep/c.foo"),
        (
            "-a . file.foo",
            &format!("{}/file.foo", env.dir().display()),
        ),
        ("-p tree/file file.foo", "file.foo"),
    ]);
    env.find("foo file.foo -x echo {} {/} {//}", "file.foo file.foo .");
    env.find("foo file.foo --format {/.}", "file");
    env.find("-q foo file.foo", "");
    // fd takes no files.
    env.fails(
        Name::Fd,
        "foo file.foo",
        1,
        "[fd error]: Search path 'file.foo' is not a directory.",
    );
    env.fails(
        Name::Fd,
        "foo file.foo",
        1,
        "[fd error]: No valid search paths given.",
    );
    let answer = env.answer(Name::Fd, "foo file.foo deep nope");
    assert_eq!((answer.shown(), answer.code), ("deep/c.foo".to_owned(), 0));
    assert!(
        answer
            .stderr
            .contains("Search path 'nope' is not a directory.")
    );
}

#[test]
fn a_root_that_cannot_be_searched_is_told_and_the_rest_goes_on() {
    let env = Env::new(TREE);
    env.fails(
        Name::Groma,
        ". nope",
        1,
        "groma find: cannot open 'nope': No such file or directory\n",
    );
    env.fails(Name::Groma, "foo file.foo/", 1, "cannot open 'file.foo/'");
    env.fails(Name::Groma, "foo file.foo/x", 1, "cannot open 'file.foo/x'");
    env.fails(
        Name::Groma,
        "foo ''",
        2,
        "a value is required for '[path]...'",
    );
    let answer = env.answer(Name::Groma, "foo nope deep");
    assert_eq!((answer.shown(), answer.code), ("deep/c.foo".to_owned(), 1));
}

#[test]
fn a_place_given_twice_is_told_once() {
    let env = Env::new(TREE);
    for (line, want, note) in [
        (
            "foo one one",
            "one/a.foo one/two/b.foo",
            "'one' was given before",
        ),
        (
            "foo one ./one",
            "one/a.foo one/two/b.foo",
            "'./one' was given before",
        ),
        (
            "foo link one",
            "link/a.foo link/two/b.foo",
            "'one' was given before",
        ),
        (
            "foo one one/two",
            "one/a.foo one/two/b.foo",
            "'one/two' lies inside 'one'",
        ),
        (
            "b.foo one/two one",
            "one/two/b.foo",
            "'one/two' lies inside 'one'",
        ),
        ("c.foo . deep", "./deep/c.foo", "'deep' lies inside '.'"),
        ("c.foo deep .", "deep/c.foo", "'deep' lies inside '.'"),
        (
            "--sort size foo one one/two",
            "one/a.foo one/two/b.foo",
            "lies inside",
        ),
        (
            "--order breadth foo one one/two",
            "one/a.foo one/two/b.foo",
            "lies inside",
        ),
    ] {
        for name in [Name::Groma, Name::Fd] {
            let answer = env.answer(name, line);
            assert_eq!((answer.shown().as_str(), answer.code), (want, 0), "{line}");
            assert!(answer.stderr.contains(note), "{line}: {}", answer.stderr);
        }
    }
}

#[test]
fn a_file_given_twice_is_told_once() {
    let env = Env::new(TREE);
    let answer = env.answer(Name::Groma, "foo file.foo file.foo");
    assert_eq!(answer.shown(), "file.foo");
    assert!(answer.stderr.contains("'file.foo' was given before"));
    for line in [
        "foo one one/a.foo",
        "foo one/a.foo one",
        "foo one/two/../a.foo one",
    ] {
        let answer = env.answer(Name::Groma, line);
        assert_eq!(answer.sorted().len(), 2, "{line}: {}", answer.shown());
        assert!(
            answer.stderr.contains("a.foo' lies inside 'one'"),
            "{}",
            answer.stderr
        );
    }
    env.find("-t l . link/../flink gone", "gone link/../flink");
}

#[test]
fn roots_from_a_list() {
    let env = Env::new(TREE);
    let list = env.beside("list");
    std::fs::write(&list, b"one\0deep\0file.foo\0").unwrap();
    env.find(
        "--files0-from ../list foo",
        "deep/c.foo file.foo one/a.foo one/two/b.foo",
    );
    std::fs::write(&list, b"deep").unwrap();
    env.find("--files0-from ../list", "deep/c.foo");
    for (text, needle) in [
        (&b""[..], "'../list' names no paths to search"),
        (b"deep\0\0one\0", "'../list': path 2 is empty"),
        (b"\0", "path 1 is empty"),
    ] {
        std::fs::write(&list, text).unwrap();
        env.refused("--files0-from ../list", needle);
    }
    env.refused(
        "--files0-from ../nothing",
        "cannot read '../nothing': No such file",
    );
    env.refused("--files0-from one", "cannot read 'one': Is a directory");
    env.refused("--files0-from ../list foo one", "cannot be used with");
    let piped = env.shell("printf 'deep\\0nope\\0' | groma find --files0-from -");
    assert_eq!((piped.shown().as_str(), piped.code), ("deep/c.foo", 1));
    let piped = env.shell("groma find -0 -t d two | groma find foo --files0-from -");
    assert_eq!(piped.shown(), "./one/two/b.foo");
    let lines = env.shell("printf 'deep\\n' | groma find --files0-from -");
    assert_eq!(lines.code, 1);
}

#[test]
fn roots_that_are_no_text() {
    let env = Env::new("x");
    std::fs::create_dir(env.path(bytes(b"d\xff"))).unwrap();
    std::fs::write(env.path(bytes(b"d\xff/f\xfe")), "").unwrap();
    let answer = env.answer_to(Name::Groma, [bytes(b"."), bytes(b"d\xff")]);
    assert_eq!(answer.stdout, b"d\xff/f\xfe\n");
    let answer = env.answer_to(Name::Fd, [bytes(b"--search-path"), bytes(b"d\xff")]);
    assert_eq!(answer.stdout, b"d\xff/f\xfe\n");
}

#[test]
fn a_root_named_like_an_option() {
    let env = Env::new("-/x -d/x");
    env.both("x -", "./-/x");
    env.both("-- x -d", "-d/x");
}

#[test]
fn a_working_directory_that_is_gone() {
    let env = Env::new("a");
    let gone = "mkdir x; cd x; rmdir ../x;";
    let answer = env.shell(&format!("{gone} groma find"));
    assert_eq!(answer.code, 2, "{}", answer.stderr);
    assert!(
        answer.stderr.contains("has it been deleted?"),
        "{}",
        answer.stderr
    );
    let answer = env.shell(&format!("{gone} fd"));
    assert_eq!(answer.code, 1);
    let top = env.dir().display();
    let answer = env.shell(&format!("{gone} groma find . {top}"));
    assert_eq!(answer.shown(), format!("{top}/a"));
}
