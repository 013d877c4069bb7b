//! What the system says about itself.

/// The host's name; empty when it has none.
#[cfg(unix)]
pub fn hostname() -> String {
    rustix::system::uname()
        .nodename()
        .to_string_lossy()
        .into_owned()
}

/// The host's name; empty when it has none.
#[cfg(not(unix))]
pub fn hostname() -> String {
    std::env::var("COMPUTERNAME").unwrap_or_default()
}
