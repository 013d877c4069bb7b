//! Users and groups, by name and by number.

#[cfg(unix)]
pub use unix::{effective_user, group_id, group_name, user_id, user_name};

#[cfg(not(unix))]
pub use other::{effective_user, group_id, group_name, user_id, user_name};

#[cfg(unix)]
mod unix {
    use std::ffi::{CStr, CString};

    /// Bytes that one answer may take; groups with very many members need much.
    const LARGEST_ANSWER: usize = 1 << 20;

    /// The number of the user called `name`.
    pub fn user_id(name: &str) -> Option<u32> {
        let name = CString::new(name).ok()?;
        lookup(|entry: *mut libc::passwd, buffer, length, result| {
            // SAFETY: all pointers are valid for the call; `lookup` owns them.
            unsafe { libc::getpwnam_r(name.as_ptr(), entry, buffer, length, result) }
        })
        .map(|(entry, _)| entry.pw_uid)
    }

    /// The number of the group called `name`.
    pub fn group_id(name: &str) -> Option<u32> {
        let name = CString::new(name).ok()?;
        lookup(|entry: *mut libc::group, buffer, length, result| {
            // SAFETY: all pointers are valid for the call; `lookup` owns them.
            unsafe { libc::getgrnam_r(name.as_ptr(), entry, buffer, length, result) }
        })
        .map(|(entry, _)| entry.gr_gid)
    }

    /// The user whose rights this process has.
    pub fn effective_user() -> u32 {
        rustix::process::geteuid().as_raw()
    }

    /// The name of user `uid`.
    pub fn user_name(uid: u32) -> Option<String> {
        let (entry, _buffer) = lookup(|entry: *mut libc::passwd, buffer, length, result| {
            // SAFETY: all pointers are valid for the call; `lookup` owns them.
            unsafe { libc::getpwuid_r(uid, entry, buffer, length, result) }
        })?;
        // SAFETY: on success the name points into `_buffer`, which is still alive.
        Some(
            unsafe { CStr::from_ptr(entry.pw_name) }
                .to_string_lossy()
                .into_owned(),
        )
    }

    /// The name of group `gid`.
    pub fn group_name(gid: u32) -> Option<String> {
        let (entry, _buffer) = lookup(|entry: *mut libc::group, buffer, length, result| {
            // SAFETY: all pointers are valid for the call; `lookup` owns them.
            unsafe { libc::getgrgid_r(gid, entry, buffer, length, result) }
        })?;
        // SAFETY: on success the name points into `_buffer`, which is still alive.
        Some(
            unsafe { CStr::from_ptr(entry.gr_name) }
                .to_string_lossy()
                .into_owned(),
        )
    }

    /// Calls one of the `get*_r` functions with a buffer that grows until the answer fits.
    fn lookup<T>(
        call: impl Fn(*mut T, *mut libc::c_char, usize, *mut *mut T) -> libc::c_int,
    ) -> Option<(T, Vec<libc::c_char>)> {
        let mut buffer: Vec<libc::c_char> = vec![0; 1024];
        loop {
            let mut entry = std::mem::MaybeUninit::<T>::uninit();
            let mut result = std::ptr::null_mut();
            let code = call(
                entry.as_mut_ptr(),
                buffer.as_mut_ptr(),
                buffer.len(),
                &mut result,
            );
            if code == libc::ERANGE && buffer.len() < LARGEST_ANSWER {
                buffer.resize(buffer.len() * 2, 0);
                continue;
            }
            if code != 0 || result.is_null() {
                return None;
            }
            // SAFETY: the call succeeded and points its result at `entry`, so it is initialised.
            return Some((unsafe { entry.assume_init() }, buffer));
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn root_is_zero_both_ways() {
            assert_eq!(user_id("root"), Some(0));
            assert_eq!(user_name(0).as_deref(), Some("root"));
            assert_eq!(group_name(0).and_then(|name| group_id(&name)), Some(0));
            assert_eq!(user_id("no such user here"), None);
            assert_eq!(user_name(3_999_999_999), None);
        }
    }
}

#[cfg(not(unix))]
mod other {
    /// Users have no numbers here.
    pub fn user_id(_name: &str) -> Option<u32> {
        None
    }

    /// Groups have no numbers here.
    pub fn group_id(_name: &str) -> Option<u32> {
        None
    }

    /// Users have no numbers here.
    pub fn effective_user() -> u32 {
        0
    }

    /// Users have no numbers here.
    pub fn user_name(_uid: u32) -> Option<String> {
        None
    }

    /// Groups have no numbers here.
    pub fn group_name(_gid: u32) -> Option<String> {
        None
    }
}
