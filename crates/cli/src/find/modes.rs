//! The ways a search can end: shown, listed, handed to commands, deleted, or just answered.

use std::io::IsTerminal;

use anyhow::Result;
use clap::ArgMatches;
use groma_base::time::Zoned;
use groma_engine::find::{
    FindRequest, JsonWriter, LongListing, Order, Outcome, Renderer, RuleError, Style, find, list,
};
use groma_formats::colour::Painter;
use groma_formats::template::Template;

use super::command::{Commands, Mode};
use super::output::{Reporter, Silent, Stdout};
use super::{delete, exec};
use crate::exit::Exit;
use crate::report::{Voice, reason, say};

/// Descriptors that each running command takes.
const PER_COMMAND: u64 = 6;

/// Runs the search in the way that was asked for.
pub(super) fn run(voice: Voice, matches: &ArgMatches, mut request: FindRequest) -> Result<Exit> {
    let reporter = Reporter::new(voice, matches.get_flag("show_errors"));
    if !matches.get_flag("delete") {
        // What asks a question must be left at once.
        groma_sys::set_when_interrupted(request.cancel.flag());
    }
    if let Some(commands) = Commands::read(voice, matches)? {
        let jobs = jobs(request.threads);
        request.reserved_descriptors = PER_COMMAND * jobs as u64;
        return run_commands(voice, jobs, request, &commands, &reporter);
    }
    if matches.get_flag("delete") {
        return delete::run(voice, matches, request, &reporter);
    }
    if matches.get_flag("quiet") {
        request.order = Order::Arrival;
        let outcome = find(request, &Renderer::raw_paths(0), &Silent(&reporter))?;
        let found = outcome.hits > 0;
        // One hit is an answer, whatever could not be read elsewhere.
        return Ok(match conclude(voice, outcome) {
            _ if found => Exit::Success,
            Ok(_) => Exit::Failure,
            Err(exit) => exit,
        });
    }
    let stdout = Stdout::new(&reporter);
    let renderer = renderer(matches);
    let answer = if matches.get_flag("list_details") {
        let now = Zoned::now();
        let listing = LongListing {
            renderer,
            now: (&now).into(),
            zone: now.time_zone().clone(),
        };
        list(request, &listing, &stdout)
    } else {
        find(request, &renderer, &stdout)
    };
    Ok(conclude(voice, answer?).map_or_else(|exit| exit, |_| Exit::Success))
}

/// Commands that run at a time: as many as there are threads, and descriptors for.
fn jobs(threads: usize) -> usize {
    let limit = groma_sys::descriptor_limit().unwrap_or(u64::MAX);
    let free = limit.saturating_sub(groma_sys::open_descriptors()) / 2;
    usize::try_from(free / PER_COMMAND).map_or(threads, |most| threads.min(most).max(1))
}

fn run_commands(
    voice: Voice,
    jobs: usize,
    mut request: FindRequest,
    commands: &Commands,
    reporter: &Reporter,
) -> Result<Exit> {
    let ordered = request.order != Order::Arrival;
    let renderer = Renderer::raw_paths(0);
    let search = |request, sink: &dyn groma_engine::find::Sink| -> Result<Outcome, RuleError> {
        find(request, &renderer, sink)
    };
    let (outcome, all_well) = match commands.mode {
        Mode::Batch => {
            // In an order of their own the results would depend on the threads.
            if !ordered {
                request.order = Order::Path;
            }
            exec::batch(voice, commands, reporter, |sink| search(request, sink))
        }
        Mode::Each => {
            request.eager = !ordered;
            let jobs = if ordered { 1 } else { jobs };
            exec::each(voice, commands, jobs, reporter, |sink| {
                search(request, sink)
            })
        }
    };
    let exit = conclude(voice, outcome?);
    Ok(match exit {
        _ if !all_well => Exit::Failure,
        Ok(_) => Exit::Success,
        Err(exit) => exit,
    })
}

/// Says what is to be said at the end. `Ok` holds the number of hits of a search that went well.
pub(super) fn conclude(voice: Voice, outcome: Outcome) -> std::result::Result<u64, Exit> {
    outcome
        .notes
        .iter()
        .for_each(|note| say(&format!("{}: note: {}", voice.name(), reason(note))));
    if let Some(error) = &outcome.failure
        && error.kind() != std::io::ErrorKind::BrokenPipe
    {
        voice.error(&format!("Could not write to output: {error}"));
        return Err(Exit::Failure);
    }
    if voice == Voice::Fd {
        return Ok(outcome.hits);
    }
    if outcome.failed_roots > 0 {
        return Err(Exit::Failure);
    }
    if outcome.incomplete > 0 {
        let count = outcome.incomplete;
        let places = if count == 1 { "place" } else { "places" };
        voice.error(&format!(
            "{count} {places} could not be read (--show-errors lists them)"
        ));
        return Err(Exit::Incomplete);
    }
    Ok(outcome.hits)
}

/// How results are written to stdout.
pub(super) fn renderer(matches: &ArgMatches) -> Renderer {
    let terminal = std::io::stdout().is_terminal();
    let when = |id: &str| matches.get_one::<String>(id).map_or("auto", String::as_str);
    let coloured = !matches.get_flag("nocolour")
        && match when("color") {
            "always" => true,
            "never" => false,
            _ => terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
        };
    let style = if let Some(template) = matches.get_one::<String>("format") {
        Style::Template(Template::parse(template))
    } else if matches.get_flag("json") {
        Style::Json(JsonWriter::default())
    } else if matches.get_flag("quoted") {
        Style::Quoted
    } else if coloured {
        let colours = std::env::var("LS_COLORS").ok();
        Style::Painted(Box::new(Painter::new(colours.as_deref())))
    } else {
        Style::Path
    };
    let linked = match when("hyperlink") {
        "always" => true,
        "auto" => coloured,
        _ => false,
    };
    Renderer {
        style,
        separator: matches
            .get_one::<String>("path_separator")
            .map(|s| s.clone().into_bytes()),
        escape: terminal,
        mark_dirs: true,
        hyperlink_host: linked.then(groma_sys::hostname),
        terminator: if matches.get_flag("print0") { 0 } else { b'\n' },
    }
}
