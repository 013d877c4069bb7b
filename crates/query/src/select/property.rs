//! Generated queries on generated trees: the answer of columns against that of every entry asked by
//! itself.

use std::time::Duration;

use groma_base::CancelToken;
use groma_catalog::{StoredEntry, View};
use proptest::prelude::*;

use super::{Run, first_explained, select};
use crate::bind::{Context, Target, bind};
use crate::bound::Expr;
use crate::syntax::parse;
use crate::testing::{context, tree};

/// Every field, every way to ask, every shape of pattern.
#[rustfmt::skip]
const TERMS: &[&str] = &[
    "a", "s", "A", "B", "rs", "Rs", "nocase:B", "case:ab", "\"\\xff\"", "é", "É", "ss", "ß", "\"k.js\"", "report", "REPORT",
    "*.rs", "*.RS", "a*", "A*", "a*s", "A*s", "?.*", "a?*", "[ab]*", "*", "*a*", "{a,b}*.rs", "bad?name", ".*",
    "name=ab.rs", "name=AB.rs", "name=Ab.RS", "name in (src, SRC, a)", "name starts ab", "name starts Ab", "name starts é",
    "name starts É", "name ends .txt", "name ends .TXT", "name ends s", "name ends É.txt",
    "name ~ ^[ab]+$", "name ~ ^[^ab]+$", "name ~ s$", "name ~ '(?-i)S'", "name ~ 'R.*s'", "name ~ 'r.*s$'", "name ~ 'A.*t$'", "/R.*s$/s", "name ~ 'a.*\\.rs$'", "name ~ '\\W'", "name ~ ^.{4}$",
    "name ~ '\\bsrc\\b'", "/S$/s", "/[^A-Z]/s", "/^\\pL+$/", "/k/", "/ſ/", "/^a(?m)$/", "regex:bad.", "name ~ ''", "name ~ .",
    "word:src", "word:a", "word:S", "word:regex:'a.'",
    "stem=ab", "stem=Ab", "stem:a", "stem:B", "stem starts re", "stem ends b", "stem ~ ^a", "stem = a.tar", "stem ends B", "stem=*a",
    "ext:rs", "ext:rs;txt", "ext:tar.gz", "ext:pictures", "ext:crdownload", "ext:\"\"", "ext != rs", "ext:R*", "ext ~ ^r", "case:ext:RS",
    "ext:ss", "ext:s;js;gz;rs;txt;b;a", "ext starts t", "ext contains s", "ext ends s", "ext:'é'", "category:code", "category:other",
    "path:src", "path:data", "path:SRC", "src/a", "SRC/A", "src/ab.rs", "mysrc/", "src/", "path:/src", "path:/data/", "path:/data/a", "path=/data/a",
    "path=/DATA/A", "path=/a", "me/src/a", "path starts /data/s", "path starts /", "path starts /home/me/", "path starts /Home/me/src/a",
    "path ends src/a", "path ends s", "path ends /SRC/main.rs", "path:a/d/e", "path:d/e/a", "path:/d/", "path:é", "path:É/e", "path:*/src/*",
    "path:/data/*", "path:/data/**/a*", "path ~ ^/data/[ab]", "path ~ 'Src/.*a'", "path ~ a.*b", "path:s*/a", "path ~ '[ab]/[ab]'",
    "path:'a//b'", "src/target/a", "s/s", "S/s", "e/d", "path:/e/", "path:\"bad\\xff\"", "path:*.rs", "path:*", "path=/*/src",
    "parent:src", "parent:SRC", "parent:d/e", "parent=/data", "parent=/DATA", "parent=/", "parent:/data/src", "parent:s*", "parent ~ src$",
    "parent ends src", "parent contains ta", "parent:*", "parent:src/", "parent ~ '^[^a]*$'",
    "under:/data", "under:/", "under:/data/src", "under:/home/me", "under:/home/me/src/d", "under:/nowhere", "under:/d", "!under:/src",
    "type:file", "type:dir", "type in (symlink, fifo)", "type != file", "file:", "dir:", "file:a", "dir:s", "is:symlink",
    "size=0", "size>0", "size>1k", "size<1000", "size:1..1000", "size in (0, 1001)", "size!=0", "size>=1tib", "size<0",
    "size in (1..999, 5000..2mib)", "allocated>4k", "allocated=0", "allocated in (512, 4096)", "allocated!=4096", "bulkiness>2",
    "bulkiness:..0.5", "bulkiness=1", "is:sparse", "!is:sparse", "empty:", "empty:no", "is:hardlinked", "!is:hardlinked",
    "modified:2h", "modified>2025-06-18T09:30", "modified<1970-01-01", "modified:1h..2h", "modified!=today", "modified:@1..", "age>1h",
    "age<=1h", "age:1h..2h", "created:2h", "created<1970", "created!=2025", "accessed:..2024", "changed>=2025-06", "changed:1mo",
    "changed in (2h, 1960..1970)", "modified in (today, 2000..2020)", "accessed<1400",
    "owner:root", "owner:1000", "group:users", "uid>=1000", "uid:1000..2000", "gid!=0", "owner in (root, 1001)", "!owner:root",
    "perm:644", "perm:-u+w", "perm:/111", "perm != 755", "is:readonly", "executable:", "executable:no", "links>1", "links=1", "links in (1,3)",
    "inode<10", "inode>1000000", "inode!=7", "depth=1", "depth<=2", "depth>3", "depth in (1,3)", "depth!=1",
    "items=0", "items>1", "items!=0", "files=0", "files>0", "dirs>0", "dirs=0", "dirs!=1", "tree-items>2", "tree-items=0",
    "tree-size>1m", "tree-size!=0", "tree-size<1m", "tree-allocated>4k", "name-length=1", "name-length>5", "name-length!=5",
    "name-length in (2, 4..6)", "path-length>20", "path-length<10", "path-length!=9", "hidden:", "hidden:no", "root:data", "root:me",
    "root=/data", "volume:ext4", "volume:ntfs", "volume!=ext4", "volume:0101", "stream:x", "!stream:x", "dupe:", "dupe:no", "broken:", "broken:no",
    "is:mount", "!is:mount", "is:error", "!is:error", "is:system", "!is:system", "is:compressed", "!is:compressed", "is:archive;mount",
    "missing:is", "missing:sparse", "missing:compressed", "!missing:system", "missing:broken", "missing:file;readonly", "missing:size",
];

