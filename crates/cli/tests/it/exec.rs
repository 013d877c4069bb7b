//! Commands: `--exec`, `--exec-batch`, `--batch-size`.

use super::env::{Env, Name};

const TREE: &str = "a.foo one/b.foo.bak one/two/c.foo";

fn soak() -> bool {
    std::env::var_os("GROMA_SOAK").is_some()
}

#[test]
fn a_command_for_each_result() {
    let env = Env::new(TREE);
    let sorted = |line: &str| env.answer(Name::Fd, line).sorted().join("|");
    for (line, want) in [
        ("foo -x echo", "./a.foo|./one/b.foo.bak|./one/two/c.foo"),
        (
            "foo --exec echo {}",
            "./a.foo|./one/b.foo.bak|./one/two/c.foo",
        ),
        (
            "foo -x echo {/} {//} {.} {/.}",
            "a.foo . a a|b.foo.bak ./one one/b.foo b.foo|c.foo ./one/two one/two/c c",
        ),
        (
            "foo -x echo pre{/}post",
            "prea.foopost|preb.foo.bakpost|prec.foopost",
        ),
        ("foo -x echo {{}} {/}", "{} a.foo|{} b.foo.bak|{} c.foo"),
        ("foo -x echo {/} ';' -d 1", "a.foo"),
        (
            "foo -x echo 1 {/} ';' -x echo 2 {/} ';' -d 1",
            "1 a.foo|2 a.foo",
        ),
        ("foo -x echo -- ';' -d 1", "-- ./a.foo"),
        ("-d 1 foo -x echo --batch-size 2", "--batch-size 2 ./a.foo"),
        (
            "c.foo -a -x echo",
            &format!("{}/one/two/c.foo", env.dir().display()),
        ),
        ("c.foo one -x echo", "one/two/c.foo"),
        ("nothing -x false", ""),
        ("-t d two -x echo", "./one/two"),
    ] {
        assert_eq!(sorted(line), want, "{line}");
    }
    env.find("foo --sort path -x echo {/}", "a.foo b.foo.bak c.foo");
}

#[test]
fn one_command_for_all_results() {
    let env = Env::new(TREE);
    env.cases(&[
        ("foo -X echo", "./a.foo ./one/b.foo.bak ./one/two/c.foo"),
        ("foo --exec-batch echo {/} end", "a.foo b.foo.bak c.foo end"),
        ("foo -X echo x{.}y", "xay xone/b.fooy xone/two/cy"),
        (
            "foo -X echo 1 ';' -X echo 2",
            "1 ./a.foo ./one/b.foo.bak ./one/two/c.foo 2 ./a.foo ./one/b.foo.bak ./one/two/c.foo",
        ),
        (
            "foo --batch-size 2 -X echo",
            "./a.foo ./one/b.foo.bak ./one/two/c.foo",
        ),
        ("foo --batch-size 1 -X echo {/}", "a.foo b.foo.bak c.foo"),
        ("foo --batch-size 0 -X echo {/}", "a.foo b.foo.bak c.foo"),
        ("nothing -X false", ""),
        ("foo -0 -X echo {/}", "a.foo b.foo.bak c.foo"),
    ]);
    let counts = env.answer(Name::Groma, "foo --batch-size 2 -X sh -c 'echo $#' sh");
    assert_eq!(counts.shown(), "2 1");
    env.refused("foo --batch-size 2", "--exec-batch");
    env.refused("foo --batch-size x -X echo", "--batch-size");
    for name in [Name::Groma, Name::Fd] {
        env.fails(
            name,
            "-X echo {} {}",
            2,
            "Only one placeholder allowed for batch commands",
        );
        env.fails(
            name,
            "-X {}",
            2,
            "First argument of --exec-batch must be a fixed executable",
        );
        env.fails(name, "-X", 2, "a value is required");
        env.fails(name, "-x", 2, "a value is required");
        env.fails(name, "-x echo ';' -X echo", 2, "cannot be used with");
        env.fails(name, "-q -x echo", 2, "cannot be used with");
        env.fails(name, "-1 -x echo", 2, "cannot be used with");
        env.fails(name, "--max-results 3 -X echo", 2, "cannot be used with");
    }
}

