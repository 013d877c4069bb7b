//! A small file system in this process whose directories misbehave on demand.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use fuser::{
    BackgroundSession, Config, Errno, FileAttr, FileHandle, FileType, Filesystem, FopenFlags,
    Generation, INodeNo, OpenFlags, ReplyAttr, ReplyDirectory, ReplyEntry, ReplyOpen, Request,
    SessionACL,
};

/// What is wrong with a node.
#[derive(Clone, Copy, Default)]
pub(crate) struct Fault {
    /// Opening it as a directory fails.
    pub(crate) open: bool,
    /// Looking it up fails.
    pub(crate) lookup: bool,
    /// Reading fails after so many entries.
    pub(crate) read_after: Option<usize>,
    /// Every reading takes this long...
    pub(crate) delay: Duration,
    /// ... and answers with so many entries (all, if 0).
    pub(crate) portion: usize,
    /// Opening takes this long.
    pub(crate) open_delay: Duration,
    /// The inode number that it claims to have.
    pub(crate) claims: Option<u64>,
}

#[derive(Clone)]
struct Node {
    is_dir: bool,
    fault: Fault,
    children: Vec<(OsString, u64)>,
}

/// The nodes by inode number; 1 is the root.
#[derive(Clone)]
pub(crate) struct Faulty(Arc<HashMap<u64, Node>>);

/// Describes a file system before it is mounted.
#[derive(Clone)]
pub(crate) struct Plan(HashMap<u64, Node>);

impl Plan {
    pub(crate) fn new() -> Plan {
        let mut plan = Plan(HashMap::new());
        plan.insert(1, true, Fault::default());
        plan
    }

    fn insert(&mut self, inode: u64, is_dir: bool, fault: Fault) {
        let children = Vec::new();
        self.0.insert(
            inode,
            Node {
                is_dir,
                fault,
                children,
            },
        );
    }

    fn add(&mut self, parent: u64, name: &OsStr, is_dir: bool, fault: Fault) -> u64 {
        let inode = self.0.len() as u64 + 1;
        self.insert(inode, is_dir, fault);
        self.link(parent, name, inode);
        inode
    }

    /// Gives a node one more name.
    pub(crate) fn link(&mut self, parent: u64, name: &OsStr, inode: u64) {
        let parent = self.0.get_mut(&parent).unwrap();
        parent.children.push((name.to_owned(), inode));
    }

    pub(crate) fn dir(&mut self, parent: u64, name: &str, fault: Fault) -> u64 {
        self.add(parent, OsStr::new(name), true, fault)
    }

    pub(crate) fn file(&mut self, parent: u64, name: &str) -> u64 {
        self.add(parent, OsStr::new(name), false, Fault::default())
    }

    /// Adds a file that cannot be looked up.
    pub(crate) fn broken_file(&mut self, parent: u64, name: &str) {
        let fault = Fault {
            lookup: true,
            ..Fault::default()
        };
        self.add(parent, OsStr::new(name), false, fault);
    }

    /// Mounts it; dropping the answer takes it away again (package fuse3, as root).
    pub(crate) fn mount(self, at: &Path) -> BackgroundSession {
        let mut config = Config::default();
        config.acl = SessionACL::All;
        config.n_threads = Some(1);
        let fs = Faulty(Arc::new(self.0));
        fuser::spawn_mount(fs, at, &config).expect("a FUSE mount: /dev/fuse and root are needed")
    }
}

impl Faulty {
    fn attributes(&self, inode: u64) -> FileAttr {
        let node = &self.0[&inode];
        FileAttr {
            ino: INodeNo(node.fault.claims.unwrap_or(inode)),
            size: 0,
            blocks: 0,
            atime: UNIX_EPOCH,
            mtime: UNIX_EPOCH,
            ctime: UNIX_EPOCH,
            crtime: UNIX_EPOCH,
            kind: kind(node),
            perm: 0o755,
            nlink: 1,
            uid: 0,
            gid: 0,
            rdev: 0,
            flags: 0,
            blksize: 512,
        }
    }

    /// Answers one reading of a directory from `offset` on.
    fn fill(&self, inode: u64, offset: u64, mut reply: ReplyDirectory) {
        let Node {
            fault, children, ..
        } = &self.0[&inode];
        let offset = usize::try_from(offset).unwrap();
        std::thread::sleep(fault.delay);
        let fails = |at: usize| fault.read_after.is_some_and(|after| at >= after);
        if fails(offset) {
            return reply.error(Errno::EIO);
        }
        let most = if fault.portion == 0 {
            usize::MAX
        } else {
            fault.portion
        };
        let rest = children.iter().enumerate().skip(offset).take(most);
        for (at, (name, child)) in rest {
            if fails(at) || reply.add(INodeNo(*child), at as u64 + 1, kind(&self.0[child]), name) {
                break;
            }
        }
        reply.ok();
    }
}

fn kind(node: &Node) -> FileType {
    match node.is_dir {
        true => FileType::Directory,
        false => FileType::RegularFile,
    }
}

const TTL: Duration = Duration::ZERO;

impl Filesystem for Faulty {
    fn lookup(&self, _req: &Request, parent: INodeNo, name: &OsStr, reply: ReplyEntry) {
        let children = &self.0[&u64::from(parent)].children;
        match children.iter().find(|(known, _)| known == name) {
            Some((_, inode)) if self.0[inode].fault.lookup => reply.error(Errno::EIO),
            Some((_, inode)) => {
                let attributes = FileAttr {
                    ino: INodeNo(*inode),
                    ..self.attributes(*inode)
                };
                reply.entry(&TTL, &attributes, Generation(0));
            }
            None => reply.error(Errno::ENOENT),
        }
    }

    fn getattr(&self, _req: &Request, inode: INodeNo, _fh: Option<FileHandle>, reply: ReplyAttr) {
        reply.attr(&TTL, &self.attributes(u64::from(inode)));
    }

    fn opendir(&self, _req: &Request, inode: INodeNo, _flags: OpenFlags, reply: ReplyOpen) {
        let fault = self.0[&u64::from(inode)].fault;
        // Others are answered meanwhile.
        std::thread::spawn(move || {
            std::thread::sleep(fault.open_delay);
            match fault.open {
                true => reply.error(Errno::EIO),
                false => reply.opened(FileHandle(0), FopenFlags::empty()),
            }
        });
    }

    fn readdir(
        &self,
        _req: &Request,
        inode: INodeNo,
        _fh: FileHandle,
        offset: u64,
        reply: ReplyDirectory,
    ) {
        let this = self.clone();
        std::thread::spawn(move || this.fill(u64::from(inode), offset, reply));
    }
}
