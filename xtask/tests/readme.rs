#![forbid(unsafe_code)]
//! Runs the examples of README.md through the real program and compares what it prints.
//!
//! A block marked `sh` sets the ground up. In blocks marked `console` a line that begins with `$ ` is a
//! command, a remark `# exit N` at its end says its exit code, and the lines after it are its output,
//! where `...` stands for anything.

// A test that cannot set its ground up has failed.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// One command of README.md.
#[derive(Debug, PartialEq, Eq)]
struct Example {
    line: usize,
    command: String,
    exit_code: i32,
    expected: Vec<String>,
}

#[test]
fn the_examples_of_the_readme_are_true() {
    let readme = fs::read_to_string(repository().join("README.md")).unwrap();
    let scratch = Scratch::new();
    symlink(&program(), &scratch.0.join("bin/groma"));
    let set_up = scratch.run(&block(&readme, "sh"), &scratch.0);
    assert!(set_up.status.success(), "{set_up:?}");

    let examples = examples(&readme);
    assert!(examples.len() >= 10, "found {} examples", examples.len());
    let wrong: Vec<String> = examples
        .iter()
        .filter_map(|example| scratch.check(example).err())
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .unwrap()
        .to_owned()
}

/// The groma beside this test's own build, built if there is none.
fn program() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let groma = test.ancestors().nth(2).unwrap().join("groma");
    if !groma.is_file() {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut build = Command::new(cargo);
        build.args(["build", "--workspace", "--locked", "--bin", "groma"]);
        assert!(build.current_dir(repository()).status().unwrap().success());
    }
    groma
}

fn symlink(target: &Path, link: &Path) {
    fs::create_dir_all(link.parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(target, link).unwrap();
}

/// A directory of its own with a home of its own: no configuration of the reader's gets in.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Self {
        let dir = std::env::temp_dir().join(format!("groma-readme-{}", std::process::id()));
        fs::create_dir_all(dir.join("home")).unwrap();
        Self(fs::canonicalize(dir).unwrap())
    }

    fn run(&self, script: &str, dir: &Path) -> Output {
        let path = std::env::var("PATH").unwrap_or_default();
        Command::new("sh")
            .args(["-euc", script])
            .current_dir(dir)
            .env_clear()
            .env("PATH", format!("{}:{path}", self.0.join("bin").display()))
            .env("HOME", self.0.join("home"))
            .env("LC_ALL", "C")
            .stdin(std::process::Stdio::null())
            .output()
            .unwrap()
    }

    fn check(&self, example: &Example) -> Result<(), String> {
        let output = self.run(&example.command, &self.0.join("demo"));
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let found: Vec<&str> = text.lines().collect();
        let code = output.status.code();
        if code == Some(example.exit_code) && agree(example, &found) {
            return Ok(());
        }
        let Example {
            line,
            command,
            exit_code,
            expected,
        } = example;
        let complaint = String::from_utf8_lossy(&output.stderr);
        Err(format!(
            "README.md:{line}: `{command}`: expected exit {exit_code} and {expected:#?}, \
             found exit {code:?} and {found:#?} {complaint}"
        ))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// On a slow machine results come unsorted: their order counts only where it was asked for.
fn agree(example: &Example, found: &[&str]) -> bool {
    let mut expected: Vec<&str> = example.expected.iter().map(String::as_str).collect();
    let mut found = found.to_vec();
    if !example.command.contains("--sort") {
        expected.sort_unstable();
        found.sort_unstable();
    }
    expected.len() == found.len()
        && expected
            .iter()
            .zip(found)
            .all(|(expected, found)| line_matches(expected, found))
}

/// `...` stands for anything.
fn line_matches(expected: &str, found: &str) -> bool {
    let mut rest = found;
    for (number, part) in expected.split("...").enumerate() {
        match rest.find(part) {
            Some(at) if at == 0 || number > 0 => rest = &rest[at + part.len()..],
            _ => return false,
        }
    }
    rest.is_empty() || expected.ends_with("...")
}

/// The lines of the first block with this mark.
fn block(readme: &str, mark: &str) -> String {
    let fence = format!("```{mark}");
    let lines = readme.lines().skip_while(|line| *line != fence).skip(1);
    lines
        .take_while(|line| *line != "```")
        .map(|line| format!("{line}\n"))
        .collect()
}

fn examples(readme: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut inside = false;
    for (number, line) in readme.lines().enumerate() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if let (true, Some(command)) = (inside, line.strip_prefix("$ ")) {
            examples.push(example(number + 1, command));
        } else if let (true, Some(last)) = (inside, examples.last_mut()) {
            last.expected.push(line.to_owned());
        }
    }
    examples
}

fn example(line: usize, text: &str) -> Example {
    let (command, exit_code) = match text.split_once("# exit ") {
        Some((command, code)) => (command.trim_end(), code.trim().parse().unwrap()),
        None => (text, 0),
    };
    Example {
        line,
        command: command.to_owned(),
        exit_code,
        expected: Vec::new(),
    }
}

#[test]
fn reads_examples_and_their_exit_codes() {
    let readme = "```sh\nset up\n```\n```console\n$ a b\nx\ny\n$ c  # exit 2\n```\ntext\n";
    let found = examples(readme);
    assert_eq!(found.len(), 2);
    assert_eq!((found[0].command.as_str(), found[0].exit_code), ("a b", 0));
    assert_eq!(found[0].expected, ["x", "y"]);
    assert_eq!(
        (found[1].line, found[1].command.as_str(), found[1].exit_code),
        (8, "c", 2)
    );
    assert_eq!(block(readme, "sh"), "set up\n");
}

#[test]
fn dots_stand_for_anything_and_the_rest_for_itself() {
    assert!(line_matches("-rwx ... b.sh", "-rwx 1 root b.sh"));
    assert!(line_matches("{\"a\":1,...}", "{\"a\":1,\"b\":2}"));
    assert!(!line_matches("a...c", "abd"));
    assert!(!line_matches("b.sh", "ab.sh"));
    assert!(!line_matches("a", "ab"));
    let sorted = Example {
        line: 1,
        command: "--sort name".to_owned(),
        exit_code: 0,
        expected: vec!["a".to_owned(), "b".to_owned()],
    };
    assert!(!agree(&sorted, &["b", "a"]));
    assert!(agree(
        &Example {
            command: String::new(),
            ..sorted
        },
        &["b", "a"]
    ));
}
