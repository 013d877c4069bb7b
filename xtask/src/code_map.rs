//! `cargo xtask code-map`: one line per module, from the first sentence of its header.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, bail};

use crate::args::Args;
use crate::{repo, tidy};

/// The page that holds the map, and the lines around it.
pub(crate) const PAGE: &str = "ARCHITECTURE.md";
pub(crate) const BEGIN: &str = "<!-- code map: begin -->";
pub(crate) const END: &str = "<!-- code map: end -->";

/// Prints the map, or with `--write` puts it into the page.
pub(crate) fn command(words: &[String]) -> Result<()> {
    let mut args = Args::new(words);
    let write = args.flag("--write");
    args.finish()?;
    let root = repo::root()?;
    let lines = lines(&root, &repo::files(&root)?)?;
    if !write {
        lines.iter().for_each(|line| println!("{line}"));
        return Ok(());
    }
    let page = repo::read(&root, PAGE)?;
    let Some(page) = replaced(&page, &lines) else {
        bail!("{PAGE}: expected the lines `{BEGIN}` and `{END}`, found at most one of them");
    };
    fs::write(root.join(PAGE), page).with_context(|| format!("cannot write {PAGE}"))
}

/// The map: a heading and a sentence per crate, a bullet per module.
pub(crate) fn lines(root: &Path, files: &[String]) -> Result<Vec<String>> {
    let mut lines = Vec::new();
    let mut current = "";
    for path in files.iter().filter(|path| is_module(path)) {
        let dir = path.split("/src/").next().unwrap_or_default();
        if dir != current {
            current = dir;
            lines.extend([String::new(), format!("### `{dir}`"), String::new()]);
        }
        // A file without a header is another rule's problem; the map still names it.
        let text = repo::read(root, path)?;
        let sentence = tidy::first_sentence(&text).unwrap_or_default();
        lines.push(format!("- `{path}` - {sentence}"));
    }
    lines.push(String::new());
    Ok(lines)
}

fn is_module(path: &str) -> bool {
    path.starts_with("crates/") && path.contains("/src/") && path.ends_with(".rs")
}

/// The lines between the markers, and the number of the first of them.
pub(crate) fn section(page: &str) -> Option<(usize, Vec<&str>)> {
    let lines: Vec<&str> = page.lines().collect();
    let begin = lines.iter().position(|line| *line == BEGIN)?;
    let end = lines.iter().position(|line| *line == END)?;
    let between = lines.get(begin + 1..end)?;
    Some((begin + 2, between.to_vec()))
}

fn replaced(page: &str, lines: &[String]) -> Option<String> {
    let (first, old) = section(page)?;
    let all: Vec<&str> = page.lines().collect();
    let new = lines.iter().map(String::as_str);
    let kept = all[first - 1 + old.len()..].iter().copied();
    let page: Vec<&str> = all[..first - 1]
        .iter()
        .copied()
        .chain(new)
        .chain(kept)
        .collect();
    Some(page.join("\n") + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rewrites_what_lies_between_the_markers_and_nothing_else() {
        let page = format!("a\n{BEGIN}\nold\nolder\n{END}\nz\n");
        let new = replaced(&page, &["new".to_owned()]).unwrap();
        assert_eq!(new, format!("a\n{BEGIN}\nnew\n{END}\nz\n"));
        assert_eq!(section(&new), Some((3, vec!["new"])));
    }

    #[test]
    fn a_page_without_both_markers_has_no_section() {
        assert_eq!(section(&format!("{END}\n{BEGIN}\n")), None);
        assert_eq!(section(&format!("{BEGIN}\n")), None);
    }

    #[test]
    fn names_modules_of_crates_only() {
        assert!(is_module("crates/walk/src/rules/git.rs"));
        assert!(!is_module("crates/walk/tests/it.rs"));
        assert!(!is_module("xtask/src/main.rs"));
    }
}
