//! What `groma search` finds is what `groma find --where` and findutils' `find` find.

use super::env::Env;
use super::search::{index, search};

/// A tree with names, sizes, times and kinds that look random and are the same every time.
fn generated() -> Env {
    let env = Env::new("");
    let names = [
        "report",
        "Main",
        "lib",
        "notes",
        ".config",
        "IMG",
        "x",
        "data-2024",
        "ünï",
        "a b",
    ];
    let extensions = ["txt", "rs", "JPG", "tar.gz", "", "pdf", "c"];
    let mut state = 12_345u64;
    let mut next = |most: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % most
    };
    let mut dirs = vec![String::new()];
    for n in 0..400 {
        let dir = dirs[next(dirs.len() as u64) as usize].clone();
        let name = names[next(names.len() as u64) as usize];
        if next(5) == 0 {
            let path = format!("{dir}{name}{n}/");
            std::fs::create_dir_all(env.path(&path)).unwrap();
            dirs.push(path);
            continue;
        }
        let extension = extensions[next(extensions.len() as u64) as usize];
        let dot = if extension.is_empty() { "" } else { "." };
        let path = env.path(format!("{dir}{name}{n}{dot}{extension}"));
        let file = std::fs::File::create(&path).unwrap();
        file.set_len([0, 1, 999, 1_000, 4_096, 1_048_576, 3_000_000][next(7) as usize])
            .unwrap();
        let age = std::time::Duration::from_secs(next(1_000) * 86_400);
        file.set_modified(
            std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_600_000_000) + age,
        )
        .unwrap();
        if next(9) == 0 {
            std::os::unix::fs::symlink("nowhere", env.path(format!("{dir}link{n}"))).unwrap();
        }
    }
    index(&env);
    env
}

/// Queries that both verbs understand.
const QUERIES: &[&str] = &[
    "",
    "report",
    "Main",
    "main",
    "ext:txt",
    "ext:tar.gz;jpg",
    "*.rs",
    "size>1kb",
    "size:1000",
    "size<1k type:file",
    "modified:2021",
    "modified<2021-06 ext:pdf",
    "type:dir",
    "type:symlink",
    "is:hidden",
    "hidden:no type:file",
    "empty: type:file",
    "empty: type:dir",
    "depth=1",
    "depth>3",
    "path:report/",
    "under:lib1",
    "regex:^[a-m].*[0-9]$",
    "word:a",
    "ünï OR img",
    "!txt !rs",
    "(report OR notes) size>0",
    "name-length>12",
    "stem:x",
    "category:pictures",
    "ext:\"\"",
    "items>2",
    "links=1 type:file",
    "perm:644",
    "parent:report",
    "'a b'",
    "glob:*[!0-9].c",
    "name starts IMG",
    "/^\\.conf/",
    "size:1mib..3mb",
    "age>1d",
    "nocase:main",
    "case:main",
];

#[test]
fn equals_find_where() {
    compare(&generated());
}

/// The catalog is a segment and changes to it: a directory renamed, one moved into another, one gone;
/// files gone, new, and other than they were.
#[test]
fn equals_find_where_after_changes() {
    let env = generated();
    let mut dirs = Vec::new();
    let mut files = Vec::new();
    for entry in std::fs::read_dir(env.dir()).unwrap() {
        let entry = entry.unwrap();
        let list = match entry.file_type().unwrap().is_dir() {
            true => &mut dirs,
            false => &mut files,
        };
        list.push(entry.path());
    }
    dirs.sort();
    files.sort();
    let [renamed, moved, into, gone, ..] = &dirs[..] else {
        panic!("{dirs:?}");
    };
    std::fs::rename(renamed, env.path("Report renamed")).unwrap();
    std::fs::rename(moved, into.join("lib1-moved")).unwrap();
    std::fs::remove_dir_all(gone).unwrap();
    std::fs::remove_file(&files[0]).unwrap();
    std::fs::rename(&files[1], env.path("Report renamed/IMG main.JPG")).unwrap();
    env.write("new report.txt", "new");
    std::fs::create_dir(env.path("lib1-new")).unwrap();
    env.write("lib1-new/a b.rs", "newer");
    env.tool("chmod", &["711", "new report.txt"]);
    let before = segments(&env);
    refresh(&env);
    assert_eq!(segments(&env), before, "changes are told by a log");
    assert!(
        files_of(&env).iter().any(|name| name.ends_with(".log")),
        "{:?}",
        files_of(&env)
    );
    compare(&env);
}

