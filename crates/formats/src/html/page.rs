//! The page around the nodes: its template filled in, and the policy that lets nothing else run.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

use super::meta::{self, Meta};

const TEMPLATE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/style.css");

/// The parts of the script, in the order in which they build upon each other.
const SCRIPTS: &[&str] = &[
    include_str!("page/names.js"),
    include_str!("page/units.js"),
    include_str!("page/blocks.js"),
    include_str!("page/tree.js"),
    include_str!("page/squarify.js"),
    include_str!("page/layout.js"),
    include_str!("page/classes.js"),
    include_str!("page/search.js"),
    include_str!("page/paint.js"),
    include_str!("page/map.js"),
    include_str!("page/table.js"),
    include_str!("page/panels.js"),
    include_str!("page/app.js"),
];

/// The page up to the first block of nodes, and from behind the last one.
pub(super) struct Page {
    pub(super) head: String,
    tail: &'static str,
}

impl Page {
    /// What follows the nodes, given how many there are.
    pub(super) fn tail(&self, nodes: u64, name_bytes: u64) -> String {
        let end = format!("{{\"nodes\":{nodes},\"nameBytes\":{name_bytes}}}");
        fill(self.tail, &[("end", &end)])
    }
}

/// Fills in the template.
pub(super) fn page(meta: &Meta<'_>) -> Page {
    let script = script();
    let (head, tail) = TEMPLATE.split_once("{{nodes}}").unwrap_or((TEMPLATE, ""));
    let texts = [
        ("policy", policy(&script)),
        ("style", STYLE.to_owned()),
        ("theme", meta.theme.word().to_owned()),
        ("title", meta::title(meta)),
        ("meta", meta::json(meta)),
        ("script", script),
    ];
    let texts = texts.each_ref().map(|(key, text)| (*key, text.as_str()));
    Page {
        head: fill(head, &texts),
        tail,
    }
}

/// Puts texts in the place of their `{{key}}`. What was put in is not looked at again: a name may look
/// like a key.
fn fill(template: &str, texts: &[(&str, &str)]) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once("{{") {
        let Some((key, after)) = after.split_once("}}") else {
            break;
        };
        out.push_str(before);
        let text = texts.iter().find(|(name, _)| *name == key);
        out.push_str(text.map_or("", |(_, text)| text));
        rest = after;
    }
    out + rest
}

/// All parts in one function, so that nothing of it is seen from outside.
fn script() -> String {
    format!("(() => {{\n'use strict';\n{}\n}})();", SCRIPTS.join("\n"))
}

/// Nothing is loaded, nothing runs but what has these hashes, and no text is ever taken for HTML.
fn policy(script: &str) -> String {
    format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; img-src data:; base-uri 'none'; \
         form-action 'none'; require-trusted-types-for 'script'",
        source(script),
        source(STYLE)
    )
}

/// The hash of what stands between two tags, as a policy names it.
fn source(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}

/// Text as HTML that means this text.
pub(super) fn escape_text(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_filled_in_is_not_filled_in_again() {
        assert_eq!(
            fill("<{{a}}|{{b}}>{{c", &[("a", "{{b}}"), ("b", "{{a}}")]),
            "<{{b}}|{{a}}>{{c"
        );
    }

    #[test]
    fn the_parts_of_the_page_end_where_they_are_meant_to() {
        let script = script();
        assert!(!script.contains("</script") && !script.contains("<!--"));
        assert!(!STYLE.contains("</style"));
        for text in [&script, STYLE] {
            assert!(!text.contains('\r'), "a parser of HTML would change it");
        }
        for address in ["http:", "https:", "//cdn", "@import", "url("] {
            assert!(!script.contains(address) && !STYLE.contains(address));
        }
    }

    #[test]
    fn the_policy_names_the_hashes() {
        // printf abc | openssl dgst -sha256 -binary | base64
        assert_eq!(
            source("abc"),
            "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="
        );
        assert!(policy("abc").contains("script-src 'sha256-ungWv48B"));
    }
}
