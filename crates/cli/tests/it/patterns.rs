//! Patterns: syntaxes, case, `--and`, full paths, and what is refused.

use super::env::{Env, Name, bytes};

const TREE: &str = "a.foo b.FOO C.Foo2 one/b.foo one/two/c.foo one/two/C.Foo2 x(y .h.foo";

#[test]
fn a_pattern_is_a_regular_expression_on_the_name() {
    Env::new(TREE).cases(&[
        ("'^[ab]\\.'", "a.foo b.FOO one/b.foo"),
        ("one", "one/"),
        ("o$", "a.foo b.FOO one/b.foo one/two/ one/two/c.foo"),
        ("--regex '^c'", "C.Foo2 one/two/c.foo one/two/C.Foo2"),
        ("'b.fo{2}'", "b.FOO one/b.foo"),
        ("nothing-like-it", ""),
        ("'(?-u:\\x61)'", "a.foo"),
    ]);
}

#[test]
fn case_is_smart_unless_told() {
    Env::new(TREE).cases(&[
        ("'^c'", "C.Foo2 one/two/c.foo one/two/C.Foo2"),
        ("'^C'", "C.Foo2 one/two/C.Foo2"),
        ("'^\\Sb?\\.foo$'", "a.foo b.FOO one/b.foo one/two/c.foo"),
        ("-s '^c'", "one/two/c.foo"),
        ("-i '^C'", "C.Foo2 one/two/c.foo one/two/C.Foo2"),
        ("-i -s '^c'", "one/two/c.foo"),
        ("-s -i '^C'", "C.Foo2 one/two/c.foo one/two/C.Foo2"),
        (
            "--case-sensitive --ignore-case FOO2",
            "C.Foo2 one/two/C.Foo2",
        ),
        ("-g 'b.FOO'", "b.FOO"),
        ("-g 'b.foo'", "b.FOO one/b.foo"),
        ("-F FOO", "b.FOO"),
        ("--exact C.foo2", ""),
        ("--exact c.foo2", "C.Foo2 one/two/C.Foo2"),
        // One capital in any of several patterns decides for all.
        ("foo --and '^C'", ""),
        ("Foo --and '^C'", "C.Foo2 one/two/C.Foo2"),
    ]);
}

#[test]
fn globs_match_the_whole_name() {
    Env::new(TREE).cases(&[
        ("-g '*.foo'", "a.foo b.FOO one/b.foo one/two/c.foo"),
        ("--glob '[ab].*'", "a.foo b.FOO one/b.foo"),
        ("-g '[!ab].foo'", "one/two/c.foo"),
        ("-g '?.foo2'", "C.Foo2 one/two/C.Foo2"),
        ("-g '*.{foo2,x}'", "C.Foo2 one/two/C.Foo2"),
        ("-g foo", ""),
        ("-g one", "one/"),
        ("--regex -g '^a'", ""),
        ("-g --regex '^a'", "a.foo"),
    ]);
}

#[test]
fn plain_text_needs_no_escapes() {
    Env::new(TREE).cases(&[
        (
            "-F .foo",
            "a.foo b.FOO C.Foo2 one/b.foo one/two/c.foo one/two/C.Foo2",
        ),
        ("--fixed-strings 'x('", "x(y"),
        ("--literal '(y'", "x(y"),
        ("--exact 'x(y'", "x(y"),
        ("--exact 'x('", ""),
        (
            "-F ''",
            "a.foo b.FOO C.Foo2 one/ one/b.foo one/two/ one/two/c.foo one/two/C.Foo2 x(y",
        ),
    ]);
}

#[test]
fn further_patterns_must_match_too() {
    let env = Env::new(TREE);
    env.cases(&[
        ("foo --and b", "b.FOO one/b.foo"),
        ("-g '*.foo' --and 'b*'", "b.FOO one/b.foo"),
        ("foo --and a --and '^a'", "a.foo"),
        ("--and c -F foo2", "C.Foo2 one/two/C.Foo2"),
        ("--and '' foo2", "C.Foo2 one/two/C.Foo2"),
        ("--and -x foo", ""),
    ]);
    env.refused("foo --and '('", "unclosed group");
}

