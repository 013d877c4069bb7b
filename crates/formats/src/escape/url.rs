//! `file://` URLs.

use super::push_hex;

/// Appends `file://HOST/PATH`; `path` is absolute and byte-exact, `host` may be empty.
pub fn file_url(host: &[u8], path: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(b"file://");
    percent(host, out);
    percent(path, out);
}

/// Appends `bytes` with everything but `0-9A-Za-z/:-._~` percent-encoded. Bytes above 0x7F are
/// encoded whether or not they are text, so the URL names the file byte by byte.
pub fn percent(bytes: &[u8], out: &mut Vec<u8>) {
    for &byte in bytes {
        match byte {
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => out.push(byte),
            b'/' | b':' | b'-' | b'.' | b'_' | b'~' => out.push(byte),
            _ => {
                out.push(b'%');
                push_hex(u32::from(byte), 2, out);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_hold_no_byte_that_means_something_else() {
        let mut out = Vec::new();
        file_url(b"box", "/a b/$*\x1bßé/∫😃\x07;#?%.txt".as_bytes(), &mut out);
        let want =
            "file://box/a%20b/%24%2A%1B%C3%9F%C3%A9/%E2%88%AB%F0%9F%98%83%07%3B%23%3F%25.txt";
        assert_eq!(String::from_utf8(out).unwrap(), want);
    }

    #[test]
    fn unreserved_bytes_and_bytes_that_are_no_text() {
        let mut out = Vec::new();
        percent(b"/aZ09:-._~\xff", &mut out);
        assert_eq!(out, b"/aZ09:-._~%FF");
    }
}
