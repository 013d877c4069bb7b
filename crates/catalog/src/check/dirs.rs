//! Checks the tree: order of rows, ends of directories, totals; hard links; blocks of rows.

use groma_base::CancelToken;

use super::{CheckError, expect, look_at};
use crate::build::links::Links;
use crate::build::totals::{Share, Summing, extremes};
use crate::bytes::u32_at;
use crate::error::Damage;
use crate::kinds::KindFlags;
use crate::layout::SectionId;
use crate::segment::Segment;

/// A directory whose rows are being passed.
struct Open {
    dir: usize,
    row: u32,
    end: u32,
    children: u32,
    last_name: Option<u32>,
}

struct Tree<'s> {
    segment: &'s Segment,
    open: Vec<Open>,
    dirs: usize,
    summing: Summing,
    linked: Vec<(u64, u64, u32)>,
}

/// Works everything out from the rows and compares.
pub(super) fn check(segment: &Segment, cancel: &CancelToken) -> Result<(), CheckError> {
    let mut tree = Tree {
        segment,
        open: Vec::new(),
        dirs: 0,
        summing: Summing::default(),
        linked: Vec::new(),
    };
    for row in 0..segment.rows() {
        look_at(row, cancel)?;
        tree.row(row)?;
    }
    tree.close(segment.rows())?;
    let found = segment.count(SectionId::Dirs);
    expect(SectionId::Dirs, 0, found, tree.dirs)?;
    for (dir, expected) in tree.summing.finish().into_iter().enumerate() {
        expect(
            SectionId::DirSize,
            dir as u64,
            segment.totals_of(dir)?,
            expected,
        )?;
    }
    check_links(segment, &Links::from_entries(tree.linked))?;
    check_blocks(segment)?;
    Ok(())
}

impl Tree<'_> {
    fn row(&mut self, row: u32) -> Result<(), Damage> {
        self.close(row)?;
        self.check_place(row)?;
        let segment = self.segment;
        let share = Share {
            kind: segment.kind(row)?,
            size: segment.size(row)?,
            allocated: segment.allocated(row)?,
            modified: segment.modified(row)?,
        };
        let links = segment.packed(SectionId::Links)?.get(row as usize)?;
        if !share.kind.is_dir() && links > 1 {
            let volume = segment.packed(SectionId::Volume)?.get(row as usize)?;
            let inode = segment.packed(SectionId::Inode)?.get(row as usize)?;
            self.linked.push((volume, inode, row));
        }
        let end = match share.kind.is_dir() {
            true => Some(self.open(row)?),
            false => None,
        };
        self.summing.row(row, end, &share);
        Ok(())
    }

    /// A row lies in the directory that is open, behind its siblings of smaller names.
    fn check_place(&mut self, row: u32) -> Result<(), Damage> {
        let name = self.segment.name(row)?;
        let column = self.segment.section(SectionId::Parent);
        let stored = u32_at(column, row as usize * 4);
        let expected = match self.open.last_mut() {
            Some(top) => {
                if Some(name) <= top.last_name {
                    let found = format!("row {row} is not behind its sibling before it");
                    let offset = u64::from(row) * 4;
                    return Err(Damage::section(SectionId::Name, offset, found));
                }
                top.last_name = Some(name);
                top.children = top.children.saturating_add(1);
                top.row
            }
            // The root stands for its own directory; a second one would be no tree.
            None if row == 0 => 0,
            None => {
                let found = format!("row {row} lies in no directory");
                return Err(Damage::section(SectionId::DirEnd, 0, found));
            }
        };
        expect(SectionId::Parent, row.into(), stored, Some(expected))
    }

    /// Opens a directory, which is the next in the table and ends within the one around it.
    fn open(&mut self, row: u32) -> Result<u32, Damage> {
        let segment = self.segment;
        let dir = self.dirs;
        let stored = segment.packed(SectionId::Dirs)?.get(dir)?;
        expect(SectionId::Dirs, dir as u64, stored, row.into())?;
        let end = segment.subtree(row)?.end;
        let limit = self.open.last().map_or(segment.rows(), |top| top.end);
        if end > limit {
            let found = format!("row {row} ends at {end}, behind {limit}");
            return Err(Damage::section(SectionId::DirEnd, 0, found));
        }
        self.dirs += 1;
        self.open.push(Open {
            dir,
            row,
            end,
            children: 0,
            last_name: None,
        });
        Ok(end)
    }

    /// Ends the directories that end at `row`.
    fn close(&mut self, row: u32) -> Result<(), Damage> {
        while let Some(top) = self.open.pop_if(|top| top.end <= row) {
            let children = self.segment.packed(SectionId::DirChildren)?;
            let stored = children.get(top.dir)?;
            expect(
                SectionId::DirChildren,
                top.dir as u64,
                stored,
                top.children.into(),
            )?;
        }
        Ok(())
    }
}

