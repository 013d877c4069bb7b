//! Cases worked out by hand.

use groma_base::{Kind, Timestamp};
use groma_engine::stats::{
    GROUPINGS, Metric, PRESETS, PlanError, Report, Request, find_preset, plan,
};

use groma_query::fields::{FIELDS, Field};

use super::model::{Tree, answer, answer_with, context, metadata, open};
use super::oracle::matching;

fn texts(list: &[&str]) -> Vec<String> {
    list.iter().map(|&text| text.to_owned()).collect()
}

/// The rows of the first table in one line: `label=count/size`.
fn shown(report: &Report) -> String {
    let row = |row: &groma_engine::stats::Row| {
        let labels = row.labels.iter().map(|label| match label {
            Some(bytes) => String::from_utf8_lossy(bytes).into_owned(),
            None => "-".to_owned(),
        });
        let labels: Vec<String> = labels.collect();
        format!("{}={}/{}", labels.join("+"), row.sums.count, row.sums.size)
    };
    let rows: Vec<String> = report.sections[0].rows.iter().map(row).collect();
    rows.join(" ")
}

fn by(tree: &Tree, fields: &[&str]) -> String {
    let request = Request {
        by: texts(fields),
        ..Request::default()
    };
    shown(&answer(&request, &open(std::slice::from_ref(tree))))
}

fn small() -> Tree {
    let mut tree = Tree::new("/data");
    let docs = tree.dir(0, "docs");
    let deep = tree.dir(docs, "deep");
    tree.file(0, "top.txt", 5);
    tree.file(docs, "one.pdf", 2000);
    tree.file(docs, "two.pdf", 100);
    tree.file(deep, "three.rs", 50);
    tree
}

#[test]
fn the_largest_come_first_and_scales_in_order() {
    let tree = small();
    assert_eq!(by(&tree, &["ext"]), "pdf=2/2100 rs=1/50 txt=1/5");
    assert_eq!(by(&tree, &["depth"]), "0=1/0 1=2/5 2=3/2100 3=1/50");
    assert_eq!(by(&tree, &["dir:1"]), "/data/docs=4/2150 /data/=2/5");
    assert_eq!(
        by(&tree, &["type", "ext"]),
        "file+pdf=2/2100 file+rs=1/50 file+txt=1/5"
    );
    assert_eq!(
        by(&tree, &["category", "depth"]),
        "documents+1=1/5 documents+2=2/2100 code+3=1/50"
    );
}

#[test]
fn top_cuts_each_level_and_tells_the_rest() {
    let tree = small();
    let mut request = Request {
        by: texts(&["ext"]),
        top: Some(1),
        ..Request::default()
    };
    let roots = open(&[tree]);
    let report = answer(&request, &roots);
    assert_eq!(shown(&report), "pdf=2/2100");
    let (buckets, sums) = report.sections[0].rest.clone().unwrap();
    assert_eq!((buckets, sums.count, sums.size), (2, 2, 55));
    assert_eq!(report.sections[0].total.count, 7);
    request.sort = Some("size".to_owned());
    assert_eq!(shown(&answer(&request, &roots)), "txt=1/5");
    request.sort = Some("-key".to_owned());
    assert_eq!(shown(&answer(&request, &roots)), "txt=1/5");
    request.sort = Some("key".to_owned());
    request.by = texts(&["type", "ext"]);
    request.missing = true;
    request.top = Some(2);
    assert_eq!(
        shown(&answer(&request, &roots)),
        "file+pdf=2/2100 file+rs=1/50 dir+-=3/0"
    );
}

