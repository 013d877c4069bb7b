//! Hard links in a changed tree: which entries a node has, and at which of them it is counted.
//!
//! Only nodes are looked at that have an entry in the delta, or in rows that are gone or elsewhere.

use std::collections::HashMap;
use std::collections::btree_map::{BTreeMap, Entry};

use super::order::Order;
use super::overlay::Overlay;
use crate::delta::Shown;
use crate::delta::state::Row;
use crate::error::Damage;
use crate::kinds::KindFlags;

/// Entries of the nodes whose entries may have changed.
#[derive(Debug, Default)]
pub(super) struct Nodes {
    /// Per node: its entries in the order of paths.
    entries: Vec<Vec<u32>>,
    /// The node of each of these entries.
    of: HashMap<u32, u32>,
}

impl Nodes {
    /// All entries of an entry's node, empty when it is the only one; `None` when the segment is
    /// right about it.
    pub(super) fn linked(&self, id: u32) -> Option<&[u32]> {
        let entries = self.entries.get(*self.of.get(&id)? as usize)?;
        Some(if entries.len() > 1 { entries } else { &[] })
    }
}

/// Device and inode.
type Key = (u64, u64);

/// Finds the nodes that may have changed.
pub(super) fn changed_nodes(
    shown: Shown<'_>,
    order: &Order,
    overlay: &Overlay,
) -> Result<Nodes, Damage> {
    let mut found = in_delta(shown, order)?;
    let touched = overlay.gone.iter().chain(&overlay.relocated);
    for rows in touched {
        for row in shown.segment.linked_in(rows.clone())? {
            if let Entry::Vacant(node) = found.entry(shown.segment.node(row)?) {
                node.insert(shown.segment.linked_rows(row)?);
            }
        }
    }
    let mut nodes = Nodes::default();
    for entries in found.into_values() {
        let placed = entries.into_iter();
        let placed = placed.filter_map(|id| order.place(id).map(|place| (place, id)));
        let mut placed: Vec<(u32, u32)> = placed.collect();
        placed.sort_unstable();
        let entries: Vec<u32> = placed.into_iter().map(|(_, id)| id).collect();
        let number = u32::try_from(nodes.entries.len()).unwrap_or(u32::MAX);
        nodes.of.extend(entries.iter().map(|&id| (id, number)));
        nodes.entries.push(entries);
    }
    Ok(nodes)
}

/// Nodes with an entry in the delta, with all their entries.
fn in_delta(shown: Shown<'_>, order: &Order) -> Result<BTreeMap<Key, Vec<u32>>, Damage> {
    let mut found: BTreeMap<Key, Vec<u32>> = BTreeMap::new();
    for (id, row) in (shown.segment.rows()..).zip(&shown.state.rows) {
        if let Some(key) = shared_node(row).filter(|_| order.place(id).is_some()) {
            found.entry(key).or_default().push(id);
        }
    }
    for (&(device, inode), entries) in &mut found {
        entries.extend(shown.segment.rows_of_node(device, inode)?);
    }
    Ok(found)
}

/// The node of an entry that may not be its only one.
fn shared_node(row: &Row) -> Option<Key> {
    let metadata = row.metadata.as_ref()?;
    let is_shared = !row.kind.is_dir() && metadata.links > 1;
    is_shared.then_some((metadata.id.device, metadata.id.inode))
}

/// Entries whose flags are not those that segment and delta have for them.
pub(super) fn changed_flags(
    shown: Shown<'_>,
    nodes: &Nodes,
) -> Result<HashMap<u32, KindFlags>, Damage> {
    let mut changed = HashMap::new();
    for entries in &nodes.entries {
        for (place, &id) in entries.iter().enumerate() {
            let old = shown.kind(id)?;
            let new = old
                .set(KindFlags::LINKED, entries.len() > 1)
                .set(KindFlags::COUNTED_ELSEWHERE, place > 0);
            if new != old {
                changed.insert(id, new);
            }
        }
    }
    Ok(changed)
}
