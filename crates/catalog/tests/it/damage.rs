//! Damaged segments: found, named, and never a panic.

use groma_base::{CancelToken, Kind};
use groma_catalog::{CheckError, Delta, OpenError, Place, Put, SectionId, Segment};

use crate::model::{Model, metadata};

/// A tree in which no section is empty but those of many extensions.
pub(crate) fn model() -> Model {
    let mut model = Model::new();
    let dir = model.dir(0, "Dir", 2);
    let mut linked = metadata(Kind::File, 9);
    linked.links = 2;
    for (parent, name) in [(0, "Link.TXT"), (dir, "link.txt")] {
        model.add(parent, name.as_bytes(), Kind::File, Some(linked.clone()));
    }
    model.add(
        dir,
        "Ärger.é".as_bytes(),
        Kind::File,
        Some(metadata(Kind::File, 77)),
    );
    model.add(dir, b"\xff", Kind::Symlink, None);
    for n in 0..150u64 {
        let sub = model.dir(dir, &format!("sub{n}"), 100 + n * 97);
        model.file(sub, "mod.rs", 1_000 + n * n);
    }
    model
}

/// The section table: where each section begins and ends.
fn sections(bytes: &[u8]) -> Vec<(SectionId, std::ops::Range<usize>)> {
    let number = |at: usize| {
        usize::try_from(u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())).unwrap()
    };
    let line = |(place, &id): (usize, &SectionId)| {
        let at = 64 + place * 32;
        (id, number(at + 8)..number(at + 8) + number(at + 16))
    };
    SectionId::ALL.iter().enumerate().map(line).collect()
}

/// Asks everything there is; answers are as they are, but there must be some.
pub(crate) fn ask_everything(segment: &Segment) {
    let _ = segment.about();
    for row in 0..segment.rows().min(60) {
        let _ = (
            segment.path(row),
            segment.metadata(row),
            segment.totals(row),
        );
        let _ = (segment.linked_rows(row), segment.depth(row));
        let _ = segment.child(row, b"mod.rs");
        if let Ok(children) = segment.children(row) {
            children.for_each(drop);
        }
    }
    let _ = segment.find_below(b"Dir/sub77/mod.rs");
    if let Ok(names) = segment.names() {
        for name in 0..names.len() {
            let _ = (names.raw(name), names.at_byte(name as usize));
            names.rows(name).into_iter().flatten().for_each(drop);
        }
        let _ = (names.exact(b"mod.rs"), names.with_folded_prefix(b"s"));
    }
    if let Ok(extensions) = segment.extensions() {
        for row in 0..segment.rows() {
            let _ = extensions.of_row(row);
        }
        if let Ok(Some(number)) = extensions.find(b"rs") {
            extensions.rows(number).into_iter().flatten().for_each(drop);
        }
    }
}

/// Changes it and asks about everything; whatever comes must be an answer or an error.
fn change_and_ask(segment: Segment) {
    let rows = segment.rows();
    let mut delta = Delta::new(std::sync::Arc::new(segment));
    let put = Put {
        kind: Kind::Dir,
        has_acl: false,
        is_mount: false,
        is_broken: false,
        metadata: None,
    };
    let _ = delta.put(Some(1), b"sub7", &put);
    let _ = (delta.put(None, b"", &put), delta.put(Some(1), b"new", &put));
    let _ = (delta.rename(5, 9, b"in"), delta.rename(11, 0, b"up"));
    let _ = (delta.rename(9, rows, b"deep"), delta.remove(13));
    let _ = (delta.mark_unread(15, true), delta.child(1, b"sub7"));
    let Ok(view) = delta.view() else {
        return;
    };
    for id in (0..20).chain(rows..view.ids()) {
        let _ = (view.append_path(id, &mut Vec::new()), view.totals(id));
        let _ = (view.children(id), view.linked(id), view.subtree(id));
    }
    let _ = (view.find(b"/data/Dir/sub77/mod.rs"), view.without(17));
    let _ = groma_catalog::Builder::of_view(&view, &CancelToken::new());
}

