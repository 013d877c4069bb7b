//! One run of the reader of Everything's file lists on any bytes. Shared by the fuzz target and the
//! test that replays its seeds.

use groma_formats::efu::{EfuEntry, EfuError, EfuReader};

/// Reads to the end, past every line that is wrong: nothing panics, it ends, lines count up, and
/// what is read is something.
pub(crate) fn replay(bytes: &[u8]) {
    let lines = bytes.iter().filter(|&&byte| byte == b'\n').count() + 1;
    let mut reader = match EfuReader::new(bytes) {
        Ok(reader) => reader,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let mut entry = EfuEntry::default();
    let mut last = 0;
    for _ in 0..=lines {
        let line = match reader.read(&mut entry) {
            Ok(None) => return,
            Ok(Some(line)) => {
                assert!(!entry.filename.is_empty());
                let times = [entry.modified, entry.created];
                assert!(
                    times
                        .iter()
                        .flatten()
                        .all(|time| time.nanoseconds < 1_000_000_000)
                );
                line
            }
            Err(EfuError::Line { line, .. }) => line,
            Err(error) => panic!("bytes in memory can be read, and yet: {error}"),
        };
        assert!(line > last, "line {line} after line {last}");
        last = line;
    }
    panic!("{lines} lines, and more records than that");
}
