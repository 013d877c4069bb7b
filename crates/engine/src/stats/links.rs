//! Hard links: at which of its entries a node's sizes are counted.
//!
//! It is the smallest path of those that were selected. The catalog tells that for whole views; for
//! a part of one it is worked out here, and so it is for a node with entries in several roots.

use std::collections::{HashMap, HashSet};

use groma_base::{CancelToken, Kind, Timestamp, compare_paths};
use groma_catalog::{Damage, KindFlags, SectionId, View, Volume};
use groma_query::select::Selection;

use super::batch::{Batch, parts};
use super::bits::Bits;
use super::error::ScanError;

/// Tells whether sizes are counted at an entry.
#[derive(Debug)]
pub(super) struct Counted {
    /// Which entries of nodes with several entries are counted; `None` where flags tell it.
    chosen: Option<Bits>,
    /// Entries whose node is counted in another root.
    elsewhere: HashSet<u32>,
}

impl Counted {
    /// For the selected entries of a view, or for all of them.
    pub(super) fn new(
        view: &View,
        selection: Option<&Selection>,
        cancel: &CancelToken,
    ) -> Result<Counted, ScanError> {
        let chosen = match selection {
            None if view.is_sealed() => None,
            _ => Some(choose(view, selection, cancel)?),
        };
        Ok(Counted {
            chosen,
            elsewhere: HashSet::new(),
        })
    }

    /// Flags without any of which an entry is known and its sizes are counted at it; `None` where
    /// flags do not tell.
    pub(super) fn in_doubt(&self) -> Option<u16> {
        let link = match &self.chosen {
            None => KindFlags::COUNTED_ELSEWHERE,
            Some(_) => KindFlags::LINKED,
        };
        let flags = KindFlags::NO_METADATA.number() | link.number();
        self.elsewhere.is_empty().then_some(flags)
    }

    /// Whether sizes are counted at this entry, which must be one of the selected.
    #[inline]
    pub(super) fn at(&self, id: u32, flags: KindFlags) -> bool {
        let is_first = match &self.chosen {
            None => !flags.has(KindFlags::COUNTED_ELSEWHERE),
            Some(chosen) => !flags.has(KindFlags::LINKED) || chosen.contains(id),
        };
        is_first && (self.elsewhere.is_empty() || !self.elsewhere.contains(&id))
    }
}

/// The selected entries in the order of paths.
pub(super) fn selected_ids<'a>(
    view: &'a View,
    selection: Option<&'a Selection>,
) -> Box<dyn Iterator<Item = u32> + 'a> {
    match selection {
        Some(selection) => Box::new(selection.in_order(view)),
        None => Box::new(view.pieces().iter().flat_map(|piece| piece.ids.clone())),
    }
}

/// For each node with several entries the first selected one.
fn choose(
    view: &View,
    selection: Option<&Selection>,
    cancel: &CancelToken,
) -> Result<Bits, ScanError> {
    let (mut chosen, mut settled) = (Bits::new(view.ids()), Bits::new(view.ids()));
    let (mut batch, mut numbers, mut kinds) = (Batch::new(view), Vec::new(), Vec::new());
    // Parts come in the order of paths, and so do the entries of each.
    for part in parts(view) {
        if cancel.is_cancelled() {
            return Err(ScanError::Cancelled);
        }
        batch.take(part, selection);
        batch.kinds(&mut numbers, &mut kinds)?;
        let linked = batch.ids.iter().zip(&kinds);
        let linked = linked.filter(|(_, flags)| flags.has(KindFlags::LINKED));
        for (&id, _) in linked {
            if !settled.contains(id) {
                chosen.insert(id);
                view.linked(id)?
                    .into_iter()
                    .for_each(|id| settled.insert(id));
            }
        }
    }
    Ok(chosen)
}

/// A node as it can be told apart in catalogs of several roots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Identity {
    uuid: [u8; 16],
    subvolume: u64,
    file_system: [u8; 16],
    /// Of a file system without UUID, of which no more is known.
    device: u64,
    inode: u64,
    links: u64,
    size: u64,
    modified: Timestamp,
}

/// One root with its selection and what is counted in it.
pub(super) type Part<'a> = (&'a View, Option<&'a Selection>, &'a mut Counted);

/// Sees to it that a node with entries in several roots is counted in one of them: at the smallest
/// path of all.
///
/// Returns the place in `parts` with the error.
pub(super) fn count_once(
    parts: &mut [Part<'_>],
    cancel: &CancelToken,
) -> Result<(), (usize, ScanError)> {
    if parts.len() < 2 {
        return Ok(());
    }
    let mut seen: HashMap<Identity, (usize, u32)> = HashMap::new();
    for at in 0..parts.len() {
        let (view, selection, counted) = &parts[at];
        let nodes = linked_nodes(view, *selection, counted, cancel).map_err(|e| (at, e))?;
        for (identity, id) in nodes {
            let Some(&(other, other_id)) = seen.get(&identity) else {
                seen.insert(identity, (at, id));
                continue;
            };
            let paths = path(parts[other].0, other_id)
                .and_then(|first| Ok((first, path(parts[at].0, id)?)))
                .map_err(|damage| (at, damage.into()))?;
            if compare_paths(&paths.0, &paths.1).is_le() {
                parts[at].2.elsewhere.insert(id);
            } else {
                parts[other].2.elsewhere.insert(other_id);
                seen.insert(identity, (at, id));
            }
        }
    }
    Ok(())
}

/// The counted entries of one root whose nodes have more links than the catalog has seen.
fn linked_nodes(
    view: &View,
    selection: Option<&Selection>,
    counted: &Counted,
    cancel: &CancelToken,
) -> Result<Vec<(Identity, u32)>, ScanError> {
    let (mut nodes, volumes) = (Vec::new(), view.volumes()?);
    let (mut batch, mut links) = (Batch::new(view), Vec::new());
    for part in parts(view) {
        if cancel.is_cancelled() {
            return Err(ScanError::Cancelled);
        }
        batch.take(part, selection);
        let is_stored = batch.is_stored();
        if is_stored {
            batch.packed(SectionId::Links, &mut links)?;
        }
        for (at, &id) in batch.ids.iter().enumerate() {
            if is_stored && links.get(at).is_some_and(|&links| links < 2) {
                continue;
            }
            let flags = view.kind(id)?;
            if flags.kind() == Kind::Dir || !counted.at(id, flags) {
                continue;
            }
            if let Some(identity) = identity(view, &volumes, id)? {
                nodes.push((identity, id));
            }
        }
    }
    Ok(nodes)
}

pub(super) fn identity(
    view: &View,
    volumes: &[Volume],
    id: u32,
) -> Result<Option<Identity>, Damage> {
    let Some(metadata) = view.metadata(id)?.filter(|metadata| metadata.links > 1) else {
        return Ok(None);
    };
    for volume in volumes {
        if volume.device == metadata.id.device {
            let is_known = volume.uuid != [0; 16];
            return Ok(Some(Identity {
                uuid: volume.uuid,
                subvolume: volume.subvolume,
                file_system: volume.file_system,
                device: if is_known { 0 } else { volume.device },
                inode: metadata.id.inode,
                links: metadata.links,
                size: metadata.size,
                modified: metadata.modified,
            }));
        }
    }
    Ok(None)
}

fn path(view: &View, id: u32) -> Result<Vec<u8>, Damage> {
    let mut path = Vec::new();
    view.append_path(id, &mut path)?;
    Ok(path)
}
