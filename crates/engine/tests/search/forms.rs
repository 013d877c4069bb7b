//! The forms of a listing: each row once, whatever the number of rows and of threads.

use groma_base::Kind;
use groma_engine::search::{COLUMNS, Form, column_name};
use groma_formats::table::Shown;
use groma_formats::template::Template;
use groma_query::fields::Field;
use serde_json::Value;

use crate::fixture::{Entry, Fixture, dir, file, listing, metadata, paths, written};

fn few() -> Fixture {
    let mut link = metadata(Kind::Symlink, 4, 0);
    link.mode = 0o777;
    let mut odd = metadata(Kind::File, 10, -86_400);
    (odd.uid, odd.gid, odd.links) = (3_999_999_999, 3_999_999_998, 2);
    Fixture::of(vec![
        dir("docs"),
        Entry {
            path: b"docs/a \"q\",\n\t\\\xff.TXT".to_vec(),
            kind: Kind::File,
            metadata: Some(odd),
        },
        Entry {
            path: b"link".to_vec(),
            kind: Kind::Symlink,
            metadata: Some(link),
        },
    ])
}

fn text(form: Form) -> String {
    let out = written(&few().open(), "", &listing(form));
    String::from_utf8_lossy(&out).into_owned()
}

#[test]
fn csv_and_tsv() {
    let columns = vec![
        Field::Name,
        Field::Type,
        Field::Size,
        Field::Owner,
        Field::Gid,
        Field::Perm,
    ];
    let csv = "name,kind,size,user,gid,mode\n\
               data,dir,64,root,0,0644\n\
               docs,dir,64,root,0,0644\n\
               \"a \"\"q\"\",\n\t\\\u{fffd}.TXT\",file,10,3999999999,3999999998,0644\n\
               link,symlink,4,root,0,0777\n";
    assert_eq!(text(Form::Csv(columns.clone())), csv);
    let tsv = "name\tkind\tsize\tuser\tgid\tmode\n\
               data\tdir\t64\troot\t0\t0644\n\
               docs\tdir\t64\troot\t0\t0644\n\
               a \"q\",\\n\\t\\\\\u{fffd}.TXT\tfile\t10\t3999999999\t3999999998\t0644\n\
               link\tsymlink\t4\troot\t0\t0777\n";
    assert_eq!(text(Form::Tsv(columns)), tsv);
}

#[test]
fn json_is_one_array_without_blank_lines() {
    let array = text(Form::Json(None));
    assert!(array.lines().all(|line| !line.is_empty()));
    let array: Vec<Value> = serde_json::from_str(&array).unwrap();
    let lines = text(Form::Ndjson(None));
    let lines: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(array, lines);
    let paths: Vec<&str> = array.iter().map(|o| o["path"].as_str().unwrap()).collect();
    assert_eq!(
        paths,
        [
            "/data",
            "/data/docs",
            "/data/docs/a \"q\",\n\t\\\u{fffd}.TXT",
            "/data/link"
        ]
    );
    assert_eq!(array[2]["path_b64"], "L2RhdGEvZG9jcy9hICJxIiwKCVz/LlRYVA==");
    let odd = &array[2];
    assert_eq!(
        (&odd["uid"], &odd["user"], &odd["depth"]),
        (&3_999_999_999u32.into(), &Value::Null, &2.into())
    );
    assert_eq!(odd["modified"], "1969-12-31T00:00:00.000000000Z");
    let none = written(&few().open(), "nothing", &listing(Form::Json(None)));
    assert_eq!(none, b"[]\n");
}

#[test]
fn every_column_has_a_value_under_its_name() {
    let objects = text(Form::Json(Some(COLUMNS.to_vec())));
    let objects: Vec<Value> = serde_json::from_str(&objects).unwrap();
    for object in &objects {
        for field in COLUMNS {
            assert!(
                object.get(column_name(*field)).is_some(),
                "{field:?} {object}"
            );
        }
    }
    let odd = &objects[2];
    for (name, want) in [
        ("stem", Value::from("a \"q\",\n\t\\\u{fffd}")),
        ("parent", "/data/docs".into()),
        ("ext", "TXT".into()),
        ("category", "documents".into()),
        ("allocated", 4096.into()),
        ("age", (crate::fixture::NOW + 86_400).into()),
        ("links", 2.into()),
        ("depth", 2.into()),
        ("is", serde_json::json!(["file", "hardlinked"])),
        ("name-length", 14.into()),
        ("bulkiness", 409.6.into()),
        ("root", "/data".into()),
        ("empty", false.into()),
        ("items", Value::Null),
        ("tree-size", Value::Null),
    ] {
        assert_eq!(odd[name], want, "{name}");
    }
    let docs = &objects[1];
    for (name, want) in [
        ("items", 1),
        ("files", 1),
        ("dirs", 0),
        ("tree-items", 1),
        ("tree-size", 10),
    ] {
        assert_eq!(docs[name], want, "{name}");
    }
    assert_eq!(docs["category"], Value::Null);
}

