//! A batch: units of files that get to the disk, and to their names, together.

use std::sync::{Arc, Mutex, PoisonError};

use groma_sys::Dir;

use super::library::{Library, Target};
use super::options::Failure;
use super::record::{Naming, Root};
use crate::Identity;
use crate::plan::Row;

/// The places that get files.
#[derive(Debug)]
pub(crate) struct Roots {
    pub(crate) library: Library,
    pub(crate) second: Option<Library>,
}

impl Roots {
    pub(crate) fn get(&self, root: Root) -> Option<&Library> {
        match root {
            Root::Library => Some(&self.library),
            Root::Second => self.second.as_ref(),
        }
    }

    /// The second place comes first: nothing of a source changes before all is there.
    pub(crate) fn all(&self) -> impl Iterator<Item = (Root, &Library)> {
        let second = self.second.iter().map(|second| (Root::Second, second));
        second.chain([(Root::Library, &self.library)])
    }
}

/// Files that are placed together or not at all.
#[derive(Debug, Default)]
pub(crate) struct Unit {
    pub(crate) items: Vec<Item>,
    /// The row that failed first, and why.
    pub(crate) failure: Option<(u32, Failure)>,
}

/// A file of a unit.
#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) row: Row,
    pub(crate) to: Target,
    pub(crate) replaces: Option<Identity>,
    pub(crate) places: Vec<Place>,
    /// Why its source could not be removed, though it is in the library.
    pub(crate) source_stays: Option<String>,
}

/// A name that a file is to get.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) root: Root,
    pub(crate) dir: Arc<Dir>,
    pub(crate) step: Step,
    /// How it gets its name, and what will be there; known once it is prepared.
    pub(crate) naming: Option<Naming>,
    pub(crate) is_shared: bool,
}

/// How far a name has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Pending,
    /// All is ready but for the name.
    Prepared,
    Named,
    /// An earlier run named it.
    Earlier,
}

impl Unit {
    pub(crate) fn fail(&mut self, row: u32, failure: Failure) {
        self.failure.get_or_insert((row, failure));
    }

    pub(crate) fn is_sound(&self) -> bool {
        self.failure.is_none()
    }

    /// Why a row of it failed.
    pub(crate) fn failure_of(&self, row: u32) -> Option<Failure> {
        self.failure
            .as_ref()
            .map(|(failed, why)| match *failed == row {
                true => why.clone(),
                false if *why == Failure::Stopped => Failure::Stopped,
                false => Failure::Unit(*failed),
            })
    }
}

impl Item {
    pub(crate) fn is_earlier(&self) -> bool {
        self.places.iter().all(|place| place.step == Step::Earlier)
    }
}

/// Does something to every unit, on several threads.
pub(crate) fn each_unit(units: &mut [Unit], workers: usize, work: impl Fn(&mut Unit) + Sync) {
    let workers = workers.clamp(1, units.len().max(1));
    if workers == 1 {
        return units.iter_mut().for_each(work);
    }
    let queue = Mutex::new(units.iter_mut());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
                    match next {
                        Some(unit) => work(unit),
                        None => break,
                    }
                }
            });
        }
    });
}
