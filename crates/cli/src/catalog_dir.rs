//! Where the catalog lies: `--catalog`, or the user's directory for data; and its roots, opened.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};
use clap::{Arg, ArgMatches, value_parser};
use groma_engine::catalogs::{self, CatalogError, OpenRoot};

use crate::report::reason;

/// `--catalog DIR`.
pub(crate) fn arg() -> Arg {
    Arg::new("catalog")
        .long("catalog")
        .value_name("dir")
        .value_parser(value_parser!(PathBuf))
        .help("Directory of the catalog (default: groma in the user's directory for data)")
        .long_help(
            "Directory of the catalog. It must belong to you and be closed to others; it is made where \
             there is none. Default: '$XDG_DATA_HOME/groma', which is '~/.local/share/groma' \
             unless that variable is set.",
        )
}

/// The directory that was asked for.
pub(crate) fn of(matches: &ArgMatches) -> Result<PathBuf> {
    if let Some(dir) = matches.get_one::<PathBuf>("catalog") {
        return Ok(dir.clone());
    }
    let data = data_home();
    let data = data.ok_or_else(|| anyhow!("there is no home directory; say --catalog DIR"))?;
    Ok(data.join("groma"))
}

/// The user's directory for data.
pub(crate) fn data_home() -> Option<PathBuf> {
    let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
    let xdg = variable("XDG_DATA_HOME").map(PathBuf::from);
    let home = || variable("HOME").map(|home| PathBuf::from(home).join(".local/share"));
    xdg.filter(|path| path.is_absolute()).or_else(home)
}

/// The roots of the catalog in a directory; without any, `fail` is told how to make one.
pub(crate) fn open(dir: &Path, fail: impl Fn(&str)) -> Option<Vec<OpenRoot>> {
    let missing = || fail("there is no catalog yet; make one with 'groma index add PATH'");
    match catalogs::open(dir) {
        Ok(roots) if roots.is_empty() => missing(),
        Ok(roots) => return Some(roots),
        Err(CatalogError::Io { error, .. }) if error.kind() == io::ErrorKind::NotFound => missing(),
        Err(error) => fail(reason(&error.to_string())),
    }
    None
}