/// A query made of terms.
fn query() -> impl Strategy<Value = String> {
    let term = (0..TERMS.len()).prop_map(|at| TERMS[at].to_owned());
    term.prop_recursive(4, 10, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(|a| format!("!({a})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) ({b})")),
            (inner.clone(), inner.clone(), inner.clone())
                .prop_map(|(a, b, c)| format!("({a}) ({b}) ({c})")),
            (inner.clone(), inner).prop_map(|(a, b)| format!("({a}) OR ({b})")),
        ]
    })
}

pub(crate) fn bound(text: &str) -> Expr {
    let context = Context {
        target: Target::Catalog,
        ..context()
    };
    let query = parse(text).unwrap_or_else(|errors| panic!("{errors}"));
    bind(&query, &context).unwrap_or_else(|errors| panic!("{errors}"))
}

/// The view as it is, or with a directory hidden.
pub(crate) fn perhaps_hidden(view: View, hidden: usize) -> View {
    let dirs: Vec<u32> = (1..view.ids())
        .filter(|&id| view.is_live(id) && view.kind(id).unwrap().is_dir())
        .collect();
    match dirs.get(hidden) {
        Some(&id) => view.without(id).unwrap(),
        None => view,
    }
}

fn path(view: &View, id: u32) -> String {
    let mut path = Vec::new();
    view.append_path(id, &mut path).unwrap();
    path.escape_ascii().to_string()
}

