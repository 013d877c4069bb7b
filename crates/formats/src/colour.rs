//! Colours of names, as the LS_COLORS variable sets them.
//!
//! A [`Painter`] holds one set of colours. It decides from [`Looks`], a plain struct: the caller
//! asks `needs_...` first and spends a stat call, a look at a link's target or a capability probe
//! only where the set colours depend on it.
//!
//! The decision follows GNU ls. All of LS_COLORS counts: `no fi di ln or mi pi so bd cd su sg ca
//! ex mh tw ow st`, `ln=target`, and name endings (`*.rs`, `*README`); `do` never applies, there
//! are no doors here. Escape sequences are written in fd's form, one per painted part.

mod class;
mod defaults;
mod sgr;

use groma_base::Kind;
use lscolors::{Indicator, LsColors, Style};

pub use class::{Looks, Target};

use crate::escape;
use class::Class;

/// How paths are written: the same for every hit of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PathForm<'a> {
    /// Written in place of each `/`.
    pub separator: Option<&'a [u8]>,
    /// Show hostile characters as escapes: for terminals. Otherwise bytes pass unchanged.
    pub escape: bool,
    /// Write a separator behind the names of directories.
    pub mark_dirs: bool,
}

/// Paints names in the colours of one LS_COLORS value.
#[derive(Clone, Debug)]
pub struct Painter {
    colours: LsColors,
    /// What is written before a name of each class; empty for "not painted".
    openings: [Vec<u8>; Class::COUNT],
    links_like_targets: bool,
}

impl Painter {
    /// Reads the value of LS_COLORS. Without one a set of our own applies; an empty one stands
    /// for the basic colours that any value builds on.
    pub fn new(ls_colors: Option<&str>) -> Painter {
        match ls_colors {
            Some(value) => Painter::from_value(value),
            None => Painter::from_value(&defaults::ls_colors()),
        }
    }

    fn from_value(value: &str) -> Painter {
        let colours = LsColors::from_string(value);
        let openings = Class::ALL.map(|class| {
            let mut opening = Vec::new();
            if let Some(style) = colours.style_for_indicator(class.indicator()) {
                sgr::push_opening(style, &mut opening);
            }
            opening
        });
        let last_ln = value
            .split(':')
            .filter_map(|entry| entry.strip_prefix("ln="))
            .next_back();
        Painter {
            colours,
            openings,
            links_like_targets: last_ln == Some("target"),
        }
    }

    /// Whether the colour of an entry of this kind depends on its mode or its number of links.
    pub fn needs_metadata(&self, kind: Kind) -> bool {
        match kind {
            Kind::File => self.needs_file_mode() || self.needs_links(kind),
            Kind::Dir => self.needs_dir_mode(),
            Kind::Unknown => true,
            _ => false,
        }
    }

    /// Whether the colour of an entry of this kind depends on its number of hard links.
    pub fn needs_links(&self, kind: Kind) -> bool {
        kind == Kind::File && self.sets(Indicator::MultipleHardLinks)
    }

    /// Whether the colour of an entry of this kind depends on its having capabilities.
    pub fn needs_capability(&self, kind: Kind) -> bool {
        kind == Kind::File && self.sets(Indicator::Capabilities)
    }

    /// Whether the colour of an entry of this kind depends on what it links to.
    pub fn needs_target(&self, kind: Kind) -> bool {
        kind == Kind::Symlink
            && (self.links_like_targets || self.sets(Indicator::OrphanedSymbolicLink))
    }

    /// Whether links take the colour of their targets (`ln=target`), so that the mode of a
    /// target matters and not only whether it exists.
    pub fn needs_target_mode(&self, kind: Kind) -> bool {
        kind == Kind::Symlink && self.links_like_targets
    }

    /// Appends a path: `dir` (with its trailing `/`, or empty) in the colour of directories,
    /// `name` in its own, and the mark behind a directory in the colour of directories.
    pub fn paint_path(
        &self,
        dir: &[u8],
        name: &[u8],
        looks: &Looks,
        form: &PathForm<'_>,
        out: &mut Vec<u8>,
    ) {
        if !dir.is_empty() {
            let opened = self.open(Class::Dir, out);
            form.push_text(dir, out);
            close(opened, out);
        }
        self.paint_name(name, looks, form, out);
        if form.mark_dirs && looks.kind == Kind::Dir {
            let opened = self.open(Class::Dir, out);
            out.extend_from_slice(form.separator.unwrap_or(b"/"));
            close(opened, out);
        }
    }

    /// Appends `name` in its own colour; endings are looked for at its end, so a whole path will
    /// do, painted in one colour.
    pub fn paint_name(&self, name: &[u8], looks: &Looks, form: &PathForm<'_>, out: &mut Vec<u8>) {
        let opened = self.open_name(name, looks, out);
        form.push_text(name, out);
        close(opened, out);
    }

    /// Appends the target of a link as ls prints it: in the colour of what is there, or in that
    /// of missing files. `looks` are the target's own; `None` when it does not exist.
    pub fn paint_target(
        &self,
        target: &[u8],
        looks: Option<&Looks>,
        form: &PathForm<'_>,
        out: &mut Vec<u8>,
    ) {
        let opened = match looks {
            Some(looks) => self.open_name(target, looks, out),
            None => self.open(Class::Missing, out),
        };
        form.push_text(target, out);
        close(opened, out);
    }

    fn open_name(&self, name: &[u8], looks: &Looks, out: &mut Vec<u8>) -> bool {
        let class = self.class_of(looks);
        match self.ending_style(name).filter(|_| class == Class::File) {
            Some(style) => sgr::push_opening(style, out),
            None => self.open(class, out),
        }
    }

    /// The style for the ending of `name`. Endings are text: in a name that is not, the text
    /// after the last foreign byte is what can match.
    fn ending_style(&self, name: &[u8]) -> Option<&Style> {
        let text = match std::str::from_utf8(name) {
            Ok(text) => text,
            Err(_) => name
                .utf8_chunks()
                .filter(|c| c.invalid().is_empty())
                .last()?
                .valid(),
        };
        self.colours.style_for_str(text)
    }

    fn open(&self, class: Class, out: &mut Vec<u8>) -> bool {
        let opening = &self.openings[class as usize];
        out.extend_from_slice(opening);
        !opening.is_empty()
    }
}

impl PathForm<'_> {
    /// Appends a path without colours; `kind` decides about the mark behind directories.
    pub fn push_path(&self, path: &[u8], kind: Kind, out: &mut Vec<u8>) {
        self.push_text(path, out);
        if self.mark_dirs && kind == Kind::Dir {
            out.extend_from_slice(self.separator.unwrap_or(b"/"));
        }
    }

    /// Appends a path or a part of one, escaped and with its slashes replaced as set. The
    /// separator itself is never escaped: the user chose it.
    pub fn push_text(&self, text: &[u8], out: &mut Vec<u8>) {
        let Some(separator) = self.separator else {
            return self.push_escaped(text, out);
        };
        for (index, part) in text.split(|&b| b == b'/').enumerate() {
            if index > 0 {
                out.extend_from_slice(separator);
            }
            self.push_escaped(part, out);
        }
    }

    fn push_escaped(&self, text: &[u8], out: &mut Vec<u8>) {
        if self.escape {
            escape::terminal(text, out);
        } else {
            out.extend_from_slice(text);
        }
    }
}

fn close(opened: bool, out: &mut Vec<u8>) {
    if opened {
        out.extend_from_slice(sgr::CLOSING);
    }
}

#[cfg(test)]
mod tests;
