//! A view: a frozen reading of one root of a catalog, cheap to clone.
//!
//! Every entry of a view has an *id*. Ids below the number of rows of the segment are rows of the
//! segment; whoever wants columns takes them from there. Ids above are entries of the delta. The
//! order of paths is told by *pieces*: ranges of ids, one after the other. A view of a segment alone
//! is one piece, and ids are rows.
//!
//! Whoever runs over columns of the segment leaves out the rows that are [gone](View::gone), and asks
//! entry by entry for those that are [relocated](View::relocated) (name of the first, path, depth and
//! place differ) or [revised](View::revised) (flags, or what lies below), and for the entries of the
//! delta.

mod dirs;
mod entry;
mod layout;
mod links;
mod order;
mod overlay;
mod places;
mod reader;
mod recount;
mod rows;
mod sums;

use std::ops::Range;
use std::sync::Arc;

pub use dirs::Stamp;
pub use entry::StoredEntry;
pub use order::Piece;
pub use reader::{EntryNames, MetadataReader};

use crate::about::{About, Volume};
use crate::delta::state::State;
use crate::delta::{Delta, Shown};
use crate::error::Damage;
use crate::segment::Segment;
use layout::{Layout, lay_out};
use order::Order;
use overlay::Overlay;

/// A delta is folded when its entries and the rows shown elsewhere are more than one in this many of
/// the rows of the segment: they are asked one by one, which takes some ten times as long.
pub const FOLD_FRACTION: u32 = 16;
/// Below this many, folding is not worth a new file.
pub const FOLD_LEAST: u32 = 4096;

/// A frozen reading of one root of a catalog.
#[derive(Clone, Debug)]
pub struct View(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    segment: Arc<Segment>,
    /// Absolute path of the root.
    root: Vec<u8>,
    order: Order,
    /// The changes, as they were when the view was made.
    state: Arc<State>,
    /// What follows from them; `None` when there are none.
    overlay: Option<Overlay>,
}

impl View {
    /// All rows of a segment.
    ///
    /// # Errors
    /// [`Damage`] when the segment does not tell its root.
    pub fn sealed(segment: Arc<Segment>) -> Result<View, Damage> {
        View::unchanged(segment, Arc::default())
    }

    /// All rows of a segment, in which nothing has changed.
    fn unchanged(segment: Arc<Segment>, state: Arc<State>) -> Result<View, Damage> {
        let rows = 0..segment.rows();
        let ranges = Some(rows).filter(|rows| !rows.is_empty());
        Ok(View(Arc::new(Inner {
            root: segment.about()?.root,
            order: Order::new(ranges.into_iter().collect()),
            state,
            overlay: None,
            segment,
        })))
    }

    /// A segment with its changes.
    pub(crate) fn of(delta: &Delta) -> Result<View, Damage> {
        let segment = Arc::clone(delta.shared_segment());
        if delta.state().is_unchanged() {
            return View::unchanged(segment, Arc::clone(delta.state()));
        }
        let shown = delta.shown();
        let layout = lay_out(shown)?;
        View::changed(segment, delta.state(), layout)
    }

    fn changed(
        segment: Arc<Segment>,
        state: &Arc<State>,
        mut layout: Layout,
    ) -> Result<View, Damage> {
        let order = Order::new(std::mem::take(&mut layout.ranges));
        let overlay = Overlay::new(&segment, state, layout, &order)?;
        Ok(View(Arc::new(Inner {
            root: segment.about()?.root,
            order,
            state: Arc::clone(state),
            overlay: Some(overlay),
            segment,
        })))
    }

    /// The same without the subtree of an entry, itself included: another root shows it. Totals are
    /// those of what is left.
    ///
    /// # Errors
    /// [`Damage`] met on the way.
    pub fn without(&self, id: u32) -> Result<View, Damage> {
        if self.place(id).is_none() {
            return Ok(self.clone());
        }
        let segment = Arc::clone(&self.0.segment);
        if self.place(id) == Some(0) {
            return View::changed(segment, &self.0.state, Layout::default());
        }
        let state = Arc::new(crate::delta::without(&segment, &self.0.state, id)?);
        let layout = lay_out(Shown {
            segment: &segment,
            state: &state,
        })?;
        View::changed(segment, &state, layout)
    }

