//! stdout as it is: the standard library's would look for line ends in what is written.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;

/// A piece of at least this many bytes is part of a long result.
const MUCH: usize = 16 * 1024;

/// stdout, for results in large pieces.
pub(crate) struct Stdout {
    file: io::Result<File>,
    /// Whether more room was asked for in the pipe that it may be.
    is_widened: bool,
}

impl Stdout {
    pub(crate) fn new() -> Stdout {
        Stdout {
            file: io::stdout().as_fd().try_clone_to_owned().map(File::from),
            is_widened: false,
        }
    }
}

impl Write for Stdout {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        match &mut self.file {
            Ok(file) => {
                // A long result is worth more room in a pipe; a short one is gone before.
                if piece.len() >= MUCH && !self.is_widened {
                    self.is_widened = true;
                    groma_sys::widen_pipe(file);
                }
                file.write(piece)
            }
            Err(error) => Err(error.kind().into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
