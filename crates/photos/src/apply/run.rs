//! A run: what is checked before anything happens, then batch after batch.

use std::io;

use groma_sys::{Dir, LogFile, sync_tells_errors};
use thiserror::Error;

use super::batch::{Item, Roots, Unit};
use super::commit::Commit;
use super::journal::{Journal, JournalError, is_finished};
use super::library::{Library, OWN, Target, remove_temporary, temporary_name};
use super::options::{Failure, Options, Outcome, Progress, Stop, Summary};
use super::overlap::overlap;
use super::place::Workshop;
use super::record::Record;
use super::rows::{Rows, RowsError};
use crate::plan::{Action, Mode, Row};

/// Directories of one batch, at most: each is kept open and synced once.
const BATCH_DIRS: usize = 100;
/// What stays free on the disk besides the files' own bytes: for directories, the journal, rounding.
const SPARE_BYTES: u64 = 4 << 20;

/// Why a run did not begin, or could not go on.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ApplyError {
    /// The name of a run has letters, digits, `-` and `_`, 64 at most.
    #[error("a run cannot be called {0:?}")]
    RunName(String),
    /// A source lies in the library, or the library in a source.
    #[error("{} and {} lie in one another", groma_sys::os_path(.0).display(), groma_sys::os_path(.1).display())]
    Overlap(Vec<u8>, Vec<u8>),
    /// Another run is at work in the library.
    #[error("another run is at work in this library")]
    Busy,
    /// There is too little space.
    #[error("{needed} bytes are needed and {free} are free")]
    Space {
        /// Bytes that the plan needs, with a margin.
        needed: u64,
        /// Bytes that are free.
        free: u64,
    },
    /// The run was undone, or undoing it has begun.
    #[error("this run has been undone: plan anew")]
    Undone,
    /// The plan cannot be read.
    #[error("the plan: {0}")]
    Rows(RowsError),
    /// The journal cannot be read or written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The library's own directories cannot be used.
    #[error("{what}: {error}")]
    Io {
        /// What was done.
        what: &'static str,
        /// What the system answered.
        error: io::Error,
    },
}

pub(crate) fn failed(what: &'static str) -> impl FnOnce(io::Error) -> ApplyError {
    move |error| ApplyError::Io { what, error }
}

/// A library that this process alone works in, and the journal of a run.
pub(crate) struct Opened {
    pub(crate) roots: Roots,
    pub(crate) journal: Journal,
    _lock: LogFile,
}

/// Applies a plan as run `run` of its library; applied again, the run goes on where it ended: what is there unchanged stays, what
/// is not is done (again), what failed is tried again.
///
/// # Errors
/// When the run cannot begin (nothing was done then), or its journal or plan cannot be read or written. What fails for single files is
/// told as their outcome.
pub fn apply(
    rows: &dyn Rows,
    run: &str,
    options: &Options,
    progress: &dyn Progress,
    stop: &Stop,
) -> Result<Summary, ApplyError> {
    check_places(rows)?;
    let mut opened = open(rows, run, true)?;
    if opened.journal.is_undoing() {
        return Err(ApplyError::Undone);
    }
    sweep(&opened.roots, run, &opened.journal);
    sweep_others(&opened.roots, run).map_err(failed("earlier runs"))?;
    let order = order(rows)?;
    if options.check_space {
        check_space(rows, &opened, &order)?;
    }
    let mut running = Running {
        rows,
        run,
        options,
        progress,
        stop,
        summary: Summary::default(),
    };
    running.all(&mut opened, &order)?;
    running.summary.stopped = stop.is_wanted();
    opened.journal.push(Record::Finished);
    opened.journal.flush()?;
    Ok(running.summary)
}

/// Opens a run's library and journal, and keeps other runs out.
pub(crate) fn open(rows: &dyn Rows, run: &str, create: bool) -> Result<Opened, ApplyError> {
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
    if run.is_empty() || run.len() > 64 || !run.bytes().all(is_plain) {
        return Err(ApplyError::RunName(run.to_owned()));
    }
    let header = rows.header();
    let open = |path: &[u8]| match create {
        true => Library::create(path),
        false => Library::open(path),
    };
    let roots = Roots {
        library: open(&header.library).map_err(failed("the library"))?,
        second: header
            .second
            .as_deref()
            .map(open)
            .transpose()
            .map_err(failed("the second place"))?,
    };
    let own = failed("the library's own directory");
    let dirs = roots
        .library
        .own_dir(OWN)
        .and_then(|own| Ok((roots.library.own_dir(&run_path(run))?, own)));
    let (dir, own) = dirs.map_err(own)?;
    let lock = own
        .open_log(c"lock")
        .map_err(failed("the library's lock"))?;
    if !lock.try_lock().map_err(failed("the library's lock"))? {
        return Err(ApplyError::Busy);
    }
    let log = dir
        .open_log(c"journal")
        .map_err(failed("the run's journal"))?;
    dir.sync().map_err(failed("the run's directory"))?;
    Ok(Opened {
        roots,
        journal: Journal::open(log)?,
        _lock: lock,
    })
}

