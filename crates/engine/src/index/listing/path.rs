//! One path of a list: which root it lies under, and by which names.

/// A path taken apart.
#[derive(Debug)]
pub(super) struct Split<'p> {
    /// `/`, a drive (`C:`) or a share (`//server/share`).
    pub(super) root: Vec<u8>,
    /// Whether it ends in a separator, as only directories do.
    pub(super) is_dir: bool,
    /// The directory that a relative path lies in.
    above: &'p [u8],
    below: &'p [u8],
    is_windows: bool,
}

impl<'p> Split<'p> {
    /// Takes a path apart; a relative one lies in `cwd`. `\` separates the names of a path that
    /// begins as those of Windows do, and is an ordinary character elsewhere.
    ///
    /// # Errors
    /// What was expected in its place.
    pub(super) fn new(path: &'p [u8], cwd: &'p [u8]) -> Result<Split<'p>, &'static str> {
        let mut split = match path {
            [b'\\', b'\\', share @ ..] => share_of(share)?,
            [letter, b':', below @ ..]
                if letter.is_ascii_alphabetic() && matches!(below, [] | [b'\\' | b'/', ..]) =>
            {
                Split::windows(vec![letter.to_ascii_uppercase(), b':'], below)
            }
            _ => Split::unix(path, cwd),
        };
        let last = path.last().copied().unwrap_or(0);
        split.is_dir = last == b'/' || split.is_windows && last == b'\\';
        for name in split.components() {
            if name == b".." {
                return Err("a path without '..'");
            }
            if name.contains(&0) || split.is_windows && name.contains(&b'/') {
                return Err("a path without a NUL");
            }
        }
        Ok(split)
    }

    fn windows(root: Vec<u8>, below: &'p [u8]) -> Split<'p> {
        Split {
            root,
            is_dir: false,
            above: b"",
            below,
            is_windows: true,
        }
    }

    fn unix(path: &'p [u8], cwd: &'p [u8]) -> Split<'p> {
        Split {
            root: b"/".to_vec(),
            is_dir: false,
            above: if path.starts_with(b"/") { b"" } else { cwd },
            below: path,
            is_windows: false,
        }
    }

    /// The names on the way down from the root.
    pub(super) fn components(&self) -> impl Iterator<Item = &'p [u8]> {
        let is_windows = self.is_windows;
        let separates = move |&b: &u8| b == b'/' || is_windows && b == b'\\';
        let above = self.above.split(|&b| b == b'/');
        let names = above.chain(self.below.split(separates));
        names.filter(|name| !name.is_empty() && *name != b".")
    }
}

/// `\\server\share\...`, without the first two characters.
fn share_of(path: &[u8]) -> Result<Split<'_>, &'static str> {
    let separates = |b: &u8| *b == b'\\' || *b == b'/';
    let parts: Vec<&[u8]> = path.splitn(3, separates).collect();
    match parts[..] {
        [server, share, ..] if !server.is_empty() && !share.is_empty() => {
            let root = [b"//", server, b"/", share].concat();
            let below = parts.get(2).copied().unwrap_or_default();
            Ok(Split::windows(root, below))
        }
        _ => Err("a share after '\\\\server\\'"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(path: &str) -> String {
        match Split::new(path.as_bytes(), b"/w/d") {
            Ok(split) => {
                let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
                let names: Vec<String> = split.components().map(text).collect();
                let dir = if split.is_dir { " dir" } else { "" };
                format!("{} {}{dir}", text(&split.root), names.join("|"))
            }
            Err(expected) => expected.to_owned(),
        }
    }

    #[test]
    fn paths_of_both_worlds() {
        for (path, want) in [
            ("/a/b", "/ a|b"),
            ("//a//b/", "/ a|b dir"),
            ("./a/./b", "/ w|d|a|b"),
            ("a\\b", "/ w|d|a\\b"),
            ("/", "/  dir"),
            ("c:\\Users\\me", "C: Users|me"),
            ("C:/x\\y\\", "C: x|y dir"),
            ("D:", "D: "),
            ("c:rel", "/ w|d|c:rel"),
            ("\\\\srv\\share\\a\\b", "//srv/share a|b"),
            ("\\\\srv", "a share after '\\\\server\\'"),
            ("/a/../b", "a path without '..'"),
            ("/a\0b", "a path without a NUL"),
        ] {
            assert_eq!(split(path), want, "{path}");
        }
    }
}
