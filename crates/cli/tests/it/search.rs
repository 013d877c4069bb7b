//! `groma search`: what is found, in which order, and what is said when it cannot be.

use super::env::{Answer, Env, bytes};

pub(crate) const TREE: &str = "docs/big.pdf:2000000 docs/small.pdf:10 docs/Report.txt:300 \
     src/main.rs:500 src/.hid src/deep/er/lib.rs:700 empty/ gone->no run=755";

/// An environment with this tree, indexed.
pub(crate) fn indexed(tree: &str) -> Env {
    let env = Env::new(tree);
    index(&env);
    env
}

pub(crate) fn index(env: &Env) {
    let answer = env.shell("groma index add .");
    assert_eq!((answer.code, &answer.stderr[..]), (0, ""));
}

pub(crate) fn search(env: &Env, line: &str) -> Answer {
    env.shell(&format!("groma search {line}"))
}

/// The paths that a search prints, below the working directory, in one line. It says nothing.
pub(crate) fn found(env: &Env, line: &str) -> String {
    let answer = search(env, line);
    assert_eq!((answer.code, &answer.stderr[..]), (0, ""), "{line}");
    let below = format!("{}/", env.dir().display());
    answer.shown().replace(&below, "")
}

fn check(env: &Env, cases: &[(&str, &str)]) {
    for (line, want) in cases {
        assert_eq!(found(env, line), *want, "{line}");
    }
}

/// The search prints nothing on stdout, says something that holds `needle`, ends with `code`.
fn fails(env: &Env, line: &str, code: i32, needle: &str) {
    let answer = search(env, line);
    assert_eq!(
        (answer.shown(), answer.code),
        (String::new(), code),
        "{line}: {}",
        answer.stderr
    );
    assert!(answer.stderr.contains(needle), "{line}: {}", answer.stderr);
}

#[test]
fn queries() {
    let env = indexed(TREE);
    env.touch("docs/big.pdf", "2005-05-05");
    index(&env);
    check(
        &env,
        &[
            ("pdf", "docs/big.pdf docs/small.pdf"),
            ("pdf 'size<1k'", "docs/small.pdf"),
            ("'main OR small'", "docs/small.pdf src/main.rs"),
            ("main OR small", "docs/small.pdf src/main.rs"),
            ("'main OR pdf' 'size>100'", "docs/big.pdf src/main.rs"),
            (
                "NOT '(main OR pdf)' type:file 'size>0'",
                "docs/Report.txt src/deep/er/lib.rs",
            ),
            ("modified:2005", "docs/big.pdf"),
            ("report", "docs/Report.txt"),
            ("REPORT", ""),
            ("-i REPORT", "docs/Report.txt"),
            ("--ignore-case --case report", ""),
            ("-s Report", "docs/Report.txt"),
            ("src/main", "src/main.rs"),
            ("'*.rs'", "src/deep/er/lib.rs src/main.rs"),
            ("type:dir empty:", "empty"),
            ("tree-items:3 type:dir name:src", ""),
            ("tree-items:5 type:dir name:src", "src"),
            ("is:hidden", "src/.hid"),
            ("owner:root name:run", "run"),
            ("--in src rs", "src/deep/er/lib.rs src/main.rs"),
            (
                "--in src/deep --in docs 'type:file'",
                "docs/big.pdf docs/Report.txt docs/small.pdf src/deep/er/lib.rs",
            ),
            ("--in $PWD/src/../docs pdf", "docs/big.pdf docs/small.pdf"),
            ("--in / pdf", "docs/big.pdf docs/small.pdf"),
            ("nothing-of-that-name", ""),
        ],
    );
    let everything = search(&env, "");
    assert_eq!(everything.sorted().len(), 14);
    assert!(
        everything
            .stdout
            .starts_with(env.dir().as_os_str().as_encoded_bytes())
    );
}