    fn overlay(&self) -> Option<&Overlay> {
        self.0.overlay.as_ref()
    }

    /// Segment and changes.
    fn shown(&self) -> Shown<'_> {
        Shown {
            segment: &self.0.segment,
            state: &self.0.state,
        }
    }

    /// The segment that ids below its number of rows are rows of.
    pub fn segment(&self) -> &Segment {
        &self.0.segment
    }

    /// The same, to be kept.
    pub fn shared_segment(&self) -> Arc<Segment> {
        Arc::clone(&self.0.segment)
    }

    /// Absolute path of the root.
    pub fn root(&self) -> &[u8] {
        &self.0.root
    }

    /// Root, source, and the time of the scan that found the last changes.
    ///
    /// # Errors
    /// [`Damage`] when the segment does not tell.
    pub fn about(&self) -> Result<About, Damage> {
        let mut about = self.segment().about()?;
        if let Some((begun, ended)) = self.0.state.scanned {
            (about.begun, about.ended) = (begun, ended);
        }
        Ok(about)
    }

    /// The file systems that entries may lie in.
    ///
    /// # Errors
    /// [`Damage`] when the segment has not as many as it says.
    pub fn volumes(&self) -> Result<Vec<Volume>, Damage> {
        let numbers = 0..self.segment().volume_count();
        let volumes = numbers.map(|number| self.segment().volume(number));
        let mut volumes = volumes.collect::<Result<Vec<_>, _>>()?;
        volumes.extend_from_slice(&self.0.state.volumes);
        Ok(volumes)
    }

    /// How many entries there are.
    pub fn len(&self) -> u32 {
        self.0.order.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Every id is below this; not every number below this is an entry of the view.
    pub fn ids(&self) -> u32 {
        self.delta_ids().end
    }

    /// The ids of entries of the delta. Not each of them is an entry of the view: see
    /// [`View::place`].
    pub fn delta_ids(&self) -> Range<u32> {
        let rows = self.segment().rows();
        // Every id is below the largest number of rows.
        let more = u32::try_from(self.0.state.rows.len()).unwrap_or(u32::MAX);
        rows..rows.saturating_add(more)
    }

    /// Whether the view is a segment and nothing else: ids, rows and places are the same.
    pub fn is_sealed(&self) -> bool {
        self.0.overlay.is_none()
    }

    /// Rows of the segment that are no entries of the view, as ascending ranges.
    pub fn gone(&self) -> &[Range<u32>] {
        self.overlay().map_or(&[], |overlay| &overlay.gone)
    }

    /// Rows of the segment that are shown below another directory or under another name, as
    /// ascending ranges. What a segment has in columns is right for them, but for the name of the
    /// row that was moved.
    pub fn relocated(&self) -> &[Range<u32>] {
        self.overlay().map_or(&[], |overlay| &overlay.relocated)
    }

    /// Rows of the segment, ascending, whose flags or totals or entries are not those that the
    /// segment has: directories with changes below them, and files whose other links have changed.
    pub fn revised(&self) -> &[u32] {
        self.overlay().map_or(&[], |overlay| &overlay.revised)
    }

    /// Whether so much has changed that a new segment is worth its writing.
    pub fn is_fold_due(&self) -> bool {
        let delta = self.delta_ids();
        let relocated = self.relocated().iter().map(|rows| rows.end - rows.start);
        let asked = u64::from(delta.end - delta.start) + relocated.map(u64::from).sum::<u64>();
        let rows = u64::from(self.segment().rows());
        asked > u64::from(FOLD_LEAST) && asked * u64::from(FOLD_FRACTION) > rows
    }

    /// The entries in the order of paths.
    pub fn pieces(&self) -> &[Piece] {
        self.0.order.pieces()
    }
}
