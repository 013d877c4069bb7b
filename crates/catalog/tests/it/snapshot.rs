//! Snapshots: what is kept is what was there, and damage of any kind is found and named.

use std::io::Cursor;
use std::sync::Arc;

use groma_base::{CancelToken, Kind};
use groma_catalog::{
    Builder, EXPANSION_RATIO, Kept, Place, SectionId, Segment, Snapshot, SnapshotError, Times,
    View, write_snapshot,
};
use proptest::prelude::*;

#[path = "../seeds/snapshot.rs"]
mod raw;

use crate::compare::compare;
use crate::damage::{ask_everything, model};
use crate::model::{Model, about, metadata, volume};

const HEADER: usize = 64;
const LINE: usize = 48;

pub(crate) fn snapshot_bytes(segment: &Segment, kept: &Kept) -> Vec<u8> {
    let mut file = Vec::new();
    let facts = write_snapshot(segment, kept, 2, &mut file, &CancelToken::new()).unwrap();
    assert_eq!(facts.length, file.len() as u64);
    file
}

fn bytes_of(model: &Model) -> Vec<u8> {
    snapshot_bytes(&model.segment(), &Kept::default())
}

fn open(bytes: &[u8]) -> Result<Snapshot, SnapshotError> {
    let opened = Snapshot::from_bytes(bytes.to_vec());
    let prepared = Snapshot::prepared(bytes.to_vec());
    assert_eq!(prepared.is_ok(), opened.is_ok());
    opened
}

/// The sections of a file, by their lines: where each begins and ends.
fn sections(bytes: &[u8]) -> Vec<(SectionId, std::ops::Range<usize>)> {
    let number = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
    let ids = open(bytes).unwrap();
    let ids: Vec<SectionId> = ids.stored_lengths().map(|(id, _, _)| id).collect();
    let table = bytes.len() - 32 - 4 - ids.len() * LINE;
    let line = |(place, id): (usize, SectionId)| {
        let at = table + place * LINE;
        (id, number(at + 16)..number(at + 16) + number(at + 24))
    };
    ids.into_iter().enumerate().map(line).collect()
}

#[test]
fn what_is_kept_is_what_was_there() {
    let model = model();
    let kept = Kept {
        unread: 3,
        is_partial: true,
        ..Kept::default()
    };
    let segment = model.segment();
    let file = snapshot_bytes(&segment, &kept);
    let snapshot = open(&file).unwrap();
    let facts = snapshot.facts();
    assert_eq!((facts.rows, facts.unread), (segment.rows(), 3));
    assert!(facts.is_partial && facts.times == Times::All);
    assert_eq!(facts.sha256[..], file[file.len() - 32..]);
    compare(snapshot.segment(), &model);
    snapshot.verify(&CancelToken::new()).unwrap();
    compare(Snapshot::prepared(file.clone()).unwrap().segment(), &model);
    // What a snapshot is unfolded to is the segment that it was taken of, byte for byte.
    let builder = Builder::of_view(&snapshot.view().unwrap(), &CancelToken::new()).unwrap();
    let mut out = Cursor::new(Vec::new());
    let cancel = CancelToken::new();
    builder.seal(&mut out, &about(), volume, &cancel).unwrap();
    assert!(out.into_inner() == model.bytes());
}

#[test]
fn the_number_of_threads_does_not_show() {
    let segment = model().segment();
    let write = |threads| {
        let mut file = Vec::new();
        let (kept, cancel) = (Kept::default(), CancelToken::new());
        write_snapshot(&segment, &kept, threads, &mut file, &cancel).unwrap();
        file
    };
    assert!(write(1) == write(4));
    let cancel = CancelToken::new();
    cancel.cancel();
    let cancelled = write_snapshot(&segment, &Kept::default(), 1, Vec::new(), &cancel);
    assert!(matches!(cancelled, Err(SnapshotError::Cancelled)));
}

