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

/// Where the blocks of nodes stand in the template.
const NODES: &str = "{{nodes}}";

/// The page up to the first block of nodes, and from behind the last one.
pub(super) struct Page {
    pub(super) head: String,
    pub(super) tail: String,
}

/// Fills in the template.
pub(super) fn page(meta: &Meta<'_>) -> Page {
    let script = script();
    let (head, tail) = TEMPLATE.split_once(NODES).unwrap_or((TEMPLATE, ""));
    // Texts of the user's come last, so that none of them is taken for a place to fill in.
    let head = head
        .replace("{{policy}}", &policy(&script))
        .replace("{{style}}", STYLE)
        .replace("{{theme}}", meta.theme.word());
    let (before, after) = head.split_once("{{title}}").unwrap_or((&head, ""));
    Page {
        head: format!("{before}{}{after}", meta::title(meta)),
        tail: match tail.split_once("{{meta}}") {
            Some((before, after)) => {
                let json = meta::json(meta);
                format!("{before}{json}{}", after.replace("{{script}}", &script))
            }
            None => String::new(),
        },
    }
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
