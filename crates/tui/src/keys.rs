//! Keys: one table says what each does, and help is made of it.

use std::collections::HashMap;

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// What a key asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Select what lies to the left.
    Left,
    /// Select what lies to the right.
    Right,
    /// Select what lies above.
    Up,
    /// Select what lies below.
    Down,
    /// Go into the selected directory.
    Zoom,
    /// Go out of this directory.
    Out,
    /// Go to the top.
    Top,
    /// Select the first of a list.
    First,
    /// Select the last of a list.
    Last,
    /// A page up.
    PageUp,
    /// A page down.
    PageDown,
    /// The next view.
    NextView,
    /// The view before.
    PreviousView,
    /// A view by number.
    View(u8),
    /// Type a query.
    Filter,
    /// Another order of lists.
    Sort,
    /// Allocated sizes, apparent sizes, entries.
    Measure,
    /// Another meaning of colours.
    Colour,
    /// Dark or light.
    Theme,
    /// Mark or unmark.
    Mark,
    /// List the marks.
    Marks,
    /// Read the disk again.
    Rescan,
    /// Copy the path.
    Copy,
    /// Open with what the desktop has for it.
    Open,
    /// A shell there.
    Shell,
    /// Move to the trash.
    Trash,
    /// Delete for good.
    Delete,
    /// Save a snapshot.
    Save,
    /// Show all keys.
    Help,
    /// Stop a scan; otherwise leave.
    Stop,
    /// Leave.
    Quit,
}

/// A line of the table.
pub struct Line {
    /// What the keys do.
    pub action: Action,
    /// Its name in the configuration.
    pub name: &'static str,
    /// Its keys, unless the configuration has others; blanks between them.
    pub keys: &'static str,
    /// What it does, in a few words.
    pub help: &'static str,
}

const fn line(action: Action, name: &'static str, keys: &'static str, help: &'static str) -> Line {
    Line {
        action,
        name,
        keys,
        help,
    }
}

/// All that keys do.
pub const TABLE: &[Line] = &[
    line(Action::Left, "left", "left h", "select to the left"),
    line(Action::Down, "down", "down j", "select below"),
    line(Action::Up, "up", "up k", "select above"),
    line(Action::Right, "right", "right l", "select to the right"),
    line(
        Action::Zoom,
        "zoom",
        "enter",
        "go into the selected directory",
    ),
    line(Action::Out, "out", "backspace esc", "go out again"),
    line(Action::Top, "top", "~", "go to the top"),
    line(Action::First, "first", "home g", "first of the list"),
    line(Action::Last, "last", "end G", "last of the list"),
    line(Action::PageUp, "page-up", "pageup", "a page up"),
    line(Action::PageDown, "page-down", "pagedown", "a page down"),
    line(Action::NextView, "next-view", "tab", "next view"),
    line(
        Action::PreviousView,
        "previous-view",
        "backtab",
        "view before",
    ),
    line(Action::View(1), "map", "1", "map"),
    line(Action::View(2), "list", "2", "list with bars"),
    line(Action::View(3), "types", "3", "categories of files"),
    line(Action::View(4), "ages", "4", "ages"),
    line(Action::View(5), "owners", "5", "owners"),
    line(Action::View(6), "largest-files", "6", "largest files"),
    line(Action::View(7), "largest-dirs", "7", "largest directories"),
    line(Action::View(8), "errors", "8", "what could not be read"),
    line(Action::View(9), "changes", "9", "what has changed"),
    line(Action::View(0), "duplicates", "0", "files of equal content"),
    line(
        Action::Filter,
        "filter",
        "/",
        "show only what matches a query",
    ),
    line(
        Action::Sort,
        "sort",
        "s",
        "order of lists: size, name, time, entries",
    ),
    line(
        Action::Measure,
        "measure",
        "a",
        "measure: on disk, apparent, entries",
    ),
    line(Action::Colour, "colour", "c", "meaning of colours"),
    line(Action::Theme, "theme", "t", "dark or light"),
    line(Action::Mark, "mark", "space", "mark"),
    line(
        Action::Marks,
        "marks",
        "m",
        "marks, and what they would free",
    ),
    line(Action::Rescan, "rescan", "r", "read the disk again"),
    line(Action::Copy, "copy", "y", "copy the path"),
    line(Action::Open, "open", "o", "open"),
    line(Action::Shell, "shell", "!", "a shell here"),
    line(
        Action::Trash,
        "trash",
        "d",
        "move to the trash, after a question",
    ),
    line(
        Action::Delete,
        "delete",
        "D",
        "delete for good (--allow-delete)",
    ),
    line(Action::Save, "save", "w", "save a snapshot"),
    line(Action::Help, "help", "?", "all keys"),
    line(Action::Stop, "stop", "ctrl-c", "stop reading, or leave"),
    line(Action::Quit, "quit", "q", "leave"),
];

