//! `find --list-details`: hits like `ls -l`, in order and aligned.

use std::sync::{Mutex, PoisonError};

use groma_base::time::TimeZone;
use groma_base::{Facts, Kind, Metadata, Timestamp, compare_paths};
use groma_formats::colour::{Looks, Painter};
use groma_formats::long::{LongRow, LongTable, push_target};
use groma_walk::rules::RuleError;

use super::collect::{Collector, Verdict};
use super::entry::LiveEntry;
use super::names::IdCache;
use super::order::{Key, Order};
use super::render::{Renderer, Style};
use super::run::{FindRequest, Search};
use super::sink::{Outcome, Outlet, Sink};

/// How a long listing is written.
pub struct LongListing {
    /// How names are written.
    pub renderer: Renderer,
    /// The time it is, which decides how times are shown.
    pub now: Timestamp,
    /// The time zone that times are shown in.
    pub zone: TimeZone,
}

struct Row {
    /// What it is sorted by, before its path.
    key: Key,
    path: Vec<u8>,
    kind: Kind,
    metadata: Option<Metadata>,
    has_acl: bool,
    name: Vec<u8>,
}

/// Searches, and tells the hits as a long listing; where no order is asked for, in that of paths.
///
/// # Errors
/// When a rule that was asked for cannot be read.
pub fn list(
    request: FindRequest,
    listing: &LongListing,
    sink: &dyn Sink,
) -> Result<Outcome, RuleError> {
    let outlet = Outlet::new(sink, request.cancel.clone(), request.limit);
    let order = request.order;
    let search = Search::prepare(request, &outlet)?;
    let rows = Mutex::new(Vec::new());
    let collector = |_| Rows {
        outlet: &outlet,
        listing,
        order,
        all: &rows,
        own: Vec::new(),
    };
    search
        .collect(collector)
        .into_iter()
        .for_each(|mut rows| rows.idle());
    let mut rows = rows.into_inner().unwrap_or_else(PoisonError::into_inner);
    rows.sort_by(|a: &Row, b: &Row| {
        let by_path = || compare_paths(&a.path, &b.path);
        a.key.cmp(&b.key).then_with(by_path)
    });
    outlet.count(rows.len() as u64);
    outlet.write(&render(&rows, listing));
    let notes = search.notes.clone();
    Ok(outlet.into_outcome(notes))
}

fn render(rows: &[Row], listing: &LongListing) -> Vec<u8> {
    let (users, groups) = (IdCache::users(), IdCache::groups());
    let mut table = LongTable::new(listing.now, listing.zone.clone());
    for row in rows {
        let user = row.metadata.as_ref().and_then(|meta| users.name(meta.uid));
        let group = row.metadata.as_ref().and_then(|meta| groups.name(meta.gid));
        let long = LongRow {
            kind: row.kind,
            metadata: row.metadata.as_ref(),
            user: user.as_deref().map(str::as_bytes),
            group: group.as_deref().map(str::as_bytes),
            has_acl: row.has_acl,
        };
        table.push(&long, |out| out.extend_from_slice(&row.name));
    }
    let mut out = Vec::new();
    table.render(&mut out);
    out
}

/// One worker's rows.
struct Rows<'a> {
    outlet: &'a Outlet<'a>,
    listing: &'a LongListing,
    order: Order,
    all: &'a Mutex<Vec<Row>>,
    own: Vec<Row>,
}

impl Rows<'_> {
    fn push(&mut self, entry: &LiveEntry<'_>) {
        if !self.outlet.admit() {
            return;
        }
        let renderer = &self.listing.renderer;
        let mut name = Vec::new();
        renderer.render_text(entry, &mut name);
        if let Some(target) = entry.link_target() {
            let (painter, looks) = match &renderer.style {
                Style::Painted(painter) => (Some(&**painter), target_looks(painter, entry)),
                _ => (None, None),
            };
            push_target(
                painter,
                &target,
                looks.as_ref(),
                &renderer.form(),
                &mut name,
            );
        }
        let key = match self.order {
            Order::Arrival | Order::Path => Key::None,
            Order::By(field) => field.key(entry),
            Order::Breadth => Key::Number(entry.depth.into()),
        };
        self.own.push(Row {
            key,
            path: entry.path().into_owned(),
            kind: entry.kind,
            metadata: entry.metadata().cloned(),
            has_acl: entry.has_acl(),
            name,
        });
    }
}

/// What a link leads to, as far as colours go; `None` when it leads nowhere.
fn target_looks(painter: &Painter, entry: &LiveEntry<'_>) -> Option<Looks> {
    let meta = entry.target_metadata().ok()?;
    let mut looks = Looks::of_kind(meta.kind);
    if painter.needs_metadata(meta.kind) {
        looks.mode = Some(meta.mode);
        looks.links = Some(meta.links);
    }
    Some(looks)
}

impl Collector for Rows<'_> {
    fn take(&mut self, entry: &LiveEntry<'_>, verdict: Verdict, _descends: bool) -> u64 {
        if verdict == Verdict::Hit {
            self.push(entry);
        }
        0
    }

    fn take_late(&mut self, _tag: u64, entry: &LiveEntry<'_>) {
        self.push(entry);
    }

    fn idle(&mut self) {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        all.append(&mut self.own);
    }
}
