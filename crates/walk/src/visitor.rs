//! What a walk tells, and what it is answered.

use groma_base::{FileId, Kind, Metadata, Warning};
use groma_sys::{Dir, DirBuffer, EntryName};

/// A directory that is being read.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    /// Index of the root it lies under.
    pub root: usize,
    /// Its path as it is shown: empty, or ending in `/`. An entry's path is this and its name.
    pub path: &'a [u8],
    /// How many bytes of `path` the root's own prefix takes.
    pub prefix_len: usize,
    /// Its distance from the root; its entries lie one farther.
    pub depth: u32,
    /// The directory itself.
    pub dir: &'a Dir,
    /// What the visitor answered when it was an entry ([`Step::Enter`]); for a root, what it was given.
    pub tag: u64,
    /// Its identity, where [`crate::WalkOptions::identities`] or another option needs it.
    pub id: Option<FileId>,
}

/// An entry that no rule leaves out.
#[derive(Clone, Copy)]
pub struct Found<'a> {
    /// Its name.
    pub name: EntryName<'a>,
    /// Its kind; of its target when links are followed and this one leads somewhere.
    pub kind: Kind,
    /// The target's metadata, for a link that was followed.
    pub target: Option<&'a Metadata>,
    /// Whether a walk may go on inside: it is a directory above the depth limit.
    pub enterable: bool,
}

/// A directory about which the visitor wanted to know what lies in it first ([`Step::Judge`]).
pub struct Judged<'a> {
    /// Index of the root it lies under.
    pub root: usize,
    /// Path of the directory it lies in, as it is shown: empty, or ending in `/`.
    pub parent_path: &'a [u8],
    /// How many bytes of `parent_path` the root's own prefix takes.
    pub prefix_len: usize,
    /// Its name; empty for a root.
    pub name: EntryName<'a>,
    /// Its distance from the root.
    pub depth: u32,
    /// The directory itself; `None` when it could not be opened.
    pub dir: Option<&'a Dir>,
    /// All that lies in it; `None` when it could not be read.
    pub contents: Option<&'a DirBuffer>,
    /// The visitor's mark from [`Step::Judge`].
    pub tag: u64,
    /// Whether a walk would go on inside.
    pub enterable: bool,
}

/// What to do with an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Nothing more.
    Skip,
    /// Read it, if it is a directory above the depth limit. The number comes back as
    /// [`Place::tag`].
    Enter(u64),
    /// Like `Enter`, but not now: it comes back in the [`crate::Frontier`] that the run ends with.
    Later(u64),
    /// Open it even below the depth limit, and ask [`Visitor::judge`] with its contents. The
    /// number comes back as [`Judged::tag`].
    Judge(u64),
}

/// Receives what one worker finds. Each worker has its own visitor.
pub trait Visitor: Send {
    /// A directory is about to be told entry by entry.
    fn enter(&mut self, _place: &Place<'_>) {}

    /// Asked after [`Visitor::enter`]: whether what lies in the directory is known already, so that
    /// it need not be read. Then its entries have been put into `known`, which was empty. Not asked
    /// where rule files are looked for, or about a directory that was judged.
    fn recall(&mut self, _place: &Place<'_>, _known: &mut DirBuffer) -> bool {
        false
    }

    /// One entry.
    fn entry(&mut self, place: &Place<'_>, found: &Found<'_>) -> Step;

    /// A directory that [`Step::Judge`] asked for, now read. Answers whether to go on inside.
    fn judge(&mut self, judged: &Judged<'_>) -> Step {
        Step::Enter(judged.tag)
    }

    /// A part of a directory has been told; reading the next may take a while.
    fn pause(&mut self) {}

    /// The directory has been told completely, or as far as it could be read.
    fn leave(&mut self, _place: &Place<'_>) {}

    /// What lies in a directory is not known, or not all of it. `root` and `tag` are those that
    /// [`Place`] tells of it. A warning says why.
    fn unread(&mut self, _root: usize, _tag: u64) {}

    /// The worker has nothing to do for the moment.
    fn idle(&mut self) {}

    /// A place that could not be read.
    fn warn(&mut self, warning: Warning);
}
