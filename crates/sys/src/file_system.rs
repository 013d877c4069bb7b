//! Which file system a directory lies on, told by what outlasts a mount.

use std::io;
use std::path::Path;

/// What the system tells about the file system of a directory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileSystem {
    /// Device number; another one at the next mount.
    pub device: u64,
    /// Number of the mount, where the system has such numbers.
    pub mount: Option<u64>,
    /// UUID, where there is one that the kernel or the device manager knows.
    pub uuid: Option<[u8; 16]>,
    /// What statfs(2) tells as identity; of many file systems it stays the same for ever.
    pub fsid: Option<u64>,
}

impl FileSystem {
    /// Asks for the file system of the directory `path`, links followed.
    ///
    /// # Errors
    /// What open(2) or fstat(2) answers. What else is not to be had is left out.
    pub fn of(path: &Path) -> io::Result<FileSystem> {
        platform::of(path)
    }
}

#[cfg(target_os = "linux")]
mod platform {
    use std::io;
    use std::os::fd::{AsRawFd, OwnedFd};
    use std::path::Path;

    use rustix::fs::{AtFlags, Mode, OFlags, StatxFlags};

    use super::FileSystem;

    pub(super) fn of(path: &Path) -> io::Result<FileSystem> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let fd = rustix::fs::open(path, flags, Mode::empty())?;
        let device = rustix::fs::fstat(&fd)?.st_dev;
        Ok(FileSystem {
            device,
            mount: mount(&fd),
            uuid: uuid(&fd).or_else(|| uuid_of_device(device)),
            fsid: fsid(&fd),
        })
    }

    fn mount(fd: &OwnedFd) -> Option<u64> {
        let mask = StatxFlags::MNT_ID;
        let answer = rustix::fs::statx(fd, c"", AtFlags::EMPTY_PATH, mask).ok()?;
        (answer.stx_mask & mask.bits() != 0).then_some(answer.stx_mnt_id)
    }

    fn fsid(fd: &OwnedFd) -> Option<u64> {
        let mut answer = std::mem::MaybeUninit::<libc::statfs>::zeroed();
        // SAFETY: `answer` is writable and as large as the call expects.
        let failed = unsafe { libc::fstatfs(fd.as_raw_fd(), answer.as_mut_ptr()) } != 0;
        // SAFETY: zeroed, a `statfs` is valid, whether the call wrote to it or not.
        let answer = unsafe { answer.assume_init() };
        // SAFETY: `fsid_t` is two numbers of 32 bits whose names are private.
        let halves: [u32; 2] = unsafe { std::mem::transmute(answer.f_fsid) };
        let id = u64::from(halves[0]) << 32 | u64::from(halves[1]);
        (!failed && id != 0).then_some(id)
    }

    /// `FS_IOC_GETFSUUID` of Linux 6.9 fills this in.
    #[repr(C)]
    #[derive(Default)]
    struct Answer {
        length: u8,
        uuid: [u8; 16],
    }

    /// `_IOR(0x15, 0, struct fsuuid2)` as most machines encode it.
    #[cfg(not(any(
        target_arch = "powerpc",
        target_arch = "powerpc64",
        target_arch = "mips",
        target_arch = "mips64",
        target_arch = "sparc",
        target_arch = "sparc64"
    )))]
    const GET_UUID: u32 = 2 << 30 | 17 << 16 | 0x15 << 8;
    #[cfg(any(
        target_arch = "powerpc",
        target_arch = "powerpc64",
        target_arch = "mips",
        target_arch = "mips64",
        target_arch = "sparc",
        target_arch = "sparc64"
    ))]
    const GET_UUID: u32 = 2 << 29 | 17 << 16 | 0x15 << 8;

    fn uuid(fd: &OwnedFd) -> Option<[u8; 16]> {
        let mut answer = Answer::default();
        // SAFETY: the call writes at most the 17 bytes of `answer`, which its number tells.
        let failed = unsafe { libc::ioctl(fd.as_raw_fd(), GET_UUID as _, &mut answer) } != 0;
        let is_known = !failed && answer.length > 0 && answer.uuid != [0; 16];
        is_known.then_some(answer.uuid)
    }

    /// What the device manager has found on a block device.
    fn uuid_of_device(device: u64) -> Option<[u8; 16]> {
        use std::os::unix::fs::MetadataExt;
        for entry in std::fs::read_dir("/dev/disk/by-uuid").ok()?.flatten() {
            let is_it = std::fs::metadata(entry.path()).is_ok_and(|meta| meta.rdev() == device);
            if is_it {
                return super::parse(&entry.file_name().to_string_lossy());
            }
        }
        None
    }
}

#[cfg(not(target_os = "linux"))]
mod platform {
    use std::io;
    use std::path::Path;

    use super::FileSystem;

    #[cfg(unix)]
    pub(super) fn of(path: &Path) -> io::Result<FileSystem> {
        use std::os::unix::fs::MetadataExt;
        Ok(FileSystem {
            device: std::fs::metadata(path)?.dev(),
            ..FileSystem::default()
        })
    }

    #[cfg(not(unix))]
    pub(super) fn of(path: &Path) -> io::Result<FileSystem> {
        std::fs::metadata(path).map(|_| FileSystem::default())
    }
}

/// The digits of a UUID, or of the shorter number that other file systems have, as bytes.
#[cfg(any(target_os = "linux", test))]
fn parse(text: &str) -> Option<[u8; 16]> {
    let mut bytes = [0; 16];
    let mut count = 0;
    for digit in text.chars().filter(|&c| c != '-') {
        let digit = u8::try_from(digit.to_digit(16)?).ok()?;
        let byte = bytes.get_mut(count / 2)?;
        *byte = *byte << 4 | digit;
        count += 1;
    }
    (count > 0 && count % 2 == 0).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_long_and_short_numbers() {
        let long = parse("00112233-4455-6677-8899-aabbccddeeff").unwrap();
        assert_eq!((long[0], long[15]), (0, 0xff));
        assert_eq!(
            parse("1A2b-3c4D").unwrap()[..5],
            [0x1a, 0x2b, 0x3c, 0x4d, 0]
        );
        for bad in ["", "123", "xy", "00112233445566778899aabbccddeeff00"] {
            assert_eq!(parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn one_file_system_is_told_in_one_way() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("a")).unwrap();
        let of = |path: &Path| FileSystem::of(path).unwrap();
        assert_eq!(of(dir.path()), of(&dir.path().join("a")));
        assert!(FileSystem::of(&dir.path().join("none")).is_err());
    }
}
