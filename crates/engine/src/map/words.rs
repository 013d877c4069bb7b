//! Names for people.

/// A name or path as a terminal may show it: hostile characters as escapes, bytes that are no text too.
pub fn shown_name(bytes: &[u8]) -> String {
    let mut shown = Vec::new();
    groma_formats::escape::terminal(bytes, &mut shown);
    // Escaping leaves nothing but text.
    String::from_utf8_lossy(&shown).into_owned()
}
