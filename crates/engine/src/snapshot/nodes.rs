//! Nodes that two trees may share: file systems of both by one number, rows by node.

use std::collections::HashMap;

use groma_base::{Kind, Timestamp};
use groma_catalog::{Damage, KindFlags, View, Volume};

/// What a node is recognised by: file system, inode, kind.
pub(super) type NodeKey = (u32, u64, Kind);

/// The file systems of two trees. Device numbers change from mount to mount, so that one counts as
/// the same by its UUID where it has one.
#[derive(Debug, Default)]
pub(super) struct FileSystems(Vec<Volume>);

impl FileSystems {
    fn number(&mut self, volume: &Volume) -> u32 {
        let is_it = |known: &Volume| match (known.uuid, volume.uuid) {
            ([0, ..], _) | (_, [0, ..]) if known.uuid == [0; 16] || volume.uuid == [0; 16] => {
                known.device == volume.device
            }
            (a, b) => a == b && known.subvolume == volume.subvolume,
        };
        let at = self.0.iter().position(is_it).unwrap_or_else(|| {
            self.0.push(*volume);
            self.0.len() - 1
        });
        // There are as many as there are mounts.
        u32::try_from(at).unwrap_or(u32::MAX)
    }
}

/// Rows of a tree by their nodes, for one tree.
pub(super) struct Nodes<'v> {
    view: &'v View,
    /// The number of each of the tree's file systems among those of both.
    volumes: HashMap<Volume2, u32>,
}

/// A file system as a key.
type Volume2 = (u64, u64, [u8; 16]);

fn key(volume: &Volume) -> Volume2 {
    (volume.device, volume.subvolume, volume.uuid)
}

impl<'v> Nodes<'v> {
    pub(super) fn new(view: &'v View, systems: &mut FileSystems) -> Result<Nodes<'v>, Damage> {
        let volumes = view.volumes()?;
        let numbered = volumes.iter().map(|v| (key(v), systems.number(v)));
        Ok(Nodes {
            view,
            volumes: numbered.collect(),
        })
    }

    /// The node of a row; `None` where it is not known.
    pub(super) fn of(&self, row: u32) -> Result<Option<NodeKey>, Damage> {
        let flags = self.view.kind(row)?;
        if flags.has(KindFlags::NO_METADATA) {
            return Ok(None);
        }
        let metadata = self.view.metadata(row)?;
        let volume = self.view.volume(row)?;
        let system = volume.and_then(|volume| self.volumes.get(&key(&volume)).copied());
        let inode = metadata.map_or(0, |m| m.id.inode);
        let node = system.map(|system| (system, inode, flags.kind()));
        Ok(node.filter(|_| inode != 0))
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
