//! On a terminal: escapes, colours, questions. `script` lends the terminal.

use super::env::{Answer, Env, bytes};

/// Runs a line on a terminal, with `input` typed into it.
fn on_terminal(env: &Env, line: &str, input: &str) -> Answer {
    let groma = env!("CARGO_BIN_EXE_groma");
    let line = line.replace("groma", groma);
    let line = line.replace("fd ", &format!("{} ", env.beside("bin/fd").display()));
    let script = format!("printf '%b' '{input}' | script -qec \"{line}\" /dev/null");
    env.shell(&script)
}

fn shown(answer: &Answer) -> String {
    answer.shown().replace('\r', "")
}

#[test]
fn hostile_names_are_escaped() {
    let env = Env::new("");
    for name in [
        &b"bad\xff"[..],
        b"bidi\xe2\x80\xae",
        b"esc\x1b[31m",
        b"nl\nx",
        b"\xc3\xa9",
    ] {
        std::fs::write(env.path(bytes(name)), "").unwrap();
    }
    let want = "bad\\xFF bidi\\u{202E} esc\\x1B[31m nl\\x0Ax é";
    for line in [
        "groma find -c never",
        "fd -c never",
        "groma find --format {}",
        "fd --format {}",
    ] {
        assert_eq!(shown(&on_terminal(&env, line, "")), want, "{line}");
    }
    let long = shown(&on_terminal(&env, "groma find -l -c never", ""));
    assert!(long.contains(" nl\\x0Ax ") && !long.contains('␛'), "{long}");
    let json = on_terminal(&env, "groma find --json", "");
    assert!(!json.stdout.contains(&0x1b));
    assert!(!json.stdout.contains(&0xff));
}

#[test]
fn hostile_targets_and_messages_are_escaped() {
    let env = Env::new("");
    std::os::unix::fs::symlink(bytes(b"to\x1b[31m"), env.path("link")).unwrap();
    let long = shown(&on_terminal(&env, "groma find -l -c never", ""));
    assert!(long.ends_with("link -> to\\x1B[31m"), "{long}");
    let message = shown(&on_terminal(&env, "groma find . $'no\\x1b[31m'", ""));
    assert!(!message.contains('␛'), "{message}");
}

#[test]
fn colours_and_links_come_by_themselves() {
    let mut env = Env::new("dir/x");
    assert_eq!(
        shown(&on_terminal(&env, "groma find -t d", "")),
        "␛[1;34mdir␛[0m␛[1;34m/␛[0m"
    );
    assert!(
        shown(&on_terminal(&env, "groma find -t d --hyperlink", "")).starts_with("␛]8;;file://")
    );
    env.set("NO_COLOR", "1");
    assert_eq!(shown(&on_terminal(&env, "fd -t d", "")), "dir/");
    env.set("NO_COLOR", "");
    assert_ne!(shown(&on_terminal(&env, "fd -t d", "")), "dir/");
}

#[test]
fn delete_asks() {
    for (input, gone) in [
        ("n\\n", false),
        ("\\n", false),
        ("\\004", false),
        ("y\\n", true),
        ("Y\\n", true),
        ("yes\\n", true),
        ("yup\\n", false),
    ] {
        let env = Env::new("a.tmp b.tmp c");
        let answer = on_terminal(&env, "groma find -e tmp --delete", input);
        let text = shown(&answer);
        assert!(text.contains("Delete 2 entries? [y/N]"), "{text}");
        assert_eq!(answer.code, i32::from(!gone), "{input}: {text}");
        assert_eq!(text.contains("nothing was deleted"), !gone, "{text}");
        assert_eq!(!env.path("a.tmp").exists(), gone, "{input}: {text}");
        assert!(env.path("c").exists());
    }
    let env = Env::new("a.tmp b.tmp");
    assert!(
        shown(&on_terminal(&env, "groma find a.tmp --delete", "y\\n")).contains("Delete 1 entry?")
    );
    assert_eq!(
        shown(&on_terminal(&env, "groma find -e tmp --delete --yes", "")),
        ""
    );
    env.find("", "");
    assert_eq!(
        shown(&on_terminal(&env, "groma find -e tmp --delete", "")),
        ""
    );
}

/// The list comes so slowly that there is time to say something.
#[test]
fn a_scan_says_how_far_it_is() {
    let env = Env::new("");
    let catalog = env.beside("catalog");
    let line = format!(
        "(echo /a/b; sleep 1; echo /a/c) | tr '\\n' '\\0' | groma index add --catalog '{}' --source list -",
        catalog.display()
    );
    let shown = on_terminal(&env, &line, "").shown();
    assert!(shown.contains(" entries, "), "{shown}");
}