#[test]
fn histograms_have_no_gaps() {
    let mut tree = Tree::new("/data");
    tree.file(0, "a", 0);
    tree.file(0, "b", 7);
    let far = tree.file(0, "c", 5000);
    tree.change(far, |m| m.modified = Timestamp::from_seconds(1_710_000_000));
    let request = |histogram: &str| Request {
        query: texts(&["type:file"]),
        histograms: texts(&[histogram]),
        ..Request::default()
    };
    let roots = open(&[tree]);
    let shown = |histogram: &str| shown(&answer(&request(histogram), &roots));
    assert_eq!(
        shown("size"),
        "0=1/0 1-10=1/7 10-100=0/0 100-1k=0/0 1k-10k=1/5000"
    );
    assert_eq!(
        shown("modified"),
        "2023-11=2/7 2023-12=0/0 2024-01=0/0 2024-02=0/0 2024-03=1/5000"
    );
    assert_eq!(shown("modified:year"), "2023=2/7 2024=1/5000");
    assert_eq!(shown("age"), "1y-2y=3/5007");
    assert_eq!(shown("age:year"), "1y-2y=3/5007");
    assert_eq!(
        shown("size:1k"),
        "0-1k=2/7 1k-2k=0/0 2k-3k=0/0 3k-4k=0/0 4k-5k=0/0 5k-6k=1/5000"
    );
}

#[test]
fn ranges_may_overlap_and_empty_ones_are_shown() {
    let tree = small();
    let request = |ranges: &str| Request {
        query: texts(&["type:file"]),
        ranges: texts(&[ranges]),
        distinct: texts(&["ext"]),
        ..Request::default()
    };
    let roots = open(&[tree]);
    let report = answer(&request("size:0..100, 50..2kb, 1gb.., 5"), &roots);
    assert_eq!(
        shown(&report),
        "0..100=3/155 50..2kb=3/2150 1gb..=0/0 5=1/5"
    );
    let distinct: Vec<u64> = report.sections[0]
        .rows
        .iter()
        .map(|row| row.distinct[0])
        .collect();
    assert_eq!(distinct, [3, 2, 0, 1]);
    for row in &report.sections[0].rows {
        let listed = matching(&roots, row.query().as_deref().unwrap());
        assert_eq!(listed.len() as u64, row.sums.count);
    }
    let ages = answer(&request("age:..1y,1y.."), &roots);
    assert_eq!(shown(&ages), "..1y=0/0 1y..=4/2155");
    assert_eq!(
        shown(&answer(&request("modified:2023,2024.."), &roots)),
        "2023=4/2155 2024..=0/0"
    );
    for wrong in [
        "size",
        "siez:1..2",
        "size:5..1",
        "name:a..b",
        "size:1..x",
        "ext:a",
    ] {
        let error = plan(&request(wrong), &context()).unwrap_err();
        assert!(!error.to_string().is_empty(), "{wrong}");
    }
}

/// Three paths of one node, with a smaller one that a filter leaves out.
#[test]
fn a_node_counts_once_at_the_smallest_path_that_matches() {
    let mut tree = Tree::new("/data");
    let (a, b) = (tree.dir(0, "a"), tree.dir(0, "b"));
    let mut linked = metadata(Kind::File, 50, 1000);
    linked.links = 3;
    for (dir, name) in [(a, "x.one"), (b, "y.two"), (b, "z.two")] {
        tree.add(dir, name.as_bytes(), Some(linked.clone()), Kind::File);
    }
    let roots = open(&[tree]);
    let ask = |query: &str, field: &str| {
        let request = Request {
            query: texts(&[query]),
            by: texts(&[field]),
            sort: Some("key".to_owned()),
            ..Request::default()
        };
        shown(&answer(&request, &roots))
    };
    assert_eq!(ask("type:file", "ext"), "one=1/1000 two=2/0");
    assert_eq!(ask("ext:two", "ext"), "two=2/1000");
    assert_eq!(ask("ext:two", "name"), "y.two=1/1000 z.two=1/0");
    assert_eq!(ask("type:file", "dir"), "/data/a=1/1000 /data/b=2/0");
    assert_eq!(ask("under:/data/b", "dir"), "/data/b=2/1000");
}

#[test]
fn a_node_in_two_roots_counts_once() {
    let mut linked = metadata(Kind::File, 50, 1000);
    linked.links = 2;
    let tree = |root: &str, name: &str| {
        let mut tree = Tree::new(root);
        tree.add(0, name.as_bytes(), Some(linked.clone()), Kind::File);
        tree
    };
    let roots = open(&[tree("/one", "f"), tree("/two", "f")]);
    let request = Request {
        query: texts(&["type:file"]),
        by: texts(&["root"]),
        sort: Some("key".to_owned()),
        ..Request::default()
    };
    assert_eq!(shown(&answer(&request, &roots)), "/one=1/1000 /two=1/0");
}

