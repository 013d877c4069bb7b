//! From a node to its rows: an index of all rows that may share a node, made when it is asked for.

use super::Segment;
use crate::error::Damage;
use crate::layout::SectionId;

impl Segment {
    /// All rows of a node that are no directories and have a link count above one, ascending; also
    /// when there is just one. `device` is the number at the time of the scan.
    ///
    /// The first call looks at all rows that have more than one link, later ones do not.
    ///
    /// # Errors
    /// [`Damage`] met on the way.
    pub(crate) fn rows_of_node(&self, device: u64, inode: u64) -> Result<Vec<u32>, Damage> {
        let nodes = self.nodes()?;
        let mut rows = Vec::new();
        for number in 0..self.volume_count() {
            if self.volume(number)?.device != device {
                continue;
            }
            let wanted = (number as u64, inode);
            let first = self.partition(nodes, |key| key < wanted)?;
            let after = self.partition(nodes, |key| key <= wanted)?;
            rows.extend_from_slice(nodes.get(first..after).unwrap_or_default());
        }
        rows.sort_unstable();
        Ok(rows)
    }

    /// The rows of the hard links' table that lie in a range.
    ///
    /// # Errors
    /// [`Damage`] when the table is too short.
    pub(crate) fn linked_in(&self, rows: std::ops::Range<u32>) -> Result<Vec<u32>, Damage> {
        let count = self.count(SectionId::LinkedRows);
        let bytes = self.section(SectionId::LinkedRows);
        let row = |at: usize| {
            let row = crate::bytes::u32_at(bytes, at.saturating_mul(4));
            row.ok_or_else(|| self.out_of_range(SectionId::LinkedRows, at))
        };
        let (mut low, mut high) = (0, count);
        while low < high {
            let middle = low + (high - low) / 2;
            match row(middle)? < rows.start {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        let mut found = Vec::new();
        for at in low..count {
            match row(at)? {
                row if row < rows.end => found.push(row),
                _ => break,
            }
        }
        Ok(found)
    }

    /// Device number and inode of a row.
    ///
    /// # Errors
    /// [`Damage`] when there is no such row, or no such file system.
    pub(crate) fn node(&self, row: u32) -> Result<(u64, u64), Damage> {
        let (volume, inode) = self.node_key(row)?;
        let volume = usize::try_from(volume).unwrap_or(usize::MAX);
        Ok((self.volume(volume)?.device, inode))
    }

    fn node_key(&self, row: u32) -> Result<(u64, u64), Damage> {
        let row = row as usize;
        let volume = self.packed(SectionId::Volume)?.get(row)?;
        Ok((volume, self.packed(SectionId::Inode)?.get(row)?))
    }

    /// The rows that may share a node, by file system and inode.
    fn nodes(&self) -> Result<&[u32], Damage> {
        if let Some(nodes) = self.nodes.get() {
            return Ok(nodes);
        }
        let links = self.packed(SectionId::Links)?;
        let mut keyed = Vec::new();
        for row in 0..self.rows() {
            if links.get(row as usize)? > 1 && !self.kind(row)?.is_dir() {
                keyed.push((self.node_key(row)?, row));
            }
        }
        keyed.sort_unstable();
        let rows = keyed.into_iter().map(|(_, row)| row).collect();
        Ok(self.nodes.get_or_init(|| rows))
    }

    fn partition(
        &self,
        nodes: &[u32],
        before: impl Fn((u64, u64)) -> bool,
    ) -> Result<usize, Damage> {
        let (mut low, mut high) = (0, nodes.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match before(self.node_key(nodes[middle])?) {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        Ok(low)
    }
}
