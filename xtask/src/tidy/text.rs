//! Rules for every text file: no leftover words, no paths of the machine it was written on.

use std::path::Path;

use super::Problem;

/// Words that promise work. Put together here, so that this file passes its own rule.
const LEFTOVERS: &[&str] = &[
    concat!("TO", "DO"),
    concat!("FIX", "ME"),
    concat!("XX", "X"),
    concat!("to", "do!"),
    concat!("db", "g!"),
    concat!("un", "implemented!"),
];

/// Top directories that say nothing about one machine.
const COMMON_TOPS: &[&str] = &[
    "", "bin", "boot", "dev", "etc", "home", "lib", "media", "mnt", "opt", "proc", "root", "run",
    "sbin", "srv", "sys", "tmp", "usr", "var", "Users",
];

/// Checks for words that somebody meant to come back to.
pub(crate) fn leftovers(path: &str, text: &str) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (number, line) in text.lines().enumerate() {
        for word in LEFTOVERS.iter().filter(|word| has_word(line, word)) {
            let expected = "no leftover word";
            problems.push(Problem::new(
                path,
                number + 1,
                expected,
                format!("`{word}`"),
            ));
        }
    }
    problems
}

/// Whether `word` stands in `line` with no letter, digit or `_` before or after it.
fn has_word(line: &str, word: &str) -> bool {
    let joins = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        !before.is_some_and(joins) && (word.ends_with('!') || !after.is_some_and(joins))
    })
}

/// The absolute paths that belong to the machine this runs on.
pub(crate) struct Machine {
    prefixes: Vec<String>,
}

impl Machine {
    /// This machine: the checkout, its top directory unless that is a common one, cargo's home.
    pub(crate) fn here(root: &Path) -> Self {
        let root = root.to_string_lossy().into_owned();
        let mut prefixes = vec![concat!(".cargo", "/registry/").to_owned()];
        let top = root.split('/').nth(1).unwrap_or_default();
        if !COMMON_TOPS.contains(&top) {
            prefixes.push(format!("/{top}/"));
        }
        if root.matches('/').count() > 1 {
            prefixes.push(root);
        }
        for name in ["CARGO_HOME", "RUSTUP_HOME"] {
            let value = std::env::var(name).unwrap_or_default();
            if value.matches('/').count() > 1 {
                prefixes.push(value);
            }
        }
        Self { prefixes }
    }

    /// Checks a text for such paths.
    pub(crate) fn check(&self, path: &str, text: &str) -> Vec<Problem> {
        let mut problems = Vec::new();
        for (number, line) in text.lines().enumerate() {
            for prefix in self
                .prefixes
                .iter()
                .filter(|prefix| starts_in(line, prefix))
            {
                let expected = "no absolute path of a build machine";
                problems.push(Problem::new(
                    path,
                    number + 1,
                    expected,
                    format!("`{prefix}`"),
                ));
            }
        }
        problems
    }
}

/// Whether a path that begins with `prefix` stands in `line`; `/a/b/` holds no `/b/`.
fn starts_in(line: &str, prefix: &str) -> bool {
    let joins = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '}' | '*');
    line.match_indices(prefix).any(|(at, _)| {
        !prefix.starts_with('/') || !line[..at].chars().next_back().is_some_and(joins)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> usize {
        leftovers("a.rs", line).len()
    }

    #[test]
    fn leftover_words_fail_as_words_only() {
        assert_eq!(words(concat!("// TO", "DO: later")), 1);
        assert_eq!(words(concat!("a FIX", "ME and an XX", "X")), 2);
        assert_eq!(words(concat!("    to", "do!(\"x\")")), 1);
        assert_eq!(words("mktemp -d /tmp/a.XXXXXX; todo.txt; TODOS"), 0);
    }

    #[test]
    fn paths_of_this_machine_fail() {
        let machine = Machine::here(Path::new("/builder/check/out"));
        let found = |line: &str| machine.check("a.md", line).len();
        assert_eq!(found("see /builder/cache"), 1);
        assert_eq!(found("see /builder/check/out/x"), 2);
        assert_eq!(found(concat!("~/.cargo", "/registry/src")), 1);
        assert_eq!(found("crates/builder/x and /usr/share"), 0);
    }

    #[test]
    fn a_common_top_directory_gives_nothing_away() {
        let machine = Machine::here(Path::new("/tmp/out"));
        assert!(machine.check("a.md", "in /tmp/x").is_empty());
        assert_eq!(machine.check("a.md", "in /tmp/out/x").len(), 1);
    }
}
