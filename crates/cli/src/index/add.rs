//! `groma index add`.

use std::ffi::OsString;
use std::fs::{File, FileType};
use std::io::{self, BufReader};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, Result, bail};
use clap::ArgMatches;
use groma_base::{CancelToken, Timestamp, Warning};
use groma_engine::index::{
    AddRequest, Added, Index, IndexError, ListRequest, Progress, Report, ScanOptions, SourceKind,
};

use super::progress::watched;
use super::{VOICE, complain, failure};
use crate::exit::Exit;
use crate::report::{reason, say};
use crate::{catalog_dir, completions};

/// More threads than this only get in each other's way.
const MOST_THREADS: usize = 64;
/// So many lines of a list that are of no use are told without being asked for.
const TOLD_LINES: u64 = 10;

/// Bytes of a list that are read at a time, and looked at to find out which form it has.
const LIST_BUFFER: usize = 64 * 1024;

/// Runs it.
pub(super) fn run(matches: &ArgMatches) -> Result<Exit> {
    let paths: Vec<&PathBuf> = matches.get_many("path").into_iter().flatten().collect();
    let source = source(matches, &paths)?;
    let catalog = catalog_dir::of(matches)?;
    let cancel = CancelToken::new();
    let adder = Adder {
        options: options(matches)?,
        threads: threads(matches),
        reporter: Reporter::new(VOICE, matches.get_flag("show_errors")),
        cancel: cancel.clone(),
    };
    groma_sys::set_when_interrupted(cancel.flag());
    let mut index = match Index::open(&catalog) {
        Ok(index) => index,
        Err(error) => return Ok(failure(&error)),
    };
    let mut exit = Exit::Success;
    for path in paths {
        let added = match source {
            SourceKind::Walk => adder.walk(&mut index, path),
            SourceKind::List => adder.list(&mut index, path),
        };
        exit = exit.worse(match added {
            Ok(added) => added.iter().map(conclude).fold(Exit::Success, Exit::worse),
            Err(error) => failure(&error),
        });
        if cancel.is_cancelled() {
            break;
        }
    }
    Ok(exit)
}

/// How the roots are read. What is not built yet is refused before anything is started.
fn source(matches: &ArgMatches, paths: &[&PathBuf]) -> Result<SourceKind> {
    let source = matches
        .get_one::<String>("source")
        .map_or("auto", String::as_str);
    match source {
        "list" => return Ok(SourceKind::List),
        "ntfs" | "ext4" => {
            bail!("--source {source} is not built yet; mount it and add the directory")
        }
        _ => {}
    }
    for path in paths {
        let kind = std::fs::metadata(path).map(|meta| meta.file_type());
        if let Some(what) = kind.ok().and_then(|kind| raw_kind(&kind)) {
            bail!(
                "'{}' is a {what}: reading one directly is not built yet; mount it and add the \
                 directory (--source list reads a list of paths)",
                path.display()
            );
        }
    }
    Ok(SourceKind::Walk)
}

fn raw_kind(kind: &FileType) -> Option<&'static str> {
    use std::os::unix::fs::FileTypeExt;
    if kind.is_block_device() {
        return Some("block device");
    }
    kind.is_file().then_some("file")
}

struct Adder {
    options: ScanOptions,
    threads: usize,
    reporter: Reporter,
    cancel: CancelToken,
}

impl Adder {
    fn walk(&self, index: &mut Index, path: &Path) -> Result<Vec<Added>, IndexError> {
        let request = AddRequest {
            root: path.to_owned(),
            options: self.options.clone(),
            threads: self.threads,
            now,
            cancel: self.cancel.clone(),
        };
        let progress = Progress::new();
        let added = watched(!self.reporter.show_errors, &progress, || {
            index.add(&request, &progress, &self.reporter)
        });
        Ok(vec![added?])
    }

    fn list(&self, index: &mut Index, path: &Path) -> Result<Vec<Added>, IndexError> {
        if path == Path::new("-") {
            return self.list_from(index, io::stdin().lock(), None);
        }
        match File::open(path) {
            Ok(file) => self.list_from(index, file, Some(path.to_owned())),
            Err(error) => Err(IndexError::Root {
                path: path.to_owned(),
                error,
            }),
        }
    }

