//! `groma index remove`.

use std::path::PathBuf;

use anyhow::Result;
use clap::ArgMatches;
use groma_engine::index::Index;

use super::failure;
use crate::exit::Exit;
use crate::{catalog_dir, completions};

/// Runs it.
pub(super) fn run(matches: &ArgMatches) -> Result<Exit> {
    let catalog = catalog_dir::of(matches)?;
    let roots: Vec<&PathBuf> = matches.get_many("root").into_iter().flatten().collect();
    let mut index = match Index::open(&catalog) {
        Ok(index) => index,
        Err(error) => return Ok(failure(&error)),
    };
    let mut exit = Exit::Success;
    for root in roots {
        exit = exit.worse(match index.remove(root) {
            Ok(record) => {
                let path = String::from_utf8_lossy(&record.path);
                completions::write(format!("{path}: removed\n").as_bytes())
            }
            Err(error) => failure(&error),
        });
    }
    Ok(exit)
}
