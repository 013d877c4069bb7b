//! Every operating-system call groma makes, and every line of `unsafe`.
//!
//! Directories are handles ([`Dir`]): children are named relative to them, so a path has no length
//! limit and a renamed parent misleads nobody. Names are NUL-terminated bytes as the system takes
//! them.

mod access;
mod buffer;
mod examined;
#[cfg(target_os = "linux")]
mod extents;
mod file_system;
mod gone;
mod interrupt;
mod limits;
mod log_file;
mod mapping;
mod names;
mod new_file;
mod open_file;
mod replace;
mod text;
mod users;
mod vectors;

#[cfg(all(target_os = "linux", not(feature = "portable")))]
#[path = "dir_linux.rs"]
mod dir;

#[cfg(not(all(target_os = "linux", not(feature = "portable"))))]
#[path = "dir_portable.rs"]
mod dir;

#[cfg(all(target_os = "linux", not(feature = "portable")))]
#[path = "dir_placing_linux.rs"]
mod dir_placing;

#[cfg(not(all(target_os = "linux", not(feature = "portable"))))]
#[path = "dir_placing_portable.rs"]
mod dir_placing;

mod mounts;

#[cfg(unix)]
#[path = "private_dir_unix.rs"]
mod private_dir;

#[cfg(not(unix))]
#[path = "private_dir_other.rs"]
mod private_dir;

pub use access::{has_capability, is_executable, list_xattrs};
pub use buffer::{DirBuffer, EntryName, RawEntry};
pub use dir::Dir;
pub use dir_placing::{make_path, sync_tells_errors};
pub use examined::Examined;
pub use file_system::FileSystem;
pub use gone::is_gone;
pub use interrupt::{interrupted_by, set_when_interrupted};
pub use limits::{descriptor_limit, open_descriptors, processors, widen_pipe};
pub use log_file::LogFile;
pub use mapping::Mapping;
pub use names::{c_name, os_path, path_bytes};
pub use new_file::NewFile;
pub use open_file::OpenFile;
pub use private_dir::{DirLock, PrivateDir};
pub use replace::replace_file;
pub use text::hostname;
pub use users::{effective_user, group_id, group_name, user_id, user_name};
pub use vectors::{WideLoop, run_wide};

pub use mounts::{Mount, MountTable};
