//! The prefixes of a term: `case:`, `regex:`, `file:` ...

use crate::fields::same_word;
use crate::syntax::{Modifiers, TextSyntax};

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct ModifierInfo {
    /// Its name, without the colon.
    pub name: &'static str,
    /// Other names.
    pub aliases: &'static [&'static str],
    /// What it does, in one line.
    pub help: &'static str,
    apply: fn(&mut Modifiers),
}

impl ModifierInfo {
    pub(crate) fn apply(&self, modifiers: &mut Modifiers) {
        (self.apply)(modifiers);
    }
}

/// The prefix of a name or alias, whatever its case.
pub fn lookup(word: &str) -> Option<&'static ModifierInfo> {
    let matches = |name: &str| same_word(name, word);
    MODIFIERS
        .iter()
        .find(|row| matches(row.name) || row.aliases.iter().any(|a| matches(a)))
}

const fn row(
    name: &'static str,
    aliases: &'static [&'static str],
    help: &'static str,
    apply: fn(&mut Modifiers),
) -> ModifierInfo {
    ModifierInfo {
        name,
        aliases,
        help,
        apply,
    }
}

/// Every prefix.
#[rustfmt::skip]
pub static MODIFIERS: &[ModifierInfo] = &[
    row("case", &[], "tells upper and lower case apart", |m| m.ignore_case = Some(false)),
    row("nocase", &["no-case"], "ignores case", |m| m.ignore_case = Some(true)),
    row("word", &["whole-word", "wholeword", "ww"], "the text begins and ends at word boundaries", |m| m.word = true),
    row("regex", &["regexp"], "the text is a regular expression", |m| m.syntax = Some(TextSyntax::Regex)),
    row("glob", &["wildcards"], "the text is a glob for the whole name", |m| m.syntax = Some(TextSyntax::Glob)),
    row("exact", &["whole-filename", "wholefilename", "wfn"], "the text is the whole name", |m| m.syntax = Some(TextSyntax::Exact)),
    row("file", &[], "only files", |m| m.dir = Some(false)),
    row("dir", &["folder", "directory"], "only directories", |m| m.dir = Some(true)),
];
