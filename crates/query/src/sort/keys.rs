//! What entries are compared by, one after the other.

use std::cmp::Ordering;

use groma_base::{Timestamp, basename, compare_names, extension, folded};
use groma_catalog::{Column, Damage, KindFlags, PackedColumn, StoredEntry};

use super::natural::{beginning, compare_naturally};
use super::{Field, SortKey};
use crate::bound::NumberField;
use crate::eval::number;
use crate::select::SelectError;
use crate::select::frame::Frame;

/// The largest number that a rough key tells; all larger ones are as large.
pub(super) const LARGEST: u64 = (1 << 63) - 1;
/// Of an entry without a value: behind all others.
pub(super) const MISSING: u64 = u64::MAX;

/// One key of an order, for all entries of a view.
pub(super) struct Key<'f, 'v> {
    pub(super) frame: &'f Frame<'v>,
    pub(super) key: SortKey,
    pub(super) names: Column<'v, u32>,
    pub(super) kinds: Column<'v, u16>,
    pub(super) packed: Option<PackedColumn<'v>>,
    /// For owners: the user or group of each.
    pub(super) owners: Vec<u64>,
}

/// A value of an entry.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Value {
    Number(u64),
    Time(Timestamp),
    Ratio(f64),
    Missing,
}

impl Key<'_, '_> {
    /// A number by which entries are in the order of this key, as far as it tells.
    pub(super) fn rough(&self, id: u32) -> Result<u64, SelectError> {
        let rough = match self.key.field {
            Field::Name if self.key.natural => {
                let mut name = Vec::new();
                self.append_name(id, &mut name)?;
                beginning(&folded(&name))
            }
            Field::Name => self.name_rank(id)?,
            Field::Ext => self.extension_rank(id)?,
            _ => return Ok(self.rough_of(self.value(id)?)),
        };
        Ok(self.directed(rough))
    }

    /// The rough form of a value.
    pub(super) fn rough_of(&self, value: Value) -> u64 {
        let rough = match value {
            Value::Missing => return MISSING,
            Value::Number(number) => number.min(LARGEST),
            Value::Time(at) => seconds(at.seconds),
            // Positive numbers are in the order of their bits.
            Value::Ratio(ratio) => ratio.to_bits().min(LARGEST),
        };
        self.directed(rough)
    }

    /// Large ones first, if so wanted.
    #[inline]
    pub(super) fn directed(&self, rough: u64) -> u64 {
        if self.is_reversed() {
            LARGEST - rough
        } else {
            rough
        }
    }

    /// Whether large values come first. The age is the time of change the other way round.
    pub(super) fn is_reversed(&self) -> bool {
        self.key.descending != (self.key.field == Field::Age)
    }

    /// Whether entries with this rough key are equal by this key.
    pub(super) fn tells_all(&self, rough: u64) -> bool {
        match self.key.field {
            Field::Name => !self.key.natural && self.undirected(rough) % 2 == 1,
            Field::Ext => self.undirected(rough) % 2 == 1,
            Field::Modified | Field::Age | Field::Created | Field::Accessed | Field::Changed => {
                rough == MISSING
            }
            _ => rough == MISSING || self.undirected(rough) < LARGEST,
        }
    }

    fn undirected(&self, rough: u64) -> u64 {
        self.directed(rough.min(LARGEST))
    }

    /// The order of two entries by this key alone.
    pub(super) fn compare(&self, a: u32, b: u32) -> Result<Ordering, SelectError> {
        let order = match self.key.field {
            Field::Name | Field::Ext => self.compare_texts(a, b)?,
            _ => {
                let (x, y) = (self.value(a)?, self.value(b)?);
                match (x == Value::Missing, y == Value::Missing) {
                    (false, false) => compare_values(x, y),
                    // What is missing comes last in both directions.
                    (x, y) => return Ok(x.cmp(&y)),
                }
            }
        };
        let reverse = self.key.descending != (self.key.field == Field::Age);
        Ok(if reverse { order.reverse() } else { order })
    }

    fn compare_texts(&self, a: u32, b: u32) -> Result<Ordering, SelectError> {
        if !self.key.natural || self.key.field == Field::Ext {
            let rank = |id| match self.key.field {
                Field::Ext => self.extension_rank(id),
                _ => self.name_rank(id),
            };
            let (x, y) = (rank(a)?, rank(b)?);
            // An even rank is a place between names of the segment, where several may be.
            if x != y || x % 2 == 1 {
                return Ok(x.cmp(&y));
            }
        }
        let (mut x, mut y) = (Vec::new(), Vec::new());
        self.append_name(a, &mut x)?;
        self.append_name(b, &mut y)?;
        Ok(match (self.key.field, self.key.natural) {
            (Field::Ext, _) => folded_extension(&x).cmp(&folded_extension(&y)),
            (_, true) => compare_naturally(&x, &y),
            (_, false) => compare_names(&x, &y),
        })
    }

    fn append_name(&self, id: u32, out: &mut Vec<u8>) -> Result<(), Damage> {
        self.frame.view.append_name(id, out)?;
        if out.is_empty() {
            out.extend_from_slice(basename(self.frame.view.root()));
        }
        Ok(())
    }

