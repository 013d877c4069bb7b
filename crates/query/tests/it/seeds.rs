//! The seeds of the fuzzer, replayed without one.

use std::fs;
use std::path::Path;

use groma_query::bind::{Context, Target, bind};
use groma_query::syntax::parse;

#[test]
fn seeds_hold() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/query");
    let mut count = 0;
    for entry in fs::read_dir(directory).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        replay(&text);
        // Every beginning of a seed is one more seed.
        for (end, _) in text.char_indices() {
            replay(&text[..end]);
        }
        count += 1;
    }
    assert!(count > 10);
}

fn replay(text: &str) {
    let mut query = match parse(text) {
        Ok(query) => query,
        Err(errors) => {
            assert!(!errors.to_string().contains('\u{1b}'));
            for error in &errors.errors {
                assert!(
                    text.get(error.span.start..error.span.end).is_some(),
                    "{text}"
                );
            }
            return;
        }
    };
    let now = "2025-06-18T10:30:00+02:00[+02:00]".parse().unwrap();
    if let Err(errors) = bind(&query, &Context::new(now, Target::Catalog)) {
        assert!(!errors.to_string().is_empty());
    }
    let printed = query.to_string();
    let mut again = parse(&printed).unwrap_or_else(|errors| panic!("{printed}\n{errors}"));
    query.erase_spans();
    again.erase_spans();
    assert_eq!(query, again, "{text} -> {printed}");
}
