//! Takes a run back: sources return, copies go, what was replaced returns, directories that the run made go when they are empty.
//!
//! A file that has changed since is left alone and told. Whoever is interrupted begins again: each row is judged by what is there.

use std::ffi::CStr;

use groma_base::{Metadata, parent};
use groma_sys::{Dir, make_path};

use super::batch::Roots;
use super::copying::{Copying, Sharing, hash_of, read_back};
use super::journal::Journal;
use super::library::{Target, open_parent, remove_if_there, temporary_name};
use super::moving::{aside_path, bring_back};
use super::options::{Failure, Silent, Stop};
use super::record::{How, Naming, Record, Root};
use super::resumed::{is_there, leads_to, source_now};
use super::rows::Rows;
use super::run::{ApplyError, failed, open, sweep};
use crate::plan::Row;

/// What became of a row that was placed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Undone {
    /// All is as it was before.
    Restored,
    /// The file in the library has changed since: it stays.
    Changed,
    /// The source's path has another file now: the one in the library stays.
    SourceTaken,
    /// A call of the system failed.
    Failed(String),
}

/// The sums of undoing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UndoSummary {
    /// Rows that are as they were before.
    pub restored: u64,
    /// Rows that had changed since, or failed.
    pub refused: u64,
    /// Directories that were made for the run and are gone.
    pub directories: u64,
    /// Whether it was told to stop before its end.
    pub stopped: bool,
}

/// Takes back run `run` of a plan; `told` is called with each row that it placed.
///
/// # Errors
/// When the run's library, plan or journal cannot be read or written.
pub fn undo(
    rows: &dyn Rows,
    run: &str,
    stop: &Stop,
    mut told: impl FnMut(u32, &Undone),
) -> Result<UndoSummary, ApplyError> {
    let mut opened = open(rows, run, false)?;
    sweep(&opened.roots, run, &opened.journal);
    opened.journal.push(Record::Undoing);
    opened.journal.flush()?;
    let mut sums = UndoSummary::default();
    for number in (0..rows.len()).rev() {
        if stop.is_wanted() {
            sums.stopped = true;
            break;
        }
        let row = rows.row(number).map_err(ApplyError::Rows)?;
        let undoing = Undoing {
            roots: &opened.roots,
            run,
            row: &row,
            stop,
        };
        let Some(outcome) = undoing.row(&mut opened.journal)? else {
            continue;
        };
        match outcome {
            Undone::Restored => {
                sums.restored += 1;
                opened.journal.push(Record::Undone { row: number });
            }
            _ => sums.refused += 1,
        }
        told(number, &outcome);
    }
    opened.journal.flush()?;
    sums.directories =
        remove_directories(&opened.roots, run, &opened.journal).map_err(failed("directories"))?;
    opened.journal.push(Record::Finished);
    opened.journal.flush()?;
    Ok(sums)
}

fn remove_directories(roots: &Roots, run: &str, journal: &Journal) -> std::io::Result<u64> {
    let mut count = 0;
    for (root, dir) in journal.made().iter().rev() {
        if let Some(library) = roots.get(*root) {
            count += u64::from(library.remove_empty(dir)?);
        }
    }
    for (_, library) in roots.all() {
        library.remove_empty(&aside_path(run))?;
    }
    Ok(count)
}

/// A row that is taken back.
struct Undoing<'a> {
    roots: &'a Roots,
    run: &'a str,
    row: &'a Row,
    stop: &'a Stop,
}