/// A key as it is pressed.
type Chord = (KeyCode, KeyModifiers);

/// Which keys do what.
#[derive(Clone, Debug)]
pub struct Keys {
    actions: HashMap<Chord, Action>,
    /// For help, by the place in the table.
    shown: Vec<String>,
}

impl Default for Keys {
    fn default() -> Keys {
        // What the table says can be read; a test holds that.
        Keys::new(&[]).unwrap_or_else(|_| Keys {
            actions: HashMap::new(),
            shown: Vec::new(),
        })
    }
}

impl Keys {
    /// The keys of the table, where `own` names no others: names of actions, and keys with blanks
    /// between them.
    ///
    /// # Errors
    /// What is no action or no key, for people.
    pub fn new(own: &[(String, String)]) -> Result<Keys, String> {
        for (name, _) in own {
            if !TABLE.iter().any(|line| line.name == name) {
                return Err(format!("there is no action '{name}'"));
            }
        }
        let mut keys = Keys {
            actions: HashMap::new(),
            shown: Vec::new(),
        };
        for line in TABLE {
            let named = own.iter().find(|(name, _)| line.name == name);
            let text = named.map_or(line.keys, |(_, keys)| keys);
            for key in text.split_whitespace() {
                let chord = chord(key).ok_or_else(|| format!("'{key}' is no key"))?;
                // What the user says beats what the table says.
                if named.is_some() || !keys.actions.contains_key(&chord) {
                    keys.actions.insert(chord, line.action);
                }
            }
            keys.shown.push(text.to_owned());
        }
        Ok(keys)
    }

    /// What a key asks for.
    pub fn action(&self, key: KeyEvent) -> Option<Action> {
        let mut modifiers = key.modifiers & (KeyModifiers::CONTROL | KeyModifiers::ALT);
        if key.code == KeyCode::BackTab {
            modifiers = KeyModifiers::NONE;
        }
        self.actions.get(&(key.code, modifiers)).copied()
    }

    /// Keys and what they do, in the order of the table.
    pub fn help(&self) -> impl Iterator<Item = (&str, &'static str)> {
        let keys = self.shown.iter().map(String::as_str);
        keys.zip(TABLE.iter().map(|line| line.help))
    }
}

fn chord(text: &str) -> Option<Chord> {
    if let Some(key) = text.strip_prefix("ctrl-") {
        return chord(key).map(|(code, _)| (code, KeyModifiers::CONTROL));
    }
    if let Some(key) = text.strip_prefix("alt-") {
        return chord(key).map(|(code, _)| (code, KeyModifiers::ALT));
    }
    let code = match text {
        "left" => KeyCode::Left,
        "right" => KeyCode::Right,
        "up" => KeyCode::Up,
        "down" => KeyCode::Down,
        "enter" => KeyCode::Enter,
        "backspace" => KeyCode::Backspace,
        "esc" => KeyCode::Esc,
        "tab" => KeyCode::Tab,
        "backtab" => KeyCode::BackTab,
        "home" => KeyCode::Home,
        "end" => KeyCode::End,
        "pageup" => KeyCode::PageUp,
        "pagedown" => KeyCode::PageDown,
        "delete" => KeyCode::Delete,
        "space" => KeyCode::Char(' '),
        _ => match text.strip_prefix('f').and_then(|n| n.parse().ok()) {
            Some(number) => KeyCode::F(number),
            None => {
                let mut characters = text.chars();
                let only = characters.next()?;
                characters.next().is_none().then_some(KeyCode::Char(only))?
            }
        },
    };
    Some((code, KeyModifiers::NONE))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(code: KeyCode) -> KeyEvent {
        KeyEvent::new(code, KeyModifiers::NONE)
    }

    #[test]
    fn every_line_of_the_table_has_keys_of_its_own() {
        let keys = Keys::new(&[]).unwrap();
        let words = TABLE.iter().flat_map(|line| line.keys.split_whitespace());
        assert_eq!(words.count(), keys.actions.len());
        assert_eq!(keys.help().count(), TABLE.len());
    }

    #[test]
    fn own_keys_take_the_place_of_others() {
        let own = [("zoom".to_owned(), "z ctrl-z f5".to_owned())];
        let keys = Keys::new(&own).unwrap();
        assert_eq!(keys.action(press(KeyCode::Enter)), None);
        assert_eq!(keys.action(press(KeyCode::Char('z'))), Some(Action::Zoom));
        assert_eq!(keys.action(press(KeyCode::F(5))), Some(Action::Zoom));
        let ctrl = KeyEvent::new(KeyCode::Char('z'), KeyModifiers::CONTROL);
        assert_eq!(keys.action(ctrl), Some(Action::Zoom));
        for (name, key) in [("zoom", "nokey"), ("nothing", "x")] {
            assert!(Keys::new(&[(name.to_owned(), key.to_owned())]).is_err());
        }
    }
}
