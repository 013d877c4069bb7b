//! `--color` and `--hyperlink`.

use super::env::{Env, Name};

fn tree() -> Env {
    let env = Env::new(
        "dir/in.txt plain.txt X.TXT run=755 link->plain.txt gone->nowhere todir->dir suid=4755 t/ ow/ tw/",
    );
    env.chmod("dir", 0o755);
    env.chmod("t", 0o1755);
    env.chmod("ow", 0o777);
    env.chmod("tw", 0o1777);
    env
}

/// The line that paints `name`.
fn painted(colours: &str, line: &str) -> String {
    let mut env = tree();
    env.set("LS_COLORS", colours);
    env.answer(Name::Groma, line).shown()
}

#[test]
fn when() {
    let mut env = tree();
    let red = "␛[31mplain.txt␛[0m";
    env.set("LS_COLORS", "*.txt=31");
    env.cases(&[
        ("plain", "plain.txt"),
        ("-c auto plain", "plain.txt"),
        ("-c never plain", "plain.txt"),
        ("-c always plain", red),
        ("--color=always plain", red),
        ("-c never -c always plain", red),
        ("-c always -c never plain", "plain.txt"),
        ("-c always -0 plain", "␛[1;34m./␛[0m␛[31mplain.txt␛[0m␀"),
        ("-c always --format {} plain", "plain.txt"),
        ("-c always plain -x echo", "./plain.txt"),
    ]);
    env.refused("-c sometimes", "possible values");
    env.set("NO_COLOR", "1");
    env.both("-c always plain", red);
}

#[test]
fn classes() {
    let full = "di=34:ln=36:or=31;1:ex=32:su=37;41:st=37;44:ow=34;42:tw=30;42:*.txt=33:mh=7";
    for (line, want) in [
        ("plain", "␛[33mplain.txt␛[0m"),
        ("X.TXT", "␛[33mX.TXT␛[0m"),
        ("run", "␛[32mrun␛[0m"),
        ("link", "␛[36mlink␛[0m"),
        ("gone", "␛[1;31mgone␛[0m"),
        ("suid", "␛[41;37msuid␛[0m"),
        ("--exact t", "␛[44;37mt␛[0m␛[34m/␛[0m"),
        ("--exact ow", "␛[42;34mow␛[0m␛[34m/␛[0m"),
        ("--exact tw", "␛[42;30mtw␛[0m␛[34m/␛[0m"),
        ("^in", "␛[34mdir/␛[0m␛[33min.txt␛[0m"),
        ("^in ./dir", "␛[34m./dir/␛[0m␛[33min.txt␛[0m"),
    ] {
        assert_eq!(painted(full, &format!("-c always {line}")), want, "{line}");
    }
}

#[test]
fn links_take_the_colour_of_their_target() {
    for (line, want) in [
        ("link", "␛[33mlink␛[0m"),
        ("todir", "␛[34mtodir␛[0m"),
        ("gone", "␛[31mgone␛[0m"),
    ] {
        let colours = "ln=target:di=34:*.txt=35:fi=33:or=31";
        assert_eq!(
            painted(colours, &format!("-c always {line}")),
            want,
            "{line}"
        );
    }
    assert!(
        painted("or=31:mi=35", "-c always -l gone").ends_with("␛[31mgone␛[0m -> ␛[35mnowhere␛[0m")
    );
}

#[test]
fn odd_settings_do_no_harm() {
    for colours in [
        "",
        "garbage",
        ":::",
        "*=",
        "di=xx",
        "di=",
        "*.txt=99999;",
        "di=01;34:di",
        "=31",
        "\u{fffd}",
    ] {
        let shown = painted(colours, "-c always plain");
        assert!(shown.contains("plain.txt"), "{colours}: {shown}");
    }
    assert_eq!(painted("di=0:*.txt=0", "-c always ^in"), "dir/in.txt");
}

#[test]
fn more_than_one_name_and_capabilities() {
    let mut env = tree();
    std::fs::hard_link(env.path("plain.txt"), env.path("second.txt")).unwrap();
    env.set("LS_COLORS", "mh=44:ca=30;41:*.txt=31");
    env.find("-c always second", "␛[44msecond.txt␛[0m");
    env.tool("setcap", &["cap_net_raw+ep", "run"]);
    env.find("-c always run", "␛[41;30mrun␛[0m");
}

/// How often the system was asked about single entries.
fn stats(colours: &str, flags: &str) -> usize {
    let env = tree();
    let log = env.beside("log");
    let groma = env!("CARGO_BIN_EXE_groma");
    let line = format!(
        "LS_COLORS='{colours}' strace -f -e trace=newfstatat,statx,lstat,stat,faccessat2,lgetxattr,getxattr -o '{}' '{groma}' find {flags}",
        log.display()
    );
    let answer = env.shell(&line);
    assert_eq!(answer.code, 0, "strace is needed: {}", answer.stderr);
    let text = std::fs::read_to_string(log).unwrap();
    let names = [
        "plain.txt",
        "X.TXT",
        "\"run\"",
        "\"link\"",
        "\"gone\"",
        "\"dir\"",
        "\"t\"",
        "suid",
    ];
    text.lines()
        .filter(|line| names.iter().any(|name| line.contains(name)))
        .count()
}

#[test]
fn colours_that_need_no_metadata_cost_none() {
    let cheap = "di=34:ln=36:or=0:ex=0:su=0:sg=0:ow=0:tw=0:st=0:mh=0:ca=0:*.txt=31";
    assert_eq!(stats(cheap, "-c never"), 0);
    assert_eq!(stats(cheap, "-c always"), 0);
    assert_eq!(stats(cheap, "-c always -e txt"), 0);
    let dirs = stats(
        "di=34:ln=36:or=0:ex=0:su=0:sg=0:mh=0:ca=0:ow=42:tw=0:st=0",
        "-c always",
    );
    assert_eq!(
        dirs, 2,
        "only the directories among the eight are asked about"
    );
    assert_eq!(
        stats(
            "di=34:ln=36:or=31:ex=0:su=0:sg=0:mh=0:ca=0:ow=0:tw=0:st=0",
            "-c always"
        ),
        2
    );
    assert!(stats("ex=32", "-c always") >= 4);
}

#[test]
fn hyperlinks() {
    let env = Env::new("a%b dir/sp");
    let host = env.tool("uname", &["-n"]);
    let url = format!("file://{}{}", host.trim(), env.dir().display());
    let link = |path: &str, shown: &str| format!("␛]8;;{url}/{path}␛\\{shown}␛]8;;␛\\");
    for line in ["--hyperlink=always b", "--hyper=always b"] {
        env.both(line, &link("a%25b", "a%b"));
    }
    env.both("--hyperlink=always sp", &link("dir/sp", "dir/sp"));
    env.both("--hyperlink=always sp ./dir", &link("dir/sp", "./dir/sp"));
    env.both(
        "--hyperlink -c always sp",
        &link("dir/sp", "␛[1;34mdir/␛[0msp"),
    );
    env.both("--hyperlink sp", "dir/sp");
    env.both("--hyperlink=never sp", "dir/sp");
    env.refused("--hyperlink=x", "possible values");
    let bytes = super::env::bytes(b"bad\xff\n");
    std::fs::write(env.path(bytes), "").unwrap();
    let answer = env.answer(Name::Groma, "--hyperlink=always bad");
    assert!(String::from_utf8_lossy(&answer.stdout).contains("/bad%FF%0A\x1b\\"));
}
