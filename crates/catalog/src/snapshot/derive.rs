//! What a snapshot does not hold, since it follows from what it holds: where directories lie and
//! end, lists of rows, extensions, hard links, extremes of blocks.

use super::expanding::{Expanding, Loose};
use crate::build::links::Links;
use crate::build::totals::extremes;
use crate::build::{Extensions, write_postings};
use crate::bytes::u16_at;
use crate::error::Damage;
use crate::kinds::KindFlags;
use crate::layout::SectionId;
use crate::write::Part;

/// A directory whose rows are being passed.
struct Open {
    dir: usize,
    row: u32,
    /// Entries of it that are still to come.
    left: u64,
}

/// `parent`, `dirs` and `dir-end`, from what is a directory and how many entries each has.
pub(super) fn tree(from: &Expanding) -> Result<Vec<Loose>, Damage> {
    let wrong = |row: u32, what: &str| {
        Damage::section(SectionId::DirChildren, 0, format!("row {row}: {what}"))
    };
    let kinds = from.bytes(SectionId::Kind)?;
    let children = from.numbers(SectionId::DirChildren)?;
    let rows = from.rows();
    let mut parents = vec![0; rows as usize * 4];
    let (mut dirs, mut ends) = (
        Vec::with_capacity(children.len()),
        vec![0u64; children.len()],
    );
    let mut open: Vec<Open> = Vec::new();
    let cells = parents.as_chunks_mut::<4>().0.iter_mut();
    for ((row, kind), cell) in (0..rows).zip(kinds.as_chunks::<2>().0).zip(cells) {
        while let Some(top) = open.last()
            && top.left == 0
        {
            ends[top.dir] = row.into();
            open.pop();
        }
        let parent = match open.last_mut() {
            Some(top) => {
                top.left -= 1;
                top.row
            }
            None if row == 0 => 0,
            None => return Err(wrong(row, "it lies in no directory")),
        };
        *cell = parent.to_le_bytes();
        if KindFlags(u16::from_le_bytes(*kind)).is_dir() {
            let dir = dirs.len();
            let left = *children
                .get(dir)
                .ok_or_else(|| wrong(row, "a directory too many"))?;
            dirs.push(row.into());
            open.push(Open { dir, row, left });
        }
    }
    for top in open {
        if top.left > 0 {
            return Err(wrong(top.row, "it has fewer entries than it says"));
        }
        ends[top.dir] = rows.into();
    }
    if dirs.len() != children.len() {
        return Err(wrong(rows, "a directory too few"));
    }
    Ok(vec![
        Loose {
            bytes: parents,
            count: rows as usize,
        },
        Loose::packed(&dirs),
        Loose::packed(&ends),
    ])
}

/// The rows of each name.
pub(super) fn postings(from: &Expanding) -> Result<Vec<Loose>, Damage> {
    let names = names_of_rows(from)?;
    made(SectionId::NameRows, |part| {
        write_postings(part, names.iter().copied(), from.names() as usize)
    })
}

/// Extensions, and the rows of each.
pub(super) fn extensions(from: &Expanding) -> Result<Vec<Loose>, Damage> {
    let arena = from.bytes(SectionId::NameBytes)?;
    let names = arena.split_inclusive(|&byte| byte == 0);
    let names = names.map(|name| name.strip_suffix(b"\0").unwrap_or(name));
    let extensions = Extensions::of_folded(names);
    let of_rows = names_of_rows(from)?;
    let of_rows = of_rows.iter().copied();
    let mut sections = made(SectionId::Extension, |part| {
        extensions.write_column(part, of_rows.clone())
    })?;
    sections.extend(made(SectionId::ExtensionBytes, |part| {
        extensions.write(part, of_rows)
    })?);
    Ok(sections)
}

/// Nodes with several entries: the rows that say so, by file system and inode.
pub(super) fn links(from: &Expanding) -> Result<Vec<Loose>, Damage> {
    let kinds = from.bytes(SectionId::Kind)?;
    let kinds = kinds
        .chunks_exact(2)
        .map(|kind| KindFlags(u16_at(kind, 0).unwrap_or(0)));
    let linked: Vec<u32> = (0..from.rows())
        .zip(kinds)
        .filter(|(_, kind)| kind.has(KindFlags::LINKED))
        .map(|(row, _)| row)
        .collect();
    let mut entries = Vec::with_capacity(linked.len());
    if !linked.is_empty() {
        let volumes = from.numbers(SectionId::Volume)?;
        let inodes = from.numbers(SectionId::Inode)?;
        let entry = |&row: &u32| {
            let node = volumes.get(row as usize).zip(inodes.get(row as usize));
            node.map(|(&volume, &inode)| (volume, inode, row))
        };
        entries.extend(linked.iter().filter_map(entry));
    }
    made(SectionId::LinkRows, |part| {
        Links::from_entries(entries).write(part)
    })
}

/// Smallest and largest of each block of sizes or of times.
pub(super) fn blocks(from: &Expanding, id: SectionId) -> Result<Vec<Loose>, Damage> {
    let column = match id {
        SectionId::SizeBlocks => from.bytes(SectionId::Size)?,
        _ => from.bytes(SectionId::Modified)?,
    };
    let cells = column.as_chunks::<8>().0.iter();
    let blocks = match id {
        SectionId::SizeBlocks => extremes(cells.map(|c| u64::from_le_bytes(*c)), u64::to_le_bytes),
        _ => extremes(cells.map(|c| i64::from_le_bytes(*c)), i64::to_le_bytes),
    };
    Ok(vec![Loose {
        count: blocks.len(),
        bytes: blocks.concat(),
    }])
}

/// The number of each row's name, each below the number of names.
fn names_of_rows(from: &Expanding) -> Result<Vec<u32>, Damage> {
    let cells = from.bytes(SectionId::Name)?.as_chunks::<4>().0.iter();
    Ok(cells.map(|cell| u32::from_le_bytes(*cell)).collect())
}

/// Sections as the writer of segments makes them.
fn made(
    first: SectionId,
    write: impl FnOnce(&mut Part) -> std::io::Result<()>,
) -> Result<Vec<Loose>, Damage> {
    let mut part = Part::part(first);
    // Memory can be written to.
    write(&mut part).map_err(|error| Damage::section(first, 0, error.to_string()))?;
    let sections = part.into_sections().into_iter();
    Ok(sections
        .map(|(bytes, count)| Loose { bytes, count })
        .collect())
}
