#![forbid(unsafe_code)]
#![cfg(unix)]
//! The rules mean what git means: generated trees are walked with them and listed by
//! `git ls-files --others --exclude-standard`, and both must name the same files.
//!
//! Seeds are fixed; `GROMA_SOAK=<cases>` tries that many more.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use groma_walk::rules::{
    GitEnvironment, Links, OpenFile, RuleFiles, RuleNode, RuleSettings, Rules, Scratch,
};

/// Files by the top of their repository; a repository inside of another one is one of its files.
type Listing = BTreeMap<PathBuf, BTreeSet<Vec<u8>>>;

struct Here<'a>(&'a Path);

impl OpenFile for Here<'_> {
    fn read_file(&self, path: &[u8], links: Links) -> io::Result<Vec<u8>> {
        let path = self.0.join(OsStr::from_bytes(path));
        if links == Links::Refuse && path.is_symlink() {
            return Err(io::Error::other("a link"));
        }
        fs::read(path)
    }
}

/// The simplest walk that asks the rules.
struct Walk<'a> {
    rules: &'a Rules,
    root: &'a Path,
    found: Listing,
    scratch: Scratch,
}

impl Walk<'_> {
    fn run(rules: &Rules, root: &Path) -> Listing {
        let mut walk = Walk {
            rules,
            root,
            found: Listing::new(),
            scratch: Scratch::default(),
        };
        let node = rules.root(root, walk.noted(root), &Here(root));
        walk.found.insert(root.to_path_buf(), BTreeSet::new());
        walk.dir(b"", root, &node);
        walk.found
    }

    fn noted(&self, dir: &Path) -> RuleFiles {
        let mut present = RuleFiles::default();
        for name in names(dir) {
            self.rules.note(&mut present, &name);
        }
        present
    }

    fn dir(&mut self, from_root: &[u8], top: &Path, node: &Arc<RuleNode>) {
        let dir = self.root.join(OsStr::from_bytes(from_root));
        for name in names(&dir) {
            let path = dir.join(OsStr::from_bytes(&name));
            let is_dir = path.is_dir() && !path.is_symlink();
            if name == b".git" || node.is_ignored(from_root, &name, is_dir, &mut self.scratch) {
                continue;
            }
            let mut below = path
                .strip_prefix(top)
                .unwrap()
                .as_os_str()
                .as_bytes()
                .to_vec();
            if !is_dir {
                self.found.get_mut(top).unwrap().insert(below);
                continue;
            }
            let child_path = path.strip_prefix(self.root).unwrap().as_os_str().as_bytes();
            let child = self
                .rules
                .child(node, child_path, self.noted(&path), &Here(&path));
            let is_top = path.join(".git").exists();
            if is_top {
                below.push(b'/');
                self.found.get_mut(top).unwrap().insert(below);
                self.found.insert(path.clone(), BTreeSet::new());
            }
            self.dir(child_path, if is_top { &path } else { top }, &child);
        }
    }
}

fn names(dir: &Path) -> BTreeSet<Vec<u8>> {
    fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().as_bytes().to_vec())
        .collect()
}

/// git in `dir`, with nothing but our own configuration.
fn git(dir: &Path, config: &Path, arguments: &[&str]) -> Vec<u8> {
    let output = Command::new("git")
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap())
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", config)
        .args([
            "-c",
            "protocol.file.allow=always",
            "-c",
            "user.name=n",
            "-c",
            "user.email=e",
        ])
        .args(arguments)
        .current_dir(dir)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    output.stdout
}

fn git_listing(top: &Path, config: &Path) -> BTreeSet<Vec<u8>> {
    let list = git(
        top,
        config,
        &["ls-files", "--others", "--exclude-standard", "-z"],
    );
    list.split(|&b| b == 0)
        .filter(|path| !path.is_empty())
        .map(<[u8]>::to_vec)
        .collect()
}

