//! Generated queries against a naive evaluation that knows nothing of trees.

use groma_base::{Kind, Timestamp};
use proptest::prelude::*;

use super::bind;
use crate::syntax::parse;
use crate::testing::{Entry, context, now};

/// What a term asks, in plain code; `None` is "cannot be known".
type Oracle = fn(&Entry) -> Option<bool>;

fn name(entry: &Entry) -> String {
    String::from_utf8_lossy(groma_base::basename(&entry.path)).into_owned()
}

fn size(entry: &Entry) -> Option<u64> {
    entry.metadata.as_ref().map(|m| m.size)
}

/// Seconds between now and the last change of content.
fn age(entry: &Entry) -> Option<i64> {
    let modified = entry.metadata.as_ref()?.modified.seconds;
    Some(Timestamp::from(&now()).seconds - modified)
}

const TERMS: &[(&str, Oracle)] = &[
    ("a", |e| Some(name(e).to_lowercase().contains('a'))),
    ("B", |e| Some(name(e).contains('B'))),
    ("nocase:B", |e| Some(name(e).to_lowercase().contains('b'))),
    ("*.rs", |e| Some(name(e).to_lowercase().ends_with(".rs"))),
    ("a?*", |e| {
        Some(name(e).to_lowercase().starts_with('a') && name(e).chars().count() > 1)
    }),
    ("name = ab.rs", |e| Some(name(e).to_lowercase() == "ab.rs")),
    ("name in (ab.rs, a)", |e| {
        Some(["ab.rs", "a"].contains(&name(e).to_lowercase().as_str()))
    }),
    ("name starts a", |e| {
        Some(name(e).to_lowercase().starts_with('a'))
    }),
    ("name ends s", |e| {
        Some(name(e).to_lowercase().ends_with('s'))
    }),
    ("regex:^[ab]+", |e| {
        Some(name(e).to_lowercase().starts_with(['a', 'b']))
    }),
    ("/B\\.rs$/s", |e| Some(name(e).ends_with("B.rs"))),
    ("d/a", |e| {
        Some(
            String::from_utf8_lossy(&e.path)
                .to_lowercase()
                .contains("d/a"),
        )
    }),
    ("under:/d", |e| Some(e.path.starts_with(b"/d/"))),
    ("parent = /d", |e| {
        Some(e.path.iter().filter(|&&b| b == b'/').count() == 2 && e.path.starts_with(b"/d/"))
    }),
    ("ext:rs;txt", |e| {
        let name = name(e).to_lowercase();
        Some(
            [".rs", ".txt"]
                .iter()
                .any(|x| name.len() > x.len() && name.ends_with(x)),
        )
    }),
    ("type:file", |e| Some(e.kind == Kind::File)),
    ("dir:", |e| Some(e.kind == Kind::Dir)),
    ("type in (dir, symlink)", |e| {
        Some(matches!(e.kind, Kind::Dir | Kind::Symlink))
    }),
    ("hidden:", |e| Some(name(e).starts_with('.'))),
    ("size>1k", |e| size(e).map(|s| s > 1000)),
    ("size:1..1k", |e| size(e).map(|s| (1..=1000).contains(&s))),
    ("size=0", |e| size(e).map(|s| s == 0)),
    ("size != 0", |e| size(e).map(|s| s != 0)),
    ("size in (0, 1001)", |e| {
        size(e).map(|s| s == 0 || s == 1001)
    }),
    ("age>1h", |e| age(e).map(|a| a > 3600)),
    ("age<=1h", |e| age(e).map(|a| a <= 3600)),
    ("modified:2h..1h", |e| {
        age(e).map(|a| (3600..=7200).contains(&a))
    }),
    ("name-length>3", |e| Some(name(e).chars().count() > 3)),
];

/// A query and the answer it should give for an entry.
#[derive(Clone, Debug)]
enum Case {
    Term(usize),
    Not(Box<Case>, bool),
    Both(Box<Case>, Box<Case>, u8),
    Either(Box<Case>, Box<Case>, u8),
}