#[test]
fn a_flipped_bit_is_found_and_its_section_named() {
    let bytes = model().bytes();
    let mut empty = Vec::new();
    for (id, range) in sections(&bytes) {
        if range.is_empty() {
            empty.push(id);
            continue;
        }
        for at in [range.start, (range.start + range.end) / 2, range.end - 1] {
            for bit in [0, 7] {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1 << bit;
                let segment = Segment::from_bytes(damaged).unwrap();
                match segment.check(&CancelToken::new()) {
                    Err(CheckError::Damaged(damage)) => {
                        assert_eq!(damage.place, Place::Section(id))
                    }
                    other => panic!("{id:?} {at}: {other:?}"),
                }
                ask_everything(&segment);
            }
        }
    }
    assert_eq!(
        empty,
        [SectionId::OverflowRows, SectionId::OverflowExtensions]
    );
}

#[test]
fn damage_before_the_sections_is_found_at_opening() {
    let bytes = model().bytes();
    for at in 0..64 + 32 * SectionId::ALL.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        let error = Segment::from_bytes(damaged).unwrap_err();
        match (at, error) {
            (0..8, OpenError::NotASegment) | (8..12, OpenError::Version { .. }) => {}
            (12..64, OpenError::Damaged(damage)) => assert_eq!(damage.place, Place::Header),
            (64.., OpenError::Damaged(damage)) => assert_eq!(damage.place, Place::Table),
            (at, error) => panic!("{at}: {error}"),
        }
    }
    let mut ends = sections(&bytes).into_iter().map(|(_, range)| range.end);
    let padding = ends.find(|end| end % 64 != 0).unwrap();
    let mut damaged = bytes.clone();
    damaged[padding] = 1;
    let segment = Segment::from_bytes(damaged).unwrap();
    match segment.check(&CancelToken::new()) {
        Err(CheckError::Damaged(damage)) => assert_eq!(damage.place, Place::Gap),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_file_cut_anywhere_is_found_at_opening() {
    let bytes = model().bytes();
    let edges = sections(&bytes)
        .into_iter()
        .flat_map(|(_, range)| [range.start, range.end]);
    for at in edges.chain(0..130).filter(|&at| at < bytes.len()) {
        assert!(Segment::from_bytes(bytes[..at].to_vec()).is_err(), "{at}");
    }
    let longer = [&bytes[..], &[0; 64]].concat();
    assert!(Segment::from_bytes(longer).is_err());
}

/// Changed bytes under right checksums: what a hostile writer would make.
#[test]
fn invariants_are_checked_behind_the_checksums() {
    let bytes = model().bytes();
    for (id, range) in sections(&bytes)
        .into_iter()
        .filter(|(id, range)| *id != SectionId::About && !range.is_empty())
    {
        let step = (range.len() / 9).max(1);
        for at in range.clone().step_by(step) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x81;
            resign(&mut damaged, id, range.clone());
            let segment = Segment::from_bytes(damaged).unwrap();
            ask_everything(&segment);
            // Facts that nothing else tells, such as an inode number, cannot be found wrong.
            if is_derived(id) {
                assert!(segment.check(&CancelToken::new()).is_err(), "{id:?} {at}");
            } else {
                let _ = segment.check(&CancelToken::new());
            }
            change_and_ask(segment);
        }
    }
}

/// Sections of which every byte follows from others or from the rules.
fn is_derived(id: SectionId) -> bool {
    use SectionId as Id;
    matches!(
        id,
        Id::Parent
            | Id::Name
            | Id::Extension
            | Id::NameRows
            | Id::OddNames
            | Id::ExtensionBytes
            | Id::LinkRows
            | Id::LinkedRows
            | Id::LinkedNodes
            | Id::SizeBlocks
            | Id::ModifiedBlocks
    )
}

/// Puts right checksums under a changed section.
fn resign(bytes: &mut [u8], id: SectionId, range: std::ops::Range<usize>) {
    let line = 64 + (id.number() as usize - 1) * 32;
    let checksum = crc32c::crc32c(&bytes[range]);
    bytes[line + 4..line + 8].copy_from_slice(&checksum.to_le_bytes());
    let table = crc32c::crc32c(&bytes[64..64 + 32 * SectionId::ALL.len()]);
    bytes[44..48].copy_from_slice(&table.to_le_bytes());
    let header = crc32c::crc32c(&bytes[..60]);
    bytes[60..64].copy_from_slice(&header.to_le_bytes());
}