fn rules(root: &Path, config: &Path) -> Rules {
    let git = GitEnvironment {
        global_config: Some(config.to_path_buf()),
        ..Default::default()
    };
    let settings = RuleSettings {
        vcs: true,
        git,
        ..RuleSettings::none(root.to_path_buf())
    };
    Rules::new(settings).unwrap().0
}

fn readable(paths: &BTreeSet<Vec<u8>>) -> Vec<String> {
    paths
        .iter()
        .map(|path| path.escape_ascii().to_string())
        .collect()
}

/// Fails, with every rule file of the tree in its message, unless both list the same.
fn check(root: &Path, config: &Path, label: &str) {
    for (top, files) in Walk::run(&rules(root, config), root) {
        let (ours, gits) = (readable(&files), readable(&git_listing(&top, config)));
        assert!(
            ours == gits,
            "{label}, {}\nonly ours: {:?}\nonly git's: {:?}\n{}",
            top.display(),
            ours.iter()
                .filter(|path| !gits.contains(path))
                .collect::<Vec<_>>(),
            gits.iter()
                .filter(|path| !ours.contains(path))
                .collect::<Vec<_>>(),
            rule_files(root),
        );
    }
}

fn rule_files(dir: &Path) -> String {
    let mut text = String::new();
    for name in names(dir) {
        let path = dir.join(OsStr::from_bytes(&name));
        if name == b".gitignore" || name == b"exclude" || name == b"ignored-everywhere" {
            let bytes = fs::read(&path).unwrap_or_default();
            text += &format!("{}: {}\n", path.display(), bytes.escape_ascii());
        } else if path.is_dir() && !path.is_symlink() && name != b"objects" {
            text += &rule_files(&path);
        }
    }
    text
}

/// A small generator of pseudo-random numbers (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((z ^ (z >> 31)) % bound as u64).unwrap()
    }

    fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    fn of<'a>(&mut self, choices: &[&'a [u8]]) -> &'a [u8] {
        choices[self.below(choices.len())]
    }
}

const NAMES: &[&[u8]] = &[
    b"a",
    b"b",
    b"ab",
    b"ba",
    b"abc",
    b"foo",
    b"foo.o",
    b"bar.o",
    b"a.tar.gz",
    b"x y",
    b"b ",
    b"#h",
    b"!n",
    b"a\\b",
    b"[a]",
    b"\xc3\xa4",
    b"\xff\xfe",
    b"target",
    b".hidden",
    b"*",
    b"{a,b}",
    b"a-b",
    b"A",
    b"B.O",
    b"1",
    b"a\xff.o",
    b"foo~",
    b"b\r",
    b"a\nb",
];

const PIECES: &[&[u8]] = &[
    b"a",
    b"b",
    b"ab",
    b"foo",
    b"foo.o",
    b"x y",
    b"*",
    b"*",
    b"**",
    b"**",
    b"***",
    b"?",
    b"??",
    b"*.o",
    b"*.gz",
    b"*.tar.gz",
    b"fo*",
    b"*o",
    b"a*",
    b"*b*",
    b"a*c",
    b"[a-c]",
    b"[!a]*",
    b"[^a-]",
    b"[]a]",
    b"[[:alpha:]]*",
    b"[[:digit:]]",
    b"[[:nope:]]",
    b"[[:upper:]]*",
    b"[b-a]",
    b"[a",
    b"[\\]a]",
    b"[a\\-c]",
    b"[/]",
    b"\\a",
    b"\\*",
    b"\\[a]",
    b"\\#h",
    b"\\!n",
    b"#h",
    b"!n",
    b"x\\ y",
    b"b\\ ",
    b"a\\\\b",
    b"\\",
    b"\xc3\xa4",
    b"\xff*",
    b"*\xff*",
    b"\xff\xfe",
    b"target",
    b".*",
    b"*~",
    b"{a,b}",
    b"*.{o,gz}",
    b"a**",
    b"**b",
    b"a**b",
    b"f**o",
    b"[*]",
    b"?b",
    b"*.*",
    b"\\\xff*",
    b"b\r",
];

