//! Directories of ours where it cannot be found out whose they are: there are none.

use std::fs::File;
use std::io;
use std::path::Path;

use crate::mapping::Mapping;

/// A directory that belongs to this user alone. On this platform no directory can be shown to.
#[derive(Debug)]
pub enum PrivateDir {}

/// The lock of writers.
#[derive(Debug)]
pub enum DirLock {}

impl PrivateDir {
    /// What the names of files end in that are being written.
    pub const TEMPORARY: &'static str = ".tmp";

    /// There are none here.
    ///
    /// # Errors
    /// Always `Unsupported`.
    pub fn open(_path: &Path) -> io::Result<PrivateDir> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// There are none here.
    ///
    /// # Errors
    /// Always `Unsupported`.
    pub fn create(_path: &Path) -> io::Result<PrivateDir> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        match *self {}
    }

    /// Maps a file.
    ///
    /// # Errors
    /// Never: there is no such directory.
    pub fn map(&self, name: &str) -> io::Result<Mapping> {
        Mapping::new(&File::open(self.path().join(name))?)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// Never: there is no such directory.
    pub fn read(&self, _name: &str, _limit: u64) -> io::Result<Vec<u8>> {
        match *self {}
    }

    /// Reads the first bytes of a file.
    ///
    /// # Errors
    /// Never: there is no such directory.
    pub fn read_start(&self, _name: &str, _length: u64) -> io::Result<Vec<u8>> {
        match *self {}
    }

    /// Writes behind the first bytes of a file.
    ///
    /// # Errors
    /// Never: there is no such directory.
    pub fn append(&self, _name: &str, _length: u64, _bytes: &[u8]) -> io::Result<()> {
        match *self {}
    }

    /// Makes or replaces a file.
    ///
    /// # Errors
    /// Never: there is no such directory.
    pub fn replace<T, E: From<io::Error>>(
        &self,
        _name: &str,
        _write: impl FnOnce(&mut File) -> Result<T, E>,
    ) -> Result<T, E> {
        match *self {}
    }

    /// Removes a file.
    ///
    /// # Errors
    /// Never: there is no such directory.
    pub fn remove(&self, _name: &str) -> io::Result<()> {
        match *self {}
    }

    /// The names of its files.
    ///
    /// # Errors
    /// Never: there is no such directory.
    pub fn names(&self) -> io::Result<Vec<String>> {
        match *self {}
    }

    /// Takes the lock of writers.
    ///
    /// # Errors
    /// Never: there is no such directory.
    pub fn lock(&self, _name: &str) -> io::Result<Option<DirLock>> {
        match *self {}
    }
}
