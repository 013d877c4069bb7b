//! stdout, and what is said meanwhile on stderr.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use groma_base::Warning;
use groma_engine::find::Sink;

use crate::report::Voice;

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

/// A piece of at least this many bytes is part of a long result.
const MUCH: usize = 16 * 1024;

/// Results as they are, in whole pieces: the standard library's stdout would look for line ends
/// in them again.
pub(super) struct Stdout<'a> {
    file: Mutex<io::Result<File>>,
    /// Whether more room was asked for in the pipe that it may be.
    is_widened: AtomicBool,
    reporter: &'a Reporter,
}

impl<'a> Stdout<'a> {
    pub(super) fn new(reporter: &'a Reporter) -> Stdout<'a> {
        let file = io::stdout().as_fd().try_clone_to_owned().map(File::from);
        Stdout {
            file: Mutex::new(file),
            is_widened: AtomicBool::new(false),
            reporter,
        }
    }

    /// A long result is worth more room in a pipe; a short one is gone before.
    fn widen(&self, file: &File, hits: &[u8]) {
        if hits.len() >= MUCH && !self.is_widened.swap(true, Ordering::Relaxed) {
            groma_sys::widen_pipe(file);
        }
    }
}

impl Sink for Stdout<'_> {
    fn write(&self, hits: &[u8]) -> io::Result<()> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *file {
            Ok(file) => {
                self.widen(file, hits);
                file.write_all(hits)
            }
            Err(error) => Err(error.kind().into()),
        }
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
