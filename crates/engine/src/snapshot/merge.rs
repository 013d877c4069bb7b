//! Two trees walked side by side, in the one order of paths that both have.

use std::cmp::Ordering;
use std::ops::Range;

use groma_base::compare_names;
use groma_catalog::{Damage, View};

/// What one walk finds.
#[derive(Debug, Default)]
pub(super) struct Merged {
    /// Rows of both trees that have the same path and are both directories or both not.
    pub(super) pairs: Vec<(u32, u32)>,
    /// Subtrees that only the old tree has, as rows.
    pub(super) removed: Vec<Range<u32>>,
    /// Subtrees that only the new tree has.
    pub(super) added: Vec<Range<u32>>,
}

/// A directory of both trees.
struct Frame {
    old: Range<u32>,
    new: Range<u32>,
}

/// Two trees.
pub(super) struct Merge<'v> {
    pub(super) old: &'v View,
    pub(super) new: &'v View,
}

impl Merge<'_> {
    /// Compares what lies below two rows, which are a pair.
    pub(super) fn below(&self, old: u32, new: u32, merged: &mut Merged) -> Result<(), Damage> {
        let mut frames = vec![self.frame(old, new)?];
        let (mut old_name, mut new_name) = (Vec::new(), Vec::new());
        while let Some(frame) = frames.last_mut() {
            let order = match (frame.old.is_empty(), frame.new.is_empty()) {
                (true, true) => {
                    frames.pop();
                    continue;
                }
                (true, false) => Ordering::Greater,
                (false, true) => Ordering::Less,
                (false, false) => {
                    old_name.clear();
                    self.old.append_name(frame.old.start, &mut old_name)?;
                    new_name.clear();
                    self.new.append_name(frame.new.start, &mut new_name)?;
                    compare_names(&old_name, &new_name)
                }
            };
            let mut next = None;
            let old = match order {
                Ordering::Greater => None,
                _ => Some(take(self.old, &mut frame.old)?),
            };
            let new = match order {
                Ordering::Less => None,
                _ => Some(take(self.new, &mut frame.new)?),
            };
            match (old, new) {
                (Some(old), Some(new)) => match self.are_dirs(old.start, new.start)? {
                    (true, true) => {
                        merged.pairs.push((old.start, new.start));
                        next = Some(self.frame(old.start, new.start)?);
                    }
                    (false, false) => merged.pairs.push((old.start, new.start)),
                    // A file in place of a directory is another thing.
                    _ => {
                        merged.removed.push(old);
                        merged.added.push(new);
                    }
                },
                (old, new) => {
                    merged.removed.extend(old);
                    merged.added.extend(new);
                }
            }
            frames.extend(next);
        }
        Ok(())
    }

    fn frame(&self, old: u32, new: u32) -> Result<Frame, Damage> {
        let below = |view: &View, row: u32| -> Result<Range<u32>, Damage> {
            let subtree = view.subtree(row)?;
            Ok(subtree.start + 1..subtree.end)
        };
        Ok(Frame {
            old: below(self.old, old)?,
            new: below(self.new, new)?,
        })
    }

    pub(super) fn are_dirs(&self, old: u32, new: u32) -> Result<(bool, bool), Damage> {
        Ok((self.old.kind(old)?.is_dir(), self.new.kind(new)?.is_dir()))
    }
}

/// Takes the next entry of a directory, with all below it.
fn take(view: &View, rows: &mut Range<u32>) -> Result<Range<u32>, Damage> {
    let subtree = view.subtree(rows.start)?;
    rows.start = subtree.end;
    Ok(subtree)
}
