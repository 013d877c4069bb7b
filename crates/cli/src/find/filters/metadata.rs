//! Filters by size, owner, permissions and other metadata.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use groma_base::Metadata;
use groma_engine::find::{Filter, IdCache, NumberFilter, OwnerFilter};
use groma_query::perm::PermTest;
use groma_sys::{Dir, MountTable};

use super::Filters;
use crate::report::Voice;

impl Filters<'_> {
    pub(super) fn sizes(&mut self) -> Result<()> {
        for (text, negated) in self.values::<String>("size") {
            let size = groma_base::size::SizeFilter::parse(text)
                .map_err(|error| usage(self.voice, "--size <size>", text, &error.to_string()))?;
            self.push(Filter::Size(size), negated);
        }
        Ok(())
    }

    pub(super) fn ownership(&mut self) -> Result<()> {
        for (text, negated) in self.values::<String>("owner") {
            let owner = parse_owner(text).map_err(|error| {
                usage(self.voice, "--owner <user:group>", text, &error.to_string())
            })?;
            if owner != OwnerFilter::default() {
                self.push(Filter::Owner(owner), negated);
            }
        }
        type Make = fn() -> Filter;
        let ids: [(&str, Make); 2] = [
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

    pub(super) fn metadata(&mut self) -> Result<()> {
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
            self.push(Filter::SameFile(of_named(file)?.id), negated);
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
}

/// A wrong value, as clap words it: usage errors have one form and one exit code.
fn usage(voice: Voice, option: &str, value: &str, reason: &str) -> anyhow::Error {
    let message = format!("invalid value '{value}' for '{option}': {reason}");
    crate::find::typed_command(voice)
        .error(clap::error::ErrorKind::ValueValidation, message)
        .into()
}

/// Metadata of a file named on the command line, links followed.
pub(super) fn of_named(path: &Path) -> Result<Metadata> {
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