#[test]
fn orders_limits_and_counts() {
    let env = indexed("a:5 B:7 c10:1 c9:3 d/e:7 d/f");
    check(
        &env,
        &[
            ("type:file", "a B c10 c9 d/e d/f"),
            ("type:file --sort size", "d/f c10 c9 a B d/e"),
            ("type:file --sort -size", "B d/e a c9 c10 d/f"),
            ("type:file --sort largest --limit 2", "B d/e"),
            ("type:file --sort -size -n 2 --offset 1", "d/e a"),
            ("type:file --sort -size,-name", "d/e B a c9 c10 d/f"),
            ("type:file --sort=-path", "d/f d/e c9 c10 B a"),
            ("type:file --sort name --natural", "a B c9 c10 d/e d/f"),
            ("type:file --limit 3", "a B c10"),
            ("type:file --limit 0", ""),
            ("type:file --offset 4", "d/e d/f"),
            ("type:file --offset 40", ""),
            ("type:dir 'name:d' --limit 5", "d"),
            ("type:file --threads 1 --no-daemon", "a B c10 c9 d/e d/f"),
            ("--count type:file", "6"),
            ("--count nothing", "0"),
            ("--count", "8"),
        ],
    );
    let explained = found(&env, "--explain type:file");
    assert!(explained.contains("6 of 8 entries match"), "{explained}");
    assert!(search(&env, "--help").shown().contains("ascending"));
}

#[test]
fn words_are_words_and_not_whole_names() {
    let env = indexed("my-report.txt reports.txt report Report.md unreported");
    check(
        &env,
        &[
            ("word:report", "my-report.txt report Report.md"),
            ("-s word:report", "my-report.txt report"),
            ("exact:report", "report"),
        ],
    );
}

#[test]
fn mistakes_have_a_place_and_a_hint() {
    let env = indexed("a");
    for (line, needle) in [
        ("'siez>1'", "did you mean 'size'?"),
        ("'siez>1'", "  siez>1\n  ^~~~"),
        ("a '(b'", "this '(' is never closed"),
        ("'regex:a(b'", "regex"),
        ("'size>big'", "size>big"),
        ("'a OR'", "a OR"),
        ("--sort siez", "--sort: there is no field 'siez'"),
        ("--sort under", "no value"),
        ("--columns siez", "--columns: there is no field 'siez'"),
        ("--format xml", "there is no format 'xml'"),
        ("--format '{siez}'", "there is no field 'siez'"),
        ("--format paths --columns size", "--columns goes with"),
        ("--format csv -0", "-0 goes with"),
        ("--natural", "--sort"),
        ("--limit many", "invalid value"),
        ("--count --limit 3", "cannot be used with"),
        ("--in ''", "a value is required"),
        ("$'caf\\xe9'", "is no UTF-8"),
        ("--nonsense", "unexpected argument"),
    ] {
        fails(&env, line, 2, needle);
    }
    let deep = "(".repeat(100_000);
    env.write("deep", &deep);
    fails(&env, "\"$(cat deep)\"", 2, "");
}

#[test]
fn without_a_catalog_it_says_how_to_make_one() {
    let env = Env::new("a");
    for line in ["", "x", "--count", "--catalog nowhere x"] {
        fails(
            &env,
            line,
            1,
            "groma search: there is no catalog yet; make one with 'groma index add PATH'\n",
        );
    }
    index(&env);
    fails(&env, "--in nowhere", 1, "is not in the catalog");
    fails(&env, "--in a", 1, "is no directory");
    env.tool("chmod", &["go+rwx", "../home/.local/share/groma"]);
    fails(&env, "", 1, "others have access to it");
}

