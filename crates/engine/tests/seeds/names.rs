//! One run of patterns, templates and escapes on any bytes. Shared by the fuzz target and the test
//! that replays its seeds.

use groma_formats::escape;
use groma_formats::template::Template;
use groma_query::pattern::{Case, Extensions, Pattern, Syntax};

/// Up to the first NUL the bytes are a pattern and a template, behind it a name. Nothing panics,
/// what is escaped stays escaped, and what an escape leaves is fit to be shown.
pub(crate) fn replay(bytes: &[u8]) {
    let cut = bytes
        .iter()
        .position(|&byte| byte == 0)
        .unwrap_or(bytes.len());
    let (pattern, name) = bytes.split_at(cut);
    let name = name.strip_prefix(&[0]).unwrap_or(name);
    let text = String::from_utf8_lossy(pattern);
    for syntax in [Syntax::Regex, Syntax::Glob, Syntax::Fixed, Syntax::Exact] {
        for case in [Case::Smart, Case::Sensitive, Case::Insensitive] {
            match Pattern::compile(&text, syntax, case) {
                Ok(pattern) => assert_eq!(pattern.is_match(name), pattern.is_match(name)),
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
    }
    assert_eq!(
        Pattern::compile(&text, Syntax::Exact, Case::Sensitive)
            .map(|p| p.is_match(name))
            .ok(),
        Some(text.as_bytes() == name)
    );
    Extensions::new([&text]).is_match(name);
    Template::parse(pattern).render(name, Some(b"::"), &mut Vec::new());
    let (mut once, mut twice) = (Vec::new(), Vec::new());
    escape::terminal(name, &mut once);
    escape::terminal(&once, &mut twice);
    assert_eq!(once, twice);
    assert!(!escape::needs_escape(&once));
}
