//! Reading that an interruption ends, though whoever reads tries again.

use std::io::{self, BufRead, Read};

use groma_base::CancelToken;

/// A reader whose calls fail once the user wants to stop.
pub(super) struct Interruptible<'r> {
    pub(super) inner: &'r mut dyn BufRead,
    pub(super) cancel: &'r CancelToken,
}

impl BufRead for Interruptible<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        loop {
            match self.inner.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
                Ok(_) => break,
            }
            if self.cancel.is_cancelled() {
                return Err(io::Error::other("interrupted"));
            }
        }
        self.inner.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.inner.consume(count);
    }
}

impl Read for Interruptible<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(out)?;
        self.consume(count);
        Ok(count)
    }
}
