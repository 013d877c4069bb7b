//! The views of a map.

use groma_engine::map::Question;

/// What is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum View {
    /// The treemap.
    #[default]
    Map,
    /// What lies in a directory, with bars.
    List,
    /// A question with a table for an answer.
    Table(Question),
    /// The largest files below.
    LargestFiles,
    /// The largest directories below.
    LargestDirs,
    /// What could not be read.
    Errors,
    /// What has changed since a snapshot.
    Changes,
}

impl View {
    /// All, in the order in which they follow each other, with the numbers of their keys.
    pub(crate) const ALL: [(View, u8, &'static str); 10] = [
        (View::Map, 1, "map"),
        (View::List, 2, "list"),
        (View::Table(Question::Types), 3, "types"),
        (View::Table(Question::Ages), 4, "ages"),
        (View::Table(Question::Owners), 5, "owners"),
        (View::LargestFiles, 6, "largest files"),
        (View::LargestDirs, 7, "largest directories"),
        (View::Errors, 8, "errors"),
        (View::Changes, 9, "changes"),
        (View::Table(Question::Duplicates), 0, "duplicates"),
    ];

    /// The view of a number.
    pub(crate) fn numbered(number: u8) -> Option<View> {
        let found = View::ALL.iter().find(|view| view.1 == number);
        found.map(|view| view.0)
    }

    /// Its name.
    pub(crate) fn name(self) -> &'static str {
        let found = View::ALL.iter().find(|view| view.0 == self);
        found.map_or("", |view| view.2)
    }

    /// The one after it, or before it.
    pub(crate) fn step(self, back: bool) -> View {
        let count = View::ALL.len();
        let at = View::ALL
            .iter()
            .position(|view| view.0 == self)
            .unwrap_or(0);
        let next = if back { at + count - 1 } else { at + 1 };
        View::ALL[next % count].0
    }
}
