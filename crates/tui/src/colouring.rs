//! What colours mean, and the colours that a terminal has.

use std::collections::HashMap;

use groma_base::Timestamp;
use groma_engine::map::{Categories, Item, Tree, category};
use groma_treemap::{Depth, Palette, Rgb, Theme, to_16, to_256};
use ratatui::style::{Color, Modifier, Style};

use crate::changes::rate;

/// What colours tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Colouring {
    /// The category of a file.
    #[default]
    Category,
    /// How long ago it was changed.
    Age,
    /// How long ago it was read.
    Access,
    /// Who owns it.
    Owner,
    /// How deep it lies.
    Depth,
    /// Bytes on disk for each byte of content.
    Ratio,
    /// How much has changed since a snapshot.
    Growth,
}

/// A colour of the legend, and what it means.
pub(crate) type Sample = (Rgb, String);

/// Ages at which colours change, in days; newer ones are warmer.
const AGES: [(f64, &str); 5] = [
    (1.0, "a day"),
    (30.0, "a month"),
    (365.0, "a year"),
    (1825.0, "5 years"),
    (f64::INFINITY, "older"),
];

impl Colouring {
    const ALL: [Colouring; 7] = [
        Colouring::Category,
        Colouring::Age,
        Colouring::Access,
        Colouring::Owner,
        Colouring::Depth,
        Colouring::Ratio,
        Colouring::Growth,
    ];

    /// The next one; growth only where there is something to compare with.
    pub(crate) fn next(self, has_changes: bool) -> Colouring {
        let next = self.after();
        match next == Colouring::Growth && !has_changes {
            true => next.after(),
            false => next,
        }
    }

    fn after(self) -> Colouring {
        let at = Self::ALL.iter().position(|&one| one == self).unwrap_or(0);
        Self::ALL[(at + 1) % Self::ALL.len()]
    }

    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Colouring::Category => "type",
            Colouring::Age => "age",
            Colouring::Access => "last read",
            Colouring::Owner => "owner",
            Colouring::Depth => "depth",
            Colouring::Ratio => "disk per byte",
            Colouring::Growth => "growth",
        }
    }
}

/// Finds colours.
pub(crate) struct Painter<'a> {
    pub(crate) colouring: Colouring,
    pub(crate) palette: Palette,
    pub(crate) categories: &'a Categories,
    pub(crate) now: Timestamp,
    /// Bytes before and after, of what has changed.
    pub(crate) growth: Option<&'a HashMap<u32, (u64, u64)>>,
}

impl Painter<'_> {
    /// The colour of an item that is shown closed.
    pub(crate) fn item(&self, tree: &dyn Tree, item: &Item, depth: usize) -> Rgb {
        match self.colouring {
            Colouring::Category => self.category(tree, item),
            Colouring::Age => self.age(item.newest),
            Colouring::Access => match tree.metadata(item.id) {
                Ok(Some(metadata)) => self.age(metadata.accessed),
                _ => self.palette.neutral(),
            },
            Colouring::Owner => match tree.metadata(item.id) {
                Ok(Some(metadata)) => self.palette.hashed(metadata.uid.into()),
                _ => self.palette.neutral(),
            },
            Colouring::Depth => self.palette.scale(depth as f64 / 8.0),
            Colouring::Ratio => self.palette.scale(ratio(item)),
            Colouring::Growth => {
                let changed = self.growth.and_then(|growth| growth.get(&item.id));
                self.palette
                    .growth(changed.map_or(0.0, |bytes| rate(*bytes)))
            }
        }
    }

    fn category(&self, tree: &dyn Tree, item: &Item) -> Rgb {
        let number = category(tree, item, self.categories);
        number.map_or_else(|| self.closed(), |number| self.of_category(number))
    }

    /// A directory whose content is not shown.
    fn closed(&self) -> Rgb {
        match self.palette.theme {
            Theme::Dark => Rgb(0x3a, 0x43, 0x52),
            Theme::Light => Rgb(0xdd, 0xe3, 0xec),
        }
    }

    fn of_category(&self, number: usize) -> Rgb {
        match number == self.categories.other() {
            true => self.palette.neutral(),
            false => self.palette.category(number % 11),
        }
    }

    fn age(&self, time: Timestamp) -> Rgb {
        let days = (self.now.seconds.saturating_sub(time.seconds)) as f64 / 86_400.0;
        let class = AGES
            .iter()
            .position(|age| days <= age.0)
            .unwrap_or(AGES.len() - 1);
        self.palette
            .scale(1.0 - class as f64 / (AGES.len() - 1) as f64)
    }

    /// What the colours mean. `names`: of owners.
    pub(crate) fn legend(&self) -> Vec<Sample> {
        let scale = |texts: &[&str]| {
            let last = (texts.len() - 1).max(1) as f64;
            let sample = |(at, text): (usize, &&str)| {
                (self.palette.scale(at as f64 / last), (*text).to_owned())
            };
            texts.iter().enumerate().map(sample).collect()
        };
        match self.colouring {
            Colouring::Category => {
                let names = self.categories.names().enumerate();
                let names = names.map(|(at, name)| (self.of_category(at), name.to_owned()));
                names.collect()
            }
            Colouring::Age | Colouring::Access => {
                let mut samples: Vec<Sample> =
                    scale(&["older", "5 years", "a year", "a month", "a day"]);
                samples.reverse();
                samples
            }
            Colouring::Owner => vec![(self.palette.hashed(0), "a colour for each user".to_owned())],
            Colouring::Depth => scale(&["1", "3", "5", "7", "9"]),
            Colouring::Growth => [
                (-1.0, "gone"),
                (-0.5, "less"),
                (0.0, "the same"),
                (0.5, "more"),
                (1.0, "new"),
            ]
            .iter()
            .map(|(rate, text)| (self.palette.growth(*rate), (*text).to_owned()))
            .collect(),
            Colouring::Ratio => scale(&["half", "as large", "twice", "4 times", "more"]),
        }
    }
}

