//! How results are written: NULs, templates, separators, prefixes, quotes, limits, pipes.

use super::env::{Env, Name, bytes};

const TREE: &str = "a.foo one/b.tar.gz one/.c/ noext";

#[test]
fn nul_separated() {
    Env::new(TREE).cases(&[
        ("-0", "./a.foo␀./noext␀./one/␀./one/b.tar.gz␀"),
        ("--print0 foo", "./a.foo␀"),
        ("-0 foo .", "./a.foo␀"),
        ("-0 --strip-cwd-prefix foo", "a.foo␀"),
        ("-0 --format {/} foo", "a.foo␀"),
        ("-0 nothing", ""),
    ]);
    Env::new(TREE).refused("-0 -l", "cannot be used with");
}

#[test]
fn prefixes() {
    let env = Env::new(TREE);
    env.cases(&[
        ("foo", "a.foo"),
        ("--strip-cwd-prefix foo", "a.foo"),
        ("--strip-cwd-prefix=always -0 foo", "a.foo␀"),
        ("--strip-cwd-prefix=never foo", "./a.foo"),
        ("--strip-cwd-prefix=auto foo", "a.foo"),
        ("--strip-cwd-prefix=auto -0 foo", "./a.foo␀"),
        (
            "--strip-cwd-prefix=never --strip-cwd-prefix=always foo",
            "a.foo",
        ),
        ("--strip-cwd-prefix foo -x echo", "a.foo"),
        ("foo -x echo", "./a.foo"),
        ("foo -X echo", "./a.foo"),
    ]);
    env.refused("--strip-cwd-prefix . one", "cannot be used with");
    env.refused("--strip-cwd-prefix=sometimes", "possible values");
}

#[test]
fn templates() {
    let env = Env::new(TREE);
    env.cases(&[
        ("--format {} gz", "one/b.tar.gz"),
        ("--format {/} gz", "b.tar.gz"),
        ("--format {//} gz", "one"),
        ("--format {.} gz", "one/b.tar"),
        ("--format {/.} gz", "b.tar"),
        ("--format {//} a.foo", "."),
        ("--format {.} noext", "noext"),
        ("--format {{}} noext", "{}"),
        ("--format '{{ {} }}' noext", "{ noext }"),
        ("--format {x} noext", "{x}"),
        ("--format { noext", "{"),
        ("--format } noext", "}"),
        ("--format 'cp {} {/.}-{/}' foo", "cp a.foo a-a.foo"),
        ("--format x", "x x x x"),
        ("--format '' foo", ""),
        ("--format {} one -t d", "one"),
        ("--format {} gz ./one", "./one/b.tar.gz"),
        ("--format {.} gz ./one", "one/b.tar"),
        (
            "--path-separator '#' --format '{} / {//}' gz",
            "one#b.tar.gz / one",
        ),
    ]);
    env.refused("--format {} -l", "cannot be used with");
    env.refused("--format", "a value is required");
}

#[test]
fn separators() {
    Env::new(TREE).cases(&[
        ("--path-separator '#'", "a.foo noext one# one#b.tar.gz"),
        ("--path-separator=:: gz", "one::b.tar.gz"),
        ("--path-separator '' gz", "oneb.tar.gz"),
        ("--path-separator '#' gz ./one", ".#one#b.tar.gz"),
        (
            "--path-separator '#' gz -x echo {} {//}",
            ".#one#b.tar.gz .#one",
        ),
        ("--path-separator '#' gz -X echo", ".#one#b.tar.gz"),
    ]);
}

#[test]
fn quoted() {
    let env = Env::new(TREE);
    env.finds(&[
        ("-Q foo", "\"a.foo\""),
        ("--quoted -t d", "\"one/\""),
        ("-Q -0 foo", "\"./a.foo\"␀"),
    ]);
    for other in ["--format {}", "--json", "-l", "-x echo", "-X echo"] {
        env.refused(&format!("-Q {other}"), "cannot be used with");
    }
}

#[test]
fn limits() {
    let env = Env::new(TREE);
    env.cases(&[
        ("--max-results 1 foo", "a.foo"),
        ("--max-results=0", "a.foo noext one/ one/b.tar.gz"),
        ("--max-results 99", "a.foo noext one/ one/b.tar.gz"),
        ("-1 foo", "a.foo"),
        ("-1 --max-results 99", "a.foo noext one/ one/b.tar.gz"),
    ]);
    for line in [
        "-1",
        "--max-results 1",
        "--max-results 99 -1",
        "-n 1",
        "-n1",
        "-1 -j 1",
    ] {
        assert_eq!(env.answer(Name::Groma, line).sorted().len(), 1, "{line}");
    }
    assert_eq!(env.answer(Name::Groma, "--max-results 3").sorted().len(), 3);
    for line in ["--max-results x", "--max-results -1", "--max-results 1.5"] {
        env.refused(line, "--max-results");
    }
}

