//! From collected entries to a segment, section by section.

use std::io::{self, Seek, Write};
use std::mem::take;
use std::sync::OnceLock;

use groma_base::{CancelToken, Timestamp};

use super::columns::{self, ByFirstRow, in_rows};
use super::dictionary::{self, Dictionary};
use super::extensions::Extensions;
use super::links::Links;
use super::order::{Order, order};
use super::parallel::{Job, in_order};
use super::postings::write_postings;
use super::totals::{self, Share, Summing, extremes};
use super::{Builder, LastColumns, Sealed, TimeColumn, sort};
use crate::about::{About, Volume};
use crate::bytes::{allocated_from, unbias};
use crate::error::BuildError;
use crate::kinds::KindFlags;
use crate::layout::SectionId;
use crate::write::{Part, SegmentWriter};

/// Orders the entries and writes all sections.
pub(super) fn seal<W: Write + Seek>(
    mut builder: Builder,
    out: W,
    about: &About,
    volume: impl FnMut(u64) -> Volume,
    cancel: &CancelToken,
) -> Result<Sealed, BuildError> {
    builder.names.seal();
    mark_unread(&mut builder)?;
    let mut sorted = sort::sorted(&builder.names, threads());
    let mut ranks = dictionary::ranks(&sorted, builder.names.len());
    let order = order(&builder, &ranks, cancel)?;
    if order.duplicates > 0 {
        sorted = dictionary::used(&sorted, &builder.name_ids, &order.arrivals);
        ranks = dictionary::ranks(&sorted, builder.names.len());
    }
    // Raw names are needed no more: their memory is that of the dictionary now.
    let names = take(&mut builder.names);
    let dictionary = Dictionary::new(&names, &sorted, threads());
    drop((names, sorted));
    let links = Links::find(&builder, &order);
    links.mark(&mut builder.kinds, &order);
    let last = take(&mut builder.columns.last);
    let plan = Plan {
        builder: &builder,
        order: &order,
        dictionary: &dictionary,
        ranks: &ranks,
        links: &links,
        cancel,
    };
    let length = plan.write(out, about, volume, last)?;
    Ok(Sealed {
        rows: order.arrivals.len() as u32,
        names: dictionary.len as u32,
        length,
        duplicates: order.duplicates,
    })
}

/// Sets the flag of directories whose content could not be read.
fn mark_unread(builder: &mut Builder) -> Result<(), BuildError> {
    if builder.unread.is_empty() {
        return Ok(());
    }
    let mut by_id: Vec<(u32, u32)> = builder.dirs.iter().map(|d| (d.id, d.arrival)).collect();
    by_id.sort_unstable();
    for &id in &builder.unread {
        let found = by_id.binary_search_by_key(&id, |dir| dir.0);
        let at = found.map_err(|_| BuildError::BadDir(id))?;
        let kind = &mut builder.kinds[by_id[at].1 as usize];
        *kind = KindFlags(*kind).with(KindFlags::UNREAD, true).0;
    }
    Ok(())
}

/// More threads than this only wait for each other: there are not many more sections worth one.
const MOST_THREADS: usize = 8;

fn threads() -> usize {
    groma_sys::processors().min(MOST_THREADS)
}

/// Makes some sections. `None` stands for owners and volumes: what those are is asked of the caller,
/// who is not on another thread.
type SealJob<'j> = Job<'j, io::Result<Option<Part>>>;

fn part<'j>(
    first: SectionId,
    write: impl FnOnce(&mut Part) -> io::Result<()> + Send + 'j,
) -> SealJob<'j> {
    Box::new(move || {
        let mut part = Part::part(first);
        write(&mut part)?;
        Ok(Some(part))
    })
}

/// All that is known before the first byte is written.
struct Plan<'p> {
    builder: &'p Builder,
    order: &'p Order,
    dictionary: &'p Dictionary,
    ranks: &'p [u32],
    links: &'p Links,
    cancel: &'p CancelToken,
}

