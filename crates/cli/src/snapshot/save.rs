//! `groma snapshot save`.

use anyhow::Result;
use clap::ArgMatches;
use groma_base::size::human_size;
use groma_engine::index::Progress;
use groma_engine::snapshot::{LiveRequest, SaveRequest, Saved, save};

use super::{VOICE, complain, failure, incomplete, interruptible, note, path, shown};
use crate::exit::Exit;
use crate::index::{Reporter, now, options, thread_count, watched};

/// Runs it.
pub(super) fn run(matches: &ArgMatches) -> Result<Exit> {
    let request = SaveRequest {
        live: LiveRequest {
            root: path(matches, "path"),
            options: options(matches)?,
            threads: thread_count(matches),
            now,
            cancel: interruptible(),
            keeps_partial: matches.get_flag("partial"),
            omit: None,
        },
        output: path(matches, "output"),
        times: match matches.get_one::<String>("times").map(String::as_str) {
            Some("modified") => groma_engine::snapshot::Times::Modified,
            _ => groma_engine::snapshot::Times::All,
        },
    };
    let reporter = Reporter::new(VOICE, matches.get_flag("show_errors"));
    let progress = Progress::new();
    let saved = watched(!reporter.show_errors, &progress, || {
        save(request, &progress, &reporter)
    });
    Ok(match saved {
        Ok(saved) => conclude(&saved),
        Err(error) => failure(&error),
    })
}

/// Says what became of it.
pub(super) fn conclude(saved: &Saved) -> Exit {
    let facts = &saved.facts;
    let bytes = human_size(facts.length);
    note(&format!(
        "{} entries of '{}' in {bytes} ({:.1} bytes each)",
        facts.rows,
        shown(&saved.root),
        facts.length as f64 / f64::from(facts.rows.max(1))
    ));
    if facts.is_partial {
        complain("interrupted; the snapshot is partial, and marked so");
        return Exit::Failure;
    }
    incomplete(facts.unread)
}