fn run_path(run: &str) -> Vec<u8> {
    [OWN, b"runs", run.as_bytes()].join(&b'/')
}

fn check_places(rows: &dyn Rows) -> Result<(), ApplyError> {
    let header = rows.header();
    let mut places: Vec<&[u8]> = vec![&header.library];
    places.extend(header.second.as_deref());
    for (index, place) in places.iter().enumerate() {
        let sources = header.sources.iter().map(|source| &source[..]);
        for other in sources.chain(places[..index].iter().copied()) {
            if overlap(place, other).map_err(failed("the sources"))? {
                return Err(ApplyError::Overlap(other.to_vec(), place.to_vec()));
            }
        }
    }
    Ok(())
}

/// Rows by their units: (unit, row).
fn order(rows: &dyn Rows) -> Result<Vec<(u32, u32)>, ApplyError> {
    let mut order = Vec::with_capacity(rows.len() as usize);
    for number in 0..rows.len() {
        order.push((rows.row(number).map_err(ApplyError::Rows)?.unit, number));
    }
    order.sort_unstable();
    Ok(order)
}

/// Whether what is left to be copied has room, on each place's file system.
fn check_space(rows: &dyn Rows, opened: &Opened, order: &[(u32, u32)]) -> Result<(), ApplyError> {
    for (root, library) in opened.roots.all() {
        let own = library
            .root()
            .own_metadata(false)
            .map_err(failed("the library"))?;
        let (mut needed, mut files) = (0u64, 0u64);
        for &(_, number) in order {
            let row = rows.row(number).map_err(ApplyError::Rows)?;
            let is_near = row.identity.id.device == own.id.device;
            let copies = match rows.header().mode {
                _ if root == super::record::Root::Second => true,
                Mode::Copy => true,
                Mode::Move => !is_near,
                Mode::Hardlink | Mode::Reflink | Mode::Symlink => false,
            };
            let is_placed = matches!(row.action, Action::Place { .. });
            if is_placed && copies && !opened.journal.is_committed(number) {
                needed = needed.saturating_add(row.identity.size);
                files += 1;
            }
        }
        if files == 0 {
            continue;
        }
        needed = needed
            .saturating_add(files * 4096)
            .saturating_add(SPARE_BYTES);
        match library.root().free_bytes() {
            Ok(free) if free < needed => return Err(ApplyError::Space { needed, free }),
            // Where the system does not tell, writing will.
            _ => {}
        }
    }
    Ok(())
}

/// Removes the temporary files that a run has left.
pub(crate) fn sweep(roots: &Roots, run: &str, journal: &Journal) {
    for (row, root, path) in journal.temporaries() {
        let dir = roots.get(root).and_then(|library| library.dir(path).ok());
        if let Some(dir) = dir {
            // What cannot be removed now is tried again by the next run.
            let _ = remove_temporary(&dir, &temporary_name(run, row));
        }
    }
}

/// Removes what other runs of the library have left that did not come to their end. Their journals tell where.
fn sweep_others(roots: &Roots, run: &str) -> io::Result<()> {
    let runs = roots.library.own_dir(&[OWN, b"runs"].join(&b'/'))?;
    for name in names_in(&runs)? {
        let Some(other) = std::str::from_utf8(&name)
            .ok()
            .filter(|other| *other != run)
        else {
            continue;
        };
        let Ok(dir) = roots.library.dir(&run_path(other)) else {
            continue;
        };
        if dir.stat(c"journal", false, false).is_err() {
            continue;
        }
        let log = dir.open_log(c"journal")?;
        if is_finished(&log)? {
            continue;
        }
        // A damaged journal is its own run's matter.
        if let Ok(mut journal) = Journal::open(log) {
            sweep(roots, other, &journal);
            journal.push(Record::Finished);
            // It is only looked at again when this fails.
            let _ = journal.flush();
        }
    }
    Ok(())
}

