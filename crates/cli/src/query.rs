//! Queries as they are typed, bound to this machine, this moment and this user.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use groma_base::time::Zoned;
use groma_query::bind::{self, Context, Target};
use groma_query::bound::Expr;
use groma_query::pattern::Case;
use groma_query::syntax::{self, QueryErrors};

use crate::config::ExtensionGroups;

/// What a query means depends on this.
pub(crate) struct Binding<'a> {
    pub(crate) target: Target,
    pub(crate) case: Case,
    pub(crate) now: Zoned,
    pub(crate) groups: &'a ExtensionGroups,
}

impl Binding<'_> {
    /// Parses a query and binds it.
    pub(crate) fn bind(&self, text: &str) -> std::result::Result<Expr, QueryErrors> {
        syntax::parse(text).and_then(|query| bind::bind(&query, &self.context()))
    }

    /// The same for whoever binds by himself.
    pub(crate) fn context(&self) -> Context<'_> {
        let mut context = Context::new(self.now.clone(), self.target);
        context.case = self.case;
        context.current_directory = std::env::current_dir()
            .ok()
            .map(|path| groma_sys::path_bytes(&path).into_owned());
        context.user = &groma_sys::user_id;
        context.group = &groma_sys::group_id;
        context.extension_groups = self.groups;
        context
    }
}

/// A word of the command line as part of a query.
pub(crate) fn as_text(word: &OsString) -> Result<&str> {
    word.to_str().with_context(|| {
        let shown = word.to_string_lossy();
        format!("the query '{shown}' is no UTF-8; write other bytes as \"\\xE9\", in double quotes")
    })
}

/// One query for each word; but words of which one is an operator (`a OR b`) are one query.
pub(crate) fn queries(words: &[&str]) -> Vec<String> {
    let is_operator = |word: &str| {
        matches!(
            word,
            "OR" | "|" | "||" | "AND" | "&&" | "NOT" | "!" | "(" | ")"
        )
    };
    if !words.iter().any(|word| is_operator(word)) {
        return words.iter().map(|word| (*word).to_owned()).collect();
    }
    let part = |word: &&str| match word.contains(char::is_whitespace) {
        true => format!("({word})"),
        false => (*word).to_owned(),
    };
    let parts: Vec<String> = words.iter().map(part).collect();
    vec![parts.join(" ")]
}

/// The absolute path of a directory; where it is not there now, from the words alone.
pub(crate) fn absolute(path: &Path) -> Result<PathBuf> {
    if let Ok(real) = std::fs::canonicalize(path) {
        return Ok(real);
    }
    if path.as_os_str().is_empty() {
        bail!("--in: the path is empty");
    }
    let here = || std::env::current_dir().context("there is no working directory");
    let path = match path.is_absolute() {
        true => path.to_owned(),
        false => here()?.join(path),
    };
    let mut clean = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => drop(clean.pop()),
            other => clean.push(other),
        }
    }
    Ok(clean)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_queries_of_their_own_unless_operators_join_them() {
        for (words, want) in [
            (&[][..], &[][..]),
            (&["a", "b OR c"], &["a", "b OR c"]),
            (&["a", "OR", "b"], &["a OR b"]),
            (&["a b", "|", "!", "c"], &["(a b) | ! c"]),
            (
                &["(", "a", "OR", "b", ")", "size>1 x"],
                &["( a OR b ) (size>1 x)"],
            ),
        ] {
            assert_eq!(queries(words), want);
        }
    }
}