impl Undoing<'_> {
    /// `None` for a row that has no name of the run's.
    fn row(&self, journal: &mut Journal) -> Result<Option<Undone>, ApplyError> {
        let number = self.row.number;
        let mut outcome = None;
        // The library gives the source back before the second copy goes.
        for root in [Root::Library, Root::Second] {
            let Some(naming) = journal.naming(number, root)? else {
                continue;
            };
            let answer = self
                .place(&naming, journal.is_committed(number))
                .unwrap_or_else(|failure| Undone::Failed(failure.to_string()));
            let is_restored = answer == Undone::Restored;
            outcome = Some(answer);
            if !is_restored {
                break;
            }
        }
        Ok(outcome)
    }

    fn place(&self, naming: &Naming, is_committed: bool) -> Result<Undone, Failure> {
        let target = Target::new(&naming.to)?;
        let Some(library) = self.roots.get(naming.root) else {
            return Ok(Undone::Restored);
        };
        let dir = match library.dir(&target.dir) {
            Err(error) if groma_sys::is_gone(&error) => return self.without_target(),
            answer => answer?,
        };
        let found = match dir.stat(&target.name, false, false) {
            Err(error) if groma_sys::is_gone(&error) => {
                let answer = self.without_target()?;
                if answer == Undone::Restored {
                    bring_back(
                        self.roots,
                        self.run,
                        naming.root,
                        naming.row,
                        &dir,
                        &target.name,
                    )?;
                }
                return Ok(answer);
            }
            answer => answer?,
        };
        if self.is_restored_already(naming, &found)? {
            return Ok(Undone::Restored);
        }
        let is_link = naming.how == How::Symlink;
        let is_ours = is_there(&dir, &target.name, naming, true, self.stop)?
            && (!is_link || leads_to(&dir, &target.name, &self.row.source));
        if !is_ours {
            // The run was killed before it gave this name, or found it taken: that is somebody else's file.
            let is_foreign = !is_committed && found.id.inode != naming.inode;
            return match is_foreign {
                true => self.without_target(),
                false => Ok(Undone::Changed),
            };
        }
        self.take(naming, &dir, &target.name, &found)
    }

    /// An earlier undoing was interrupted after what was replaced had come back.
    fn is_restored_already(&self, naming: &Naming, found: &Metadata) -> Result<bool, Failure> {
        let crate::plan::Action::Place {
            replaces: Some(old),
            ..
        } = &self.row.action
        else {
            return Ok(false);
        };
        let is_old = old.id.inode == found.id.inode && naming.inode != old.id.inode;
        Ok(is_old && self.is_source_there()?)
    }

    /// The file is not in the library: fine if the source is where it was.
    fn without_target(&self) -> Result<Undone, Failure> {
        Ok(match self.is_source_there()? {
            true => Undone::Restored,
            false => Undone::Changed,
        })
    }

    fn is_source_there(&self) -> Result<bool, Failure> {
        let found = source_now(&self.row.source)?;
        Ok(found.is_some_and(|found| self.is_source(&found)))
    }

    /// A source that was copied back has another inode.
    fn is_source(&self, found: &Metadata) -> bool {
        (self.row.identity.size, self.row.identity.modified) == (found.size, found.modified)
    }

    fn take(
        &self,
        naming: &Naming,
        dir: &Dir,
        name: &CStr,
        found: &Metadata,
    ) -> Result<Undone, Failure> {
        match source_now(&self.row.source)? {
            Some(source) if self.is_source(&source) => {}
            Some(_) => return Ok(Undone::SourceTaken),
            None if naming.how == How::Symlink => {}
            None => self.give_back(naming, dir, name)?,
        }
        // After a rename the name is free already.
        remove_if_there(dir, name, found.id)?;
        bring_back(self.roots, self.run, naming.root, naming.row, dir, name)?;
        dir.sync()?;
        Ok(Undone::Restored)
    }

    /// Puts the file where its source was: by renaming it, or as a copy that is on the disk before this returns.
    fn give_back(&self, naming: &Naming, dir: &Dir, name: &CStr) -> Result<(), Failure> {
        let to = make_path(parent(&self.row.source))?;
        let (_, own) = open_parent(&self.row.source)?;
        match dir.place_new(name, &to, &own) {
            Err(error) if error.kind() == std::io::ErrorKind::CrossesDevices => {}
            answer => {
                answer?;
                return Ok(to.sync()?);
            }
        }
        let temporary = temporary_name(self.run, self.row.number);
        let file = dir.open_file(name)?;
        let copying = Copying {
            progress: &Silent,
            stop: self.stop,
            sharing: Sharing::Never,
            verify: true,
            sync: true,
        };
        let row = self.as_copied(&file.metadata()?, naming);
        let copied = copying.copy(&row, &file, &to, &temporary)?;
        let back = to.open_file(&temporary)?;
        let hash = match copied.hash {
            Some(hash) => hash,
            None => hash_of(&file, self.stop)?,
        };
        read_back(&back, &hash, None, self.stop)?;
        to.place_new(&temporary, &to, &own)?;
        Ok(to.sync()?)
    }

    /// The row as if the library's file were its source.
    fn as_copied(&self, found: &Metadata, naming: &Naming) -> Row {
        let mut row = self.row.clone();
        row.identity = found.into();
        row.hash = naming.hash;
        row
    }
}