fn names_in(dir: &Dir) -> io::Result<Vec<Vec<u8>>> {
    let again = dir.open_child(c".", false)?;
    let (mut names, mut buffer) = (Vec::new(), groma_sys::DirBuffer::default());
    while again.read(&mut buffer)? {
        names.extend(buffer.entries().map(|entry| entry.name().to_vec()));
        buffer.clear();
    }
    Ok(names)
}

/// A run at work.
struct Running<'a> {
    rows: &'a dyn Rows,
    run: &'a str,
    options: &'a Options,
    progress: &'a dyn Progress,
    stop: &'a Stop,
    summary: Summary,
}

impl Running<'_> {
    fn all(&mut self, opened: &mut Opened, order: &[(u32, u32)]) -> Result<(), ApplyError> {
        let (mut units, mut size) = (Vec::new(), Size::default());
        for members in order.chunk_by(|one, other| one.0 == other.0) {
            let unit = self.unit(members)?;
            if unit.items.is_empty() {
                continue;
            }
            size.add(&unit);
            units.push(unit);
            if size.is_full(self.options) {
                self.batch(opened, std::mem::take(&mut units))?;
                size = Size::default();
            }
        }
        self.batch(opened, units)
    }

    /// The files of a unit that are to be placed; the others come to their end here.
    fn unit(&mut self, members: &[(u32, u32)]) -> Result<Unit, ApplyError> {
        let mut unit = Unit::default();
        for &(_, number) in members {
            let row = self.rows.row(number).map_err(ApplyError::Rows)?;
            match row.action.clone() {
                Action::Place { to, replaces } => match Target::new(&to) {
                    Ok(to) => unit.items.push(item(row, to, replaces)),
                    Err(failure) => {
                        unit.fail(number, failure.clone());
                        self.tell(number, &Outcome::Failed(failure));
                    }
                },
                Action::Duplicate { of, .. } => self.tell(number, &Outcome::Duplicate { of }),
                Action::Skip(why) => self.tell(number, &Outcome::Skipped(why)),
                Action::Fail(why) => self.tell(number, &Outcome::Failed(Failure::Planned(why))),
            }
        }
        Ok(unit)
    }

    fn batch(&mut self, opened: &mut Opened, mut units: Vec<Unit>) -> Result<(), ApplyError> {
        if units.is_empty() {
            return Ok(());
        }
        if self.stop.is_wanted() {
            for unit in &mut units {
                let row = unit.items[0].row.number;
                unit.fail(row, Failure::Stopped);
            }
        } else {
            let shop = Workshop {
                run: self.run,
                mode: self.rows.header().mode,
                options: self.options,
                progress: self.progress,
                stop: self.stop,
                sync: !sync_tells_errors(),
            };
            let mut commit = Commit {
                shop: &shop,
                roots: &opened.roots,
                journal: &mut opened.journal,
            };
            commit.batch(&mut units)?;
            opened.roots.all().for_each(|(_, library)| library.forget());
        }
        for unit in &units {
            for item in &unit.items {
                self.tell(item.row.number, &outcome(unit, item));
            }
        }
        Ok(())
    }

    fn tell(&mut self, row: u32, outcome: &Outcome) {
        self.summary.count(outcome);
        self.progress.done(row, outcome);
    }
}

fn item(row: Row, to: Target, replaces: Option<crate::Identity>) -> Item {
    Item {
        row,
        to,
        replaces,
        places: Vec::new(),
        source_stays: None,
    }
}

fn outcome(unit: &Unit, item: &Item) -> Outcome {
    match (unit.failure_of(item.row.number), &item.source_stays) {
        (Some(failure), _) => Outcome::Failed(failure),
        (None, Some(why)) => Outcome::Failed(Failure::SourceStays(why.clone())),
        (None, None) => Outcome::Placed {
            bytes: item.row.identity.size,
            earlier: item.is_earlier(),
        },
    }
}

/// How large a batch has become.
#[derive(Default)]
struct Size {
    files: usize,
    bytes: u64,
    dirs: std::collections::BTreeSet<Vec<u8>>,
}

impl Size {
    fn add(&mut self, unit: &Unit) {
        for item in &unit.items {
            self.files += 1;
            self.bytes = self.bytes.saturating_add(item.row.identity.size);
            if !self.dirs.contains(&item.to.dir) {
                self.dirs.insert(item.to.dir.clone());
            }
        }
    }

    fn is_full(&self, options: &Options) -> bool {
        self.files >= options.batch_files
            || self.bytes >= options.batch_bytes
            || self.dirs.len() >= BATCH_DIRS
    }
}
