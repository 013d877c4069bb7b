//! The entries of all roots in one order of paths.

use std::cmp::Ordering;
use std::ops::Range;

use groma_base::compare_paths;
use groma_catalog::{Damage, View};

use super::SearchError;
use crate::catalogs::OpenRoot;

/// Entries of one root that follow each other, with no other root's between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    /// Which root.
    pub(crate) root: usize,
    /// Places in its order of paths.
    pub(crate) places: Range<u32>,
}

/// Cuts the roots where another root's path comes in between, and puts the parts in order.
pub(crate) fn runs(roots: &[OpenRoot]) -> Result<Vec<Run>, SearchError> {
    let mut cut = Vec::new();
    for (number, root) in roots.iter().enumerate() {
        let parts = parts(number, roots).map_err(|damage| SearchError::damaged(root, damage))?;
        cut.extend(parts);
    }
    // The order of the parts is that of their first entries.
    cut.sort_by(|(a, _), (b, _)| compare_paths(a, b));
    Ok(cut.into_iter().map(|(_, run)| run).collect())
}

/// The parts of one root, each with the path of its first entry.
fn parts(number: usize, roots: &[OpenRoot]) -> Result<Vec<(Vec<u8>, Run)>, Damage> {
    let view = &roots[number].view;
    let mut cuts = vec![0, view.len()];
    for inner in roots {
        let path = &inner.record.path;
        if path != view.root() && lies_in(path, view.root()) {
            cuts.push(place_of(view, path)?);
        }
    }
    cuts.sort_unstable();
    let mut parts = Vec::new();
    for pair in cuts.windows(2).filter(|pair| pair[0] < pair[1]) {
        let run = Run {
            root: number,
            places: pair[0]..pair[1],
        };
        parts.push((path_at(view, pair[0])?, run));
    }
    Ok(parts)
}

/// Whether a path lies below a directory.
pub(crate) fn lies_in(path: &[u8], directory: &[u8]) -> bool {
    let directory = directory.strip_suffix(b"/").unwrap_or(directory);
    path.strip_prefix(directory)
        .is_some_and(|rest| rest.starts_with(b"/"))
}

/// The first place whose path does not come before `path`.
fn place_of(view: &View, path: &[u8]) -> Result<u32, Damage> {
    let (mut low, mut high) = (0, view.len());
    while low < high {
        let middle = low + (high - low) / 2;
        match compare_paths(&path_at(view, middle)?, path) {
            Ordering::Less => low = middle + 1,
            _ => high = middle,
        }
    }
    Ok(low)
}

fn path_at(view: &View, place: u32) -> Result<Vec<u8>, Damage> {
    let mut path = Vec::new();
    if let Some(id) = view.at_place(place) {
        view.append_path(id, &mut path)?;
    }
    Ok(path)
}
