//! A listing: which rows, in which order, in which form.

use std::io::Write;

use groma_base::{CancelToken, Timestamp};
use groma_formats::table::{Shown, Table};
use groma_query::fields::Field;
use groma_query::groups::Categories;

use super::column::Frame;
use super::cutter::{InOrder, Sorted, Source};
use super::form::{Form, names};
use super::owners::Names;
use super::render::{Shared, Worker};
use super::sort::{SortKey, sorted};
use super::{Found, SearchError, parquet, pipeline};

/// Rows of a table that are aligned together.
const TABLE_ROWS: usize = 4096;

/// What is to be told of what was found, and how.
#[derive(Clone, Debug)]
pub struct Listing {
    /// What the rows look like.
    pub form: Form,
    /// What they are sorted by, then by path; nothing: by path.
    pub order: Vec<SortKey>,
    /// Whether numbers in texts that are sorted by count as numbers.
    pub natural: bool,
    /// Rows that are left out at the beginning.
    pub offset: u64,
    /// Most rows that are told.
    pub limit: Option<u64>,
    /// The time it is: ages depend on it.
    pub now: Timestamp,
    /// The user's own groups of extensions, which go before the built-in ones.
    pub groups: Vec<(String, Vec<String>)>,
    /// Threads that write rows; one more hands them over.
    pub threads: usize,
    /// Ends it early.
    pub cancel: CancelToken,
}

impl Found<'_> {
    /// Tells the rows. Answers how many there were.
    ///
    /// # Errors
    /// [`SearchError`]; what was written until then is part of the listing, in whole rows.
    pub fn write(
        &self,
        listing: &Listing,
        out: &mut (dyn Write + Send),
    ) -> Result<u64, SearchError> {
        let frame = Frame {
            now: listing.now,
            categories: Categories::new(&listing.groups),
        };
        let shared = Shared {
            found: self,
            frame: &frame,
            names: &Names::default(),
            cancel: &listing.cancel,
        };
        if listing.is_by_path() {
            let rows = InOrder::new(self, listing.offset, listing.limit);
            return self.tell(listing, &shared, rows, out);
        }
        let keep = listing
            .limit
            .map(|limit| limit.saturating_add(listing.offset));
        let mut rows = sorted(
            &shared,
            &listing.order,
            listing.natural,
            keep,
            listing.threads,
        )?;
        let offset = usize::try_from(listing.offset).unwrap_or(usize::MAX);
        rows.drain(..offset.min(rows.len()));
        self.tell(listing, &shared, Sorted::new(rows), out)
    }

    fn tell(
        &self,
        listing: &Listing,
        shared: &Shared<'_, '_>,
        mut rows: impl Source,
        out: &mut (dyn Write + Send),
    ) -> Result<u64, SearchError> {
        match &listing.form {
            Form::Parquet(columns) => parquet::tell(columns, shared, &mut rows, out),
            Form::Table(columns, shown) => tell_table(columns, shown, shared, &mut rows, out),
            form => {
                let few = listing.limit.unwrap_or(u64::MAX).min(self.total());
                pipeline::tell(form, shared, rows, few, listing.threads, out)
            }
        }
    }
}

impl Listing {
    /// How many rows from the first on are gone through; `None`: all of them, or not in the order of paths.
    pub fn most(&self) -> Option<u64> {
        let limit = self.limit.filter(|_| self.is_by_path())?;
        Some(limit.saturating_add(self.offset))
    }

    fn is_by_path(&self) -> bool {
        match &self.order[..] {
            [] => true,
            [first, ..] => first.field == Field::Path && !first.descending && !self.natural,
        }
    }
}

/// Writes a table. All widths of a part must be known before its first row is.
fn tell_table(
    columns: &[Field],
    shown: &Shown,
    shared: &Shared<'_, '_>,
    source: &mut impl Source,
    out: &mut (dyn Write + Send),
) -> Result<u64, SearchError> {
    let form = Form::Table(columns.to_vec(), shown.clone());
    let mut worker = Worker::new(shared, form.wants());
    let mut table = Table::new(&names(columns), shown.clone());
    let (mut rows, mut text, mut told) = (Vec::new(), Vec::new(), 0);
    loop {
        rows.clear();
        source.fill(TABLE_ROWS, &mut rows);
        worker.show(&rows, |row| {
            table.push_row(columns.iter().map(|field| row.value(*field)));
        })?;
        text.clear();
        table.render(&mut text);
        out.write_all(&text)?;
        told += rows.len() as u64;
        if rows.is_empty() {
            out.flush()?;
            return Ok(told);
        }
    }
}
