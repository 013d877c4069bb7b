//! Files in memory, without reading them.

use std::fs::File;
use std::io;
use std::ops::Deref;

/// The bytes of a file, mapped for reading. Pages are read when they are touched.
#[derive(Debug)]
pub struct Mapping(memmap2::Mmap);

impl Mapping {
    /// Maps all of `file`.
    ///
    /// Only for files that nobody truncates or writes to as long as the mapping lives: whoever
    /// calls this has made sure of it ([`crate::PrivateDir::map`]).
    pub(crate) fn new(file: &File) -> io::Result<Mapping> {
        // SAFETY: a mapped file must not change. The only caller maps files that lie in a
        // directory which belongs to this user and to which nobody else has access, are owned by
        // this user and writable by nobody else; and this program never truncates or modifies a
        // file there, it only replaces whole files by renaming.
        let map = unsafe { memmap2::Mmap::map(file)? };
        Ok(Mapping(map))
    }
}

impl Deref for Mapping {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}
