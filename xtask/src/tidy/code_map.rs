//! Rule: ARCHITECTURE.md's code map is the one that the files' headers give.

use std::path::Path;

use anyhow::Result;

use super::Problem;
use crate::{code_map, repo};

/// Compares the map in the page with the map that the files give.
pub(crate) fn check(root: &Path, files: &[String]) -> Result<Vec<Problem>> {
    let page = repo::read(root, code_map::PAGE)?;
    Ok(compare(&page, &code_map::lines(root, files)?))
}

fn compare(page: &str, wanted: &[String]) -> Vec<Problem> {
    let Some((first, found)) = code_map::section(page) else {
        let expected = format!("the lines `{}` and `{}`", code_map::BEGIN, code_map::END);
        return vec![Problem::new(
            code_map::PAGE,
            1,
            expected,
            "at most one of them",
        )];
    };
    let mut problems = Vec::new();
    for line in wanted.iter().filter(|line| !found.contains(&line.as_str())) {
        let expected = format!("`{line}` (run `cargo xtask code-map --write`)");
        problems.push(Problem::new(
            code_map::PAGE,
            first,
            expected,
            "no such line",
        ));
    }
    for (at, line) in found.iter().enumerate() {
        if !wanted.iter().any(|wanted| wanted == line) {
            let expected = "only what `cargo xtask code-map` prints";
            problems.push(Problem::new(
                code_map::PAGE,
                first + at,
                expected,
                format!("`{line}`"),
            ));
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(body: &str) -> Vec<String> {
        let page = format!("# Page\n{}\n{body}{}\n", code_map::BEGIN, code_map::END);
        let wanted = ["- `crates/a/src/lib.rs` - words".to_owned()];
        compare(&page, &wanted)
            .iter()
            .map(Problem::to_string)
            .collect()
    }

    #[test]
    fn a_complete_map_passes() {
        assert!(problems("- `crates/a/src/lib.rs` - words\n").is_empty());
    }

    #[test]
    fn a_missing_a_stale_and_a_foreign_line_fail() {
        assert_eq!(problems("").len(), 1);
        assert_eq!(problems("- `crates/a/src/lib.rs` - other words\n").len(), 2);
        let foreign = problems("- `crates/a/src/lib.rs` - words\n- `gone.rs` - was here\n");
        assert_eq!(foreign.len(), 1);
        assert!(foreign[0].starts_with("ARCHITECTURE.md:4: "));
    }

    #[test]
    fn a_page_without_markers_fails() {
        assert_eq!(compare("# Page\n", &[]).len(), 1);
    }
}
