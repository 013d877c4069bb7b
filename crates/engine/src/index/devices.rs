//! The file systems that a scan meets: which of them are read, and what they are known by.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use groma_catalog::Volume;
use groma_sys::{MountTable, os_path};

use super::binds::repeated;
use super::identity;
use super::options::ScanOptions;

/// File systems that hold nothing but what the kernel makes up.
const PSEUDO: &[&str] = &[
    "autofs",
    "binder",
    "binfmt_misc",
    "bpf",
    "cgroup",
    "cgroup2",
    "configfs",
    "debugfs",
    "devpts",
    "efivarfs",
    "fusectl",
    "hugetlbfs",
    "mqueue",
    "nfsd",
    "nsfs",
    "proc",
    "pstore",
    "resctrl",
    "rpc_pipefs",
    "securityfs",
    "selinuxfs",
    "smackfs",
    "sysfs",
    "tracefs",
];

/// The file systems of one scan, shared by its workers.
#[derive(Debug)]
pub(crate) struct Devices {
    table: MountTable,
    /// Those of the roots.
    roots: Vec<u64>,
    others: bool,
    pseudo: bool,
    mounts_once: bool,
    /// Mount points that show what is read elsewhere.
    repeated: HashSet<PathBuf>,
    seen: Mutex<Vec<Seen>>,
}

#[derive(Debug)]
struct Seen {
    device: u64,
    /// A directory there.
    path: Vec<u8>,
    is_read: bool,
}

impl Devices {
    /// For a scan of roots, each a path and the device that it is on.
    pub(crate) fn new(roots: &[(&[u8], u64)], options: &ScanOptions) -> Devices {
        let seen = roots.iter().map(|&(root, device)| Seen {
            device,
            path: root.to_vec(),
            is_read: true,
        });
        // Without the table nothing is known to be made up.
        let table = MountTable::read().unwrap_or_default();
        let tops: Vec<PathBuf> = roots.iter().map(|root| os_path(root.0)).collect();
        let repeated = match options.mounts_once {
            true => repeated(table.mounts(), &tops).into_iter().collect(),
            false => HashSet::new(),
        };
        Devices {
            table,
            mounts_once: options.mounts_once,
            repeated,
            roots: roots.iter().map(|root| root.1).collect(),
            others: !options.one_file_system,
            pseudo: options.pseudo,
            seen: Mutex::new(seen.collect()),
        }
    }

    /// Whether directories on this device are read. `path` makes the path of one.
    pub(crate) fn is_read(&self, device: u64, path: impl FnOnce() -> Vec<u8>) -> bool {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = seen.iter().find(|seen| seen.device == device) {
            return known.is_read;
        }
        let kind = self.table.type_of(device).unwrap_or_default();
        let is_pseudo = PSEUDO.contains(&kind);
        let is_read = self.roots.contains(&device) || self.others && (self.pseudo || !is_pseudo);
        seen.push(Seen {
            device,
            path: path(),
            is_read,
        });
        is_read
    }

    /// Whether mount points that are not read weigh nothing.
    pub(crate) fn mounts_once(&self) -> bool {
        self.mounts_once
    }

    /// Whether what is mounted at `path` is read elsewhere.
    pub(crate) fn is_repeated(&self, path: &[u8]) -> bool {
        !self.repeated.is_empty() && self.repeated.contains(&os_path(path))
    }

    /// The devices that were met.
    pub(crate) fn seen(&self) -> Vec<u64> {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.iter().map(|seen| seen.device).collect()
    }

    /// What a segment says about a device.
    pub(crate) fn volume(&self, device: u64) -> Volume {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let found = seen.iter().find(|seen| seen.device == device);
        let path = found.map_or(&b"/"[..], |seen| &seen.path);
        identity::volume(&os_path(path), device, &self.table)
    }
}
