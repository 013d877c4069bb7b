//! `groma index check`.

use std::path::PathBuf;

use anyhow::Result;
use clap::ArgMatches;
use groma_base::CancelToken;
use groma_engine::index::{Checked, Progress, check};

use super::progress::watched;
use super::{complain, failure};
use crate::exit::Exit;
use crate::report::reason;
use crate::{catalog_dir, completions};

/// Runs it.
pub(super) fn run(matches: &ArgMatches) -> Result<Exit> {
    let catalog = catalog_dir::of(matches)?;
    let given = matches.get_one::<PathBuf>("root").map(PathBuf::as_path);
    let cancel = CancelToken::new();
    groma_sys::set_when_interrupted(cancel.flag());
    let progress = Progress::new();
    match watched(true, &progress, || {
        check(&catalog, given, &progress, &cancel)
    }) {
        Ok(checked) => Ok(tell(&checked)),
        Err(error) => Ok(failure(&error)),
    }
}

fn tell(checked: &[Checked]) -> Exit {
    let mut exit = Exit::Success;
    let mut out = Vec::new();
    for root in checked {
        match &root.damage {
            None => {
                out.extend_from_slice(&root.record.path);
                out.extend_from_slice(
                    format!(": {} entries, sound\n", root.record.entries).as_bytes(),
                );
            }
            Some(damage) => {
                exit = Exit::Failure;
                let path = String::from_utf8_lossy(&root.record.path);
                let damage = damage.to_string();
                complain(&format!("{path}: {}", reason(&damage)));
            }
        }
    }
    completions::write(&out).worse(exit)
}
