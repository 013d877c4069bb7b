//! Nodes that two trees may share: file systems of both by one number, rows by node.

use groma_base::{Kind, Timestamp};
use groma_catalog::{Damage, KindFlags, PackedColumn, SectionId, View, Volume};

/// What a node is recognised by: file system, inode, kind.
pub(super) type NodeKey = (u32, u64, Kind);

/// The file systems of two trees. Device numbers change from mount to mount, so that one counts as
/// the same by its UUID where both have one.
#[derive(Debug, Default)]
pub(super) struct FileSystems(Vec<Volume>);

impl FileSystems {
    fn number(&mut self, volume: &Volume) -> u32 {
        let is_known = |uuid: [u8; 16]| uuid != [0; 16];
        let is_it = |known: &Volume| match is_known(known.uuid) && is_known(volume.uuid) {
            true => known.uuid == volume.uuid && known.subvolume == volume.subvolume,
            false => known.device == volume.device,
        };
        let at = self.0.iter().position(is_it).unwrap_or_else(|| {
            self.0.push(*volume);
            self.0.len() - 1
        });
        // There are as many as there are mounts.
        u32::try_from(at).unwrap_or(u32::MAX)
    }
}

/// Rows of one tree, which is a whole segment, by their nodes.
pub(super) struct Nodes<'v> {
    view: &'v View,
    /// By number of a file system in this tree: its number among those of both.
    systems: Vec<u32>,
    inodes: PackedColumn<'v>,
    volumes: PackedColumn<'v>,
}

impl<'v> Nodes<'v> {
    pub(super) fn new(view: &'v View, systems: &mut FileSystems) -> Result<Nodes<'v>, Damage> {
        let volumes = view.volumes()?;
        let segment = view.segment();
        Ok(Nodes {
            view,
            systems: volumes
                .iter()
                .map(|volume| systems.number(volume))
                .collect(),
            inodes: segment.packed_column(SectionId::Inode)?,
            volumes: segment.packed_column(SectionId::Volume)?,
        })
    }

    /// The node of a row; `None` where it is not known.
    pub(super) fn of(&self, row: u32) -> Result<Option<NodeKey>, Damage> {
        let flags = self.view.kind(row)?;
        let inode = self.inodes.get(row as usize)?;
        if flags.has(KindFlags::NO_METADATA) || inode == 0 {
            return Ok(None);
        }
        let volume = usize::try_from(self.volumes.get(row as usize)?).unwrap_or(usize::MAX);
        let system = self.systems.get(volume);
        Ok(system.map(|&system| (system, inode, flags.kind())))
    }

    /// When the node was made; `None` where it is not known.
    pub(super) fn created(&self, row: u32) -> Result<Option<Timestamp>, Damage> {
        Ok(self.view.metadata(row)?.and_then(|m| m.created))
    }

    /// When its content was changed last.
    pub(super) fn modified(&self, row: u32) -> Result<Timestamp, Damage> {
        self.view.modified(row)
    }
}
