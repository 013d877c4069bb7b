//! Rule: `unsafe` stands only in `sys`, and each one says why it is sound.

use proc_macro2::{LineColumn, Span};
use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};

use super::Problem;
use super::source::{Source, Token};

/// The one crate that talks to the machine.
const HOME: &str = "sys";

/// Checks every `unsafe` of a file, and that other crates' roots forbid it.
pub(crate) fn check(source: &Source) -> Vec<Problem> {
    let mut problems: Vec<Problem> = match source.crate_dir() {
        HOME => undocumented(source),
        _ => sites(source).map(|token| outside(source, token)).collect(),
    };
    if source.crate_dir() != HOME && source.is_crate_root() && !forbids_unsafe(source) {
        problems.push(Problem::new(
            &source.path,
            1,
            "`#![forbid(unsafe_code)]` in the crate root",
            "none",
        ));
    }
    problems
}

fn sites(source: &Source) -> impl Iterator<Item = &Token> {
    source.tokens.iter().filter(|token| token.text == "unsafe")
}

fn outside(source: &Source, token: &Token) -> Problem {
    let found = format!("it in `{}`", source.crate_dir());
    Problem::new(
        &source.path,
        token.line,
        format!("`unsafe` only in `{HOME}`"),
        found,
    )
}

fn undocumented(source: &Source) -> Vec<Problem> {
    let lines = source.lines();
    let mut statements = Statements(Vec::new());
    statements.visit_file(&source.tree);
    sites(source)
        .filter(|token| {
            let start = statements.line_around(token);
            !is_explained(&lines, token.line) && !is_explained(&lines, start)
        })
        .map(|token| {
            let expected = "a `SAFETY:` comment (or a `# Safety` section) just above `unsafe`";
            Problem::new(&source.path, token.line, expected, "none")
        })
        .collect()
}

/// Whether the comments and attributes directly above `line` (from 1) hold the explanation.
fn is_explained(lines: &[&str], line: usize) -> bool {
    lines[..line.saturating_sub(1)]
        .iter()
        .rev()
        .map(|line| line.trim_start())
        .take_while(|line| line.starts_with("//") || line.starts_with("#["))
        .any(|line| line.contains("SAFETY:") || line.contains("# Safety"))
}

fn forbids_unsafe(source: &Source) -> bool {
    source.tree.attrs.iter().any(|attribute| {
        attribute.path().is_ident("forbid")
            && attribute
                .parse_args::<syn::Path>()
                .is_ok_and(|lint| lint.is_ident("unsafe_code"))
    })
}

/// Where statements and match arms begin and end: a comment stands above the whole of one, even
/// where formatting moved `unsafe` to a later line.
struct Statements(Vec<(LineColumn, LineColumn)>);

impl Statements {
    /// First line of the innermost statement around `token`, or the token's own.
    fn line_around(&self, token: &Token) -> usize {
        let at = LineColumn {
            line: token.line,
            column: token.column,
        };
        let around = self
            .0
            .iter()
            .filter(|(first, last)| (*first..=*last).contains(&at));
        around.map(|(first, _)| *first).max().unwrap_or(at).line
    }

    fn add(&mut self, span: Span) {
        self.0.push((span.start(), span.end()));
    }
}

impl<'ast> Visit<'ast> for Statements {
    fn visit_stmt(&mut self, statement: &'ast syn::Stmt) {
        self.add(statement.span());
        visit::visit_stmt(self, statement);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        self.add(arm.span());
        visit::visit_arm(self, arm);
    }
}

#[cfg(test)]
mod tests {
    use super::super::source::sample;
    use super::*;

    fn lines(path: &str, text: &str) -> Vec<usize> {
        check(&sample(path, text))
            .iter()
            .map(|problem| problem.line)
            .collect()
    }

    #[test]
    fn unsafe_outside_its_home_fails_even_in_a_macro_or_an_attribute() {
        let text = "fn f() {\n unsafe { g() }\n}";
        assert_eq!(lines("crates/walk/src/a.rs", text), [2]);
        assert_eq!(lines("crates/walk/src/a.rs", "m!(\n unsafe {});"), [2]);
        assert_eq!(
            lines("crates/cli/src/a.rs", "#[unsafe(no_mangle)]\nfn f() {}"),
            [1]
        );
    }

    #[test]
    fn a_root_that_does_not_forbid_unsafe_fails() {
        assert_eq!(lines("crates/walk/src/lib.rs", "mod a;"), [1]);
        assert_eq!(
            lines("crates/walk/src/lib.rs", "#![forbid(missing_docs)]"),
            [1]
        );
        assert!(lines("crates/walk/src/lib.rs", "#![forbid(unsafe_code)]\nmod a;").is_empty());
        assert!(lines("crates/sys/src/lib.rs", "mod a;").is_empty());
    }

    #[test]
    fn an_unexplained_site_fails() {
        assert_eq!(
            lines("crates/sys/src/a.rs", "fn f() {\n unsafe { g() }\n}"),
            [2]
        );
        let far = "fn f() {\n // SAFETY: far away.\n let a = 1;\n unsafe { g() }\n}";
        assert_eq!(lines("crates/sys/src/a.rs", far), [4]);
    }

    #[test]
    fn an_explained_site_passes() {
        let block = "fn f() {\n // SAFETY: sound,\n // really.\n unsafe { g() }\n}";
        assert!(lines("crates/sys/src/a.rs", block).is_empty());
        let moved = "fn f() {\n // SAFETY: sound.\n let name =\n  unsafe { g() };\n}";
        assert!(lines("crates/sys/src/a.rs", moved).is_empty());
        let function = "/// Does.\n///\n/// # Safety\n/// x\n#[inline]\nunsafe fn f() {}";
        assert!(lines("crates/sys/src/a.rs", function).is_empty());
    }
}
