//! The writer of a page: nodes in, one HTML file out, one block in memory.

use std::io::{self, Write};

use super::block::Block;
use super::meta::Meta;
use super::page::{self, Page};

/// One node of the tree.
#[derive(Debug, Clone, Copy, Default)]
pub struct Node<'a> {
    /// 0 for the root, one more than its directory for everything else.
    pub depth: u32,
    /// The name, byte for byte; of the root, what the page shall call it.
    pub name: &'a [u8],
    /// Whether it is a directory, which alone may hold others.
    pub is_dir: bool,
    /// Apparent size in bytes: its own, not that of what lies below.
    pub size: u64,
    /// Allocated size in bytes: its own.
    pub allocated: u64,
    /// When it was last modified, in seconds since 1970, if that is known.
    pub modified: Option<i64>,
    /// Which of [`Meta::categories`] it belongs to; of a directory it does not matter.
    pub category: u32,
    /// Which of [`Meta::owners`] owns it; where there are none it does not matter.
    pub owner: u32,
    /// Whether it, or what it holds, could not be read.
    pub is_error: bool,
    /// Whether it is a hard link whose sizes are counted at another entry.
    pub is_counted_elsewhere: bool,
}

/// Nodes in a block at most, and bytes of names after which one ends: about 3 MB in memory.
const BLOCK_NODES: u64 = 1 << 16;
const BLOCK_NAME_BYTES: usize = 1 << 22;

/// A page that is being written.
pub struct Report<W: Write> {
    out: W,
    page: Page,
    block: Block,
    nodes: u64,
    name_bytes: u64,
    categories: usize,
    owners: usize,
    /// The depth of the node before, and whether that is a directory.
    last: Option<(u32, bool)>,
}

impl<W: Write> Report<W> {
    /// Writes the page up to where nodes begin. Writes are large; `out` needs no buffer.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn begin(mut out: W, meta: &Meta<'_>) -> io::Result<Self> {
        let page = page::page(meta);
        out.write_all(page.head.as_bytes())?;
        Ok(Self {
            out,
            page,
            block: Block::default(),
            nodes: 0,
            name_bytes: 0,
            categories: meta.categories.len(),
            owners: meta.owners.len(),
            last: None,
        })
    }

    /// Adds a node. The root comes first, a directory right before what it holds.
    ///
    /// # Errors
    ///
    /// Those of the output; [`io::ErrorKind::InvalidInput`] for a node that is out of order or
    /// names a category or an owner that there is not.
    pub fn node(&mut self, node: &Node<'_>) -> io::Result<()> {
        self.check(node)?;
        self.last = Some((node.depth, node.is_dir));
        self.nodes += 1;
        self.name_bytes += node.name.len() as u64;
        self.block.push(node);
        if self.block.nodes() >= BLOCK_NODES || self.block.name_bytes() >= BLOCK_NAME_BYTES {
            self.flush()?;
        }
        Ok(())
    }

    /// Writes what is left and the end of the page, and gives the output back.
    ///
    /// A page that was not ended says so when it is opened.
    ///
    /// # Errors
    ///
    /// Those of the output; [`io::ErrorKind::InvalidInput`] when there was no node.
    pub fn end(mut self) -> io::Result<W> {
        if self.nodes == 0 {
            return Err(invalid("expected a root, found no node".to_owned()));
        }
        if self.block.nodes() > 0 {
            self.flush()?;
        }
        let tail = self.page.tail(self.nodes, self.name_bytes);
        self.out.write_all(tail.as_bytes())?;
        self.out.flush()?;
        Ok(self.out)
    }

    /// A type of script that no browser knows: what is in it is neither parsed nor run.
    fn flush(&mut self) -> io::Result<()> {
        self.out
            .write_all(b"<script type=\"application/octet-stream\" class=\"nodes\">")?;
        self.block.write(&mut self.out)?;
        self.out.write_all(b"</script>\n")
    }

    fn check(&self, node: &Node<'_>) -> io::Result<()> {
        let in_order = match self.last {
            None => node.depth == 0,
            Some((last, is_dir)) => (1..=last + u32::from(is_dir)).contains(&node.depth),
        };
        if !in_order {
            let found = format!("depth {} after {:?}", node.depth, self.last);
            return Err(invalid(format!(
                "node {}: expected a directory before what it holds, found {found}",
                self.nodes
            )));
        }
        let known = |index: u32, count| usize::try_from(index).is_ok_and(|index| index < count);
        if !(node.is_dir || known(node.category, self.categories)) {
            return Err(self.unknown("category", node.category, self.categories));
        }
        if self.owners > 0 && !known(node.owner, self.owners) {
            return Err(self.unknown("owner", node.owner, self.owners));
        }
        Ok(())
    }

    fn unknown(&self, what: &str, index: u32, count: usize) -> io::Error {
        invalid(format!(
            "node {}: expected one of {count} numbers of {what}, found {index}",
            self.nodes
        ))
    }
}

fn invalid(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, message)
}