#[test]
fn failures_of_commands_are_failures() {
    let env = Env::new(TREE);
    for name in [Name::Groma, Name::Fd] {
        for line in [
            "foo -x false",
            "foo -X false",
            "foo -x sh -c 'exit 3'",
            "a.foo -x sh -c 'kill -9 $$'",
            "foo -x sh -c 'test {/} != c.foo'",
        ] {
            env.fails(name, line, 1, "");
        }
        env.fails(
            name,
            "a.foo -x no-such-command",
            1,
            "Command not found: no-such-command",
        );
        env.fails(
            name,
            "a.foo -X no-such-command",
            1,
            "Command not found: no-such-command",
        );
        env.fails(
            name,
            "a.foo -x ./no-such/{}",
            1,
            "Command not found: ./no-such/./a.foo",
        );
        env.fails(
            name,
            "a.foo -x {}",
            1,
            "Problem while executing command: Permission denied",
        );
    }
    // The second command is not run once the first has failed.
    env.fails(Name::Groma, "foo -x false ';' -x echo", 1, "");
    let answer = env.answer(Name::Groma, "foo -X false ';' -X echo {/}");
    assert_eq!(
        (answer.shown().as_str(), answer.code),
        ("a.foo b.foo.bak c.foo", 1)
    );
    let answer = env.answer(Name::Groma, "foo one nope -x echo {/}");
    assert_eq!(
        (answer.sorted().join(" ").as_str(), answer.code),
        ("b.foo.bak c.foo", 1)
    );
}

#[test]
fn nul_between_the_outputs_of_commands() {
    let env = Env::new(TREE);
    env.both("-0 --exact a.foo -x printf %sx {/}", "a.foox␀");
    env.find("-0 --sort path foo -x printf {/}", "a.foo␀b.foo.bak␀c.foo␀");
    env.find(
        "-0 -j 1 --exact a.foo -x printf %s1 {.} ';' -x printf %s2 {.}",
        "a1a2␀",
    );
    let many = env.answer(Name::Fd, "-0 -j 4 foo -x printf {/}");
    let mut parts: Vec<&[u8]> = many.stdout.split(|b| *b == 0).collect();
    parts.sort_unstable();
    assert_eq!(parts, [&b""[..], b"a.foo", b"b.foo.bak", b"c.foo"]);
}

#[test]
fn outputs_of_many_jobs_are_never_mixed() {
    let env = Env::new("");
    for number in 0..60 {
        env.write(&format!("f{number}"), "");
    }
    // Each command writes three lines in pieces, on both streams.
    let script =
        "for i in 1 2 3; do printf '%s' {/}; printf ' '; printf '%s\\n' $i; done; echo {/} >&2";
    let answer = env.answer_to(Name::Groma, ["-j", "8", "-x", "sh", "-c", script]);
    assert_eq!(answer.code, 0);
    let text = String::from_utf8(answer.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 180);
    for three in lines.chunks(3) {
        let name = three[0].split(' ').next().unwrap();
        assert_eq!(three, [1, 2, 3].map(|i| format!("{name} {i}")));
    }
    assert_eq!(answer.stderr.lines().count(), 60);
}

#[test]
fn a_command_on_one_job_has_the_user_s_input() {
    let env = Env::new("a b");
    let answer = env
        .shell("printf '1\\n2\\n' | fd -j 1 --max-buffer-time=9999 -x sh -c 'read x; echo {/} $x'");
    assert_eq!(answer.sorted().len(), 2, "{}", answer.stderr);
    let answer = env.shell("echo in | groma find --exact a -X cat -");
    assert_eq!(answer.shown(), "in");
}

#[test]
fn hundreds_of_thousands_of_results_fit() {
    let count = if soak() { 200_000 } else { 30_000 };
    let env = Env::new("");
    // Long names: the limit on arguments is reached with far fewer of them.
    let pad = "n".repeat(150);
    for number in 0..count {
        std::fs::File::create(env.path(format!("{number:06}{pad}"))).unwrap();
    }
    let answer = env.answer_to(Name::Groma, ["-X", "sh", "-c", "echo $#", "sh"]);
    assert_eq!((answer.code, answer.stderr.as_str()), (0, ""));
    let batches: Vec<usize> = answer.sorted().iter().map(|n| n.parse().unwrap()).collect();
    assert_eq!(batches.iter().sum::<usize>(), count);
    assert!(batches.len() > 1, "{batches:?}");
    let after = env.answer_to(
        Name::Fd,
        [
            "-X",
            "sh",
            "-c",
            "eval echo \\${$#}",
            "sh",
            "{}",
            &"z".repeat(5000),
        ],
    );
    assert_eq!((after.code, after.stderr.as_str()), (0, ""));
    assert!(after.sorted().iter().all(|last| last.len() == 5000));
}

#[test]
fn an_argument_that_is_too_long_is_told() {
    let env = Env::new("a");
    // More than the system takes in one argument, from one placeholder many times over.
    let words = "{}".repeat(60_000);
    let answer = env.answer_to(Name::Groma, ["-x", "echo", &words]);
    assert_eq!((answer.shown().as_str(), answer.code), ("", 1));
    assert!(
        answer.stderr.contains("Problem while executing command"),
        "{}",
        answer.stderr
    );
    let answer = env.answer_to(Name::Groma, ["-X", "echo", &words]);
    assert_eq!((answer.shown().as_str(), answer.code), ("", 1));
}
