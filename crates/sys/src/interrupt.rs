//! Interruption: the first signal asks the program to end with whole lines, the second ends it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

#[cfg(unix)]
use unix as platform;

/// Sets `flag` at the first SIGINT, SIGTERM or SIGHUP. The second has its usual effect, and those
/// that are ignored now stay so. To be called once.
pub fn set_when_interrupted(flag: Arc<AtomicBool>) {
    platform::install(flag);
}

/// The number of the signal that came, if one did.
pub fn interrupted_by() -> Option<u8> {
    platform::signal()
}

#[cfg(unix)]
mod unix {
    use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
    use std::sync::{Arc, OnceLock};

    static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    static SIGNAL: AtomicU8 = AtomicU8::new(0);

    /// Runs inside a signal handler: nothing here but atomic loads and stores.
    extern "C" fn note(signal: libc::c_int) {
        SIGNAL.store(signal as u8, Ordering::Relaxed);
        if let Some(flag) = FLAG.get() {
            flag.store(true, Ordering::Relaxed);
        }
    }

    pub(super) fn install(flag: Arc<AtomicBool>) {
        if FLAG.set(flag).is_err() {
            return;
        }
        for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
            install_for(signal);
        }
    }

    fn install_for(signal: libc::c_int) {
        let mut old = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
        // SAFETY: without a new action the call only writes the present one to `old`.
        let known = unsafe { libc::sigaction(signal, std::ptr::null(), old.as_mut_ptr()) } == 0;
        // SAFETY: zeroed, a `sigaction` is valid, whether the call wrote to it or not.
        let mut action = unsafe { old.assume_init() };
        if !known || action.sa_sigaction == libc::SIG_IGN {
            return;
        }
        action.sa_sigaction = note as *const () as libc::sighandler_t;
        // Not restarting calls lets a directory that does not answer be given up.
        action.sa_flags = libc::SA_RESETHAND;
        // SAFETY: `action` is initialised, and its handler does only what a handler may do.
        unsafe { libc::sigaction(signal, &action, std::ptr::null_mut()) };
    }

    pub(super) fn signal() -> Option<u8> {
        Some(SIGNAL.load(Ordering::Relaxed)).filter(|signal| *signal != 0)
    }
}

#[cfg(not(unix))]
mod platform {
    pub(super) fn install(_flag: std::sync::Arc<std::sync::atomic::AtomicBool>) {}

    pub(super) fn signal() -> Option<u8> {
        None
    }
}
