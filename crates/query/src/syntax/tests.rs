//! Parsing, printing, mistakes.

use super::*;
use crate::fields::FIELDS;
use crate::modifiers::MODIFIERS;
use proptest::prelude::*;

/// The canonical form of a query that parses; it must parse to the same tree again.
#[track_caller]
fn canonical(text: &str) -> String {
    let mut query = parse(text).unwrap_or_else(|errors| panic!("{errors}"));
    let printed = query.to_string();
    let mut again = parse(&printed).unwrap_or_else(|errors| panic!("{printed}\n{errors}"));
    query.erase_spans();
    again.erase_spans();
    assert_eq!(query, again, "{text} -> {printed}");
    printed
}

#[track_caller]
fn check(text: &str, want: &str) {
    assert_eq!(canonical(text), want, "{text}");
}

#[test]
fn precedence() {
    check("", "");
    check("   ", "");
    check("a b", "a b");
    check("a AND b && c", "a b c");
    check("a b OR c", "a b OR c");
    check("a | b || c", "a OR b OR c");
    check("a|b", "a OR b");
    check("a (b | c)", "a (b OR c)");
    check("(a | b) | c", "(a OR b) OR c");
    check("((a))", "a");
    check("NOT a b", "!a b");
    check("!a|!(b c)", "!a OR !(b c)");
    check("! !a", "!!a");
    check("NOT(a)", "!a");
    check("and or not", "and or not");
    check("ANDROID", "ANDROID");
}

#[test]
fn fields_and_operators() {
    check("size>1mb", "size > 1mb");
    check("size : 1mb", "size:1mb");
    check("SIZE >= 1mb", "size >= 1mb");
    check("size:>1mb", "size > 1mb");
    check("size==1", "size = 1");
    check("size!=0 !size=0", "size != 0 !size = 0");
    check("dm:<2025-06", "modified < 2025-06");
    check("ext in (jpg, png)", "ext in (jpg, png)");
    check("ext:(jpg,png)", "ext:(jpg, png)");
    check("ext:jpg;png", "ext:\"jpg;png\"");
    check("name contains foo", "name contains foo");
    check("name starts \"a b\"", "name starts \"a b\"");
    check("name matches ^a(b|c)+$", "name ~ \"^a(b|c)+$\"");
    check("name~\\.rs$", "name ~ \"\\.rs$\"");
    check("name ~ /xy/i", "name ~ /xy/i");
    check("empty: x", "empty: x");
    check("(empty:)", "empty:");
    check("empty:no", "empty:no");
    check("size_on_disk>1", "allocated > 1");
}

#[test]
fn a_field_without_an_operator_is_a_word() {
    check("size", "\"size\"");
    check("size in", "\"size\" in");
    check("name contains", "\"name\" contains");
    check("name contains | x", "\"name\" contains OR x");
    check("name contains OR x", "\"name\" contains OR x");
    check("path ends", "\"path\" ends");
    check("files dirs", "\"files\" \"dirs\"");
    check("size in mb", "\"size\" in mb");
}

#[test]
fn prefixes() {
    check("case:Foo", "case:Foo");
    check("regex:^a(b|c)$ x", "regex:\"^a(b|c)$\" x");
    check("(regex:a|b)", "regex:\"a|b\"");
    check("regex:foo:bar", "regex:\"foo:bar\"");
    check("glob:\"my *.txt\"", "glob:\"my *.txt\"");
    check("exact:a*b", "exact:\"a*b\"");
    check("file:", "file:");
    check("file: x", "file: x");
    check("folder:case:word:x", "case:word:dir:x");
    check("file:(a | b)", "file: (a OR b)");
    check("wfn:x ww:y", "exact:x word:y");
    check("case:ext:JPG", "case:ext:JPG");
    check("regex:path:^/usr", "regex:path:\"^/usr\"");
    check("glob:/usr/", "glob:\"/usr/\"");
}

