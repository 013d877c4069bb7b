//! What is read a stretch at a time equals what is read row by row.

use std::ops::Range;

use groma_catalog::{NumberOf, Segment, TimeOf};

/// Panics at the first difference.
pub(crate) fn compare(segment: &Segment) {
    let rows = segment.rows();
    for range in [0..rows, rows / 3..rows - rows / 4, rows..rows] {
        compare_range(segment, range);
    }
    assert!(segment.stretch(0..rows + 1).is_err());
}

fn compare_range(segment: &Segment, rows: Range<u32>) {
    let stretch = segment.stretch(rows.clone()).unwrap();
    let (mut parents, mut names, mut kinds) = (Vec::new(), Vec::new(), Vec::new());
    let (mut sizes, mut allocated, mut modified) = (Vec::new(), Vec::new(), Vec::new());
    stretch.parents(&mut parents).unwrap();
    stretch.names(&mut names).unwrap();
    stretch.kinds(&mut kinds).unwrap();
    stretch.sizes(&mut sizes).unwrap();
    stretch.allocated(&mut allocated).unwrap();
    stretch.times(TimeOf::Content, &mut modified).unwrap();
    let (mut raw, mut ends) = (Vec::new(), Vec::new());
    let reader = segment.name_reader().unwrap();
    reader.append_all(&names, &mut raw, &mut ends).unwrap();
    let mut start = 0;
    for (at, row) in rows.clone().enumerate() {
        let parent = segment.parent(row).unwrap();
        assert_eq!(parents[at], parent.unwrap_or(row));
        assert_eq!(names[at], segment.name(row).unwrap());
        assert_eq!(kinds[at], segment.kind(row).unwrap());
        assert_eq!(sizes[at], segment.size(row).unwrap());
        assert_eq!(allocated[at], segment.allocated(row).unwrap());
        assert_eq!(modified[at], segment.modified(row).unwrap());
        let name = segment.names().unwrap().raw(names[at]).unwrap();
        assert_eq!(raw[start..ends[at]], name);
        let mut alone = Vec::new();
        reader.append(names[at], &mut alone).unwrap();
        assert_eq!(alone, name);
        start = ends[at];
    }
    compare_metadata(segment, rows);
}

fn compare_metadata(segment: &Segment, rows: Range<u32>) {
    let stretch = segment.stretch(rows.clone()).unwrap();
    let numbers = |of| {
        let mut numbers = Vec::new();
        stretch.numbers(of, &mut numbers).unwrap();
        numbers
    };
    let times = |of| {
        let mut times = Vec::new();
        stretch.times(of, &mut times).unwrap();
        times
    };
    let (inodes, links) = (numbers(NumberOf::Inode), numbers(NumberOf::Links));
    let (modes, owners) = (numbers(NumberOf::Mode), numbers(NumberOf::Owner));
    let volumes = numbers(NumberOf::Volume);
    let (accessed, changed) = (times(TimeOf::Access), times(TimeOf::Node));
    let created = times(TimeOf::Birth);
    for (at, row) in rows.enumerate() {
        let Some(metadata) = segment.metadata(row).unwrap() else {
            continue;
        };
        assert_eq!(inodes[at], metadata.id.inode);
        assert_eq!(links[at], metadata.links);
        assert_eq!(modes[at], u64::from(metadata.mode & 0o7777));
        let owner = segment.owner(owners[at] as usize).unwrap();
        assert_eq!((owner.uid, owner.gid), (metadata.uid, metadata.gid));
        let volume = segment.volume(volumes[at] as usize).unwrap();
        assert_eq!(volume.device, metadata.id.device);
        assert_eq!(
            (accessed[at], changed[at]),
            (metadata.accessed, metadata.changed)
        );
        assert_eq!(metadata.created.unwrap_or(created[at]), created[at]);
    }
}
