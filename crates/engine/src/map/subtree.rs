//! An entry and all that lies below it, children before parents, told by open directories.
//!
//! No link is followed and no mount entered. A few of the deepest directories stay open; the way back
//! to one that does not is `..`, believed only if it leads to the node that was left.

use std::ffi::{CStr, CString};
use std::io;

use groma_base::{CancelToken, FileId, Kind, Metadata};
use groma_sys::{Dir, DirBuffer};

/// Directories that stay open.
const OPEN: usize = 32;

/// What is done with what is found.
pub(super) trait Visitor {
    /// Whether a directory may be entered.
    ///
    /// # Errors
    /// Why it may not.
    fn enters(&mut self, metadata: &Metadata) -> io::Result<()>;

    /// An entry; a directory after what lies in it. `is_clear`: everything below was [taken](Taken::Gone).
    ///
    /// # Errors
    /// Why it was not taken.
    fn take(&mut self, met: &Met<'_>, is_clear: bool) -> io::Result<Taken>;

    /// Something was not taken, entered or read.
    fn fail(&mut self, path: &[u8], error: Trouble);
}

/// What became of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// It is done with.
    Gone,
    /// It is still there, and so must be what it lies in.
    Stays,
}

/// Why an entry is left.
#[derive(Debug)]
pub(super) enum Trouble {
    /// Another file system, or another place of this one, is mounted there.
    Mount,
    /// The system said no.
    Io(io::Error),
}

/// An entry.
pub(super) struct Met<'a> {
    pub(super) dir: &'a Dir,
    pub(super) name: &'a CStr,
    pub(super) metadata: &'a Metadata,
    /// Its path.
    pub(super) path: &'a [u8],
}

/// Where to begin.
pub(super) struct Start<'a> {
    /// The directory that the entry lies in.
    pub(super) dir: &'a Dir,
    pub(super) name: CString,
    /// Its path, for messages.
    pub(super) path: &'a [u8],
    /// The node that it must be.
    pub(super) id: FileId,
}

/// A directory that has been entered.
struct Frame {
    name: CString,
    metadata: Metadata,
    /// `None`: it is to be reached again from below.
    dir: Option<Dir>,
    /// Directories in it that have not been entered yet.
    waiting: Vec<(CString, Metadata)>,
    is_clear: bool,
}

struct Walk<'a> {
    start: &'a Start<'a>,
    mount: Option<u64>,
    cancel: &'a CancelToken,
    visitor: &'a mut dyn Visitor,
    /// Path of the directory in hand.
    path: Vec<u8>,
    frames: Vec<Frame>,
    buffer: DirBuffer,
}

/// Tells an entry and all that lies below it. Ends early when cancelled.
pub(super) fn visit(start: &Start<'_>, cancel: &CancelToken, visitor: &mut dyn Visitor) {
    let mut walk = Walk {
        start,
        mount: start.dir.mount_id(),
        cancel,
        visitor,
        path: start.path.to_vec(),
        frames: Vec::new(),
        buffer: DirBuffer::default(),
    };
    let Some(metadata) = walk.examine(start.dir, &start.name) else {
        return;
    };
    if metadata.id != start.id {
        let reason = "another file has this name now";
        let error = io::Error::new(io::ErrorKind::NotFound, reason);
        return walk.visitor.fail(start.path, Trouble::Io(error));
    }
    if metadata.kind != Kind::Dir {
        walk.take(start.dir, &start.name, &metadata, true);
        return;
    }
    walk.enter(start.name.clone(), metadata);
    while !walk.frames.is_empty() && !cancel.is_cancelled() {
        walk.step();
    }
}

