//! Entries of a view, one after the other, as columns want them.

use groma_base::{Metadata, Timestamp, basename, extension, fold_into};
use groma_catalog::{Damage, KindFlags, View};

use crate::column::Column;
use crate::spec::Cell;

/// Reads entries; its buffers are used again for the next one.
#[derive(Debug)]
pub(crate) struct Reader<'v> {
    view: &'v View,
    needs: Needs,
    kind: KindFlags,
    path: Vec<u8>,
    name: Vec<u8>,
    extension: Vec<u8>,
    metadata: Option<Metadata>,
    depth: u32,
}

/// What the columns of a file ask of an entry.
#[derive(Clone, Copy, Debug, Default)]
struct Needs {
    path: bool,
    name: bool,
    metadata: bool,
    depth: bool,
}

impl Needs {
    fn of(columns: &[Column]) -> Needs {
        let mut needs = Needs::default();
        for column in columns {
            match column {
                Column::Path => needs.path = true,
                Column::Name | Column::Extension => needs.name = true,
                Column::Depth => needs.depth = true,
                Column::Kind => {}
                _ => needs.metadata = true,
            }
        }
        needs
    }
}

impl<'v> Reader<'v> {
    /// For these columns.
    pub(crate) fn new(view: &'v View, columns: &[Column]) -> Reader<'v> {
        Reader {
            view,
            needs: Needs::of(columns),
            kind: KindFlags::default(),
            path: Vec::new(),
            name: Vec::new(),
            extension: Vec::new(),
            metadata: None,
            depth: 0,
        }
    }

    /// Reads what is needed of an entry.
    pub(crate) fn read(&mut self, id: u32) -> Result<(), Damage> {
        self.kind = self.view.kind(id)?;
        if self.needs.path {
            self.path.clear();
            self.view.append_path(id, &mut self.path)?;
        }
        if self.needs.name {
            self.read_name(id)?;
        }
        if self.needs.metadata {
            self.metadata = self.view.metadata(id)?;
        }
        if self.needs.depth {
            self.depth = self.view.depth(id)?;
        }
        Ok(())
    }

    fn read_name(&mut self, id: u32) -> Result<(), Damage> {
        self.name.clear();
        self.extension.clear();
        self.view.append_name(id, &mut self.name)?;
        if self.name.is_empty() {
            self.name.extend_from_slice(basename(self.view.root()));
        }
        fold_into(
            extension(&self.name).unwrap_or_default(),
            &mut self.extension,
        );
        Ok(())
    }

    /// What the entry has in a column.
    pub(crate) fn cell(&self, column: Column) -> Cell<'_> {
        let number = |of: fn(&Metadata) -> u64| self.known(|m| Cell::Number(of(m)));
        let time = |of: fn(&Metadata) -> Timestamp| self.known(|m| Cell::Time(of(m)));
        match column {
            Column::Path => Cell::Bytes(&self.path),
            Column::Name => Cell::Bytes(&self.name),
            Column::Extension => Cell::Bytes(&self.extension),
            Column::Kind => Cell::Bytes(self.kind.kind().word().as_bytes()),
            Column::Size => number(|m| m.size),
            Column::Allocated => number(|m| m.allocated),
            Column::Modified => time(|m| m.modified),
            Column::Accessed => time(|m| m.accessed),
            Column::Changed => time(|m| m.changed),
            Column::Created => self.known(|m| m.created.map_or(Cell::Absent, Cell::Time)),
            Column::Inode => number(|m| m.id.inode),
            Column::Links => number(|m| m.links),
            Column::Mode => number(|m| (m.mode & 0o7777).into()),
            Column::Uid => number(|m| m.uid.into()),
            Column::Gid => number(|m| m.gid.into()),
            Column::Depth => Cell::Number(self.depth.into()),
        }
    }

    fn known<'c>(&self, of: impl FnOnce(&Metadata) -> Cell<'c>) -> Cell<'c> {
        self.metadata.as_ref().map_or(Cell::Absent, of)
    }
}
