//! From one test to a step on columns.

use std::ops::RangeInclusive;

use groma_base::{Kind, Timestamp};
use groma_catalog::{KindFlags, Owner, SectionId, Volume};

use super::SelectError;
use super::bits;
use super::dirs;
use super::explain::StepId;
use super::filter::{Filter, PackedCells, Singly};
use super::frame::Frame;
use super::kinds::{Kinds, has_metadata, is_read_dir, known_kind};
use super::numbers::{self, Depths, Lengths, SizePairs, Sizes, is_in};
use super::plan::{Node, ROW_BY_ROW};
use super::set::RowSet;
use super::texts;
use super::times::Times;
use crate::bound::{Expr, NumberField, Test, TimeField, ratio_in};
use crate::fields::Field;
use crate::flags::Flag;

/// Plans the rows for which a test has the answer `want`.
pub(crate) fn build<'f>(
    frame: &'f Frame<'_>,
    test: &Test,
    want: bool,
    step: StepId,
) -> Result<Node<'f>, SelectError> {
    let leaf = Leaf { frame, want, step };
    match test {
        Test::Text(field, text) => texts::text(&leaf, *field, text),
        Test::Extension(extensions) => texts::extensions(&leaf, extensions),
        Test::Under(directory) => texts::under(&leaf, directory),
        Test::Kind(kinds) => {
            let answer = |flags| known_kind(flags).map(|kind| kinds.contains(&kind));
            Ok(leaf.kinds(answer))
        }
        Test::Number(field, ranges) => leaf.number(test, *field, ranges),
        Test::Bulkiness(ranges) => {
            let (ranges, want) = (ranges.clone(), want);
            let test = move |size: u64, allocated: u64| {
                let ratio = (size > 0).then(|| allocated as f64 / size as f64);
                ratio.is_some_and(|ratio| ranges.iter().any(|r| ratio_in(r, ratio))) == want
            };
            let pairs = SizePairs::new(frame, test)?;
            Ok(leaf.with_metadata(leaf.filter(pairs, 4)))
        }
        Test::Time(field, spans) => {
            let times = Times::new(frame, *field, spans, want)?;
            let cost = if *field == TimeField::Modified { 2 } else { 4 };
            let node = leaf.filter(times, cost);
            // What is not known is stored as zero.
            let zero = Timestamp::default();
            if spans.iter().any(|span| span.contains(zero)) != want {
                return Ok(node);
            }
            Ok(match field {
                TimeField::Created => leaf.with_flag(node, KindFlags::HAS_CREATED),
                _ => leaf.with_metadata(node),
            })
        }
        Test::Perm(tests) => leaf.modes(|mode| tests.iter().any(|test| test.matches(mode))),
        Test::Flag(flag) => leaf.flag(test, *flag),
        Test::Missing(field) => Ok(leaf.missing(test, *field)),
        Test::Unknown(_) => Ok(leaf.singly(test)),
    }
}

/// What all steps of one test have in common.
pub(super) struct Leaf<'f, 'v> {
    pub(super) frame: &'f Frame<'v>,
    pub(super) want: bool,
    pub(super) step: StepId,
}

