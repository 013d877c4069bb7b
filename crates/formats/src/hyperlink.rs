//! Links to files in terminals (OSC 8).

use crate::escape;

const INTRODUCER: &[u8] = b"\x1b]8;;";
const TERMINATOR: &[u8] = b"\x1b\\";

/// Appends what begins a link to the file at the absolute path `path` of the machine `host`. The
/// URL is percent-encoded, so no path can end the sequence early.
pub fn open(host: &[u8], path: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(INTRODUCER);
    escape::file_url(host, path, out);
    out.extend_from_slice(TERMINATOR);
}

/// Appends what ends a link.
pub fn close(out: &mut Vec<u8>) {
    out.extend_from_slice(INTRODUCER);
    out.extend_from_slice(TERMINATOR);
}

/// Appends what `text` writes, as a link.
pub fn linked(host: &[u8], path: &[u8], out: &mut Vec<u8>, text: impl FnOnce(&mut Vec<u8>)) {
    open(host, path, out);
    text(out);
    close(out);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_stands_between_opening_and_closing() {
        let mut out = Vec::new();
        linked(b"box", b"/d/a b\x1b\\\xff", &mut out, |out| {
            out.extend_from_slice(b"a b")
        });
        assert_eq!(
            out,
            b"\x1b]8;;file://box/d/a%20b%1B%5C%FF\x1b\\a b\x1b]8;;\x1b\\"
        );
    }

    #[test]
    fn a_host_may_be_missing() {
        let mut out = Vec::new();
        open(b"", b"/a", &mut out);
        assert_eq!(out, b"\x1b]8;;file:///a\x1b\\");
    }
}
