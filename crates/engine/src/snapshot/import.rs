//! Exports of ncdu become trees: read entry by entry into a builder.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use groma_base::{BatchEntry, CancelToken, DirId, EntryBatch, FileId, Kind, Metadata, Timestamp};
use groma_catalog::{About, Builder, Times, Volume};
use groma_formats::ncdu::{NcduEvent, NcduItem, NcduReader};

use super::save::Saved;
use super::tree::{Tree, sealed};
use super::{SnapError, load, save};

/// Entries of one batch, and between two looks at whether somebody wants to stop.
const BATCH: usize = 4096;
/// Bytes that are read at a time.
const BUFFER: usize = 1 << 16;

/// The word that a tree's source begins with that came from ncdu.
pub(super) const SOURCE: &[u8] = b"ncdu";
/// Follows it where the export had owners, modes and times.
pub(super) const EXTENDED: &[u8] = b"extended";

/// What is to be imported, and where to.
pub struct ImportRequest {
    /// The export.
    pub input: PathBuf,
    /// The snapshot. One that is there is replaced.
    pub output: PathBuf,
    /// Threads that write.
    pub threads: usize,
    /// Ends it early.
    pub cancel: CancelToken,
}

/// Makes a snapshot of an export of ncdu, which may be packed with gzip or zstd.
///
/// # Errors
/// [`SnapError`]; the file is as it was.
pub fn import(request: &ImportRequest) -> Result<Saved, SnapError> {
    let tree = read_ncdu(&request.input, &request.cancel)?;
    save::write(
        &tree,
        &request.output,
        Times::All,
        request.threads,
        &request.cancel,
    )
}

/// How a file is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packing {
    None,
    Gzip,
    Zstd,
}

/// Told by its first bytes.
pub(super) fn packing(start: &[u8]) -> Packing {
    match start {
        [0x1f, 0x8b, ..] => Packing::Gzip,
        [0x28, 0xb5, 0x2f, 0xfd, ..] => Packing::Zstd,
        _ => Packing::None,
    }
}

fn unpacked(mut file: BufReader<File>) -> io::Result<Box<dyn Read>> {
    Ok(match packing(file.fill_buf()?) {
        Packing::None => Box::new(file),
        Packing::Gzip => Box::new(flate2::bufread::MultiGzDecoder::new(file)),
        Packing::Zstd => Box::new(zstd::stream::read::Decoder::with_buffer(file)?),
    })
}

/// Reads an export of ncdu into memory.
///
/// # Errors
/// [`SnapError::Ncdu`] with the place of what is wrong, and others.
pub fn read_ncdu(path: &Path, cancel: &CancelToken) -> Result<Tree, SnapError> {
    let failed = |error| SnapError::Ncdu {
        path: path.to_owned(),
        error,
    };
    let file = load::regular(path).map_err(|error| SnapError::io(path, error))?;
    let reader = unpacked(BufReader::with_capacity(BUFFER, file));
    let reader = reader.map_err(|error| SnapError::io(path, error))?;
    let mut reader = NcduReader::new(reader).map_err(failed)?;
    let mut intake = Intake::default();
    let mut item = NcduItem::default();
    loop {
        match reader.read(&mut item).map_err(failed)? {
            NcduEvent::Dir => intake.dir(&item),
            NcduEvent::Entry => intake.entry(&item),
            NcduEvent::Up => drop(intake.open.pop()),
            NcduEvent::End => break,
        }
        if intake.batch.len() >= BATCH {
            intake
                .push()
                .map_err(|error| SnapError::build(path, error))?;
            if cancel.is_cancelled() {
                return Err(SnapError::Cancelled);
            }
        }
    }
    intake
        .push()
        .map_err(|error| SnapError::build(path, error))?;
    let about = intake.about(reader.header().timestamp);
    let volume = |device| Volume {
        device,
        ..Volume::default()
    };
    let segment = sealed(path, intake.builder, &about, volume, cancel)?;
    Ok(Tree {
        segment: Arc::new(segment),
        unread: intake.unread,
        is_partial: false,
    })
}

