//! stdout, and what is said meanwhile on stderr.

use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use groma_base::Warning;
use groma_engine::find::Sink;

use crate::report::Voice;
use crate::stdout;

/// Says what could not be read.
pub(super) struct Reporter {
    voice: Voice,
    show_errors: bool,
}

impl Reporter {
    pub(super) fn new(voice: Voice, show_errors: bool) -> Reporter {
        Reporter { voice, show_errors }
    }

    pub(super) fn warn(&self, warning: &Warning) {
        if self.show_errors {
            self.voice.warning(warning);
        }
    }

    pub(super) fn root_failed(&self, warning: &Warning) {
        self.voice.warning(warning);
    }
}

/// Results as they are, in whole pieces.
pub(super) struct Stdout<'a> {
    stdout: Mutex<stdout::Stdout>,
    reporter: &'a Reporter,
}

impl<'a> Stdout<'a> {
    pub(super) fn new(reporter: &'a Reporter) -> Stdout<'a> {
        Stdout {
            stdout: Mutex::new(stdout::Stdout::new()),
            reporter,
        }
    }
}

impl Sink for Stdout<'_> {
    fn write(&self, hits: &[u8]) -> io::Result<()> {
        let mut stdout = self.stdout.lock().unwrap_or_else(PoisonError::into_inner);
        stdout.write_all(hits)
    }

    fn warn(&self, warning: &Warning) {
        self.reporter.warn(warning);
    }

    fn root_failed(&self, warning: &Warning) {
        self.reporter.root_failed(warning);
    }
}

/// Results that nobody wants to see.
pub(super) struct Silent<'a>(pub(super) &'a Reporter);

impl Sink for Silent<'_> {
    fn write(&self, _hits: &[u8]) -> io::Result<()> {
        Ok(())
    }

    fn warn(&self, warning: &Warning) {
        self.0.warn(warning);
    }

    fn root_failed(&self, warning: &Warning) {
        self.0.root_failed(warning);
    }
}
