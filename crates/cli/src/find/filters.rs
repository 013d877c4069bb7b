//! Filters, from the options that ask for them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use clap::ArgMatches;
use groma_base::time::Zoned;
use groma_base::{Kind, Metadata};
use groma_engine::find::{Filter, IdCache, KindSet, NumberFilter, OwnerFilter};
use groma_query::bind::{self, Target};
use groma_query::bound::TimeField;
use groma_query::pattern::{Case, Extensions, Pattern, Syntax, only_matches_dotfiles};
use groma_query::perm::PermTest;
use groma_query::syntax;
use groma_sys::{Dir, MountTable};

use super::args::FILTERS;
use super::times;
use crate::report::Voice;

/// Collects filters; `--not` decides at which places they are turned round.
struct Filters<'m> {
    voice: Voice,
    matches: &'m ArgMatches,
    /// Places of arguments that a `--not` stands before.
    negated: Vec<usize>,
    now: Option<Zoned>,
    found: Vec<Filter>,
}

/// All filters that were asked for.
pub(super) fn read(voice: Voice, matches: &ArgMatches) -> Result<Vec<Filter>> {
    let negated = negated_places(matches)?;
    let mut filters = Filters {
        voice,
        matches,
        negated,
        now: None,
        found: Vec::new(),
    };
    filters.patterns()?;
    filters.types();
    filters.extensions();
    filters.sizes()?;
    filters.times()?;
    filters.ownership()?;
    filters.metadata()?;
    filters.queries()?;
    Ok(filters.found)
}

/// For each `--not`, the place of the filter that comes next.
fn negated_places(matches: &ArgMatches) -> Result<Vec<usize>> {
    let places = |id: &str| -> Vec<usize> {
        let typed = matches.value_source(id) == Some(clap::parser::ValueSource::CommandLine);
        matches
            .indices_of(id)
            .filter(|_| typed)
            .into_iter()
            .flatten()
            .collect()
    };
    let nots = places("not");
    let mut filters: Vec<usize> = FILTERS.iter().flat_map(|id| places(id)).collect();
    filters.sort_unstable();
    let next = |not: usize| {
        let next = filters.iter().find(|place| **place > not).copied();
        next.ok_or_else(|| anyhow!("--not stands before no filter"))
    };
    let mut negated = Vec::new();
    for not in nots {
        let place = next(not)?;
        // Twice is not at all.
        match negated.iter().position(|other| *other == place) {
            Some(at) => drop(negated.remove(at)),
            None => negated.push(place),
        }
    }
    Ok(negated)
}

