//! What a front-end asks on its user's behalf, in words that depend on the user, the moment and the
//! machine.

use groma_query::bound::Expr;
use groma_query::groups::Categories;

use crate::stats::Plan;

/// A question with a table for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Question {
    /// How much files of each category take.
    Types,
    /// How much was last changed when.
    Ages,
    /// How much each user owns.
    Owners,
    /// Which files have the same content.
    Duplicates,
}

/// Binds words to their meaning. Front-ends are handed one.
pub trait Ask: Send + Sync {
    /// A query.
    ///
    /// # Errors
    /// What is wrong with it, for people.
    fn filter(&self, text: &str) -> Result<Expr, String>;

    /// A question about what lies below a directory, and matches `filter` where there is one.
    ///
    /// # Errors
    /// What is wrong with the filter.
    fn plan(&self, question: Question, within: &[u8], filter: Option<&str>)
    -> Result<Plan, String>;

    /// The categories of files.
    fn categories(&self) -> &Categories;
}
