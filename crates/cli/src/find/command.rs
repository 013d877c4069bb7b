//! The commands of `--exec` and `--exec-batch`, as they were typed.

use std::ffi::OsString;
use std::path::Path;

use anyhow::Result;
use clap::ArgMatches;
use clap::error::ErrorKind;
use groma_formats::template::Template;

use crate::report::Voice;

/// How commands get their results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// One run per result.
    Each,
    /// As many results per run as fit.
    Batch,
}

/// All commands that were given.
pub(super) struct Commands {
    pub(super) mode: Mode,
    /// Each is a program and its arguments.
    pub(super) commands: Vec<Vec<Template>>,
    /// What stands for `/` in the paths.
    pub(super) separator: Option<Vec<u8>>,
    /// Most results per run; 0 for no limit.
    pub(super) batch_size: usize,
    /// Whether the output for each result ends with a NUL.
    pub(super) print0: bool,
}

impl Commands {
    /// The commands, if there are any.
    pub(super) fn read(voice: Voice, matches: &ArgMatches) -> Result<Option<Commands>> {
        let (mode, id) = match () {
            () if matches.contains_id("exec") => (Mode::Each, "exec"),
            () if matches.contains_id("exec_batch") => (Mode::Batch, "exec_batch"),
            () => return Ok(None),
        };
        let mut commands = Vec::new();
        for words in matches
            .get_occurrences::<OsString>(id)
            .into_iter()
            .flatten()
        {
            commands.push(read_one(voice, mode, words)?);
        }
        let separator = matches.get_one::<String>("path_separator");
        Ok(Some(Commands {
            mode,
            commands,
            separator: separator.map(|text| text.clone().into_bytes()),
            batch_size: matches.get_one("batch_size").copied().unwrap_or(0),
            print0: matches.get_flag("print0"),
        }))
    }
}

fn read_one<'m>(
    voice: Voice,
    mode: Mode,
    words: impl Iterator<Item = &'m OsString>,
) -> Result<Vec<Template>> {
    let parse = |word: &OsString| Template::parse(&*groma_sys::path_bytes(Path::new(word)));
    let mut command: Vec<Template> = words.map(parse).collect();
    let places = command
        .iter()
        .filter(|word| word.has_placeholders())
        .count();
    if command.is_empty() {
        return wrong(voice, "No executable provided for --exec or --exec-batch");
    }
    if mode == Mode::Batch {
        if command.first().is_some_and(Template::has_placeholders) {
            let message =
                "First argument of --exec-batch must be a fixed executable, not a placeholder";
            return wrong(voice, message);
        }
        if places > 1 {
            return wrong(voice, "Only one placeholder allowed for batch commands");
        }
    }
    if places == 0 {
        command.push(Template::parse("{}"));
    }
    Ok(command)
}

fn wrong<T>(voice: Voice, message: &str) -> Result<T> {
    Err(super::typed_command(voice)
        .error(ErrorKind::InvalidValue, message)
        .into())
}
