//! One run on any bytes as a segment. Shared by the fuzz target and the test that replays its
//! seeds.

use std::sync::Arc;

use groma_base::{CancelToken, Facts};
use groma_catalog::{Damage, SectionId, Segment, StoredEntry, View};

/// Rows and names that are asked about: enough to meet whatever can be met.
const MOST: u32 = 300;

/// Entries of a view that are asked about; each costs more.
const MOST_SEEN: usize = 80;

/// Opens the bytes as they are, then with checksums put right, so that changed bytes get behind
/// them. What `check` finds sound must answer every question.
pub(crate) fn replay(bytes: &[u8]) {
    let mut bytes = bytes.to_vec();
    for _ in 0..2 {
        if let Ok(segment) = Segment::from_bytes(bytes.clone()) {
            let answers = ask(&segment);
            let is_sound = segment.check(&CancelToken::new()).is_ok();
            let viewed = View::sealed(Arc::new(segment)).and_then(|view| ask_view(&view));
            if is_sound {
                answers.unwrap();
                viewed.unwrap();
            }
        }
        sign(&mut bytes);
    }
}

/// Asks about everything; the first damage ends it.
pub(crate) fn ask(segment: &Segment) -> Result<(), Damage> {
    segment.about()?;
    let names = segment.names()?;
    for row in 0..segment.rows().min(MOST) {
        segment.metadata(row)?;
        segment.totals(row)?;
        segment.linked_rows(row)?;
        for child in segment.children(row)?.take(MOST as usize) {
            child?;
        }
        let mut path = Vec::new();
        segment.append_path_below(row, &mut path)?;
        assert!(segment.find_below(&path)?.is_some() || !is_sound(segment));
    }
    for name in 0..names.len().min(MOST) {
        let raw = names.raw(name)?;
        names.exact(&raw)?;
        names.with_folded_prefix(&raw)?;
        for row in names.rows(name)?.take(MOST as usize) {
            row?;
        }
    }
    let extensions = segment.extensions()?;
    for row in 0..segment.rows().min(MOST) {
        let extension = extensions.of_row(row)?;
        extensions.find(extensions.get(extension)?)?;
        for row in extensions.rows(extension)?.take(MOST as usize) {
            row?;
        }
    }
    Ok(())
}

/// Asks a view about everything, and the view without each of some subtrees.
pub(crate) fn ask_view(view: &View) -> Result<(), Damage> {
    let ids = view.pieces().iter().flat_map(|piece| piece.ids.clone());
    for id in ids.take(MOST_SEEN) {
        let mut path = Vec::new();
        view.append_path(id, &mut path)?;
        view.find(&path)?;
        view.modified(id)?;
        view.linked(id)?;
        view.subtree(id)?;
        assert_eq!(
            view.place(id).and_then(|place| view.at_place(place)),
            Some(id)
        );
        let entry = StoredEntry::new(view, id)?;
        entry.metadata();
        entry.child_counts();
        entry.depth();
        entry.absolute_path();
        entry.damage().map_or(Ok(()), Err)?;
        if id % 16 == 1 {
            let without = view.without(id)?;
            assert!(without.len() <= view.len());
            without.between(0..without.len()).for_each(drop);
        }
    }
    Ok(())
}

fn is_sound(segment: &Segment) -> bool {
    segment.check(&CancelToken::new()).is_ok()
}

/// Puts right the checksums of all sections that lie in the file, of the table and of the header.
fn sign(bytes: &mut [u8]) {
    let table_end = 64 + 32 * SectionId::ALL.len();
    if bytes.len() < table_end {
        return;
    }
    for line in (64..table_end).step_by(32) {
        let number = |at: usize| {
            let field = <[u8; 8]>::try_from(&bytes[at..at + 8]).unwrap();
            usize::try_from(u64::from_le_bytes(field)).unwrap_or(usize::MAX)
        };
        let (start, length) = (number(line + 8), number(line + 16));
        let section = bytes.get(start..start.saturating_add(length));
        let checksum = section.map_or(0, crc32c::crc32c);
        bytes[line + 4..line + 8].copy_from_slice(&checksum.to_le_bytes());
    }
    let table = crc32c::crc32c(&bytes[64..table_end]);
    bytes[44..48].copy_from_slice(&table.to_le_bytes());
    let header = crc32c::crc32c(&bytes[..60]);
    bytes[60..64].copy_from_slice(&header.to_le_bytes());
}
