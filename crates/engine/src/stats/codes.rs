//! The codes of a whole batch: from columns where they tell, else one by one.

use groma_base::Kind;
use groma_catalog::{Damage, KindFlags, SectionId};

use super::batch::Batch;
use super::coder::{Coder, bulk_code, kind_code};
use super::field::Grouping;
use groma_query::bound::{NumberField, TimeField};

/// What is already known of the entries of a batch.
pub(super) struct Known<'a> {
    pub(super) kinds: &'a [KindFlags],
    pub(super) sizes: &'a [u64],
    /// Places of entries that nothing else is known of.
    pub(super) unknown: &'a [u32],
}

/// Room for columns.
#[derive(Debug, Default)]
pub(super) struct Room {
    halves: Vec<u16>,
    words: Vec<u32>,
    seconds: Vec<i64>,
}

impl Coder<'_> {
    /// The codes of a batch, in its order.
    pub(super) fn codes(
        &self,
        batch: &mut Batch<'_>,
        known: &Known<'_>,
        room: &mut Room,
        out: &mut Vec<u64>,
    ) -> Result<(), Damage> {
        out.clear();
        if matches!(self.grouping, Grouping::Flag(_) | Grouping::Flags) {
            out.extend(batch.ids.iter().map(|&id| self.flags_code(id)));
            return Ok(());
        }
        if !batch.is_stored() || !self.by_columns(batch, known, room, out)? {
            out.clear();
            return self.one_by_one(batch, out);
        }
        if self.has_foreigners() {
            self.put_foreigners(batch, out)?;
        }
        Ok(())
    }

    /// A column whose numbers are the codes of a batch.
    pub(super) fn line_cells<'v>(
        &self,
        batch: &Batch<'v>,
    ) -> Result<Option<&'v [[u8; 2]]>, Damage> {
        let segment = batch.view.segment();
        let (Some(&first), Some(&last)) = (batch.ids.first(), batch.ids.last()) else {
            return Ok(None);
        };
        let is_told = matches!(self.grouping, Grouping::Extension)
            && segment.extensions()?.len() <= usize::from(u16::MAX)
            && self.foreigners(first..=last).next().is_none();
        Ok(is_told
            .then(|| batch.cells(segment.extension_numbers()))
            .flatten())
    }

    /// Codes that no column tells; entries of one directory may have one in common.
    fn one_by_one(&self, batch: &Batch<'_>, out: &mut Vec<u64>) -> Result<(), Damage> {
        let mut last = None;
        for &id in &batch.ids {
            let directory = match self.is_of_directory() {
                true => self.view.parent(id)?,
                false => None,
            };
            let code = match last {
                Some((of, code)) if directory == Some(of) => code,
                _ => self.code(id)?,
            };
            last = directory.map(|directory| (directory, code));
            out.push(code);
        }
        Ok(())
    }

    /// Codes of what the dictionaries of the segment do not know.
    fn put_foreigners(&self, batch: &Batch<'_>, out: &mut [u64]) -> Result<(), Damage> {
        let (Some(&first), Some(&last)) = (batch.ids.first(), batch.ids.last()) else {
            return Ok(());
        };
        for id in self.foreigners(first..=last) {
            if let Ok(at) = batch.ids.binary_search(&id)
                && let Some(code) = out.get_mut(at)
            {
                *code = self.code(id)?;
            }
        }
        Ok(())
    }

    /// Codes from columns; `false` where there is no column that tells.
    fn by_columns(
        &self,
        batch: &mut Batch<'_>,
        known: &Known<'_>,
        room: &mut Room,
        out: &mut Vec<u64>,
    ) -> Result<bool, Damage> {
        match self.grouping {
            Grouping::Extension => return self.extensions(batch, room, out),
            Grouping::Category(_) => {
                if !self.extensions(batch, room, out)? {
                    return Ok(false);
                }
                for (code, flags) in out.iter_mut().zip(known.kinds) {
                    let category = self.category_of(*code);
                    *code = if flags.kind() == Kind::File {
                        category
                    } else {
                        0
                    };
                }
            }
            Grouping::Type => out.extend(known.kinds.iter().map(|flags| kind_code(flags.kind()))),
            Grouping::Root => out.resize(batch.ids.len(), 1),
            Grouping::Name | Grouping::Stem => {
                let names = batch.view.segment().name_numbers();
                let is_told = batch.plain(names, &mut room.words);
                out.extend(room.words.iter().map(|&name| u64::from(name) + 1));
                return Ok(is_told);
            }
            Grouping::Owner | Grouping::Group | Grouping::Volume | Grouping::Mode => {
                self.packed_codes(batch, out)?;
                forget_unknown(known, out);
            }
            Grouping::Number(NumberField::Size, _, classes) => {
                out.extend(known.sizes.iter().map(|&size| classes.of(size) + 1));
                forget_unknown(known, out);
            }
            Grouping::Number(NumberField::Allocated, _, classes) => {
                batch.allocated(known.sizes, out)?;
                out.iter_mut()
                    .for_each(|code| *code = classes.of(*code) + 1);
                forget_unknown(known, out);
            }
            Grouping::Bulkiness(bulk) => {
                batch.allocated(known.sizes, out)?;
                for (code, &size) in out.iter_mut().zip(known.sizes) {
                    *code = bulk_code(*bulk, size, *code);
                }
                forget_unknown(known, out);
            }
            Grouping::Time(TimeField::Modified, _, calendar) => {
                batch.seconds(&mut room.seconds)?;
                let seconds = room.seconds.iter();
                out.extend(seconds.map(|&at| self.period_code(calendar, at)));
                forget_unknown(known, out);
            }
            Grouping::Age(ages) => {
                batch.seconds(&mut room.seconds)?;
                out.extend(room.seconds.iter().map(|&at| ages.of(at) + 1));
                forget_unknown(known, out);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Codes that follow from one packed column.
    fn packed_codes(&self, batch: &mut Batch<'_>, out: &mut Vec<u64>) -> Result<(), Damage> {
        match self.grouping {
            Grouping::Volume => packed(batch, SectionId::Volume, out, |number| {
                number.saturating_add(1)
            }),
            Grouping::Mode => packed(batch, SectionId::Mode, out, |mode| (mode & 0o7777) + 1),
            _ => packed(batch, SectionId::Owner, out, |owner| self.owner_code(owner)),
        }
    }

    /// Numbers of extensions, each a code.
    fn extensions(
        &self,
        batch: &Batch<'_>,
        room: &mut Room,
        out: &mut Vec<u64>,
    ) -> Result<bool, Damage> {
        let segment = batch.view.segment();
        if !batch.plain(segment.extension_numbers(), &mut room.halves) {
            return Ok(false);
        }
        out.extend(room.halves.iter().map(|&number| u64::from(number)));
        if segment.extensions()?.len() > usize::from(u16::MAX) {
            let extensions = segment.extensions()?;
            for (code, &id) in out.iter_mut().zip(&batch.ids) {
                if *code == u64::from(u16::MAX) {
                    *code = extensions.of_row(id)?.into();
                }
            }
        }
        Ok(true)
    }
}

/// Codes from the numbers of a packed column.
fn packed(
    batch: &mut Batch<'_>,
    column: SectionId,
    out: &mut Vec<u64>,
    code: impl Fn(u64) -> u64,
) -> Result<(), Damage> {
    batch.packed(column, out)?;
    out.iter_mut().for_each(|number| *number = code(*number));
    Ok(())
}

/// What a stat call did not tell has no code.
fn forget_unknown(known: &Known<'_>, out: &mut [u64]) {
    for &at in known.unknown {
        if let Some(code) = out.get_mut(at as usize) {
            *code = 0;
        }
    }
}