impl<'m> Filters<'m> {
    /// The values of an option, each with whether it is negated.
    fn values<T: Clone + Send + Sync + 'static>(&self, id: &str) -> Vec<(&'m T, bool)> {
        let places = self.matches.indices_of(id).into_iter().flatten();
        let values = self.matches.get_many::<T>(id).into_iter().flatten();
        values
            .zip(places)
            .map(|(value, place)| (value, self.negated.contains(&place)))
            .collect()
    }

    fn push(&mut self, filter: Filter, negated: bool) {
        self.found.push(if negated {
            Filter::Not(Box::new(filter))
        } else {
            filter
        });
    }

    fn now(&mut self) -> Zoned {
        self.now.get_or_insert_with(Zoned::now).clone()
    }

    fn patterns(&mut self) -> Result<()> {
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
        let shows_hidden =
            self.matches.get_flag("hidden") || self.matches.get_count("unrestricted") > 0;
        if !shows_hidden
            && texts
                .iter()
                .any(|(text, _)| only_matches_dotfiles(text, syntax))
        {
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

    fn case(&self) -> Case {
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

    /// Types add up, `executable` and `empty` narrow.
    fn types(&mut self) {
        let (negated, wanted): (Vec<_>, Vec<_>) = self
            .values::<String>("type")
            .into_iter()
            .partition(|(_, negated)| *negated);
        for (name, _) in negated {
            let filter = match name.as_str() {
                "executable" | "x" => Filter::Executable,
                "empty" | "e" => Filter::Empty,
                name => Filter::Kinds(KindSet::default().with(kind(name))),
            };
            self.push(filter, true);
        }
        let mut kinds = KindSet::default();
        let (mut executable, mut empty) = (false, false);
        for (name, _) in &wanted {
            match name.as_str() {
                "executable" | "x" => {
                    executable = true;
                    kinds = kinds.with(Kind::File);
                }
                "empty" | "e" => empty = true,
                name => kinds = kinds.with(kind(name)),
            }
        }
        if empty && !kinds.contains(Kind::File) && !kinds.contains(Kind::Dir) {
            kinds = kinds.with(Kind::File).with(Kind::Dir);
        }
        if !wanted.is_empty() {
            self.push(Filter::Kinds(kinds), false);
        }
        for (asked, filter) in [(executable, Filter::Executable), (empty, Filter::Empty)] {
            if asked {
                self.push(filter, false);
            }
        }
    }

    fn extensions(&mut self) {
        let (negated, wanted): (Vec<_>, Vec<_>) = self
            .values::<String>("extension")
            .into_iter()
            .partition(|(_, negated)| *negated);
        for (extension, _) in negated {
            self.push(Filter::Extension(Extensions::new([extension])), true);
        }
        if !wanted.is_empty() {
            let extensions = Extensions::new(wanted.into_iter().map(|(extension, _)| extension));
            self.push(Filter::Extension(extensions), false);
        }
    }

    fn sizes(&mut self) -> Result<()> {
        for (text, negated) in self.values::<String>("size") {
            let size = groma_base::size::SizeFilter::parse(text)
                .map_err(|error| usage(self.voice, "--size <size>", text, &error.to_string()))?;
            self.push(Filter::Size(size), negated);
        }
        Ok(())
    }

    fn times(&mut self) -> Result<()> {
        for (id, field, reading) in times::OPTIONS {
            for (text, negated) in self.values::<String>(id) {
                let now = self.now();
                let filter = times::filter(self.voice, *field, *reading, text, &now)?;
                self.push(filter, negated);
            }
        }
        for (file, negated) in self.values::<PathBuf>("newer_than") {
            let span = times::after(metadata_of(file)?.modified);
            self.push(Filter::Time(TimeField::Modified, span), negated);
        }
        Ok(())
    }

    fn ownership(&mut self) -> Result<()> {
        for (text, negated) in self.values::<String>("owner") {
            let owner = parse_owner(text).map_err(|error| {
                usage(self.voice, "--owner <user:group>", text, &error.to_string())
            })?;
            if owner != OwnerFilter::default() {
                self.push(Filter::Owner(owner), negated);
            }
        }
        let ids: [(&str, fn() -> Filter); 2] = [
            ("nouser", || Filter::NoUser(Arc::new(IdCache::users()))),
            ("nogroup", || Filter::NoGroup(Arc::new(IdCache::groups()))),
        ];
        for (id, filter) in ids {
            for (asked, negated) in self.values::<bool>(id) {
                if *asked {
                    self.push(filter(), negated);
                }
            }
        }
        Ok(())
    }

    fn metadata(&mut self) -> Result<()> {
        for (text, negated) in self.values::<String>("perm") {
            self.push(Filter::Permissions(PermTest::parse(text)?), negated);
        }
        for (text, negated) in self.values::<String>("links") {
            self.push(Filter::Links(number(text)?), negated);
        }
        for (text, negated) in self.values::<String>("inode") {
            self.push(Filter::Inode(number(text)?), negated);
        }
        for (file, negated) in self.values::<PathBuf>("samefile") {
            self.push(Filter::SameFile(metadata_of(file)?.id), negated);
        }
        for (name, negated) in self.values::<String>("fstype") {
            let table = MountTable::read().context("--fstype cannot read the table of mounts")?;
            self.push(Filter::FileSystem(Arc::new(table), name.clone()), negated);
        }
        for (name, negated) in self.values::<OsString>("xattr") {
            self.push(
                Filter::Xattr(groma_sys::path_bytes(Path::new(name)).into_owned()),
                negated,
            );
        }
        Ok(())
    }

    fn queries(&mut self) -> Result<()> {
        for (text, negated) in self.values::<String>("where") {
            let mut context = bind::Context::new(self.now(), Target::Live);
            context.case = self.case();
            context.current_directory = std::env::current_dir()
                .ok()
                .map(|path| groma_sys::path_bytes(&path).into_owned());
            context.user = &groma_sys::user_id;
            context.group = &groma_sys::group_id;
            let expr = syntax::parse(text).and_then(|query| bind::bind(&query, &context));
            let expr = expr.map_err(|errors| anyhow!("--where: {errors}"))?;
            self.push(Filter::Query(Arc::new(expr)), negated);
        }
        Ok(())
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

fn kind(name: &str) -> Kind {
    match name {
        "file" | "f" => Kind::File,
        "directory" | "dir" | "d" => Kind::Dir,
        "symlink" | "l" => Kind::Symlink,
        "block-device" | "b" => Kind::BlockDevice,
        "char-device" | "c" => Kind::CharDevice,
        "socket" | "s" => Kind::Socket,
        "pipe" | "p" => Kind::Fifo,
        _ => Kind::Unknown,
    }
}

/// A wrong value, as clap words it: usage errors have one form and one exit code.
fn usage(voice: Voice, option: &str, value: &str, reason: &str) -> anyhow::Error {
    let message = format!("invalid value '{value}' for '{option}': {reason}");
    super::command(voice.name())
        .error(clap::error::ErrorKind::ValueValidation, message)
        .into()
}

/// Metadata of a file named on the command line, links followed.
fn metadata_of(path: &Path) -> Result<Metadata> {
    let ask = || -> std::io::Result<Metadata> {
        let dir = Dir::open(Path::new("."))?;
        let name = groma_sys::c_name(&groma_sys::path_bytes(path));
        dir.stat(&name.ok_or(std::io::ErrorKind::InvalidInput)?, true, false)
    };
    ask().with_context(|| format!("cannot stat '{}'", path.display()))
}

/// Reads `[user|uid][:group|gid]`, each with an optional `!` before it.
fn parse_owner(text: &str) -> Result<OwnerFilter> {
    let mut parts = text.split(':');
    let (user, group) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""));
    if parts.next().is_some() {
        bail!("more than one ':' in the owner");
    }
    Ok(OwnerFilter {
        user: parse_id(user, "user", groma_sys::user_id)?,
        group: parse_id(group, "group", groma_sys::group_id)?,
    })
}

fn parse_id(
    text: &str,
    what: &str,
    look_up: fn(&str) -> Option<u32>,
) -> Result<Option<(u32, bool)>> {
    if text.is_empty() {
        return Ok(None);
    }
    let (name, equal) = text
        .strip_prefix('!')
        .map_or((text, true), |name| (name, false));
    let id = name.parse().ok().or_else(|| look_up(name));
    match id {
        Some(id) => Ok(Some((id, equal))),
        None => bail!("'{name}' is not a recognized {what} name"),
    }
}

/// Reads `N`, `+N` (or more) or `-N` (or less).
fn number(text: &str) -> Result<NumberFilter> {
    let parse = |digits: &str| match digits.parse() {
        Ok(number) => Ok(number),
        Err(_) => bail!("'{text}' is no number: write 2, +2 (or more) or -2 (or less)"),
    };
    match text.as_bytes().first() {
        Some(b'+') => parse(&text[1..]).map(NumberFilter::AtLeast),
        Some(b'-') => parse(&text[1..]).map(NumberFilter::AtMost),
        _ => parse(text).map(NumberFilter::Exactly),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_numbers() {
        assert_eq!(number("2").unwrap(), NumberFilter::Exactly(2));
        assert_eq!(number("+2").unwrap(), NumberFilter::AtLeast(2));
        assert_eq!(number("-2").unwrap(), NumberFilter::AtMost(2));
        assert!(number("two").is_err() && number("").is_err() && number("+").is_err());
    }

    #[test]
    fn reads_owners() {
        let owner = |text| parse_owner(text).unwrap();
        assert_eq!(
            owner("0:!5"),
            OwnerFilter {
                user: Some((0, true)),
                group: Some((5, false))
            }
        );
        assert_eq!(owner("root").user, Some((0, true)));
        assert_eq!(owner(":"), OwnerFilter::default());
        assert!(parse_owner("a:b:c").is_err() && parse_owner("no such user").is_err());
    }
}
