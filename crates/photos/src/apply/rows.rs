//! The rows of a plan, wherever they are kept.

use crate::plan::{Header, Row};

/// Why a row could not be read.
pub type RowsError = Box<dyn std::error::Error + Send + Sync>;

/// A plan that can be read by several threads.
pub trait Rows: Sync {
    /// What holds for all rows.
    fn header(&self) -> &Header;

    /// How many there are; they are numbered from 0 on.
    fn len(&self) -> u32;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The row of this number.
    ///
    /// # Errors
    /// When what keeps the plan is damaged, or has no such row.
    fn row(&self, number: u32) -> Result<Row, RowsError>;
}

impl Rows for (Header, Vec<Row>) {
    fn header(&self) -> &Header {
        &self.0
    }

    fn len(&self) -> u32 {
        u32::try_from(self.1.len()).unwrap_or(u32::MAX)
    }

    fn row(&self, number: u32) -> Result<Row, RowsError> {
        let row = usize::try_from(number).ok().and_then(|n| self.1.get(n));
        row.cloned()
            .ok_or_else(|| format!("the plan has no row {number}").into())
    }
}
