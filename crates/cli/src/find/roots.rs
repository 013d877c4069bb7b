//! Where to search.

use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::ArgMatches;
use groma_engine::find::RootSpec;

use crate::report::Voice;

/// `--base-directory`.
pub(super) fn change_directory(matches: &ArgMatches) -> Result<()> {
    let Some(path) = matches.get_one::<PathBuf>("base_directory") else {
        return Ok(());
    };
    let shown = path.display();
    if !path.is_dir() {
        bail!("The '--base-directory' path '{shown}' is not a directory.");
    }
    std::env::set_current_dir(path)
        .with_context(|| format!("Could not set '{shown}' as the current working directory"))
}

/// The working directory. It may have been deleted; that matters only to what needs it.
pub(super) fn working_directory(matches: &ArgMatches) -> Result<PathBuf> {
    match std::env::current_dir() {
        Ok(path) => Ok(path),
        Err(error) if matches.get_flag("full_path") && !matches.get_flag("relative_path") => {
            Err(error)
                .context("Could not determine current directory. This is required for --full-path.")
        }
        Err(_) if paths(matches).next().is_none() && !matches.contains_id("files0_from") => {
            bail!("Could not retrieve current directory (has it been deleted?).")
        }
        Err(_) => Ok(PathBuf::from(".")),
    }
}

fn paths(matches: &ArgMatches) -> impl Iterator<Item = &PathBuf> {
    let given = matches.get_many::<PathBuf>("path").into_iter().flatten();
    given.chain(
        matches
            .get_many::<PathBuf>("search_path")
            .into_iter()
            .flatten(),
    )
}

/// The roots, as they are given and shown.
pub(super) fn read(voice: Voice, matches: &ArgMatches, cwd: &Path) -> Result<Vec<RootSpec>> {
    let mut given: Vec<PathBuf> = paths(matches).cloned().collect();
    let listed = matches.get_one::<PathBuf>("files0_from");
    if let Some(file) = listed {
        given = read_list(file)?;
    } else if given.is_empty() {
        return Ok(vec![current_directory(matches, cwd)]);
    }
    if voice == Voice::Fd {
        given.retain(|path| is_directory(voice, path));
    }
    if given.is_empty() {
        match listed {
            Some(file) => bail!("'{}' names no paths to search", file.display()),
            None => bail!("No valid search paths given."),
        }
    }
    Ok(given.iter().map(|path| spec(matches, path, cwd)).collect())
}

fn is_directory(voice: Voice, path: &Path) -> bool {
    let it_is = path.is_dir();
    if !it_is {
        voice.error(&format!(
            "Search path '{}' is not a directory.",
            path.display()
        ));
    }
    it_is
}

/// The default root. Its entries get `./` before them where they could be taken for options.
fn current_directory(matches: &ArgMatches, cwd: &Path) -> RootSpec {
    if matches.get_flag("absolute_path") {
        return spec(matches, Path::new("."), cwd);
    }
    let goes_to_commands = ["exec", "exec_batch"]
        .iter()
        .any(|id| matches.contains_id(id))
        || matches.get_flag("print0");
    let strip = match matches
        .get_one::<String>("strip_cwd_prefix")
        .map(String::as_str)
    {
        Some("always") => true,
        Some("never") => false,
        _ => !goes_to_commands,
    };
    let prefix = if strip { Vec::new() } else { b"./".to_vec() };
    RootSpec {
        path: PathBuf::from("."),
        prefix,
    }
}

fn spec(matches: &ArgMatches, path: &Path, cwd: &Path) -> RootSpec {
    if matches.get_flag("absolute_path") {
        let real = std::fs::canonicalize(path).unwrap_or_else(|_| cwd.join(path));
        return RootSpec::new(&real);
    }
    // A lone dash would read as "standard input" in what is shown.
    if path == Path::new("-") {
        return RootSpec::new(Path::new("./-"));
    }
    RootSpec::new(path)
}

/// `--files0-from`: paths, each ended by a NUL.
fn read_list(file: &Path) -> Result<Vec<PathBuf>> {
    let mut list = Vec::new();
    if file == Path::new("-") {
        std::io::stdin()
            .read_to_end(&mut list)
            .context("cannot read standard input")?;
    } else {
        list = std::fs::read(file).with_context(|| format!("cannot read '{}'", file.display()))?;
    }
    let mut paths = Vec::new();
    for (index, path) in list.split(|&b| b == 0).enumerate() {
        match path {
            [] if index == list.iter().filter(|&&b| b == 0).count() => {}
            [] => bail!("'{}': path {} is empty", file.display(), index + 1),
            path => paths.push(groma_sys::os_path(path)),
        }
    }
    Ok(paths)
}