fn pattern(random: &mut Random) -> Vec<u8> {
    let mut line = Vec::new();
    let mark = random.below(10);
    line.extend_from_slice(if mark < 3 { b"!" } else { b"" });
    line.extend_from_slice(if random.chance(5) { b"/" } else { b"" });
    let count = 1 + if random.chance(2) { random.below(4) } else { 0 };
    for n in 0..count {
        line.extend_from_slice(if n > 0 && !random.chance(12) {
            b"/"
        } else {
            b""
        });
        line.extend_from_slice(random.of(PIECES));
    }
    line.extend_from_slice(
        random.of(&[b"", b"", b"", b"", b"/", b"/", b" ", b"  ", b"\\/", b"//"]),
    );
    line
}

fn rule_file(random: &mut Random) -> Vec<u8> {
    let mut text = Vec::new();
    text.extend_from_slice(if random.chance(8) {
        b"\xef\xbb\xbf"
    } else {
        b""
    });
    let end: &[u8] = if random.chance(5) { b"\r\n" } else { b"\n" };
    for _ in 0..1 + random.below(6) {
        match random.below(20) {
            0 => text.extend_from_slice(b"# comment"),
            1 => text.extend_from_slice(random.of(&[b"", b" ", b"/", b"!", b"!/", b"a\0b"])),
            _ => text.extend(pattern(random)),
        }
        text.extend_from_slice(end);
    }
    if random.chance(4) {
        text.truncate(text.len() - end.len());
    }
    text
}

/// Fills `dir`; some directories become repositories of their own.
fn fill(dir: &Path, depth: usize, random: &mut Random) {
    if random.chance(if depth == 0 { 2 } else { 4 }) {
        fs::write(dir.join(".gitignore"), rule_file(random)).unwrap();
    }
    for _ in 0..4 + random.below(4) {
        let path = dir.join(OsStr::from_bytes(random.of(NAMES)));
        if path.symlink_metadata().is_ok() {
            continue;
        }
        match random.below(12) {
            0..=5 if depth < 4 => {
                fs::create_dir(&path).unwrap();
                if random.chance(25) {
                    init(&path, random);
                }
                fill(&path, depth + 1, random);
            }
            6 => symlink("..", &path).unwrap(),
            _ => fs::write(&path, "").unwrap(),
        }
    }
}

/// The least that git takes for a repository: `git init` is slow.
fn init(top: &Path, random: &mut Random) {
    for dir in [".git/objects", ".git/refs", ".git/info"] {
        fs::create_dir_all(top.join(dir)).unwrap();
    }
    fs::write(top.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
    if random.chance(2) {
        fs::write(top.join(".git/info/exclude"), rule_file(random)).unwrap();
    }
}

/// A directory for one case: `config` for git beside the tree; in memory where that is possible,
/// as there are many files to make.
fn place() -> (tempfile::TempDir, PathBuf, PathBuf) {
    let memory = Path::new("/dev/shm");
    let dir = tempfile::tempdir_in(memory)
        .or_else(|_| tempfile::tempdir())
        .unwrap();
    let base = dir.path().canonicalize().unwrap();
    let (root, config) = (base.join("tree"), base.join("config"));
    fs::create_dir(&root).unwrap();
    fs::write(&config, "").unwrap();
    (dir, root, config)
}

fn case(seed: u64) {
    let random = &mut Random(seed);
    let (_dir, root, config) = place();
    if random.chance(2) {
        fs::write(
            config.with_file_name("ignored-everywhere"),
            rule_file(random),
        )
        .unwrap();
        let file = config.with_file_name("ignored-everywhere");
        fs::write(
            &config,
            format!("[core]\n\texcludesFile = {}\n", file.display()),
        )
        .unwrap();
    }
    init(&root, random);
    fill(&root, 0, random);
    check(&root, &config, &format!("seed {seed}"));
}

#[test]
fn generated_trees_are_listed_as_git_lists_them() {
    let more = std::env::var("GROMA_SOAK")
        .ok()
        .and_then(|cases| cases.parse::<u64>().ok());
    (0..150 + more.unwrap_or(0)).for_each(case);
}
