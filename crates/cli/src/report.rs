//! What is said on stderr, in the voice of the name the program was started by.

use std::io::{IsTerminal, Write};

use groma_base::Warning;
use groma_formats::escape;

/// The name a verb was started by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Voice {
    /// `groma find`
    Groma,
    /// `fd`: its messages, its exit codes.
    Fd,
}

impl Voice {
    /// The command's name in help and messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Voice::Groma => "groma find",
            Voice::Fd => "fd",
        }
    }

    /// Says that something went wrong.
    pub(crate) fn error(self, message: &str) {
        match self {
            Voice::Groma => say(&format!("groma find: {message}")),
            Voice::Fd => say(&format!("[fd error]: {message}")),
        }
    }

    /// Says what could not be read.
    pub(crate) fn warning(self, warning: &Warning) {
        let path = String::from_utf8_lossy(&warning.path).into_owned();
        match self {
            Voice::Groma => {
                say(&format!(
                    "groma find: cannot {} '{path}': {}",
                    warning.action,
                    reason(&warning.error.to_string())
                ));
            }
            Voice::Fd => say(&format!("[fd error]: {path}: {}", warning.error)),
        }
    }
}

/// An error and what led to it, in one line.
pub(crate) fn chain(error: &anyhow::Error) -> String {
    let parts: Vec<String> = error
        .chain()
        .map(|error| reason(&error.to_string()).to_owned())
        .collect();
    parts.join(": ")
}

/// The system's words, without Rust's "(os error 2)" behind them.
pub(crate) fn reason(text: &str) -> &str {
    text.find(" (os error").map_or(text, |end| &text[..end])
}

/// Writes a line to stderr; names in it may be hostile to a terminal.
pub(crate) fn say(line: &str) {
    let mut stderr = std::io::stderr();
    let mut out = Vec::new();
    if stderr.is_terminal() {
        let lines = line.split('\n');
        for (index, line) in lines.enumerate() {
            if index > 0 {
                out.push(b'\n');
            }
            escape::terminal(line.as_bytes(), &mut out);
        }
    } else {
        out.extend_from_slice(line.as_bytes());
    }
    out.push(b'\n');
    // Nobody is left to be told that stderr is gone.
    let _ = stderr.write_all(&out);
}
