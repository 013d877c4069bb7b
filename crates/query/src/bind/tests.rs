//! What queries mean, asked of one entry in memory.

use super::*;
use crate::bound::Needs;
use crate::fields::FIELDS;
use crate::flags::FLAGS;
use crate::groups::GROUPS;
use crate::syntax::parse;
use crate::testing::{Entry, context, now};
use groma_base::{ChildCounts, Kind, Timestamp};

#[track_caller]
fn bound(text: &str) -> Expr {
    let query = parse(text).unwrap_or_else(|errors| panic!("{errors}"));
    bind(&query, &context()).unwrap_or_else(|errors| panic!("{errors}"))
}

/// Queries that match and queries that do not, with " ; " between them.
#[track_caller]
fn check(entry: &Entry, yes: &str, no: &str) {
    for text in yes.split(" ; ") {
        assert!(bound(text).matches(entry), "{text} should match {entry:?}");
    }
    for text in no.split(" ; ") {
        assert!(
            !bound(text).matches(entry),
            "{text} should not match {entry:?}"
        );
    }
}

#[test]
fn texts() {
    let entry = Entry::file("/home/me/src/Report 2025.tar.gz");
    check(
        &entry,
        "report ; Report ; 'Report 2025' ; *.gz ; repo* ; src/rep ; src/*.gz ; /home/*/src/* ; \
         /^rep/ ; /^Report/s ; name:report ; name = 'report 2025.tar.gz' ; name != report ; \
         name contains 2025 ; name starts rep ; name ends .gz ; name ~ ^rep.*gz$ ; \
         name in (x, 'Report 2025.tar.gz') ; stem = 'Report 2025.tar' ; path:home/me ; \
         path = '/home/me/src/report 2025.tar.gz' ; path:*.gz ; parent:src ; parent:me/src ; \
         parent:/home/me/src ; parent = /home/me/src ; parent:s* ; under:/home ; \
         under:/home/me/src/ ; under:src ; under:../me/src ; under:. ; under:/ ; ext:gz ; \
         ext:tar.gz ; ext:.GZ ; ext in (jpg, gz) ; ext:zip;gz ; ext:archives ; ext != jpg ; \
         ext:g* ; ext ~ ^g ; ext:own ; category:own ; category:music;own ; \
         category != music ; word:report ; word:2025 ; exact:'Report 2025.tar.gz' ; \
         case:Report ; nocase:REPORT ; regex:\\d{4} ; glob:'* 2025*' ; file:report ; file: ; \
         regex:/src/rep ; word:regex:20.. ; case:ext:gz ; name:(x, report) ; root:home ; \
         hidden:no ; !is:hidden ; regex:src/Rep ; exact:'/home/me/src/Report 2025.tar.gz'",
        "REPORT ; reportx ; *.g ; repox ; src/*.tar ; /^Rep$/ ; /^rep/s ; name = report ; \
         name:*.tar ; name != 'Report 2025.tar.gz' ; name starts 2025 ; name ends tar ; \
         name in (report) ; stem = Report ; path:me/home ; parent:me ; parent:rc ; \
         parent:home/src ; under:/home/me/src/Report ; under:/hom ; \
         under:'/home/me/src/Report 2025.tar.gz' ; ext:tar ; ext:'Report 2025.tar' ; \
         ext:music ; ext = '' ; category:music ; category:other ; category:archives ; \
         word:repo ; word:025 ; \
         exact:Report ; case:report ; nocase:x ; regex:^\\d ; glob:'* 2026*' ; dir:report ; \
         dir: ; case:ext:GZ ; hidden: ; ext ~ '^G'",
    );
    assert!(bound("ext:\"\"").matches(&Entry::file("/a/Makefile")));
    assert!(bound("\"bad\\xff\"").matches(&Entry::file_bytes(b"/a/bad\xff.txt")));
    assert!(bound("bad?.txt ext:txt").matches(&Entry::file_bytes(b"/a/bad\xff.txt")));
}

