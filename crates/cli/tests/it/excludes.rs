//! Leaving entries out: `--exclude`, `--exclude-regex`, `--ignore-contain`.

use super::env::{Env, Name};

const TREE: &str = "a/x.foo a/y b/x.foo b/a/z abc/def/q ghi/def/q top.foo";

#[test]
fn exclude_is_a_glob_that_beats_all() {
    Env::new(TREE).cases(&[
        (
            "-E a",
            "abc/ abc/def/ abc/def/q b/ b/x.foo ghi/ ghi/def/ ghi/def/q top.foo",
        ),
        ("-E '*.foo' -E def", "a/ a/y abc/ b/ b/a/ b/a/z ghi/"),
        ("-E /a -E def foo", "b/x.foo top.foo"),
        ("-E a/ x", "b/x.foo"),
        ("--exclude b/a z", ""),
        ("-E 'b/**' -t f", "a/x.foo a/y abc/def/q ghi/def/q top.foo"),
        ("-E '*.foo' -E '!top.foo' foo", ""),
        ("-E nothing foo", "a/x.foo b/x.foo top.foo"),
        ("-E '*.{foo,q}' -t f", "a/y abc/def/q b/a/z ghi/def/q"),
        ("-u -E a foo", "b/x.foo top.foo"),
    ]);
}

#[test]
fn absolute_excludes() {
    let env = Env::new(TREE);
    env.cases(&[
        ("-E $PWD/a foo", "b/x.foo top.foo"),
        ("-E $PWD/a foo .", "./b/x.foo ./top.foo"),
        ("-E $PWD/a/x.foo foo", "b/x.foo top.foo"),
        ("-E $PWD/b/a -t d . b", ""),
        ("-E '$PWD/*.foo' foo", "a/x.foo b/x.foo"),
        (
            "-E $PWD/b foo $PWD",
            &format!("{0}/a/x.foo {0}/top.foo", env.dir().display()),
        ),
        ("-C b -E $PWD/b/a -t d", ""),
    ]);
}

#[test]
fn several_roots_share_the_excludes() {
    Env::new(TREE).cases(&[
        ("-E ghi/def q abc ghi", "abc/def/q"),
        ("-E ghi/def q", "abc/def/q"),
        ("-E abc/def -E ghi/def q abc ghi", ""),
        ("-E def q abc ghi", ""),
        ("-E a foo ./a ./b", "./a/x.foo ./b/x.foo"),
    ]);
}

#[test]
fn an_exclude_that_is_no_glob_is_refused() {
    let env = Env::new(TREE);
    for glob in ["'[a'", "'{a'"] {
        let line = format!("-E {glob}");
        let groma = env.answer(Name::Groma, &line);
        let fd = env.answer(Name::Fd, &line);
        // What git would take, fd takes too; nothing may be half done.
        assert!([0, 2].contains(&groma.code), "{}", groma.stderr);
        assert!([0, 1].contains(&fd.code), "{}", fd.stderr);
    }
}

#[test]
fn fdf_spells_it_ignoreg() {
    Env::new(TREE).find("--ignoreg a --ignoreg def foo", "b/x.foo top.foo");
}

#[test]
fn exclude_by_regular_expression() {
    let env = Env::new(TREE);
    env.finds(&[
        ("--exclude-regex '^a' foo", "b/x.foo top.foo"),
        ("--exclude-regex '^b/a' z", ""),
        ("--exclude-regex '/x[.]' foo", "top.foo"),
        (
            "--exclude-regex 'foo$' --exclude-regex def -t f",
            "a/y b/a/z",
        ),
        ("--exclude-regex '^x' foo a", ""),
        ("--exclude-regex '^x' . a", "a/y"),
        ("--exclude-regex FOO foo", "a/x.foo b/x.foo top.foo"),
        ("--exclude-regex '-x' foo", "a/x.foo b/x.foo top.foo"),
    ]);
    env.refused("--exclude-regex '('", "--exclude-regex: regex parse error");
}

#[test]
fn directories_that_hold_a_marker() {
    let env =
        Env::new("a/CACHEDIR.TAG a/x b/x c/d/CACHEDIR.TAG c/d/e/x c/x dang/tag->nowhere dang/x");
    env.cases(&[
        ("--ignore-contain CACHEDIR.TAG x", "b/x c/x dang/x"),
        ("--ignore-contain CACHEDIR.TAG -t d", "b/ c/ dang/"),
        (
            "--ignore-contain CACHEDIR.TAG --ignore-contain nope x",
            "b/x c/x dang/x",
        ),
        ("--ignore-contain d x", "a/x b/x dang/x"),
        ("--ignore-contain tag x", "a/x b/x c/d/e/x c/x dang/x"),
        ("--ignore-contain x . b", ""),
        ("-u --ignore-contain CACHEDIR.TAG x", "b/x c/x dang/x"),
    ]);
    env.find(
        "--ignore-contain CACHEDIR.TAG --order breadth x",
        "b/x c/x dang/x",
    );
}
