//! One run of the reader of ncdu's exports on any bytes. Shared by the fuzz target and the test that
//! replays its seeds.

use groma_formats::ncdu::{NcduEvent, NcduItem, NcduReader, NcduWriter};

/// Reads to the end or to the first error, and writes what was read: nothing panics, what opens closes,
/// and what was written reads back to the same bytes.
pub(crate) fn replay(bytes: &[u8]) {
    let Some(written) = rewritten(bytes) else {
        return;
    };
    assert_eq!(rewritten(&written).as_ref(), Some(&written));
}

/// What is read, written again; `None` after an error, which must say something.
pub(crate) fn rewritten(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let told = rewrite(bytes, &mut out);
    told.map_err(|error| assert!(!error.is_empty())).ok()?;
    Some(out)
}

/// The same, with the error's words.
pub(crate) fn rewrite(bytes: &[u8], out: &mut Vec<u8>) -> Result<(), String> {
    let mut reader = NcduReader::new(bytes).map_err(|error| error.to_string())?;
    let mut writer = NcduWriter::new(reader.header(), out);
    let mut item = NcduItem::default();
    let mut depth = 0u64;
    loop {
        match reader.read(&mut item).map_err(|error| error.to_string())? {
            NcduEvent::Dir => {
                depth += 1;
                writer.dir(&item, out);
            }
            NcduEvent::Entry => writer.entry(&item, out),
            NcduEvent::Up => {
                depth -= 1;
                writer.up(out);
            }
            NcduEvent::End => {
                assert_eq!(depth, 0);
                return Ok(());
            }
        }
        assert_eq!(reader.depth(), depth);
    }
}
