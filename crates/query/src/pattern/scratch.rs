//! One buffer per thread for the rare names that must be rewritten before they are matched.

use std::cell::Cell;

use groma_base::fold_into;

/// What a stray byte counts as: a character that `.`, `[^a]`, `\W` and `\S` match and that nobody
/// writes in a pattern.
pub(super) const STRAY: char = '\u{10FFFF}';

thread_local! {
    static BUFFER: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Hands the folded form of a name to `look`.
pub(super) fn with_folded<T>(name: &[u8], look: impl FnOnce(&[u8]) -> T) -> T {
    with_buffer(|buffer| fold_into(name, buffer), look)
}

/// Hands a name to `look` in which each byte that is not UTF-8 has become [`STRAY`].
pub(super) fn with_strays<T>(name: &[u8], look: impl FnOnce(&[u8]) -> T) -> T {
    let fill = |buffer: &mut Vec<u8>| {
        let mut encoded = [0; 4];
        let stray = STRAY.encode_utf8(&mut encoded).as_bytes();
        for chunk in name.utf8_chunks() {
            buffer.extend_from_slice(chunk.valid().as_bytes());
            for _ in chunk.invalid() {
                buffer.extend_from_slice(stray);
            }
        }
    };
    with_buffer(fill, look)
}

/// The buffer is taken out while in use: a nested call finds an empty one and stays correct.
fn with_buffer<T>(fill: impl FnOnce(&mut Vec<u8>), look: impl FnOnce(&[u8]) -> T) -> T {
    let mut buffer = BUFFER.take();
    buffer.clear();
    fill(&mut buffer);
    let answer = look(&buffer);
    BUFFER.set(buffer);
    answer
}
