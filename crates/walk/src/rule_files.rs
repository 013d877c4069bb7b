//! The rule files of an open directory, read through its handle.

use std::io;

use groma_sys::Dir;

use crate::rules::{Links, OpenFile};

/// The files of an open directory, as the rules read them.
pub(crate) struct FilesIn<'d>(pub(crate) &'d Dir);

/// More than this no sane rule file has; what a device or a log of that name holds is not read.
const LARGEST_RULE_FILE: u64 = 64 << 20;

impl OpenFile for FilesIn<'_> {
    fn read_file(&self, path: &[u8], links: Links) -> io::Result<Vec<u8>> {
        let path = groma_sys::c_name(path).ok_or(io::ErrorKind::InvalidInput)?;
        self.0
            .read_file(&path, links == Links::Follow, LARGEST_RULE_FILE)
    }
}
