//! Rule: a file opens by saying its job: `//!`, before anything but inner attributes.

use super::Problem;
use super::source::Source;

/// Checks that the file has a header with at least one sentence.
pub(crate) fn check(source: &Source) -> Option<Problem> {
    if first_sentence(&source.text).is_some() {
        return None;
    }
    Some(Problem::new(
        &source.path,
        1,
        "a `//!` header that says the file's job",
        "none",
    ))
}

/// The first sentence of the header on one line, without its full stop.
pub(crate) fn first_sentence(text: &str) -> Option<String> {
    let mut words = Vec::new();
    for line in header(text) {
        if line.is_empty() && !words.is_empty() {
            break;
        }
        words.push(line);
        if line.ends_with('.') || line.contains(". ") {
            break;
        }
    }
    let joined = words.join(" ");
    let sentence = joined
        .split(". ")
        .next()
        .unwrap_or_default()
        .trim_end_matches(['.', ':']);
    (!sentence.trim().is_empty()).then(|| sentence.trim().to_owned())
}

/// The lines of the `//!` comment without their marks; attributes may stand before it.
fn header(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .skip_while(|line| line.starts_with("#![") || line.trim().is_empty())
        .map_while(|line| line.strip_prefix("//!"))
        .map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::super::source::sample;
    use super::*;

    #[test]
    fn takes_the_first_sentence_only() {
        let text = "#![forbid(unsafe_code)]\n\n//! Reads a disk,\n//! fast. And more.\n//! More.\n";
        assert_eq!(first_sentence(text).unwrap(), "Reads a disk, fast");
        assert_eq!(
            first_sentence("//! No stop\n//!\n//! Next.\n").unwrap(),
            "No stop"
        );
        assert_eq!(
            first_sentence("//! Version 1.2 of it.\n").unwrap(),
            "Version 1.2 of it"
        );
    }

    #[test]
    fn a_file_without_a_header_fails() {
        assert!(check(&sample("crates/walk/src/a.rs", "fn f() {}")).is_some());
        assert!(check(&sample("crates/walk/src/a.rs", "//!\nfn f() {}")).is_some());
        assert!(check(&sample("crates/walk/src/a.rs", "//! Does.\nfn f() {}")).is_none());
    }
}
