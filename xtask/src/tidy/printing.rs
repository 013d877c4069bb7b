//! Rule: only `cli` prints; every other crate hands its results up.

use syn::visit::{self, Visit};

use super::Problem;
use super::source::{Source, Token};

const MACROS: &[&str] = &["print", "println", "eprint", "eprintln", "dbg"];
const STREAMS: &[&str] = &["stdout", "stderr"];

/// Checks a file for macros and handles that reach the terminal. Test programs may print.
pub(crate) fn check(source: &Source) -> Vec<Problem> {
    if matches!(source.crate_dir(), "cli" | "xtask") || !source.is_in_src() {
        return Vec::new();
    }
    let mut found: Vec<(usize, String)> = macros(&source.tokens);
    found.extend(paths(&source.tokens));
    let mut imports = Imports {
        inside_io: false,
        found: Vec::new(),
    };
    imports.visit_file(&source.tree);
    found.extend(imports.found);
    // `use std::io::stdout` is a path and an import: one problem is enough.
    found.sort();
    found.dedup();
    found
        .into_iter()
        .map(|(line, what)| Problem::new(&source.path, line, "printing only in `cli`", what))
        .collect()
}

fn macros(tokens: &[Token]) -> Vec<(usize, String)> {
    tokens
        .windows(2)
        .filter(|pair| pair[1].text == "!" && MACROS.contains(&pair[0].text.as_str()))
        .map(|pair| (pair[0].line, format!("`{}!`", pair[0].text)))
        .collect()
}

/// `io::stdout` and its like; a method such as `command.stdout(...)` is another thing.
fn paths(tokens: &[Token]) -> Vec<(usize, String)> {
    tokens
        .windows(4)
        .filter(|four| {
            is_io(&four[0].text)
                && four[1].text == ":"
                && four[2].text == ":"
                && STREAMS.contains(&four[3].text.as_str())
        })
        .map(|four| (four[3].line, format!("`io::{}`", four[3].text)))
        .collect()
}

fn is_io(word: &str) -> bool {
    matches!(word, "io" | "stdio")
}

/// Finds `use std::io::{stdout, ...}`.
struct Imports {
    inside_io: bool,
    found: Vec<(usize, String)>,
}

impl<'ast> Visit<'ast> for Imports {
    fn visit_use_path(&mut self, path: &'ast syn::UsePath) {
        let outer = self.inside_io;
        self.inside_io = is_io(&path.ident.to_string());
        visit::visit_use_path(self, path);
        self.inside_io = outer;
    }

    fn visit_use_name(&mut self, name: &'ast syn::UseName) {
        self.note(&name.ident);
    }

    fn visit_use_rename(&mut self, rename: &'ast syn::UseRename) {
        self.note(&rename.ident);
    }
}

impl Imports {
    fn note(&mut self, ident: &proc_macro2::Ident) {
        let name = ident.to_string();
        if self.inside_io && STREAMS.contains(&name.as_str()) {
            self.found
                .push((ident.span().start().line, format!("`io::{name}`")));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::source::sample;
    use super::*;

    fn found(path: &str, text: &str) -> Vec<String> {
        check(&sample(path, text))
            .into_iter()
            .map(|problem| problem.found)
            .collect()
    }

    #[test]
    fn macros_fail_even_inside_other_macros() {
        let text = "fn f() { println!(); vec![eprint!()]; }";
        assert_eq!(
            found("crates/walk/src/a.rs", text),
            ["`eprint!`", "`println!`"]
        );
    }

    #[test]
    fn handles_fail_however_they_are_named() {
        let path = "fn f() { std::io::stdout(); }";
        assert_eq!(found("crates/engine/src/a.rs", path), ["`io::stdout`"]);
        let list = "use std::io::{self, stderr as e};";
        assert_eq!(found("crates/engine/src/a.rs", list), ["`io::stderr`"]);
        let single = "use std::io::stdout;";
        assert_eq!(found("crates/engine/src/a.rs", single), ["`io::stdout`"]);
    }

    #[test]
    fn the_program_its_tests_and_child_processes_pass() {
        assert!(found("crates/cli/src/a.rs", "fn f() { println!(); }").is_empty());
        assert!(found("crates/walk/tests/it.rs", "fn f() { println!(); }").is_empty());
        assert!(found("crates/walk/src/a.rs", "fn f() { c.stdout(x); println; }").is_empty());
    }
}
