//! Patterns, templates and escapes on any bytes: no panic, and what is escaped stays escaped.

#![no_main]
#![forbid(unsafe_code)]

use groma_formats::escape;
use groma_formats::template::Template;
use groma_query::pattern::{Case, Extensions, Pattern, Syntax};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (&str, &[u8])| {
    let (text, name) = input;
    for syntax in [Syntax::Regex, Syntax::Glob, Syntax::Fixed, Syntax::Exact] {
        match Pattern::compile(text, syntax, Case::Smart) {
            Ok(pattern) => drop(pattern.is_match(name)),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    Extensions::new([text]).is_match(name);
    Template::parse(text).render(name, Some(b"::"), &mut Vec::new());
    let (mut once, mut twice) = (Vec::new(), Vec::new());
    escape::terminal(name, &mut once);
    escape::terminal(&once, &mut twice);
    assert_eq!(once, twice);
});
