//! Paths to bytes and back.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// The bytes of a path, with `/` as separator.
pub(super) fn to_bytes(path: &Path) -> Cow<'_, [u8]> {
    let bytes = path.as_os_str().as_encoded_bytes();
    if cfg!(windows) {
        return bytes
            .iter()
            .map(|&b| if b == b'\\' { b'/' } else { b })
            .collect::<Vec<u8>>()
            .into();
    }
    Cow::Borrowed(bytes)
}

/// The path that these bytes name.
#[cfg(unix)]
pub(super) fn from_bytes(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
}

/// The path that these bytes name.
#[cfg(not(unix))]
pub(super) fn from_bytes(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

/// The bytes of an absolute directory without the leading `/`, with a trailing one unless empty:
/// what is to be cut off a path to get its part below that directory.
pub(super) fn as_lead(dir: &Path) -> Vec<u8> {
    let bytes = to_bytes(dir);
    let mut lead = bytes.strip_prefix(b"/").unwrap_or(&bytes).to_vec();
    if !lead.is_empty() && !lead.ends_with(b"/") {
        lead.push(b'/');
    }
    lead
}

/// `path` below `dir`, unless it is absolute.
pub(super) fn join(dir: &[u8], path: &[u8]) -> Vec<u8> {
    if path.starts_with(b"/") || dir.is_empty() {
        return path.to_vec();
    }
    [dir, b"/", path].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leads_and_joins() {
        assert_eq!(as_lead(Path::new("/")), b"");
        assert_eq!(as_lead(Path::new("/a/b")), b"a/b/");
        assert_eq!(join(b"a", b"b"), b"a/b");
        assert_eq!(join(b"a", b"/b"), b"/b");
        assert_eq!(join(b"", b"b"), b"b");
    }
}
