//! Parts of a path the way format templates see them.
//!
//! Unlike the plain cuts in `groma_base::name`, these look at components: trailing slashes,
//! doubled slashes and inner `.` components do not count.

/// Parent and last component of `path`, both slices of it; `None` for the empty path and the
/// root. The parent of a single relative component is empty.
pub(crate) fn split(path: &[u8]) -> Option<(&[u8], &[u8])> {
    let whole = trim_end(path);
    if whole.is_empty() || whole == b"/" {
        return None;
    }
    match whole.iter().rposition(|&b| b == b'/') {
        Some(at) => Some((trim_end(&whole[..=at]), &whole[at + 1..])),
        None => Some((&[], whole)),
    }
}

/// The last component, or all of `path` when that is no name (`/`, `.`, `..`).
pub(crate) fn file_name(path: &[u8]) -> &[u8] {
    match split(path) {
        Some((_, last)) if !is_dots(last) => last,
        _ => path,
    }
}

/// The path of the directory that holds `path`: `.` for a single relative component, the path
/// itself where nothing is above it.
pub(crate) fn dir_name(path: &[u8]) -> &[u8] {
    match split(path) {
        Some(([], _)) => b".",
        Some((parent, _)) => parent,
        None => path,
    }
}

/// A name without its last dot and what follows. A leading dot opens no extension.
pub(crate) fn without_extension(name: &[u8]) -> &[u8] {
    match name.iter().rposition(|&b| b == b'.') {
        Some(at) if at > 0 && !is_dots(name) => &name[..at],
        _ => name,
    }
}

/// `path` without a first component `.`.
pub(crate) fn strip_current_dir(path: &[u8]) -> &[u8] {
    let Some(mut rest) = path.strip_prefix(b".") else {
        return path;
    };
    if !rest.is_empty() && !rest.starts_with(b"/") {
        return path;
    }
    while let Some(shorter) = rest.strip_prefix(b"/").or_else(|| rest.strip_prefix(b"./")) {
        rest = shorter;
    }
    rest
}

/// Whether this component is `.` or `..`, which name no entry.
pub(crate) fn is_dots(component: &[u8]) -> bool {
    matches!(component, b"." | b"..")
}

/// Cuts slashes and `.` components off the end; a lone `/` and a lone `.` stay.
fn trim_end(path: &[u8]) -> &[u8] {
    let mut rest = path;
    while rest.len() > 1 && (rest.ends_with(b"/") || rest.ends_with(b"/.")) {
        rest = &rest[..rest.len() - 1];
    }
    rest
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::path::Path;

    fn std_path(bytes: &[u8]) -> &Path {
        Path::new(OsStr::from_bytes(bytes))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn the_standard_library_cuts_at_the_same_places(path in "[a./]{0,10}") {
            let (path, std) = (path.as_bytes(), std_path(path.as_bytes()));
            let parent = std.parent().map(|p| p.as_os_str().as_bytes());
            prop_assert_eq!(split(path).map(|(parent, _)| parent), parent);
            let name = std.file_name().unwrap_or(std.as_os_str());
            prop_assert_eq!(file_name(path), name.as_bytes());
            if let Some(stem) = std.file_stem() {
                prop_assert_eq!(without_extension(file_name(path)), stem.as_bytes());
            }
            if let Some(parent) = parent {
                let stripped = std_path(parent).strip_prefix(".").unwrap_or(std_path(parent));
                prop_assert_eq!(strip_current_dir(parent), stripped.as_os_str().as_bytes());
            }
        }
    }
}
