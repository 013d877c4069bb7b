//! Which entry of LS_COLORS applies to what an entry looks like.

use groma_base::Kind;
use lscolors::Indicator;

use super::Painter;

/// What is known of an entry when it is painted. Unknown facts count as "no": the colour is then
/// the one of the kind alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Looks {
    /// Kind of the entry itself, or of what it leads to where links are followed.
    pub kind: Kind,
    /// Unix mode.
    pub mode: Option<u32>,
    /// Number of hard links.
    pub links: Option<u64>,
    /// Whether the file has capabilities.
    pub has_capability: Option<bool>,
    /// What a symbolic link leads to.
    pub target: Option<Target>,
}

/// What a symbolic link leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Nothing: the link is broken.
    Missing,
    /// Something.
    Found {
        /// Its kind.
        kind: Kind,
        /// Its mode, if asked for.
        mode: Option<u32>,
    },
}

impl Looks {
    /// An entry of which no more is known than its kind.
    pub fn of_kind(kind: Kind) -> Looks {
        Looks {
            kind,
            mode: None,
            links: None,
            has_capability: None,
            target: None,
        }
    }
}

/// The entries of LS_COLORS that can apply to a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    File,
    Dir,
    Symlink,
    Orphan,
    Missing,
    Fifo,
    Socket,
    BlockDevice,
    CharDevice,
    Setuid,
    Setgid,
    Capability,
    Executable,
    HardLinks,
    StickyOtherWritable,
    OtherWritable,
    Sticky,
}

impl Class {
    pub(super) const COUNT: usize = Class::ALL.len();

    /// All classes, each at the index of its own number.
    pub(super) const ALL: [Class; 17] = [
        Class::File,
        Class::Dir,
        Class::Symlink,
        Class::Orphan,
        Class::Missing,
        Class::Fifo,
        Class::Socket,
        Class::BlockDevice,
        Class::CharDevice,
        Class::Setuid,
        Class::Setgid,
        Class::Capability,
        Class::Executable,
        Class::HardLinks,
        Class::StickyOtherWritable,
        Class::OtherWritable,
        Class::Sticky,
    ];

    pub(super) fn indicator(self) -> Indicator {
        match self {
            Class::File => Indicator::RegularFile,
            Class::Dir => Indicator::Directory,
            Class::Symlink => Indicator::SymbolicLink,
            Class::Orphan => Indicator::OrphanedSymbolicLink,
            Class::Missing => Indicator::MissingFile,
            Class::Fifo => Indicator::FIFO,
            Class::Socket => Indicator::Socket,
            Class::BlockDevice => Indicator::BlockDevice,
            Class::CharDevice => Indicator::CharacterDevice,
            Class::Setuid => Indicator::Setuid,
            Class::Setgid => Indicator::Setgid,
            Class::Capability => Indicator::Capabilities,
            Class::Executable => Indicator::ExecutableFile,
            Class::HardLinks => Indicator::MultipleHardLinks,
            Class::StickyOtherWritable => Indicator::StickyAndOtherWritable,
            Class::OtherWritable => Indicator::OtherWritable,
            Class::Sticky => Indicator::Sticky,
        }
    }
}

const SETUID: u32 = 0o4000;
const SETGID: u32 = 0o2000;
const STICKY: u32 = 0o1000;
const ANY_EXECUTE: u32 = 0o111;
const OTHER_WRITE: u32 = 0o002;

impl Painter {
    pub(super) fn class_of(&self, looks: &Looks) -> Class {
        match (looks.kind, looks.target) {
            (Kind::Symlink, Some(Target::Missing)) => self.broken_link_class(),
            (Kind::Symlink, Some(Target::Found { kind, mode })) if self.links_like_targets => self
                .class_of_kind(&Looks {
                    kind,
                    mode,
                    ..*looks
                }),
            _ => self.class_of_kind(looks),
        }
    }

    fn broken_link_class(&self) -> Class {
        let differs = self.links_like_targets || self.sets(Indicator::OrphanedSymbolicLink);
        if differs {
            Class::Orphan
        } else {
            Class::Symlink
        }
    }

    fn class_of_kind(&self, looks: &Looks) -> Class {
        match looks.kind {
            Kind::File => self.file_class(looks),
            Kind::Dir => self.dir_class(looks.mode.unwrap_or(0)),
            Kind::Symlink => Class::Symlink,
            Kind::Fifo => Class::Fifo,
            Kind::Socket => Class::Socket,
            Kind::BlockDevice => Class::BlockDevice,
            Kind::CharDevice => Class::CharDevice,
            Kind::Unknown => self.unknown_class(looks),
        }
    }

    /// A directory that was read may not have said what the entry is; the mode then does. A mode
    /// of no known kind is an oddity and painted as one; without a mode it may well be a file.
    fn unknown_class(&self, looks: &Looks) -> Class {
        match looks.mode.map(Kind::from_mode) {
            None => Class::File,
            Some(Kind::Unknown) => Class::Missing,
            Some(kind) => self.class_of_kind(&Looks { kind, ..*looks }),
        }
    }

    fn file_class(&self, looks: &Looks) -> Class {
        let mode = looks.mode.unwrap_or(0);
        let tests = [
            (mode & SETUID != 0, Class::Setuid),
            (mode & SETGID != 0, Class::Setgid),
            (looks.has_capability == Some(true), Class::Capability),
            (mode & ANY_EXECUTE != 0, Class::Executable),
            (looks.links.is_some_and(|links| links > 1), Class::HardLinks),
        ];
        self.first_set(tests).unwrap_or(Class::File)
    }

    fn dir_class(&self, mode: u32) -> Class {
        let (sticky, writable) = (mode & STICKY != 0, mode & OTHER_WRITE != 0);
        let tests = [
            (sticky && writable, Class::StickyOtherWritable),
            (writable, Class::OtherWritable),
            (sticky, Class::Sticky),
        ];
        self.first_set(tests).unwrap_or(Class::Dir)
    }

    /// The first class whose test holds and that LS_COLORS gives a colour of its own.
    fn first_set<const N: usize>(&self, tests: [(bool, Class); N]) -> Option<Class> {
        let found = tests
            .into_iter()
            .find(|&(holds, class)| holds && self.sets(class.indicator()));
        found.map(|(_, class)| class)
    }

    pub(super) fn needs_file_mode(&self) -> bool {
        [
            Indicator::Setuid,
            Indicator::Setgid,
            Indicator::ExecutableFile,
        ]
        .into_iter()
        .any(|indicator| self.sets(indicator))
    }

    pub(super) fn needs_dir_mode(&self) -> bool {
        [
            Indicator::StickyAndOtherWritable,
            Indicator::OtherWritable,
            Indicator::Sticky,
        ]
        .into_iter()
        .any(|indicator| self.sets(indicator))
    }

    pub(super) fn sets(&self, indicator: Indicator) -> bool {
        self.colours.has_explicit_style_for(indicator)
    }
}
