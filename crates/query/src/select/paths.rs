//! Tests of absolute paths without building them: the last component by names, those above it by
//! climbing, and what lies below a hit as a range of rows.

mod needle;
mod residue;

pub(crate) use residue::{PathTexts, required_text};

use super::SelectError;
use super::frame::Frame;
use super::set::{RowSet, joined};
use crate::pattern::{Form, Pattern, Place, Stands};
use needle::{Needle, Reach};

/// The rows below the root whose paths match.
pub(crate) enum Found {
    /// These and no others.
    These(RowSet),
    /// None but these; each has to be asked.
    Among(RowSet),
    /// Each has to be asked.
    Any,
}

/// Looks for the paths that a pattern matches.
pub(crate) fn matching(frame: &Frame<'_>, pattern: &Pattern) -> Result<Found, SelectError> {
    let find = |place, text: &[u8], fold| find(frame, place, text, fold);
    match pattern.form() {
        Form::Everything => Ok(Found::These(everything(frame))),
        Form::Plain(plain) => {
            let (place, text) = match plain.stands {
                Stands::Anywhere(text) => (Place::Anywhere, text),
                Stands::AtStart(text) | Stands::Around(text, _) => (Place::Start, text),
                Stands::AtEnd(text) => (Place::End, text),
                Stands::Alone(text) => (Place::Whole, text),
            };
            let rows = find(place, text, plain.fold)?;
            let is_all = !plain.no_slash && !matches!(plain.stands, Stands::Around(..));
            Ok(if is_all || place == Place::Whole {
                Found::These(rows)
            } else {
                Found::Among(rows)
            })
        }
        Form::Regex { text, fold, .. } => match required_text(text, fold) {
            Some(text) => Ok(Found::Among(find(Place::Anywhere, &text, true)?)),
            None => Ok(Found::Any),
        },
    }
}

/// All rows below the root, also those that columns do not answer for: these may be directories of
/// rows for which they do.
fn everything(frame: &Frame<'_>) -> RowSet {
    let below = 1..frame.rows.max(1);
    RowSet::Ranges(joined(vec![below]))
}

/// The rows whose paths have a plain text at a place.
fn find(frame: &Frame<'_>, place: Place, text: &[u8], fold: bool) -> Result<RowSet, SelectError> {
    if text.is_empty() && place != Place::Whole {
        return Ok(everything(frame));
    }
    // Paths begin with a slash and have no NUL.
    let from_top = matches!(place, Place::Start | Place::Whole);
    if text.contains(&0) || (from_top && !text.starts_with(b"/")) || text.is_empty() {
        return Ok(RowSet::none());
    }
    let root = needle::root_text(frame, fold);
    let with_slash = [&root[..], b"/"].concat();
    let text = if fold {
        groma_base::folded(text)
    } else {
        text.to_vec()
    };
    let is_in_root = match place {
        Place::Anywhere => memchr::memmem::find(&with_slash, &text).is_some(),
        Place::Start => with_slash.starts_with(&text),
        Place::End | Place::Whole => false,
    };
    if is_in_root {
        return Ok(everything(frame));
    }
    let reach = match place {
        Place::Anywhere | Place::Start if text.ends_with(b"/") => Reach::Below,
        Place::Anywhere | Place::Start => Reach::WithAllBelow,
        Place::End | Place::Whole if text.ends_with(b"/") => return Ok(RowSet::none()),
        Place::End | Place::Whole => Reach::Alone,
    };
    let text = text.strip_suffix(b"/").unwrap_or(&text);
    Needle::new(frame, text, from_top, reach, fold, &root)?.rows(frame)
}