impl Case {
    fn text(&self) -> String {
        match self {
            Case::Term(at) => TERMS[*at].0.to_owned(),
            Case::Not(inner, word) => {
                format!("{}({})", if *word { "NOT " } else { "!" }, inner.text())
            }
            Case::Both(a, b, how) => {
                let and = [" ", " AND ", " && "][usize::from(*how) % 3];
                format!("({}){and}({})", a.text(), b.text())
            }
            Case::Either(a, b, how) => {
                let or = [" OR ", " | ", "||"][usize::from(*how) % 3];
                format!("({}){or}({})", a.text(), b.text())
            }
        }
    }

    /// Three-valued logic, written out.
    fn answer(&self, entry: &Entry) -> Option<bool> {
        match self {
            Case::Term(at) => TERMS[*at].1(entry),
            Case::Not(inner, _) => inner.answer(entry).map(|yes| !yes),
            Case::Both(a, b, _) => match (a.answer(entry), b.answer(entry)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            Case::Either(a, b, _) => match (a.answer(entry), b.answer(entry)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
        }
    }
}

fn case() -> impl Strategy<Value = Case> {
    (0..TERMS.len())
        .prop_map(Case::Term)
        .prop_recursive(4, 16, 2, |inner| {
            let boxed = inner.prop_map(Box::new);
            prop_oneof![
                (boxed.clone(), any::<bool>()).prop_map(|(c, word)| Case::Not(c, word)),
                (boxed.clone(), boxed.clone(), any::<u8>())
                    .prop_map(|(a, b, how)| Case::Both(a, b, how)),
                (boxed.clone(), boxed, any::<u8>()).prop_map(|(a, b, how)| Case::Either(a, b, how)),
            ]
        })
}

fn entry() -> impl Strategy<Value = Entry> {
    let kind = prop::sample::select(vec![Kind::File, Kind::Dir, Kind::Symlink]);
    let path = "(/d)?(/e)?/[.]?[abB]{1,2}(\\.rs|\\.RS|\\.txt|)";
    let size = prop::sample::select(vec![0, 1, 999, 1000, 1001, u64::MAX]);
    let age = prop::sample::select(vec![-5, 0, 3599, 3600, 3601, 7200, 7201]);
    (path, kind, size, age, prop::bool::weighted(0.9)).prop_map(|(path, kind, size, age, known)| {
        let mut entry = Entry::new(&path, kind);
        entry.metadata_mut(|m| {
            m.size = size;
            m.modified = Timestamp::from_seconds(Timestamp::from(&now()).seconds - age);
        });
        if !known {
            entry.metadata = None;
        }
        entry
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn equals_naive_evaluation(case in case(), entries in prop::collection::vec(entry(), 1..8)) {
        let text = case.text();
        let query = parse(&text).map_err(|e| TestCaseError::fail(e.to_string()))?;
        let expr = bind(&query, &context()).map_err(|e| TestCaseError::fail(e.to_string()))?;
        let printed = parse(&query.to_string()).map_err(|e| TestCaseError::fail(e.to_string()))?;
        let again = bind(&printed, &context()).map_err(|e| TestCaseError::fail(e.to_string()))?;
        for entry in &entries {
            prop_assert_eq!(expr.evaluate(entry), case.answer(entry), "{} on {:?}", text, entry);
            prop_assert_eq!(again.matches(entry), expr.matches(entry), "{}", text);
        }
    }

    #[test]
    fn binding_never_panics(words in prop::collection::vec(prop::sample::select(vec![
        "size", "modified", "perm", "is", "ext", "name", "age", "bulkiness", "uid", "type", "under", "empty",
        ":", "=", ">", "<=", " in ", "(", ")", ",", "..", "1", "-1", "1k", "1.5", "99999999999999999999", "@", "-9999",
        "10000y", "x*", "[", "(?P<", "\\", "u+", "/7777", "*", "hidden", "\"\\xff\"", "~", " ",
    ]), 1..9)) {
        if let Ok(query) = parse(&words.concat()) {
            match bind(&query, &context()) {
                Ok(expr) => { expr.matches(&Entry::file("/a/b.rs")); }
                Err(errors) => { let _ = errors.to_string(); }
            }
        }
    }
}
