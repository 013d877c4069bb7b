//! How a hit is written.

use groma_base::{Facts, Kind};
use groma_formats::colour::{Looks, Painter, PathForm, Target};
use groma_formats::hyperlink;
use groma_formats::template::Template;

use super::entry::LiveEntry;
use super::json::JsonWriter;

/// What is written for each hit.
pub enum Style {
    /// The path.
    Path,
    /// The path in the colours of LS_COLORS.
    Painted(Box<Painter>),
    /// A template, filled in.
    Template(Template),
    /// One JSON object.
    Json(JsonWriter),
    /// The path in double quotes.
    Quoted,
}

/// How hits are written: the same for all of a run.
pub struct Renderer {
    /// What is written.
    pub style: Style,
    /// Written in place of each `/`.
    pub separator: Option<Vec<u8>>,
    /// Whether hostile characters are shown as escapes.
    pub escape: bool,
    /// Whether the names of directories get a separator behind them.
    pub mark_dirs: bool,
    /// Host for hyperlinks around each path, if they are wanted.
    pub hyperlink_host: Option<String>,
    /// The byte behind each hit.
    pub terminator: u8,
}

impl Renderer {
    /// Plain paths, each followed by `terminator`, with nothing changed about them.
    pub fn raw_paths(terminator: u8) -> Renderer {
        Renderer {
            style: Style::Path,
            separator: None,
            escape: false,
            mark_dirs: false,
            hyperlink_host: None,
            terminator,
        }
    }

    /// How paths are written.
    pub(crate) fn form(&self) -> PathForm<'_> {
        PathForm {
            separator: self.separator.as_deref(),
            escape: self.escape,
            mark_dirs: self.mark_dirs,
        }
    }

    /// The short way, for hits that are their paths' bytes and nothing else.
    pub(crate) fn plain(&self) -> Option<Plain> {
        let plain = matches!(self.style, Style::Path)
            && self.separator.is_none()
            && !self.escape
            && self.hyperlink_host.is_none();
        plain.then_some(Plain {
            mark_dirs: self.mark_dirs,
            terminator: self.terminator,
        })
    }

    /// Appends one hit.
    pub(crate) fn render(&self, entry: &LiveEntry<'_>, out: &mut Vec<u8>) {
        if let Some(plain) = self.plain() {
            return plain.push(entry, out);
        }
        if let Style::Json(json) = &self.style {
            return json.push(entry, out);
        }
        self.render_text(entry, out);
        out.push(self.terminator);
    }

    /// Appends one hit without a terminator.
    pub(crate) fn render_text(&self, entry: &LiveEntry<'_>, out: &mut Vec<u8>) {
        match &self.hyperlink_host {
            Some(host) => {
                let url_path = entry.absolute_path();
                hyperlink::open(host.as_bytes(), &url_path, out);
                self.render_style(entry, out);
                hyperlink::close(out);
            }
            None => self.render_style(entry, out),
        }
    }

    fn render_style(&self, entry: &LiveEntry<'_>, out: &mut Vec<u8>) {
        let form = self.form();
        match &self.style {
            Style::Path => form.push_path(&entry.path(), entry.kind, out),
            Style::Painted(painter) => {
                let looks = looks(painter, entry);
                painter.paint_path(entry.parent_path, entry.name(), &looks, &form, out);
            }
            Style::Template(template) => {
                let mut text = Vec::new();
                template.render(&entry.path(), form.separator, &mut text);
                PathForm {
                    escape: self.escape,
                    ..PathForm::default()
                }
                .push_text(&text, out);
            }
            Style::Json(json) => json.push(entry, out),
            Style::Quoted => {
                out.push(b'"');
                form.push_path(&entry.path(), entry.kind, out);
                out.push(b'"');
            }
        }
    }
}

/// How paths are written that are not changed in any way.
#[derive(Clone, Copy)]
pub(crate) struct Plain {
    mark_dirs: bool,
    terminator: u8,
}

impl Plain {
    /// Appends one hit.
    #[inline]
    pub(crate) fn push(self, entry: &LiveEntry<'_>, out: &mut Vec<u8>) {
        out.reserve(entry.parent_path.len() + entry.entry_name.count_bytes() + 2);
        entry.push_path(out);
        self.push_ending(entry.kind == Kind::Dir, out);
    }

    /// Appends what follows a path.
    #[inline]
    pub(crate) fn push_ending(self, is_dir: bool, out: &mut Vec<u8>) {
        if self.mark_dirs && is_dir {
            out.push(b'/');
        }
        out.push(self.terminator);
    }
}

/// What the painter needs to know of an entry, and no more.
pub(crate) fn looks(painter: &Painter, entry: &LiveEntry<'_>) -> Looks {
    let kind = entry.kind;
    let mut looks = Looks::of_kind(kind);
    if painter.needs_metadata(kind)
        && let Some(meta) = entry.metadata()
    {
        looks.mode = Some(meta.mode);
        looks.links = Some(meta.links);
    }
    if painter.needs_capability(kind) {
        looks.has_capability = Some(entry.has_capability());
    }
    if painter.needs_target(kind) {
        looks.target = Some(match entry.target_metadata() {
            Ok(meta) => Target::Found {
                kind: meta.kind,
                mode: Some(meta.mode),
            },
            Err(_) => Target::Missing,
        });
    }
    looks
}
