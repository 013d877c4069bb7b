//! A text with slashes in it, component by component.

use std::ops::Range;

use groma_base::folded;

use crate::pattern::{Pattern, Place};
use crate::select::SelectError;
use crate::select::frame::Frame;
use crate::select::names::{self, Ask, NameSet, raw_into};
use crate::select::parallel::in_pieces;
use crate::select::rows_of::rows_of;
use crate::select::set::{RowSet, joined};

/// Rows of one piece of work.
const ROWS: usize = if cfg!(test) { 16 } else { 8192 };
/// With more rows than this, the ends of all directories are read at once.
const MANY: usize = if cfg!(test) { 40 } else { 2000 };

/// What an entry stands for whose own path ends in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// Itself.
    Alone,
    /// Itself and all below it, whose paths hold the text too.
    WithAllBelow,
    /// All below it: the text ends in a slash.
    Below,
}

/// A text to be found in paths, whose last component is matched by names.
pub(super) struct Needle {
    /// Names that the last component may have.
    last: NameSet,
    /// Names that those between the first and the last may have, from the top.
    between: Vec<Range<u32>>,
    /// How the first one must end, when there are several.
    first: Option<Vec<u8>>,
    /// Whether the text begins at the top of the path.
    from_top: bool,
    /// Whether the text up to a component fits the path of the root, by the number of components
    /// before it.
    root_fits: Vec<bool>,
    reach: Reach,
    fold: bool,
}

/// The root's path as texts are compared with it: without a slash at its end.
pub(super) fn root_text(frame: &Frame<'_>, fold: bool) -> Vec<u8> {
    let root = frame.view.root();
    let root = root.strip_suffix(b"/").unwrap_or(root);
    if fold { folded(root) } else { root.to_vec() }
}

impl Needle {
    /// `text` is folded if case is ignored, and `root` with it.
    pub(super) fn new(
        frame: &Frame<'_>,
        text: &[u8],
        from_top: bool,
        reach: Reach,
        fold: bool,
        root: &[u8],
    ) -> Result<Needle, SelectError> {
        let parts: Vec<&[u8]> = text.split(|&byte| byte == b'/').collect();
        // Splitting gives one part at least.
        let (last, above) = parts.split_last().map_or((text, &[][..]), |(l, a)| (*l, a));
        let (first, between) = match above.split_first() {
            Some((first, between)) => (Some(first.to_vec()), between),
            None => (None, above),
        };
        let place = match (reach, &first) {
            (Reach::WithAllBelow, Some(_)) => Place::Start,
            (Reach::WithAllBelow, None) => Place::Anywhere,
            (_, Some(_)) => Place::Whole,
            (_, None) => Place::End,
        };
        let pattern = Pattern::plain(last, place, fold);
        let root_fits = (0..above.len()).map(|at| {
            let text = above[..=at].join(&b'/');
            if from_top {
                text == root
            } else {
                root.ends_with(&text)
            }
        });
        Ok(Needle {
            last: names::matching(frame, Ask::Name(&pattern))?,
            between: between
                .iter()
                .map(|part| equal(frame, part, fold))
                .collect::<Result<_, _>>()?,
            root_fits: root_fits.collect(),
            first,
            from_top,
            reach,
            fold,
        })
    }

    /// The rows.
    pub(super) fn rows(&self, frame: &Frame<'_>) -> Result<RowSet, SelectError> {
        // A component that no entry has may still be one of the root's path.
        let is_in_root = |place: usize| self.root_fits.iter().skip(place + 1).any(|&fits| fits);
        let mut between = self.between.iter().enumerate();
        if between.any(|(place, names)| names.is_empty() && !is_in_root(place)) {
            return Ok(RowSet::none());
        }
        let candidates: Vec<u32> = rows_of(frame, &self.last)?.iter().collect();
        let parts: Vec<&[u32]> = candidates.chunks(ROWS).collect();
        if candidates.len() > MANY {
            frame.dirs()?;
        }
        let found = in_pieces(parts.len(), frame.run, |part| {
            self.rows_among(frame, parts[part], candidates.len() > MANY)
        })?;
        if self.reach == Reach::Alone {
            let rows = found.into_iter().flatten().map(|range| range.start);
            return Ok(RowSet::Sparse(rows.collect()));
        }
        // A part knows nothing of the directories that the one before it has found.
        Ok(RowSet::Ranges(joined(found.concat())))
    }

    /// What is found among ascending rows.
    fn rows_among(
        &self,
        frame: &Frame<'_>,
        candidates: &[u32],
        many: bool,
    ) -> Result<Vec<Range<u32>>, SelectError> {
        let mut ranges = Vec::new();
        let (mut covered, mut at, mut parents) = (0, 0, Parents::default());
        for &row in candidates {
            if row == 0 || row < covered || !parents.fit(self, frame, row)? {
                continue;
            }
            if self.reach == Reach::Alone {
                ranges.push(row..row + 1);
                continue;
            }
            let end = match many {
                true => frame.dirs()?.end(row, &mut at),
                false => frame.segment.subtree(row)?.end,
            };
            let start = row + u32::from(self.reach == Reach::Below);
            if start < end {
                ranges.push(start..end);
            }
            covered = end;
        }
        Ok(ranges)
    }

    /// Whether the directories from `dir` up are those that the text names.
    fn fits_above(
        &self,
        frame: &Frame<'_>,
        mut dir: u32,
        raw: &mut Vec<u8>,
    ) -> Result<bool, SelectError> {
        let Some(first) = &self.first else {
            return Ok(true);
        };
        for (place, names) in self.between.iter().enumerate().rev() {
            if dir == 0 {
                return Ok(self.root_fits[place + 1]);
            }
            if !names.contains(&frame.segment.name(dir)?) {
                return Ok(false);
            }
            dir = frame.segment.parent(dir)?.unwrap_or(0);
        }
        if dir == 0 {
            return Ok(self.root_fits[0]);
        }
        if self.from_top || first.is_empty() {
            return Ok(!self.from_top);
        }
        let name = frame.segment.name(dir)?;
        if self.fold && frame.segment.fold_version() == groma_base::FOLD_VERSION {
            return Ok(frame.names.folded(name)?.ends_with(first));
        }
        raw_into(frame, name, raw)?;
        Ok(match self.fold {
            true => folded(raw).ends_with(first),
            false => raw.ends_with(first),
        })
    }
}

/// The answer for the last directory that was asked about: neighbours share it.
#[derive(Default)]
struct Parents {
    last: Option<(u32, bool)>,
    raw: Vec<u8>,
}

impl Parents {
    fn fit(&mut self, needle: &Needle, frame: &Frame<'_>, row: u32) -> Result<bool, SelectError> {
        let parent = frame.segment.parent(row)?.unwrap_or(0);
        match self.last {
            Some((last, answer)) if last == parent => Ok(answer),
            _ => {
                let answer = needle.fits_above(frame, parent, &mut self.raw)?;
                self.last = Some((parent, answer));
                Ok(answer)
            }
        }
    }
}

/// The names that equal a component, whose number is a range.
fn equal(frame: &Frame<'_>, part: &[u8], fold: bool) -> Result<Range<u32>, SelectError> {
    if fold {
        return Ok(frame.names.equal_folded(part)?);
    }
    let name = frame.names.exact(part)?;
    Ok(name.map_or(0..0, |name| name..name + 1))
}
