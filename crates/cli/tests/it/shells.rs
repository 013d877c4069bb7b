//! Completions, man pages and help.

use super::env::{Env, Name};

fn printed(env: &Env, line: &str) -> String {
    let answer = env.shell(line);
    assert_eq!((answer.code, answer.stderr.as_str()), (0, ""), "{line}");
    String::from_utf8(answer.stdout).unwrap()
}

#[test]
fn completions_are_scripts_of_their_shells() {
    let env = Env::new("");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let texts = [
            printed(&env, &format!("groma completions {shell}")),
            printed(&env, &format!("groma find --generate {shell}")),
            printed(&env, &format!("groma find --gen-completions={shell}")),
            printed(&env, &format!("fd --gen-completions {shell}")),
        ];
        assert_eq!(texts[0], texts[1]);
        assert_eq!(texts[0], texts[2]);
        for (text, name) in [(&texts[0], "groma"), (&texts[3], "fd")] {
            assert!(
                text.contains(name) && text.contains("max-depth"),
                "{shell} {name}"
            );
            env.write(name, text);
            match shell {
                "bash" | "zsh" => drop(env.tool(shell, &["-n", name])),
                "fish" => drop(env.tool("fish", &["--no-execute", name])),
                // Those two are not packaged: their scripts are only seen to be whole.
                _ => assert_eq!(
                    text.matches('{').count(),
                    text.matches('}').count(),
                    "{shell}"
                ),
            }
        }
    }
}

#[test]
fn completions_complete() {
    let env = Env::new("");
    env.write("c", &printed(&env, "groma completions bash"));
    let line = "source ./c; COMP_WORDS=(groma find --max-d); COMP_CWORD=2; _groma groma --max-d find; echo ${COMPREPLY[@]}";
    assert_eq!(env.tool("bash", &["-c", line]).trim(), "--max-depth");
    let line = "source ./c; COMP_WORDS=(groma fin); COMP_CWORD=1; _groma groma fin groma; echo ${COMPREPLY[@]}";
    assert_eq!(env.tool("bash", &["-c", line]).trim(), "find");
    env.write("f", &printed(&env, "fd --gen-completions bash"));
    let line = "source ./f; COMP_WORDS=(fd --search); COMP_CWORD=1; _fd fd --search fd; echo ${COMPREPLY[@]}";
    assert_eq!(env.tool("bash", &["-c", line]).trim(), "--search-path");
    env.write("fishy", &printed(&env, "groma completions fish"));
    let fish = env.tool(
        "fish",
        &[
            "--no-config",
            "-c",
            "source fishy; complete -C 'groma find --max-d'",
        ],
    );
    assert!(fish.starts_with("--max-depth"), "{fish}");
}

#[test]
fn completions_for_an_unknown_shell() {
    let mut env = Env::new("");
    env.fails(Name::Groma, "--no-config", 0, "");
    for line in [
        "groma completions zz",
        "groma find --generate zz",
        "fd --gen-completions=zz",
    ] {
        let answer = env.shell(line);
        assert_eq!(answer.code, 2, "{line}");
        assert!(
            answer
                .stderr
                .contains("bash, elvish, fish, powershell, zsh"),
            "{}",
            answer.stderr
        );
    }
    env.set("SHELL", "/usr/bin/fish");
    assert!(printed(&env, "fd --gen-completions").contains("complete -c fd"));
    env.set("SHELL", "/bin/unheard-of");
    assert_eq!(env.shell("groma find --generate").code, 2);
}

#[test]
fn man_pages_render_without_warnings() {
    let env = Env::new("");
    for (line, words) in [
        ("groma man", &["groma", "completions"][..]),
        (
            "groma man find",
            &["groma-find", "--max-depth", "--where", "placeholder"][..3],
        ),
        ("groma man map", &["groma-map", "--html", "--read-only"]),
        ("groma man search", &["groma-search", "--sort", "--output"]),
        (
            "groma man snapshot",
            &["groma-snapshot", "compare", "prune"],
        ),
    ] {
        env.write("page", &printed(&env, line));
        let mut groff = std::process::Command::new("groff");
        env.seal(&mut groff);
        let output = groff.args(["-man", "-Tutf8", "-ww", "-z", "page"]).output();
        let output = output.expect("groff is needed");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{line}");
        let text = env
            .tool("man", &["-l", "--pager=cat", "page"])
            .replace('\u{8}', "");
        for word in words {
            assert!(text.contains(word), "{line}: {word}");
        }
    }
    assert_eq!(env.shell("groma man nothing").code, 2);
}

#[test]
fn help_is_there() {
    let env = Env::new("");
    for verb in ["find", "index", "map", "search", "snapshot", "stats"] {
        let help = printed(&env, &format!("groma help {verb}"));
        assert!(help.contains(&format!("Usage: groma {verb}")), "{help}");
    }
    let short = printed(&env, "groma find -h");
    let long = printed(&env, "groma find --help");
    assert!(short.len() < long.len());
    for flag in ["--hidden", "--max-depth", "--exec", "--where", "--sort"] {
        assert!(short.contains(flag), "{flag}");
    }
    for flag in [
        "--perm",
        "--delete",
        "--files0-from",
        "--exclude-regex",
        "--not",
        "--show-errors",
        "--no-config",
        "{/.}",
    ] {
        assert!(long.contains(flag), "{flag}");
    }
    assert!(
        long.contains("Usage: groma find [OPTIONS] [pattern] [path]..."),
        "{long}"
    );
    assert!(printed(&env, "fd -h").contains("Usage: fd [OPTIONS] [pattern] [path]..."));
    assert_eq!(printed(&env, "groma help find"), long);
    assert!(
        short
            .lines()
            .chain(long.lines())
            .all(|line| line.chars().count() <= 100)
    );
    assert!(printed(&env, "groma help query").starts_with("# The query language"));
    for line in ["groma --help", "groma -h", "groma help"] {
        let text = printed(&env, line);
        assert!(
            text.contains("find") && text.contains("completions"),
            "{line}"
        );
    }
    assert!(printed(&env, "groma --version").starts_with("groma "));
    assert!(printed(&env, "fd -V").starts_with("fd "));
}
