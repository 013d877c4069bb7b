//! Small QuickTime files: a header with its time in UTC, Apple's identifier, and filling.

use super::super::rng::Rng;

/// Seconds from 1904-01-01, from which QuickTime counts, to 1970-01-01.
const EPOCH: u64 = 2_082_844_800;

/// A movie of about `size` bytes that was taken at `seconds` after 1970; `id`: its half of a Live Photo.
pub(super) fn mov(seconds: u64, id: Option<&str>, size: usize, rng: &mut Rng) -> Vec<u8> {
    let mut out = atom(b"ftyp", b"qt  \0\0\0\0qt  ");
    let mut moov = atom(b"mvhd", &header(seconds));
    if let Some(id) = id {
        moov.extend(atom(b"meta", &identifier(id)));
    }
    let moov = atom(b"moov", &moov);
    let filling = size.saturating_sub(out.len() + moov.len()).max(8);
    let mut data = Vec::with_capacity(filling + 8);
    while data.len() < filling {
        data.extend(rng.next().to_be_bytes());
    }
    // Recorders write what they know at the end.
    out.extend(atom(b"mdat", &data));
    out.extend(moov);
    out
}

fn atom(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let mut out = (content.len() as u32 + 8).to_be_bytes().to_vec();
    out.extend(kind);
    out.extend(content);
    out
}

fn header(seconds: u64) -> Vec<u8> {
    let time = ((seconds + EPOCH) as u32).to_be_bytes();
    let mut out = vec![0; 4];
    out.extend(time);
    out.extend(time);
    out.extend(600u32.to_be_bytes());
    out.extend(1200u32.to_be_bytes());
    out.resize(100, 0);
    out
}

/// The atoms by which Apple names keys and gives their values.
fn identifier(id: &str) -> Vec<u8> {
    let key = atom(b"mdta", b"com.apple.quicktime.content.identifier");
    let mut keys = vec![0; 4];
    keys.extend(1u32.to_be_bytes());
    keys.extend(key);
    let mut data = vec![0, 0, 0, 1, 0, 0, 0, 0];
    data.extend(id.as_bytes());
    let item = atom(&[0, 0, 0, 1], &atom(b"data", &data));
    let mut handler = vec![0; 8];
    handler.extend(b"mdta");
    handler.resize(24, 0);
    let mut out = atom(b"hdlr", &handler);
    out.extend(atom(b"keys", &keys));
    out.extend(atom(b"ilst", &item));
    out
}
