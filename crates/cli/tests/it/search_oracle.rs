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
    let env = generated();
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
        let answer = search(&env, &format!("--in . -- {}", quoted(query)));
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
