//! What git has no word on: the other rule files, globs to exclude, and how all of them rank.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::files::DirAt;
use super::*;

/// A directory with these files; a name that ends in `/` is a directory.
struct Tree {
    path: PathBuf,
    _dir: tempfile::TempDir,
}

impl Tree {
    fn new(files: &[(&str, &str)]) -> Tree {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().canonicalize().unwrap();
        let tree = Tree { path, _dir: dir };
        for (name, content) in files {
            let path = tree.path(name);
            if name.ends_with('/') {
                fs::create_dir_all(path).unwrap();
            } else {
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, content).unwrap();
            }
        }
        tree
    }

    fn path(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// All sources, with the tree's top as working directory.
    fn settings(&self) -> RuleSettings {
        RuleSettings {
            vcs: true,
            dot_ignore: true,
            custom_names: vec![b".fdignore".to_vec()],
            ..RuleSettings::none(self.path.clone())
        }
    }

    fn excluding(&self, globs: &[&str]) -> RuleSettings {
        let excludes = globs.iter().map(|glob| glob.as_bytes().to_vec()).collect();
        RuleSettings {
            excludes,
            ..RuleSettings::none(self.path.clone())
        }
    }

    /// The files, other than rule files, that a walk of `root` finds.
    fn listed(&self, settings: RuleSettings, root: &str) -> Vec<String> {
        let rules = Rules::new(settings).unwrap().0;
        listed(&rules, &self.path(root))
    }
}

fn listed(rules: &Rules, root: &Path) -> Vec<String> {
    let node = rules.root(root, noted(rules, root), &DirAt(root.to_path_buf()));
    let mut files = Vec::new();
    list(rules, root, "", &node, &mut files);
    files.sort();
    files
}

fn noted(rules: &Rules, dir: &Path) -> RuleFiles {
    let mut present = RuleFiles::default();
    for entry in fs::read_dir(dir).unwrap() {
        rules.note(&mut present, entry.unwrap().file_name().as_encoded_bytes());
    }
    present
}

fn list(rules: &Rules, root: &Path, dir: &str, node: &Arc<RuleNode>, files: &mut Vec<String>) {
    let mut scratch = Scratch::default();
    let mut matcher = node.matcher(dir.as_bytes(), &mut scratch);
    for entry in fs::read_dir(root.join(dir)).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let is_dir = entry.file_type().unwrap().is_dir();
        let verdict = matcher.verdict(name.as_bytes(), is_dir);
        let hidden = name.starts_with('.') && verdict != Verdict::Kept;
        if verdict == Verdict::Ignored || hidden {
            continue;
        }
        let path = if dir.is_empty() {
            name
        } else {
            format!("{dir}/{name}")
        };
        if is_dir {
            let child_dir = root.join(&path);
            let present = noted(rules, &child_dir);
            let child = rules.child(node, path.as_bytes(), present, &DirAt(child_dir));
            list(rules, root, &path, &child, files);
        } else {
            files.push(path);
        }
    }
}

#[test]
fn the_stronger_kind_of_file_wins_wherever_it_lies() {
    let tree = Tree::new(&[
        (".git/", ""),
        (".gitignore", "a\nb\nc\n"),
        (".ignore", "!a\n!b\nd\n"),
        (".fdignore", "b\n!d\n"),
        ("sub/.gitignore", "!c\na\nd"),
    ]);
    for name in ["a", "b", "c", "d", "sub/a", "sub/b", "sub/c", "sub/d"] {
        fs::write(tree.path(name), "").unwrap();
    }
    assert_eq!(
        tree.listed(tree.settings(), ""),
        ["a", "d", "sub/a", "sub/c", "sub/d"]
    );
    let mut settings = tree.settings();
    settings.custom_names = vec![b".gitignore".to_vec(), b".fdignore".to_vec()];
    settings.vcs = false;
    assert_eq!(tree.listed(settings, ""), ["d", "sub/c", "sub/d"]);
}