#[test]
fn a_word_alone_is_a_substring_a_glob_is_the_whole_name() {
    let entry = Entry::file("/x/abc");
    check(&entry, "b ; a* ; *c ; a?c ; [a]bc", "b* ; ? ; [b]");
}

#[test]
fn numbers_and_sizes() {
    let mut entry = Entry::file("/home/me/a");
    entry.metadata_mut(|m| {
        (m.size, m.allocated, m.links, m.id.inode, m.uid, m.gid) =
            (1_500_000, 4096, 2, 77, 1000, 100);
        m.mode = 0o100_644;
    });
    check(
        &entry,
        "size>1mb ; size>=1.5mb ; size<=1500000 ; size=1500000 ; size:1mb..2mb ; size:1mb.. ; \
         size:..2mb ; size:>1mb ; size in (1, 1.5mb) ; size != 0 ; alloc:4ki ; links>1 ; \
         links:2 ; inode=77 ; uid:1000 ; gid:50..100 ; owner:me ; owner:1000 ; \
         user in (root, me) ; group:users ; group:0;users ; perm:644 ; perm:-u+w ; perm:/222 ; \
         mode = 0644 ; perm != 755 ; is:hardlinked ; is:sparse ; !is:readonly ; depth:1 ; \
         depth<=1 ; name-length:1 ; path-length:10 ; bulkiness<1 ; bulkiness:..0.5 ; \
         bulkiness>0.001 ; owner != root ; is:file ; is:(dir, file) ; is:sparse;empty ; \
         is != dir ; is in (dir, file)",
        "size>1.5mb ; size<1.5mb ; size:1mb ; size:2mb.. ; size>18446744073709551615 ; size<0 ; \
         links=1 ; owner:root ; group:0 ; perm:-022 ; is:readonly ; is:symlink ; depth>1 ; \
         bulkiness>1 ; files=0 ; !dirs:2..3 size=0 ; items>0",
    );
    check(
        &Entry::file("/home/me/é"),
        "name-length:1 ; bulkiness != 1",
        "bulkiness:0.. ; name-length:2",
    );
}

#[test]
fn kinds_and_flags() {
    let mut dir = Entry::new("/home/me/.config", Kind::Dir);
    dir.children = Some(ChildCounts { files: 3, dirs: 2 });
    check(
        &dir,
        "type:dir ; type:d ; kind:folder ; type in (file, dir) ; type:l;d ; type != file ; \
         items=5 ; files:3 ; dirs>1 ; hidden: ; is:hidden ; dir:config ; !empty: ; empty:no ; \
         folder:",
        "type:file ; file:config ; empty: ; hidden:no ; files>3 ; category:other",
    );
    let mut link = Entry::new("/home/me/l", Kind::Symlink);
    (link.broken, link.mount, link.executable, link.empty) =
        (Some(true), Some(false), Some(false), Some(false));
    check(
        &link,
        "type:symlink ; broken: ; broken:yes ; is:broken ; !is:mount",
        "executable: ; is:exec",
    );
    let mut unknown = Entry::new("/home/me/u", Kind::Unknown);
    unknown.metadata_mut(|m| m.kind = Kind::Dir);
    check(&unknown, "type:dir ; dir:", "file:");
}

#[test]
fn times() {
    let mut entry = Entry::file("/a");
    // Two days before now.
    let modified = Timestamp::from_seconds(Timestamp::from(&now()).seconds - 2 * 86_400);
    entry.metadata_mut(|m| {
        m.modified = modified;
        m.created = None;
        m.accessed = Timestamp::from_seconds(-86_400);
        m.changed = Timestamp::from_seconds(15_000_000_000);
    });
    check(
        &entry,
        "modified:7d ; dm:3d..1d ; modified:2025-06-16 ; mtime:2025 ; modified>2025-06-15 ; \
         modified<2025-06-17 ; modified>=2025-06-16 ; modified<=2025-06-16 ; \
         modified != today ; modified:this-week ; age>1d ; age<3d ; age:1d..3d ; age:7d ; \
         age>=2d ; age<=2d ; accessed<1970 ; atime:1969-12-31 ; changed>2106 ; \
         modified in (today, 2025-06) ; modified < 1d ; modified >= '2025-06-16 10:30' ; \
         modified:..1d",
        "modified:1d ; modified>2025-06-16 ; modified<2025-06-16 ; age<1d ; age>2d ; age<2d ; \
         modified:today ; created:2025 ; !created:2025 ; created != 2025 ; changed<2106",
    );
}

