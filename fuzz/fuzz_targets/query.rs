//! The query language on any text: no panic, every error has a place within the text, and what
//! parses is the same query after printing and parsing again.

#![no_main]
#![forbid(unsafe_code)]

use groma_query::bind::{Context, Target, bind};
use groma_query::syntax::parse;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut query = match parse(text) {
        Ok(query) => query,
        Err(errors) => {
            assert!(!errors.to_string().is_empty());
            for error in &errors.errors {
                assert!(text.get(error.span.start..error.span.end).is_some());
            }
            return;
        }
    };
    let now = "2025-06-18T10:30:00+02:00[+02:00]"
        .parse()
        .expect("a fixed time");
    if let Err(errors) = bind(&query, &Context::new(now, Target::Catalog)) {
        assert!(!errors.to_string().is_empty());
    }
    let printed = query.to_string();
    let mut again = parse(&printed).expect("what was printed parses");
    query.erase_spans();
    again.erase_spans();
    assert_eq!(query, again, "{printed}");
});
