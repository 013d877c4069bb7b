//! How many entries match, and the first of them: where lists of rows tell, nothing else is read.

use groma_base::FOLD_VERSION;
use groma_catalog::{FirstRows, View};

use super::explain::{Clock, Explain, Steps, describe};
use super::filter::evaluate;
use super::frame::Frame;
use super::names::{self, Ask, NameSet};
use super::texts::in_dictionary;
use super::{Run, SelectError, Selection, planned};
use crate::bound::{Expr, Test, TextField};
use crate::pattern::{Extensions, Form, Stands};

/// With more rows than this, looking for the least of them is no gain.
const MOST: u64 = 4096;

/// What matches, as far as it was asked for.
#[derive(Clone, Debug)]
pub struct First {
    /// How many entries match.
    pub count: u32,
    /// The first of them in the order of paths, as many as were asked for, or more.
    pub selection: Selection,
}

/// How many entries of a view match, and at least the first `most` of them in the order of paths.
///
/// # Errors
/// [`SelectError`].
pub fn first_explained(
    expr: &Expr,
    view: &View,
    run: &Run,
    most: u64,
    clock: &Clock<'_>,
) -> Result<(First, Explain), SelectError> {
    if let Some(found) = by_lists(expr, view, run, most, Steps::new(clock, true))? {
        return Ok(found);
    }
    let (selection, explain) = planned(expr, view, run, Steps::new(clock, true))?;
    let count = selection.count();
    Ok((First { count, selection }, explain))
}

/// The answer to one test whose rows are listed, on a view that is its segment alone: there the order
/// of rows is that of paths.
fn by_lists(
    expr: &Expr,
    view: &View,
    run: &Run,
    most: u64,
    mut steps: Steps<'_>,
) -> Result<Option<(First, Explain)>, SelectError> {
    let Expr::Test(test) = expr else {
        return Ok(None);
    };
    if most > MOST || !view.is_sealed() || view.segment().fold_version() != FOLD_VERSION {
        return Ok(None);
    }
    let frame = Frame::new(view, run)?;
    let step = steps.begin(describe(test, true));
    let Some(found) = listed(&frame, test, most as usize)? else {
        return Ok(None);
    };
    steps.prepared(step);
    let mut count = u32::try_from(found.count).unwrap_or(u32::MAX);
    let mut rows = found.rows;
    // The name of the root is that of its path, which no list has.
    if evaluate(&frame, expr, 0)? == Some(true) {
        count = count.saturating_add(1);
        rows.insert(0, 0);
    }
    let selection = Selection::of_sorted(rows, view.ids());
    Ok(Some((First { count, selection }, steps.explain(1))))
}

/// The rows of a test that are listed by name or by extension; none of these lists has the root in it.
fn listed(frame: &Frame<'_>, test: &Test, most: usize) -> Result<Option<FirstRows>, SelectError> {
    match test {
        Test::Extension(extensions) => by_extension(frame, extensions, most),
        Test::Text(TextField::Name, text) => {
            let Form::Plain(plain) = text.pattern.form() else {
                return Ok(None);
            };
            let is_range = match plain.stands {
                Stands::Alone(text) => !text.is_empty(),
                Stands::AtStart(text) => !text.is_empty() && plain.fold,
                _ => false,
            };
            if !is_range {
                return Ok(None);
            }
            match names::matching(frame, Ask::Name(&text.pattern))? {
                NameSet::Range(range) => Ok(Some(frame.names.first_rows(range, most)?)),
                _ => Ok(None),
            }
        }
        _ => Ok(None),
    }
}

fn by_extension(
    frame: &Frame<'_>,
    extensions: &Extensions,
    most: usize,
) -> Result<Option<FirstRows>, SelectError> {
    let dictionary = frame.segment.extensions()?;
    let mut numbers = Vec::new();
    for text in extensions.texts() {
        match in_dictionary(text) {
            Some(folded) => numbers.extend(dictionary.find(&folded)?),
            None => return Ok(None),
        }
    }
    numbers.sort_unstable();
    numbers.dedup();
    Ok(Some(dictionary.first_rows(&numbers, most)?))
}
