//! Asks a segment everything, and works the answers out from the model, naively.

use std::collections::{BTreeMap, BTreeSet};

use groma_base::{CancelToken, Timestamp, extension, folded};
use groma_catalog::{DirTotals, KindFlags, Segment, Totals};

use crate::bulk;
use crate::model::{Model, about};

/// Panics at the first difference.
pub(crate) fn compare(segment: &Segment, model: &Model) {
    let order = model.sorted();
    assert_eq!(segment.rows() as usize, order.len());
    assert_eq!(segment.about().unwrap(), about());
    compare_rows(segment, model, &order);
    bulk::compare(segment);
    compare_dirs(segment, model, &order);
    compare_names(segment, model, &order);
    compare_extensions(segment, model, &order);
    segment.check(&CancelToken::new()).unwrap();
}

fn row(number: usize) -> u32 {
    u32::try_from(number).unwrap()
}

fn compare_rows(segment: &Segment, model: &Model, order: &[usize]) {
    let nodes = nodes(model, order);
    for (number, &at) in order.iter().enumerate() {
        let (row, node) = (row(number), &model.nodes[at]);
        let parent = node
            .parent
            .map(|p| order.iter().position(|&o| o == p).unwrap());
        assert_eq!(segment.parent(row).unwrap(), parent.map(self::row));
        let below = model.path_below(at);
        let path = [&b"/data/"[..], &below].concat();
        assert_eq!(
            segment.path(row).unwrap(),
            path.strip_suffix(b"/").unwrap_or(&path)
        );
        assert_eq!(segment.find_below(&below).unwrap(), Some(row));
        assert_eq!(segment.depth(row).unwrap() as usize, model.way(at).len());
        assert_eq!(segment.metadata(row).unwrap(), node.metadata);
        let flags = segment.kind(row).unwrap();
        assert_eq!(flags.kind(), node.kind);
        assert_eq!(flags.has(KindFlags::ACL), at % 5 == 1);
        assert_eq!(flags.has(KindFlags::MOUNT), at % 7 == 1);
        let linked = nodes
            .values()
            .find(|rows| rows.len() > 1 && rows.contains(&row));
        let linked: Vec<u32> = linked.cloned().unwrap_or_default();
        assert_eq!(flags.has(KindFlags::LINKED), !linked.is_empty());
        let elsewhere = linked.first().is_some_and(|&first| first != row);
        assert_eq!(flags.has(KindFlags::COUNTED_ELSEWHERE), elsewhere);
        assert_eq!(segment.linked_rows(row).unwrap(), linked);
    }
}

/// Rows by node, for all that may have several.
fn nodes(model: &Model, order: &[usize]) -> BTreeMap<(u64, u64), Vec<u32>> {
    let mut nodes: BTreeMap<(u64, u64), Vec<u32>> = BTreeMap::new();
    for (number, &at) in order.iter().enumerate() {
        let metadata = model.nodes[at].metadata.as_ref();
        let linked = metadata.filter(|m| m.links > 1 && m.kind != groma_base::Kind::Dir);
        if let Some(m) = linked {
            nodes
                .entry((m.id.device, m.id.inode))
                .or_default()
                .push(row(number));
        }
    }
    nodes
}

fn compare_dirs(segment: &Segment, model: &Model, order: &[usize]) {
    let nodes = nodes(model, order);
    for (number, &at) in order.iter().enumerate() {
        let below: Vec<usize> = (0..order.len())
            .filter(|&other| {
                other != number && model.way(order[other]).contains(&at) || at == 0 && other > 0
            })
            .collect();
        assert_eq!(segment.subtree(row(number)).unwrap().len(), below.len() + 1);
        if model.nodes[at].kind != groma_base::Kind::Dir {
            assert_eq!(segment.totals(row(number)).unwrap(), None);
            continue;
        }
        let mut totals = Totals::default();
        for &other in &below {
            let Some(m) = &model.nodes[order[other]].metadata else {
                continue;
            };
            totals.newest = totals.newest.max(Some(m.modified));
            let first = nodes.get(&(m.id.device, m.id.inode)).map(|rows| rows[0]);
            let is_linked = m.links > 1 && m.kind != groma_base::Kind::Dir;
            if !is_linked || first == Some(row(other)) {
                totals.size = totals.size.saturating_add(m.size);
                totals.allocated = totals.allocated.saturating_add(m.allocated);
            }
        }
        let children: Vec<u32> = (0..order.len())
            .filter(|&other| model.nodes[order[other]].parent == Some(at))
            .map(row)
            .collect();
        let expected = DirTotals {
            children: row(children.len()),
            entries: row(below.len()),
            below: totals,
        };
        assert_eq!(segment.totals(row(number)).unwrap(), Some(expected));
        let found = segment.children(row(number)).unwrap();
        assert_eq!(found.collect::<Result<Vec<_>, _>>().unwrap(), children);
        assert_eq!(segment.child(row(number), b"no such name").unwrap(), None);
    }
}

