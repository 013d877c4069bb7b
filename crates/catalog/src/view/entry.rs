//! One stored entry, asked for its facts.

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};

use groma_base::{ChildCounts, Facts, Kind, Metadata, SubtreeTotals};

use super::View;
use crate::error::Damage;
use crate::kinds::KindFlags;

/// An entry of a view, for whoever asks row by row.
#[derive(Debug)]
pub struct StoredEntry<'v> {
    view: &'v View,
    id: u32,
    flags: KindFlags,
    name: Vec<u8>,
    path: OnceCell<Vec<u8>>,
    metadata: OnceCell<Option<Metadata>>,
    damage: RefCell<Option<Damage>>,
}

impl<'v> StoredEntry<'v> {
    /// The entry with this id.
    ///
    /// # Errors
    /// [`Damage`] when there is no such entry.
    pub fn new(view: &'v View, id: u32) -> Result<StoredEntry<'v>, Damage> {
        let mut name = Vec::new();
        view.append_name(id, &mut name)?;
        if name.is_empty() {
            name.extend_from_slice(groma_base::basename(view.root()));
        }
        Ok(StoredEntry {
            view,
            id,
            flags: view.kind(id)?,
            name,
            path: OnceCell::new(),
            metadata: OnceCell::new(),
            damage: RefCell::new(None),
        })
    }

    /// What was found damaged while facts were asked for; such facts are not known.
    pub fn damage(&self) -> Option<Damage> {
        self.damage.borrow().clone()
    }

    fn or_note<T>(&self, told: Result<T, Damage>) -> Option<T> {
        told.map_err(|damage| *self.damage.borrow_mut() = Some(damage))
            .ok()
    }

    fn counts(&self) -> Result<Option<ChildCounts>, Damage> {
        if !self.flags.is_dir() || self.flags.has(KindFlags::UNREAD) {
            return Ok(None);
        }
        let mut counts = ChildCounts::default();
        for child in self.view.children(self.id)? {
            match self.view.kind(child)?.is_dir() {
                true => counts.dirs += 1,
                false => counts.files += 1,
            }
        }
        Ok(Some(counts))
    }
}

impl Facts for StoredEntry<'_> {
    fn name(&self) -> &[u8] {
        &self.name
    }

    fn path(&self) -> Cow<'_, [u8]> {
        self.absolute_path()
    }

    fn absolute_path(&self) -> Cow<'_, [u8]> {
        let path = self.path.get_or_init(|| {
            let mut path = Vec::new();
            self.or_note(self.view.append_path(self.id, &mut path));
            path
        });
        Cow::Borrowed(path)
    }

    fn root(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(self.view.root())
    }

    fn kind(&self) -> Kind {
        self.flags.kind()
    }

    fn depth(&self) -> u32 {
        self.or_note(self.view.depth(self.id)).unwrap_or_default()
    }

    fn metadata(&self) -> Option<&Metadata> {
        let metadata = self
            .metadata
            .get_or_init(|| self.or_note(self.view.metadata(self.id))?);
        metadata.as_ref()
    }

    fn is_empty(&self) -> Option<bool> {
        match self.kind() {
            Kind::Dir => self
                .child_counts()
                .map(|counts| counts.files + counts.dirs == 0),
            Kind::File => self.metadata().map(|m| m.size == 0),
            _ => Some(false),
        }
    }

    fn child_counts(&self) -> Option<ChildCounts> {
        self.or_note(self.counts())?
    }

    fn is_broken_link(&self) -> Option<bool> {
        match self.kind() {
            Kind::Symlink => Some(self.flags.has(KindFlags::BROKEN)),
            _ => Some(false),
        }
    }

    fn is_mount_point(&self) -> Option<bool> {
        Some(self.flags.has(KindFlags::MOUNT))
    }

    fn is_executable(&self) -> Option<bool> {
        match self.kind() {
            Kind::File => self.metadata().map(Metadata::any_execute_bit),
            _ => Some(false),
        }
    }

    fn subtree_totals(&self) -> Option<SubtreeTotals> {
        if self.flags.has(KindFlags::UNREAD) {
            return None;
        }
        let totals = self.or_note(self.view.totals(self.id))??;
        Some(SubtreeTotals {
            items: totals.entries.into(),
            size: totals.below.size,
            allocated: totals.below.allocated,
        })
    }

    fn shares_name(&self) -> Option<bool> {
        self.or_note(self.view.shares_name(self.id))
    }

    fn was_unreadable(&self) -> Option<bool> {
        Some(self.flags.has(KindFlags::NO_METADATA) || self.flags.has(KindFlags::UNREAD))
    }

    fn volume(&self) -> Option<Cow<'_, [u8]>> {
        let volume = self.or_note(self.view.volume(self.id))??;
        Some(Cow::Owned(volume.words().into_bytes()))
    }

    fn windows_attributes(&self) -> Option<u32> {
        let volume = self.or_note(self.view.volume(self.id))??;
        volume.has_no_windows_attributes().then_some(0)
    }
}
