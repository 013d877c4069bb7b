//! One run on any bytes as the log of a segment. Shared by the fuzz target and the test that
//! replays its seeds.

use std::io::Cursor;
use std::sync::Arc;

use groma_base::CancelToken;
use groma_catalog::{About, Builder, Delta, Segment, Volume};

use crate::replay::ask_view;

/// The frozen segment that the frozen log belongs to, and the number in its name.
const SEGMENT: &[u8] = include_bytes!("../samples/v1.seg");
const GENERATION: u64 = 1;
/// Bytes of a log's header, and of what stands before the content of a record.
const HEADER: usize = 40;
const FRAME: usize = 8;

/// Reads the bytes as they are, then with checksums put right, so that changed bytes get behind
/// them. A log that is read makes a view that answers every question and can be folded into a sound
/// segment.
pub(crate) fn replay(bytes: &[u8]) {
    let mut bytes = bytes.to_vec();
    for _ in 0..2 {
        let segment = Arc::new(Segment::from_bytes(SEGMENT.to_vec()).unwrap());
        if let Ok(delta) = Delta::replay(segment, GENERATION, &bytes) {
            let view = delta.view().unwrap();
            ask_view(&view).unwrap();
            let builder = Builder::of_view(&view, &CancelToken::new()).unwrap();
            let mut out = Cursor::new(Vec::new());
            let volume = |_| Volume::default();
            let sealed = builder.seal(&mut out, &About::default(), volume, &CancelToken::new());
            assert_eq!((sealed.unwrap().rows, view.len()), (view.len(), view.len()));
            let folded = Segment::from_bytes(out.into_inner()).unwrap();
            folded.check(&CancelToken::new()).unwrap();
        }
        sign(&mut bytes);
    }
}

/// Puts right the header, and the checksum of each record: it goes on from that of the one before.
fn sign(bytes: &mut Vec<u8>) {
    bytes.resize(bytes.len().max(HEADER), 0);
    let (header, records) = bytes.split_at_mut(HEADER);
    header[..8].copy_from_slice(b"groma\x1aLG");
    header[8..12].copy_from_slice(&1u32.to_le_bytes());
    header[12..16].copy_from_slice(&SEGMENT[60..64]);
    header[16..24].copy_from_slice(&GENERATION.to_le_bytes());
    header[24..32].copy_from_slice(&(SEGMENT.len() as u64).to_le_bytes());
    header[32..36].fill(0);
    let mut checksum = crc32c::crc32c(&header[..36]);
    header[36..].copy_from_slice(&checksum.to_le_bytes());
    let mut rest = records;
    while rest.len() >= FRAME {
        let (frame, after) = rest.split_at_mut(FRAME);
        // A length that leads out of the log becomes what is left: one more record is read.
        let told = u32::from_le_bytes(frame[..4].try_into().unwrap()) as usize;
        let length = told.min(after.len());
        frame[..4].copy_from_slice(&(length as u32).to_le_bytes());
        let (content, next) = after.split_at_mut(length);
        checksum = crc32c::crc32c_append(checksum, &frame[..4]);
        checksum = crc32c::crc32c_append(checksum, content);
        frame[4..].copy_from_slice(&checksum.to_le_bytes());
        rest = next;
    }
}