/// Items on their way to a builder.
#[derive(Default)]
struct Intake {
    builder: Builder,
    batch: EntryBatch,
    /// The directories around the next item: number and device.
    open: Vec<(DirId, u64)>,
    dirs: u32,
    root: Vec<u8>,
    /// Whether any item has more than sizes.
    is_extended: bool,
    /// Places that could not be read.
    unread: u64,
}

impl Intake {
    fn push(&mut self) -> Result<(), groma_catalog::BuildError> {
        self.builder.push(&self.batch)?;
        self.batch.clear();
        Ok(())
    }

    fn dir(&mut self, item: &NcduItem) {
        let dir = DirId(self.dirs);
        self.dirs = self.dirs.saturating_add(1);
        if self.open.is_empty() {
            self.root.clone_from(&item.name);
        }
        let device = self.device(item);
        self.take(item, Kind::Dir, Some(dir));
        if item.has_read_error {
            self.batch.mark_unread(dir);
        }
        self.open.push((dir, device));
    }

    fn entry(&mut self, item: &NcduItem) {
        let by_mode = item.mode.map_or(Kind::Unknown, Kind::from_mode);
        let kind = match by_mode {
            // Nothing tells what was left out; what lies in a directory would stand in an array.
            _ if item.excluded.is_some() => Kind::Unknown,
            Kind::Unknown if !item.is_special => Kind::File,
            Kind::File | Kind::Dir if item.is_special => Kind::Unknown,
            kind => kind,
        };
        self.take(item, kind, None);
    }

    fn device(&self, item: &NcduItem) -> u64 {
        let around = self.open.last().map_or(0, |dir| dir.1);
        item.device.unwrap_or(around)
    }

    fn take(&mut self, item: &NcduItem, kind: Kind, dir: Option<DirId>) {
        self.unread += u64::from(item.has_read_error);
        self.is_extended |= item.mode.is_some() || item.uid.is_some() || item.modified.is_some();
        let is_known = [item.size, item.device, item.inode]
            .iter()
            .any(Option::is_some);
        let is_known = is_known || item.mode.is_some();
        let is_unknown = item.excluded.is_some() || item.has_read_error && !is_known;
        let metadata = (!is_unknown).then(|| self.metadata(item, kind));
        let parent = self.open.last().map(|dir| dir.0);
        self.batch.push(BatchEntry {
            parent,
            dir,
            name: match parent {
                Some(_) => &item.name,
                None => b"",
            },
            kind,
            has_acl: false,
            is_mount: false,
            is_broken: false,
            excluded: item.excluded,
            metadata: metadata.as_ref(),
        });
    }

    fn metadata(&self, item: &NcduItem, kind: Kind) -> Metadata {
        // Until version 1.16 ncdu did not say how many links there are, only that there are more.
        let links = item.links.unwrap_or(1 + u64::from(item.is_hard_link));
        Metadata {
            kind,
            id: FileId {
                device: self.device(item),
                inode: item.inode.unwrap_or(0),
            },
            mode: item.mode.unwrap_or(0),
            links,
            uid: item.uid.unwrap_or(0),
            gid: item.gid.unwrap_or(0),
            size: item.size.unwrap_or(0),
            allocated: item.allocated.unwrap_or(0),
            special: (0, 0),
            accessed: Timestamp::default(),
            modified: item.modified.unwrap_or_default(),
            changed: Timestamp::default(),
            created: None,
        }
    }

    fn about(&self, timestamp: Option<i64>) -> About {
        let time = Timestamp::from_seconds(timestamp.unwrap_or(0));
        let mut source = SOURCE.to_vec();
        if self.is_extended {
            source.push(0);
            source.extend_from_slice(EXTENDED);
        }
        About {
            root: self.root.clone(),
            source,
            begun: time,
            ended: time,
        }
    }
}