    fn list_from(
        &self,
        index: &mut Index,
        reader: impl io::Read,
        file: Option<PathBuf>,
    ) -> Result<Vec<Added>, IndexError> {
        let progress = Progress::new();
        let request = ListRequest {
            reader: &mut BufReader::with_capacity(LIST_BUFFER, reader),
            file,
            cwd: std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/")),
            now,
            cancel: self.cancel.clone(),
        };
        let reporter = Reporter {
            told: AtomicU64::new(TOLD_LINES),
            ..self.reporter
        };
        watched(!self.reporter.show_errors, &progress, || {
            index.add_list(request, &progress, &reporter)
        })
    }
}

pub(crate) fn options(matches: &ArgMatches) -> Result<ScanOptions> {
    let excludes = matches
        .get_many::<OsString>("exclude")
        .into_iter()
        .flatten();
    let excludes: Vec<Vec<u8>> = excludes
        .map(|glob| groma_sys::path_bytes(Path::new(glob)).into_owned())
        .collect();
    let files = matches.get_many::<PathBuf>("exclude_from");
    let exclude_files: Vec<PathBuf> = files.into_iter().flatten().cloned().collect();
    let cwd = match excludes.is_empty() && exclude_files.is_empty() {
        true => PathBuf::new(),
        false => std::env::current_dir().context("cannot tell the working directory")?,
    };
    Ok(ScanOptions {
        excludes,
        exclude_files,
        exclude_caches: matches.get_flag("exclude_caches"),
        cwd,
        one_file_system: matches.get_flag("one_file_system"),
        pseudo: matches.get_flag("pseudo"),
        acl: matches.get_flag("acl"),
        mounts_once: false,
    })
}

pub(crate) fn threads(matches: &ArgMatches) -> usize {
    let given = matches.get_one::<NonZeroUsize>("threads");
    given.map_or_else(|| groma_sys::processors().min(MOST_THREADS), |n| n.get())
}

/// What time it is.
pub(crate) fn now() -> Timestamp {
    (&groma_base::time::Zoned::now()).into()
}

/// Says what became of a root.
pub(super) fn conclude(added: &Added) -> Exit {
    let record = &added.record;
    let seconds = added.read_in.as_secs_f64();
    let mut line = record.path.clone();
    line.extend_from_slice(format!(": {} entries in {seconds:.1} s\n", record.entries).as_bytes());
    let printed = completions::write(&line);
    if let Some(old) = &added.replaced
        && old.path != record.path
    {
        let (old, new) = (
            String::from_utf8_lossy(&old.path),
            String::from_utf8_lossy(&record.path),
        );
        complain(&format!("note: '{new}' was known as '{old}'"));
    }
    if record.unread > 0 {
        let places = if record.unread == 1 {
            "place"
        } else {
            "places"
        };
        complain(&format!(
            "{} {places} could not be read (--show-errors lists them)",
            record.unread
        ));
        return printed.worse(Exit::Incomplete);
    }
    printed
}

/// Says what could not be read, to those who want to know.
pub(crate) struct Reporter {
    /// The verb, as it calls itself.
    voice: &'static str,
    pub(crate) show_errors: bool,
    /// How many are told all the same.
    told: AtomicU64,
}

impl Reporter {
    pub(crate) fn new(voice: &'static str, show_errors: bool) -> Reporter {
        Reporter {
            voice,
            show_errors,
            told: AtomicU64::new(0),
        }
    }
}

impl Report for Reporter {
    fn warn(&self, warning: &Warning) {
        let take = |left: u64| left.checked_sub(1);
        let (order, told) = (Ordering::Relaxed, &self.told);
        if self.show_errors || told.fetch_update(order, order, take).is_ok() {
            let path = String::from_utf8_lossy(&warning.path);
            let error = warning.error.to_string();
            say(&format!(
                "{}: cannot {} '{path}': {}",
                self.voice,
                warning.action,
                reason(&error)
            ));
        }
    }
}