/// Bytes on disk for each byte of content, on a scale whose middle quarter is "about the same".
fn ratio(item: &Item) -> f64 {
    if item.size == 0 {
        return if item.allocated == 0 { 0.25 } else { 1.0 };
    }
    let ratio = item.allocated as f64 / item.size as f64;
    (ratio.log2() + 1.0) / 4.0
}

/// The colours that a terminal has.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ink {
    pub(crate) depth: Depth,
    pub(crate) theme: Theme,
}

impl Ink {
    /// The nearest colour of the terminal; `Reset` where it has none.
    pub(crate) fn colour(self, colour: Rgb) -> Color {
        match self.depth {
            Depth::True => Color::Rgb(colour.0, colour.1, colour.2),
            Depth::Indexed => Color::Indexed(to_256(colour)),
            Depth::Ansi => Color::Indexed(to_16(colour)),
            Depth::Mono => Color::Reset,
        }
    }

    /// A style with this ground, and text that can be read on it.
    pub(crate) fn on(self, ground: Rgb) -> Style {
        match self.depth {
            Depth::Mono => Style::new(),
            _ => Style::new()
                .bg(self.colour(ground))
                .fg(self.colour(ground.ink())),
        }
    }

    /// What everything lies on.
    pub(crate) fn ground(self) -> Rgb {
        match self.theme {
            Theme::Dark => Rgb(0x12, 0x15, 0x1a),
            Theme::Light => Rgb(0xfb, 0xfb, 0xf9),
        }
    }

    /// Plain text.
    pub(crate) fn plain(self) -> Style {
        match self.depth {
            Depth::Mono => Style::new(),
            _ => {
                let text = match self.theme {
                    Theme::Dark => Rgb(0xd6, 0xda, 0xe0),
                    Theme::Light => Rgb(0x22, 0x26, 0x2c),
                };
                Style::new()
                    .bg(self.colour(self.ground()))
                    .fg(self.colour(text))
            }
        }
    }

    /// Text that steps back.
    pub(crate) fn faint(self) -> Style {
        match self.depth {
            Depth::Mono => Style::new().add_modifier(Modifier::DIM),
            _ => self.plain().fg(self.colour(Rgb(0x86, 0x8e, 0x99))),
        }
    }

    /// What is selected: seen without colour too.
    pub(crate) fn selected(self) -> Style {
        match self.depth {
            Depth::Mono | Depth::Ansi => {
                Style::new().add_modifier(Modifier::REVERSED | Modifier::BOLD)
            }
            _ => {
                let (ground, text) = match self.theme {
                    Theme::Dark => (Rgb(0xff, 0xff, 0xff), Rgb(0x10, 0x12, 0x16)),
                    Theme::Light => (Rgb(0x16, 0x1a, 0x20), Rgb(0xff, 0xff, 0xff)),
                };
                let style = Style::new().bg(self.colour(ground)).fg(self.colour(text));
                style.add_modifier(Modifier::BOLD)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colourings_take_turns() {
        let mut at = Colouring::default();
        for _ in 0..Colouring::ALL.len() {
            at = at.next(true);
        }
        assert_eq!(at, Colouring::Category);
    }
}
