//! Several roots are one order of paths.

use groma_base::compare_paths;

use crate::fixture::{Fixture, file, paths, told};

fn sorted(mut paths: Vec<String>) -> Vec<String> {
    paths.sort_by(|a, b| compare_paths(a.as_bytes(), b.as_bytes()));
    paths
}

#[test]
fn roots_beside_each_other() {
    let fixture = Fixture::new();
    fixture.add("/b", vec![file("x/1", 1), file("y", 2)]);
    fixture.add("/a", vec![file("z", 1)]);
    fixture.add("/a-b", vec![file("q", 1)]);
    let want = [
        "/a", "/a/z", "/a-b", "/a-b/q", "/b", "/b/x", "/b/x/1", "/b/y",
    ];
    assert_eq!(told(&fixture.open(), "", &paths()), want);
    assert_eq!(told(&fixture.open(), "x OR z", &paths()), ["/a/z", "/b/x"]);
}

#[test]
fn a_root_in_a_root_takes_its_place() {
    let fixture = Fixture::new();
    fixture.add(
        "/",
        vec![
            file("a/old", 1),
            file("m/n/stale", 1),
            file("m/z", 1),
            file("z", 1),
        ],
    );
    fixture.add("/m/n", vec![file("fresh", 1), file("in/deep", 1)]);
    fixture.add("/m/n/in", vec![file("deeper", 1)]);
    let want = [
        "/",
        "/a",
        "/a/old",
        "/m",
        "/m/n",
        "/m/n/fresh",
        "/m/n/in",
        "/m/n/in/deeper",
        "/m/z",
        "/z",
    ];
    assert_eq!(told(&fixture.open(), "", &paths()), want);
    assert_eq!(sorted(want.map(str::to_owned).to_vec()), want);
}

#[test]
fn a_root_that_the_outer_one_has_not_seen_takes_its_place_too() {
    let fixture = Fixture::new();
    fixture.add("/d", vec![file("a", 1), file("c/x", 1), file("z", 1)]);
    fixture.add("/d/b", vec![file("new", 1)]);
    fixture.add("/d/c/y/w", vec![file("far", 1)]);
    fixture.add("/d/zz", vec![file("last", 1)]);
    let want = [
        "/d",
        "/d/a",
        "/d/b",
        "/d/b/new",
        "/d/c",
        "/d/c/x",
        "/d/c/y/w",
        "/d/c/y/w/far",
        "/d/z",
        "/d/zz",
        "/d/zz/last",
    ];
    assert_eq!(told(&fixture.open(), "", &paths()), want);
    for offset in 0..want.len() {
        for limit in [0, 1, 2, 100] {
            let mut listing = paths();
            (listing.offset, listing.limit) = (offset as u64, Some(limit as u64));
            let end = (offset + limit).min(want.len());
            assert_eq!(told(&fixture.open(), "", &listing), want[offset..end]);
        }
    }
}

#[test]
fn a_search_can_be_restricted() {
    use groma_engine::search::{Within, within};
    let fixture = Fixture::new();
    fixture.add("/d/e", vec![file("f/g", 1)]);
    let roots = fixture.open();
    for (path, want) in [
        ("/", Within::Directory),
        ("/d", Within::Directory),
        ("/d/e", Within::Directory),
        ("/d/e/f", Within::Directory),
        ("/d/e/f/g", Within::NoDirectory),
        ("/d/e/h", Within::Nothing),
        ("/d/ee", Within::NoRoot),
        ("/x", Within::NoRoot),
    ] {
        assert_eq!(within(&roots, path.as_bytes()).unwrap(), want, "{path}");
    }
}
