//! `--delete`.

use super::env::{Env, Name};

fn tree() -> Env {
    let env = Env::new(
        "a/x.tmp a/b/y.tmp a/keep c/.hid c/z.tmp e/ ign/w.tmp ign/secret out->../outside la->a .git/HEAD",
    );
    std::fs::create_dir(env.beside("outside")).unwrap();
    std::fs::write(env.beside("outside/o.tmp"), "").unwrap();
    env.write(".gitignore", "secret\n");
    env
}

fn left(env: &Env, want: &str) {
    env.find("-u -E .git -E .gitignore", want);
    assert!(env.beside("outside/o.tmp").exists());
}

const ALL: &str =
    "a/ a/b/ a/b/y.tmp a/keep a/x.tmp c/ c/.hid c/z.tmp e/ ign/ ign/secret ign/w.tmp la out";

#[test]
fn only_what_matches_goes() {
    let env = tree();
    env.find("-e tmp --delete", "");
    left(&env, "a/ a/b/ a/keep c/ c/.hid e/ ign/ ign/secret la out");
    env.find("-t e -t d --delete", "");
    left(&env, "a/ a/keep c/ c/.hid ign/ ign/secret la out");
    env.find("-t l --delete", "");
    left(&env, "a/ a/keep c/ c/.hid ign/ ign/secret");
    env.find("nothing --delete", "");
    env.find("--where name:keep --delete --yes", "");
    left(&env, "a/ c/ c/.hid ign/ ign/secret");
}

#[test]
fn children_go_before_their_directories() {
    let env = tree();
    env.find("'^(a|b|x.tmp|y.tmp|keep)$' --delete", "");
    left(
        &env,
        "c/ c/.hid c/z.tmp e/ ign/ ign/secret ign/w.tmp la out",
    );
}

#[test]
fn hidden_and_ignored_children_keep_their_directory() {
    let env = tree();
    let answer = env.answer(Name::Groma, "'^(c|ign|z.tmp|w.tmp)$' --delete");
    assert_eq!(answer.code, 1);
    for dir in ["c", "ign"] {
        let needle = format!("cannot delete '{dir}': Directory not empty");
        assert!(answer.stderr.contains(&needle), "{}", answer.stderr);
    }
    left(
        &env,
        "a/ a/b/ a/b/y.tmp a/keep a/x.tmp c/ c/.hid e/ ign/ ign/secret la out",
    );
}

#[test]
fn without_a_filter_it_refuses() {
    let env = tree();
    for line in [
        "",
        "-H",
        "-u",
        "''",
        "-d 1",
        "--min-depth 2",
        "-E keep",
        "--exclude-regex keep",
        ". a",
        "--yes",
        "-1",
        ".",
        "--and ''",
    ] {
        env.refused(&format!("--delete {line}"), "--delete needs a filter");
    }
    for other in [
        "-x echo",
        "-X echo",
        "-L",
        "-l",
        "--json",
        "--format {}",
        "-q",
        "-0",
        "--sort size",
        "--order breadth",
    ] {
        env.refused(&format!("-e tmp --delete {other}"), "cannot be used with");
    }
    env.refused("--yes -e tmp", "--delete");
    env.refused("-e tmp --delete --ignore-file nope", "--ignore-file 'nope'");
    env.refused("-S x --delete", "--size");
    left(&env, ALL);
}

#[test]
fn links_are_not_crossed() {
    let env = tree();
    env.find("x.tmp --delete . -E a", "");
    let answer = env.answer(Name::Groma, "o.tmp --delete");
    assert_eq!(answer.code, 0);
    left(&env, ALL);
    // A link that is given as root is meant.
    env.find("x.tmp la --delete", "");
    left(
        &env,
        "a/ a/b/ a/b/y.tmp a/keep c/ c/.hid c/z.tmp e/ ign/ ign/secret ign/w.tmp la out",
    );
}

