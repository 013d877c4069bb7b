//! What sort of thing an entry names.

/// The kind of an entry, as `d_type` or `st_mode` tell it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A regular file.
    File,
    /// A directory.
    Dir,
    /// A symbolic link, not followed.
    Symlink,
    /// A block device.
    BlockDevice,
    /// A character device.
    CharDevice,
    /// A named pipe.
    Fifo,
    /// A Unix-domain socket.
    Socket,
    /// The file system did not say (`DT_UNKNOWN`), or a kind this program does not know.
    Unknown,
}

impl Kind {
    /// The lower-case word used in output and queries.
    pub fn word(self) -> &'static str {
        match self {
            Kind::File => "file",
            Kind::Dir => "dir",
            Kind::Symlink => "symlink",
            Kind::BlockDevice => "block-device",
            Kind::CharDevice => "char-device",
            Kind::Fifo => "fifo",
            Kind::Socket => "socket",
            Kind::Unknown => "unknown",
        }
    }

    /// The letter that opens a line of `ls -l`.
    pub fn letter(self) -> char {
        match self {
            Kind::File => '-',
            Kind::Dir => 'd',
            Kind::Symlink => 'l',
            Kind::BlockDevice => 'b',
            Kind::CharDevice => 'c',
            Kind::Fifo => 'p',
            Kind::Socket => 's',
            Kind::Unknown => '?',
        }
    }

    /// The kind that the file-type bits of a Unix mode (`S_IFMT`) tell.
    pub fn from_mode(mode: u32) -> Kind {
        match mode & 0o170_000 {
            0o100_000 => Kind::File,
            0o040_000 => Kind::Dir,
            0o120_000 => Kind::Symlink,
            0o060_000 => Kind::BlockDevice,
            0o020_000 => Kind::CharDevice,
            0o010_000 => Kind::Fifo,
            0o140_000 => Kind::Socket,
            _ => Kind::Unknown,
        }
    }
}
