//! Prepares a unit: all that can be done before its files get their names.

use std::collections::HashMap;

use groma_base::Metadata;
use groma_sys::{Dir, OpenFile};

use super::batch::{Item, Place, Step, Unit};
use super::copying::{Copying, Sharing, open_source, read_back};
use super::library::{open_parent, remove_temporary, temporary_name};
use super::options::{Failure, Options, Progress, Stop};
use super::record::{How, Naming, Root};
use super::resumed::{is_earlier, source_now, target_bytes};
use crate::plan::Mode;

/// What all units are prepared with.
pub(crate) struct Workshop<'a> {
    pub(crate) run: &'a str,
    pub(crate) mode: Mode,
    pub(crate) options: &'a Options,
    pub(crate) progress: &'a dyn Progress,
    pub(crate) stop: &'a Stop,
    /// Whether each file is synced on its own.
    pub(crate) sync: bool,
}

/// The namings that the journal has of a batch's rows.
pub(crate) type Past = HashMap<(u32, Root), Naming>;

impl Workshop<'_> {
    /// Prepares all files of a unit. When one fails, the unit has failed.
    pub(crate) fn prepare(&self, unit: &mut Unit, past: &Past) {
        for index in 0..unit.items.len() {
            let item = &mut unit.items[index];
            let row = item.row.number;
            if let Err(failure) = self.prepare_item(item, past) {
                unit.fail(row, failure);
                break;
            }
        }
    }

    fn prepare_item(&self, item: &mut Item, past: &Past) -> Result<(), Failure> {
        if self.stop.abort.is_cancelled() {
            return Err(Failure::Stopped);
        }
        for index in 0..item.places.len() {
            let place = &item.places[index];
            let Some(naming) = past.get(&(item.row.number, place.root)) else {
                continue;
            };
            if is_earlier(item, place, naming, self.options.verify, self.stop)? {
                item.places[index].step = Step::Earlier;
                item.places[index].naming = Some(naming.clone());
            }
        }
        if item.is_earlier() {
            return self.check_source(item);
        }
        let (dir, name) = match open_parent(&item.row.source) {
            Err(error) if groma_sys::is_gone(&error) => return Err(Failure::Gone),
            answer => answer?,
        };
        let (source, metadata) = open_source(&item.row, &dir, &name)?;
        for index in 0..item.places.len() {
            if item.places[index].step == Step::Pending {
                self.prepare_place(item, index, &dir, &source, &metadata)?;
            }
        }
        Ok(())
    }

    /// A source that has become another file since its copy was made has to be planned anew.
    fn check_source(&self, item: &Item) -> Result<(), Failure> {
        match (self.mode, source_now(&item.row.source)?) {
            (Mode::Copy | Mode::Move, Some(found)) if !item.row.identity.is_of(&found) => {
                Err(Failure::SourceChanged)
            }
            _ => Ok(()),
        }
    }

    fn prepare_place(
        &self,
        item: &mut Item,
        index: usize,
        dir: &Dir,
        source: &OpenFile,
        metadata: &Metadata,
    ) -> Result<(), Failure> {
        let place = &item.places[index];
        let how = self.how(place, dir, metadata)?;
        let mut naming = Naming {
            row: item.row.number,
            root: place.root,
            how,
            to: target_bytes(item),
            inode: metadata.id.inode,
            size: metadata.size,
            modified: metadata.modified,
            hash: item.row.hash,
        };
        let mut is_shared = false;
        if how == How::Copy {
            let temporary = temporary_name(self.run, item.row.number);
            let copied = self
                .copying(place.root)
                .copy(&item.row, source, &place.dir, &temporary)?;
            (naming.inode, naming.size) = (copied.inode, copied.size);
            (naming.modified, naming.hash) = (copied.modified, copied.hash);
            is_shared = copied.is_shared;
        }
        let place = &mut item.places[index];
        place.naming = Some(naming);
        place.is_shared = is_shared;
        place.step = Step::Prepared;
        Ok(())
    }

    /// How a file gets to its place: the second one always gets copies.
    fn how(&self, place: &Place, source_dir: &Dir, source: &Metadata) -> Result<How, Failure> {
        if place.root == Root::Second {
            return Ok(How::Copy);
        }
        Ok(match self.mode {
            Mode::Copy | Mode::Reflink => How::Copy,
            Mode::Hardlink => How::Link,
            Mode::Symlink => How::Symlink,
            Mode::Move => {
                let is_near = place.dir.own_metadata(false)?.id.device == source.id.device
                    // Renaming works within a mount only, even where two show one file system.
                    && place.dir.mount_id() == source_dir.mount_id();
                if is_near { How::Rename } else { How::Copy }
            }
        })
    }

    fn copying(&self, root: Root) -> Copying<'_> {
        let sharing = match (root, self.mode) {
            // A second copy is worth something only with blocks of its own.
            (Root::Second, _) => Sharing::Never,
            (_, Mode::Reflink) => Sharing::Must,
            _ => Sharing::May,
        };
        Copying {
            progress: self.progress,
            stop: self.stop,
            sharing,
            verify: self.options.verify,
            sync: self.sync,
        }
    }

    /// Reads the copies of a unit back, which are on the disk by now.
    pub(crate) fn check(&self, unit: &mut Unit) {
        if !unit.is_sound() || !self.options.verify {
            return;
        }
        let bad = unit.items.iter().find_map(|item| {
            let copies = item
                .places
                .iter()
                .filter(|place| place.step == Step::Prepared);
            let mut answers = copies.map(|place| self.check_copy(item, place));
            Some((item.row.number, answers.find_map(Result::err)?))
        });
        if let Some((row, failure)) = bad {
            unit.fail(row, failure);
        }
    }

    fn check_copy(&self, item: &Item, place: &Place) -> Result<(), Failure> {
        let Some(naming) = place
            .naming
            .as_ref()
            .filter(|naming| naming.how == How::Copy)
        else {
            return Ok(());
        };
        let Some(hash) = &naming.hash else {
            return Ok(());
        };
        let file = place
            .dir
            .open_file(&temporary_name(self.run, item.row.number))?;
        let source = match place.is_shared {
            true => {
                let (dir, name) = open_parent(&item.row.source)?;
                let (source, _) = open_source(&item.row, &dir, &name)?;
                source.sync()?;
                Some(source)
            }
            false => None,
        };
        read_back(&file, hash, source.as_ref(), self.stop)
    }

    /// Removes the temporary files of a unit.
    pub(crate) fn clear(&self, unit: &mut Unit) {
        for item in &mut unit.items {
            let name = temporary_name(self.run, item.row.number);
            for place in &mut item.places {
                let is_copy = place.naming.as_ref().is_some_and(|n| n.how == How::Copy);
                if place.step == Step::Prepared && is_copy {
                    // What stays is swept by the next run: the journal names it.
                    let _ = remove_temporary(&place.dir, &name);
                }
                if place.step == Step::Prepared {
                    place.step = Step::Pending;
                }
            }
        }
    }
}
