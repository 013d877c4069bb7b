//! From a directory to its entries, and from a path to its row.

use super::Segment;
use crate::error::Damage;
use crate::layout::SectionId;

/// The rows directly in a directory, in order. A row that cannot be read is an error and the last
/// item.
#[derive(Clone, Debug)]
pub struct Children<'s> {
    segment: &'s Segment,
    next: u32,
    end: u32,
}

impl Iterator for Children<'_> {
    type Item = Result<u32, Damage>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.next >= self.end {
            return None;
        }
        let row = self.next;
        match self.segment.subtree(row) {
            Ok(subtree) => {
                self.next = subtree.end;
                Some(Ok(row))
            }
            Err(damage) => {
                self.next = self.end;
                Some(Err(damage))
            }
        }
    }
}

impl Segment {
    /// The rows directly in a directory; none for a row that is none.
    ///
    /// # Errors
    /// [`Damage`] when there is no such row, or its line is damaged.
    pub fn children(&self, row: u32) -> Result<Children<'_>, Damage> {
        let subtree = self.subtree(row)?;
        Ok(Children {
            segment: self,
            next: subtree.start + 1,
            end: subtree.end,
        })
    }

    /// The row of the entry of this name in a directory.
    ///
    /// # Errors
    /// [`Damage`] met on the way.
    pub fn child(&self, dir: u32, name: &[u8]) -> Result<Option<u32>, Damage> {
        let Some(wanted) = self.names()?.exact(name)? else {
            return Ok(None);
        };
        let at = self.position(dir, wanted)?;
        let found = at < self.subtree(dir)?.end && self.name(at)? == wanted;
        Ok(found.then_some(at))
    }

    /// The first entry of a directory whose name has this number or a higher one; where there is
    /// none, the row after the directory.
    pub(crate) fn position(&self, dir: u32, name: u32) -> Result<u32, Damage> {
        let subtree = self.subtree(dir)?;
        // Siblings are in the order of their names, so halving the rows finds the one; each look
        // goes up from the middle row to the entry of `dir` that it lies below.
        let (mut low, mut high) = (subtree.start + 1, subtree.end);
        while low < high {
            let child = self.child_above(dir, low + (high - low) / 2)?;
            match self.name(child)?.cmp(&name) {
                std::cmp::Ordering::Less => low = self.subtree(child)?.end.max(low + 1),
                std::cmp::Ordering::Equal => return Ok(child),
                std::cmp::Ordering::Greater => high = child,
            }
        }
        Ok(low)
    }

    /// The row for a path below the root: components with `/` between them.
    ///
    /// # Errors
    /// [`Damage`] met on the way.
    pub fn find_below(&self, path: &[u8]) -> Result<Option<u32>, Damage> {
        if self.rows() == 0 {
            return Ok(None);
        }
        let mut at = 0;
        for name in path.split(|&b| b == b'/').filter(|name| !name.is_empty()) {
            match self.child(at, name)? {
                Some(row) => at = row,
                None => return Ok(None),
            }
        }
        Ok(Some(at))
    }

    /// The entry of `dir` that `row` is or lies below.
    fn child_above(&self, dir: u32, row: u32) -> Result<u32, Damage> {
        let mut at = row;
        while let Some(parent) = self.parent(at)? {
            if parent == dir {
                return Ok(at);
            }
            if parent < dir {
                break;
            }
            at = parent;
        }
        let found = format!("row {row} does not lie below row {dir}");
        Err(Damage::section(
            SectionId::Parent,
            u64::from(row) * 4,
            found,
        ))
    }
}