#[test]
fn words_and_quotes() {
    check("it's", "\"it's\"");
    check("'a \"b\" c'", r#""a \"b\" c""#);
    check(r#""tab\there \xff \u{e4}\\""#, r#""tab\there \xff ä\\""#);
    check("a\\ b", "\"a b\"");
    check("photo\\(1\\).jpg", "\"photo(1).jpg\"");
    check("photo(1).jpg", "photo 1 .jpg");
    check("a\\b", "\"a\\\\b\"");
    check("\\*x", "\"*x\"");
    check("*.txt", "*.txt");
    check("a[12]b", "a[12]b");
    check("a[b", "\"a[b\"");
    check("\"*.txt\"", "\"*.txt\"");
    check("äöü", "äöü");
    check("\"AND\" \"size\"", "\"AND\" \"size\"");
    check("foo~ PROGRA~1", "\"foo~\" \"PROGRA~1\"");
    check("12:30", "\"12:30\"");
    check("a.b:c", "\"a.b:c\"");
    check("--help", "--help");
    check("R&D", "\"R&D\"");
    check("a&&b", "a b");
    check(r#"regex:"a\"b""#, r#"regex:"a\"b""#);
    check(r#"regex:'a"b\d'"#, r#"regex:"a\"b\d""#);
}

#[test]
fn slashes() {
    check("/a.b/", "/a.b/");
    check("/a/i", "/a/i");
    check("/A/s", "/A/s");
    check("/a\\/b/", "/a\\/b/");
    check("(/a/)", "/a/");
    check("/usr/lib", "\"/usr/lib\"");
    check("/usr/lib/", "\"/usr/lib/\"");
    check("//", "\"//\"");
    check("/", "\"/\"");
    check("/usr/*/bin", "/usr/*/bin");
    check("path:/usr/", "path:\"/usr/\"");
    check("under:/usr/", "under:\"/usr/\"");
    check("name:/^a/i", "name:/^a/i");
    check("ext in (/jp/, png)", "ext in (/jp/, png)");
}

#[test]
fn several_arguments_are_one_query() {
    let all = |arguments: &[&str]| parse_all(arguments).unwrap().to_string();
    assert_eq!(all(&[]), "");
    assert_eq!(all(&["a", "b|c"]), "a (b OR c)");
    assert_eq!(all(&["a|b"]), "a OR b");
    assert_eq!(all(&["", "a b", " "]), "a b");
    assert_eq!(
        all(&["name", "contains", "x\\", "y"]),
        "\"name\" contains \"x\\\\\" y"
    );
    assert!(parse_all(&["(a", "b)"]).is_err());
    assert!(parse_all(&["name", "=x"]).is_err());
}

/// Each block of the file is a query and all that is said about it.
#[test]
fn mistakes() {
    let blocks = include_str!("mistakes.txt")
        .split("\n\n")
        .map(str::trim_end);
    for block in blocks.filter(|b| !b.is_empty()) {
        let (query, want) = block.split_once('\n').unwrap();
        let query = query.strip_prefix("query: ").unwrap();
        let errors = parse(query).unwrap_err();
        assert_eq!(errors.to_string(), want, "{query}");
    }
}

#[test]
fn long_and_hostile_lines_are_shown_in_part() {
    let text = format!(
        "{} siez>1 {}",
        "a ".repeat(500),
        "\u{1b}[31m\u{202e}".repeat(50)
    );
    let shown = parse(&text).unwrap_err().to_string();
    let lines: Vec<&str> = shown.lines().collect();
    assert!(lines[1].len() < 600 && lines[1].contains("siez>1 \\u{1b}[31m\\u{202e}"));
    assert_eq!(lines[1].find("siez"), lines[2].find('^'));
}

#[test]
fn every_name_is_read() {
    for row in FIELDS {
        for name in row.aliases.iter().chain([&row.name]) {
            check(&format!("{name}:1"), &format!("{}:1", row.name));
            check(&format!("{name} = 1"), &format!("{} = 1", row.name));
        }
        canonical(row.example);
        assert!(crate::modifiers::lookup(row.name).is_none());
    }
    for row in MODIFIERS {
        for name in row.aliases.iter().chain([&row.name]) {
            assert!(crate::fields::lookup(name).is_none(), "{name}");
            check(&format!("{name}:x"), &format!("{}:x", row.name));
        }
    }
}

#[test]
fn limits() {
    let deep = |n: usize| format!("{}a{}", "(".repeat(n), ")".repeat(n));
    assert!(parse(&deep(MAX_DEPTH)).is_ok());
    let errors = parse(&deep(MAX_DEPTH + 1)).unwrap_err().errors;
    assert_eq!(errors.len(), 1);
    assert_eq!(
        (errors[0].problem.clone(), errors[0].span.start),
        (Problem::TooDeep(MAX_DEPTH), MAX_DEPTH)
    );
    for text in [
        "(".repeat(100_000),
        "!".repeat(100_000),
        "(!".repeat(30_000),
        "a|".repeat(32_000),
    ] {
        let errors = parse(&text).unwrap_err();
        assert!(errors.to_string().len() < 20_000);
    }
    assert!(parse(&"a ".repeat(MAX_LENGTH / 2)).is_ok());
    let errors = parse(&"a ".repeat(MAX_LENGTH)).unwrap_err().errors;
    assert_eq!(errors[0].span.start, MAX_LENGTH);
}

fn word() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "a",
        "B",
        "size",
        "name",
        "path",
        "in",
        "contains",
        "starts",
        "OR",
        "AND",
        "NOT",
        "or",
        "/",
        "/a/",
        "/a",
        "//x",
        "*.t",
        "a?",
        "[ab]",
        "[",
        "\\",
        "\\*",
        "\\ ",
        "\"",
        "'",
        "\"a b\"",
        "'x\\'",
        "ä",
        ":",
        "=",
        "!=",
        ">",
        ">=",
        "~",
        "!",
        "(",
        ")",
        ",",
        ";",
        "|",
        "&&",
        " ",
        "  ",
        "\t",
        "\n",
        "case:",
        "file:",
        "regex:",
        "glob:",
        "exact:",
        "word:",
        "size:",
        "ext:",
        "empty:",
        "name:",
        "path:",
        "modified:",
        "2025",
        "10:00",
        "1..2",
        "\u{1b}",
        "\\\"",
        "\\x",
        "x\\",
    ])
    .prop_map(str::to_owned)
}

fn text() -> impl Strategy<Value = Text> {
    prop_oneof![
        prop::collection::vec(any::<u8>(), 0..6).prop_map(Text::Plain),
        "[a-z \"'\\\\().*?\\[\\]|&,/:=<>~!-]{0,6}".prop_map(|s| Text::Plain(s.into_bytes())),
        "[a-z.]{0,3}[*?][a-z.]{0,3}".prop_map(Text::Wild),
        ("[a-z.]{1,3}(\\\\/)?", prop::option::of(any::<bool>())).prop_map(
            |(pattern, ignore_case)| Text::Regex {
                pattern,
                ignore_case
            }
        ),
    ]
}

fn term() -> impl Strategy<Value = Node> {
    let value = || {
        text().prop_map(|text| Value {
            text,
            span: Span::default(),
        })
    };
    let field = prop::option::of(prop::sample::select(
        FIELDS.iter().map(|f| f.field).collect::<Vec<_>>(),
    ));
    let op = prop::sample::select(vec![Op::Has, Op::Eq, Op::Ne, Op::Gt, Op::Le, Op::In]);
    let ignore = prop::option::of(any::<bool>());
    let list = prop::collection::vec(value(), 1..3);
    (field, op, value(), list, ignore, any::<bool>()).prop_map(
        |(field, op, one, list, ignore_case, word)| {
            let modifiers = Modifiers {
                ignore_case,
                word,
                ..Modifiers::default()
            };
            let is_path = field.is_some_and(|f| !f.info().values.takes_regex_literal());
            let fix = |mut v: Value| {
                // Where `/` opens no regex there are no regexes.
                if is_path && matches!(v.text, Text::Regex { .. }) {
                    v.text = Text::Plain(b"/".to_vec());
                }
                v
            };
            let (op, values) = match (field, op) {
                (None, _) => (Op::Has, Values::One(one)),
                (_, Op::In) => (op, Values::List(list.into_iter().map(fix).collect())),
                _ => (op, Values::One(fix(one))),
            };
            let field = field.map(|f| (f, Span::default()));
            Node::Term(Box::new(Term {
                modifiers,
                field,
                op,
                values,
                span: Span::default(),
            }))
        },
    )
}

fn tree() -> impl Strategy<Value = Node> {
    term().prop_recursive(4, 24, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 2..4).prop_map(Node::And),
            prop::collection::vec(inner.clone(), 2..4).prop_map(Node::Or),
            inner.prop_map(|n| Node::Not(Box::new(n))),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn any_text_parses_or_has_places(words in prop::collection::vec(word(), 0..12)) {
        let text = words.concat();
        match parse(&text) {
            Ok(_) => { canonical(&text); }
            Err(errors) => {
                prop_assert!(!errors.errors.is_empty());
                for error in &errors.errors {
                    prop_assert!(error.span.start <= error.span.end && error.span.end <= text.len(), "{error:?}");
                    prop_assert!(text.is_char_boundary(error.span.start) && text.is_char_boundary(error.span.end));
                }
                let has_escape = errors.to_string().bytes().any(|b| b == 0x1b);
                prop_assert!(!has_escape);
            }
        }
    }

    #[test]
    fn unusual_characters_do_no_harm(text in "\\PC{0,20}") {
        if parse(&text).is_ok() { canonical(&text); }
    }

    #[test]
    fn trees_survive_printing(root in tree()) {
        let query = Query { text: String::new(), root };
        let printed = query.to_string();
        let mut again = match parse(&printed) {
            Ok(again) => again,
            Err(errors) => return Err(TestCaseError::fail(errors.to_string())),
        };
        again.erase_spans();
        prop_assert_eq!(query, again, "{}", printed);
    }
}
