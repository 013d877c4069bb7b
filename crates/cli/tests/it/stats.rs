//! `groma stats` on the real program: tables, forms, copies, mistakes.

use serde_json::Value;

use super::env::{Answer, Env, Name, bytes};
use super::index;

/// A tree with a catalog of it.
fn indexed(tree: &str) -> Env {
    let env = Env::new(tree);
    index::ok(&env, "add .");
    env
}

fn stats(env: &Env, line: &str) -> Answer {
    let catalog = env.beside("catalog");
    env.shell(&format!(
        "groma stats --catalog '{}' {line}",
        catalog.display()
    ))
}

/// stdout of a line that must succeed and say nothing else.
#[track_caller]
fn told(env: &Env, line: &str) -> String {
    let answer = stats(env, line);
    assert_eq!((answer.code, &answer.stderr[..]), (0, ""), "{line}");
    String::from_utf8_lossy(&answer.stdout).into_owned()
}

/// The first columns of CSV rows, `;` between rows.
#[track_caller]
fn rows(env: &Env, line: &str, columns: usize) -> String {
    let text = told(env, line);
    let rows = text.lines().skip(1).map(|row| {
        let fields: Vec<&str> = row.splitn(columns + 1, ',').take(columns).collect();
        fields.join(",")
    });
    rows.collect::<Vec<_>>().join(";")
}

#[track_caller]
fn json(env: &Env, line: &str) -> Value {
    serde_json::from_str(&told(env, line)).unwrap()
}

#[track_caller]
fn refused(env: &Env, line: &str, needle: &str) {
    let answer = stats(env, line);
    assert_eq!(
        (answer.code, answer.shown()),
        (2, String::new()),
        "{line}: {}",
        answer.stderr
    );
    assert!(answer.stderr.contains(needle), "{line}: {}", answer.stderr);
}

const TREE: &str =
    "docs/big.pdf:2000000 docs/small.pdf:10 src/main.rs:500 src/lib.rs:400 top.txt:7 void/ bare";

#[test]
fn groups() {
    let env = indexed(TREE);
    let csv = told(&env, "type:file --by ext");
    assert_eq!(
        csv,
        "ext,count,size,query\n\
         pdf,2,2000010,\"type:\"\"file\"\" ext:pdf\"\n\
         rs,2,900,\"type:\"\"file\"\" ext:rs\"\n\
         txt,1,7,\"type:\"\"file\"\" ext:txt\"\n"
    );
    for (line, want) in [
        (
            "type:file --by ext --missing",
            "pdf,2,2000010;rs,2,900;txt,1,7;,1,0",
        ),
        ("type:file --by ext --top 1", "pdf,2,2000010"),
        (
            "type:file --by ext --sort size",
            "txt,1,7;rs,2,900;pdf,2,2000010",
        ),
        (
            "type:file --by ext --sort -key",
            "txt,1,7;rs,2,900;pdf,2,2000010",
        ),
        (
            "--by type --metrics count,nodes --sort key",
            "file,6,6;dir,4,4",
        ),
        (
            "'size>100' type:file --by dir:1",
            "DIR/docs,1,2000000;DIR/src,2,900",
        ),
        ("type:file --by depth", "1,2,7;2,4,2000910"),
        ("--in docs --by ext", "pdf,2,2000010"),
        ("pdf OR txt --by ext", "pdf,2,2000010;txt,1,7"),
        ("type:file --by hidden", "no,6,2000917"),
        ("type:file --by is:hidden", "no,6,2000917"),
        ("type:file --by is --top 1", "file,6,2000917"),
    ] {
        let want = want.replace("DIR", env.dir().to_str().unwrap());
        assert_eq!(rows(&env, line, 3), want, "{line}");
    }
    assert_eq!(
        rows(&env, "type:file --by category,ext", 4),
        "documents,pdf,2,2000010;documents,txt,1,7;code,rs,2,900"
    );
    assert_eq!(
        rows(&env, "type:file --by category --by ext --top 1", 4),
        "documents,pdf,2,2000010"
    );
    assert_eq!(
        rows(&env, "type:file --metrics count,nodes,avg,min,max", 5),
        "6,6,333486,0,2000000"
    );
    assert_eq!(
        rows(&env, "type:file --distinct ext --metrics count", 2),
        "6,3"
    );
}

