//! Format templates: `{}`, `{/}`, `{//}`, `{.}`, `{/.}`, with `{{` and `}}` for braces.
//!
//! | placeholder | stands for | of `./src/main.rs` |
//! | --- | --- | --- |
//! | `{}` | the path | `./src/main.rs` |
//! | `{/}` | the last component | `main.rs` |
//! | `{//}` | the parent directory, `.` if there is none | `./src` |
//! | `{.}` | the path without extension and without a leading `./` | `src/main` |
//! | `{/.}` | the last component without extension | `main` |
//!
//! Where rows have more to tell than a path, `{size}` and the like stand for a field; see
//! [`Template::with_fields`].
//!
//! A brace that belongs to none of these is literal text. So is a placeholder with one more `}`
//! behind it: the last two braces count as an escaped one, `{}}` prints `{}`.

use crate::parts;
use crate::value::Value;

/// A parsed template. Rendering allocates nothing beyond what the output needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(Vec<u8>),
    Placeholder(Placeholder),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Placeholder {
    Path,
    Basename,
    Parent,
    NoExtension,
    BasenameNoExtension,
    /// A field, by the number its finder gave it.
    Field(usize),
}

const PLACEHOLDERS: [(&[u8], Placeholder); 5] = [
    (b"{}", Placeholder::Path),
    (b"{/}", Placeholder::Basename),
    (b"{//}", Placeholder::Parent),
    (b"{.}", Placeholder::NoExtension),
    (b"{/.}", Placeholder::BasenameNoExtension),
];

impl Template {
    /// Parses a template. There are no errors: what is no placeholder is text.
    pub fn parse(template: impl AsRef<[u8]>) -> Template {
        Template::read(template.as_ref(), placeholder_at)
    }

    /// Parses a template in which a word in braces, `{size}`, stands for a field; `find` knows the
    /// fields' numbers.
    ///
    /// # Errors
    /// The first word in braces that `find` does not know.
    pub fn with_fields(
        template: &str,
        find: impl Fn(&str) -> Option<usize>,
    ) -> Result<Template, String> {
        let mut unknown = None;
        let parsed = Template::read(template.as_bytes(), |rest| {
            placeholder_at(rest).or_else(|| {
                let word = word_in_braces(rest)?;
                let field = find(word);
                if field.is_none() && unknown.is_none() {
                    unknown = Some(word.to_owned());
                }
                Some((word.len() + 2, Placeholder::Field(field?)))
            })
        });
        unknown.map_or(Ok(parsed), Err)
    }

    fn read(
        mut rest: &[u8],
        mut placeholder_at: impl FnMut(&[u8]) -> Option<(usize, Placeholder)>,
    ) -> Template {
        let mut pieces = Vec::new();
        let mut text = Vec::new();
        while let Some(&first) = rest.first() {
            if let Some((length, placeholder)) = placeholder_at(rest) {
                if rest.get(length) == Some(&b'}') {
                    text.extend_from_slice(&rest[..length]);
                    rest = &rest[length + 1..];
                    continue;
                }
                push_text(&mut pieces, &mut text);
                pieces.push(Piece::Placeholder(placeholder));
                rest = &rest[length..];
                continue;
            }
            let doubled = rest.starts_with(b"{{") || rest.starts_with(b"}}");
            text.push(first);
            rest = &rest[if doubled { 2 } else { 1 }..];
        }
        push_text(&mut pieces, &mut text);
        Template { pieces }
    }

    /// Whether anything in the template depends on the path.
    pub fn has_placeholders(&self) -> bool {
        self.pieces
            .iter()
            .any(|piece| matches!(piece, Piece::Placeholder(_)))
    }

    /// Appends the template with its placeholders filled from `path`, byte by byte.
    ///
    /// A `separator` takes the place of each `/` within what placeholders stand for, never in
    /// the template's own text; paths are then written component by component, so doubled
    /// slashes, inner `.` components and trailing slashes go.
    pub fn render(&self, path: &[u8], separator: Option<&[u8]>, out: &mut Vec<u8>) {
        self.render_fields(path, separator, |_| Value::Absent, out);
    }

    /// As [`Template::render`], with the values of fields by their numbers.
    pub fn render_fields<'v>(
        &self,
        path: &[u8],
        separator: Option<&[u8]>,
        field: impl Fn(usize) -> Value<'v>,
        out: &mut Vec<u8>,
    ) {
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => out.extend_from_slice(text),
                Piece::Placeholder(Placeholder::Field(number)) => field(*number).push_plain(out),
                Piece::Placeholder(placeholder) => placeholder.render(path, separator, out),
            }
        }
    }
}

impl Placeholder {
    fn render(self, path: &[u8], separator: Option<&[u8]>, out: &mut Vec<u8>) {
        match self {
            Placeholder::Path => push_path(path, separator, out),
            Placeholder::Basename => push_path(parts::file_name(path), separator, out),
            Placeholder::Parent => push_path(parts::dir_name(path), separator, out),
            Placeholder::NoExtension => push_without_extension(path, separator, out),
            Placeholder::BasenameNoExtension => {
                let name = parts::file_name(path);
                push_path(parts::without_extension(name), separator, out);
            }
            // Those are not parts of the path.
            Placeholder::Field(_) => {}
        }
    }
}

/// The placeholder that `text` starts with, and its length.
fn placeholder_at(text: &[u8]) -> Option<(usize, Placeholder)> {
    let (spelling, placeholder) = PLACEHOLDERS.iter().find(|(s, _)| text.starts_with(s))?;
    Some((spelling.len(), *placeholder))
}

/// The word of `{word}` that `text` starts with: letters, hyphens, underscores.
fn word_in_braces(text: &[u8]) -> Option<&str> {
    let inner = text.strip_prefix(b"{")?;
    let length = inner.iter().position(|&b| b == b'}')?;
    let is_part = |b: &u8| b.is_ascii_alphabetic() || matches!(b, b'-' | b'_');
    let word = inner.get(..length).filter(|word| !word.is_empty())?;
    if !word.iter().all(is_part) {
        return None;
    }
    std::str::from_utf8(word).ok()
}

fn push_text(pieces: &mut Vec<Piece>, text: &mut Vec<u8>) {
    if !text.is_empty() {
        pieces.push(Piece::Text(std::mem::take(text)));
    }
}

fn push_path(path: &[u8], separator: Option<&[u8]>, out: &mut Vec<u8>) {
    match separator {
        None => out.extend_from_slice(path),
        Some(separator) => push_components(path, separator, out),
    }
}

/// Appends the components of `path` with `separator` between them; the root is a separator.
fn push_components(path: &[u8], separator: &[u8], out: &mut Vec<u8>) {
    if path.starts_with(b"/") {
        out.extend_from_slice(separator);
    }
    let mut first = true;
    for (index, part) in path.split(|&b| b == b'/').enumerate() {
        if part.is_empty() || (part == b"." && index > 0) {
            continue;
        }
        if !first {
            out.extend_from_slice(separator);
        }
        first = false;
        out.extend_from_slice(part);
    }
}

fn push_without_extension(path: &[u8], separator: Option<&[u8]>, out: &mut Vec<u8>) {
    let Some((parent, last)) = parts::split(path).filter(|(_, last)| !parts::is_dots(last)) else {
        return push_path(path, separator, out);
    };
    let parent = parts::strip_current_dir(parent);
    push_path(parent, separator, out);
    if !parent.is_empty() && parent != b"/" {
        out.extend_from_slice(separator.unwrap_or(b"/"));
    }
    out.extend_from_slice(parts::without_extension(last));
}

#[cfg(test)]
mod tests;
