//! Which bytes of a file other files share, as far as the file system tells.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;

/// The layout of Linux's `struct fiemap_extent`.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Extent {
    logical: u64,
    physical: u64,
    length: u64,
    reserved: [u64; 2],
    flags: u32,
    more_reserved: [u32; 3],
}

/// Extents that are asked for at once.
const AT_ONCE: usize = 128;

/// The layout of Linux's `struct fiemap`, with room for extents.
#[repr(C)]
struct Request {
    start: u64,
    length: u64,
    flags: u32,
    mapped: u32,
    count: u32,
    reserved: u32,
    extents: [Extent; AT_ONCE],
}

/// `FS_IOC_FIEMAP`: `_IOWR('f', 11, struct fiemap)`, whose fixed part has 32 bytes.
const FIEMAP: u32 = 0xc020_660b;
const EXTENT_LAST: u32 = 0x1;
const EXTENT_SHARED: u32 = 0x2000;

/// Extents whose place on the disk says nothing: it is unknown, not chosen yet, or not the data's own.
const EXTENT_VAGUE: u32 = 0x2 | 0x4 | 0x8 | 0x80 | 0x100 | 0x200 | 0x400;

/// Bytes in extents that are shared with other files, or with other places of this one.
pub(crate) fn shared_bytes(file: &File) -> io::Result<u64> {
    let mut shared = 0u64;
    each(file, |extent| {
        if extent.flags & EXTENT_SHARED != 0 {
            shared = shared.saturating_add(extent.length);
        }
    })?;
    Ok(shared)
}

/// Whether two files lie in the same places of one disk, which must be known of all their bytes.
pub(crate) fn are_same(one: &File, other: &File) -> io::Result<bool> {
    let (one, other) = (places(one)?, places(other)?);
    Ok(one.is_some() && one == other)
}

/// Where a file's bytes lie, neighbours joined; `None` when that is not said of all of them.
fn places(file: &File) -> io::Result<Option<Vec<(u64, u64, u64)>>> {
    let mut places: Vec<(u64, u64, u64)> = Vec::new();
    let mut is_vague = false;
    each(file, |extent| {
        is_vague |= extent.flags & EXTENT_VAGUE != 0;
        match places.last_mut() {
            Some((logical, physical, length))
                if logical.saturating_add(*length) == extent.logical
                    && physical.saturating_add(*length) == extent.physical =>
            {
                *length = length.saturating_add(extent.length);
            }
            _ => places.push((extent.logical, extent.physical, extent.length)),
        }
    })?;
    Ok((!is_vague).then_some(places))
}

/// Hands out a file's extents in their order.
fn each(file: &File, mut visit: impl FnMut(&Extent)) -> io::Result<()> {
    let mut start = 0;
    loop {
        let mut request = Request {
            start,
            length: u64::MAX - start,
            flags: 0,
            mapped: 0,
            count: AT_ONCE as u32,
            reserved: 0,
            extents: [Extent::default(); AT_ONCE],
        };
        // SAFETY: `request` has the layout that the call expects and room for as many extents as it
        // says; the kernel writes nothing beyond them. The descriptor is open.
        let answer = unsafe { libc::ioctl(file.as_raw_fd(), FIEMAP as _, &raw mut request) };
        if answer < 0 {
            return Err(io::Error::last_os_error());
        }
        let mapped = (request.mapped as usize).min(AT_ONCE);
        let extents = &request.extents[..mapped];
        extents.iter().for_each(&mut visit);
        match extents.last() {
            Some(last) if last.flags & EXTENT_LAST == 0 => {
                start = last.logical.saturating_add(last.length.max(1));
            }
            _ => return Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_many_extents_shares_none_of_them() {
        use std::os::unix::fs::FileExt;
        let file = tempfile::tempfile().unwrap();
        for block in 0..400u64 {
            file.write_all_at(b"x", block * 65_536).unwrap();
        }
        file.sync_all().unwrap();
        match shared_bytes(&file) {
            Ok(shared) => assert_eq!(shared, 0),
            // tmpfs and the like do not tell.
            Err(error) => assert_eq!(error.raw_os_error(), Some(libc::EOPNOTSUPP)),
        }
    }
}