#[test]
fn histograms_and_ranges() {
    let env = indexed(TREE);
    for file in ["docs/big.pdf", "docs/small.pdf"] {
        env.touch(file, "2001-02-03");
    }
    env.touch("top.txt", "2001-05-01");
    env.touch("src/main.rs", "1950-01-02");
    env.touch("src/lib.rs", "2200-01-02");
    index::ok(&env, "refresh --full");
    for (line, want) in [
        (
            "type:file --histogram size",
            "0,1,0;1-10,1,7;10-100,1,10;100-1k,2,900;1k-10k,0,0;10k-100k,0,0;100k-1m,0,0;1m-10m,1,2000000",
        ),
        (
            "ext:pdf\\;txt --histogram modified",
            "2001-02,2,2000010;2001-03,0,0;2001-04,0,0;2001-05,1,7",
        ),
        ("ext:pdf --histogram modified:week", "2001-01-29,2,2000010"),
        ("ext:rs --by year", "1950,1,500;2200,1,400"),
        (
            "ext:rs --histogram age",
            "future,1,400;under 1d,0,0;1d-7d,0,0;7d-30d,0,0;30d-90d,0,0;90d-1y,0,0;1y-2y,0,0;2y-5y,0,0;5y-10y,0,0;10y-20y,0,0;over 20y,1,500",
        ),
        (
            "type:file --ranges size:..10,5..500,1gb..",
            "..10,3,17;5..500,4,917;1gb..,0,0",
        ),
        (
            "type:file --ranges modified:..2001,2001-03..",
            "..2001,4,2000517;2001-03..,3,407",
        ),
    ] {
        assert_eq!(rows(&env, line, 3), want, "{line}");
    }
    let times = json(&env, "ext:rs --metrics oldest,newest --format json");
    let bucket = &times["sections"][0]["buckets"][0];
    assert_eq!(bucket["oldest"], "1950-01-02T00:00:00.000000000Z");
    assert_eq!(bucket["newest"], "2200-01-02T00:00:00.000000000Z");
}

#[test]
fn presets() {
    let env = indexed(TREE);
    for preset in [
        "overview",
        "by-type",
        "by-extension",
        "by-owner",
        "by-size",
        "by-age",
        "storage",
        "activity",
        "top-folders",
        "largest",
        "cleanup",
        "media",
        "duplicates",
    ] {
        let text = told(&env, preset);
        let rows = |text: &str| text.lines().count();
        let named = told(&env, &format!("--preset {preset}"));
        assert_eq!(rows(&text), rows(&named), "{preset}");
        assert!(
            text.lines().count() > usize::from(preset != "media" && preset != "duplicates"),
            "{preset}"
        );
        let parsed = json(&env, &format!("{preset} --format json"));
        assert!(
            !parsed["sections"].as_array().unwrap().is_empty(),
            "{preset}"
        );
        assert!(!told(&env, &format!("{preset} --format table")).contains("NaN"));
        // Every filter applies to every table.
        let none = json(&env, &format!("{preset} no-such-name --format json"));
        for section in none["sections"].as_array().unwrap() {
            assert_eq!(section["total"]["count"], 0, "{preset} {}", section["name"]);
        }
    }
    assert_eq!(
        told(&env, "").lines().count(),
        told(&env, "overview").lines().count()
    );
    assert_eq!(
        rows(&env, "largest ext:rs", 3),
        "DIR/src/main.rs,1,500;DIR/src/lib.rs,1,400".replace("DIR", env.dir().to_str().unwrap())
    );
    assert_eq!(rows(&env, "largest --top 1", 3).split(';').count(), 1);
    // Together with a table of one's own, or quoted, it is a word to look for.
    assert_eq!(rows(&env, "largest --by type", 1), "");
    assert_eq!(
        json(&env, "'\"largest\"' --format json")["sections"][0]["total"]["count"],
        0
    );
    refused(&env, "--preset largst", "did you mean 'largest'?");
    refused(&env, "--preset largest --by ext", "cannot be used with");
}

#[test]
fn forms() {
    let env = Env::new("plain");
    for name in [&b"a,b.x"[..], b"q\"uote.x", b"bad\xff.x", b"nl\n.x"] {
        std::fs::write(env.path(bytes(name)), "12345").unwrap();
    }
    index::ok(&env, "add .");
    let csv = stats(&env, "ext:x --by name --sort key");
    let text = String::from_utf8_lossy(&csv.stdout).into_owned();
    assert!(csv.stdout.windows(5).any(|w| w == b"bad\xff."), "{text}");
    for part in ["\"a,b.x\",1,5,", "\"q\"\"uote.x\",1,5,", "\"nl\n.x\",1,5,"] {
        assert!(text.contains(part), "{text}");
    }
    let parsed = json(&env, "ext:x --by name --sort key --format json");
    let buckets = parsed["sections"][0]["buckets"].as_array().unwrap();
    let names: Vec<&str> = buckets
        .iter()
        .map(|b| b["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["a,b.x", "bad\u{fffd}.x", "nl\n.x", "q\"uote.x"]);
    assert_eq!(buckets[1]["name_b64"], "YmFk/y54");
    assert_eq!(parsed["sections"][0]["total"]["size"], 20);
    let lines = told(&env, "ext:x --by name --format ndjson --sample 1");
    for line in lines.lines() {
        let bucket: Value = serde_json::from_str(line).unwrap();
        assert_eq!(
            (&bucket["section"], &bucket["count"]),
            (&"name".into(), &1.into())
        );
        assert_eq!(bucket["samples"][0]["size"], 5);
    }
    assert_eq!(lines.lines().count(), 4);
    let table = told(&env, "ext:x --by name --sort key --format table");
    assert!(table.starts_with("name"), "{table}");
    assert!(
        table.contains("bad\\xFF.x") && table.contains("nl\\x0A.x"),
        "{table}"
    );
    assert!(
        table.contains("25.0%") && table.contains('█') && table.contains("total"),
        "{table}"
    );
}