/// The tables of links are what they were when they were built, and the flags say the same.
fn check_links(segment: &Segment, links: &Links) -> Result<(), Damage> {
    let by_row = links.by_row();
    let (rows, nodes): (Vec<u32>, Vec<u32>) = by_row.iter().copied().unzip();
    for (id, expected) in [
        (SectionId::LinkRows, &links.rows),
        (SectionId::LinkedRows, &rows),
        (SectionId::LinkedNodes, &nodes),
    ] {
        expect(id, 0, segment.count(id), expected.len())?;
        let column = segment.section(id);
        for (place, &expected) in expected.iter().enumerate() {
            let stored = u32_at(column, place * 4);
            expect(id, place as u64, stored, Some(expected))?;
        }
    }
    let ends = segment.packed(SectionId::LinkEnds)?;
    expect(SectionId::LinkEnds, 0, ends.len(), links.ends.len())?;
    for (place, &end) in links.ends.iter().enumerate() {
        let stored = ends.get(place)?;
        expect(SectionId::LinkEnds, place as u64, stored, end.into())?;
    }
    check_flags(segment, links, &by_row)
}

fn check_flags(segment: &Segment, links: &Links, by_row: &[(u32, u32)]) -> Result<(), Damage> {
    let mut linked = by_row.iter().copied().peekable();
    for row in 0..segment.rows() {
        let node = linked.next_if(|&(linked, _)| linked == row);
        let first = node.and_then(|(_, node)| links.first_row(node));
        let flags = segment.kind(row)?;
        let expected = (node.is_some(), first.is_some_and(|first| first != row));
        let found = (
            flags.has(KindFlags::LINKED),
            flags.has(KindFlags::COUNTED_ELSEWHERE),
        );
        expect(SectionId::Kind, row.into(), found, expected)?;
    }
    Ok(())
}

/// Smallest and largest of each block are those of its rows.
fn check_blocks(segment: &Segment) -> Result<(), Damage> {
    let sizes = segment.section(SectionId::SizeBlocks);
    let (column, _) = segment.section(SectionId::Size).as_chunks::<8>();
    let column = column.iter().map(|&bytes| u64::from_le_bytes(bytes));
    let expected = extremes(column, u64::to_le_bytes);
    compare_blocks(SectionId::SizeBlocks, sizes, &expected)?;
    let (column, _) = segment.section(SectionId::Modified).as_chunks::<8>();
    let column = column.iter().map(|&bytes| i64::from_le_bytes(bytes));
    let expected = extremes(column, i64::to_le_bytes);
    compare_blocks(
        SectionId::ModifiedBlocks,
        segment.section(SectionId::ModifiedBlocks),
        &expected,
    )
}

fn compare_blocks(id: SectionId, stored: &[u8], expected: &[[u8; 16]]) -> Result<(), Damage> {
    for (place, (stored, expected)) in stored.chunks_exact(16).zip(expected).enumerate() {
        expect(id, place as u64, stored, &expected[..])?;
    }
    Ok(())
}
