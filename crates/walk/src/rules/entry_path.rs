//! The path of the entry in hand, built at most once and only when a rule asks for it.

/// Absolute path of an entry without its leading `/`, in a borrowed buffer. What belongs to the
/// directory is built once for all its entries.
pub(super) struct EntryPath<'a> {
    root: &'a [u8],
    dir: &'a [u8],
    buffer: &'a mut Vec<u8>,
    /// Length of the part that belongs to the directory, once it is built.
    dir_len: Option<usize>,
    has_name: bool,
}

impl<'a> EntryPath<'a> {
    /// `root` is empty or ends in `/`; `dir` is relative to it.
    #[inline]
    pub(super) fn new(root: &'a [u8], dir: &'a [u8], buffer: &'a mut Vec<u8>) -> EntryPath<'a> {
        EntryPath {
            root,
            dir,
            buffer,
            dir_len: None,
            has_name: false,
        }
    }

    /// The next call is about another name.
    #[inline]
    pub(super) fn next_entry(&mut self) {
        self.has_name = false;
    }

    /// Whether the directory is the one whose path ends at `offset`.
    #[inline]
    pub(super) fn is_directly_in(&self, offset: usize) -> bool {
        let slash = usize::from(!self.dir.is_empty());
        self.root.len() + self.dir.len() + slash == offset
    }

    /// The path of the directory from `offset` on, with a trailing `/` unless it is empty.
    #[inline]
    pub(super) fn dir_below(&mut self, offset: usize) -> &[u8] {
        let dir_len = self.dir_len.unwrap_or_else(|| self.build_dir());
        self.buffer.get(offset..dir_len).unwrap_or_default()
    }

    /// The path of `name` from `offset` on.
    #[inline]
    pub(super) fn below(&mut self, offset: usize, name: &[u8]) -> &[u8] {
        if !self.has_name {
            let dir_len = self.dir_len.unwrap_or_else(|| self.build_dir());
            self.buffer.truncate(dir_len);
            self.buffer.extend_from_slice(name);
            self.has_name = true;
        }
        self.buffer.get(offset..).unwrap_or_default()
    }

    fn build_dir(&mut self) -> usize {
        self.buffer.clear();
        self.buffer.extend_from_slice(self.root);
        if !self.dir.is_empty() {
            self.buffer.extend_from_slice(self.dir);
            self.buffer.push(b'/');
        }
        self.dir_len = Some(self.buffer.len());
        self.buffer.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_directory_is_built_once_and_names_replace_each_other() {
        let mut buffer = b"old".to_vec();
        let mut path = EntryPath::new(b"home/me/", b"a/b", &mut buffer);
        assert_eq!(path.below(0, b"x"), b"home/me/a/b/x");
        assert_eq!(path.below(8, b"x"), b"a/b/x");
        assert_eq!(path.dir_below(8), b"a/b/");
        assert!(path.is_directly_in(12) && !path.is_directly_in(8));
        path.next_entry();
        assert_eq!(path.below(10, b"longer"), b"b/longer");
        let mut path = EntryPath::new(b"", b"", &mut buffer);
        assert_eq!(path.below(0, b"x"), b"x");
    }
}