#[test]
fn git_rules_hold_in_repositories_only() {
    let tree = Tree::new(&[
        (".gitignore", "a\n"),
        (".ignore", "i\n"),
        ("a", ""),
        ("repo/.git/", ""),
        ("repo/.gitignore", "b\n"),
        ("repo/a", ""),
        ("repo/b", ""),
        ("repo/i", ""),
        ("repo/sub/b", ""),
        ("jj/.jj/", ""),
        ("jj/.gitignore", "b\n"),
        ("jj/a", ""),
        ("jj/b", ""),
    ]);
    assert_eq!(tree.listed(tree.settings(), ""), ["a", "jj/a", "repo/a"]);
    let settings = RuleSettings {
        require_git: false,
        ..tree.settings()
    };
    assert_eq!(tree.listed(settings, ""), ["jj/a", "repo/a"]);
    let settings = RuleSettings {
        vcs: false,
        ..tree.settings()
    };
    assert_eq!(tree.listed(settings, "repo"), ["a", "b", "sub/b"]);
}

#[test]
fn parents_apply_unless_told_otherwise() {
    let tree = Tree::new(&[
        ("repo/.git/info/exclude", "x\n"),
        ("repo/.gitignore", "a\n/sub/b\n"),
        ("repo/.ignore", "i\n"),
        ("repo/sub/.gitignore", "c\n"),
    ]);
    for name in ["a", "b", "c", "i", "x"] {
        fs::write(tree.path("repo/sub").join(name), "").unwrap();
    }
    assert!(tree.listed(tree.settings(), "repo/sub").is_empty());
    let settings = RuleSettings {
        parents: false,
        ..tree.settings()
    };
    assert_eq!(tree.listed(settings, "repo/sub"), ["a", "b", "i", "x"]);
}

#[test]
fn a_kept_entry_is_not_hidden() {
    let tree = Tree::new(&[(".ignore", "!.shown\n"), (".shown", ""), (".hidden", "")]);
    assert_eq!(tree.listed(tree.settings(), ""), [".shown"]);
}

#[test]
fn globs_are_excluded_at_any_depth_or_where_they_are_anchored() {
    let tree = Tree::new(&[("one/a", ""), ("one/b/a", ""), ("two/b/c", ""), ("b", "")]);
    let listed = |globs: &[&str], root: &str| tree.listed(tree.excluding(globs), root);
    assert_eq!(listed(&["a"], ""), ["b", "two/b/c"]);
    assert_eq!(listed(&["/b"], ""), ["one/a", "one/b/a", "two/b/c"]);
    assert_eq!(listed(&["b/"], ""), ["b", "one/a"]);
    assert_eq!(listed(&["one/b"], ""), ["b", "one/a", "two/b/c"]);
    assert_eq!(listed(&["./one"], ""), ["b", "two/b/c"]);
    assert_eq!(listed(&["**/b/*"], ""), ["b", "one/a"]);
    assert_eq!(listed(&["{a,c}"], ""), ["b"]);
    // Below each of two roots, and below the working directory.
    assert_eq!(
        (listed(&["b/a"], "one"), listed(&["b/c"], "two")),
        (vec!["a".into()], vec![])
    );
    assert_eq!(listed(&["one/b"], "one"), ["a"]);
    assert_eq!(listed(&["two/b"], "one"), ["a", "b/a"]);
}

#[test]
fn absolute_globs_exclude_what_they_name() {
    let tree = Tree::new(&[("one/a", ""), ("one/b/a", ""), ("two/x", "")]);
    let absolute = |name: &str| tree.path(name).to_str().unwrap().to_owned();
    let listed = |glob: &str, root: &str| tree.listed(tree.excluding(&[glob]), root);
    assert_eq!(listed(&absolute("one/b"), ""), ["one/a", "two/x"]);
    assert_eq!(listed(&absolute("*/a"), ""), ["one/b/a", "two/x"]);
    assert_eq!(listed(&absolute("one/b"), "one"), ["a"]);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("one", tree.path("link")).unwrap();
        assert_eq!(listed(&absolute("link/b"), "one"), ["a"]);
        assert_eq!(listed("link/b", "link"), ["a"]);
    }
}

#[test]
fn excluded_is_excluded_whatever_the_files_say() {
    let tree = Tree::new(&[(".fdignore", "!a\n"), ("a", ""), ("!b", ""), ("b", "")]);
    let excludes = vec![b"a".to_vec(), b"!b".to_vec()];
    assert_eq!(
        tree.listed(
            RuleSettings {
                excludes,
                ..tree.settings()
            },
            ""
        ),
        ["b"]
    );
}