#[test]
fn answers_go_to_files_whole() {
    let env = indexed(TREE);
    assert_eq!(told(&env, "--by ext --output out.json"), "");
    let parsed: Value =
        serde_json::from_slice(&std::fs::read(env.path("out.json")).unwrap()).unwrap();
    assert_eq!(parsed["sections"][0]["keys"][0], "ext");
    told(&env, "--by ext -o out.csv");
    assert!(
        std::fs::read_to_string(env.path("out.csv"))
            .unwrap()
            .starts_with("ext,count,size,query\n")
    );
    let answer = stats(&env, "--by ext --output no/where.csv");
    assert_eq!(answer.code, 1);
    assert!(answer.stderr.contains("cannot write"), "{}", answer.stderr);
}

#[test]
fn threads_change_nothing() {
    let env = indexed(TREE);
    std::fs::hard_link(env.path("docs/big.pdf"), env.path("a.pdf")).unwrap();
    index::ok(&env, "add .");
    for line in [
        "storage",
        "--by ext,owner --sample 2 --missing",
        "--duplicates",
        "top-folders",
        "--by name",
    ] {
        for form in ["csv", "json", "table", "parquet"] {
            let one = stats(&env, &format!("{line} -j1 --format {form}")).stdout;
            for threads in [2, 5] {
                let other = stats(&env, &format!("{line} -j{threads} --format {form}")).stdout;
                assert!(one == other, "{line} {form} {threads}");
            }
        }
    }
}

#[test]
fn copies_by_content() {
    let env = Env::new("empty1 empty2 same-size-1 same-size-2");
    let long = "x".repeat(100_000);
    for name in ["a/one", "b/two", "three"] {
        env.write(name, &long);
    }
    env.write("other-end", &format!("{}y", &long[1..]));
    env.write("other-start", &format!("y{}", &long[1..]));
    env.write("short1", "hello");
    env.write("short2", "hello");
    env.write("short3", "jello");
    std::fs::hard_link(env.path("three"), env.path("link")).unwrap();
    std::fs::write(env.path(bytes(b"sh\xffort")), "hello").unwrap();
    index::ok(&env, "add .");
    let parsed = json(&env, "--duplicates --format json");
    let buckets = parsed["sections"][0]["buckets"].as_array().unwrap();
    assert_eq!(buckets.len(), 2);
    let number = |at: usize, field: &str| buckets[at][field].as_u64().unwrap();
    // Three copies, one of which has two names.
    assert_eq!((number(0, "count"), number(0, "nodes")), (4, 3));
    assert_eq!(
        (number(0, "size"), number(0, "reclaimable")),
        (300_000, 200_000)
    );
    assert_eq!((number(1, "count"), number(1, "reclaimable")), (3, 10));
    let paths: Vec<&str> = buckets[0]["samples"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| s["path"].as_str().unwrap())
        .collect();
    let dir = env.dir().display().to_string();
    assert_eq!(
        paths,
        [
            format!("{dir}/a/one"),
            format!("{dir}/b/two"),
            format!("{dir}/link")
        ]
    );
    assert_eq!(parsed["sections"][0]["total"]["reclaimable"], 200_010);
    // Beginnings of five files of 100 000 bytes and of four of 5, and four to their ends.
    assert_eq!(parsed["reading"]["bytes"], 5 * 16_384 + 4 * 5 + 4 * 100_000);
    let query = buckets[0]["query"].as_str().unwrap().to_owned();
    let listed = json(&env, &format!("--metrics count --format json '{query}'"));
    assert_eq!(listed["sections"][0]["total"]["count"], 4);
    assert_eq!(
        rows(&env, "--duplicates=size --metrics nodes,reclaimable", 3),
        "100000,5,400000;5,4,15"
    );
    assert_eq!(rows(&env, "--duplicates=name", 2), "");
}