fn refresh(env: &Env) {
    let answer = env.shell("groma index refresh");
    assert_eq!((answer.code, &answer.stderr[..]), (0, ""));
}

/// The files of the catalog.
fn files_of(env: &Env) -> Vec<String> {
    let files = std::fs::read_dir(env.beside("home/.local/share/groma")).unwrap();
    let mut names: Vec<String> = files
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn segments(env: &Env) -> Vec<String> {
    let mut names = files_of(env);
    names.retain(|name| name.ends_with(".seg"));
    names
}

/// Where more has changed than a log is worth, everything is written anew.
#[test]
fn many_changes_make_a_new_segment() {
    let env = Env::new("a b");
    index(&env);
    let before = segments(&env);
    for number in 0..10_050 {
        std::fs::File::create(env.path(format!("report{number}"))).unwrap();
    }
    refresh(&env);
    let after = segments(&env);
    assert!(after.len() == 1 && after != before, "{before:?} {after:?}");
    let answer = search(&env, "--in . --count report");
    assert_eq!((answer.code, answer.shown().trim()), (0, "10050"));
}

fn compare(env: &Env) {
    for query in QUERIES {
        let listed = env.answer_to(
            super::env::Name::Groma,
            [
                "-H",
                "-I",
                "--absolute-path",
                "-c",
                "never",
                "--where",
                query,
                ".",
            ],
        );
        assert_eq!(listed.code, 0, "{query}: {}", listed.stderr);
        let want: Vec<String> = listed
            .sorted()
            .iter()
            .map(|line| line.trim_end_matches('/').to_owned())
            .collect();
        let answer = search(env, &format!("--in . -- {}", quoted(query)));
        assert_eq!((answer.code, &answer.stderr[..]), (0, ""), "{query}");
        let mut want = want;
        want.sort();
        assert_eq!(answer.sorted(), want, "{query}");
    }
}

fn quoted(query: &str) -> String {
    format!("'{}'", query.replace('\'', "'\\''"))
}

#[test]
fn equals_findutils() {
    let env = generated();
    for (query, arguments) in [
        ("", ""),
        ("type:file", "-type f"),
        ("ext:rs type:file", "-type f -name '*.rs'"),
        ("nocase:report", "-iname '*report*'"),
        ("case:report", "-name '*report*'"),
        ("size:1000", "-size 1000c"),
        ("size>4096 type:file", "-type f -size +4096c"),
        ("empty: type:dir", "-type d -empty"),
        ("type:symlink", "-type l"),
        ("depth<=2", "-maxdepth 2"),
        (
            "modified<@1650000000 type:file",
            "-type f ! -newermt @1649999999",
        ),
        ("perm:755", "-perm 755"),
        ("name:x | name:lib", "-name '*[xX]*' -o -iname '*lib*'"),
    ] {
        let want = env.shell(&format!(
            "find \"$PWD\" -mindepth 1 \\( -true {arguments} \\)"
        ));
        let want = match arguments.contains("-o") || arguments.contains("maxdepth") {
            true => env.shell(&format!("find \"$PWD\" -mindepth 1 {arguments}")),
            false => want,
        };
        assert_eq!(want.code, 0, "{query}: {}", want.stderr);
        let answer = search(&env, &format!("--in . -- {}", quoted(query)));
        assert_eq!(answer.sorted(), want.sorted(), "{query}");
    }
}