impl<'f> Leaf<'f, '_> {
    pub(super) fn filter(&self, filter: impl Filter + 'f, cost: u8) -> Node<'f> {
        Node::Filter(Box::new(filter), cost, self.step)
    }

    /// Rows by an answer that depends on kind and flags alone.
    pub(super) fn kinds(&self, answer: impl Fn(KindFlags) -> Option<bool>) -> Node<'f> {
        self.passing(|flags| answer(flags) == Some(self.want))
    }

    /// Rows whose kind and flags pass.
    fn passing(&self, passes: impl Fn(KindFlags) -> bool) -> Node<'f> {
        self.filter(Kinds::new(self.frame.segment, passes), 1)
    }

    /// Rows of a node that also have metadata.
    pub(super) fn with_metadata(&self, node: Node<'f>) -> Node<'f> {
        node.and(self.passing(has_metadata))
    }

    fn with_flag(&self, node: Node<'f>, flag: KindFlags) -> Node<'f> {
        node.and(self.passing(move |flags| has_metadata(flags) && flags.has(flag)))
    }

    /// The wanted answer of a node whose answer is known for every row.
    pub(super) fn known(&self, node: Node<'f>) -> Node<'f> {
        if self.want { node } else { node.negated() }
    }

    pub(super) fn packed_column(
        &self,
        id: SectionId,
    ) -> Result<groma_catalog::PackedColumn<'f>, SelectError> {
        Ok(self.frame.segment.packed_column(id)?)
    }

    fn number(
        &self,
        test: &Test,
        field: NumberField,
        ranges: &[RangeInclusive<u64>],
    ) -> Result<Node<'f>, SelectError> {
        let (frame, want, own) = (self.frame, self.want, ranges.to_vec());
        match field {
            NumberField::Size => {
                let node = self.filter(Sizes::new(frame.segment, ranges, want), 2);
                // What is not known is stored as 0.
                let is_settled = is_in(ranges, 0) != want;
                Ok(if is_settled {
                    node
                } else {
                    self.with_metadata(node)
                })
            }
            NumberField::Allocated => {
                let test = move |_, allocated| is_in(&own, allocated) == want;
                Ok(self.with_metadata(self.filter(SizePairs::new(frame, test)?, 4)))
            }
            NumberField::Uid => self.owners(|owner| is_in(ranges, owner.uid.into())),
            NumberField::Gid => self.owners(|owner| is_in(ranges, owner.gid.into())),
            NumberField::Links => self.packed(SectionId::Links, ranges),
            NumberField::Inode => self.packed(SectionId::Inode, ranges),
            NumberField::Depth => Ok(self.filter(
                Depths {
                    frame,
                    ranges: own,
                    want,
                },
                5,
            )),
            NumberField::PathLength => Ok(self.filter(
                Lengths {
                    frame,
                    ranges: own,
                    want,
                },
                7,
            )),
            NumberField::NameLength => texts::lengths(self, ranges),
            NumberField::Items
            | NumberField::Files
            | NumberField::Dirs
            | NumberField::TreeItems
            | NumberField::TreeSize
            | NumberField::TreeAllocated => self.directories(test, field, ranges),
        }
    }

    /// Numbers of a packed column that a stat call told.
    fn packed(
        &self,
        id: SectionId,
        ranges: &[RangeInclusive<u64>],
    ) -> Result<Node<'f>, SelectError> {
        let filter = numbers::packed(self.packed_column(id)?, ranges, self.want);
        Ok(self.with_metadata(Node::Filter(filter, 3, self.step)))
    }

    /// Each owner is asked once.
    fn owners(&self, passes: impl Fn(Owner) -> bool) -> Result<Node<'f>, SelectError> {
        let count = self.frame.segment.owner_count();
        let mut set = bits::empty(u32::try_from(count).unwrap_or(u32::MAX));
        for (number, at) in (0..).zip(0..count) {
            if passes(self.frame.segment.owner(at)?) == self.want {
                bits::set(&mut set, number);
            }
        }
        let filter = numbers::packed_bits(self.packed_column(SectionId::Owner)?, set);
        Ok(self.with_metadata(Node::Filter(filter, 3, self.step)))
    }

    /// Each file system is asked once.
    pub(super) fn volumes(
        &self,
        answer: impl Fn(Volume) -> Option<bool>,
    ) -> Result<Node<'f>, SelectError> {
        let count = self.frame.segment.volume_count();
        let mut set = bits::empty(u32::try_from(count).unwrap_or(u32::MAX));
        for (number, at) in (0..).zip(0..count) {
            if answer(self.frame.segment.volume(at)?) == Some(self.want) {
                bits::set(&mut set, number);
            }
        }
        let filter = numbers::packed_bits(self.packed_column(SectionId::Volume)?, set);
        Ok(self.with_metadata(Node::Filter(filter, 3, self.step)))
    }

    /// Each of the 4096 modes is asked once.
    fn modes(&self, passes: impl Fn(u32) -> bool) -> Result<Node<'f>, SelectError> {
        Ok(self.with_metadata(self.mode_filter(passes)?))
    }

    fn mode_filter(&self, passes: impl Fn(u32) -> bool) -> Result<Node<'f>, SelectError> {
        let mut set = bits::empty(0o10_000);
        for mode in (0..0o10_000).filter(|&mode| passes(mode) == self.want) {
            bits::set(&mut set, mode);
        }
        let filter = numbers::packed_bits(self.packed_column(SectionId::Mode)?, set);
        Ok(Node::Filter(filter, 3, self.step))
    }

    /// A number that only directories have. Others have none, which is known.
    fn directories(
        &self,
        test: &Test,
        field: NumberField,
        ranges: &[RangeInclusive<u64>],
    ) -> Result<Node<'f>, SelectError> {
        let others = |flags| known_kind(flags).is_some() && !flags.is_dir();
        if !self.frame.is_sealed() {
            return Ok(self.singly_where(test, KindFlags::is_dir, others, false));
        }
        let matching = Node::Set(dirs::matching(self.frame, field, ranges)?, self.step);
        Ok(match self.want {
            true => matching.and(self.passing(is_read_dir)),
            false => {
                let known = self.passing(move |flags| is_read_dir(flags) || others(flags));
                known.and(matching.negated())
            }
        })
    }

    /// Some rows are asked one by one; others are known to have the answer `answer`.
    fn singly_where(
        &self,
        test: &Test,
        asked: impl Fn(KindFlags) -> bool,
        known: impl Fn(KindFlags) -> bool,
        answer: bool,
    ) -> Node<'f> {
        let asked = self.passing(asked).and(self.singly(test));
        match answer == self.want {
            true => Node::Or(vec![self.passing(known), asked]),
            false => asked,
        }
    }

    /// Rows asked one by one.
    pub(super) fn singly(&self, test: &Test) -> Node<'f> {
        let singly = Singly {
            frame: self.frame,
            expr: Expr::Test(test.clone()),
            want: self.want,
        };
        self.filter(singly, ROW_BY_ROW)
    }

    /// Whether an entry has a field is always known.
    fn missing(&self, test: &Test, field: Field) -> Node<'f> {
        match field {
            Field::Size
            | Field::Allocated
            | Field::Owner
            | Field::Group
            | Field::Uid
            | Field::Gid
            | Field::Perm
            | Field::Links
            | Field::Inode
            | Field::Modified
            | Field::Age
            | Field::Accessed
            | Field::Changed => self.kinds(|flags| Some(!has_metadata(flags))),
            Field::Type => self.kinds(|flags| Some(flags.kind() == Kind::Unknown)),
            Field::Category => self.kinds(|flags| Some(flags.kind() != Kind::File)),
            _ => self.singly(test),
        }
    }

    fn flag(&self, test: &Test, flag: Flag) -> Result<Node<'f>, SelectError> {
        let kind = |wanted: Kind| move |flags| known_kind(flags).map(|kind| kind == wanted);
        match flag {
            Flag::File => Ok(self.kinds(kind(Kind::File))),
            Flag::Dir => Ok(self.kinds(kind(Kind::Dir))),
            Flag::Symlink => Ok(self.kinds(kind(Kind::Symlink))),
            Flag::Hidden => texts::hidden(self),
            Flag::Readonly => self.modes(|mode| mode & 0o222 == 0),
            Flag::Executable => {
                // Of a regular file, which needs metadata; nothing else is executable.
                let bit = self.mode_filter(|mode| mode & 0o111 != 0)?;
                Ok(self.of_files(bit, |flags| flags.kind() != Kind::File))
            }
            Flag::Empty => self.empty(test),
            Flag::Broken => Ok(self.kinds(|flags| {
                Some(flags.kind() == Kind::Symlink && flags.has(KindFlags::BROKEN))
            })),
            Flag::Mount => Ok(self.kinds(|flags| Some(flags.has(KindFlags::MOUNT)))),
            Flag::Hardlinked => self.hard_linked(),
            Flag::Sparse => {
                let want = self.want;
                let test = move |size, allocated| (allocated < size) == want;
                let pairs = self.filter(SizePairs::new(self.frame, test)?, 4);
                let others = |flags| has_metadata(flags) && flags.kind() != Kind::File;
                Ok(self.of_files(pairs, others))
            }
            Flag::Dupe => texts::shared(self),
            Flag::Error => Ok(self.kinds(|flags| {
                Some(flags.has(KindFlags::UNREAD) || flags.has(KindFlags::NO_METADATA))
            })),
            _ => self.volumes(|volume| windows_attribute(flag, volume)),
        }
    }

    /// What is asked of regular files with metadata; `others` are known to have not.
    fn of_files(&self, asked: Node<'f>, others: impl Fn(KindFlags) -> bool) -> Node<'f> {
        let file = |flags: KindFlags| has_metadata(flags) && flags.kind() == Kind::File;
        let asked = self.passing(file).and(asked);
        match self.want {
            true => asked,
            false => Node::Or(vec![self.passing(others), asked]),
        }
    }

    fn hard_linked(&self) -> Result<Node<'f>, SelectError> {
        let want = self.want;
        let column = self.packed_column(SectionId::Links)?;
        let links = self.filter(
            PackedCells {
                column,
                test: move |links| (links > 1) == want,
            },
            3,
        );
        let other = self
            .passing(|flags| has_metadata(flags) && !flags.is_dir())
            .and(links);
        Ok(match want {
            true => other,
            false => {
                let dir = self.passing(|flags| has_metadata(flags) && flags.is_dir());
                Node::Or(vec![dir, other])
            }
        })
    }

    /// Files without bytes and directories without entries.
    fn empty(&self, test: &Test) -> Result<Node<'f>, SelectError> {
        let want = self.want;
        let zero = self.filter(Sizes::new(self.frame.segment, &[0..=0], want), 2);
        let file = |flags: KindFlags| has_metadata(flags) && flags.kind() == Kind::File;
        let mut parts = vec![self.passing(file).and(zero)];
        if !self.frame.is_sealed() {
            parts.push(self.passing(KindFlags::is_dir).and(self.singly(test)));
        } else {
            let set = dirs::matching(self.frame, NumberField::Items, &[0..=0])?;
            let empty = self.known(Node::Set(set, self.step));
            parts.push(self.passing(is_read_dir).and(empty));
        }
        if !want {
            let others = |flags: KindFlags| !matches!(flags.kind(), Kind::File | Kind::Dir);
            parts.push(self.passing(others));
        }
        Ok(Node::Or(parts))
    }
}

/// As row-at-a-time evaluation has it: other file systems compress and encrypt as well.
fn windows_attribute(flag: Flag, volume: Volume) -> Option<bool> {
    flag.windows_attribute()?;
    match flag {
        Flag::Compressed | Flag::Encrypted => None,
        _ => volume.has_no_windows_attributes().then_some(false),
    }
}

/// A set as a step.
pub(super) fn set<'f>(leaf: &Leaf<'f, '_>, set: RowSet) -> Node<'f> {
    Node::Set(set, leaf.step)
}
