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

#[cfg(test)]
mod tests {
    use super::super::{Category, Theme, Totals};
    use super::*;

    const META: Meta<'static> = Meta {
        title: "Test",
        root: b"/",
        taken: 0,
        totals: Totals {
            files: 0,
            dirs: 0,
            size: 0,
            allocated: 0,
            errors: 0,
        },
        categories: &[Category {
            name: "other",
            colour: [0; 3],
        }],
        owners: &[b"root"],
        theme: Theme::System,
        si: false,
        apparent: false,
        incomplete: false,
    };

    fn dir(depth: u32) -> Node<'static> {
        Node {
            depth,
            is_dir: true,
            ..Node::default()
        }
    }

    fn file(depth: u32) -> Node<'static> {
        Node {
            depth,
            ..Node::default()
        }
    }

    /// What adding the nodes says of the last one.
    fn outcome(nodes: &[Node<'_>]) -> io::Result<()> {
        let mut report = Report::begin(Vec::new(), &META).unwrap();
        let (last, before) = nodes.split_last().unwrap();
        for node in before {
            report.node(node).unwrap();
        }
        report.node(last)
    }

    #[test]
    fn a_directory_stands_before_what_it_holds() {
        for right in [
            &[dir(0)][..],
            &[file(0)],
            &[dir(0), file(1), file(1)],
            &[dir(0), dir(1), dir(2), file(3), file(1)],
        ] {
            outcome(right).unwrap();
        }
        for wrong in [
            &[dir(1)][..],
            &[dir(0), dir(0)],
            &[file(0), file(1)],
            &[dir(0), file(2)],
            &[dir(0), file(1), file(2)],
        ] {
            let error = outcome(wrong).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput, "{wrong:?}");
        }
    }

    #[test]
    fn unknown_categories_and_owners_are_refused() {
        let category = Node {
            category: 1,
            ..file(1)
        };
        let owner = Node {
            owner: 1,
            ..file(1)
        };
        let message = |node| outcome(&[dir(0), node]).unwrap_err().to_string();
        assert_eq!(
            message(category),
            "node 1: expected one of 1 numbers of category, found 1"
        );
        assert!(message(owner).contains("owner"));
        // What category a directory has does not matter.
        outcome(&[
            dir(0),
            Node {
                category: 9,
                ..dir(1)
            },
        ])
        .unwrap();
        assert!(Report::begin(Vec::new(), &META).unwrap().end().is_err());
    }

    /// Remembers the largest piece that it was handed, and how many.
    #[derive(Default)]
    struct Pieces {
        largest: usize,
        count: usize,
    }

    impl Write for Pieces {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.largest = self.largest.max(bytes.len());
            self.count += 1;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn what_is_kept_does_not_grow_with_the_nodes() {
        let mut report = Report::begin(Pieces::default(), &META).unwrap();
        report.node(&dir(0)).unwrap();
        let name: Vec<u8> = (0..=255).collect();
        for number in 0..BLOCK_NODES * 3 {
            let size = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let node = Node {
                name: &name[..number as usize % 256],
                size,
                ..file(1)
            };
            report.node(&node).unwrap();
            assert!(report.block.nodes() < BLOCK_NODES);
            assert!(report.block.name_bytes() < BLOCK_NAME_BYTES);
        }
        let pieces = report.end().unwrap();
        assert!(pieces.count > 3 * 3);
        assert!(pieces.largest < 8 << 20, "{}", pieces.largest);
    }

    struct Full;

    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::Error::from(io::ErrorKind::StorageFull))
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn an_output_that_fails_is_told_of() {
        let error = Report::begin(Full, &META).err().unwrap();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
    }
}