#[test]
fn a_catalog_elsewhere() {
    let env = Env::new("one two");
    let answer = env.shell("groma index add --catalog $PWD/../own .");
    assert_eq!((answer.code, &answer.stderr[..]), (0, ""));
    assert_eq!(found(&env, "--catalog ../own tw"), "two");
    fails(&env, "tw", 1, "there is no catalog yet");
    let mut env = env;
    env.set("XDG_DATA_HOME", env.beside("data"));
    index(&env);
    assert_eq!(found(&env, "tw"), "two");
    assert!(env.beside("data/groma/manifest").is_file());
}

#[test]
fn names_that_are_no_text() {
    let env = Env::new("");
    std::fs::write(env.path(bytes(b"caf\xe9.txt")), "").unwrap();
    std::fs::write(env.path(bytes(b"two\nlines")), "").unwrap();
    index(&env);
    let raw = |line: &str| {
        let answer = search(&env, line);
        assert_eq!((answer.code, &answer.stderr[..]), (0, ""), "{line}");
        let below = [env.dir().as_os_str().as_encoded_bytes(), b"/"].concat();
        answer.stdout.strip_prefix(&below[..]).unwrap().to_vec()
    };
    assert_eq!(raw("'\"\\xe9\"'"), b"caf\xe9.txt\n");
    assert_eq!(raw("caf"), b"caf\xe9.txt\n");
    assert_eq!(raw("ext:txt -0"), b"caf\xe9.txt\0");
    assert_eq!(raw("lines -0"), b"two\nlines\0");
    let shown = env.shell(&format!(
        "script -qec '{} search caf -c never' /dev/null",
        env!("CARGO_BIN_EXE_groma")
    ));
    assert!(shown.shown().contains("caf\\xE9.txt"), "{}", shown.shown());
}

#[test]
fn a_closed_pipe_is_quiet() {
    let env = Env::new("");
    for n in 0..3_000 {
        std::fs::write(env.path(format!("n{n:04}")), "").unwrap();
    }
    index(&env);
    for line in [
        "",
        "--format csv",
        "--format table",
        "--format json",
        "--sort -name",
    ] {
        let answer = env.shell(&format!(
            "set -o pipefail; groma search {line} | head -1 | wc -l; echo ${{PIPESTATUS[0]}}"
        ));
        assert_eq!(
            (answer.shown(), &answer.stderr[..]),
            ("1 0".to_owned(), ""),
            "{line}"
        );
    }
    let full = env.shell("groma search > /dev/full");
    assert_eq!(full.code, 1);
    assert!(
        full.stderr
            .contains("groma search: cannot write: No space left"),
        "{}",
        full.stderr
    );
}

#[test]
fn own_groups_of_extensions() {
    let env = indexed("a.cr2 b.nef c.txt");
    std::fs::create_dir_all(env.beside("config/groma")).unwrap();
    let config = |text: &str| std::fs::write(env.beside("config/groma/config.toml"), text).unwrap();
    config("[groups]\nraw = ['cr2', 'nef']\n");
    assert_eq!(found(&env, "ext:raw"), "a.cr2 b.nef");
    assert_eq!(found(&env, "name:a --format '{category}'"), "raw");
    env.find("--where ext:raw", "a.cr2 b.nef");
    assert_eq!(found(&env, "--no-config ext:raw"), "");
    config("[groups]\nraw = 'cr2'\n");
    fails(&env, "x", 2, "'raw' in [groups] must be a list");
    env.refused("--where x", "'raw' in [groups] must be a list");
}

#[test]
fn help_man_page_and_completions() {
    let env = Env::new("");
    let short = search(&env, "-h");
    let long = search(&env, "--help");
    assert!(short.stdout.len() < long.stdout.len());
    assert_eq!(env.shell("groma help search").stdout, long.stdout);
    for word in ["Exit codes", "--no-daemon", "largest", "ndjson"] {
        assert!(long.shown().contains(word), "{word}");
    }
    assert!(
        env.shell("groma man search")
            .shown()
            .contains("groma\\-search")
    );
    assert!(
        env.shell("groma completions bash")
            .shown()
            .contains("--no-daemon")
    );
}
