//! Filters by pattern.

use anyhow::{Result, anyhow, bail};
use clap::ArgMatches;
use groma_engine::find::Filter;
use groma_query::pattern::{Case, Pattern, Syntax, only_matches_dotfiles};

use super::Filters;
use crate::report::Voice;

impl Filters<'_> {
    pub(super) fn patterns(&mut self) -> Result<()> {
        let mut texts: Vec<(&str, bool)> = Vec::new();
        for id in ["and", "pattern"] {
            texts.extend(
                self.values::<String>(id)
                    .into_iter()
                    .map(|(s, not)| (s.as_str(), not)),
            );
        }
        texts.retain(|(text, _)| !text.is_empty());
        if !self.matches.get_flag("full_path") {
            texts
                .iter()
                .try_for_each(|(text, _)| refuse_path(self.voice, text))?;
        }
        let syntax = pattern_syntax(self.matches);
        let case = self
            .case()
            .resolve(texts.iter().map(|(text, _)| *text), syntax);
        let mut wanted = texts.iter().filter(|(_, negated)| !negated);
        if self.skips_hidden() && wanted.any(|(text, _)| only_matches_dotfiles(text, syntax)) {
            bail!(
                "The pattern can match only names with a leading dot, but hidden files are \
                 skipped by default. Add -H/--hidden to search them as well, or change the \
                 pattern."
            );
        }
        for (text, negated) in texts {
            let pattern = Pattern::compile(text, syntax, case).map_err(|error| {
                anyhow!(
                    "{error}\n\nNote: --fixed-strings searches for plain text, --exact for a \
                     whole name, --glob by glob pattern."
                )
            })?;
            if negated || !pattern.matches_everything() {
                let filter = self.pattern_filter(pattern);
                self.push(filter, negated);
            }
        }
        Ok(())
    }

    /// Whether a pattern for a leading dot could only match what is skipped. A shown path may begin
    /// with a dot for other reasons.
    fn skips_hidden(&self) -> bool {
        let flag = |id| self.matches.get_flag(id);
        let shown_paths = flag("full_path") && flag("relative_path");
        !shown_paths && !flag("hidden") && self.matches.get_count("unrestricted") == 0
    }

    pub(super) fn case(&self) -> Case {
        match () {
            () if self.matches.get_flag("ignore_case") => Case::Insensitive,
            () if self.matches.get_flag("case_sensitive") => Case::Sensitive,
            () => Case::Smart,
        }
    }

    fn pattern_filter(&self, pattern: Pattern) -> Filter {
        match (
            self.matches.get_flag("full_path"),
            self.matches.get_flag("relative_path"),
        ) {
            (false, _) => Filter::Name(pattern),
            (true, false) => Filter::AbsolutePath(pattern),
            (true, true) => Filter::ShownPath(pattern),
        }
    }
}

/// The syntax that patterns are written in.
fn pattern_syntax(matches: &ArgMatches) -> Syntax {
    match () {
        () if matches.get_flag("glob") => Syntax::Glob,
        () if matches.get_flag("exact") => Syntax::Exact,
        () if matches.get_flag("fixed_strings") => Syntax::Fixed,
        () => Syntax::Regex,
    }
}

/// A pattern with a slash in it can never match a name: most likely it was meant as a path.
fn refuse_path(voice: Voice, pattern: &str) -> Result<()> {
    if !pattern.contains('/') {
        return Ok(());
    }
    let name = voice.name();
    bail!(
        "The search pattern '{pattern}' contains a path-separation character and will not lead to \
         any search results.\n\nTo search everything in the directory '{pattern}':\n\n  \
         {name} . '{pattern}'\n\nTo match whole paths instead of names:\n\n  \
         {name} --full-path '{pattern}'"
    )
}
