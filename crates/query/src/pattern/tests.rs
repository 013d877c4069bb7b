//! What patterns match; the fast paths against plain evaluation.

use super::*;
use proptest::prelude::*;
use regex::bytes::RegexBuilder;

#[track_caller]
fn matches(text: &str, syntax: Syntax, case: Case, name: impl AsRef<[u8]>) -> bool {
    Pattern::compile(text, syntax, case)
        .unwrap()
        .is_match(name.as_ref())
}

#[track_caller]
fn check(syntax: Syntax, text: &str, yes: &[&str], no: &[&str]) {
    for name in yes {
        assert!(
            matches(text, syntax, Case::Smart, name),
            "{text} should match {name:?}"
        );
    }
    for name in no {
        assert!(
            !matches(text, syntax, Case::Smart, name),
            "{text} should not match {name:?}"
        );
    }
}

#[test]
fn regexes() {
    check(Syntax::Regex, "", &["", "anything"], &[]);
    check(Syntax::Regex, "oo", &["foo", "FOO", "f\noo"], &["fo"]);
    check(Syntax::Regex, "Oo", &["fOo"], &["foo"]);
    check(
        Syntax::Regex,
        r"\.txt$",
        &["a.txt", ".txt", "a.TXT"],
        &["a.txt.gz"],
    );
    check(Syntax::Regex, "^foo", &["foobar"], &["a foo"]);
    check(Syntax::Regex, "^foo$", &["foo", "Foo"], &["foo\n", "foo2"]);
    check(Syntax::Regex, "a.b", &["a\nb", "aäb"], &["ab"]);
    check(Syntax::Regex, "^...$", &["äöü", "abc"], &["äö"]);
    check(Syntax::Regex, "^a.*z$", &["az", "a/z"], &["a", "za"]);
    check(Syntax::Regex, "^ab.*ba$", &["abba", "abxba"], &["aba"]);
    check(Syntax::Regex, "(foo)", &["foo"], &["bar"]);
    check(Syntax::Regex, "ÄÖ", &["ÄÖ"], &["äö"]);
    check(Syntax::Regex, "äö", &["ÄÖ", "xäö"], &["ao"]);
    check(Syntax::Regex, "(?i)Foo", &["fOO"], &[]);
    check(Syntax::Regex, "(?-i)foo", &["foo"], &["FOO"]);
    check(Syntax::Regex, "ks", &["KS", "\u{212a}\u{17f}"], &[]);
}

#[test]
fn globs() {
    check(
        Syntax::Glob,
        "*.txt",
        &["a.txt", ".txt", "ä.TXT"],
        &["a.txt.gz", "a/b.txt"],
    );
    check(
        Syntax::Glob,
        "?.txt",
        &["a.txt", "ä.txt"],
        &["ab.txt", "/.txt"],
    );
    check(Syntax::Glob, "*foo*", &["foo", "a foo b"], &["fo", "a/foo"]);
    check(
        Syntax::Glob,
        "foo*",
        &["foo", "foobar"],
        &["foo/bar", "afoo"],
    );
    check(
        Syntax::Glob,
        "foo*bar",
        &["foobar", "foo-bar"],
        &["foo/bar", "fooar"],
    );
    check(Syntax::Glob, "*", &["", "x", "\n"], &["a/b"]);
    check(Syntax::Glob, "**", &["", "x", "a/b"], &[]);
    check(Syntax::Glob, "**/x", &["x", "a/x", "a/b/x", "/x"], &["ax"]);
    check(
        Syntax::Glob,
        "a/**/b",
        &["a/b", "a/x/b", "a/x/y/b"],
        &["ab", "a/xb"],
    );
    check(Syntax::Glob, "a/**", &["a/b", "a/b/c", "a/"], &["a"]);
    check(
        Syntax::Glob,
        "*.{jpg,p{n,m}g}",
        &["a.jpg", "a.png", "a.pmg"],
        &["a.pg", "a.{jpg"],
    );
    check(Syntax::Glob, "[a-cä]x", &["bx", "äx"], &["dx", "x"]);
    check(Syntax::Glob, "[!a]x", &["bx", "ßx"], &["ax", "/x"]);
    check(Syntax::Glob, "[]-]", &["]", "-"], &["x"]);
    check(Syntax::Glob, "[[:digit:]]", &["7"], &["d", ":"]);
    check(Syntax::Glob, r"\*", &["*"], &["x"]);
    check(Syntax::Glob, r"[\]", &["\\"], &["x"]);
    for bad in ["[", "[a", "{a", "a}", "\\", "[b-a]", "{[}"] {
        let error = Pattern::compile(bad, Syntax::Glob, Case::Smart).unwrap_err();
        assert!(matches!(error, PatternError::Glob { .. }), "{bad}");
    }
    assert!(Pattern::compile(&"{".repeat(100_000), Syntax::Glob, Case::Smart).is_err());
}

