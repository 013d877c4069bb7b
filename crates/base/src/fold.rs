//! Case folding of names that may not be text.
//!
//! Unicode simple case folding (CaseFolding.txt, statuses C and S): one character becomes one
//! character. Bytes that are no UTF-8 stay as they are.

/// The version of Unicode whose folding this is, as major * 65536 + minor * 256 + update. What was
/// stored in the order of folded names is in order only under the same version.
pub const FOLD_VERSION: u32 = {
    let (major, minor, update) = unicode_case_mapping::UNICODE_VERSION;
    ((major as u32) << 16) | ((minor as u32) << 8) | update as u32
};

/// Appends the folded form of `name` to `out`.
pub fn fold_into(name: &[u8], out: &mut Vec<u8>) {
    if name.is_ascii() {
        out.extend(name.iter().map(u8::to_ascii_lowercase));
        return;
    }
    for chunk in name.utf8_chunks() {
        for c in chunk.valid().chars() {
            let folded = fold_char(c);
            out.extend_from_slice(folded.encode_utf8(&mut [0; 4]).as_bytes());
        }
        out.extend_from_slice(chunk.invalid());
    }
}

/// The folded form of `name`.
pub fn folded(name: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(name.len());
    fold_into(name, &mut out);
    out
}

/// Simple folding of one character.
pub(crate) fn fold_char(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    unicode_case_mapping::case_folded(c)
        .and_then(|code| char::from_u32(code.get()))
        .unwrap_or(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folds_characters_and_keeps_foreign_bytes() {
        assert_eq!(folded(b"ReadMe.TXT"), b"readme.txt");
        assert_eq!(folded("ÄÖ ẞ Σς K".as_bytes()), "äö ß σσ k".as_bytes());
        assert_eq!(folded(b"A\xffB\xc3"), b"a\xffb\xc3");
    }
}
