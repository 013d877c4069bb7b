//! Folds the changes of a root into a new segment.

use groma_base::{BatchEntry, CancelToken, DirId, EntryBatch};

use super::CatalogWriter;
use crate::build::{Builder, Sealed};
use crate::error::{BuildError, CatalogError, Damage};
use crate::kinds::KindFlags;
use crate::view::View;

/// Entries between two looks at whether somebody wants to stop, and in one batch.
const BATCH: u32 = 4096;

impl CatalogWriter {
    /// Writes a root with all its changes as a new segment, and publishes that in place of segment
    /// and log. `None` when the root has no log. Whether it is worth it: [`View::is_fold_due`].
    ///
    /// # Errors
    /// As [`CatalogWriter::publish`], or [`CatalogError::Log`], or [`CatalogError::Stale`] when there
    /// is no such root: the catalog is as it was.
    pub fn fold(
        &mut self,
        key: &[u8],
        cancel: &CancelToken,
    ) -> Result<Option<Sealed>, CatalogError> {
        let Some(view) = self.catalog.view(key)? else {
            return Err(CatalogError::Stale);
        };
        let record = self.catalog.root(key).ok_or(CatalogError::Stale)?;
        if record.log.is_empty() {
            return Ok(None);
        }
        let unread = record.unread;
        let builder = Builder::of_view(&view, cancel)?;
        let damaged = |damage| self.catalog.damaged(key, damage);
        let about = view.about().map_err(damaged)?;
        let volumes = view.volumes().map_err(damaged)?;
        let volume = |device| {
            let known = volumes.iter().find(|volume| volume.device == device);
            known.copied().unwrap_or_default()
        };
        self.publish(key, &about, unread, builder, volume, cancel)
            .map(Some)
    }
}

impl Builder {
    /// Collects all entries of a view: what is sealed from it is what a scan that met the same
    /// entries would have given, byte for byte.
    ///
    /// # Errors
    /// [`BuildError::Damaged`], [`BuildError::Cancelled`], or as [`Builder::push`].
    pub fn of_view(view: &View, cancel: &CancelToken) -> Result<Builder, BuildError> {
        let mut builder = Builder::new();
        let mut unfolding = Unfolding::new(view);
        for piece in view.pieces() {
            for id in piece.ids.clone() {
                unfolding.entry(id)?;
                if unfolding.batch.len() >= BATCH as usize {
                    builder.push(&unfolding.batch)?;
                    unfolding.batch.clear();
                    if cancel.is_cancelled() {
                        return Err(BuildError::Cancelled);
                    }
                }
            }
        }
        builder.push(&unfolding.batch)?;
        Ok(builder)
    }
}

/// Entries in the order of paths on their way to a builder.
struct Unfolding<'v> {
    view: &'v View,
    batch: EntryBatch,
    /// The directories around the next entry: where each ends, and its number.
    open: Vec<(u32, DirId)>,
    place: u32,
    dirs: u32,
    name: Vec<u8>,
}

impl<'v> Unfolding<'v> {
    fn new(view: &'v View) -> Unfolding<'v> {
        Unfolding {
            view,
            batch: EntryBatch::new(),
            open: Vec::new(),
            place: 0,
            dirs: 0,
            name: Vec::new(),
        }
    }

    fn entry(&mut self, id: u32) -> Result<(), Damage> {
        let place = self.place;
        self.place += 1;
        while self.open.pop_if(|dir| dir.0 <= place).is_some() {}
        let flags = self.view.kind(id)?;
        self.name.clear();
        self.view.append_name(id, &mut self.name)?;
        let parent = self.open.last().map(|dir| dir.1);
        let dir = flags.is_dir().then_some(DirId(self.dirs));
        if let Some(dir) = dir {
            self.dirs += 1;
            self.open.push((self.view.subtree(id)?.end, dir));
            if flags.has(KindFlags::UNREAD) {
                self.batch.mark_unread(dir);
            }
        }
        let metadata = self.view.metadata(id)?;
        self.batch.push(BatchEntry {
            parent,
            dir,
            name: &self.name,
            kind: flags.kind(),
            has_acl: flags.has(KindFlags::ACL),
            is_mount: flags.has(KindFlags::MOUNT),
            is_broken: flags.has(KindFlags::BROKEN),
            excluded: flags.excluded(),
            metadata: metadata.as_ref(),
        });
        Ok(())
    }
}
