//! Some nodes as a block: columns of numbers, then names; deflated, and written in base64.
//!
//! Numbers are LEB128 (seven bits a byte, low bits first); those that may be negative are zigzag.
//! A block is: the number of its nodes; then, each for all nodes, depth, flags, length of the name,
//! category, owner, size, allocated size less size in whole pages, time less the time before; then
//! the names. `page/blocks.js` reads this.

use std::io::{self, Write};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::DeflateEncoder;

use super::{MAX_SIZE, Node};

/// The bits of the column of flags.
const DIR: u64 = 1;
const ERROR: u64 = 2;
const COUNTED_ELSEWHERE: u64 = 4;
const NO_TIME: u64 = 8;

/// What file systems mostly give space in: most allocated sizes are the size in whole pages.
const PAGE: u64 = 4096;

/// Seconds before and after 1970: as far as differences of times are exact in a browser.
const FARTHEST: i64 = 1 << 50;

/// The columns of the nodes that are not yet written.
#[derive(Debug, Default)]
pub(super) struct Block {
    nodes: u64,
    depth: Vec<u8>,
    flags: Vec<u8>,
    name_length: Vec<u8>,
    category: Vec<u8>,
    owner: Vec<u8>,
    size: Vec<u8>,
    allocated: Vec<u8>,
    modified: Vec<u8>,
    names: Vec<u8>,
    last_modified: i64,
}

impl Block {
    /// How many nodes there are.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// How many bytes their names have.
    pub(super) fn name_bytes(&self) -> usize {
        self.names.len()
    }

    /// Adds a node.
    pub(super) fn push(&mut self, node: &Node<'_>) {
        self.nodes += 1;
        push_number(u64::from(node.depth), &mut self.depth);
        push_number(flags(node), &mut self.flags);
        push_number(node.name.len() as u64, &mut self.name_length);
        push_number(u64::from(node.category), &mut self.category);
        push_number(u64::from(node.owner), &mut self.owner);
        let size = node.size.min(MAX_SIZE);
        push_number(size, &mut self.size);
        let allocated = node.allocated.min(MAX_SIZE);
        push_signed(
            exact(allocated) - exact(size.next_multiple_of(PAGE)),
            &mut self.allocated,
        );
        if let Some(modified) = node.modified {
            let modified = modified.clamp(-FARTHEST, FARTHEST);
            push_signed(modified - self.last_modified, &mut self.modified);
            self.last_modified = modified;
        }
        self.names.extend_from_slice(node.name);
    }

    /// Writes the block as one line of base64 and empties it.
    pub(super) fn write(&mut self, out: &mut impl Write) -> io::Result<()> {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
        let mut count = Vec::new();
        push_number(self.nodes, &mut count);
        encoder.write_all(&count)?;
        for column in self.columns() {
            encoder.write_all(column)?;
            column.clear();
        }
        out.write_all(STANDARD.encode(encoder.finish()?).as_bytes())?;
        self.nodes = 0;
        self.last_modified = 0;
        Ok(())
    }

    /// All columns in the order in which they are written.
    fn columns(&mut self) -> [&mut Vec<u8>; 9] {
        [
            &mut self.depth,
            &mut self.flags,
            &mut self.name_length,
            &mut self.category,
            &mut self.owner,
            &mut self.size,
            &mut self.allocated,
            &mut self.modified,
            &mut self.names,
        ]
    }
}

fn flags(node: &Node<'_>) -> u64 {
    let bit = |flag, when: bool| if when { flag } else { 0 };
    bit(DIR, node.is_dir)
        | bit(ERROR, node.is_error)
        | bit(COUNTED_ELSEWHERE, node.is_counted_elsewhere)
        | bit(NO_TIME, node.modified.is_none())
}

/// A number not far above [`MAX_SIZE`], which fits.
fn exact(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

fn push_signed(value: i64, out: &mut Vec<u8>) {
    let zigzag = (value << 1) ^ (value >> 63);
    push_number(u64::from_ne_bytes(zigzag.to_ne_bytes()), out);
}

fn push_number(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value.to_le_bytes()[0] | 0x80);
        value >>= 7;
    }
    out.push(value.to_le_bytes()[0]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_leb128_and_zigzag() {
        let written = |push: &dyn Fn(&mut Vec<u8>)| {
            let mut out = Vec::new();
            push(&mut out);
            out
        };
        assert_eq!(written(&|out| push_number(0, out)), [0]);
        assert_eq!(written(&|out| push_number(300, out)), [0xAC, 2]);
        assert_eq!(written(&|out| push_signed(-1, out)), [1]);
        assert_eq!(written(&|out| push_signed(1, out)), [2]);
        assert_eq!(written(&|out| push_signed(-64, out)), [127]);
        assert_eq!(written(&|out| push_number(u64::MAX, out)).len(), 10);
    }
}