impl Plan<'_> {
    fn write<W: Write + Seek>(
        &self,
        out: W,
        about: &About,
        volume: impl FnMut(u64) -> Volume,
        last: LastColumns,
    ) -> Result<u64, BuildError> {
        let mut segment = SegmentWriter::new(out)?;
        segment.bytes(SectionId::About, &about.to_bytes())?;
        let extensions = OnceLock::new();
        let mut volume = Some(volume);
        in_order(threads(), self.jobs(last, &extensions), |part| {
            self.look()?;
            if let Some(part) = part? {
                segment.append(part)?;
            } else if let Some(volume) = volume.take() {
                self.write_owners_and_volumes(&mut segment, volume)?;
            }
            Ok::<(), BuildError>(())
        })?;
        self.look()?;
        let (rows, names) = (self.order.arrivals.len(), self.dictionary.len);
        Ok(segment.finish(rows as u64, names as u64)?)
    }

    /// What makes the sections, in their order.
    fn jobs<'j>(
        &'j self,
        last: LastColumns,
        extensions: &'j OnceLock<Extensions>,
    ) -> Vec<SealJob<'j>> {
        use SectionId as Id;
        let (builder, order) = (self.builder, self.order);
        let extensions = move || extensions.get_or_init(|| Extensions::new(self.dictionary));
        let time = |ids: (Id, Id), column: TimeColumn| {
            part(ids.0, move |part| columns::time(part, ids, order, &column))
        };
        vec![
            part(Id::Parent, |part| {
                columns::structure(part, builder, order, self.row_names())
            }),
            part(Id::Extension, move |part| {
                extensions().write_column(part, self.row_names())
            }),
            part(Id::Size, |part| columns::hot(part, builder, order)),
            part(Id::ModifiedNanos, |part| {
                columns::fractions(part, builder, order)
            }),
            time((Id::Accessed, Id::AccessedNanos), last.accessed),
            time((Id::Changed, Id::ChangedNanos), last.changed),
            time((Id::Created, Id::CreatedNanos), last.created),
            part(Id::Inode, move |part| {
                columns::packed(part, Id::Inode, order, &last.inode)?;
                columns::packed(part, Id::Links, order, &last.links)?;
                columns::packed(part, Id::Mode, order, &last.mode)
            }),
            Box::new(|| Ok(None)),
            part(Id::NameBytes, |part| self.dictionary.write(part)),
            part(Id::NameRows, |part| {
                write_postings(part, self.row_names(), self.dictionary.len)
            }),
            part(Id::ExtensionBytes, move |part| {
                extensions().write(part, self.row_names())
            }),
            part(Id::Dirs, |part| self.write_dirs(part)),
            part(Id::LinkRows, |part| self.links.write(part)),
            part(Id::SizeBlocks, |part| self.write_blocks(part)),
        ]
    }

    fn look(&self) -> Result<(), BuildError> {
        if self.cancel.is_cancelled() {
            return Err(BuildError::Cancelled);
        }
        Ok(())
    }

    /// Per row: the rank of its name.
    fn row_names(&self) -> impl Iterator<Item = u32> + Clone {
        let arrivals = self.order.arrivals.iter();
        arrivals.map(|&a| self.ranks[self.builder.name_ids[a as usize] as usize])
    }

    fn write_owners_and_volumes<W: Write>(
        &self,
        segment: &mut SegmentWriter<W>,
        mut volume: impl FnMut(u64) -> Volume,
    ) -> io::Result<()> {
        let (builder, order) = (self.builder, self.order);
        let known = |column| {
            let kinds = order.arrivals.iter();
            let kinds = kinds.map(|&a| KindFlags(builder.kinds[a as usize]));
            let rows = kinds.zip(in_rows(order, column));
            rows.map(|(kind, old)| (!kind.has(KindFlags::NO_METADATA)).then_some(old))
        };
        let (owner, device) = (&builder.columns.owner, &builder.columns.device);
        let owners = ByFirstRow::new(known(owner), builder.owners.values.len());
        let volumes = ByFirstRow::new(known(device), builder.devices.values.len());
        let numbers = known(owner).map(|old| owners.number(old));
        segment.packed(SectionId::Owner, numbers)?;
        let numbers = known(device).map(|old| volumes.number(old));
        segment.packed(SectionId::Volume, numbers)?;
        let table = owners.order.iter();
        let table = table.map(|&old| builder.owners.values[old as usize].to_bytes());
        segment.plain(SectionId::Owners, table)?;
        let table = volumes.order.iter().map(|&old| {
            let device = builder.devices.values[old as usize];
            let described = Volume {
                device,
                ..volume(device)
            };
            described.to_bytes()
        });
        segment.plain(SectionId::Volumes, table)
    }

    fn write_dirs<W: Write>(&self, segment: &mut SegmentWriter<W>) -> io::Result<()> {
        let order = self.order;
        for (id, column) in [
            (SectionId::Dirs, &order.dirs),
            (SectionId::DirEnd, &order.dir_ends),
            (SectionId::DirChildren, &order.dir_children),
        ] {
            segment.packed(id, column.iter().map(|&number| number.into()))?;
        }
        totals::write(segment, &self.totals())
    }

    fn totals(&self) -> Vec<totals::Totals> {
        let mut summing = Summing::default();
        let mut ends = self.order.dir_ends.iter().copied();
        for (row, &arrival) in (0..).zip(&self.order.arrivals) {
            let share = self.share(arrival as usize);
            let end = if share.kind.is_dir() {
                ends.next()
            } else {
                None
            };
            summing.row(row, end, &share);
        }
        summing.finish()
    }

    fn share(&self, arrival: usize) -> Share {
        let columns = &self.builder.columns;
        let size = columns.size.get(arrival);
        let nanoseconds = columns.modified.nanoseconds.get(arrival);
        Share {
            kind: KindFlags(self.builder.kinds[arrival]),
            size,
            allocated: allocated_from(size, columns.allocated.get(arrival)),
            modified: Timestamp {
                seconds: unbias(columns.modified.seconds.get(arrival)),
                nanoseconds: u32::try_from(nanoseconds).unwrap_or(0),
            },
        }
    }

    fn write_blocks<W: Write>(&self, segment: &mut SegmentWriter<W>) -> io::Result<()> {
        let columns = &self.builder.columns;
        let sizes = in_rows(self.order, &columns.size);
        segment.plain(SectionId::SizeBlocks, extremes(sizes, u64::to_le_bytes))?;
        let modified = columns::seconds(self.order, &columns.modified);
        segment.plain(
            SectionId::ModifiedBlocks,
            extremes(modified, i64::to_le_bytes),
        )
    }
}
