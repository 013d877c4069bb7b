//! Wrong usage, exit codes, what is said when something cannot be read.

use super::env::{Env, Name};

#[test]
fn unknown_flags_and_verbs() {
    let env = Env::new("a");
    for name in [Name::Groma, Name::Fd] {
        env.fails(name, "--nonsense", 2, "unexpected argument '--nonsense'");
        env.fails(name, "-Z", 2, "unexpected argument '-Z'");
        env.fails(
            name,
            "--max-dept 1",
            2,
            "a similar argument exists: '--max-depth'",
        );
        env.fails(name, "-e", 2, "a value is required");
    }
    env.refused("--max-dept 1", "Usage: groma find");
    env.fails(Name::Fd, "--max-dept 1", 2, "Usage: fd");
    env.refused("-S x", "Usage: groma find");
    for (line, code, needle) in [
        ("groma", 2, "Usage: groma"),
        ("groma nonsense", 2, "unrecognized subcommand 'nonsense'"),
        ("groma --nonsense", 2, "unexpected argument"),
        ("groma help nonsense", 2, "possible values"),
        ("groma fin a", 2, "find"),
    ] {
        let answer = env.shell(line);
        assert_eq!((answer.code, answer.shown().as_str()), (code, ""), "{line}");
        assert!(answer.stderr.contains(needle), "{line}: {}", answer.stderr);
    }
}

#[test]
fn values_that_are_no_text_are_refused_cleanly() {
    let env = Env::new("a");
    let bad = super::env::bytes(b"\xff");
    for flag in [
        "-e",
        "-S",
        "--and",
        "--where",
        "--format",
        "--exclude-regex",
        "-o",
    ] {
        let answer = env.answer_to(Name::Groma, [flag.into(), bad.clone()]);
        assert!([0, 2].contains(&answer.code), "{flag}: {}", answer.stderr);
        assert!(
            !answer.stderr.contains("panicked"),
            "{flag}: {}",
            answer.stderr
        );
    }
    for flag in ["-E", "--ignore-contain", "--ignoreg"] {
        let answer = env.answer_to(Name::Groma, [flag.into(), bad.clone()]);
        assert_eq!(
            (answer.code, answer.shown().as_str()),
            (0, "a"),
            "{flag}: {}",
            answer.stderr
        );
    }
}

#[test]
fn the_name_decides_whatever_its_path() {
    let env = Env::new("a");
    let fd = env.beside("bin/fd");
    assert_eq!(env.shell(&format!("{} x/y", fd.display())).code, 1);
    assert_eq!(env.shell("PATH=../bin:$PATH; command fd x/y").code, 1);
    assert_eq!(
        env.shell(&format!("exec -a fd {} find", env!("CARGO_BIN_EXE_groma")))
            .shown(),
        ""
    );
    assert_eq!(
        env.shell(&format!(
            "exec -a other {} find",
            env!("CARGO_BIN_EXE_groma")
        ))
        .shown(),
        "a"
    );
}

/// A tree with a directory that an ordinary user may not read, and a program that he may run.
fn forbidden() -> Env {
    let env = Env::new("open/x no/y a");
    std::fs::remove_file(env.beside("bin/fd")).unwrap();
    for name in ["fd", "groma"] {
        std::fs::copy(env!("CARGO_BIN_EXE_groma"), env.beside("bin").join(name)).unwrap();
    }
    env.chmod("..", 0o755);
    env.chmod("no", 0o700);
    env
}

const ALL: &str = "a no/ open/ open/x";

/// Lines with what they print, their exit code, and what they say.
const UNREADABLE: &[(&str, &str, i32, &str)] = &[
    (
        "groma find",
        ALL,
        3,
        "groma find: 1 place could not be read (--show-errors lists them)\n",
    ),
    (
        "groma find --show-errors",
        ALL,
        3,
        "groma find: cannot open 'no': Permission denied\n",
    ),
    (
        "groma find --sort path",
        ALL,
        3,
        "1 place could not be read",
    ),
    (
        "groma find --order breadth",
        "a no/ open/ open/x",
        3,
        "1 place could not be read",
    ),
    (
        "groma find -t e",
        "a open/x",
        3,
        "1 place could not be read",
    ),
    (
        "groma find . no",
        "",
        1,
        "groma find: cannot open 'no': Permission denied\n",
    ),
    ("groma find . no open", "open/x", 1, "cannot open 'no'"),
    ("groma find -q y", "", 3, "1 place could not be read"),
    ("groma find -E no", "a open/ open/x", 0, ""),
    ("groma find -d 1", "a no/ open/", 0, ""),
    ("groma find --prune no", "no/", 0, ""),
    ("groma find -x true", "", 3, "1 place could not be read"),
    (
        "groma find -X echo",
        "./a ./no ./open ./open/x",
        3,
        "1 place could not be read",
    ),
    ("groma find -X false", "", 1, "1 place could not be read"),
    ("fd", ALL, 0, ""),
    (
        "fd --show-errors",
        ALL,
        0,
        "no: Permission denied (os error 13)\n",
    ),
    ("fd -q y", "", 1, ""),
];

#[test]
fn what_cannot_be_read_is_counted() {
    let env = forbidden();
    let run = |line: &str| {
        let bin = env.beside("bin");
        env.shell(&format!(
            "setpriv --reuid 65534 --clear-groups {}/{line}",
            bin.display()
        ))
    };
    for (line, want, code, needle) in UNREADABLE {
        let (want, code) = (*want, *code);
        let answer = run(line);
        let stderr = &answer.stderr;
        assert_eq!(
            (answer.shown().as_str(), answer.code),
            (want, code),
            "{line}: {stderr}"
        );
        assert!(stderr.contains(needle), "{line}: {stderr}");
        assert_eq!(stderr.is_empty(), needle.is_empty(), "{line}: {stderr}");
    }
}

#[test]
fn an_interrupted_run_ends_with_130() {
    let env = Env::new("a b c");
    for program in ["groma find", "fd"] {
        let line = format!(
            "set -m; {program} -j 1 -x sh -c 'sleep 30' & sleep 0.5; kill -INT -- -$!; wait $!"
        );
        let answer = env.shell(&line);
        assert_eq!(answer.code, 130, "{program}: {}", answer.stderr);
    }
}

#[test]
fn odd_environments_do_no_harm() {
    let env = Env::new("a b/");
    for setting in [
        "HOME= XDG_CONFIG_HOME=",
        "HOME=/nonexistent XDG_CONFIG_HOME=relative",
        "HOME=$'/\\xff'",
        "TZ=No/Where",
        "TZ=",
        "TZ=EST5EDT",
        "LS_COLORS=$'*.\\xff=31'",
        "COLUMNS=0",
        "GIT_CONFIG_GLOBAL=/nonexistent GIT_CONFIG_COUNT=x",
        "SHELL=",
    ] {
        for program in [env!("CARGO_BIN_EXE_groma"), "../bin/fd"] {
            let verb = if program.ends_with("fd") { "" } else { "find" };
            let line =
                format!("env -i {setting} {program} {verb} --changed-within 1d --color never");
            let answer = env.shell(&line);
            let got = (answer.shown(), answer.stderr.as_str(), answer.code);
            assert_eq!(got, ("a b/".to_owned(), "", 0), "{setting}");
        }
    }
}
