//! Templates by example, and against a reference on the standard library's paths.

use super::*;
use proptest::prelude::*;

fn render(template: &str, path: &[u8], separator: Option<&str>) -> Vec<u8> {
    let mut out = Vec::new();
    Template::parse(template).render(path, separator.map(str::as_bytes), &mut out);
    out
}

fn check(template: &str, path: &str, want: &str) {
    let got = render(template, path.as_bytes(), None);
    assert_eq!(
        String::from_utf8(got).unwrap(),
        want,
        "{template} of {path}"
    );
}

#[test]
fn placeholders_stand_for_parts_of_the_path() {
    let all = "{}|{/}|{//}|{.}|{/.}";
    for (path, want) in [
        ("foo.txt", "foo.txt|foo.txt|.|foo|foo"),
        ("dir/foo.txt", "dir/foo.txt|foo.txt|dir|dir/foo|foo"),
        ("./foo.txt", "./foo.txt|foo.txt|.|foo|foo"),
        ("./a/b.tar.gz", "./a/b.tar.gz|b.tar.gz|./a|a/b.tar|b.tar"),
        ("/foo.txt", "/foo.txt|foo.txt|/|/foo|foo"),
        ("/a/b", "/a/b|b|/a|/a/b|b"),
        (".foo", ".foo|.foo|.|.foo|.foo"),
        ("a/.foo.x", "a/.foo.x|.foo.x|a|a/.foo|.foo"),
        ("x.", "x.|x.|.|x|x"),
        ("../up.c", "../up.c|up.c|..|../up|up"),
        ("dir.d/", "dir.d/|dir.d|.|dir|dir"),
        ("💖/ö.txt", "💖/ö.txt|ö.txt|💖|💖/ö|ö"),
        ("/", "/|/|/|/|/"),
        ("..", "..|..|.|..|.."),
        ("", "||||"),
    ] {
        check(all, path, want);
    }
}

#[test]
fn braces() {
    for (template, want) in [
        ("", ""),
        ("text", "text"),
        ("{{}}", "{}"),
        ("{{{}}}", "{{}}"),
        ("{{ {} }}", "{ a/b.c }"),
        ("{}}", "{}"),
        ("{/}}", "{/}"),
        ("{//}}x", "{//}x"),
        ("{.}}{}", "{.}a/b.c"),
        ("{/.}}}}", "{/.}}"),
        ("{}{}", "a/b.ca/b.c"),
        ("{", "{"),
        ("}", "}"),
        ("{x} {///} { }", "{x} {///} { }"),
        ("{/{}", "{/a/b.c"),
        ("{{/}", "{/}"),
        ("{}{{{/}", "a/b.c{b.c"),
    ] {
        check(template, "a/b.c", want);
    }
}

#[test]
fn only_placeholders_make_a_template_depend_on_the_path() {
    for (template, want) in [
        ("", false),
        ("a{{}}", false),
        ("{}}", false),
        ("{x}", false),
        ("-{/}", true),
    ] {
        assert_eq!(
            Template::parse(template).has_placeholders(),
            want,
            "{template}"
        );
    }
}

#[test]
fn separators_are_replaced_in_placeholders_only() {
    for (template, path, want) in [
        ("x/{}", "a/b/c.d", "x/a::b::c.d"),
        ("{//}", "a/b/c.d", "a::b"),
        ("{.}", "./a/b/c.d", "a::b::c"),
        ("{}", "./a//b/./c/", ".::a::b::c"),
        ("{} {//} {.}", "/a/b.c", "::a::b.c ::a ::a::b"),
        ("{} {//} {.}", "/b.c", "::b.c :: ::b"),
        ("{/} {/.}", "a/b.c", "b.c b"),
    ] {
        let got = render(template, path.as_bytes(), Some("::"));
        assert_eq!(
            String::from_utf8(got).unwrap(),
            want,
            "{template} of {path}"
        );
    }
}

#[test]
fn bytes_that_are_no_text_pass_unchanged() {
    assert_eq!(
        render("<{}>", b"d\xff/\xfe.x\xfd", None),
        b"<d\xff/\xfe.x\xfd>"
    );
    assert_eq!(render("{/.}", b"d\xff/\xfe.x\xfd", None), b"\xfe");
    assert_eq!(render("{.}", b"d\xff/\xfe.x", Some("+")), b"d\xff+\xfe");
    let mut out = Vec::new();
    Template::parse(b"\xff{/}\xfe").render(b"a/b", None, &mut out);
    assert_eq!(out, b"\xffb\xfe");
}

