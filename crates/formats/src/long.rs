//! Listings in the manner of `ls -l`: mode, links, user, group, size, time, name, aligned.
//!
//! Sizes are rounded for people; devices show their numbers in place of a size. What is not known
//! is shown as `?`. A [`LongTable`] collects rows and writes them aligned, all at once or in
//! chunks: columns of a later chunk are never narrower than those of an earlier one.

mod cells;
mod mode;
mod time;

use groma_base::{Kind, Metadata, Timestamp};
use jiff::tz::TimeZone;

pub use mode::mode_string;
pub(crate) use time::push as push_time;

use crate::colour::{Looks, Painter, PathForm};
use cells::{Cells, Column};

/// What one row shows besides its name.
#[derive(Clone, Copy, Debug)]
pub struct LongRow<'a> {
    /// Kind, for the leading letter when there is no metadata.
    pub kind: Kind,
    /// Metadata, if it could be read.
    pub metadata: Option<&'a Metadata>,
    /// Name of the owning user; its number is shown where there is none.
    pub user: Option<&'a [u8]>,
    /// Name of the owning group; its number is shown where there is none.
    pub group: Option<&'a [u8]>,
    /// Whether access control lists are attached, which a `+` behind the mode says.
    pub has_acl: bool,
}

/// Rows that wait to be written aligned.
#[derive(Clone, Debug)]
pub struct LongTable {
    cells: Cells,
    now: Timestamp,
    zone: TimeZone,
}

impl LongTable {
    /// An empty table. Times are shown on the clocks of `zone`; those of the last six months
    /// before `now` with hour and minute, others with their year.
    pub fn new(now: Timestamp, zone: TimeZone) -> LongTable {
        LongTable {
            cells: Cells::default(),
            now,
            zone,
        }
    }

    /// Adds a row; `name` appends what stands at the end of its line, painted or not.
    pub fn push(&mut self, row: &LongRow<'_>, name: impl FnOnce(&mut Vec<u8>)) {
        match row.metadata {
            Some(metadata) => self.push_known(row, metadata),
            None => self.push_unknown(row.kind),
        }
        self.cells.put(Column::Name, name);
        self.cells.finish_row();
    }

    /// Number of rows that wait.
    pub fn len(&self) -> usize {
        self.cells.rows()
    }

    /// Whether no row waits.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends all rows, one a line, and forgets them; their widths stay the least for rows to
    /// come.
    pub fn render(&mut self, out: &mut Vec<u8>) {
        self.cells.render(out);
    }

    fn push_known(&mut self, row: &LongRow<'_>, metadata: &Metadata) {
        let cells = &mut self.cells;
        cells.put(Column::Mode, |out| {
            out.extend(mode_string(metadata.kind, metadata.mode));
            out.extend(row.has_acl.then_some(b'+'));
        });
        cells.put_number(Column::Links, metadata.links);
        cells.put_owner(Column::User, row.user, metadata.uid);
        cells.put_owner(Column::Group, row.group, metadata.gid);
        if matches!(metadata.kind, Kind::BlockDevice | Kind::CharDevice) {
            let (major, minor) = metadata.special;
            cells.put_number(Column::Major, u64::from(major));
            cells.put_number(Column::Minor, u64::from(minor));
        } else {
            let size = groma_base::size::human_size(metadata.size);
            cells.put(Column::Size, |out| out.extend_from_slice(size.as_bytes()));
        }
        cells.put(Column::Time, |out| {
            time::push(metadata.modified, self.now, &self.zone, out)
        });
    }

    fn push_unknown(&mut self, kind: Kind) {
        self.cells
            .put(Column::Mode, |out| out.extend(mode::unknown_mode(kind)));
        for column in [
            Column::Links,
            Column::User,
            Column::Group,
            Column::Size,
            Column::Time,
        ] {
            self.cells.put(column, |out| out.push(b'?'));
        }
    }
}

/// Appends ` -> target` behind the name of a symbolic link. `looks` tells what is there (`None`:
/// nothing) and matters only to a painter.
pub fn push_target(
    painter: Option<&Painter>,
    target: &[u8],
    looks: Option<&Looks>,
    form: &PathForm<'_>,
    out: &mut Vec<u8>,
) {
    out.extend_from_slice(b" -> ");
    match painter {
        Some(painter) => painter.paint_target(target, looks, form, out),
        None => form.push_text(target, out),
    }
}

#[cfg(test)]
mod tests;
