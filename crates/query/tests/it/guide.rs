//! The guide is right: every example parses and binds, its tables are those of the code.

use groma_query::GUIDE;
use groma_query::bind::{Context, Target, bind};
use groma_query::fields::{FIELDS, FieldInfo};
use groma_query::flags::FLAGS;
use groma_query::groups::GROUPS;
use groma_query::modifiers::MODIFIERS;
use groma_query::syntax::{Op, parse};

fn context(target: Target) -> Context<'static> {
    Context {
        current_directory: Some(b"/home/me".to_vec()),
        user: &|name| (name == "root").then_some(0),
        group: &|name| (name == "staff").then_some(50),
        ..Context::new("2025-06-18T10:30:00+02:00[+02:00]".parse().unwrap(), target)
    }
}

/// The lines of every block that is fenced as `language`, without the remarks behind them.
fn examples(language: &str) -> Vec<&'static str> {
    let open = format!("```{language}\n");
    let blocks = GUIDE.split(open.as_str()).skip(1);
    let lines = blocks.flat_map(|block| block.split("```").next().unwrap().lines());
    lines
        .map(|line| line.split("   # ").next().unwrap().trim_end())
        .collect()
}

#[test]
fn every_example_binds() {
    let live = examples("query");
    assert!(live.len() > 100, "only {} examples", live.len());
    for example in live {
        let query = parse(example).unwrap_or_else(|errors| panic!("{errors}"));
        bind(&query, &context(Target::Live)).unwrap_or_else(|errors| panic!("{errors}"));
    }
    for example in examples("query catalog") {
        let query = parse(example).unwrap_or_else(|errors| panic!("{errors}"));
        bind(&query, &context(Target::Catalog)).unwrap_or_else(|errors| panic!("{errors}"));
        assert!(bind(&query, &context(Target::Live)).is_err(), "{example}");
    }
}

#[test]
fn every_mistake_is_one() {
    for example in examples("query mistake") {
        let is_ok = parse(example).is_ok_and(|q| bind(&q, &context(Target::Live)).is_ok());
        assert!(!is_ok, "{example}");
    }
}

#[track_caller]
fn check_table(name: &str, rows: &[String]) {
    let start = format!("<!-- table: {name} -->\n");
    let (_, after) = GUIDE.split_once(start.as_str()).unwrap();
    let (table, _) = after.split_once("<!-- end -->").unwrap();
    let want: String = rows.iter().map(|row| format!("{row}\n")).collect();
    assert_eq!(table, want, "the table in docs/query.md should be:\n{want}");
}

fn code(words: &[&str]) -> String {
    words
        .iter()
        .map(|w| format!("`{w}`"))
        .collect::<Vec<_>>()
        .join(" ")
}

fn field_row(row: &FieldInfo) -> String {
    let operators: Vec<&str> = row
        .values
        .operators()
        .iter()
        .map(|op| op.word())
        .filter(|w| *w != Op::Has.word())
        .collect();
    let note = if row.catalog_only {
        "; catalog only"
    } else {
        ""
    };
    let FieldInfo {
        name,
        aliases,
        help,
        example,
        ..
    } = row;
    let cell = |text: String| text.replace('|', "\\|");
    format!(
        "| `{name}` | {} | {help}{note} | {} | `{}` |",
        code(aliases),
        code(&operators),
        cell((*example).to_owned())
    )
}

#[test]
fn field_table() {
    let mut rows = vec![
        "| field | other names | what it is | operators besides `:` | example |".to_owned(),
        "| --- | --- | --- | --- | --- |".to_owned(),
    ];
    rows.extend(FIELDS.iter().map(field_row));
    check_table("fields", &rows);
}

#[test]
fn prefix_table() {
    let mut rows = vec![
        "| prefix | other names | what it does |".to_owned(),
        "| --- | --- | --- |".to_owned(),
    ];
    rows.extend(
        MODIFIERS
            .iter()
            .map(|m| format!("| `{}:` | {} | {} |", m.name, code(m.aliases), m.help)),
    );
    check_table("prefixes", &rows);
}

#[test]
fn flag_table() {
    let mut rows = vec![
        "| flag | other names | what it is |".to_owned(),
        "| --- | --- | --- |".to_owned(),
    ];
    rows.extend(FLAGS.iter().map(|flag| {
        let note = if flag.catalog_only {
            "; catalog only"
        } else {
            ""
        };
        format!(
            "| `{}` | {} | {}{note} |",
            flag.name,
            code(flag.aliases),
            flag.help
        )
    }));
    check_table("flags", &rows);
}

#[test]
fn group_table() {
    let mut rows = vec![
        "| group | extensions |".to_owned(),
        "| --- | --- |".to_owned(),
    ];
    rows.extend(
        GROUPS
            .iter()
            .map(|g| format!("| `{}` | {} |", g.name, g.extensions.join(" "))),
    );
    check_table("groups", &rows);
}
