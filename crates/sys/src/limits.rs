//! How many files the process may hold open.

/// The soft limit of open descriptors; `None` when there is none or it cannot be known.
#[cfg(unix)]
pub fn descriptor_limit() -> Option<u64> {
    rustix::process::getrlimit(rustix::process::Resource::Nofile).current
}

/// The soft limit of open descriptors; `None` when there is none or it cannot be known.
#[cfg(not(unix))]
pub fn descriptor_limit() -> Option<u64> {
    None
}

/// How many descriptors are open now, as far as the system tells.
pub fn open_descriptors() -> u64 {
    let listed = std::fs::read_dir("/proc/self/fd").or_else(|_| std::fs::read_dir("/dev/fd"));
    listed.map_or(16, |entries| entries.count() as u64)
}
