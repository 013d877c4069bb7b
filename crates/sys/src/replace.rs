//! Files that are replaced whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// How often a name is looked for that nothing has yet.
const ATTEMPTS: u32 = 100;

/// The steps of a replacement: a new file is made and written; when that went well it takes the
/// old one's place, otherwise it goes away.
pub(crate) fn in_steps<T, E: From<io::Error>>(
    create: impl FnOnce() -> io::Result<File>,
    write: impl FnOnce(&mut File) -> Result<T, E>,
    publish: impl FnOnce(&File) -> io::Result<()>,
    discard: impl FnOnce(),
) -> Result<T, E> {
    let mut file = create()?;
    let answer = write(&mut file).and_then(|answer| {
        publish(&file)?;
        Ok(answer)
    });
    if answer.is_err() {
        discard();
    }
    answer
}

/// Makes or replaces a file of the user's: `write` fills a new file under a temporary name beside
/// it, which is then renamed. A file that was there keeps its permissions, and is given up only for
/// one that has reached the disk. A link is followed; what is no regular file (a terminal, a pipe)
/// is written to directly.
///
/// # Errors
/// What `write` answers, or a system call; the file is as it was.
pub fn replace_file<T, E: From<io::Error>>(
    path: &Path,
    write: impl FnOnce(&mut File) -> Result<T, E>,
) -> Result<T, E> {
    let old = fs::metadata(path).ok();
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        let mut file = OpenOptions::new().write(true).open(path)?;
        return write(&mut file);
    }
    // The link stays, and what it leads to is replaced.
    let path = match &old {
        Some(_) => fs::canonicalize(path)?,
        None => path.to_owned(),
    };
    let (temporary, file) = create_beside(&path)?;
    let publish = |file: &File| {
        if let Some(old) = &old {
            file.set_permissions(old.permissions())?;
            file.sync_all()?;
        }
        fs::rename(&temporary, &path)
    };
    let discard = || drop(fs::remove_file(&temporary));
    in_steps(|| Ok(file), write, publish, discard)
}

/// A new file beside `path`, under a name that nothing had.
fn create_beside(path: &Path) -> io::Result<(PathBuf, File)> {
    let Some(name) = path.file_name() else {
        return Err(io::ErrorKind::IsADirectory.into());
    };
    let process = std::process::id();
    for attempt in 0..ATTEMPTS {
        let mut temporary = OsString::from(".");
        // A name may be as long as names may be.
        temporary.push(name.to_string_lossy().chars().take(40).collect::<String>());
        temporary.push(format!(".{process}-{attempt}.tmp"));
        let temporary = path.with_file_name(temporary);
        match OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&temporary)
        {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
            Ok(file) => return Ok((temporary, file)),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn put(path: &Path, text: &'static str) -> io::Result<()> {
        replace_file(path, |file| file.write_all(text.as_bytes()))
    }

    fn names(dir: &Path) -> Vec<OsString> {
        let entries = fs::read_dir(dir).unwrap();
        let mut names: Vec<OsString> = entries.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    }

    #[test]
    fn files_are_made_replaced_and_left_alone_on_failure() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("f");
        put(&path, "one").unwrap();
        put(&path, "two two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two two");
        let failed: io::Result<()> = replace_file(&path, |file| {
            file.write_all(b"half")?;
            Err(io::ErrorKind::Other.into())
        });
        assert!(failed.is_err());
        assert_eq!(fs::read(&path).unwrap(), b"two two");
        assert!(put(&temp.path().join("none/f"), "").is_err());
        assert!(put(temp.path(), "").is_err());
        let long = "n".repeat(255);
        put(&temp.path().join(&long), "long").unwrap();
        assert_eq!(names(temp.path()), ["f", &long]);
    }

    #[cfg(unix)]
    #[test]
    fn permissions_and_links_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let temp = tempfile::tempdir().unwrap();
        let (path, link) = (temp.path().join("f"), temp.path().join("l"));
        put(&path, "one").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("f", &link).unwrap();
        put(&link, "two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(
            fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o640
        );
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        put(Path::new("/dev/null"), "gone").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}
