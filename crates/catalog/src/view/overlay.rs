//! What follows from the changes of a view.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::sync::Arc;

use super::layout::Layout;
use super::links::Nodes;
use super::order::Order;
use super::sums::DirSums;
use super::{links, sums};
use crate::delta::Shown;
use crate::delta::state::State;
use crate::error::Damage;
use crate::kinds::KindFlags;
use crate::segment::Segment;

/// What a view knows beyond segment and changes.
#[derive(Debug)]
pub(super) struct Overlay {
    /// Of directories with changes below them: the place after the last entry below.
    pub(super) ends: HashMap<u32, u32>,
    /// Rows of the segment that are not shown.
    pub(super) gone: Vec<Range<u32>>,
    /// Rows of the segment that are shown elsewhere, ascending.
    pub(super) relocated: Vec<Range<u32>>,
    /// Other rows of the segment that are not what the segment says.
    pub(super) revised: Vec<u32>,
    /// Flags that changed because of the node's other entries.
    pub(super) flags: HashMap<u32, KindFlags>,
    pub(super) nodes: Nodes,
    /// How many entries have a name that the delta gave them.
    pub(super) names: HashMap<Arc<[u8]>, u32>,
    /// What lies below directories where that has changed.
    pub(super) dirs: HashMap<u32, DirSums>,
}

impl Overlay {
    /// Works out what follows from the changes and their layout.
    pub(super) fn new(
        segment: &Segment,
        state: &State,
        layout: Layout,
        order: &Order,
    ) -> Result<Overlay, Damage> {
        let shown = Shown { segment, state };
        let mut relocated = layout.relocated;
        relocated.sort_unstable_by_key(|rows| rows.start);
        let mut overlay = Overlay {
            ends: layout.ends,
            gone: order.missing(segment.rows()),
            relocated,
            revised: Vec::new(),
            flags: HashMap::new(),
            nodes: Nodes::default(),
            names: given_names(shown, order),
            dirs: HashMap::new(),
        };
        overlay.nodes = links::changed_nodes(shown, order, &overlay)?;
        overlay.flags = links::changed_flags(shown, &overlay.nodes)?;
        overlay.dirs = sums::changed_dirs(shown, order, &overlay.flags)?;
        overlay.revised = overlay.revised_rows(shown, order);
        Ok(overlay)
    }

    fn revised_rows(&self, shown: Shown<'_>, order: &Order) -> Vec<u32> {
        let rows = shown.segment.rows();
        let marked = shown.state.unread.keys();
        let all = marked.chain(self.flags.keys()).chain(self.dirs.keys());
        let live = all.filter(|&&id| id < rows && order.place(id).is_some());
        let revised: BTreeSet<u32> = live.copied().collect();
        revised.into_iter().collect()
    }

    /// Kind and flags of an entry.
    pub(super) fn kind(&self, shown: Shown<'_>, id: u32) -> Result<KindFlags, Damage> {
        match self.flags.get(&id) {
            Some(&flags) => Ok(flags),
            None => shown.kind(id),
        }
    }
}

/// Names that entries were put or moved under, each with the number of entries that have it so.
fn given_names(shown: Shown<'_>, order: &Order) -> HashMap<Arc<[u8]>, u32> {
    let rows = (shown.segment.rows()..).zip(&shown.state.rows);
    let rows = rows.map(|(id, row)| (id, &row.link));
    let moved = shown.state.moved.iter().map(|(&id, link)| (id, link));
    let mut names = HashMap::new();
    for (_, link) in rows
        .chain(moved)
        .filter(|(id, _)| order.place(*id).is_some())
    {
        *names.entry(Arc::clone(&link.name)).or_insert(0) += 1;
    }
    names
}