#[test]
fn what_cannot_be_known_does_not_match() {
    let mut entry = Entry::file("/gone");
    entry.metadata = None;
    check(
        &entry,
        "gone ; gone | size>0 ; !(x size>0)",
        "size>0 ; !size>0 ; size != 0 ; gone size>0 ; !(gone size>0) ; x | !modified:1d ; \
         is:readonly ; !is:readonly",
    );
}

#[test]
fn cheap_tests_go_first_and_only_needs_are_asked() {
    let Expr::And(list) = bound("size>1 path:x name:y type:file") else {
        panic!("no AND")
    };
    let costs: Vec<u8> = list.iter().map(Expr::cost).collect();
    assert!(costs.is_sorted(), "{costs:?}");
    let mut entry = Entry::file("/a/b");
    entry.refuse_metadata = true;
    check(
        &entry,
        "b ; size>0 | b",
        "x size>0 ; type:dir modified:1d ; !b size>0",
    );
    assert_eq!(
        bound("a *.rs type:f depth:1 hidden:").needs(),
        Needs::default()
    );
    assert!(bound("!(a | size>1)").needs_metadata());
    assert!(bound("a/b").needs().path && bound("dirs>1").needs().children);
}

#[test]
fn flags_may_be_missing() {
    let known = Entry::file("/x");
    check(
        &known,
        "!missing:file ; !missing:is",
        "missing:readonly ; missing:hidden ; missing:is",
    );
    let mut nothing = Entry::file("/x");
    nothing.kind = Kind::Fifo;
    nothing.metadata = None;
    check(
        &nothing,
        "missing:readonly ; missing:sparse;file ; missing:is",
        "missing:file ; missing:hidden",
    );
    let query = parse("missing:archive").unwrap();
    assert!(bind(&query, &context()).is_err());
}

#[test]
fn every_field_flag_and_group_binds() {
    let mut catalog = context();
    catalog.target = Target::Catalog;
    for row in FIELDS {
        let query = parse(row.example).unwrap();
        assert!(bind(&query, &catalog).is_ok(), "{}", row.example);
        assert_eq!(
            bind(&query, &context()).is_err(),
            row.catalog_only,
            "{}",
            row.example
        );
        let expr = bind(&query, &catalog).unwrap();
        assert_eq!(expr.needs().catalog, row.catalog_only, "{}", row.example);
        // A live entry knows nothing of what only the catalog knows.
        expr.matches(&Entry::file("/x"));
    }
    for row in FLAGS {
        let query = parse(&format!("is:{}", row.name)).unwrap();
        assert_eq!(
            bind(&query, &context()).is_err(),
            row.catalog_only,
            "{}",
            row.name
        );
        assert_eq!(
            bind(&query, &catalog).unwrap().needs().catalog,
            row.catalog_only,
            "{}",
            row.name
        );
    }
    for group in GROUPS {
        bound(&format!("ext:{0} category:{0}", group.name));
    }
}

#[test]
fn mistakes() {
    let blocks = include_str!("mistakes.txt")
        .split("\n\n")
        .map(str::trim_end);
    for block in blocks.filter(|b| !b.is_empty()) {
        let (text, want) = block.split_once('\n').unwrap();
        let text = text.strip_prefix("query: ").unwrap();
        let query = parse(text).unwrap_or_else(|errors| panic!("{errors}"));
        let errors = bind(&query, &context()).unwrap_err();
        assert_eq!(errors.to_string(), want, "{text}");
    }
}