#[test]
fn tables_templates_and_file_lists() {
    let table = text(Form::Table(
        vec![Field::Type, Field::Size, Field::Path],
        Shown::Exact,
    ));
    let want = "kind     size  path\n\
                dir        64  /data\n\
                dir        64  /data/docs\n\
                file       10  /data/docs/a \"q\",\\x0A\t\\\\xFF.TXT\n\
                symlink     4  /data/link\n";
    assert_eq!(table, want);
    let template =
        Template::with_fields("{/}:{size}", |word| (word == "size").then_some(0)).unwrap();
    let template = Form::Template {
        template,
        columns: vec![Field::Size],
        terminator: b'|',
        escape: true,
    };
    assert_eq!(
        text(template),
        "data:64|docs:64|a \"q\",\\x0A\t\\\\xFF.TXT:10|link:4|"
    );
    let list = text(Form::Efu);
    assert!(
        list.starts_with("Filename,Size,Date Modified,Date Created,Attributes\n\"/data\",,"),
        "{list}"
    );
    assert!(
        list.contains("\"/data/link\",4,116444736000000000,116444735990000000,1024\n"),
        "{list}"
    );
}

#[test]
fn many_rows_are_told_once_and_in_order() {
    let entries = (0..8_000)
        .map(|n| file(format!("d{:02}/n{n:05}", n % 50), n))
        .collect();
    let fixture = Fixture::of(entries);
    let roots = fixture.open();
    let plain = written(&roots, "", &paths());
    for threads in [1, 2, 5] {
        for query in ["", "path:/data OR data"] {
            let mut csv = listing(Form::Csv(vec![Field::Path]));
            csv.threads = threads;
            let mut want = b"path\n".to_vec();
            want.extend(plain.iter().map(|&b| if b == 0 { b'\n' } else { b }));
            assert!(written(&roots, query, &csv) == want, "{threads} {query}");
            let mut json = listing(Form::Json(Some(vec![Field::Name, Field::Size])));
            json.threads = threads;
            let objects = written(&roots, query, &json);
            let objects: Vec<Value> = serde_json::from_slice(&objects).unwrap();
            assert_eq!(objects.len(), 8_051);
        }
    }
}

#[test]
fn whoever_takes_no_more_ends_the_listing() {
    struct Full(usize);
    impl std::io::Write for Full {
        fn write(&mut self, piece: &[u8]) -> std::io::Result<usize> {
            if self.0 == 0 {
                return Err(std::io::ErrorKind::BrokenPipe.into());
            }
            let taken = piece.len().min(self.0);
            self.0 -= taken;
            Ok(taken)
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let entries = (0..9_000).map(|n| file(format!("n{n:05}"), n)).collect();
    let fixture = Fixture::of(entries);
    let roots = fixture.open();
    let run = groma_engine::search::Run {
        threads: 2,
        cancel: groma_base::CancelToken::new(),
    };
    let (expr, clock) = (crate::fixture::query(""), || std::time::Duration::ZERO);
    let found = groma_engine::search::search(&roots, &expr, &run, None, &clock).unwrap();
    for room in [0, 10, 100_000] {
        assert!(found.write(&paths(), &mut Full(room)).is_err());
    }
}

/// The numbers of one column of a Parquet file.
fn numbers(file: &[u8], name: &str) -> Vec<i64> {
    use parquet::column::reader::ColumnReader;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    let reader = SerializedFileReader::new(bytes::Bytes::copy_from_slice(file)).unwrap();
    let schema = reader.metadata().file_metadata().schema_descr();
    let column = schema
        .columns()
        .iter()
        .position(|column| column.name() == name)
        .unwrap();
    let mut all = Vec::new();
    for group in 0..reader.num_row_groups() {
        let group = reader.get_row_group(group).unwrap();
        let rows = usize::try_from(group.metadata().num_rows()).unwrap();
        let ColumnReader::Int64ColumnReader(mut cells) = group.get_column_reader(column).unwrap()
        else {
            panic!("{name} has other numbers");
        };
        let mut levels = Vec::new();
        cells
            .read_records(rows, Some(&mut levels), None, &mut all)
            .unwrap();
    }
    all
}

#[test]
fn parquet_has_the_rows_of_the_order_asked_for() {
    let entries = (0..5_000)
        .map(|n| file(format!("n{n:04}"), n * 7 % 5_000))
        .collect();
    let fixture = Fixture::of(entries);
    let mut parquet = listing(Form::Parquet(vec![Field::Path, Field::Size, Field::Is]));
    parquet.order = vec![groma_engine::search::SortKey {
        field: Field::Size,
        descending: true,
    }];
    parquet.limit = Some(4_000);
    let out = written(&fixture.open(), "type:file", &parquet);
    assert_eq!(
        numbers(&out, "size"),
        (1_000..5_000).rev().collect::<Vec<i64>>()
    );
    let none = written(&fixture.open(), "nothing", &parquet);
    assert_eq!(numbers(&none, "size"), [0; 0]);
}