/// What each placeholder means, said with the standard library's paths.
#[cfg(unix)]
mod reference {
    use std::ffi::OsStr;
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    use std::path::{Component, Path};

    pub(super) fn path(bytes: &[u8]) -> &Path {
        Path::new(OsStr::from_bytes(bytes))
    }

    pub(super) fn expand(placeholder: &str, of: &[u8], separator: Option<&str>) -> Vec<u8> {
        let of = path(of);
        let name = of.file_name().unwrap_or(of.as_os_str());
        let parent = match of.parent() {
            None => of,
            Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
            Some(parent) => parent,
        };
        let stem = of.file_stem().unwrap_or(name);
        let whole = match placeholder {
            "{}" => of.to_owned(),
            "{/}" => name.into(),
            "{//}" => parent.to_owned(),
            "{/.}" => stem.into(),
            _ => parent.strip_prefix(".").unwrap_or(parent).join(stem),
        };
        match separator {
            None => whole.into_os_string().into_vec(),
            Some(separator) => joined(&whole, separator),
        }
    }

    fn joined(path: &Path, separator: &str) -> Vec<u8> {
        let names: Vec<&[u8]> = path
            .components()
            .filter(|c| *c != Component::RootDir)
            .map(|c| c.as_os_str().as_bytes())
            .collect();
        let root = if path.has_root() { separator } else { "" };
        [root.as_bytes(), &names.join(separator.as_bytes())].concat()
    }
}

#[cfg(unix)]
proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Paths that end in no name (`..`) have no extension to take away, and a name like `..x` has
    /// the stem `.`, which would vanish as a component: both are left out here.
    #[test]
    fn equals_the_reference(path in "[ab./\u{e9}]{0,12}", plus in any::<bool>()) {
        let path = path.as_bytes();
        let names_an_entry = reference::path(path).file_stem().is_some_and(|stem| stem != ".");
        let separator = plus.then_some("+");
        for placeholder in ["{}", "{/}", "{//}", "{.}", "{/.}"] {
            if names_an_entry || matches!(placeholder, "{}" | "{/}" | "{//}") {
                let want = reference::expand(placeholder, path, separator);
                prop_assert_eq!(render(placeholder, path, separator), want, "{}", placeholder);
            }
        }
    }
}

proptest! {
    #[test]
    fn doubling_braces_quotes_any_text(text in proptest::collection::vec(any::<u8>(), 0..20)) {
        let mut quoted = Vec::new();
        for &byte in &text {
            quoted.push(byte);
            if matches!(byte, b'{' | b'}') {
                quoted.push(byte);
            }
        }
        let template = Template::parse(&quoted);
        let mut out = Vec::new();
        template.render(b"path", None, &mut out);
        prop_assert!(!template.has_placeholders());
        prop_assert_eq!(out, text);
    }

    #[test]
    fn text_around_a_placeholder_stays(before in "[a-z /.]{0,8}", after in "[a-z /.]{0,8}", path in proptest::collection::vec(any::<u8>(), 0..12)) {
        let mut want = before.clone().into_bytes();
        want.extend_from_slice(&path);
        want.extend_from_slice(after.as_bytes());
        prop_assert_eq!(render(&format!("{before}{{}}{after}"), &path, None), want);
    }
}

#[test]
fn words_in_braces_are_fields() {
    let find = |word: &str| {
        ["size", "tree-size"]
            .iter()
            .position(|known| *known == word)
    };
    let values = |number| Value::Number(number as u64 + 7);
    let filled = |template: &str| {
        let mut out = Vec::new();
        Template::with_fields(template, find)
            .unwrap()
            .render_fields(b"a/b.c", None, values, &mut out);
        String::from_utf8(out).unwrap()
    };
    for (template, want) in [
        ("{size} {} {tree-size}", "7 a/b.c 8"),
        ("{{size}} {size}}", "{size} {size}"),
        ("{/.}:{size}{", "b:7{"),
        ("{a b} {1}", "{a b} {1}"),
    ] {
        assert_eq!(filled(template), want, "{template}");
    }
    let unknown = Template::with_fields("{size}{siez}{zzz}", find);
    assert_eq!(unknown, Err("siez".to_owned()));
    check("{size}", "a", "{size}");
}