#[test]
fn times_may_be_left_out() {
    let segment = model().segment();
    let all = snapshot_bytes(&segment, &Kept::default());
    let kept = Kept {
        times: Times::Modified,
        ..Kept::default()
    };
    let few = snapshot_bytes(&segment, &kept);
    assert!(few.len() < all.len());
    let snapshot = open(&few).unwrap();
    assert_eq!(snapshot.facts().times, Times::Modified);
    snapshot.verify(&CancelToken::new()).unwrap();
    for row in 0..segment.rows() {
        let mut want = segment.metadata(row).unwrap();
        if let Some(want) = &mut want {
            (want.accessed, want.changed, want.created) = Default::default();
        }
        assert_eq!(snapshot.segment().metadata(row).unwrap(), want, "{row}");
    }
}

#[test]
fn an_empty_segment_and_a_lone_root_are_kept() {
    let empty = {
        let mut out = Cursor::new(Vec::new());
        let cancel = CancelToken::new();
        let builder = Builder::new();
        builder.seal(&mut out, &about(), volume, &cancel).unwrap();
        Segment::from_bytes(out.into_inner()).unwrap()
    };
    for segment in [empty, Model::new().segment()] {
        let snapshot = open(&snapshot_bytes(&segment, &Kept::default())).unwrap();
        snapshot.verify(&CancelToken::new()).unwrap();
        assert_eq!(snapshot.view().unwrap().len(), segment.rows());
        assert_eq!(snapshot.segment().about(), segment.about());
    }
}

#[test]
fn every_flipped_byte_is_found_and_its_section_named() {
    let bytes = bytes_of(&model());
    let sections = sections(&bytes);
    let table = bytes.len() - 36 - sections.len() * LINE;
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x20;
        let place = match (at, open(&damaged).unwrap_err()) {
            (0..8, SnapshotError::NotASnapshot) | (8..12, SnapshotError::Version { .. }) => {
                continue;
            }
            (_, SnapshotError::Damaged(damage)) => damage.place,
            (at, error) => panic!("{at}: {error}"),
        };
        let section = sections.iter().find(|(_, range)| range.contains(&at));
        let want = match (at, section) {
            (0..HEADER, _) => Place::Header,
            (_, Some((id, _))) => Place::Section(*id),
            _ if at >= table && at < bytes.len() - 32 => Place::Table,
            _ => Place::Gap,
        };
        assert_eq!(place, want, "{at}");
    }
}

#[test]
fn a_file_cut_anywhere_or_longer_is_refused() {
    let bytes = bytes_of(&model());
    for at in 0..bytes.len() {
        assert!(open(&bytes[..at]).is_err(), "{at}");
    }
    assert!(open(&[&bytes[..], &[0]].concat()).is_err());
}

/// Changed bytes under right sums: what a hostile writer would make.
#[test]
fn nothing_panics_behind_right_sums() {
    let bytes = bytes_of(&model());
    let mut found = 0;
    for at in (HEADER..bytes.len() - 36).step_by(41) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x81;
        raw::sign(&mut damaged);
        let Ok(snapshot) = open(&damaged) else {
            found += 1;
            continue;
        };
        ask_everything(snapshot.segment());
        found += usize::from(snapshot.verify(&CancelToken::new()).is_err());
    }
    assert!(found > 20, "{found}");
}

/// A megabyte of nothing compresses to a few bytes: a file may not ask for more than it is worth.
#[test]
fn what_expands_without_end_is_refused() {
    let bytes = bytes_of(&model());
    let bomb = zstd::bulk::compress(&vec![0; 1 << 30], 3).unwrap();
    let (id, range) = sections(&bytes).pop().unwrap();
    // Another section in its place, with a length and a count to fit.
    for (id, range, count) in [
        (id, range, 1u64 << 30),
        section(&bytes, SectionId::NameBytes, 1 << 30),
        section(&bytes, SectionId::About, 1 << 30),
    ] {
        let mut damaged = splice(&bytes, &range, &bomb);
        raw::set_line(&mut damaged, id, 1 << 30, count);
        raw::sign(&mut damaged);
        let error = open(&damaged).unwrap_err();
        let is_named = matches!(
            error,
            SnapshotError::TooLarge { .. } | SnapshotError::Damaged(_)
        );
        assert!(is_named, "{id:?}: {error}");
    }
    // Rows without end, in columns of zeros that take no bytes at all.
    let mut damaged = bytes.clone();
    damaged[16..24].copy_from_slice(&(1u64 << 30).to_le_bytes());
    raw::claim_rows(&mut damaged, 1 << 30);
    raw::sign(&mut damaged);
    assert!(matches!(
        open(&damaged),
        Err(SnapshotError::TooLarge { .. })
    ));
}

