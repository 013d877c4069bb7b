//! Filters that fd has not: permissions, links, inodes, owners, attributes, file systems.

use super::env::{Env, Name};

fn tree() -> Env {
    let env = Env::new("d/ d/f=600 a=644 x=755 s=4755 w=666 d/hard=600");
    std::fs::hard_link(env.path("a"), env.path("d/a2")).unwrap();
    env
}

#[test]
fn permissions() {
    let env = tree();
    env.chmod("d", 0o755);
    env.finds(&[
        ("--perm 600", "d/f d/hard"),
        ("--perm 0600", "d/f d/hard"),
        ("--perm 4755", "s"),
        ("--perm -111 -t f", "s x"),
        ("--perm /111 -t f", "s x"),
        ("--perm=-u+s", "s"),
        ("--perm /g+w,o+w", "w"),
        ("--perm u=rw,go= -t f", "d/f d/hard"),
        ("--perm -000 -t d", "d/"),
        ("--perm 755", "d/ x"),
        ("--perm 644 --perm 666", "w"),
        ("-L --perm 666", "w"),
    ]);
    for mode in ["999", "''", "rwx", "u+z", "-", "/", "77777", "+x+"] {
        env.refused(&format!("--perm={mode}"), "is no permission");
    }
}

#[test]
fn links_and_inodes() {
    let env = tree();
    let inode = env.tool("stat", &["-c", "%i", "a"]);
    env.finds(&[
        ("--links 2 -t f", "a d/a2"),
        ("--links +2 -t f", "a d/a2"),
        ("--links -1", "d/f d/hard s w x"),
        ("--links=-1 -t d", ""),
        ("--links +3", ""),
        ("--inode 1", ""),
        ("--samefile a", "a d/a2"),
        ("--samefile d/../a", "a d/a2"),
        ("--samefile d", "d/"),
        ("--not --samefile a -t f", "d/f d/hard s w x"),
        (&format!("--inode {inode}").replace('\n', ""), "a d/a2"),
        ("--inode -1", ""),
    ]);
    for number in ["x", "''", "+", "1.5", "--1", "99999999999999999999999"] {
        env.refused(&format!("--links={number}"), "is no number");
        env.refused(&format!("--inode={number}"), "is no number");
    }
    env.refused(
        "--samefile nope",
        "cannot stat 'nope': No such file or directory\n",
    );
    env.refused("--samefile ''", "samefile");
}

#[test]
fn owners() {
    let env = tree();
    env.tool("chown", &["54321:65432", "x"]);
    env.tool("chown", &["0:65432", "w"]);
    env.cases(&[
        ("-o 54321", "x"),
        ("-o 54321:65432", "x"),
        ("-o :65432", "w x"),
        ("-o root:65432", "w"),
        ("-o root:root", "a d/ d/a2 d/f d/hard s"),
        ("-o '!root'", "x"),
        ("-o '!root:!root'", "x"),
        ("-o ':!0'", "w x"),
        ("--owner 0: -t d", "d/"),
        ("-o : -t d", "d/"),
        ("-o 54321 -o root -t d", "d/"),
    ]);
    env.finds(&[
        ("--nouser", "x"),
        ("--nogroup", "w x"),
        ("--not --nouser -S 0 -d 1", "a s w"),
        ("--nouser --not --nogroup", ""),
    ]);
    for (owner, needle) in [
        (
            "no-such-user",
            "'no-such-user' is not a recognized user name",
        ),
        (":no-such", "'no-such' is not a recognized group name"),
        ("a:b:c", "more than one ':'"),
    ] {
        env.refused(&format!("-o {owner}"), needle);
        env.fails(Name::Fd, &format!("-o {owner}"), 2, needle);
    }
}

#[test]
fn attributes_and_file_systems() {
    let env = tree();
    env.tool("setfattr", &["-n", "user.one", "-v", "1", "a"]);
    env.tool("setfattr", &["-n", "user.two", "d"]);
    let kind = env.tool("stat", &["-f", "-c", "%T", "."]);
    let kind = if kind.contains("ext") {
        "ext4"
    } else {
        kind.trim()
    };
    env.finds(&[
        ("--xattr", "a d/ d/a2"),
        ("--xattr=user.one", "a d/a2"),
        ("--xattr=user.none", ""),
        ("--xattr -t d", "d/"),
        ("-t f --not --xattr -d 1", "s w x"),
        ("--fstype no-such-type", ""),
        (&format!("--fstype {kind} -t d"), "d/"),
        (&format!("--not --fstype {kind}"), ""),
        ("--fstype proc --exact version /proc -d 1", "/proc/version"),
    ]);
}

#[test]
fn words_of_fdf() {
    tree().finds(&[
        ("--same-file-system a", "a d/a2 d/hard"),
        ("--nocolour -t d", "d/"),
        ("--nocolor -t d", "d/"),
        ("--ignoreg d -t d", ""),
        ("-n 1 -t d", "d/"),
        ("-t u", ""),
        ("-Q -t d", "\"d/\""),
        ("-c always --nocolour -t d", "d/"),
        ("--nocolour -c always -t d", "␛[1;34md␛[0m␛[1;34m/␛[0m"),
        ("--depth 1 -t d", "d/"),
    ]);
}
