//! Writes a segment section by section; header and section table come last and stand first.

use std::io::{self, Seek, SeekFrom, Write};

use groma_base::FOLD_VERSION;

use crate::layout::{
    FORMAT_VERSION, HEADER_LEN, MAGIC, SectionId, TABLE_LINE_LEN, align, data_start,
};
use crate::packed::Packer;

/// Bytes that are collected before they are written.
const BUFFER: usize = 256 * 1024;

/// A segment on its way to a file.
pub(crate) struct SegmentWriter<W> {
    out: W,
    offset: u64,
    buffer: Vec<u8>,
    /// Place of the first section among all: 0 but for a part.
    first: usize,
    lines: Vec<Line>,
}

/// Some sections that follow each other, written to memory by whoever has time.
pub(crate) type Part = SegmentWriter<Pieces>;

/// Bytes in memory, piece by piece: growing never moves them, and they are given back one after the
/// other.
#[derive(Debug, Default)]
pub(crate) struct Pieces(Vec<Box<[u8]>>);

impl Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.push(bytes.into());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Line {
    checksum: u32,
    offset: u64,
    length: u64,
    count: u64,
}

/// The section that is being written.
pub(crate) struct SectionWriter<'w, W> {
    segment: &'w mut SegmentWriter<W>,
    start: u64,
    length: u64,
    checksum: u32,
}

impl<W: Write + Seek> SegmentWriter<W> {
    /// Begins at the start of `out`, which must be empty.
    pub(crate) fn new(mut out: W) -> io::Result<SegmentWriter<W>> {
        let offset = data_start();
        out.seek(SeekFrom::Start(offset))?;
        Ok(SegmentWriter {
            out,
            offset,
            buffer: Vec::with_capacity(BUFFER + 4096),
            first: 0,
            lines: Vec::with_capacity(SectionId::ALL.len()),
        })
    }

    /// Writes header and section table. Answers the file's length.
    pub(crate) fn finish(mut self, rows: u64, names: u64) -> io::Result<u64> {
        let length = self.offset;
        let mut table = Vec::with_capacity(TABLE_LINE_LEN * self.lines.len());
        for (id, line) in SectionId::ALL.iter().zip(&self.lines) {
            table.extend_from_slice(&id.number().to_le_bytes());
            table.extend_from_slice(&line.checksum.to_le_bytes());
            table.extend_from_slice(&line.offset.to_le_bytes());
            table.extend_from_slice(&line.length.to_le_bytes());
            table.extend_from_slice(&line.count.to_le_bytes());
        }
        let header = header(self.lines.len(), rows, names, length, &table);
        self.out.seek(SeekFrom::Start(0))?;
        self.out.write_all(&header)?;
        self.out.write_all(&table)?;
        self.out.flush()?;
        Ok(length)
    }
}

impl<W: Write> SegmentWriter<W> {
    /// Adds the sections of a part, which come next.
    pub(crate) fn append(&mut self, part: Part) -> io::Result<()> {
        debug_assert_eq!(part.first, self.lines.len());
        for piece in part.out.0 {
            self.out.write_all(&piece)?;
        }
        let lines = part.lines.into_iter();
        self.lines.extend(lines.map(|line| Line {
            offset: self.offset + line.offset,
            ..line
        }));
        // A part ends where a section could begin.
        self.offset += part.offset;
        Ok(())
    }

