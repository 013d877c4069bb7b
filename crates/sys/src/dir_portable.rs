//! Directories through `std::fs` alone, for platforms without a file of their own.
//!
//! Slower, and bound to the platform's path length; the same answers otherwise. The Linux tests run
//! on it too (feature `portable`).

use std::ffi::{CStr, OsString};
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use groma_base::{FileId, Kind, Metadata, Timestamp};

use crate::buffer::DirBuffer;
use crate::examined::Examined;
use crate::gone::ensure_same;
use crate::names::{os_path, path_bytes};
use crate::open_file::OpenFile;

/// A directory, by its path.
#[derive(Debug)]
pub struct Dir {
    path: PathBuf,
    /// Behind a lock only because reading advances it; one thread reads a directory.
    reader: Mutex<Reader>,
}

#[derive(Debug)]
struct Reader {
    entries: fs::ReadDir,
    /// Told by the next reading, so that the records before it are not lost.
    failed: Option<io::Error>,
}

/// Records a single reading adds, so that a caller sees a huge directory in parts.
const BATCH: usize = 2048;

impl Dir {
    /// Opens a directory by path, following a link in its last component.
    ///
    /// # Errors
    /// What the platform answers.
    pub fn open(path: &Path) -> io::Result<Dir> {
        Ok(Dir {
            path: path.to_owned(),
            reader: Mutex::new(Reader {
                entries: fs::read_dir(path)?,
                failed: None,
            }),
        })
    }

    /// Opens the child directory `name`; a link is refused unless `follow`.
    ///
    /// # Errors
    /// What the platform answers; `NotADirectory` for a link that is not to be followed.
    pub fn open_child(&self, name: &CStr, follow: bool) -> io::Result<Dir> {
        let path = self.child(name);
        if !follow && fs::symlink_metadata(&path)?.is_symlink() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        Dir::open(&path)
    }

    /// Appends the next records to `buffer`. Returns `false` at the end of the directory.
    ///
    /// # Errors
    /// What the platform answers. Records read before stay valid.
    pub fn read(&self, buffer: &mut DirBuffer) -> io::Result<bool> {
        let mut any = false;
        let mut reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = reader.failed.take() {
            return Err(error);
        }
        for _ in 0..BATCH {
            match reader.entries.next() {
                None => break,
                Some(Ok(entry)) => push(buffer, &entry),
                Some(Err(error)) if any => {
                    reader.failed = Some(error);
                    break;
                }
                Some(Err(error)) => return Err(error),
            }
            any = true;
        }
        Ok(any)
    }

    /// Metadata of the child `name`.
    ///
    /// # Errors
    /// What the platform answers.
    pub fn stat(&self, name: &CStr, follow: bool, _birth: bool) -> io::Result<Metadata> {
        let path = self.child(name);
        let meta = if follow {
            fs::metadata(path)?
        } else {
            fs::symlink_metadata(path)?
        };
        Ok(convert(&meta))
    }

    /// All that is to be had of the child `name`; a link is not followed.
    ///
    /// # Errors
    /// What the platform answers.
    pub fn examine(&self, name: &CStr) -> io::Result<Examined> {
        Ok(Examined {
            metadata: self.stat(name, false, true)?,
            is_mount: None,
        })
    }

    /// Apparent size of the child `name`, links not followed.
    ///
    /// # Errors
    /// What the platform answers.
    pub fn size(&self, name: &CStr) -> io::Result<u64> {
        Ok(fs::symlink_metadata(self.child(name))?.len())
    }

    /// Metadata of the directory itself.
    ///
    /// # Errors
    /// What the platform answers.
    pub fn own_metadata(&self, _birth: bool) -> io::Result<Metadata> {
        Ok(convert(&fs::metadata(&self.path)?))
    }

    /// Where the link `name` leads, as it is written there.
    ///
    /// # Errors
    /// What the platform answers.
    pub fn read_link(&self, name: &CStr) -> io::Result<Vec<u8>> {
        Ok(path_bytes(&fs::read_link(self.child(name))?).into_owned())
    }

    /// The content of the regular file `path` (relative to this directory, or absolute), at most `limit` bytes of it.
    ///
    /// # Errors
    /// What the platform answers; `InvalidInput` when it is no regular file.
    pub fn read_file(&self, path: &CStr, follow: bool, limit: u64) -> io::Result<Vec<u8>> {
        let path = self.child(path);
        let meta = if follow {
            fs::metadata(&path)?
        } else {
            fs::symlink_metadata(&path)?
        };
        if !meta.is_file() {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "not a regular file",
            ));
        }
        let mut content = Vec::new();
        fs::File::open(path)?
            .take(limit)
            .read_to_end(&mut content)?;
        Ok(content)
    }

    /// Opens the child `name` to be read, if it is a regular file; a link is not followed.
    ///
    /// # Errors
    /// What the platform answers; `InvalidInput` when it is no regular file.
    pub fn open_file(&self, name: &CStr) -> io::Result<OpenFile> {
        let path = self.child(name);
        // A pipe would hold us up, so it is looked at before it is opened.
        if !fs::symlink_metadata(&path)?.is_file() {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "not a regular file",
            ));
        }
        OpenFile::new(fs::File::open(path)?)
    }

    /// Numbers of mounts are not told here.
    pub fn mount_id(&self) -> Option<u64> {
        None
    }

    /// Makes the child directory `name`, for its owner only where the platform has owners.
    ///
    /// # Errors
    /// What the platform answers; `AlreadyExists` where anything has the name.
    pub fn make_private_dir(&self, name: &CStr) -> io::Result<()> {
        let mut builder = fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(self.child(name))
    }

    /// Makes the file `name`, for its owner only where the platform has owners, and writes its content.
    ///
    /// # Errors
    /// What the platform answers; `AlreadyExists` where anything has the name.
    pub fn create_file(&self, name: &CStr, content: &[u8]) -> io::Result<FileId> {
        let mut options = fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(self.child(name))?;
        file.write_all(content)?;
        Ok(metadata_of(&file)?.id)
    }

    /// Gives the child `name` another place and name on the same file system. Nothing is replaced
    /// but what appears at the new name in this very moment.
    ///
    /// # Errors
    /// What the platform answers; `AlreadyExists` where anything has the new name.
    pub fn rename_new(&self, name: &CStr, to: &Dir, new_name: &CStr) -> io::Result<()> {
        let target = to.child(new_name);
        match fs::symlink_metadata(&target) {
            Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                fs::rename(self.child(name), target)
            }
            Err(error) => Err(error),
        }
    }

    /// Removes the child `name` if it still is the node `expected`; a directory only when empty.
    ///
    /// # Errors
    /// What the platform answers; `NotFound` when another node has the name now.
    pub fn remove(&self, name: &CStr, expected: FileId, is_dir: bool) -> io::Result<()> {
        ensure_same(&self.stat(name, false, false)?, expected, is_dir)?;
        let path = self.child(name);
        if is_dir {
            fs::remove_dir(path)
        } else {
            fs::remove_file(path)
        }
    }

    pub(crate) fn child(&self, name: &CStr) -> PathBuf {
        self.path.join(os_path(name.to_bytes()))
    }
}