#[test]
fn more_extensions_than_16_bits_number() {
    let mut tree = Tree::new("/data");
    let mut batch = Vec::new();
    for n in 0..70_000u64 {
        let metadata = metadata(Kind::File, 100 + n, n);
        batch.push(super::model::Node {
            parent: 0,
            name: format!("f.e{n:05}").into_bytes(),
            kind: Kind::File,
            metadata: Some(metadata),
        });
    }
    tree.nodes.extend(batch);
    let request = Request {
        by: texts(&["ext"]),
        ..Request::default()
    };
    let roots = open(&[tree]);
    let report = answer(&request, &roots);
    let rows = &report.sections[0].rows;
    assert_eq!(rows.len(), 70_000);
    assert_eq!(rows[0].labels, [Some(b"e69999".to_vec())]);
    assert_eq!(report.sections[0].total.size, 70_000 * 69_999 / 2);
}

#[test]
fn sums_pass_64_bits() {
    let mut tree = Tree::new("/data");
    for n in 0..4 {
        tree.file(0, &format!("f{n}.big"), u64::MAX);
    }
    let want = format!("big=4/{}", u128::from(u64::MAX) * 4);
    assert_eq!(by(&tree, &["ext"]), want);
}

#[test]
fn every_preset_answers_and_its_queries_list_its_rows() {
    let mut tree = small();
    tree.file(0, "copy.pdf", 2000);
    tree.file(0, "old.log", 200_000_000);
    tree.file(0, "song.mp3", 4000);
    tree.dir(0, "void");
    let roots = open(&[tree]);
    for preset in PRESETS {
        let request = Request {
            preset: find_preset(preset.name),
            ..Request::default()
        };
        let report = answer(&request, &roots);
        assert!(!report.sections.is_empty(), "{}", preset.name);
        for threads in [1, 5] {
            let other = answer_with(&request, &roots, threads);
            assert_eq!(
                format!("{other:?}"),
                format!("{report:?}"),
                "{}",
                preset.name
            );
        }
        for section in &report.sections {
            for row in &section.rows {
                let text = row.query().unwrap();
                let listed = matching(&roots, &text);
                let name = preset.name;
                assert_eq!(
                    listed.len() as u64,
                    row.sums.count,
                    "{name} {}: {text}",
                    section.name
                );
            }
            let listed = matching(&roots, &section.query);
            if !section.name.contains("sizes") {
                assert_eq!(listed.len() as u64, section.total.count, "{}", section.name);
            }
        }
        let narrowed = Request {
            query: texts(&["nothing at all"]),
            ..request
        };
        for section in &answer(&narrowed, &roots).sections {
            assert_eq!(
                section.total.count, 0,
                "{}: every filter applies",
                preset.name
            );
        }
    }
}

#[test]
fn samples_are_the_largest_then_the_first() {
    let mut tree = Tree::new("/data");
    for (name, size) in [("b", 5), ("a", 5), ("c", 9), ("d", 1)] {
        tree.file(0, &format!("{name}.x"), size);
    }
    let request = Request {
        query: texts(&["type:file"]),
        by: texts(&["ext"]),
        samples: Some(3),
        ..Request::default()
    };
    let report = answer(&request, &open(&[tree]));
    let samples = &report.sections[0].rows[0].samples;
    let paths: Vec<&[u8]> = samples.iter().map(|sample| &sample.path[..]).collect();
    assert_eq!(paths, [&b"/data/c.x"[..], b"/data/a.x", b"/data/b.x"]);
}

