//! Trouble that does not end a run.

use std::io;

/// One place that could not be read. A run goes on, counts these and says so at its end.
#[derive(Debug)]
pub struct Warning {
    /// Path of the entry, in the form the user would see it; raw bytes.
    pub path: Vec<u8>,
    /// What was tried: "open", "read", "stat" ...
    pub action: &'static str,
    /// What the system answered.
    pub error: io::Error,
    /// Whether the result is incomplete because of it. An entry that vanished meanwhile and a
    /// link loop are worth a word to those who ask, but leave nothing out.
    pub incomplete: bool,
}
