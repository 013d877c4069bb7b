//! What happened while files were read.

use groma_base::Warning;

/// What happened while files were read to be compared.
#[derive(Debug, Default)]
pub struct Reading {
    /// Bytes that were read.
    pub bytes: u64,
    /// Files that could not be read.
    pub unreadable: Vec<Warning>,
    /// Files that are not what the catalog says any more: they were not compared.
    pub changed: Vec<Vec<u8>>,
    /// Files that are gone.
    pub vanished: Vec<Vec<u8>>,
    /// Files that were not read because no more bytes were allowed, and their bytes.
    pub skipped: (u64, u128),
}

impl Clone for Reading {
    fn clone(&self) -> Reading {
        let copy = |warning: &Warning| Warning {
            path: warning.path.clone(),
            action: warning.action,
            error: match warning.error.raw_os_error() {
                Some(code) => std::io::Error::from_raw_os_error(code),
                None => warning.error.kind().into(),
            },
            incomplete: warning.incomplete,
        };
        Reading {
            bytes: self.bytes,
            unreadable: self.unreadable.iter().map(copy).collect(),
            changed: self.changed.clone(),
            vanished: self.vanished.clone(),
            skipped: self.skipped,
        }
    }
}