#[test]
fn names_and_sizes_alike() {
    let mut tree = Tree::new("/data");
    let (a, b) = (tree.dir(0, "a"), tree.dir(0, "b"));
    for dir in [a, b] {
        tree.file(dir, "same", 10);
        tree.file(dir, "empty", 0);
    }
    tree.file(b, "other", 10);
    let mut linked = metadata(Kind::File, 60, 77);
    linked.links = 2;
    for dir in [a, b] {
        tree.add(dir, b"link", Some(linked.clone()), Kind::File);
    }
    let roots = open(&[tree]);
    let ask = |likeness| {
        let request = Request {
            duplicates: Some(likeness),
            ..Request::default()
        };
        let report = answer(&request, &roots);
        for row in &report.sections[0].rows {
            let listed = matching(&roots, row.query().as_deref().unwrap());
            assert_eq!(listed.len() as u64, row.sums.count);
        }
        let total = &report.sections[0].total;
        (shown(&report), total.reclaimable)
    };
    let (names, _) = ask(groma_engine::stats::Likeness::Name);
    assert_eq!(names, "empty=2/0 same=2/20");
    let (sizes, reclaimable) = ask(groma_engine::stats::Likeness::Size);
    assert_eq!((sizes.as_str(), reclaimable), ("10=3/30", 20));
}

#[test]
fn an_entry_is_in_the_bucket_of_each_of_its_flags() {
    let mut tree = small();
    tree.file(0, ".hid", 0);
    tree.dir(0, ".void");
    assert_eq!(
        by(&tree, &["is"]),
        "file=5/2155 dir=4/0 hidden=2/0 empty=2/0"
    );
    assert_eq!(by(&tree, &["is:hidden"]), "no=7/2155 yes=2/0");
    assert_eq!(
        by(&tree, &["is:empty", "type"]),
        "no+file=4/2155 no+dir=3/0 yes+file=1/0 yes+dir=1/0"
    );
}

#[test]
fn every_field_groups_unless_each_entry_has_its_own() {
    let own = [Field::Path, Field::Under, Field::Stream, Field::Missing];
    for row in FIELDS {
        let by = texts(&[row.name]);
        let request = Request {
            by,
            ..Request::default()
        };
        let is_refused = plan(&request, &context()).is_err();
        assert_eq!(is_refused, own.contains(&row.field), "{}", row.name);
        let is_listed = GROUPINGS.iter().any(|grouping| grouping.0 == row.name);
        assert_eq!(is_listed, !is_refused, "{}", row.name);
    }
}

#[test]
fn mistakes_say_what_is_meant() {
    let refuse = |request: Request| plan(&request, &context()).unwrap_err().to_string();
    let with_by = |fields: &[&str]| Request {
        by: texts(fields),
        ..Request::default()
    };
    for (fields, needle) in [
        (&["exr"][..], "did you mean 'ext'?"),
        (&["zzzzzz"], "there are ext category"),
        (&["dir:0"], "a number of levels"),
        (&["ext:5"], "nothing may stand behind"),
        (&["modified:decade"], "day, week, month or year"),
        (&["size:x"], "is not a size"),
        (&["is:hiddn"], "did you mean 'hidden'?"),
        (&["bulkiness:2"], "nothing may stand behind"),
        (&["ext", "type", "owner"], "two fields at most"),
        (&["path"], "there is no field 'path' to count by"),
    ] {
        let error = refuse(with_by(fields));
        assert!(error.contains(needle), "{error}");
    }
    let sort = refuse(Request {
        sort: Some("siez".to_owned()),
        ..Request::default()
    });
    assert!(sort.contains("did you mean 'size'?"), "{sort}");
    let histogram = refuse(Request {
        histograms: texts(&["ext"]),
        ..Request::default()
    });
    assert!(histogram.contains("sizes, numbers or times"), "{histogram}");
    let query = Request {
        query: texts(&["siez>1"]),
        ..Request::default()
    };
    assert!(matches!(plan(&query, &context()), Err(PlanError::Query(_))));
    assert_eq!(Metric::find("newest"), Some(Metric::Newest));
}

