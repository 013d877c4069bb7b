//! What happens outside of the terminal map.

use groma_engine::map::Surroundings;

use crate::session::Session;

/// Does for the map what only a whole program can. Paths are absolute, raw bytes; errors are for people.
pub trait Host {
    /// Puts a path into the clipboard.
    ///
    /// # Errors
    /// Why that is not possible.
    fn copy(&mut self, path: &[u8]) -> Result<(), String>;

    /// Opens a file or directory with what the desktop has for it.
    ///
    /// # Errors
    /// Why that is not possible.
    fn open(&mut self, path: &[u8]) -> Result<(), String>;

    /// Runs a shell in a directory, on the terminal, until it ends.
    ///
    /// # Errors
    /// Why that is not possible.
    fn shell(&mut self, dir: &[u8]) -> Result<(), String>;

    /// What moving things to the trash depends on.
    ///
    /// # Errors
    /// Why there is no trash.
    fn surroundings(&mut self) -> Result<Surroundings, String>;

    /// Begins to read the disk again.
    ///
    /// # Errors
    /// Why that is not possible: a snapshot cannot be read again.
    fn rescan(&mut self) -> Result<Session, String>;

    /// Saves what the map shows. Answers where.
    ///
    /// # Errors
    /// Why that is not possible.
    fn save(&mut self, session: &Session) -> Result<String, String>;
}