#[test]
fn reading_keeps_to_its_budget() {
    let env = Env::new("");
    for (name, size) in [("a1", 50_000), ("a2", 50_000), ("b1", 40), ("b2", 40)] {
        env.write(name, &"z".repeat(size));
    }
    index::ok(&env, "add .");
    let answer = stats(&env, "--duplicates --read-budget 1kb --format json");
    let parsed: Value = serde_json::from_slice(&answer.stdout).unwrap();
    assert_eq!(answer.code, 0);
    assert!(
        answer
            .stderr
            .contains("2 files of 100000 bytes left out: --read-budget"),
        "{}",
        answer.stderr
    );
    assert_eq!(parsed["sections"][0]["buckets"][0]["size"], 80);
    assert_eq!(
        (
            &parsed["reading"]["skipped_files"],
            &parsed["reading"]["bytes"]
        ),
        (&2.into(), &80.into())
    );
    refused(&env, "--duplicates --read-budget much", "--read-budget");
    refused(&env, "--read-budget 1kb", "--duplicates");
}

#[test]
fn parquet_has_a_form_of_its_own() {
    let env = indexed(TREE);
    let file = env.path("out.parquet");
    let line = format!("type:file --by ext --output '{}'", file.display());
    assert_eq!(told(&env, &line), "");
    let written = std::fs::read(&file).unwrap();
    assert!(written.starts_with(b"PAR1") && written.ends_with(b"PAR1"));
    let answer = stats(&env, "type:file --by ext --format parquet");
    assert_eq!((answer.code, answer.stdout), (0, written));
}

#[test]
fn changed_and_unreadable_files_are_told() {
    let env = Env::new("");
    for name in ["gone", "grown", "kept1", "kept2", "touched", "dir/swapped"] {
        env.write(name, "0123456789");
    }
    index::ok(&env, "add .");
    std::fs::remove_file(env.path("gone")).unwrap();
    std::fs::write(env.path("grown"), "0123456789abc").unwrap();
    env.touch("touched", "2001-01-01");
    std::fs::remove_file(env.path("dir/swapped")).unwrap();
    std::os::unix::fs::symlink("../kept1", env.path("dir/swapped")).unwrap();
    let answer = stats(&env, "--duplicates --show-errors --format json");
    let parsed: Value = serde_json::from_slice(&answer.stdout).unwrap();
    let stderr = &answer.stderr;
    assert_eq!(answer.code, 0, "{stderr}");
    assert!(
        stderr.contains("4 files changed since the catalog was made"),
        "{stderr}"
    );
    for part in [
        "/gone' is gone",
        "/swapped' is gone",
        "/grown' has changed",
        "/touched' has changed",
    ] {
        assert!(stderr.contains(part), "{part}: {stderr}");
    }
    assert_eq!(parsed["sections"][0]["buckets"][0]["nodes"], 2);
    assert_eq!(
        (
            &parsed["reading"]["changed"],
            &parsed["reading"]["vanished"]
        ),
        (&2.into(), &2.into())
    );
}

#[test]
fn two_roots_and_none() {
    let env = Env::new("one/a.x:5 one/in/b.x:7 two/c.x:9");
    let answer = stats(&env, "");
    assert_eq!(answer.code, 1);
    assert!(
        answer.stderr.contains("groma index add"),
        "{}",
        answer.stderr
    );
    index::ok(&env, "add one two");
    index::ok(&env, "add one/in");
    let dir = env.dir().display().to_string();
    assert_eq!(
        rows(&env, "type:file --by root --sort key", 3),
        format!("{dir}/one,1,5;{dir}/one/in,1,7;{dir}/two,1,9")
    );
    assert_eq!(rows(&env, "ext:x --by ext", 3), "x,3,21");
    assert_eq!(rows(&env, "--in one ext:x --by ext", 3), "x,2,12");
}

#[test]
fn mistakes() {
    let env = indexed("a");
    for (line, needle) in [
        ("--by exr", "did you mean 'ext'?"),
        ("--by ext,owner,year", "two fields at most"),
        ("--by is:hiden", "did you mean 'hidden'?"),
        ("--histogram name", "sizes, numbers or times"),
        ("--ranges size:9..1", "9..1"),
        ("--metrics cuont", "did you mean 'count'?"),
        ("--sort nonsense", "--sort"),
        ("--distinct sizee", "did you mean 'size'?"),
        ("'siez>1'", "did you mean 'size'?"),
        ("--duplicates=nothing", "possible values"),
        ("--top few", "invalid value"),
        ("--format xml", "possible values"),
    ] {
        refused(&env, line, needle);
    }
    // What is asked of find has not changed.
    env.fails(Name::Groma, "--no-such-option", 2, "unexpected argument");
}
