//! The configuration file, `groma/config.toml` in the user's directory for configuration.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use clap::parser::ValueSource;

use crate::find::{self, config_home};
use crate::report::Voice;

/// Options that do something to files or run something: a file that is read unasked must not.
const ACTIONS: &[&str] = &["exec", "exec_batch", "delete", "yes", "gen_completions"];

/// The arguments with the file's default flags put before them. As `fd`, no file is read.
pub(crate) fn with_defaults(voice: Voice, args: Vec<OsString>) -> Result<Vec<OsString>> {
    if voice == Voice::Fd || args.iter().any(|arg| arg == "--no-config") {
        return Ok(args);
    }
    let Some(path) = config_home().map(|home| home.join("groma/config.toml")) else {
        return Ok(args);
    };
    let flags = match std::fs::read_to_string(&path) {
        Ok(text) => flags(&text).with_context(|| format!("'{}'", path.display()))?,
        Err(error) if is_absent(error.kind()) => Vec::new(),
        Err(error) => return Err(error).with_context(|| unreadable(&path)),
    };
    let mut args = args.into_iter();
    let name = args.next();
    Ok(name
        .into_iter()
        .chain(flags.into_iter().map(OsString::from))
        .chain(args)
        .collect())
}

/// A directory for configuration that is another user's is as good as none.
fn is_absent(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::PermissionDenied
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

/// Reads the flags as the command line would, alone: they must be whole, and only flags.
fn check(flags: &[String]) -> Result<()> {
    if flags.iter().any(|flag| flag == "--") {
        bail!("'--' in [find]; the file may hold only flags");
    }
    let words = ["groma find"].into_iter();
    let words = words.chain(flags.iter().map(String::as_str));
    let matches = find::command("groma find")
        .try_get_matches_from(words)
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
}
