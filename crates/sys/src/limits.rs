//! What the process may use: descriptors, processors, room in pipes.

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

/// Processors that this process may run on.
#[cfg(target_os = "linux")]
pub fn processors() -> usize {
    // One call; the standard library also reads several files for quotas of containers, which
    // takes longer than a small search does.
    let allowed = rustix::thread::sched_getaffinity(None);
    allowed.map_or(1, |set| set.count() as usize).max(1)
}

/// Processors that this process may run on.
#[cfg(not(target_os = "linux"))]
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Room that is asked for in a pipe: what an unprivileged process may have.
#[cfg(target_os = "linux")]
const PIPE_BYTES: usize = 1 << 20;

/// Gives a pipe more room, so that whoever writes and whoever reads wait for each other less. What
/// is no pipe, or may not grow, stays as it is.
#[cfg(target_os = "linux")]
pub fn widen_pipe(file: &std::fs::File) {
    if rustix::pipe::fcntl_getpipe_size(file).is_ok_and(|room| room < PIPE_BYTES) {
        let _ = rustix::pipe::fcntl_setpipe_size(file, PIPE_BYTES);
    }
}

/// Pipes have the room they have.
#[cfg(not(target_os = "linux"))]
pub fn widen_pipe(_file: &std::fs::File) {}
