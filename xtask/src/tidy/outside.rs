//! Rule: an outside crate is used where the table says, so that what is heavy has one home.

use super::Problem;
use super::manifest::Manifest;

/// Outside crates and the crates of ours that may depend on them. Adding one is a decision: it
/// takes a line here, and the licence and advisory check of `deny.toml`.
const TABLE: &[(&str, &[&str])] = &[
    ("ahash", &["catalog"]),
    ("anyhow", &["cli", "xtask"]),
    ("argmax", &["cli"]),
    ("base64", &["formats"]),
    ("blake3", &["engine", "photos"]),
    ("clap", &["cli"]),
    ("clap_complete", &["cli"]),
    ("clap_mangen", &["cli"]),
    ("crc32c", &["catalog"]),
    ("crossbeam-channel", &["walk", "engine", "tui", "cli"]),
    ("crossbeam-deque", &["walk"]),
    ("etcetera", &["cli"]),
    // Unpacks lists of ncdu that somebody packed with gzip; packs the nodes of HTML pages, which browsers
    // unpack without a library.
    ("flate2", &["engine", "formats"]),
    ("globset", &["query"]),
    ("indicatif", &["cli"]),
    ("jiff", &["base", "formats"]),
    ("libc", &["sys"]),
    ("lscolors", &["formats"]),
    ("memchr", &["catalog", "query"]),
    ("memmap2", &["sys"]),
    ("parquet", &["lake"]),
    ("proc-macro2", &["xtask"]),
    ("ratatui", &["tui", "cli"]),
    ("rayon", &["engine"]),
    ("regex", &["query"]),
    ("regex-syntax", &["query"]),
    ("rustix", &["sys"]),
    ("serde_json", &["formats"]),
    // The checksum of a whole snapshot; the hash by which a page tells a browser which script is its own.
    ("sha2", &["catalog", "formats"]),
    ("syn", &["xtask"]),
    (
        "thiserror",
        &[
            "base", "sys", "treemap", "walk", "catalog", "photos", "formats", "query", "lake",
            "engine",
        ],
    ),
    ("toml", &["cli", "xtask"]),
    ("unicode-case-mapping", &["base"]),
    // Sections of snapshots; and lists of ncdu that somebody packed.
    ("zstd", &["catalog", "engine"]),
];

/// Checks what the crates take from outside. Test dependencies are free.
pub(crate) fn check(manifests: &[Manifest]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for manifest in manifests {
        for edge in manifest
            .edges
            .iter()
            .filter(|edge| !edge.dev && !is_ours(&edge.package))
        {
            let homes = homes(&edge.package);
            if !homes.is_some_and(|homes| homes.contains(&manifest.dir.as_str())) {
                let expected = match homes {
                    Some(homes) => format!("`{}` only in {homes:?}", edge.package),
                    None => format!("`{}` in the table of tidy/outside.rs", edge.package),
                };
                let found = format!("it in `{}`", manifest.dir);
                problems.push(Problem::new(&manifest.path, edge.line, expected, found));
            }
        }
    }
    problems
}

fn homes(package: &str) -> Option<&'static [&'static str]> {
    TABLE
        .iter()
        .find(|(name, _)| *name == package)
        .map(|(_, homes)| *homes)
}

fn is_ours(package: &str) -> bool {
    package == "groma" || package == "xtask" || package.starts_with("groma-")
}

#[cfg(test)]
mod tests {
    use super::super::manifest::parse;
    use super::*;

    fn problems(dir: &str, dependencies: &str) -> Vec<String> {
        let manifest = parse(&format!("crates/{dir}/Cargo.toml"), dependencies).unwrap();
        check(&[manifest]).iter().map(Problem::to_string).collect()
    }

    #[test]
    fn a_crate_in_its_home_passes_and_tests_take_what_they_like() {
        assert!(problems("sys", "[dependencies]\nlibc = '1'\ngroma-base = '1'").is_empty());
        assert!(problems("walk", "[dev-dependencies]\nlibc = '1'\nrare = '1'").is_empty());
    }

    #[test]
    fn a_crate_away_from_home_fails() {
        assert_eq!(
            problems("walk", "[dependencies]\nlibc = '1'"),
            ["crates/walk/Cargo.toml:2: expected `libc` only in [\"sys\"], found it in `walk`"]
        );
        assert_eq!(
            problems("engine", "[target.x.dependencies]\nregex = '1'").len(),
            1
        );
    }

    #[test]
    fn an_unlisted_crate_fails() {
        assert_eq!(problems("walk", "[dependencies]\nrare = '1'").len(), 1);
    }
}