#[test]
fn case_is_written_into_the_queries_of_buckets() {
    let mut tree = Tree::new("/data");
    tree.file(0, "Report.txt", 1);
    tree.file(0, "report.txt", 1);
    let roots = open(&[tree]);
    let mut context = context();
    context.case = groma_query::pattern::Case::Sensitive;
    let request = Request {
        query: texts(&["report"]),
        by: texts(&["ext"]),
        ..Request::default()
    };
    let plan = plan(&request, &context).unwrap();
    let run_with = groma_engine::stats::Run {
        threads: 1,
        cancel: groma_base::CancelToken::new(),
    };
    let report = groma_engine::stats::run(&plan, &roots, &run_with).unwrap();
    let row = &report.sections[0].rows[0];
    assert_eq!(row.sums.count, 1);
    assert_eq!(matching(&roots, row.query().as_deref().unwrap()).len(), 1);
}

#[test]
fn own_groups_of_extensions_are_categories() {
    let mut tree = Tree::new("/data");
    for name in ["a.cr2", "b.CR2", "c.png", "d.mp3", "e.flac", "f"] {
        tree.file(0, name, 10);
    }
    let roots = open(&[tree]);
    let group = |name: &str, list: &[&str]| {
        let list = list.iter().map(|&extension| extension.to_owned());
        (name.to_owned(), list.collect())
    };
    let own = [group("raw", &["cr2"]), group("music", &["mp3"])];
    let context = groma_query::bind::Context {
        extension_groups: &own,
        ..context()
    };
    let request = |query: &str, by: &[&str]| Request {
        query: texts(&[query]),
        by: texts(by),
        ..Request::default()
    };
    let ask = |request: &Request| {
        let run_with = groma_engine::stats::Run {
            threads: 2,
            cancel: groma_base::CancelToken::new(),
        };
        let plan = plan(request, &context).unwrap();
        groma_engine::stats::run(&plan, &roots, &run_with).unwrap()
    };
    let report = ask(&request("type:file", &["category"]));
    assert_eq!(
        shown(&report),
        "raw=2/20 other=2/20 music=1/10 pictures=1/10"
    );
    for row in &report.sections[0].rows {
        let listed = ask(&request(&row.query().unwrap(), &[]));
        assert_eq!(listed.sections[0].total, row.sums);
    }
}

#[test]
fn parquet_tells_what_the_report_does() {
    use parquet::record::RowAccessor as _;
    let mut tree = small();
    tree.file(0, "huge.big", u64::MAX);
    let request = Request {
        query: texts(&["type:file"]),
        by: texts(&["ext", "year"]),
        metrics: vec![Metric::Count, Metric::Size],
        distinct: texts(&["name"]),
        missing: true,
        samples: Some(1),
        ..Request::default()
    };
    let report = answer(&request, &open(&[tree]));
    let mut out = Vec::new();
    groma_engine::stats::write_parquet(&report, &mut out).unwrap();
    let out = bytes::Bytes::from(out);
    let reader = parquet::file::serialized_reader::SerializedFileReader::new(out).unwrap();
    let rows = parquet::file::reader::FileReader::get_row_iter(&reader, None).unwrap();
    let rows: Vec<_> = rows.map(Result::unwrap).collect();
    let want = &report.sections[0].rows;
    assert_eq!(rows.len(), want.len());
    for (row, want) in rows.iter().zip(want) {
        let at = |name: &str| {
            let mut columns = row.get_column_iter();
            columns.position(|column| column.0 == name).unwrap()
        };
        let text = |name| row.get_string(at(name)).ok().cloned();
        let label = |at: usize| {
            let label = want.labels[at].clone();
            label.map(|bytes| String::from_utf8(bytes).unwrap())
        };
        assert_eq!((text("ext"), text("year")), (label(0), label(1)));
        assert_eq!(row.get_long(at("count")).unwrap() as u64, want.sums.count);
        let size = i64::try_from(want.sums.size).ok();
        assert_eq!(row.get_long(at("size")).ok(), size);
        let distinct = row.get_long(at("distinct_name")).unwrap() as u64;
        assert_eq!(distinct, want.distinct[0]);
        assert_eq!(text("query"), want.query());
        let sample = String::from_utf8(want.samples[0].path.clone()).unwrap();
        assert_eq!(text("sample_1"), Some(sample));
    }
}