#[test]
fn a_malformed_glob_is_an_error_with_its_reason() {
    let tree = Tree::new(&[]);
    for glob in ["[a", "{a", "a}", "a\\", "[z-a]", "[[:nope:]]"] {
        let error = Rules::new(tree.excluding(&["fine", glob])).unwrap_err();
        assert_eq!(error.pattern, glob.as_bytes());
        assert!(error.to_string().starts_with("malformed glob '"), "{error}");
    }
}

#[test]
fn named_files_are_weakest_and_anchored_at_the_working_directory() {
    let tree = Tree::new(&[
        (".ignore", "!a\n"),
        ("rules/first", "a\nb\n/sub/c\n/c\n"),
        ("rules/second", "!b\n"),
        ("sub/a", ""),
        ("sub/b", ""),
        ("sub/c", ""),
    ]);
    let given = |names: &[&str]| RuleSettings {
        ignore_files: names.iter().map(PathBuf::from).collect(),
        ..tree.settings()
    };
    assert_eq!(
        tree.listed(given(&["rules/first", "rules/second"]), "sub"),
        ["a", "b"]
    );
    assert_eq!(
        tree.listed(given(&["rules/second", "rules/first"]), "sub"),
        ["a"]
    );
    // A root outside of the working directory is its own anchor.
    let elsewhere = RuleSettings {
        cwd: tree.path("rules"),
        ..given(&["first"])
    };
    assert_eq!(tree.listed(elsewhere, "sub"), ["a"]);
    let (_, warnings) = Rules::new(given(&["none"])).unwrap();
    assert_eq!(warnings[0].path, tree.path("none"));
}

#[test]
fn rule_files_that_cannot_be_read_are_warned_of() {
    let tree = Tree::new(&[
        (".git/", ""),
        (".gitignore", "a\n[b\n"),
        (".ignore/", ""),
        ("real", "c\n"),
        ("sub/c", ""),
    ]);
    #[cfg(unix)]
    std::os::unix::fs::symlink("../real", tree.path("sub/.gitignore")).unwrap();
    let (rules, _) = Rules::new(tree.settings()).unwrap();
    assert_eq!(listed(&rules, &tree.path), ["real", "sub/c"]);
    let warnings: Vec<_> = rules
        .take_warnings()
        .into_iter()
        .map(|w| (w.path, w.line))
        .collect();
    assert!(
        warnings.contains(&(tree.path(".gitignore"), Some(2))),
        "{warnings:?}"
    );
    assert!(
        warnings.contains(&(tree.path(".ignore"), None)),
        "{warnings:?}"
    );
    if cfg!(unix) {
        assert!(
            warnings.contains(&(tree.path("sub/.gitignore"), None)),
            "{warnings:?}"
        );
    }
}

#[test]
fn directories_without_rule_files_share_a_node() {
    let tree = Tree::new(&[(".ignore", "a"), ("sub/x", "")]);
    let (rules, _) = Rules::new(tree.settings()).unwrap();
    let files = DirAt(tree.path("sub"));
    let root = rules.root(
        &tree.path,
        noted(&rules, &tree.path),
        &DirAt(tree.path.clone()),
    );
    let child = rules.child(&root, b"sub", noted(&rules, &tree.path("sub")), &files);
    assert!(Arc::ptr_eq(&root, &child));
}

#[test]
fn a_caller_can_tell_when_not_to_ask() {
    let tree = Tree::new(&[]);
    let rules = |settings| Rules::new(settings).unwrap().0;
    let asks = |rules: Rules| (rules.is_empty(), rules.excludes_only());
    assert_eq!(
        asks(rules(RuleSettings::none(tree.path.clone()))),
        (true, true)
    );
    assert_eq!(asks(rules(tree.excluding(&["a"]))), (false, true));
    assert_eq!(asks(rules(tree.settings())), (false, false));
    let mut present = RuleFiles::default();
    rules(tree.excluding(&["a"])).note(&mut present, b".gitignore");
    assert!(present.is_empty());
    let custom = RuleSettings {
        custom_names: vec![b"rules".to_vec()],
        ..tree.excluding(&[])
    };
    rules(custom).note(&mut present, b"rules");
    assert!(!present.is_empty());
}