fn push(buffer: &mut DirBuffer, entry: &fs::DirEntry) {
    let kind = entry.file_type().map_or(Kind::Unknown, kind_of);
    let name = entry.file_name();
    buffer.push(inode_of(entry), kind, &path_bytes(name.as_ref()));
}

/// Metadata of an open file.
pub(crate) fn metadata_of(file: &fs::File) -> io::Result<Metadata> {
    Ok(convert(&file.metadata()?))
}

/// A path through which the process itself can reach `name` in `dir`.
pub(crate) fn proc_path(dir: &Dir, name: &CStr) -> OsString {
    dir.child(name).into_os_string()
}

fn kind_of(kind: fs::FileType) -> Kind {
    if kind.is_dir() {
        return Kind::Dir;
    }
    if kind.is_file() {
        return Kind::File;
    }
    if kind.is_symlink() {
        return Kind::Symlink;
    }
    special_kind(kind)
}

#[cfg(unix)]
fn special_kind(kind: fs::FileType) -> Kind {
    use std::os::unix::fs::FileTypeExt;
    match () {
        () if kind.is_fifo() => Kind::Fifo,
        () if kind.is_socket() => Kind::Socket,
        () if kind.is_block_device() => Kind::BlockDevice,
        () if kind.is_char_device() => Kind::CharDevice,
        () => Kind::Unknown,
    }
}

#[cfg(not(unix))]
fn special_kind(_kind: fs::FileType) -> Kind {
    Kind::Unknown
}

#[cfg(unix)]
fn inode_of(entry: &fs::DirEntry) -> u64 {
    std::os::unix::fs::DirEntryExt::ino(entry)
}

#[cfg(not(unix))]
fn inode_of(_entry: &fs::DirEntry) -> u64 {
    0
}

fn timestamp(time: io::Result<SystemTime>) -> Timestamp {
    let Ok(time) = time else {
        return Timestamp::default();
    };
    match time.duration_since(SystemTime::UNIX_EPOCH) {
        Ok(after) => Timestamp {
            seconds: after.as_secs() as i64,
            nanoseconds: after.subsec_nanos(),
        },
        Err(before) => {
            let before = before.duration();
            let nanoseconds = (1_000_000_000 - before.subsec_nanos()) % 1_000_000_000;
            let seconds = -(before.as_secs() as i64) - i64::from(nanoseconds != 0);
            Timestamp {
                seconds,
                nanoseconds,
            }
        }
    }
}

#[cfg(unix)]
fn convert(meta: &fs::Metadata) -> Metadata {
    use std::os::unix::fs::MetadataExt;
    let time = |seconds, nanoseconds: i64| Timestamp {
        seconds,
        nanoseconds: nanoseconds as u32,
    };
    Metadata {
        kind: Kind::from_mode(meta.mode()),
        id: FileId {
            device: meta.dev(),
            inode: meta.ino(),
        },
        mode: meta.mode(),
        links: meta.nlink(),
        uid: meta.uid(),
        gid: meta.gid(),
        size: meta.len(),
        allocated: meta.blocks() * 512,
        special: (
            rustix::fs::major(meta.rdev()),
            rustix::fs::minor(meta.rdev()),
        ),
        accessed: time(meta.atime(), meta.atime_nsec()),
        modified: time(meta.mtime(), meta.mtime_nsec()),
        changed: time(meta.ctime(), meta.ctime_nsec()),
        created: meta.created().ok().map(|t| timestamp(Ok(t))),
    }
}

#[cfg(not(unix))]
fn convert(meta: &fs::Metadata) -> Metadata {
    let kind = kind_of(meta.file_type());
    let bits = if kind == Kind::Dir {
        0o040_755
    } else {
        0o100_644
    };
    Metadata {
        kind,
        id: FileId {
            device: 0,
            inode: 0,
        },
        mode: bits,
        links: 1,
        uid: 0,
        gid: 0,
        size: meta.len(),
        allocated: meta.len(),
        special: (0, 0),
        accessed: timestamp(meta.accessed()),
        modified: timestamp(meta.modified()),
        changed: timestamp(meta.modified()),
        created: meta.created().ok().map(|t| timestamp(Ok(t))),
    }
}