/// A stream that goes on behind what the table says is cut off there.
#[test]
fn a_section_never_expands_to_more_than_it_says() {
    let bytes = bytes_of(&model());
    let bomb = zstd::bulk::compress(&vec![0; 1 << 28], 3).unwrap();
    for (id, range) in sections(&bytes) {
        let mut damaged = splice(&bytes, &range, &bomb);
        raw::sign(&mut damaged);
        let snapshot = open(&damaged).unwrap();
        ask_everything(snapshot.segment());
        match snapshot.verify(&CancelToken::new()) {
            Err(SnapshotError::Damaged(damage)) => assert_eq!(damage.place, Place::Section(id)),
            other => panic!("{id:?}: {other:?}"),
        }
    }
}

fn section(bytes: &[u8], id: SectionId, count: u64) -> (SectionId, std::ops::Range<usize>, u64) {
    let mut sections = sections(bytes).into_iter();
    let (id, range) = sections.find(|(found, _)| *found == id).unwrap();
    (id, range, count)
}

/// The file with other bytes in place of a section; those behind it move.
fn splice(bytes: &[u8], range: &std::ops::Range<usize>, with: &[u8]) -> Vec<u8> {
    let mut file = [&bytes[..range.start], with, &bytes[range.end..]].concat();
    raw::move_sections(&mut file, range, with.len());
    file
}

/// Trees of entries that are all alike compress so well that the file is filled up.
#[test]
fn a_deep_chain_of_equal_names_is_kept() {
    let mut model = Model::new();
    let mut dir = 0;
    for _ in 0..30_000 {
        dir = model.add(dir, b"a", Kind::Dir, Some(metadata(Kind::Dir, 5)));
    }
    let segment = model.segment();
    let file = snapshot_bytes(&segment, &Kept::default());
    let least = (u64::from(segment.rows()) * 256 - (1 << 20)) / EXPANSION_RATIO;
    assert!(file.len() as u64 >= least);
    let snapshot = open(&file).unwrap();
    snapshot.verify(&CancelToken::new()).unwrap();
    assert_eq!(snapshot.segment().depth(30_000), Ok(30_000));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_tree_goes_there_and_back(
        nodes in prop::collection::vec((any::<prop::sample::Index>(), "[aAb\u{e9}.]{1,4}", 0u64..40, 0u8..4), 0..60)
    ) {
        let mut model = Model::new();
        let mut dirs = vec![0];
        for (dir, name, inode, kind) in nodes {
            let parent = dirs[dir.index(dirs.len())];
            let before = model.nodes.len();
            let mut facts = metadata(Kind::File, inode);
            facts.links = 1 + u64::from(kind == 1);
            match kind {
                0 => { model.dir(parent, &name, inode); }
                3 => { model.add(parent, name.as_bytes(), Kind::Symlink, None); }
                _ => { model.add(parent, name.as_bytes(), Kind::File, Some(facts)); }
            }
            if kind == 0 && model.nodes.len() > before {
                dirs.push(before);
            }
        }
        let snapshot = open(&bytes_of(&model)).unwrap();
        compare(snapshot.segment(), &model);
        prop_assert!(snapshot.verify(&CancelToken::new()).is_ok());
        let view = snapshot.view().unwrap();
        let sealed = View::sealed(Arc::new(model.segment())).unwrap();
        for row in 0..view.len() {
            prop_assert_eq!(view.totals(row), sealed.totals(row));
            prop_assert_eq!(view.linked(row), sealed.linked(row));
        }
    }
}