#[test]
fn full_paths_are_absolute() {
    Env::new(TREE).cases(&[
        ("-p one/two/c", "one/two/c.foo one/two/C.Foo2"),
        ("--full-path 'tree/one$'", "one/"),
        ("-p '^$PWD/a'", "a.foo"),
        ("-p -g '**/one/*'", "one/b.foo one/two/"),
        (
            "-p -g '**/one/**'",
            "one/b.foo one/two/ one/two/c.foo one/two/C.Foo2",
        ),
        ("-p -F $PWD/b", "b.FOO"),
        ("-p --exact $PWD/b.FOO", "b.FOO"),
        ("-p 'one/./two'", ""),
        ("-p '/tree/one/b' ./one", "./one/b.foo"),
        ("-p 'two/[.][.]/b' one/two/..", "one/two/../b.foo"),
        (
            "-p ''",
            "a.foo b.FOO C.Foo2 one/ one/b.foo one/two/ one/two/c.foo one/two/C.Foo2 x(y",
        ),
    ]);
}

#[test]
fn shown_paths_can_be_matched_instead() {
    Env::new(TREE).finds(&[
        ("-p --relative-path '^one/b'", "one/b.foo"),
        ("-p --relative-path '^one$'", "one/"),
        ("-p --relative-path tree", ""),
        ("-p --relative-path '^[.]/one/b' ./one", "./one/b.foo"),
        ("-p --relative-path -g 'one/*'", "one/b.foo one/two/"),
    ]);
}

#[test]
fn patterns_that_cannot_match_are_refused() {
    let env = Env::new(TREE);
    for (name, code, start) in [
        (Name::Fd, 1, "[fd error]: "),
        (Name::Groma, 2, "groma find: "),
    ] {
        let fails = |line: &str, needle: &str| {
            env.fails(name, line, code, needle);
            env.fails(name, line, code, start);
        };
        fails("one/two", "'one/two' contains a path-separation character");
        fails("-g 'one/*'", "path-separation character");
        fails("--exact one/two", "path-separation character");
        fails("a --and one/b", "path-separation character");
        fails("'^\\.h'", "hidden files");
        fails("-g '.h*'", "hidden files");
        fails("a --and '^[.]h'", "hidden files");
    }
    env.fails(Name::Fd, "one/two", 1, "fd . 'one/two'");
    env.refused("one/two", "groma find . 'one/two'");
    env.refused("one/two", "groma find --full-path 'one/two'");
    env.cases(&[
        ("-H '^\\.h'", ".h.foo"),
        ("-u -g '.h*'", ".h.foo"),
        ("'\\.h'", ""),
        ("-F .h", ""),
    ]);
}

#[test]
fn mistakes_in_patterns_are_shown_in_place() {
    let env = Env::new(TREE);
    for (line, needle) in [
        ("'('", "unclosed group"),
        ("'[a'", "unclosed character class"),
        ("'*'", "repetition operator missing expression"),
        ("-g '[a'", "error parsing glob '[a'"),
        ("-g '{a'", "error parsing glob '{a'"),
    ] {
        env.fails(Name::Fd, line, 1, needle);
        env.refused(line, needle);
    }
    env.refused("'(a'", "--fixed-strings");
}

#[test]
fn conflicts_between_syntaxes() {
    let env = Env::new(TREE);
    for line in ["-g -F x", "-F -g x", "-g --exact x", "-F --exact x"] {
        env.refused(line, "cannot be used with");
        env.fails(Name::Fd, line, 2, "cannot be used with");
    }
}

#[test]
fn a_pattern_that_begins_with_a_dash_follows_two() {
    let env = Env::new("-x.foo a.foo");
    env.cases(&[
        ("-- -x", "-x.foo"),
        ("'[-]x'", "-x.foo"),
        ("-F -- -x .", "./-x.foo"),
    ]);
    env.fails(Name::Groma, "-- -x -d 1", 1, "cannot open '-d'");
}

#[test]
fn names_that_are_no_text_are_found_by_their_bytes() {
    let env = Env::new("good.txt");
    std::fs::write(env.path(bytes(b"bad\xff.txt")), "").unwrap();
    for line in [
        "bad",
        "-e txt bad",
        "-g 'bad?.txt'",
        "-g 'bad*.txt'",
        "'bad.\\.txt'",
        "'bad(?-u:\\xff)\\.txt'",
        "--format {} bad",
        "--format {.}.txt bad",
        "--where bad",
        "--where 'name ~ bad..txt'",
    ] {
        let answer = env.answer(Name::Groma, line);
        assert_eq!(answer.stdout, b"bad\xff.txt\n", "{line}");
    }
    let given = env.answer_to(Name::Groma, [bytes(b"."), bytes(b"bad\xff.txt")]);
    assert_eq!(given.stdout, b"bad\xff.txt\n");
    env.both("-g '*.txt' -X sh -c 'echo $#' sh", "2");
}
