//! Rule: an edge between two crates of ours points down, and only where the table says so.

use super::Problem;
use super::manifest::{Edge, Manifest};

/// One crate: its level, and the crates of ours that it may depend on.
struct Row {
    dir: &'static str,
    level: u8,
    may: &'static [&'static str],
}

/// The house. A new crate needs a row here and a line in ARCHITECTURE.md.
const TABLE: &[Row] = &[
    Row {
        dir: "base",
        level: 0,
        may: &[],
    },
    Row {
        dir: "sys",
        level: 1,
        may: &["base"],
    },
    Row {
        dir: "treemap",
        level: 1,
        may: &["base"],
    },
    Row {
        dir: "walk",
        level: 2,
        may: &["base", "sys"],
    },
    Row {
        dir: "catalog",
        level: 2,
        may: &["base", "sys"],
    },
    Row {
        dir: "photos",
        level: 2,
        may: &["base", "sys"],
    },
    Row {
        dir: "formats",
        level: 2,
        may: &["base", "treemap"],
    },
    Row {
        dir: "query",
        level: 3,
        may: &["base", "catalog"],
    },
    Row {
        dir: "lake",
        level: 3,
        may: &["base", "catalog"],
    },
    Row {
        dir: "engine",
        level: 4,
        may: &[
            "base", "sys", "treemap", "walk", "catalog", "photos", "formats", "query", "lake",
        ],
    },
    Row {
        dir: "tui",
        level: 5,
        may: &["base", "treemap", "engine"],
    },
    Row {
        dir: "cli",
        level: 6,
        may: &[
            "base", "sys", "treemap", "walk", "catalog", "formats", "query", "engine", "tui",
        ],
    },
    // Beside the house, not in it: it must build when nothing else does.
    Row {
        dir: "xtask",
        level: 7,
        may: &[],
    },
];

/// Checks the edges between the workspace's crates.
pub(crate) fn check(manifests: &[Manifest]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for manifest in manifests {
        match row(&manifest.dir) {
            None => problems.push(Problem::new(
                &manifest.path,
                1,
                "a crate with a row in xtask/src/tidy/levels.rs",
                format!("`{}`", manifest.dir),
            )),
            Some(row) => {
                problems.extend(
                    manifest
                        .edges
                        .iter()
                        .filter_map(|e| judge(row, manifest, e)),
                );
            }
        }
    }
    problems.extend(missing(manifests));
    problems
}

fn judge(row: &Row, manifest: &Manifest, edge: &Edge) -> Option<Problem> {
    let to = ours(&edge.package)?;
    let target_level = self::row(to).map(|target| target.level);
    let points_down = target_level.is_some_and(|level| level < row.level);
    // Tests may look further down than the crate itself does, but never up or sideways.
    if points_down && (edge.dev || row.may.contains(&to)) {
        return None;
    }
    let expected = if edge.dev {
        format!(
            "test dependencies of `{}` (level {}) on lower levels",
            row.dir, row.level
        )
    } else {
        format!(
            "`{}` (level {}) to depend on {:?} at most",
            row.dir, row.level, row.may
        )
    };
    let level = target_level.map_or("no level".to_owned(), |level| format!("level {level}"));
    Some(Problem::new(
        &manifest.path,
        edge.line,
        expected,
        format!("`{to}` ({level})"),
    ))
}

/// Rows without a crate: the table says only what is true.
fn missing(manifests: &[Manifest]) -> Vec<Problem> {
    TABLE
        .iter()
        .filter(|row| !manifests.iter().any(|manifest| manifest.dir == row.dir))
        .map(|row| {
            Problem::new(
                "xtask/src/tidy/levels.rs",
                1,
                format!("the crate `{}` of the table", row.dir),
                "no such crate",
            )
        })
        .collect()
}

fn row(dir: &str) -> Option<&'static Row> {
    TABLE.iter().find(|row| row.dir == dir)
}

/// The directory of a crate of ours, from its package name.
fn ours(package: &str) -> Option<&str> {
    match package {
        "groma" => Some("cli"),
        "xtask" => Some("xtask"),
        other => other.strip_prefix("groma-"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::manifest::parse;
    use super::*;

    fn problems(dir: &str, dependencies: &str) -> Vec<String> {
        let manifest = parse(&format!("crates/{dir}/Cargo.toml"), dependencies).unwrap();
        let problems = check(&[manifest]);
        let about = |p: &&Problem| p.file != "xtask/src/tidy/levels.rs";
        problems
            .iter()
            .filter(about)
            .map(Problem::to_string)
            .collect()
    }

    #[test]
    fn edges_of_the_table_pass() {
        assert!(problems("walk", "[dependencies]\ngroma-base = '1'\ngroma-sys = '1'").is_empty());
        assert!(problems("query", "[dev-dependencies]\ngroma-sys = '1'").is_empty());
    }

    #[test]
    fn sideways_up_and_unlisted_edges_fail() {
        let sideways = problems("walk", "[dependencies]\ngroma-formats = '1'");
        assert_eq!(
            sideways,
            [
                "crates/walk/Cargo.toml:2: expected `walk` (level 2) to depend on \
              [\"base\", \"sys\"] at most, found `formats` (level 2)"
            ]
        );
        assert_eq!(
            problems("base", "[dependencies]\ngroma-engine = '1'").len(),
            1
        );
        assert_eq!(
            problems("query", "[dependencies]\ngroma-sys = '1'").len(),
            1
        );
        assert_eq!(
            problems("query", "[dependencies]\ngroma-nowhere = '1'").len(),
            1
        );
    }

    #[test]
    fn test_dependencies_never_point_up_or_sideways() {
        assert_eq!(
            problems("walk", "[dev-dependencies]\ngroma-engine = '1'").len(),
            1
        );
        assert_eq!(
            problems("walk", "[dev-dependencies]\ngroma-formats = '1'").len(),
            1
        );
        assert_eq!(problems("walk", "[dev-dependencies]\ngroma = '1'").len(), 1);
    }

    #[test]
    fn a_crate_without_a_row_and_a_row_without_a_crate_fail() {
        assert_eq!(problems("attic", "").len(), 1);
        assert_eq!(check(&[]).len(), TABLE.len());
    }
}
