//! A Rust file: its text, its tokens and its syntax tree, and what the rules ask of them.

use proc_macro2::{LineColumn, TokenStream, TokenTree};

use super::Problem;

/// One parsed file.
pub(crate) struct Source {
    pub(crate) path: String,
    pub(crate) text: String,
    pub(crate) tree: syn::File,
    /// All tokens, groups opened, in order: what is inside a macro call is seen like the rest.
    pub(crate) tokens: Vec<Token>,
}

/// A word or a sign, and its place.
pub(crate) struct Token {
    pub(crate) text: String,
    pub(crate) line: usize,
    pub(crate) column: usize,
}

impl Source {
    /// Parses the file at `path`; what is no Rust is a problem like any other.
    pub(crate) fn parse(path: &str, text: String) -> Result<Self, Problem> {
        let broken = |error: &syn::Error| {
            Problem::new(
                path,
                error.span().start().line,
                "a Rust file",
                error.to_string(),
            )
        };
        let tree = syn::parse_file(&text).map_err(|error| broken(&error))?;
        let stream: TokenStream = text
            .parse()
            .map_err(|error: proc_macro2::LexError| broken(&syn::Error::from(error)))?;
        let mut tokens = Vec::new();
        flatten(stream, &mut tokens);
        Ok(Self {
            path: path.to_owned(),
            text,
            tree,
            tokens,
        })
    }

    /// The directory of the crate: `walk` of `crates/walk/src/lib.rs`, `xtask` of `xtask/...`.
    pub(crate) fn crate_dir(&self) -> &str {
        let path = self.path.strip_prefix("crates/").unwrap_or(&self.path);
        path.split('/').next().unwrap_or_default()
    }

    /// Whether the file is part of the crate itself, not of its tests, benches or examples.
    pub(crate) fn is_in_src(&self) -> bool {
        self.path.contains("/src/")
    }

    /// Whether the file is the root of a library or of a program.
    pub(crate) fn is_crate_root(&self) -> bool {
        let tail = self.path.split_once("/src/").map_or("", |(_, tail)| tail);
        matches!(tail, "lib.rs" | "main.rs")
            || tail
                .strip_prefix("bin/")
                .is_some_and(|name| !name.contains('/'))
    }

    /// The lines of the file; line 1 is at index 0.
    pub(crate) fn lines(&self) -> Vec<&str> {
        self.text.lines().collect()
    }
}

fn flatten(stream: TokenStream, tokens: &mut Vec<Token>) {
    for tree in stream {
        let LineColumn { line, column } = tree.span().start();
        match tree {
            TokenTree::Group(group) => {
                tokens.push(Token {
                    text: opening(&group),
                    line,
                    column,
                });
                flatten(group.stream(), tokens);
            }
            other => tokens.push(Token {
                text: other.to_string(),
                line,
                column,
            }),
        }
    }
}

fn opening(group: &proc_macro2::Group) -> String {
    match group.delimiter() {
        proc_macro2::Delimiter::Parenthesis => "(",
        proc_macro2::Delimiter::Brace => "{",
        proc_macro2::Delimiter::Bracket => "[",
        proc_macro2::Delimiter::None => "",
    }
    .to_owned()
}

/// A sample file for the rules' tests.
#[cfg(test)]
pub(crate) fn sample(path: &str, text: &str) -> Source {
    Source::parse(path, text.to_owned()).unwrap_or_else(|problem| panic!("{problem}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_what_a_path_means() {
        let root = sample("crates/walk/src/lib.rs", "");
        assert!(root.is_crate_root() && root.is_in_src());
        assert_eq!(root.crate_dir(), "walk");
        assert!(sample("xtask/src/bin/a.rs", "").is_crate_root());
        assert!(!sample("crates/walk/src/rules/lib2.rs", "").is_crate_root());
        assert!(!sample("crates/walk/tests/it.rs", "").is_in_src());
    }

    #[test]
    fn opens_macro_calls() {
        let source = sample("crates/walk/src/a.rs", "m! {\n x(y) }");
        let tokens: Vec<_> = source
            .tokens
            .iter()
            .map(|t| (t.text.as_str(), t.line))
            .collect();
        assert_eq!(
            tokens,
            [("m", 1), ("!", 1), ("{", 1), ("x", 2), ("(", 2), ("y", 2)]
        );
    }

    #[test]
    fn a_file_that_is_no_rust_is_a_problem() {
        let problem = Source::parse("crates/walk/src/a.rs", "fn (".to_owned())
            .err()
            .unwrap();
        assert!(
            problem
                .to_string()
                .starts_with("crates/walk/src/a.rs:1: expected a Rust file")
        );
    }
}
