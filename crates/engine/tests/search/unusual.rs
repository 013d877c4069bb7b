//! Trees of unusual shape and unusual names.

use groma_base::Kind;

use crate::fixture::{Entry, Fixture, dir, file, paths, told, written};

#[test]
fn names_that_are_no_text_are_found_and_told_exactly() {
    let fixture = Fixture::of(vec![
        file(b"caf\xe9", 1),
        file("café", 2),
        file(b"\xff\xfe/x", 3),
    ]);
    let roots = fixture.open();
    assert_eq!(
        written(&roots, "name:\"\\xE9\"", &paths()),
        b"/data/caf\xe9\0"
    );
    assert_eq!(
        written(&roots, "caf", &paths()),
        "/data/café\0/data/caf"
            .bytes()
            .chain(*b"\xe9\0")
            .collect::<Vec<u8>>()
    );
    assert_eq!(written(&roots, "x", &paths()), b"/data/\xff\xfe/x\0");
}

#[test]
fn seventy_thousand_extensions() {
    let entries = (0..70_000).map(|n| file(format!("f.e{n:05}"), n)).collect();
    let roots = Fixture::of(entries);
    let roots = roots.open();
    for n in [0, 1, 65_534, 65_535, 65_536, 69_999] {
        let got = told(&roots, &format!("ext:e{n:05}"), &paths());
        assert_eq!(got, [format!("/data/f.e{n:05}")]);
    }
    let all = told(&roots, "type:file", &paths());
    assert_eq!(all.len(), 70_000);
    assert!(all.is_sorted());
}

#[test]
fn paths_of_more_than_a_thousand_levels() {
    let mut path = String::new();
    let mut entries = Vec::new();
    for level in 0..1_500 {
        path.push_str(if level > 0 { "/d" } else { "d" });
        entries.push(file(format!("{path}/f{level}"), level));
        // What follows is further up again, so that the way there is looked for anew.
        if level % 100 == 0 {
            entries.push(dir(format!("{path}/e")));
        }
    }
    let fixture = Fixture::of(entries);
    let roots = fixture.open();
    let got = told(&roots, "f1499", &paths());
    assert_eq!(got, [format!("/data{}/f1499", "/d".repeat(1_500))]);
    let all = told(&roots, "", &paths());
    assert_eq!(all.len(), 1 + 1_500 + 1_500 + 15);
    for path in &all {
        let levels = path.matches("/d").count();
        let name = path.rsplit('/').next().unwrap();
        let wanted = match name.strip_prefix('f') {
            Some(level) => level.parse::<usize>().unwrap() + 2,
            None => levels,
        };
        assert_eq!(levels, wanted, "{path}");
    }
}

#[test]
fn letters_of_both_cases_come_back_as_they_were() {
    let names = [
        "README.md",
        "ReadMe",
        "x".repeat(200).as_str(),
        &"Xy".repeat(100),
        "ÄÖü",
        "K",
        "ſ",
        "ẞ.TXT",
        "aB\u{0301}",
        "İ",
    ]
    .map(str::to_owned);
    let fixture = Fixture::of(names.iter().map(|name| file(name, 1)).collect());
    let mut got = told(&fixture.open(), "type:file", &paths());
    got.sort();
    let mut want = names.map(|name| format!("/data/{name}"));
    want.sort();
    assert_eq!(got, want);
}

#[test]
fn entries_without_metadata_are_told_with_what_is_known() {
    use groma_engine::search::Form;
    use groma_query::fields::Field;
    let unknown = Entry {
        path: b"gone".to_vec(),
        kind: Kind::Unknown,
        metadata: None,
    };
    let fixture = Fixture::of(vec![unknown, file("here", 7)]);
    let columns = vec![
        Field::Path,
        Field::Type,
        Field::Size,
        Field::Owner,
        Field::Bulkiness,
    ];
    let csv = crate::fixture::listing(Form::Csv(columns));
    let text = written(&fixture.open(), "!type:dir", &csv);
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains("/data/here,file,7,root,"), "{text}");
    let all = written(&fixture.open(), "gone", &csv);
    assert_eq!(
        all,
        b"path,kind,size,user,bulkiness\n/data/gone,unknown,,,\n"
    );
}
