//! Texts for the clipboard of the terminal that one sits at.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// The sequence that asks a terminal to put a text into its clipboard: OSC 52, as xterm documents it.
pub fn osc52(text: &[u8]) -> Vec<u8> {
    let mut out = b"\x1b]52;c;".to_vec();
    out.extend_from_slice(STANDARD.encode(text).as_bytes());
    out.push(0x07);
    out
}

/// A path as it can be pasted into a shell without doing harm to the terminal: as it is, or in the form
/// `$'...'` where it holds what a terminal must not see.
pub fn pasteable(path: &[u8]) -> Vec<u8> {
    if !crate::escape::needs_escape(path) {
        return path.to_vec();
    }
    let mut out = b"$'".to_vec();
    for &byte in path {
        match byte {
            b'\\' | b'\'' => out.extend([b'\\', byte]),
            b' '..=b'~' => out.push(byte),
            _ => out.extend(format!("\\x{byte:02x}").bytes()),
        }
    }
    out.push(b'\'');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_paths_are_quoted() {
        assert_eq!(pasteable("/a b/ü".as_bytes()), "/a b/ü".as_bytes());
        assert_eq!(pasteable(b"/a\x1b'\\"), b"$'/a\\x1b\\'\\\\'");
    }

    #[test]
    fn what_is_copied_cannot_end_the_sequence() {
        let sequence = osc52(b"a\x07\x1b\\b");
        assert!(sequence.starts_with(b"\x1b]52;c;") && sequence.ends_with(&[0x07]));
        let inner = &sequence[7..sequence.len() - 1];
        assert!(
            inner
                .iter()
                .all(|b| b.is_ascii_alphanumeric() || b"+/=".contains(b))
        );
    }
}