#[test]
fn quiet_tells_by_its_exit_code() {
    let env = Env::new(TREE);
    env.cases(&[
        ("-q foo", ""),
        ("--quiet", ""),
        ("--has-results foo", ""),
        ("-q -t d", ""),
    ]);
    for name in [Name::Groma, Name::Fd] {
        env.fails(name, "-q nothing", 1, "");
        env.fails(name, "-q -S +1g", 1, "");
        env.fails(name, "-q foo one", 1, "");
    }
    env.refused("-q --max-results 1", "cannot be used with");
    env.find("-q -1 foo", "");
    env.find("-q --sort size foo", "");
    env.fails(Name::Groma, "-q foo nowhere", 1, "cannot open 'nowhere'");
}

#[test]
fn a_short_result_is_sorted_by_path() {
    let env = Env::new("b/z b/a/x B2 a c/ aB ab Ab é");
    env.both("", "a Ab aB ab b/ b/a/ b/a/x b/z B2 c/ é");
}

#[test]
fn names_are_bytes_in_a_pipe() {
    let env = Env::new("");
    let names: [&[u8]; 5] = [
        b"bad\xff",
        b"bidi\xe2\x80\xae",
        b"esc\x1b[31m",
        b"nl\nx",
        b"tab\t",
    ];
    for name in names {
        std::fs::write(env.path(bytes(name)), "").unwrap();
    }
    let joined = |end: u8| -> Vec<u8> {
        names
            .iter()
            .flat_map(|n| [n, &[end][..]].concat())
            .collect()
    };
    assert_eq!(env.answer(Name::Groma, "").stdout, joined(b'\n'));
    assert_eq!(env.answer(Name::Groma, "--format {}").stdout, joined(b'\n'));
    assert_eq!(
        env.answer(Name::Fd, "-0 --strip-cwd-prefix").stdout,
        joined(0)
    );
    let each = env.answer(Name::Groma, "--sort path -x printf '%s\\n' {/}");
    assert_eq!(each.stdout, joined(b'\n'));
    let all = env.answer(Name::Groma, "-X printf '%s\\n' {/}");
    assert_eq!(all.stdout, joined(b'\n'));
}

#[test]
fn a_closed_pipe_is_quiet() {
    let env = Env::new("");
    for number in 0..3000 {
        std::fs::write(env.path(format!("a-rather-long-name-{number}")), "").unwrap();
    }
    for program in ["groma find", "fd"] {
        for flags in [
            "",
            "--sort path",
            "--sort size",
            "-l",
            "-0",
            "-x echo",
            "--color always",
            "--order breadth",
        ] {
            // PIPEFAIL shows the code of the first program.
            let line = format!("set -o pipefail; {program} {flags} | head -c 1 >/dev/null");
            if program == "fd" && (flags.contains("sort") || flags.contains("order"))
                || flags == "-x echo"
            {
                continue;
            }
            let answer = env.shell(&line);
            assert_eq!((answer.code, answer.stderr.as_str()), (0, ""), "{line}");
        }
    }
    let json = env.shell("set -o pipefail; groma find --json | head -n 1 >/dev/null");
    assert_eq!((json.code, json.stderr.as_str()), (0, ""));
    let help = env.shell("set -o pipefail; groma find --help | head -n 1 >/dev/null");
    assert_eq!(help.stderr, "");
}

#[test]
fn a_full_disk_is_told() {
    let env = Env::new(TREE);
    for line in [
        "groma find",
        "groma find --sort size",
        "groma find --json",
        "groma find -l",
        "fd",
        "groma find --order breadth",
        "groma find -j 2 -x echo",
    ] {
        let answer = env.shell(&format!("{line} >/dev/full"));
        assert_eq!(answer.code, 1, "{line}: {}", answer.stderr);
        assert!(
            answer
                .stderr
                .contains("Could not write to output: No space left"),
            "{}",
            answer.stderr
        );
        assert_eq!(answer.stderr.lines().count(), 1, "{}", answer.stderr);
    }
    for line in [
        "groma find --help",
        "groma help query",
        "groma completions bash",
        "groma man",
        "groma --version",
    ] {
        let answer = env.shell(&format!("{line} >/dev/full"));
        assert_eq!(answer.code, 1, "{line}: {}", answer.stderr);
        assert!(
            answer.stderr.contains("No space left"),
            "{line}: {}",
            answer.stderr
        );
    }
}

#[test]
fn a_closed_stdout_is_no_panic() {
    let env = Env::new(TREE);
    for line in [
        "groma find",
        "fd",
        "groma find -l",
        "groma find -x echo",
        "groma find --help",
    ] {
        let answer = env.shell(&format!("{line} >&-"));
        assert!(!answer.stderr.contains("panicked"), "{}", answer.stderr);
        assert!(answer.code < 100, "{line}: {}", answer.code);
    }
}
