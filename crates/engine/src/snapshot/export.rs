//! Trees handed to other programs: ncdu's JSON, JSON, CSV.

use std::io::Write;

use groma_base::{Kind, Metadata};
use groma_catalog::{Damage, KindFlags, View};
use groma_formats::ncdu::{NcduHeader, NcduItem, NcduWriter};
use groma_query::bound::Expr;
use groma_query::select::Run;

use super::import::{EXTENDED, SOURCE};
use super::{Loaded, SnapError};
use crate::search::{Form, Listing, search};

/// Bytes that are collected before they are written.
const BUFFER: usize = 1 << 18;

/// The form of what is handed on.
#[derive(Debug)]
pub enum ExportForm {
    /// ncdu's JSON.
    Ncdu(NcduOptions),
    /// A listing of all entries in the order of paths, in any form that a search has.
    Listing(Form),
}

/// What an export for ncdu says and holds.
#[derive(Clone, Debug, Default)]
pub struct NcduOptions {
    /// The version of this program.
    pub version: Vec<u8>,
}

/// Writes all entries.
///
/// # Errors
/// [`SnapError`]; what was written until then is cut anywhere.
pub fn export(
    loaded: &Loaded,
    form: ExportForm,
    listing: impl FnOnce(Form) -> Listing,
    out: &mut (dyn Write + Send),
) -> Result<(), SnapError> {
    match form {
        ExportForm::Ncdu(options) => write_ncdu(loaded, &options, out),
        ExportForm::Listing(form) => {
            let root = loaded.clone().into_root();
            let listing = listing(form);
            let run = Run::new(listing.threads, listing.cancel.clone());
            let roots = [root];
            let found = search(&roots, &Expr::All, &run, None, &|| {
                std::time::Duration::ZERO
            })?;
            found.write(&listing, out)?;
            Ok(())
        }
    }
}

/// Writes ncdu's JSON. What ncdu has no member for - access and birth times, access control lists, mount
/// points - is left out; all else comes back with an import.
///
/// # Errors
/// [`SnapError::Write`], or [`SnapError::Snapshot`] with the damage that was met.
pub fn write_ncdu(
    loaded: &Loaded,
    options: &NcduOptions,
    out: &mut (dyn Write + Send),
) -> Result<(), SnapError> {
    let header = NcduHeader {
        minor: groma_formats::ncdu::MINOR,
        program: b"groma".to_vec(),
        version: options.version.clone(),
        timestamp: Some(loaded.about.ended.seconds),
    };
    let mut text = Vec::with_capacity(BUFFER + 4096);
    let mut outflow = Outflow {
        view: &loaded.view,
        writer: NcduWriter::new(&header, &mut text),
        is_extended: is_extended(&loaded.about.source),
        root: &loaded.about.root,
        open: Vec::new(),
        item: NcduItem::default(),
    };
    for row in 0..loaded.view.len() {
        outflow
            .row(row, &mut text)
            .map_err(|damage| SnapError::damaged(&loaded.path, damage))?;
        if text.len() >= BUFFER {
            out.write_all(&text)?;
            text.clear();
        }
    }
    outflow.close(u32::MAX, &mut text);
    out.write_all(&text)?;
    out.flush()?;
    Ok(())
}

/// Whether owners, modes and times are known: of all trees but those of a plain export.
fn is_extended(source: &[u8]) -> bool {
    let mut words = source.split(|&byte| byte == 0);
    words.next() != Some(SOURCE) || words.any(|word| word == EXTENDED)
}

/// Rows on their way to ncdu.
struct Outflow<'v> {
    view: &'v View,
    writer: NcduWriter,
    is_extended: bool,
    root: &'v [u8],
    /// The directories around the next row: where each ends, and its device.
    open: Vec<(u32, u64)>,
    item: NcduItem,
}

impl Outflow<'_> {
    fn row(&mut self, row: u32, out: &mut Vec<u8>) -> Result<(), Damage> {
        self.close(row, out);
        let flags = self.view.kind(row)?;
        let metadata = self.view.metadata(row)?;
        self.describe(row, flags, metadata.as_ref())?;
        // Only directories can have entries, and the root of an export is one.
        if flags.is_dir() {
            self.writer.dir(&self.item, out);
            let around = self.open.last().map_or(0, |dir| dir.1);
            let device = metadata.map_or(around, |m| m.id.device);
            self.open.push((self.view.subtree(row)?.end, device));
        } else {
            self.writer.entry(&self.item, out);
        }
        Ok(())
    }

    /// Ends the directories that end at `row`.
    fn close(&mut self, row: u32, out: &mut Vec<u8>) {
        while self.open.pop_if(|dir| dir.0 <= row).is_some() {
            self.writer.up(out);
        }
    }

    fn describe(
        &mut self,
        row: u32,
        flags: KindFlags,
        metadata: Option<&Metadata>,
    ) -> Result<(), Damage> {
        let mut name = std::mem::take(&mut self.item.name);
        name.clear();
        match row {
            0 => name.extend_from_slice(self.root),
            _ => self.view.append_name(row, &mut name)?,
        }
        let is_unread = flags.has(KindFlags::UNREAD);
        let excluded = flags.excluded();
        let extended = metadata.filter(|_| self.is_extended);
        let around = self.open.last().map(|dir| dir.1);
        let is_hard_link = metadata.is_some_and(|m| m.links > 1 && !flags.is_dir());
        self.item = NcduItem {
            name,
            size: metadata.map(|m| m.size),
            allocated: metadata.map(|m| m.allocated),
            device: metadata
                .map(|m| m.id.device)
                .filter(|device| Some(*device) != around),
            inode: metadata.map(|m| m.id.inode).filter(|&inode| inode != 0),
            is_hard_link,
            links: metadata.map(|m| m.links).filter(|_| is_hard_link),
            has_read_error: is_unread || metadata.is_none() && excluded.is_none(),
            excluded,
            is_special: !matches!(flags.kind(), Kind::File | Kind::Dir)
                && excluded.is_none()
                && metadata.is_some(),
            uid: extended.map(|m| m.uid),
            gid: extended.map(|m| m.gid),
            mode: extended.map(|m| m.mode),
            modified: extended.map(|m| m.modified),
        };
        Ok(())
    }
}