    /// The place of a name in the dictionary, odd; an even number where it is not in it.
    fn name_rank(&self, id: u32) -> Result<u64, SelectError> {
        if self.frame.is_plain_row(id) {
            let name = self.frame.segment.name(id)?;
            return Ok(u64::from(name) * 2 + 1);
        }
        let mut raw = Vec::new();
        self.append_name(id, &mut raw)?;
        let names = self.frame.names;
        let equal = names.equal_folded(&folded(&raw))?;
        let mut candidate = Vec::new();
        for name in equal.clone() {
            candidate.clear();
            names.append(name, &mut candidate)?;
            match candidate.as_slice().cmp(&raw) {
                Ordering::Less => {}
                Ordering::Equal => return Ok(u64::from(name) * 2 + 1),
                Ordering::Greater => return Ok(u64::from(name) * 2),
            }
        }
        Ok(u64::from(equal.end) * 2)
    }

    /// The place of an extension in its dictionary, odd; an even number where it is not in it.
    fn extension_rank(&self, id: u32) -> Result<u64, SelectError> {
        let extensions = self.frame.segment.extensions()?;
        if self.frame.is_plain_row(id) {
            return Ok(u64::from(extensions.of_row(id)?) * 2 + 1);
        }
        let mut name = Vec::new();
        self.append_name(id, &mut name)?;
        let wanted = folded_extension(&name);
        let (mut low, mut high) = (0, u32::try_from(extensions.len()).unwrap_or(u32::MAX));
        while low < high {
            let middle = low + (high - low) / 2;
            match extensions.get(middle)?.cmp(&wanted) {
                Ordering::Less => low = middle + 1,
                Ordering::Equal => return Ok(u64::from(middle) * 2 + 1),
                Ordering::Greater => high = middle,
            }
        }
        Ok(u64::from(low) * 2)
    }

    /// The value of an entry, as evaluation for a single one has it.
    pub(super) fn value(&self, id: u32) -> Result<Value, SelectError> {
        let view = self.frame.view;
        let is_known = |flags: KindFlags| !flags.has(KindFlags::NO_METADATA);
        match self.key.field {
            Field::Path => {
                let place = view.place(id).unwrap_or(u32::MAX);
                return Ok(Value::Number(place.into()));
            }
            Field::Type => return Ok(Value::Number(view.kind(id)?.kind() as u64)),
            Field::Size | Field::Modified | Field::Age if !is_known(view.kind(id)?) => {
                return Ok(Value::Missing);
            }
            Field::Size => return Ok(Value::Number(view.size(id)?)),
            Field::Modified | Field::Age => return Ok(Value::Time(view.modified(id)?)),
            _ => {}
        }
        let entry = StoredEntry::new(view, id)?;
        let value = self.asked(&entry);
        match entry.damage() {
            Some(damage) => Err(damage.into()),
            None => Ok(value.unwrap_or(Value::Missing)),
        }
    }

    fn asked(&self, entry: &dyn groma_base::Facts) -> Option<Value> {
        let field = match self.key.field {
            Field::Created => return entry.metadata()?.created.map(Value::Time),
            Field::Accessed => return Some(Value::Time(entry.metadata()?.accessed)),
            Field::Changed => return Some(Value::Time(entry.metadata()?.changed)),
            Field::Perm => return Some(Value::Number((entry.metadata()?.mode & 0o7777).into())),
            Field::Bulkiness => {
                let metadata = entry.metadata().filter(|m| m.size > 0)?;
                return Some(Value::Ratio(
                    metadata.allocated as f64 / metadata.size as f64,
                ));
            }
            Field::Allocated => NumberField::Allocated,
            Field::Owner | Field::Uid => NumberField::Uid,
            Field::Group | Field::Gid => NumberField::Gid,
            Field::Links => NumberField::Links,
            Field::Inode => NumberField::Inode,
            Field::Depth => NumberField::Depth,
            Field::Items => NumberField::Items,
            Field::Files => NumberField::Files,
            Field::Dirs => NumberField::Dirs,
            Field::TreeItems => NumberField::TreeItems,
            Field::TreeSize => NumberField::TreeSize,
            Field::TreeAllocated => NumberField::TreeAllocated,
            Field::NameLength => NumberField::NameLength,
            Field::PathLength => NumberField::PathLength,
            _ => return None,
        };
        number(field, entry).flatten().map(Value::Number)
    }
}

/// Seconds as a rough key: those of the next and the last hundred thousand million years.
#[inline]
pub(super) fn seconds(seconds: i64) -> u64 {
    const HALF: i64 = 1 << 62;
    (seconds.clamp(-HALF, HALF - 1) + HALF).cast_unsigned()
}

/// The seconds of a rough key that is neither the smallest nor the largest one.
pub(super) fn seconds_of(rough: u64) -> i64 {
    rough.cast_signed().wrapping_sub(1 << 62)
}

fn compare_values(a: Value, b: Value) -> Ordering {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.cmp(&b),
        (Value::Time(a), Value::Time(b)) => a.cmp(&b),
        (Value::Ratio(a), Value::Ratio(b)) => a.total_cmp(&b),
        // Values of one key are of one kind.
        _ => Ordering::Equal,
    }
}

fn folded_extension(name: &[u8]) -> Vec<u8> {
    folded(extension(name).unwrap_or_default())
}
