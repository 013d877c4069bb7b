//! Group commit: a batch of prepared units gets to the disk with one sync, then to its names, then into the journal, and
//! only then do sources go.

use std::collections::BTreeMap;
use std::sync::Arc;

use groma_base::parent;
use groma_sys::Dir;

use super::batch::{Item, Place, Roots, Step, Unit, each_unit};
use super::journal::{Journal, JournalError};
use super::library::{open_parent, remove_if_there};
use super::moving::{bring_back, name, take_back};
use super::options::Failure;
use super::place::{Past, Workshop};
use super::record::{How, Record, Root};
use crate::plan::Mode;

/// What a batch is committed with.
pub(crate) struct Commit<'a> {
    pub(crate) shop: &'a Workshop<'a>,
    pub(crate) roots: &'a Roots,
    pub(crate) journal: &'a mut Journal,
}

impl Commit<'_> {
    /// Brings a batch to its end: each unit is in the library afterwards, or has failed and left nothing.
    ///
    /// # Errors
    /// When the journal cannot be written: nothing may go on then.
    pub(crate) fn batch(&mut self, units: &mut [Unit]) -> Result<(), JournalError> {
        self.make_directories(units)?;
        let past = self.past(units)?;
        let (shop, workers) = (self.shop, self.shop.options.workers);
        each_unit(units, workers, |unit| {
            match unit.items.first() {
                Some(first) if shop.stop.is_wanted() => {
                    unit.fail(first.row.number, Failure::Stopped)
                }
                _ if unit.is_sound() => shop.prepare(unit, &past),
                _ => {}
            }
            if !unit.is_sound() {
                shop.clear(unit);
            }
        });
        self.sync_content(units);
        each_unit(units, workers, |unit| shop.check(unit));
        if shop.stop.abort.is_cancelled() {
            for unit in units.iter_mut() {
                fail_all(unit, &Failure::Stopped);
            }
        }
        self.announce(units)?;
        for root in [Root::Second, Root::Library] {
            self.name_all(units, root);
        }
        for unit in units.iter_mut() {
            shop.clear(unit);
        }
        self.record(units)?;
        self.remove_sources(units);
        Ok(())
    }

    /// Makes the directories of a batch, and says before in which ones temporary files are to be.
    fn make_directories(&mut self, units: &mut [Unit]) -> Result<(), JournalError> {
        let mut missing: BTreeMap<(Root, Vec<u8>), Vec<Vec<u8>>> = BTreeMap::new();
        for item in units.iter().flat_map(|unit| &unit.items) {
            for (root, library) in self.roots.all() {
                let key = (root, item.to.dir.clone());
                missing
                    .entry(key)
                    .or_insert_with(|| library.missing(&item.to.dir).unwrap_or_default());
                let (row, dir) = (item.row.number, item.to.dir.clone());
                if self.shop.mode_copies() || root == Root::Second {
                    self.journal.push(Record::Begun { row, root, dir });
                }
            }
        }
        let mut all: Vec<(Root, Vec<u8>)> = Vec::new();
        for ((root, _), dirs) in missing {
            all.extend(dirs.into_iter().map(|dir| (root, dir)));
        }
        all.sort();
        all.dedup();
        for (root, dir) in &all {
            let (root, dir) = (*root, dir.clone());
            self.journal.push(Record::Making { root, dir });
        }
        self.journal.flush()?;
        for (root, dir) in &all {
            if let Some(library) = self.roots.get(*root) {
                // Whoever needs it is told when it is opened.
                let _ = library.make(dir);
                let _ = library.dir(parent(dir)).and_then(|above| above.sync());
            }
        }
        for unit in units {
            self.open_places(unit);
        }
        Ok(())
    }

    fn open_places(&self, unit: &mut Unit) {
        let mut failure = None;
        for item in &mut unit.items {
            for (root, library) in self.roots.all() {
                match library.dir(&item.to.dir) {
                    Ok(dir) => item.places.push(Place {
                        root,
                        dir,
                        step: Step::Pending,
                        naming: None,
                        is_shared: false,
                    }),
                    Err(error) => failure = Some((item.row.number, Failure::from(error))),
                }
            }
        }
        if let Some((row, failure)) = failure {
            unit.fail(row, failure);
        }
    }

    fn past(&self, units: &[Unit]) -> Result<Past, JournalError> {
        let mut past = Past::new();
        for item in units.iter().flat_map(|unit| &unit.items) {
            for root in [Root::Library, Root::Second] {
                if let Some(naming) = self.journal.naming(item.row.number, root)? {
                    past.insert((item.row.number, root), naming);
                }
            }
        }
        Ok(past)
    }

    /// Returns once the bytes of all copies are on the disk: one call per file system.
    fn sync_content(&self, units: &mut [Unit]) {
        if self.shop.sync {
            return;
        }
        let mut systems: BTreeMap<u64, Arc<Dir>> = BTreeMap::new();
        for place in units
            .iter()
            .flat_map(|u| &u.items)
            .flat_map(|item| &item.places)
        {
            let is_copy = place.naming.as_ref().is_some_and(|n| n.how == How::Copy);
            if place.step == Step::Prepared
                && is_copy
                && let Ok(own) = place.dir.own_metadata(false)
            {
                systems
                    .entry(own.id.device)
                    .or_insert_with(|| Arc::clone(&place.dir));
            }
        }
        for dir in systems.values() {
            if let Err(error) = dir.sync_file_system() {
                // Which of them did not get there is not told.
                units
                    .iter_mut()
                    .for_each(|unit| fail_all(unit, &Failure::Io(error.to_string())));
            }
        }
    }

    /// Writes down which names are about to be given.
    fn announce(&mut self, units: &[Unit]) -> Result<(), JournalError> {
        for item in units
            .iter()
            .filter(|unit| unit.is_sound())
            .flat_map(|u| &u.items)
        {
            for place in item
                .places
                .iter()
                .filter(|place| place.step == Step::Prepared)
            {
                if let Some(naming) = &place.naming {
                    self.journal.push(Record::Naming(naming.clone()));
                }
            }
        }
        self.journal.flush()
    }

    /// Gives all files their names in one place, and returns once these are on the disk.
    fn name_all(&mut self, units: &mut [Unit], root: Root) {
        let mut dirs: BTreeMap<Vec<u8>, Arc<Dir>> = BTreeMap::new();
        for unit in units.iter_mut().filter(|unit| unit.is_sound()) {
            self.name_unit(unit, root);
            for item in &unit.items {
                let is_fresh = |place: &&Place| match place.step {
                    Step::Named => true,
                    // A run that was killed may have named it, and nobody knows whether that is on the disk.
                    Step::Earlier => !self.journal.is_committed(item.row.number),
                    _ => false,
                };
                let fresh = item
                    .places
                    .iter()
                    .filter(|place| place.root == root)
                    .filter(is_fresh);
                dirs.extend(fresh.map(|place| (item.to.dir.clone(), Arc::clone(&place.dir))));
            }
        }
        for (path, dir) in dirs {
            if let Err(error) = dir.sync() {
                let failure = Failure::Io(error.to_string());
                let hit = units
                    .iter_mut()
                    .filter(|u| u.items.iter().any(|item| item.to.dir == path));
                for unit in hit {
                    fail_all(unit, &failure);
                    self.roll_back(unit);
                }
            }
        }
    }

    fn name_unit(&mut self, unit: &mut Unit, root: Root) {
        let mut failure = None;
        for item in &mut unit.items {
            let prepared = |place: &&Place| place.root == root && place.step == Step::Prepared;
            let Some(index) = item.places.iter().position(|place| prepared(&place)) else {
                continue;
            };
            let place = &item.places[index];
            match name(self.roots, self.shop.run, item, place) {
                Ok(()) => item.places[index].step = Step::Named,
                Err(error) => {
                    if item.replaces.is_some() {
                        let row = item.row.number;
                        let _ = bring_back(
                            self.roots,
                            self.shop.run,
                            root,
                            row,
                            &place.dir,
                            &item.to.name,
                        );
                    }
                    failure = Some((item.row.number, error));
                    break;
                }
            }
        }
        if let Some((row, failure)) = failure {
            unit.fail(row, failure);
            self.roll_back(unit);
        }
    }

    /// Takes back the names that a failed unit has got, the last one first.
    fn roll_back(&mut self, unit: &mut Unit) {
        for item in unit.items.iter_mut().rev() {
            let row = item.row.number;
            let was_committed = self.journal.is_committed(row);
            let mut is_all_back = true;
            for index in (0..item.places.len()).rev() {
                let place = &item.places[index];
                let is_half = place.step == Step::Earlier && !was_committed;
                if place.step == Step::Named || is_half {
                    let answer = take_back(self.roots, self.shop.run, item, place);
                    is_all_back &= answer.is_ok();
                    item.places[index].step = Step::Pending;
                }
            }
            if is_all_back && !was_committed {
                self.journal.push(Record::TakenBack { row });
            }
        }
    }

    /// Writes down what has become of the batch.
    fn record(&mut self, units: &mut [Unit]) -> Result<(), JournalError> {
        for unit in units.iter_mut().filter(|unit| !unit.is_sound()) {
            self.roll_back(unit);
        }
        for unit in units.iter() {
            for item in &unit.items {
                let row = item.row.number;
                let record = match unit.failure_of(row) {
                    None => Record::Committed { row },
                    Some(why) => Record::Failed {
                        row,
                        why: why.to_string(),
                    },
                };
                self.journal.push(record);
            }
        }
        self.journal.flush()
    }

    /// Removes the sources of files that were moved by copying them: they are durable and verified.
    fn remove_sources(&mut self, units: &mut [Unit]) {
        if self.shop.mode != Mode::Move {
            return;
        }
        for unit in units.iter_mut().filter(|unit| unit.is_sound()) {
            for item in &mut unit.items {
                if !is_moved_copy(item) || self.journal.is_source_gone(item.row.number) {
                    continue;
                }
                match remove_source(item) {
                    Ok(()) => self.journal.push(Record::SourceGone {
                        row: item.row.number,
                    }),
                    Err(failure) => item.source_stays = Some(failure.to_string()),
                }
            }
        }
    }
}

impl Workshop<'_> {
    /// Whether temporary files may be made.
    fn mode_copies(&self) -> bool {
        matches!(self.mode, Mode::Copy | Mode::Move | Mode::Reflink)
    }
}

fn is_moved_copy(item: &Item) -> bool {
    let mut libraries = item
        .places
        .iter()
        .filter(|place| place.root == Root::Library);
    libraries.any(|place| place.naming.as_ref().is_some_and(|n| n.how == How::Copy))
}

/// Removes a source that still is what was copied.
fn remove_source(item: &Item) -> Result<(), Failure> {
    let answer = open_parent(&item.row.source)
        .and_then(|(dir, name)| Ok((dir.stat(&name, false, false)?, dir, name)));
    let (found, dir, name) = match answer {
        Err(error) if groma_sys::is_gone(&error) => return Ok(()),
        answer => answer?,
    };
    if !item.row.identity.is_of(&found) {
        return Err(Failure::SourceChanged);
    }
    Ok(remove_if_there(&dir, &name, found.id)?)
}

fn fail_all(unit: &mut Unit, failure: &Failure) {
    if let Some(first) = unit.items.first() {
        let row = first.row.number;
        unit.fail(row, failure.clone());
    }
}