#[test]
fn plain_text() {
    check(Syntax::Fixed, "a.b", &["xa.by", "A.B"], &["aab"]);
    check(Syntax::Fixed, "", &["", "x"], &[]);
    check(Syntax::Exact, "a.b", &["a.b", "A.b"], &["xa.b", "a.b "]);
    check(Syntax::Exact, "", &[""], &["x"]);
    check(Syntax::Exact, "K", &["K"], &["k"]);
}

#[test]
fn stray_bytes_are_characters() {
    let name = b"bad\xff.txt";
    for (text, syntax) in [
        (r"bad.\.txt", Syntax::Regex),
        (r"^bad[^a]\.txt$", Syntax::Regex),
        (r"bad\W", Syntax::Regex),
        (r"bad\b", Syntax::Regex),
        (r"(?-u:\xff)\.", Syntax::Regex),
        ("^.{8}$", Syntax::Regex),
        (".*d.*t$", Syntax::Regex),
        ("*.txt", Syntax::Glob),
        ("bad?.txt", Syntax::Glob),
        ("bad[!x].txt", Syntax::Glob),
        ("BAD*", Syntax::Glob),
        (".txt", Syntax::Fixed),
    ] {
        assert!(matches(text, syntax, Case::Insensitive, name), "{text}");
    }
    for text in [r"bad\w", r"bad\.", "^.{7}$", "ÿ", "[a-z].txt"] {
        assert!(
            !matches(text, Syntax::Regex, Case::Insensitive, name),
            "{text}"
        );
    }
    // A character of several bytes stays one character in a foreign name.
    assert!(matches("^..$", Syntax::Regex, Case::Smart, b"\xc3\xa4\xff"));
    assert!(!matches(
        "^...$",
        Syntax::Regex,
        Case::Smart,
        b"\xc3\xa4\xff"
    ));
    assert!(!matches(
        "^[^ä]*$",
        Syntax::Regex,
        Case::Smart,
        b"\xc3\xa4\xff"
    ));
}

#[test]
fn errors_say_where() {
    let error = Pattern::compile("a(b", Syntax::Regex, Case::Smart).unwrap_err();
    assert_eq!(error.place(), Some(1..2));
    assert_eq!(error.summary(), "unclosed group");
    assert!(error.to_string().contains("regex parse error"));
    let error = Pattern::compile(r"\w{999}{99}", Syntax::Regex, Case::Smart).unwrap_err();
    assert!(matches!(error, PatternError::TooLarge { .. }));
    let error = Pattern::compile("ab}", Syntax::Glob, Case::Smart).unwrap_err();
    assert_eq!(error.place(), Some(2..3));
}

#[test]
fn smart_case_looks_at_literals() {
    for text in [
        "A",
        "foo.EXE",
        "foo.[a-zA-Z]",
        "[A-Z]",
        r"\x41",
        "(aB)+",
        "Ä",
        "[[:upper:]]",
    ] {
        assert!(has_uppercase_literal(text, Syntax::Regex), "{text}");
    }
    for text in [
        "a",
        "foo.exe123",
        r"\Acargo",
        r"carg\x6F",
        r"\S",
        r"\W\D",
        "[^a]",
        "(",
        r"\pL",
    ] {
        assert!(!has_uppercase_literal(text, Syntax::Regex), "{text}");
    }
    assert!(has_uppercase_literal("*.TXT", Syntax::Glob));
    assert!(!has_uppercase_literal("*.txt", Syntax::Glob));
    assert!(has_uppercase_literal(r"\S", Syntax::Fixed));
    assert_eq!(
        Case::Smart.resolve(["a", "B"], Syntax::Regex),
        Case::Sensitive
    );
    assert_eq!(
        Case::Smart.resolve(["a", "b"], Syntax::Regex),
        Case::Insensitive
    );
    assert_eq!(
        Case::Insensitive.resolve(["A"], Syntax::Regex),
        Case::Insensitive
    );
}

