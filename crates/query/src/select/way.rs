//! The directories above rows that ascend: depths, paths and their lengths without climbing to the
//! root for each row.

use groma_catalog::{Column, Damage};

use super::frame::Frame;
use groma_base::characters;

/// The directories between the root and a row.
pub(crate) struct Way<'f, 'v> {
    frame: &'f Frame<'v>,
    parents: Column<'v, u32>,
    names: Column<'v, u32>,
    /// Rows of these directories from the top; the root is left out.
    above: Vec<u32>,
    /// Those that were new at the last move, from the bottom.
    new: Vec<u32>,
}

impl<'f, 'v> Way<'f, 'v> {
    pub(crate) fn new(frame: &'f Frame<'v>) -> Way<'f, 'v> {
        Way {
            frame,
            parents: frame.segment.parents(),
            names: frame.segment.name_numbers(),
            above: Vec::new(),
            new: Vec::new(),
        }
    }

    /// Goes to a row below the root. Answers how many of the directories stay.
    #[inline]
    pub(crate) fn go(&mut self, row: u32) -> Result<usize, Damage> {
        self.new.clear();
        let mut at = self.parent(row)?;
        loop {
            while self.above.last().is_some_and(|&top| top > at) {
                self.above.pop();
            }
            if at == 0 || self.above.last() == Some(&at) {
                break;
            }
            self.new.push(at);
            at = self.parent(at)?;
        }
        if at == 0 {
            self.above.clear();
        }
        let stay = self.above.len();
        self.above.extend(self.new.iter().rev());
        Ok(stay)
    }

    /// Distance of the row from the root.
    pub(crate) fn depth(&self) -> u64 {
        self.above.len() as u64 + 1
    }

    fn parent(&self, row: u32) -> Result<u32, Damage> {
        match self.parents.get(row as usize) {
            Some(parent) if parent < row => Ok(parent),
            _ => self
                .frame
                .segment
                .parent(row)
                .map(|parent| parent.unwrap_or(0)),
        }
    }

    fn append_name(&self, row: u32, out: &mut Vec<u8>) -> Result<(), Damage> {
        let name = self.name(row)?;
        self.frame.names.append(name, out)
    }

    fn name(&self, row: u32) -> Result<u32, Damage> {
        let name = self.names.get(row as usize);
        name.map_or_else(|| self.frame.segment.name(row), Ok)
    }
}

/// Absolute paths of rows.
pub(crate) struct Paths<'f, 'v> {
    way: Way<'f, 'v>,
    text: Vec<u8>,
    /// Length of the root's path, `/` counted.
    root: usize,
    /// Length of the path of each directory above, `/` counted.
    ends: Vec<usize>,
}

impl<'f, 'v> Paths<'f, 'v> {
    pub(crate) fn new(frame: &'f Frame<'v>) -> Paths<'f, 'v> {
        let mut text = frame.view.root().to_vec();
        if !text.ends_with(b"/") {
            text.push(b'/');
        }
        Paths {
            way: Way::new(frame),
            root: text.len(),
            text,
            ends: Vec::new(),
        }
    }

    /// The path of a row below the root.
    pub(crate) fn path(&mut self, row: u32) -> Result<&[u8], Damage> {
        self.go(row)?;
        self.way.append_name(row, &mut self.text)?;
        Ok(&self.text)
    }

    /// The path of the directory that a row lies in.
    pub(crate) fn parent(&mut self, row: u32) -> Result<&[u8], Damage> {
        self.go(row)?;
        Ok(match self.ends.last() {
            Some(end) => &self.text[..end - 1],
            None => self.way.frame.view.root(),
        })
    }

    /// Leaves the path of the row's directory in `text`, with a `/` behind it.
    fn go(&mut self, row: u32) -> Result<(), Damage> {
        let stay = self.way.go(row)?;
        self.ends.truncate(stay);
        self.text
            .truncate(self.ends.last().copied().unwrap_or(self.root));
        for &dir in &self.way.above[stay..] {
            self.way.append_name(dir, &mut self.text)?;
            self.text.push(b'/');
            self.ends.push(self.text.len());
        }
        Ok(())
    }
}

/// Lengths of absolute paths in characters.
pub(crate) struct PathLengths<'f, 'v> {
    way: Way<'f, 'v>,
    root: u64,
    /// Length of the path of each directory above, `/` counted.
    ends: Vec<u64>,
    buffer: Vec<u8>,
}

impl<'f, 'v> PathLengths<'f, 'v> {
    pub(crate) fn new(frame: &'f Frame<'v>) -> PathLengths<'f, 'v> {
        let root = frame.view.root();
        PathLengths {
            way: Way::new(frame),
            root: characters(root) + u64::from(!root.ends_with(b"/")),
            ends: Vec::new(),
            buffer: Vec::new(),
        }
    }

    /// The length of the path of a row below the root.
    pub(crate) fn length(&mut self, row: u32) -> Result<u64, Damage> {
        let stay = self.way.go(row)?;
        self.ends.truncate(stay);
        for at in stay..self.way.above.len() {
            let end = self.name_length(self.way.above[at])? + 1;
            let before = self.ends.last().copied().unwrap_or(self.root);
            self.ends.push(before + end);
        }
        Ok(self.ends.last().copied().unwrap_or(self.root) + self.name_length(row)?)
    }

    /// Folding leaves the number of characters as it is.
    fn name_length(&mut self, row: u32) -> Result<u64, Damage> {
        let frame = self.way.frame;
        let name = self.way.name(row)?;
        if frame.segment.fold_version() == groma_base::FOLD_VERSION {
            return frame.names.folded(name).map(characters);
        }
        super::names::raw_into(frame, name, &mut self.buffer)?;
        Ok(characters(&self.buffer))
    }
}
