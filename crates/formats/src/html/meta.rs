//! What a page says besides its nodes, and how that is written.

use super::page::escape_text;
use crate::digits::push_decimal;
use crate::escape::{INVISIBLE, json_string, terminal};

/// What a page is about.
#[derive(Debug, Clone, Copy)]
pub struct Meta<'a> {
    /// The title of the page, as the browser's tab shows it.
    pub title: &'a str,
    /// The path of the root, byte for byte. It may differ from the name of the first node.
    pub root: &'a [u8],
    /// When the root was read, in seconds since 1970. Ages are counted back from here.
    pub taken: i64,
    /// What was found, for the page to show while it still loads.
    pub totals: Totals,
    /// The classes that files belong to; [`Node::category`](super::Node::category) counts from 0 here.
    pub categories: &'a [Category<'a>],
    /// Names of owners; [`Node::owner`](super::Node::owner) counts from 0 here. If there are none, the
    /// page says nothing of owners.
    pub owners: &'a [&'a [u8]],
    /// Which colours the page opens with.
    pub theme: Theme,
    /// Whether sizes are shown in powers of 1000 instead of 1024.
    pub si: bool,
    /// Whether the page opens with apparent sizes instead of allocated ones.
    pub apparent: bool,
    /// Whether the scan was cut short; the page says so.
    pub incomplete: bool,
}

/// A class of files.
#[derive(Debug, Clone, Copy)]
pub struct Category<'a> {
    /// What the page calls it.
    pub name: &'a str,
    /// Red, green and blue.
    pub colour: [u8; 3],
}

/// What lies below a root, the root included.
#[derive(Debug, Clone, Copy, Default)]
pub struct Totals {
    /// Files and everything else that is no directory.
    pub files: u64,
    /// Directories.
    pub dirs: u64,
    /// Apparent size in bytes.
    pub size: u64,
    /// Allocated size in bytes.
    pub allocated: u64,
    /// Entries that could not be read.
    pub errors: u64,
}

/// Which colours a page opens with; whoever looks at it can change that.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Theme {
    /// What the system prefers.
    #[default]
    System,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

impl Theme {
    /// The word by which the page knows it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

/// The title as HTML text: escaped for eyes first, then for the parser.
pub(super) fn title(meta: &Meta<'_>) -> String {
    let mut shown = Vec::new();
    terminal(meta.title.as_bytes(), &mut shown);
    escape_text(&String::from_utf8_lossy(&shown))
}

/// The meta data as JSON in which no `<` occurs, so that no parser of HTML finds anything in it.
pub(super) fn json(meta: &Meta<'_>) -> String {
    let mut out = Vec::new();
    out.push(b'{');
    push_key("title", &mut out);
    push_text(meta.title.as_bytes(), &mut out);
    push_key("root", &mut out);
    push_text(meta.root, &mut out);
    push_key("taken", &mut out);
    out.extend_from_slice(meta.taken.to_string().as_bytes());
    let totals = meta.totals;
    for (key, value) in [
        ("files", totals.files),
        ("dirs", totals.dirs),
        ("size", totals.size),
        ("allocated", totals.allocated),
        ("errors", totals.errors),
    ] {
        push_key(key, &mut out);
        push_decimal(value, &mut out);
    }
    for (key, value) in [
        ("si", meta.si),
        ("apparent", meta.apparent),
        ("incomplete", meta.incomplete),
    ] {
        push_key(key, &mut out);
        out.extend_from_slice(if value { b"true" } else { b"false" });
    }
    push_key("categories", &mut out);
    push_list(meta.categories, &mut out, push_category);
    push_key("owners", &mut out);
    push_list(meta.owners, &mut out, |name, out| push_text(name, out));
    push_key("invisible", &mut out);
    push_list(&INVISIBLE, &mut out, |&(low, high), out| {
        out.extend_from_slice(format!("[{low},{high}]").as_bytes());
    });
    out.push(b'}');
    String::from_utf8_lossy(&out).replace('<', "\\u003c")
}

fn push_key(key: &str, out: &mut Vec<u8>) {
    if out.last() != Some(&b'{') {
        out.push(b',');
    }
    json_string(key.as_bytes(), out);
    out.push(b':');
}

/// Appends bytes as a JSON string of what a terminal may show of them.
fn push_text(bytes: &[u8], out: &mut Vec<u8>) {
    let mut shown = Vec::new();
    terminal(bytes, &mut shown);
    json_string(&shown, out);
}

fn push_category(category: &Category<'_>, out: &mut Vec<u8>) {
    let [red, green, blue] = category.colour;
    out.extend_from_slice(b"{");
    push_key("name", out);
    push_text(category.name.as_bytes(), out);
    push_key("colour", out);
    out.extend_from_slice(format!("\"#{red:02x}{green:02x}{blue:02x}\"").as_bytes());
    out.push(b'}');
}

fn push_list<T>(items: &[T], out: &mut Vec<u8>, push: impl Fn(&T, &mut Vec<u8>)) {
    out.push(b'[');
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        push(item, out);
    }
    out.push(b']');
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A page about something hostile.
    pub(crate) fn hostile() -> Meta<'static> {
        Meta {
            title: "</title><script>\u{202E}&",
            root: b"/a</script>\xff\"",
            taken: -1,
            totals: Totals::default(),
            categories: &[Category {
                name: "<b>",
                colour: [1, 2, 255],
            }],
            owners: &[b"\x1b[31m"],
            theme: Theme::Dark,
            si: false,
            apparent: true,
            incomplete: false,
        }
    }

    #[test]
    fn the_json_is_valid_and_has_nothing_for_a_parser_of_html() {
        let text = json(&hostile());
        assert!(!text.contains('<'), "{text}");
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["root"], "/a</script>\\xFF\"");
        assert_eq!(value["taken"], -1);
        assert_eq!(value["apparent"], true);
        assert_eq!(value["owners"][0], "\\x1B[31m");
        assert_eq!(value["categories"][0]["name"], "<b>");
        assert_eq!(value["categories"][0]["colour"], "#0102ff");
        assert_eq!(value["invisible"][0], serde_json::json!([0xAD, 0xAD]));
    }

    #[test]
    fn the_title_is_text() {
        assert_eq!(
            title(&hostile()),
            "&lt;/title&gt;&lt;script&gt;\\u{202E}&amp;"
        );
    }
}
