//! Writes ordered hits in large pieces, up to a limit.

use super::sink::Outlet;

/// Bytes that are written at a time.
const WRITE_BYTES: usize = 256 * 1024;

/// Writes hits to the sink.
pub(crate) struct Writer<'a> {
    outlet: &'a Outlet<'a>,
    out: Vec<u8>,
    hits: u64,
    limit: u64,
}

impl<'a> Writer<'a> {
    pub(crate) fn new(outlet: &'a Outlet<'a>, limit: Option<u64>) -> Writer<'a> {
        Writer {
            outlet,
            out: Vec::new(),
            hits: 0,
            limit: limit.unwrap_or(u64::MAX),
        }
    }

    /// Whether no more hits are wanted.
    pub(crate) fn is_full(&self) -> bool {
        self.hits >= self.limit || self.outlet.is_cancelled()
    }

    pub(crate) fn push(&mut self, text: &[u8]) {
        if self.is_full() {
            return;
        }
        self.hits += 1;
        self.out.extend_from_slice(text);
        if self.out.len() >= WRITE_BYTES {
            self.flush();
        }
    }

    pub(crate) fn flush(&mut self) {
        self.outlet.write(&self.out);
        self.out.clear();
    }

    pub(crate) fn finish(mut self) {
        self.flush();
        self.outlet.count(self.hits);
    }
}
