//! What is seen: hidden entries and ignore files, and the flags about them.

use super::env::Env;

const TREE: &str = ".git/ seen git.foo dot.foo fd.foo .hid .hiddir/in sub/git.foo sub/x";

fn ruled() -> Env {
    let env = Env::new(TREE);
    env.write(".gitignore", "git.foo\n");
    env.write(".ignore", "dot.foo\n");
    env.write(".fdignore", "fd.foo\n");
    env
}

#[test]
fn hidden_entries() {
    let env = ruled();
    let hidden = ".fdignore .git/ .gitignore .hid .hiddir/ .hiddir/in .ignore seen sub/ sub/x";
    env.cases(&[
        ("", "seen sub/ sub/x"),
        ("-H", hidden),
        ("--hidden", hidden),
        ("-H --no-hidden", "seen sub/ sub/x"),
        ("--no-hidden -H", hidden),
        (". .hiddir", ".hiddir/in"),
    ]);
}

#[test]
fn rules_can_be_switched_off() {
    let all = "dot.foo fd.foo git.foo seen sub/ sub/git.foo sub/x";
    let env = ruled();
    env.cases(&[
        ("-I", all),
        ("--no-ignore", all),
        ("-I --ignore", "seen sub/ sub/x"),
        ("--ignore -I", all),
        ("--no-ignore-vcs", "git.foo seen sub/ sub/git.foo sub/x"),
        ("--no-ignore-vcs --ignore-vcs", "seen sub/ sub/x"),
        ("-u foo", "dot.foo fd.foo git.foo sub/git.foo"),
        ("-uu -d 1 hid", ".hid .hiddir/"),
        ("-uuu -d 1 hid", ".hid .hiddir/"),
        ("--unrestricted --exact in", ".hiddir/in"),
        ("-HI --exact in", ".hiddir/in"),
        ("-u --ignore foo", ""),
        ("-u --no-hidden hid", ""),
        ("--no-hidden -u -d 1 hid", ".hid .hiddir/"),
    ]);
}

#[test]
fn rules_of_parents() {
    let env = ruled();
    env.cases(&[
        ("-C sub", "x"),
        (". sub", "sub/x"),
        ("-C sub --no-ignore-parent", "git.foo x"),
        ("--no-ignore-parent . sub", "sub/git.foo sub/x"),
        ("-C sub --no-ignore-parent --ignore-parent", "x"),
    ]);
}

#[test]
fn gitignore_counts_in_repositories() {
    let env = Env::new("git.foo x");
    env.write(".gitignore", "git.foo\n");
    env.cases(&[
        ("", "git.foo x"),
        ("--no-require-git", "x"),
        ("--no-require-git --require-git", "git.foo x"),
        ("--require-git --no-require-git", "x"),
    ]);
    std::fs::create_dir(env.path(".git")).unwrap();
    env.both("", "x");
}

#[test]
fn nested_repositories_stop_the_outer_rules() {
    let env = Env::new(".git/ a.foo inner/.git/ inner/a.foo inner/b.foo inner/deep/a.foo");
    env.write(".gitignore", "a.foo\n");
    env.write("inner/.gitignore", "b.foo\n");
    env.cases(&[
        ("", "inner/ inner/a.foo inner/deep/ inner/deep/a.foo"),
        ("-C inner", "a.foo deep/ deep/a.foo"),
    ]);
}

#[test]
fn rules_of_one_file_beat_each_other_by_their_kind() {
    let env = Env::new(".git/ a.foo b.foo c.foo");
    env.write(".gitignore", "*.foo\n");
    env.write(".ignore", "!a.foo\n!b.foo\n");
    env.write(".fdignore", "b.foo\n");
    env.both("", "a.foo");
    env.both("--no-ignore-vcs", "a.foo c.foo");
}

#[test]
fn what_a_rule_asks_for_is_shown_though_hidden() {
    let env = Env::new(".foo .bar x");
    env.write(".ignore", "!.foo\n");
    env.cases(&[("", ".foo x"), ("-E .foo", "x"), ("-I", "x")]);
}

#[test]
fn git_s_own_settings() {
    let env = Env::new("excluded global local x");
    env.tool("git", &["init", "-q"]);
    env.write(".git/info/exclude", "excluded\n");
    std::fs::write(env.beside("home/.gitconfig"), "[include]\npath = more\n").unwrap();
    std::fs::write(env.beside("home/more"), "[core]\nexcludesFile = ~/ex\n").unwrap();
    std::fs::write(env.beside("home/ex"), "global\n").unwrap();
    env.cases(&[
        ("", "local x"),
        ("--no-ignore-vcs", "excluded global local x"),
        ("-I", "excluded global local x"),
    ]);
    env.tool("git", &["config", "core.excludesFile", ".localrules"]);
    env.write(".localrules", "local\n");
    env.both("", "global x");
}

#[test]
fn global_ignore_files() {
    let env = Env::new("a b c d/a");
    std::fs::create_dir(env.beside("config/fd")).unwrap();
    std::fs::create_dir(env.beside("config/groma")).unwrap();
    std::fs::write(env.beside("config/fd/ignore"), "a\n").unwrap();
    env.both("", "b c d/");
    std::fs::write(env.beside("config/groma/ignore"), "b\n").unwrap();
    env.find("", "c d/");
    env.fd("", "b c d/");
    env.cases(&[
        ("--no-global-ignore-file", "a b c d/ d/a"),
        ("-I", "a b c d/ d/a"),
        ("-u", "a b c d/ d/a"),
    ]);
}

#[test]
fn ignore_files_by_name() {
    let env = Env::new("a b c");
    std::fs::write(env.beside("rules"), "a\nb\n").unwrap();
    std::fs::write(env.beside("more"), "c\n").unwrap();
    env.cases(&[
        ("--ignore-file ../rules", "c"),
        ("--ignore-file ../rules --ignore-file ../more", ""),
        ("-I --ignore-file ../rules", "c"),
        ("-u --ignore-file ../rules", "c"),
    ]);
    let answer = env.answer(super::env::Name::Groma, "--ignore-file ../none");
    assert_eq!((answer.shown().as_str(), answer.code), ("a b c", 0));
    assert!(answer.stderr.contains("none"), "{}", answer.stderr);
    env.write(".ignore", "!b\n");
    env.both("--ignore-file ../rules", "b c");
}

#[test]
fn patterns_of_rules() {
    let env = Env::new(
        ".git/ a/b/c.log a/keep.log x.log dir/f other/dir/f 'q' doc/frotz/x a/doc/frotz/x tmp/a",
    );
    env.write(
        ".gitignore",
        "*.log\n!keep.log\n/dir/\ndoc/frotz\n# remark\n\ntmp/*\n",
    );
    env.both("-t f", "'q' a/doc/frotz/x a/keep.log other/dir/f");
}