    /// Begins a section. They come in the order of [`SectionId::ALL`], all of them.
    pub(crate) fn section(&mut self, id: SectionId) -> SectionWriter<'_, W> {
        debug_assert_eq!(id.index(), self.first + self.lines.len());
        let start = self.offset;
        SectionWriter {
            segment: self,
            start,
            length: 0,
            checksum: 0,
        }
    }

    /// Writes a section of packed values.
    pub(crate) fn packed(
        &mut self,
        id: SectionId,
        values: impl IntoIterator<Item = u64>,
    ) -> io::Result<()> {
        let mut section = self.section(id);
        let mut packer = Packer::default();
        for value in values {
            packer.push(value, &mut section.segment.buffer);
            section.flush_if_full()?;
        }
        let count = packer.count();
        let directory = packer.finish(&mut section.segment.buffer);
        section.write(&directory)?;
        section.finish(count)
    }

    /// Writes a section of elements with a fixed number of bytes each.
    pub(crate) fn plain<const N: usize>(
        &mut self,
        id: SectionId,
        elements: impl IntoIterator<Item = [u8; N]>,
    ) -> io::Result<()> {
        let mut section = self.section(id);
        let mut count = 0;
        for element in elements {
            section.write(&element)?;
            count += 1;
        }
        section.finish(count)
    }

    /// Writes a section of bytes.
    pub(crate) fn bytes(&mut self, id: SectionId, bytes: &[u8]) -> io::Result<()> {
        let mut section = self.section(id);
        for part in bytes.chunks(BUFFER) {
            section.write(part)?;
        }
        section.finish(bytes.len() as u64)
    }
}

impl Part {
    /// Begins a part with this section.
    pub(crate) fn part(first: SectionId) -> Part {
        SegmentWriter {
            out: Pieces::default(),
            offset: 0,
            buffer: Vec::new(),
            first: first.index(),
            lines: Vec::new(),
        }
    }

    /// Its sections: the bytes of each, and how many elements it has.
    pub(crate) fn into_sections(self) -> Vec<(Vec<u8>, usize)> {
        let bytes = self.out.0.concat();
        let place = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let section = |line: &Line| {
            let range = place(line.offset)..place(line.offset + line.length);
            let bytes = bytes.get(range).unwrap_or_default().to_vec();
            (bytes, place(line.count))
        };
        self.lines.iter().map(section).collect()
    }

    /// The bytes of its sections.
    #[cfg(test)]
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.out.0.concat()
    }
}

/// The header; its last four bytes are the checksum of all before them.
fn header(sections: usize, rows: u64, names: u64, length: u64, table: &[u8]) -> [u8; HEADER_LEN] {
    let sections = u32::try_from(sections).unwrap_or(u32::MAX);
    let mut bytes = Vec::with_capacity(HEADER_LEN);
    bytes.extend_from_slice(&MAGIC);
    bytes.extend_from_slice(&FORMAT_VERSION.to_le_bytes());
    bytes.extend_from_slice(&FOLD_VERSION.to_le_bytes());
    bytes.extend_from_slice(&length.to_le_bytes());
    bytes.extend_from_slice(&rows.to_le_bytes());
    bytes.extend_from_slice(&names.to_le_bytes());
    bytes.extend_from_slice(&sections.to_le_bytes());
    bytes.extend_from_slice(&crc32c::crc32c(table).to_le_bytes());
    bytes.resize(HEADER_LEN - 4, 0);
    let checksum = crc32c::crc32c(&bytes);
    bytes.extend_from_slice(&checksum.to_le_bytes());
    let mut header = [0; HEADER_LEN];
    header.copy_from_slice(&bytes);
    header
}

impl<W: Write> SectionWriter<'_, W> {
    /// Adds bytes.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.segment.buffer.extend_from_slice(bytes);
        self.flush_if_full()
    }

    fn flush_if_full(&mut self) -> io::Result<()> {
        if self.segment.buffer.len() >= BUFFER {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        let buffer = &mut self.segment.buffer;
        self.checksum = crc32c::crc32c_append(self.checksum, buffer);
        self.length += buffer.len() as u64;
        self.segment.out.write_all(buffer)?;
        buffer.clear();
        Ok(())
    }

    /// Ends the section, pads it with zeros and notes its line of the table.
    pub(crate) fn finish(mut self, count: u64) -> io::Result<()> {
        self.flush()?;
        let end = self.start + self.length;
        let padded = align(end);
        let padding = [0; crate::layout::ALIGNMENT as usize];
        let missing = usize::try_from(padded - end).unwrap_or(0);
        self.segment.out.write_all(&padding[..missing])?;
        self.segment.offset = padded;
        self.segment.lines.push(Line {
            checksum: self.checksum,
            offset: self.start,
            length: self.length,
            count,
        });
        Ok(())
    }
}
