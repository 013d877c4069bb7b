//! The configuration file, `groma/config.toml` in the user's directory for configuration.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use clap::ArgMatches;
use clap::error::ErrorKind;
use clap::parser::ValueSource;

use crate::find::{self, config_home};
use crate::report::Voice;

/// Options that do something to files or run something: a file that is read unasked must not.
const ACTIONS: &[&str] = &["exec", "exec_batch", "delete", "yes", "gen_completions"];

/// The arguments with the file's default flags put before them. As `fd`, no file is read.
pub(crate) fn with_defaults(voice: Voice, args: Vec<OsString>) -> Result<Vec<OsString>> {
    if voice == Voice::Fd || declines(&args) {
        return Ok(args);
    }
    let flags = match read()? {
        Some((path, text)) => flags(&text).with_context(|| format!("'{}'", path.display()))?,
        None => Vec::new(),
    };
    if flags.is_empty() {
        return Ok(args);
    }
    Ok(joined(&fitting(flags, &args), &args))
}

/// The user's own groups of extensions: their names, and the extensions of each.
pub(crate) type ExtensionGroups = Vec<(String, Vec<String>)>;

/// The groups of extensions in the file's table `[groups]`.
pub(crate) fn extension_groups() -> Result<ExtensionGroups> {
    match read()? {
        Some((path, text)) => groups_of(&text).with_context(|| format!("'{}'", path.display())),
        None => Ok(ExtensionGroups::new()),
    }
}

/// Keys of the terminal map in the file's table `[map.keys]`: names of actions, and their keys.
pub(crate) fn map_keys() -> Result<Vec<(String, String)>> {
    match read()? {
        Some((path, text)) => keys_of(&text).with_context(|| format!("'{}'", path.display())),
        None => Ok(Vec::new()),
    }
}

fn keys_of(text: &str) -> Result<Vec<(String, String)>> {
    let table: toml::Table = text.parse().map_err(|error| anyhow!("{error}"))?;
    let keys = table.get("map").and_then(|map| map.get("keys"));
    let Some(keys) = keys else {
        return Ok(Vec::new());
    };
    let keys = keys
        .as_table()
        .context("'map.keys' is no table of names and keys")?;
    let text = |(name, keys): (&String, &toml::Value)| match keys.as_str() {
        Some(keys) => Ok((name.clone(), keys.to_owned())),
        None => bail!("the keys of '{name}' in [map.keys] are no text"),
    };
    keys.iter().map(text).collect()
}

/// The file, if there is one.
fn read() -> Result<Option<(PathBuf, String)>> {
    let Some(path) = config_home().map(|home| home.join("groma/config.toml")) else {
        return Ok(None);
    };
    match std::fs::read_to_string(&path) {
        Ok(text) => Ok(Some((path, text))),
        Err(error) if is_absent(error.kind()) => Ok(None),
        Err(error) => Err(error).with_context(|| unreadable(&path)),
    }
}

/// Whether `--no-config` is among the arguments, and not among those of a command to be run.
fn declines(args: &[OsString]) -> bool {
    let mut of_command = false;
    for arg in args {
        match arg.to_str() {
            Some(";") => of_command = false,
            Some("-x" | "--exec" | "-X" | "--exec-batch") => of_command = true,
            Some("--no-config") if !of_command => return true,
            _ => {}
        }
    }
    false
}

/// The name the program was started by, the flags, and the other arguments.
fn joined(flags: &[String], args: &[OsString]) -> Vec<OsString> {
    let (name, args) = args.split_at(args.len().min(1));
    let flags = flags.iter().map(OsString::from);
    name.iter()
        .cloned()
        .chain(flags)
        .chain(args.to_vec())
        .collect()
}

/// The flags that do not conflict with what was typed: what was typed counts.
fn fitting(flags: Vec<String>, args: &[OsString]) -> Vec<String> {
    let conflicts = |flags: &[String]| {
        let answer = find::command("groma find").try_get_matches_from(joined(flags, args));
        answer.is_err_and(|error| error.kind() == ErrorKind::ArgumentConflict)
    };
    if !conflicts(&flags) || conflicts(&[]) {
        return flags;
    }
    let groups = groups(&flags).into_iter();
    groups
        .filter(|group| !conflicts(group))
        .flatten()
        .cloned()
        .collect()
}

/// Each flag with its value.
fn groups(flags: &[String]) -> Vec<&[String]> {
    let mut groups = Vec::new();
    let mut rest = flags;
    while !rest.is_empty() {
        let is_whole = |length: &usize| parse(&rest[..*length]).is_ok();
        let length = (1..rest.len()).find(is_whole).unwrap_or(rest.len());
        let (group, others) = rest.split_at(length);
        groups.push(group);
        rest = others;
    }
    groups
}