#[test]
fn patterns_that_match_dotfiles_only() {
    for text in [
        r"^\.gitignore",
        r"^\.",
        r"^(\.a|\.b)",
        r"^\.+x",
        r"(^\.a)b",
        r"^\.a|^\.b",
        "^[.]x",
    ] {
        assert!(only_matches_dotfiles(text, Syntax::Regex), "{text}");
    }
    for text in [
        "^.gitignore",
        r"\.gitignore",
        "^gitignore",
        r"^\.a|b",
        r"^\.*x",
        "(",
        "",
    ] {
        assert!(!only_matches_dotfiles(text, Syntax::Regex), "{text}");
    }
    assert!(only_matches_dotfiles(".git*", Syntax::Glob));
    assert!(only_matches_dotfiles("{.a,.b}", Syntax::Glob));
    assert!(!only_matches_dotfiles("*.git", Syntax::Glob));
    assert!(only_matches_dotfiles(".git", Syntax::Exact));
    assert!(!only_matches_dotfiles(".git", Syntax::Fixed));
}

#[test]
fn plain_patterns_take_the_fast_path() {
    for (text, syntax) in [
        ("foo", Syntax::Regex),
        ("^foo", Syntax::Regex),
        (r"\.txt$", Syntax::Regex),
        (r".*\.txt$", Syntax::Regex),
        ("^foo$", Syntax::Regex),
        (r"^foo.*\.rs$", Syntax::Regex),
        ("*.txt", Syntax::Glob),
        ("foo*", Syntax::Glob),
        ("*foo*", Syntax::Glob),
        ("foo*.txt", Syntax::Glob),
        ("foo", Syntax::Glob),
        ("*", Syntax::Glob),
    ] {
        for case in [Case::Smart, Case::Sensitive] {
            let pattern = Pattern::compile(text, syntax, case).unwrap();
            assert!(matches!(pattern.matcher, Matcher::Literal(_)), "{text}");
        }
    }
    for text in ["", ".*", "^", "$", "^.*$", "()"] {
        assert!(
            Pattern::compile(text, Syntax::Regex, Case::Smart)
                .unwrap()
                .matches_everything()
        );
    }
}

#[test]
fn extensions() {
    let set = Extensions::new(["txt", ".Tar.GZ", "ÄÖ", "averylongextension", "ks"]);
    for name in [
        &b"a.txt"[..],
        b"a.TXT",
        b"bad\xff.txt",
        b"new\nline.txt",
        b"..txt",
        b"x.tar.gz",
        "x.äö".as_bytes(),
        "x.\u{212a}\u{17f}".as_bytes(),
        b"x.AVERYLONGEXTENSION",
    ] {
        assert!(set.is_match(name), "{:?}", String::from_utf8_lossy(name));
    }
    for name in [
        &b".txt"[..],
        b"txt",
        b"a.txt2",
        b"a.gz",
        b".tar.gz",
        b"",
        b".",
        b"a.",
        b"a.txt\xff",
    ] {
        assert!(!set.is_match(name), "{:?}", String::from_utf8_lossy(name));
    }
    assert!(Extensions::new([""]).is_match(b"a."));
    assert!(!Extensions::new([""]).is_match(b"."));
    assert!(!Extensions::new(["\0a"]).is_match(b"x.a"));
}

/// A name with every stray byte replaced, as the documentation of this module says.
fn without_strays(name: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for chunk in name.utf8_chunks() {
        out.extend_from_slice(chunk.valid().as_bytes());
        out.extend(chunk.invalid().iter().flat_map(|_| "\u{10FFFF}".bytes()));
    }
    out
}

/// The same question asked of nothing but the regex engine.
fn naive(regex: &str, fold: bool, name: &[u8]) -> bool {
    let regex = RegexBuilder::new(regex)
        .case_insensitive(fold)
        .dot_matches_new_line(true)
        .build()
        .unwrap();
    regex.is_match(name) || regex.is_match(&without_strays(name))
}

