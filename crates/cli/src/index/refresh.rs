//! `groma index refresh`.

use std::path::PathBuf;

use anyhow::Result;
use clap::ArgMatches;
use groma_base::CancelToken;
use groma_engine::index::{Index, IndexError, Progress, RefreshRequest, Refreshing};

use super::add::{Reporter, conclude, now, threads};
use super::progress::watched;
use super::{VOICE, complain, failure};
use crate::catalog_dir;
use crate::exit::Exit;

/// Runs it.
pub(super) fn run(matches: &ArgMatches) -> Result<Exit> {
    let catalog = catalog_dir::of(matches)?;
    let given = matches.get_one::<PathBuf>("root").map(PathBuf::as_path);
    let cancel = CancelToken::new();
    groma_sys::set_when_interrupted(cancel.flag());
    let opened = Index::open(&catalog).and_then(|index| {
        let roots = index.refreshable(given)?;
        Ok((index, roots))
    });
    let (mut index, roots) = match opened {
        Ok(opened) => opened,
        Err(error) => return Ok(failure(&error)),
    };
    let request = RefreshRequest {
        how: how(matches),
        threads: threads(matches),
        now,
        cancel: cancel.clone(),
    };
    let reporter = Reporter::new(VOICE, matches.get_flag("show_errors"));
    let mut exit = Exit::Success;
    for root in &roots {
        let progress = Progress::new();
        let refreshed = watched(!reporter.show_errors, &progress, || {
            index.refresh(root, &request, &progress, &reporter)
        });
        exit = exit.worse(match refreshed {
            Ok(added) => conclude(&added),
            // Of all roots, those are left out that are not there today.
            Err(error @ (IndexError::Gone(_) | IndexError::Listed(_))) if given.is_none() => {
                complain(&format!("left out: {error}"));
                Exit::Success
            }
            Err(error) => failure(&error),
        });
        if cancel.is_cancelled() {
            break;
        }
    }
    Ok(exit)
}

fn how(matches: &ArgMatches) -> Refreshing {
    if matches.get_flag("full") {
        Refreshing::Full
    } else if matches.get_flag("quick") {
        Refreshing::Quick
    } else {
        Refreshing::Exact
    }
}