/// Reads flags as the command line would.
fn parse(flags: &[String]) -> Result<ArgMatches, clap::Error> {
    let words = ["groma find"].into_iter();
    let words = words.chain(flags.iter().map(String::as_str));
    find::command("groma find").try_get_matches_from(words)
}

/// A directory for configuration that is another user's is as good as none.
fn is_absent(kind: io::ErrorKind) -> bool {
    matches!(
        kind,
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::PermissionDenied
    )
}

fn unreadable(path: &Path) -> String {
    format!("cannot read '{}'", path.display())
}

/// The value of `flags` in the table `[find]`.
fn flags(text: &str) -> Result<Vec<String>> {
    let table: toml::Table = text.parse()?;
    let Some(find) = table.get("find") else {
        return Ok(Vec::new());
    };
    let find = find.as_table().context("'find' must be a table: [find]")?;
    if let Some(key) = find.keys().find(|key| *key != "flags") {
        bail!("unknown key '{key}' in [find]; it knows 'flags'");
    }
    let Some(flags) = find.get("flags") else {
        return Ok(Vec::new());
    };
    let wrong =
        "'flags' in [find] must be a list of strings, like [\"--hidden\", \"-E\", \".git\"]";
    let flags = flags.as_array().context(wrong)?;
    let flags = flags
        .iter()
        .map(|flag| flag.as_str().map(str::to_owned).context(wrong));
    let flags: Vec<String> = flags.collect::<Result<_>>()?;
    check(&flags)?;
    Ok(flags)
}

/// The table `[groups]`.
fn groups_of(text: &str) -> Result<ExtensionGroups> {
    let table: toml::Table = text.parse()?;
    let Some(groups) = table.get("groups") else {
        return Ok(ExtensionGroups::new());
    };
    let groups = groups
        .as_table()
        .context("'groups' must be a table: [groups]")?;
    groups
        .iter()
        .map(|(name, list)| Ok((name.clone(), extensions(name, list)?)))
        .collect()
}

fn extensions(name: &str, list: &toml::Value) -> Result<Vec<String>> {
    let wrong =
        || format!("'{name}' in [groups] must be a list of extensions, like [\"cr2\", \"nef\"]");
    let list = list.as_array().with_context(wrong)?;
    let extension = |value: &toml::Value| {
        let text = value
            .as_str()
            .filter(|text| !text.is_empty() && !text.starts_with('.'));
        text.map(str::to_owned).with_context(wrong)
    };
    list.iter().map(extension).collect()
}

/// The flags alone must be whole, and nothing but flags.
fn check(flags: &[String]) -> Result<()> {
    if flags.iter().any(|flag| flag == "--") {
        bail!("'--' in [find]; the file may hold only flags");
    }
    let matches = parse(flags)
        .map_err(|error| anyhow!("'flags' in [find]: {}", first_line(&error.to_string())))?;
    let typed = |id: &&&str| matches.value_source(id) == Some(ValueSource::CommandLine);
    if let Some(action) = ACTIONS.iter().find(typed) {
        let action = action.replace('_', "-");
        bail!("'--{action}' is an action; the file may hold only flags");
    }
    if let Some(word) = matches.get_one::<String>("pattern") {
        bail!("'{word}' in [find] is no flag; the file may hold only flags");
    }
    Ok(())
}

fn first_line(text: &str) -> &str {
    let line = text.lines().next().unwrap_or_default();
    line.strip_prefix("error: ").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_flags_and_refuses_actions() {
        let good = "[find]\nflags = ['--hidden', '-E', '.git']\n[other]\nx = 1\n";
        assert_eq!(flags(good).unwrap(), ["--hidden", "-E", ".git"]);
        assert!(flags("").unwrap().is_empty());
        for bad in [
            "find = 1",
            "[find]\nflags = 'x'",
            "[find]\nflags = [1]",
            "[find]\nflag = []",
            "[find]\nflags = ['--exec=rm']",
            "[find]\nflags = ['-Hx', 'rm']",
            "[find]\nflags = ['--delete']",
            "[find",
        ] {
            assert!(flags(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn reads_groups_of_extensions() {
        let raw = ("raw".to_owned(), vec!["cr2".to_owned(), "nef".to_owned()]);
        assert_eq!(groups_of("[groups]\nraw = ['cr2', 'nef']").unwrap(), [raw]);
        assert!(groups_of("[find]").unwrap().is_empty());
        for bad in [
            "groups = 1",
            "[groups]\nraw = 'cr2'",
            "[groups]\nraw = [1]",
            "[groups]\nraw = ['.cr2']",
            "[groups]\nraw = ['']",
        ] {
            assert!(groups_of(bad).is_err(), "{bad}");
        }
    }
}