#[test]
fn mounts_are_not_crossed() {
    let env = Env::new("d/m/ d/x.tmp");
    let script = "mount -t tmpfs none d/m && touch d/m/y.tmp && groma=$1 && \
                  $groma find 'tmp|^m$' --delete; echo code $?; ls d d/m";
    let groma = env!("CARGO_BIN_EXE_groma");
    let seen = env.tool(
        "unshare",
        &[
            "--mount",
            "sh",
            "-c",
            &format!("({script}) 2>&1"),
            "sh",
            groma,
        ],
    );
    assert!(
        seen.contains("cannot delete 'd/m': another file system is mounted here"),
        "{seen}"
    );
    assert!(seen.ends_with("d:\nm\n\nd/m:\ny.tmp\n"), "{seen}");
    assert!(!seen.contains("code 0"), "{seen}");
}

#[test]
fn a_limit_deletes_as_many() {
    let env = tree();
    env.find("-e tmp --delete --max-results 1", "");
    env.find("-e tmp --delete -1", "");
    assert_eq!(env.answer(Name::Groma, "-e tmp").sorted().len(), 2);
}

#[test]
fn plain_files_as_roots() {
    let env = tree();
    env.find("tmp a/x.tmp c/z.tmp --delete", "");
    left(
        &env,
        "a/ a/b/ a/b/y.tmp a/keep c/ c/.hid e/ ign/ ign/secret ign/w.tmp la out",
    );
    env.find("tmp $PWD/a/b/y.tmp --delete", "");
    left(
        &env,
        "a/ a/b/ a/keep c/ c/.hid e/ ign/ ign/secret ign/w.tmp la out",
    );
}

#[test]
fn as_fd_too() {
    let env = tree();
    env.fails(
        Name::Fd,
        "--delete",
        1,
        "[fd error]: --delete needs a filter",
    );
    env.fd("-e tmp --delete", "");
    left(&env, "a/ a/b/ a/keep c/ c/.hid e/ ign/ ign/secret la out");
}

#[test]
fn names_that_are_no_text_go_too() {
    let env = Env::new("keep");
    std::fs::write(env.path(super::env::bytes(b"bad\xff\n.tmp")), "").unwrap();
    env.find("-e tmp --delete", "");
    env.find("", "keep");
}

#[test]
fn however_the_roots_are_given() {
    for line in [
        "-e tmp --delete -a",
        "-e tmp --delete -C $PWD .",
        "-e tmp --delete . -j 1",
        "-e tmp --delete --search-path a --search-path c --search-path ign",
        "-e tmp --delete --unique",
        "tmp --delete $PWD",
        "tmp --delete a/../a ./c ign/",
    ] {
        let env = tree();
        env.find(line, "");
        left(&env, "a/ a/b/ a/keep c/ c/.hid e/ ign/ ign/secret la out");
    }
    let env = tree();
    std::fs::write(env.beside("list"), "a\0c/z.tmp\0a/b\0").unwrap();
    let answer = env.answer(Name::Groma, "--files0-from ../list -e tmp --delete");
    assert_eq!(answer.code, 0, "{}", answer.stderr);
    left(
        &env,
        "a/ a/b/ a/keep c/ c/.hid e/ ign/ ign/secret ign/w.tmp la out",
    );
}

#[test]
fn what_cannot_be_deleted_is_told_and_the_rest_goes() {
    let env = Env::new("closed/a.tmp open/b.tmp");
    std::fs::copy(env!("CARGO_BIN_EXE_groma"), env.beside("bin/groma")).unwrap();
    env.chmod("..", 0o755);
    env.chmod("open", 0o777);
    let groma = env.beside("bin/groma");
    let line = format!(
        "setpriv --reuid 65534 --clear-groups {} find -e tmp --delete",
        groma.display()
    );
    let answer = env.shell(&line);
    assert_eq!(answer.code, 1, "{}", answer.stderr);
    assert_eq!(
        answer.stderr,
        "groma find: cannot delete 'closed/a.tmp': Permission denied\n"
    );
    env.find("", "closed/ closed/a.tmp open/");
}