fn compare_names(segment: &Segment, model: &Model, order: &[usize]) {
    let mut rows: BTreeMap<(Vec<u8>, &[u8]), Vec<u32>> = BTreeMap::new();
    for (number, &at) in order.iter().enumerate() {
        let name = &model.nodes[at].name;
        rows.entry((folded(name), name))
            .or_default()
            .push(row(number));
    }
    let names = segment.names().unwrap();
    assert_eq!(names.len() as usize, rows.len());
    for (number, ((folded, raw), rows)) in (0..).zip(&rows) {
        assert_eq!(names.folded(number).unwrap(), folded);
        assert_eq!(names.raw(number).unwrap(), *raw);
        assert_eq!(names.exact(raw).unwrap(), Some(number));
        assert!(names.equal_folded(folded).unwrap().contains(&number));
        let found = names.rows(number).unwrap();
        assert_eq!(found.len(), rows.len());
        assert_eq!(&found.collect::<Result<Vec<_>, _>>().unwrap(), rows);
        let range = names.range(number).unwrap();
        for at in [range.start, range.end] {
            assert_eq!(names.at_byte(at).unwrap(), number);
        }
        assert_eq!(segment.name(rows[0]).unwrap(), number);
    }
    for prefix in [&b""[..], b"a", b"ab", b"\xff", "ä".as_bytes()] {
        let found = names.with_folded_prefix(prefix).unwrap();
        let expected: BTreeSet<u32> = (0..)
            .zip(rows.keys())
            .filter(|(_, (folded, _))| folded.starts_with(prefix))
            .map(|(number, _)| number)
            .collect();
        assert_eq!(found.collect::<BTreeSet<u32>>(), expected);
    }
}

fn compare_extensions(segment: &Segment, model: &Model, order: &[usize]) {
    let mut rows: BTreeMap<Vec<u8>, Vec<u32>> = BTreeMap::from([(Vec::new(), Vec::new())]);
    for (number, &at) in order.iter().enumerate() {
        let extension = folded(extension(&model.nodes[at].name).unwrap_or_default());
        rows.entry(extension).or_default().push(row(number));
    }
    let extensions = segment.extensions().unwrap();
    assert_eq!(extensions.len(), rows.len());
    for (number, (extension, rows)) in (0..).zip(&rows) {
        assert_eq!(extensions.get(number).unwrap(), extension);
        assert_eq!(extensions.find(extension).unwrap(), Some(number));
        let found = extensions.rows(number).unwrap();
        assert_eq!(&found.collect::<Result<Vec<_>, _>>().unwrap(), rows);
        for &row in rows {
            assert_eq!(extensions.of_row(row).unwrap(), number);
        }
    }
    assert_eq!(extensions.find(b"no such extension").unwrap(), None);
    let times = order.iter().map(|&at| model.nodes[at].metadata.as_ref());
    let times: Vec<i64> = times
        .map(|m| m.map_or(Timestamp::default(), |m| m.modified).seconds)
        .collect();
    for (block, times) in times
        .chunks(groma_catalog::ROWS_PER_BLOCK as usize)
        .enumerate()
    {
        let expected = (*times.iter().min().unwrap(), *times.iter().max().unwrap());
        assert_eq!(segment.modified_extremes(block).unwrap(), expected);
        assert!(segment.size_extremes(block).is_ok());
    }
}
