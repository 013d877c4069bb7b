//! Hard links: nodes with several entries, each counted at the smallest of its paths.

use std::io::{self, Write};

use super::Builder;
use super::order::Order;
use crate::kinds::KindFlags;
use crate::layout::SectionId;
use crate::write::SegmentWriter;

/// Nodes with several entries.
#[derive(Debug, Default)]
pub(crate) struct Links {
    /// Rows, those of one node together and ascending; nodes by their first row.
    pub(crate) rows: Vec<u32>,
    /// Where each node's rows end.
    pub(crate) ends: Vec<u32>,
}

impl Links {
    /// Finds them among the entries whose link count is above one. The order of rows is that of
    /// paths, so a node's smallest path is its smallest row.
    pub(super) fn find(builder: &Builder, order: &Order) -> Links {
        let columns = &builder.columns;
        let mut entries = Vec::new();
        for (row, &arrival) in (0u32..).zip(&order.arrivals) {
            let arrival = arrival as usize;
            let kind = KindFlags(builder.kinds[arrival]);
            if !kind.is_dir() && columns.last.links.get(arrival) > 1 {
                let device = columns.device.get(arrival);
                entries.push((device, columns.last.inode.get(arrival), row));
            }
        }
        Links::from_entries(entries)
    }

    /// Puts entries (file system, inode, row) together by their nodes.
    pub(crate) fn from_entries(mut entries: Vec<(u64, u64, u32)>) -> Links {
        entries.sort_unstable();
        let same_node = |a: &(u64, u64, u32), b: &(u64, u64, u32)| (a.0, a.1) == (b.0, b.1);
        let mut nodes: Vec<&[(u64, u64, u32)]> = entries
            .chunk_by(same_node)
            .filter(|node| node.len() > 1)
            .collect();
        nodes.sort_unstable_by_key(|node| node[0].2);
        let mut links = Links::default();
        for node in nodes {
            links.rows.extend(node.iter().map(|entry| entry.2));
            links.ends.push(links.rows.len() as u32);
        }
        links
    }

    /// The smallest row of a node.
    pub(crate) fn first_row(&self, node: u32) -> Option<u32> {
        let start = match node.checked_sub(1) {
            Some(before) => *self.ends.get(before as usize)?,
            None => 0,
        };
        self.rows.get(start as usize).copied()
    }

    /// Marks the rows of these nodes in the column of kinds.
    pub(super) fn mark(&self, kinds: &mut [u16], order: &Order) {
        let mut start = 0;
        for &end in &self.ends {
            for (place, &row) in self.rows[start..end as usize].iter().enumerate() {
                let kind = &mut kinds[order.arrivals[row as usize] as usize];
                *kind = KindFlags(*kind)
                    .with(KindFlags::LINKED, true)
                    .with(KindFlags::COUNTED_ELSEWHERE, place > 0)
                    .0;
            }
            start = end as usize;
        }
    }

    /// Writes the four sections.
    pub(crate) fn write<W: Write>(&self, segment: &mut SegmentWriter<W>) -> io::Result<()> {
        let rows = self.rows.iter().map(|row| row.to_le_bytes());
        segment.plain(SectionId::LinkRows, rows)?;
        let ends = self.ends.iter().map(|&end| u64::from(end));
        segment.packed(SectionId::LinkEnds, ends)?;
        let by_row = self.by_row();
        let rows = by_row.iter().map(|(row, _)| row.to_le_bytes());
        segment.plain(SectionId::LinkedRows, rows)?;
        let nodes = by_row.iter().map(|(_, node)| node.to_le_bytes());
        segment.plain(SectionId::LinkedNodes, nodes)
    }

    /// Each row with the number of its node, by row.
    pub(crate) fn by_row(&self) -> Vec<(u32, u32)> {
        let mut pairs = Vec::with_capacity(self.rows.len());
        let mut start = 0;
        for (node, &end) in (0u32..).zip(&self.ends) {
            let rows = &self.rows[start..end as usize];
            pairs.extend(rows.iter().map(|&row| (row, node)));
            start = end as usize;
        }
        pairs.sort_unstable();
        pairs
    }
}
