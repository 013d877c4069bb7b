//! What a `Cargo.toml` depends on, and on which line it says so.

use std::ops::Range;

use anyhow::{Result, anyhow};
use toml::de::{DeTable, DeValue};

/// A crate's manifest, as far as the rules need it.
#[derive(Debug)]
pub(crate) struct Manifest {
    /// Path of the file, relative to the repository.
    pub(crate) path: String,
    /// Name of the crate's directory: `walk` of `crates/walk/Cargo.toml`.
    pub(crate) dir: String,
    pub(crate) edges: Vec<Edge>,
}

/// One dependency.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    /// Name of the package, whatever it is called inside the crate.
    pub(crate) package: String,
    /// Whether it is only there for tests, benches and examples.
    pub(crate) dev: bool,
    pub(crate) line: usize,
}

/// Reads the manifest at `path`.
pub(crate) fn parse(path: &str, text: &str) -> Result<Manifest> {
    let table = DeTable::parse(text).map_err(|error| anyhow!("{path}: {error}"))?;
    let dir = path.rsplit('/').nth(1).unwrap_or_default().to_owned();
    let mut edges = Vec::new();
    collect(text, table.get_ref(), &mut edges);
    if let Some(DeValue::Table(targets)) =
        table.get_ref().get("target").map(|value| value.get_ref())
    {
        for target in targets.values() {
            if let DeValue::Table(target) = target.get_ref() {
                collect(text, target, &mut edges);
            }
        }
    }
    Ok(Manifest {
        path: path.to_owned(),
        dir,
        edges,
    })
}

/// The dependency tables that stand directly in `table`.
fn collect(text: &str, table: &DeTable<'_>, edges: &mut Vec<Edge>) {
    for (section, dev) in [
        ("dependencies", false),
        ("build-dependencies", false),
        ("dev-dependencies", true),
    ] {
        let Some(DeValue::Table(dependencies)) = table.get(section).map(|value| value.get_ref())
        else {
            continue;
        };
        for (key, value) in dependencies {
            let package = renamed(value.get_ref()).unwrap_or_else(|| key.get_ref().to_string());
            edges.push(Edge {
                package,
                dev,
                line: line_of(text, &key.span()),
            });
        }
    }
}

/// The `package = "..."` of a dependency that goes by another name here.
fn renamed(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::Table(table) => Some(table.get("package")?.get_ref().as_str()?.to_owned()),
        _ => None,
    }
}

fn line_of(text: &str, span: &Range<usize>) -> usize {
    1 + text
        .bytes()
        .take(span.start)
        .filter(|byte| *byte == b'\n')
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: &str = r#"
[package]
name = "groma-walk"
[dependencies]
groma-sys.workspace = true
short = { package = "long-name", version = "1" }
[dev-dependencies]
tempfile.workspace = true
[target.'cfg(unix)'.dependencies]
rustix = "1"
"#;

    #[test]
    fn reads_every_kind_of_dependency_with_its_line() {
        let manifest = parse("crates/walk/Cargo.toml", SAMPLE).unwrap();
        assert_eq!(manifest.dir, "walk");
        let edges: Vec<_> = manifest
            .edges
            .iter()
            .map(|e| (e.package.as_str(), e.dev, e.line))
            .collect();
        assert_eq!(
            edges,
            [
                ("groma-sys", false, 5),
                ("long-name", false, 6),
                ("tempfile", true, 8),
                ("rustix", false, 10)
            ]
        );
    }

    #[test]
    fn says_which_manifest_is_broken() {
        let error = parse("crates/walk/Cargo.toml", "[dependencies").unwrap_err();
        assert!(error.to_string().starts_with("crates/walk/Cargo.toml: "));
    }
}