impl Walk<'_> {
    /// Enters the next directory, or leaves the one in hand.
    fn step(&mut self) {
        let next = self.frames.last_mut().and_then(|frame| frame.waiting.pop());
        match next {
            Some((name, metadata)) => {
                self.push_name(&name);
                self.enter(name, metadata);
            }
            None => self.leave(),
        }
    }

    /// Enters a directory whose path is the one in hand.
    fn enter(&mut self, name: CString, metadata: Metadata) {
        let above = self.frames.last().and_then(|frame| frame.dir.as_ref());
        let above = above.unwrap_or(self.start.dir);
        let opened = self
            .visitor
            .enters(&metadata)
            .and_then(|()| open(above, &name, metadata.id));
        let trouble = match opened {
            Ok(dir) if dir.mount_id() == self.mount => {
                self.frames.push(Frame {
                    name,
                    metadata,
                    dir: Some(dir),
                    waiting: Vec::new(),
                    is_clear: true,
                });
                if let Some(far) = self.frames.len().checked_sub(OPEN + 1) {
                    self.frames[far].dir = None;
                }
                return self.read();
            }
            Ok(_) => Trouble::Mount,
            Err(error) => Trouble::Io(error),
        };
        self.fail(trouble);
        self.pop_name();
    }

    /// Reads the directory in hand: what is none itself is taken at once.
    fn read(&mut self) {
        let Some(dir) = self.frames.last_mut().and_then(|frame| frame.dir.take()) else {
            return;
        };
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        // All is read before the first entry is taken: a directory that changes tells what it likes.
        let ended = loop {
            match dir.read(&mut buffer) {
                Ok(true) if !self.cancel.is_cancelled() => {}
                Ok(_) => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        if let Err(error) = ended {
            self.fail(Trouble::Io(error));
        }
        for entry in buffer.entries() {
            if self.cancel.is_cancelled() {
                break;
            }
            let name = entry.c_name();
            self.push_name(name);
            self.meet(&dir, name);
            self.pop_name();
        }
        self.buffer = buffer;
        if let Some(frame) = self.frames.last_mut() {
            frame.dir = Some(dir);
        }
    }

    /// An entry of the directory in hand.
    fn meet(&mut self, dir: &Dir, name: &CStr) {
        let Some(metadata) = self.examine(dir, name) else {
            return;
        };
        if metadata.kind != Kind::Dir {
            return self.take(dir, name, &metadata, true);
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.waiting.push((name.to_owned(), metadata));
        }
    }

    /// Looks at an entry; `None` when it vanished, or is told as a failure.
    fn examine(&mut self, dir: &Dir, name: &CStr) -> Option<Metadata> {
        let trouble = match dir.examine(name) {
            Ok(examined) => {
                let is_other = examined.metadata.id.device != self.start.id.device;
                if !is_other && examined.is_mount != Some(true) {
                    return Some(examined.metadata);
                }
                Trouble::Mount
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound && !self.frames.is_empty() => {
                return None;
            }
            Err(error) => Trouble::Io(error),
        };
        self.fail(trouble);
        None
    }

    fn take(&mut self, dir: &Dir, name: &CStr, metadata: &Metadata, is_clear: bool) {
        let met = Met {
            dir,
            name,
            metadata,
            path: &self.path,
        };
        match self.visitor.take(&met, is_clear) {
            Ok(Taken::Gone) => {}
            Ok(Taken::Stays) => self.stays(),
            Err(error) => self.fail(Trouble::Io(error)),
        }
    }

    /// Leaves the directory in hand, and takes it.
    fn leave(&mut self) {
        let Some(mut frame) = self.frames.pop() else {
            return;
        };
        let dir = match self.above(&frame) {
            Ok(dir) => dir,
            Err(error) => {
                self.fail(Trouble::Io(error));
                // Nothing above can be reached any more.
                return self.frames.clear();
            }
        };
        frame.dir = None;
        match &dir {
            Some(dir) => self.take(dir, &frame.name, &frame.metadata, frame.is_clear),
            None => {
                let start = self.start;
                self.take(start.dir, &frame.name, &frame.metadata, frame.is_clear);
            }
        }
        if let Some(above) = self.frames.last_mut() {
            above.dir = dir;
        }
        self.pop_name();
    }

    /// Takes the directory above out of its frame, or opens it again; `None` above the first one.
    fn above(&mut self, below: &Frame) -> io::Result<Option<Dir>> {
        let Some(above) = self.frames.last_mut() else {
            return Ok(None);
        };
        match (above.dir.take(), &below.dir) {
            (Some(dir), _) => Ok(Some(dir)),
            (None, Some(dir)) => open(dir, c"..", above.metadata.id).map(Some),
            (None, None) => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn fail(&mut self, trouble: Trouble) {
        self.visitor.fail(&self.path, trouble);
        self.stays();
    }

    /// Something in the directory in hand stays, and so does the directory.
    fn stays(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.is_clear = false;
        }
    }

    fn push_name(&mut self, name: &CStr) {
        self.path.push(b'/');
        self.path.extend_from_slice(name.to_bytes());
    }

    fn pop_name(&mut self) {
        let slash = self.path.iter().rposition(|&b| b == b'/');
        self.path.truncate(slash.unwrap_or(0));
    }
}

/// Opens a directory that must be the node `id`.
fn open(dir: &Dir, name: &CStr, id: FileId) -> io::Result<Dir> {
    let opened = dir.open_child(name, false)?;
    if opened.own_metadata(false)?.id == id {
        return Ok(opened);
    }
    let reason = "another directory has this name now";
    Err(io::Error::new(io::ErrorKind::NotFound, reason))
}