fn name() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        8 => prop::sample::select(vec!["a", "b", "A", "B", "k", "s", ".", "/", "ab", "\n"]),
        2 => prop::sample::select(vec!["ä", "Ä", "\u{212a}", "ſ", "ß", "ẞ", "Σ", "ς"]),
    ]
    .prop_map(|s| s.as_bytes().to_vec());
    let stray = prop::sample::select(vec![vec![0xff], vec![0xc3], vec![0xe2, 0x84]]);
    prop::collection::vec(prop_oneof![9 => piece, 1 => stray], 0..9).prop_map(|v| v.concat())
}

fn regex_text() -> impl Strategy<Value = String> {
    let pieces = vec![
        "a",
        "b",
        "A",
        "k",
        "s",
        "ab",
        "ä",
        "Σ",
        "ẞ",
        r"\.",
        ".",
        ".*",
        "[^/]*",
        "^",
        "$",
        "(ab)",
        "(a|b)",
        "a+",
        "[a-b]",
        "[^a]",
        r"\w",
        r"\W",
        r"\b",
        "/",
        ".?",
        "x*",
        "(?i)a",
        "(?-u:\\xff)",
    ];
    prop::collection::vec(prop::sample::select(pieces), 0..6).prop_map(|v| v.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn equals_the_regex_engine(regex in regex_text(), name in name(), fold in any::<bool>()) {
        let case = if fold { Case::Insensitive } else { Case::Sensitive };
        let pattern = Pattern::compile(&regex, Syntax::Regex, case).unwrap();
        prop_assert_eq!(pattern.is_match(&name), naive(&regex, fold, &name));
    }

    #[test]
    fn plain_text_equals_escaped_regex(text in "[abkAsä./]{0,3}", name in name(), fold in any::<bool>()) {
        let case = if fold { Case::Insensitive } else { Case::Sensitive };
        let escaped = regex::escape(&text);
        let fixed = Pattern::compile(&text, Syntax::Fixed, case).unwrap();
        prop_assert_eq!(fixed.is_match(&name), naive(&escaped, fold, &name));
        let exact = Pattern::compile(&text, Syntax::Exact, case).unwrap();
        prop_assert_eq!(exact.is_match(&name), naive(&format!("^{escaped}$"), fold, &name));
    }

    #[test]
    fn ascii_globs_equal_globset(glob in "[ab/*?.]{0,6}|[ab*.]{0,2}(\\{[ab?*]{1,3},[ab]{1,2}\\}|\\[!?[ab.-]{1,3}\\])[ab*./]{0,3}", name in "[ab/.A]{0,6}", fold in any::<bool>()) {
        // There, a `**` that follows `**/` matches nothing but directories with a slash at their end.
        prop_assume!(!glob.contains("**/**") && !glob.contains("{**") && !glob.contains(",**"));
        let theirs = globset::GlobBuilder::new(&glob).literal_separator(true).case_insensitive(fold).build();
        let case = if fold { Case::Insensitive } else { Case::Sensitive };
        let ours = Pattern::compile(&glob, Syntax::Glob, case);
        match (ours, theirs) {
            (Ok(ours), Ok(theirs)) => {
                let theirs = theirs.compile_matcher();
                prop_assert_eq!(ours.is_match(name.as_bytes()), theirs.is_match(&name));
            }
            (ours, theirs) => prop_assert_eq!(ours.is_err(), theirs.is_err()),
        }
    }

    #[test]
    fn extensions_equal_a_regex(ext in "[akäsK]{1,2}|a\\.b|averylong[k]", name in name(), tail in "\\.[akäsK]{1,2}|\\.a\\.B|\\.aVerylong[kK]|") {
        let name = [name, tail.into_bytes()].concat();
        let regex = format!(r".\.{}$", regex::escape(&ext));
        prop_assert_eq!(Extensions::new([&ext]).is_match(&name), naive(&regex, true, &name));
    }

    #[test]
    fn any_text_is_a_pattern_or_an_error(text in "\\PC{0,12}|[\\[\\]{}(),*?a\\\\^$-]{0,12}", name in name()) {
        for syntax in [Syntax::Regex, Syntax::Glob, Syntax::Fixed, Syntax::Exact] {
            has_uppercase_literal(&text, syntax);
            only_matches_dotfiles(&text, syntax);
            match Pattern::compile(&text, syntax, Case::Smart) {
                Ok(pattern) => { pattern.is_match(&name); }
                Err(error) => { let _ = (error.to_string(), error.summary(), error.place()); }
            }
        }
    }
}
