#![forbid(unsafe_code)]
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
//! The rules mean what git means: generated trees are walked with them and listed by
//! `git ls-files --others --exclude-standard`, and both must name the same files.
//!
//! Seeds are fixed; with `GROMA_SOAK` there are twenty times as many.

mod generate;
mod git;
mod walk;

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use groma_walk::rules::{GitEnvironment, RuleFiles, RuleNode, RuleSettings, Rules, Scratch};

use generate::{Random, Words, fill, init, rule_file};
use git::{git, git_ignored, git_listing};
use walk::{Here, Walk, names};

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
    let words = Words::some(random);
    let (_dir, root, config) = place();
    if random.chance(2) {
        let file = config.with_file_name("ignored-everywhere");
        fs::write(&file, rule_file(&words, random)).unwrap();
        let setting = format!("[core]\n\texcludesFile = {}\n", file.display());
        fs::write(&config, setting).unwrap();
    }
    init(&root, &words, random);
    fill(&root, 0, &words, random);
    check(&root, &config, &format!("seed {seed}"));
}

/// How many cases to try: a few, or many in a long run.
fn seeds(few: u64) -> std::ops::Range<u64> {
    let is_long = std::env::var_os("GROMA_SOAK").is_some();
    0..few * if is_long { 20 } else { 1 }
}

#[test]
fn generated_trees_are_listed_as_git_lists_them() {
    seeds(150).for_each(case);
}

/// Whether the rules ignore a file or one of the directories it would lie in.
fn ignores(node: &RuleNode, path: &[u8], scratch: &mut Scratch) -> bool {
    let ends = (0..=path.len()).filter(|&at| at == path.len() || path[at] == b'/');
    ends.into_iter().any(|end| {
        let dir = path[..end]
            .iter()
            .rposition(|&b| b == b'/')
            .map_or(0, |slash| slash);
        let name = &path[if dir == 0 { 0 } else { dir + 1 }..end];
        node.is_ignored(&path[..dir], name, end < path.len(), scratch)
    })
}

fn one_file_case(root: &Path, config: &Path, seed: u64) {
    let random = &mut Random(seed ^ 0x5EED);
    let words = Words::some(random);
    let text = rule_file(&words, random);
    fs::write(root.join(".gitignore"), &text).unwrap();
    let path = |random: &mut Random| {
        let parts: Vec<_> = (0..1 + random.below(4))
            .map(|_| random.of(&words.names))
            .collect();
        parts.join(&b'/')
    };
    let paths: BTreeSet<_> = (0..200).map(|_| path(random)).collect();
    let rules = rules(root, config);
    let mut present = RuleFiles::default();
    names(root)
        .iter()
        .for_each(|name| rules.note(&mut present, name));
    let node = rules.root(root, present, &Here(root));
    let mut scratch = Scratch::default();
    let ours = paths
        .iter()
        .filter(|path| ignores(&node, path, &mut scratch))
        .cloned()
        .collect();
    let gits = git_ignored(root, config, &paths);
    let (ours, gits) = (readable(&ours), readable(&gits));
    assert_eq!(ours, gits, "seed {seed}: {}", text.escape_ascii());
}

#[test]
fn single_rule_files_decide_as_git_decides() {
    let (_dir, root, config) = place();
    git(&root, &config, &["init", "-q"]);
    seeds(600).for_each(|seed| one_file_case(&root, &config, seed));
}

/// A repository with one commit that ignores `*.o` in `info/exclude`.
fn committed(top: &Path, config: &Path) {
    fs::create_dir_all(top).unwrap();
    git(top, config, &["init", "-q"]);
    git(
        top,
        config,
        &["commit", "-q", "--allow-empty", "-m", "first"],
    );
    fs::create_dir_all(top.join(".git/info")).unwrap();
    fs::write(top.join(".git/info/exclude"), "*.o\n/sub/x\n").unwrap();
}

fn some_files(top: &Path) {
    fs::create_dir_all(top.join("sub")).unwrap();
    for name in ["a", "a.o", "outer", "sub/x", "sub/y", "sub/b.o"] {
        fs::write(top.join(name), "").unwrap();
    }
}

#[test]
fn a_worktree_has_the_excludes_of_its_repository() {
    let (_dir, root, config) = place();
    committed(&root.join("main"), &config);
    git(
        &root.join("main"),
        &config,
        &["worktree", "add", "-q", "../tree"],
    );
    let tree = root.join("tree");
    some_files(&tree);
    fs::write(root.join(".gitignore"), "outer\n").unwrap();
    check(&tree, &config, "worktree");
    let listed = readable(&Walk::run(&rules(&tree, &config), &tree)[&tree]);
    assert_eq!(listed, ["a", "outer", "sub/y"]);
}

#[test]
fn a_submodule_has_its_own_excludes_and_none_of_the_outer_rules() {
    let (_dir, root, config) = place();
    committed(&root.join("origin"), &config);
    let outer = root.join("outer-repository");
    committed(&outer, &config);
    fs::write(outer.join(".gitignore"), "outer\n").unwrap();
    git(
        &outer,
        &config,
        &["submodule", "--quiet", "add", "../origin", "module"],
    );
    let module = outer.join("module");
    assert!(module.join(".git").is_file());
    some_files(&module);
    fs::write(outer.join(".git/modules/module/info/exclude"), "sub/\n").unwrap();
    check(&module, &config, "submodule");
    let listing = Walk::run(&rules(&outer, &config), &outer);
    assert_eq!(readable(&listing[&module]), ["a", "a.o", "outer"]);
}

#[test]
fn a_root_inside_of_a_repository_has_the_rules_above_it() {
    let (_dir, root, config) = place();
    committed(&root, &config);
    some_files(&root);
    fs::write(root.join(".gitignore"), "/sub/y\n").unwrap();
    fs::write(root.join("sub/z"), "").unwrap();
    let sub = root.join("sub");
    assert_eq!(
        readable(&Walk::run(&rules(&sub, &config), &sub)[&sub]),
        ["z"]
    );
    assert_eq!(readable(&git_listing(&sub, &config)), ["z"]);
}
