//! Bytes to platform paths and back.

use std::borrow::Cow;
use std::ffi::CString;
use std::path::{Path, PathBuf};

/// The path that these bytes name.
#[cfg(unix)]
pub fn os_path(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
}

/// The path that these bytes name.
#[cfg(not(unix))]
pub fn os_path(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

/// The bytes of a path.
#[cfg(unix)]
pub fn path_bytes(path: &Path) -> Cow<'_, [u8]> {
    use std::os::unix::ffi::OsStrExt;
    Cow::Borrowed(path.as_os_str().as_bytes())
}

/// The bytes of a path.
#[cfg(not(unix))]
pub fn path_bytes(path: &Path) -> Cow<'_, [u8]> {
    Cow::Owned(path.to_string_lossy().into_owned().into_bytes())
}

/// The name with a terminator; `None` when it holds a NUL, which no file's name does.
pub fn c_name(name: &[u8]) -> Option<CString> {
    CString::new(name).ok()
}
