//! Sorted listings and limits, against sorting everything.

use std::cmp::Reverse;

use groma_base::compare_paths;
use groma_engine::search::SortKey;
use groma_query::fields::Field;

use crate::fixture::{Entry, Fixture, file, paths, told};

/// Numbers that look random and are the same every time.
fn scrambled(n: u64) -> u64 {
    let x = n.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (x ^ (x >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 20
}

/// More rows than one thread writes by itself, in directories of several sizes.
fn many() -> Vec<Entry> {
    let entry = |n: u64| {
        let at = scrambled(n);
        let path = format!(
            "d{}/e{}/File{}.{}",
            at % 7,
            at % 61,
            n,
            ["txt", "JPG", "c"][(n % 3) as usize]
        );
        file(path, scrambled(n + 1_000_000) % 5_000)
    };
    (0..9_000).map(entry).collect()
}

/// What a listing of files only must tell: the rows' keys, naively sorted.
fn expected<K: Ord>(entries: &[Entry], key: impl Fn(&Entry) -> K) -> Vec<String> {
    let mut sorted: Vec<&Entry> = entries.iter().collect();
    sorted.sort_by(|a, b| {
        key(a)
            .cmp(&key(b))
            .then_with(|| compare_paths(&a.path, &b.path))
    });
    let path = |entry: &&Entry| format!("/data/{}", String::from_utf8_lossy(&entry.path));
    sorted.iter().map(path).collect()
}

fn up(field: Field) -> SortKey {
    SortKey {
        field,
        descending: false,
    }
}

fn down(field: Field) -> SortKey {
    SortKey {
        field,
        descending: true,
    }
}

fn size(entry: &Entry) -> u64 {
    entry.metadata.as_ref().unwrap().size
}

fn extension(entry: &Entry) -> Vec<u8> {
    groma_base::folded(groma_base::extension(&entry.path).unwrap())
}

#[test]
fn a_limit_takes_the_first_of_all_sorted_matches() {
    let entries = many();
    let fixture = Fixture::of(entries.clone());
    let roots = fixture.open();
    let cases = [
        (vec![], expected(&entries, |_| ())),
        (vec![up(Field::Path)], expected(&entries, |_| ())),
        (vec![up(Field::Size)], expected(&entries, size)),
        (
            vec![down(Field::Size)],
            expected(&entries, |e| Reverse(size(e))),
        ),
        (
            vec![up(Field::Ext), down(Field::Size)],
            expected(&entries, |e| (extension(e), Reverse(size(e)))),
        ),
        (
            vec![down(Field::Ext), up(Field::Modified)],
            expected(&entries, |e| {
                (Reverse(extension(e)), e.metadata.as_ref().unwrap().modified)
            }),
        ),
        (
            vec![up(Field::Name)],
            expected(&entries, |e| {
                groma_base::folded(groma_base::basename(&e.path))
            }),
        ),
        (
            vec![up(Field::Created)],
            expected(&entries, |e| {
                let created = e.metadata.as_ref().unwrap().created;
                (created.is_none(), created)
            }),
        ),
    ];
    for (order, want) in cases {
        for (offset, limit) in [
            (0, None),
            (0, Some(20)),
            (5, Some(2500)),
            (8_990, Some(20)),
            (0, Some(0)),
        ] {
            let mut listing = paths();
            (listing.offset, listing.limit, listing.order) = (offset, limit, order.clone());
            for threads in [1, 4] {
                listing.threads = threads;
                let (start, most) = (offset as usize, limit.unwrap_or(u64::MAX));
                let end = want
                    .len()
                    .min(start.saturating_add(usize::try_from(most).unwrap()));
                let got = told(&roots, "type:file", &listing);
                assert_eq!(got, want[start..end], "{order:?} {offset} {limit:?}");
            }
        }
    }
}

#[test]
fn a_filter_with_a_limit_gives_as_many_as_there_are() {
    let fixture = Fixture::of(many());
    let mut listing = paths();
    listing.limit = Some(2_999);
    let got = told(&fixture.open(), "ext:jpg", &listing);
    assert_eq!(got.len(), 2_999);
    assert!(got.iter().all(|path| path.ends_with(".JPG")));
    listing.limit = Some(20);
    assert_eq!(told(&fixture.open(), "type:dir name:e", &listing).len(), 20);
}

#[test]
fn the_first_page_of_long_lists_is_that_of_all() {
    let entries = (0..16_000u64).flat_map(|n| {
        let at = scrambled(n);
        let dir = format!("d{}/e{n}", at % 331);
        [
            file(format!("{dir}/index.js"), 1),
            file(format!("{dir}/part{}.txt", at % 50), 1),
            file(format!("{dir}/part-only-{n}.c"), 1),
        ]
    });
    let fixture = Fixture::of(entries.collect());
    let roots = fixture.open();
    for query in [
        "name=index.js",
        "name starts part",
        "ext:js",
        "ext:txt;js",
        "name=part7.txt",
    ] {
        let all = told(&roots, query, &paths());
        // The largest of these is more than lists are looked through for.
        for (offset, limit) in [(0, 0), (0, 1), (0, 100), (50, 100), (0, 4096), (0, 4097)] {
            let mut listing = paths();
            (listing.offset, listing.limit) = (offset, Some(limit));
            let end = all.len().min((offset + limit) as usize);
            let want = &all[offset as usize..end];
            assert_eq!(
                told(&roots, query, &listing),
                want,
                "{query} {offset} {limit}"
            );
        }
    }
}

#[test]
fn paths_descend_exactly_backwards() {
    let fixture = Fixture::of(many());
    let roots = fixture.open();
    let mut listing = paths();
    let mut want = told(&roots, "", &listing);
    want.reverse();
    listing.order = vec![down(Field::Path)];
    assert_eq!(told(&roots, "", &listing), want);
}

#[test]
fn natural_order_counts_numbers() {
    let names = ["a10", "a9", "A1", "b", "a9b"];
    let fixture = Fixture::of(names.iter().map(|name| file(name, 1)).collect());
    let mut listing = paths();
    listing.order = vec![up(Field::Name)];
    let want = |names: [&str; 5]| names.map(|name| format!("/data/{name}"));
    let roots = fixture.open();
    assert_eq!(
        told(&roots, "type:file", &listing),
        want(["A1", "a10", "a9", "a9b", "b"])
    );
    listing.natural = true;
    assert_eq!(
        told(&roots, "type:file", &listing),
        want(["A1", "a9", "a9b", "a10", "b"])
    );
    listing.order = vec![down(Field::Path)];
    assert_eq!(
        told(&roots, "type:file", &listing),
        want(["b", "a10", "a9b", "a9", "A1"])
    );
}
