//! Random trees and random filters, answered by GNU find too.

use std::ffi::OsString;

use crate::env::{Env, difference, run, scaled};
use crate::random_tree::grow;
use crate::rng::Rng;

/// The same question to both programs.
#[derive(Default)]
struct Question {
    groma: Vec<String>,
    find_global: Vec<String>,
    find: Vec<String>,
    follow: bool,
}

impl Question {
    fn ask(&mut self, groma: &[&str], find: &[&str]) {
        self.groma.extend(groma.iter().map(|s| (*s).to_owned()));
        self.find.extend(find.iter().map(|s| (*s).to_owned()));
    }
}

/// A random question about a tree that holds the file `mark`.
fn question(rng: &mut Rng, inode: u64) -> Question {
    let mut q = Question {
        follow: rng.one_in(3),
        ..Question::default()
    };
    if q.follow {
        q.groma.push("-L".to_owned());
    }
    depths(&mut q, rng);
    if rng.one_in(2) {
        metadata(&mut q, rng, inode);
    }
    if rng.one_in(2) {
        kinds(&mut q, rng);
    }
    if rng.one_in(4) {
        names(&mut q, rng);
    }
    q
}

fn depths(q: &mut Question, rng: &mut Rng) {
    let depth = (1 + rng.below(4)).to_string();
    match rng.below(8) {
        0 => {
            q.groma.extend(["-d".to_owned(), depth.clone()]);
            q.find_global.extend(["-maxdepth".to_owned(), depth]);
        }
        1 => {
            q.groma.extend(["--min-depth".to_owned(), depth.clone()]);
            q.find_global.extend(["-mindepth".to_owned(), depth]);
        }
        2 => {
            q.groma.extend(["--exact-depth".to_owned(), depth.clone()]);
            for flag in ["-mindepth", "-maxdepth"] {
                q.find_global.extend([flag.to_owned(), depth.clone()]);
            }
        }
        _ => {}
    }
}

fn metadata(q: &mut Question, rng: &mut Rng, inode: u64) {
    let inode = inode.to_string();
    match rng.below(8) {
        0 => q.ask(&["--size=+1b"], &["-type", "f", "-size", "+0c"]),
        1 => q.ask(&["--size=512b"], &["-type", "f", "-size", "512c"]),
        2 => q.ask(&["--size=-511b"], &["-type", "f", "-size", "-512c"]),
        3 => q.ask(&["--perm=644"], &["-perm", "644"]),
        4 => q.ask(&["--perm=/111"], &["-perm", "/111"]),
        5 => q.ask(&["--links=+2"], &["-links", "+1"]),
        6 => q.ask(&["--newer-than=mark"], &["-newer", "mark"]),
        _ if rng.one_in(2) => q.ask(&["--samefile=mark"], &["-samefile", "mark"]),
        _ => q.ask(&["--inode", &inode], &["-inum", &inode]),
    }
}

fn kinds(q: &mut Question, rng: &mut Rng) {
    match rng.below(8) {
        0 => q.ask(&["-tf"], &["-type", "f"]),
        1 => q.ask(&["-td"], &["-type", "d"]),
        2 => q.ask(&["-tl"], &["-type", "l"]),
        3 => q.ask(&["-tf", "-tl"], &["-type", "f,l"]),
        4 => q.ask(&["-tp", "-ts"], &["-type", "p,s"]),
        5 => q.ask(&["-te", "-tf"], &["-type", "f", "-empty"]),
        6 => q.ask(&["-te", "-td"], &["-type", "d", "-empty"]),
        _ => q.ask(&["-tx"], &["-type", "f", "-executable"]),
    }
}

/// A pattern goes first, what is left out is told to find as something not to enter.
fn names(q: &mut Question, rng: &mut Rng) {
    match rng.below(5) {
        0 => q.ask(&["-s", "-g", "*.txt"], &["-name", "*.txt"]),
        1 => q.ask(&["-e", "txt"], &["-iname", "?*.txt"]),
        2 => q.ask(&["-E", "a*"], &["-not", "-path", "*/a*"]),
        3 => q.ask(
            &["-E", "/B"],
            &["-not", "-path", "./B", "-not", "-path", "./B/*"],
        ),
        _ if q.groma.is_empty() => q.ask(
            &["-s", "--prune", "-F", "a"],
            &["-name", "*a*", "-print0", "-prune", "-false"],
        ),
        _ => {}
    }
}

/// What find says, the root left out. Links that lead back are no entries for either.
fn find_says(env: &Env, q: &Question) -> Vec<OsString> {
    let mut args: Vec<&str> = Vec::new();
    if q.follow {
        args.push("-L");
    }
    args.push(".");
    args.extend(q.find_global.iter().map(String::as_str));
    args.extend(q.find.iter().map(String::as_str));
    let mut found = env.gnu_find(&args);
    found.retain(|path| path != ".");
    found.sort();
    found
}

/// `-size` of find never looks at links, of fd at those to files: not asked about together.
fn is_comparable(env: &Env, q: &Question) -> bool {
    let asks_size = q.groma.iter().any(|word| word.starts_with("--size"));
    let _ = env;
    let asks = |kind: &str| q.groma.iter().any(|word| word == kind);
    !asks_size || q.follow || (!asks("-tl") && (asks("-tf") || asks("-td")))
}

/// What find leaves out under `-L` and we tell: a link to itself is a dangling link like others, and
/// a directory that is met again below itself is told, though not entered.
fn is_no_entry_for_find(env: &Env, path: &OsString) -> bool {
    let path = env.tree().join(path);
    match std::fs::canonicalize(&path) {
        Ok(real) => path
            .ancestors()
            .skip(1)
            .any(|above| above.canonicalize().is_ok_and(|above| above == real)),
        Err(error) => error.kind() != std::io::ErrorKind::NotFound,
    }
}

fn check(seed: u64, questions: usize) {
    let mut rng = Rng::new(seed);
    let env = Env::new();
    env.file("mark");
    let count = 20 + rng.below(scaled(150, 600));
    grow(&env.tree(), &mut rng, count);
    let inode = std::os::unix::fs::MetadataExt::ino(&env.tree().join("mark").metadata().unwrap());
    for _ in 0..questions {
        let q = question(&mut rng, inode);
        if !is_comparable(&env, &q) {
            continue;
        }
        let wanted = find_says(&env, &q);
        let threads = ["1", "2", "16"];
        for threads in &threads[..if rng.one_in(3) { 3 } else { 1 }] {
            let mut command = env.find();
            command.args(["-u", "-0", "-j", threads]).args(&q.groma);
            let answer = run(&mut command).expect(0);
            let mut found = answer.paths();
            found.retain(|path| !(q.follow && is_no_entry_for_find(&env, path)));
            found.sort();
            assert!(
                found == wanted,
                "seed {seed}, -j{threads}, {:?} against {:?} {:?}: {}",
                q.groma,
                q.find_global,
                q.find,
                difference(&found, &wanted)
            );
        }
    }
}

#[test]
fn agrees_with_gnu_find() {
    for seed in 0..scaled(14, 400) {
        check(seed, scaled(25, 60));
    }
}
