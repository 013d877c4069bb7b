//! `groma index add --source list`: paths of a file, and Everything's file lists.

use super::env::Env;
use super::index::{entries, index, ok};

fn add(text: &[u8]) -> (Env, Vec<String>) {
    let env = Env::new("");
    std::fs::write(env.path("list"), text).unwrap();
    ok(&env, "add --source list list");
    let paths = entries(&env).into_keys().collect();
    (env, paths)
}

#[test]
fn missing_directories_are_made() {
    let want = ["/", "/a", "/a/b", "/a/b/c", "/a/d", "/e"];
    for text in [
        &b"/a/b/c\n/a/d\n/e\n"[..],
        b"/e\r\n/a/d\r\n\r\n/a/b/c",
        b"/a/b/c\0/a/d/\0/e\0",
        b"/a/b/\n/a/b/c\n/a/b\n/a/d\n//e\n/a/./d\n",
    ] {
        assert_eq!(add(text).1, want, "{}", text.escape_ascii());
    }
    assert!(
        add(b"/with\nfeed\0/x\0")
            .1
            .contains(&"/with\nfeed".to_owned())
    );
    let (env, paths) = add(b"./rel\nother/x\n");
    let dir = env.dir().display();
    assert!(paths.contains(&format!("{dir}/rel")) && paths.contains(&format!("{dir}/other/x")));
}

#[test]
fn bare_paths_have_no_metadata() {
    let (env, _) = add(b"/a/b\n");
    assert!(entries(&env).values().all(Option::is_none));
    ok(&env, "check");
}

#[test]
fn lists_of_everything_have_metadata_and_drives() {
    let (env, paths) = add(
        b"\xef\xbb\xbfFilename,Size,Date Modified,Date Created,Attributes\r\n\
          \"C:\\Users\\a, b.txt\",123,116444736010000000,,33\r\n\
          d:\\x,,116444736020000000,,16\r\n\
          \"\\\\nas\\media\\film.mkv\",7,,,0\r\n",
    );
    let want = [
        "//nas/media",
        "//nas/media/film.mkv",
        "C:",
        "C:/Users",
        "C:/Users/a, b.txt",
        "D:",
        "D:/x",
    ];
    assert_eq!(paths, want);
    let entries = entries(&env);
    let file = entries["C:/Users/a, b.txt"].as_ref().unwrap();
    assert_eq!(
        (file.size, file.modified.seconds, file.mode),
        (123, 1, 0o100_444)
    );
    let dir = entries["D:/x"].as_ref().unwrap();
    assert_eq!((dir.kind, dir.modified.seconds), (groma_base::Kind::Dir, 2));
    assert!(entries["C:/Users"].is_none());
    let table = ok(&env, "list");
    assert_eq!(
        table
            .lines()
            .filter(|line| line.ends_with("listed"))
            .count(),
        3,
        "{table}"
    );
    ok(&env, "check");
}

#[test]
fn bad_lines_are_named_and_the_rest_is_kept() {
    let env = Env::new("");
    env.write("list", "/a\n/b/../c\n/d\n");
    let said = index(&env, "add --source list list");
    assert_eq!(said.code, 3);
    assert!(
        said.stderr
            .contains("'list': line 2: expected a path without '..'"),
        "{}",
        said.stderr
    );
    assert!(
        said.stderr.contains("1 place could not be read"),
        "{}",
        said.stderr
    );
    let paths: Vec<String> = entries(&env).into_keys().collect();
    assert_eq!(paths, ["/", "/a", "/d"]);
    env.write("efu", "Filename,Size\n/a,x\n/b,1\n");
    let said = index(&env, "add --source list efu");
    assert!(
        said.code == 3 && said.stderr.contains("line 2: expected a size"),
        "{}",
        said.stderr
    );
}

#[test]
fn what_is_no_list_is_refused() {
    let env = Env::new("dir/ empty:0");
    for (line, needle) in [
        ("add --source list none", "No such file"),
        ("add --source list empty", "names no paths"),
        ("add --source list dir", "directory"),
    ] {
        let said = index(&env, line);
        assert_eq!(said.code, 1, "{line}: {}", said.stderr);
        assert!(said.stderr.contains(needle), "{line}: {}", said.stderr);
    }
    assert!(entries(&env).is_empty());
}

#[test]
fn standard_input_is_a_list_too() {
    let env = Env::new("x/y");
    let catalog = env.beside("catalog");
    let line = format!(
        "find \"$PWD/x\" -print0 | groma index add --catalog '{}' --source list -",
        catalog.display()
    );
    assert_eq!(env.shell(&line).code, 0);
    let path = env.path("x/y").display().to_string();
    assert!(entries(&env).contains_key(&path));
    let said = index(&env, "refresh /");
    assert_eq!(said.code, 1);
    assert!(said.stderr.contains("came from a list"), "{}", said.stderr);
}

#[test]
fn a_list_added_again_replaces_what_it_was() {
    let (env, _) = add(b"/a\n");
    env.write("list", "/b\n");
    ok(&env, "add --source list list");
    let paths: Vec<String> = entries(&env).into_keys().collect();
    assert_eq!(paths, ["/", "/b"]);
    env.write("second", "/c\n");
    ok(&env, "add --source list second");
    assert_eq!(ok(&env, "list").lines().count(), 3);
}