/// Compares the answers for an expression and for its opposite.
fn compare(text: &str, view: &View, threads: usize) -> Result<(), TestCaseError> {
    let expr = bound(text);
    let not = Expr::Not(Box::new(expr.clone()));
    let run = Run::new(threads, CancelToken::new());
    let select = |expr| select(expr, view, &run).map_err(|e| TestCaseError::fail(e.to_string()));
    let (found, not_found) = (select(&expr)?, select(&not)?);
    let (mut yes, mut no) = (0, 0);
    for id in view.pieces().iter().flat_map(|piece| piece.ids.clone()) {
        let entry = StoredEntry::new(view, id).unwrap();
        let answer = expr.evaluate(&entry);
        prop_assert_eq!(entry.damage(), None);
        let is = (found.contains(id), not_found.contains(id));
        let should = (answer == Some(true), answer == Some(false));
        prop_assert_eq!(is, should, "{} on {} (id {})", text, path(view, id), id);
        yes += u32::from(should.0);
        no += u32::from(should.1);
    }
    prop_assert_eq!((found.count(), not_found.count()), (yes, no), "{}", text);
    prop_assert_eq!(found.ids().count(), yes as usize);
    let in_order: Vec<u32> = found.in_order(view).collect();
    for most in [0, 1, 3, 100] {
        let (first, _) = first_explained(&expr, view, &run, most, &|| Duration::ZERO)
            .map_err(|e| TestCaseError::fail(e.to_string()))?;
        prop_assert_eq!(first.count, yes, "{}", text);
        let few = first.selection.in_order(view).take(most as usize);
        let wanted = in_order.iter().copied().take(most as usize);
        prop_assert!(few.eq(wanted), "the first {} of {}", most, text);
    }
    Ok(())
}

#[test]
fn every_term_equals_asking_each_entry() {
    for term in TERMS {
        compare(term, &tree::changed(5, 70, 40), 2).unwrap();
    }
    for (seed, hidden) in [(0, 1000), (1, 3)] {
        let view = perhaps_hidden(tree::view(seed, 130), hidden);
        for term in TERMS {
            compare(term, &view, 2).unwrap();
        }
    }
}

#[test]
fn several_blocks_equal_asking_each_entry() {
    let view = tree::view(99, 7000);
    assert!(view.len() > 4100);
    for term in TERMS.iter().step_by(15) {
        compare(term, &view, 3).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(250))]

    #[test]
    fn queries_equal_asking_each_entry(
        seed in any::<u64>(),
        entries in 1usize..150,
        hidden in 0usize..60,
        queries in prop::collection::vec(query(), 1..3),
        threads in prop::sample::select(vec![1usize, 2, 5]),
    ) {
        let view = perhaps_hidden(tree::view(seed, entries), hidden);
        for text in queries {
            compare(&text, &view, threads)?;
        }
    }

    #[test]
    fn queries_of_changed_trees_equal_asking_each_entry(
        seed in any::<u64>(),
        entries in 1usize..80,
        changes in 1usize..25,
        hidden in 0usize..60,
        queries in prop::collection::vec(query(), 1..3),
    ) {
        let view = perhaps_hidden(tree::changed(seed, entries, changes), hidden);
        for text in queries {
            compare(&text, &view, 2)?;
        }
    }
}

#[test]
fn components_may_be_those_of_the_root() {
    // The root is `/home/me/src`, and no entry has one of these names.
    let view = (0..20)
        .map(|seed| tree::view(seed, 12))
        .find(|view| view.root() == b"/home/me/src")
        .unwrap();
    for text in [
        "me/src/",
        "home/me/src/a",
        "/home/me/src/",
        "e/src/r",
        "path ends src/a",
    ] {
        compare(text, &view, 1).unwrap();
    }
    compare("path:me/src", &view, 2).unwrap();
}

#[test]
fn nothing_is_found_once_somebody_wants_to_stop() {
    let view = tree::view(1, 50);
    let run = Run::new(2, CancelToken::new());
    run.cancel.cancel();
    assert_eq!(
        select(&bound("a"), &view, &run),
        Err(super::SelectError::Cancelled)
    );
}

#[test]
fn tells_what_was_done() {
    let view = tree::view(3, 300);
    let run = Run::new(2, CancelToken::new());
    let seconds = std::sync::atomic::AtomicU64::new(0);
    let clock = || {
        std::time::Duration::from_secs(seconds.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
    };
    let (found, explain) =
        first_explained(&bound("s size>0"), &view, &run, u64::MAX, &clock).unwrap();
    let steps: Vec<&str> = explain
        .steps
        .iter()
        .map(|step| step.what.as_str())
        .collect();
    assert_eq!(steps, ["size is at least 1", "name contains `s`"]);
    assert!(
        explain
            .steps
            .iter()
            .any(|step| step.rows > 0 && step.time.as_secs() > 0)
    );
    assert_eq!(explain.singly, 1);
    assert!(explain.time.as_secs() > 0 && found.count > 0);
}
