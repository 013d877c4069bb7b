//! What may be done with an entry, and what is attached to it.

use std::ffi::CStr;
use std::io;

use crate::dir::{Dir, proc_path};

/// Whether this process may execute the file `name` in `dir`, by its effective ids; links are
/// followed.
#[cfg(all(target_os = "linux", not(feature = "portable")))]
pub fn is_executable(dir: &Dir, name: &CStr) -> bool {
    use rustix::fs::{Access, AtFlags};
    rustix::fs::accessat(dir, name, Access::EXEC_OK, AtFlags::EACCESS).is_ok()
}

/// Whether this process may execute the file `name` in `dir`; links are followed.
#[cfg(all(unix, not(all(target_os = "linux", not(feature = "portable")))))]
pub fn is_executable(dir: &Dir, name: &CStr) -> bool {
    rustix::fs::access(proc_path(dir, name), rustix::fs::Access::EXEC_OK).is_ok()
}

/// Whether this process may execute the file `name` in `dir`: here its extension decides.
#[cfg(not(unix))]
pub fn is_executable(_dir: &Dir, name: &CStr) -> bool {
    let extension = groma_base::extension(name.to_bytes()).unwrap_or_default();
    ["exe", "com", "bat", "cmd"]
        .iter()
        .any(|e| extension.eq_ignore_ascii_case(e.as_bytes()))
}

/// Names of the extended attributes of `name` in `dir`, links not followed.
///
/// # Errors
/// What llistxattr(2) answers; a file system without attributes answers with an empty list.
#[cfg(target_os = "linux")]
pub fn list_xattrs(dir: &Dir, name: &CStr) -> io::Result<Vec<Vec<u8>>> {
    let path = proc_path(dir, name);
    let mut list: Vec<u8> = vec![0; 64 * 1024];
    let length = match rustix::fs::llistxattr(path, &mut list[..]) {
        Err(rustix::io::Errno::NOTSUP) => return Ok(Vec::new()),
        answer => answer?,
    };
    let names = list[..length]
        .split(|&b| b == 0)
        .filter(|name| !name.is_empty());
    Ok(names.map(<[u8]>::to_vec).collect())
}

/// Names of the extended attributes: none are read on this platform.
///
/// # Errors
/// Always `Unsupported`.
#[cfg(not(target_os = "linux"))]
pub fn list_xattrs(_dir: &Dir, _name: &CStr) -> io::Result<Vec<Vec<u8>>> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Whether the file carries capabilities (`security.capability`).
pub fn has_capability(dir: &Dir, name: &CStr) -> bool {
    list_xattrs(dir, name).is_ok_and(|names| names.iter().any(|n| n == b"security.capability"))
}
