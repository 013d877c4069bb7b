//! Parts of names and paths, as bytes.

/// The last component of a path; the whole path when it has no `/`.
pub fn basename(path: &[u8]) -> &[u8] {
    match path.iter().rposition(|&b| b == b'/') {
        Some(at) => &path[at + 1..],
        None => path,
    }
}

/// Everything before the last `/`; empty when there is none, `/` for entries of the root.
pub fn parent(path: &[u8]) -> &[u8] {
    match path.iter().rposition(|&b| b == b'/') {
        Some(0) => &path[..1],
        Some(at) => &path[..at],
        None => &[],
    }
}

/// Bytes after the last dot of a name. A leading dot opens no extension (`.bashrc` has none), and
/// a name that ends in a dot has none.
pub fn extension(name: &[u8]) -> Option<&[u8]> {
    match name.iter().rposition(|&b| b == b'.') {
        None | Some(0) => None,
        Some(at) if at + 1 == name.len() => None,
        Some(at) => Some(&name[at + 1..]),
    }
}

/// The name without its extension and the dot before it.
pub fn stem(name: &[u8]) -> &[u8] {
    match extension(name) {
        Some(ext) => &name[..name.len() - ext.len() - 1],
        None => name,
    }
}

/// Characters of a name; a byte that belongs to none counts as one.
pub fn characters(name: &[u8]) -> u64 {
    if name.is_ascii() {
        return name.len() as u64;
    }
    let count: usize = name
        .utf8_chunks()
        .map(|chunk| chunk.valid().chars().count() + chunk.invalid().len())
        .sum();
    count as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_names() {
        for (name, want_stem, want_ext) in [
            ("a.tar.gz", "a.tar", Some("gz")),
            (".bashrc", ".bashrc", None),
            ("x.", "x.", None),
            ("..", "..", None),
            (".a.b", ".a", Some("b")),
            ("plain", "plain", None),
        ] {
            assert_eq!(stem(name.as_bytes()), want_stem.as_bytes(), "{name}");
            assert_eq!(
                extension(name.as_bytes()),
                want_ext.map(str::as_bytes),
                "{name}"
            );
        }
    }

    #[test]
    fn characters_of_names() {
        assert_eq!(characters("aé🦀".as_bytes()), 3);
        assert_eq!(characters(b"a\xff\xe4\xb8"), 4);
    }

    #[test]
    fn parts_of_paths() {
        assert_eq!((parent(b"a/b"), basename(b"a/b")), (&b"a"[..], &b"b"[..]));
        assert_eq!((parent(b"/a"), basename(b"/a")), (&b"/"[..], &b"a"[..]));
        assert_eq!((parent(b"a"), basename(b"a")), (&b""[..], &b"a"[..]));
    }
}
