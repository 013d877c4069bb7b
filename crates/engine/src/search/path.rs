//! The path of one entry after another: what it shares with the one before stays.

use groma_catalog::Damage;

use super::reader::RootReader;

/// Levels that are looked at before the way up to the root is taken.
const NEAR: usize = 8;

/// The path of the entry in hand, and the directories that it leads through.
#[derive(Debug, Default)]
pub(crate) struct PathBuilder {
    path: Vec<u8>,
    /// Directories from the root down, each with the length of its path.
    stack: Vec<(u32, usize)>,
    way: Vec<u32>,
    depth: u32,
    /// Where the name begins in the path.
    name_at: usize,
}

/// What is known of an entry before its path is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step<'a> {
    pub(crate) id: u32,
    /// The directory it lies in; of the root, itself.
    pub(crate) parent: u32,
    pub(crate) name: &'a [u8],
    pub(crate) is_dir: bool,
}

impl PathBuilder {
    /// Forgets where it is: the next entry is another root's.
    pub(crate) fn reset(&mut self) {
        self.stack.clear();
    }

    /// The path of the entry in hand.
    pub(crate) fn path(&self) -> &[u8] {
        &self.path
    }

    /// The path of the directory of the entry in hand, with the slash behind it; of the root, its
    /// own path.
    pub(crate) fn dir(&self) -> &[u8] {
        &self.path[..self.name_at]
    }

    /// Its distance from the root.
    pub(crate) fn depth(&self) -> u32 {
        self.depth
    }

    /// Goes to an entry.
    #[inline]
    pub(crate) fn go(&mut self, reader: &RootReader<'_>, step: Step<'_>) -> Result<(), Damage> {
        self.stand(reader, step)?;
        if step.parent != step.id && !step.is_dir {
            self.path.extend_from_slice(step.name);
        }
        Ok(())
    }

    /// Goes to an entry, where only [`PathBuilder::dir`] is asked for: the name is left out unless
    /// there may be others below.
    #[inline]
    pub(crate) fn stand(&mut self, reader: &RootReader<'_>, step: Step<'_>) -> Result<(), Damage> {
        if step.parent == step.id {
            self.stack.clear();
            self.start(reader, step.id);
            self.name_at = self.path.len();
            self.depth = 0;
            return Ok(());
        }
        let mut near = self.stack.iter().rev().take(NEAR);
        match near.position(|(dir, _)| *dir == step.parent) {
            Some(above) => self.stack.truncate(self.stack.len() - above),
            None => self.climb(reader, step.parent)?,
        }
        self.depth = u32::try_from(self.stack.len()).unwrap_or(u32::MAX);
        let length = self.stack.last().map_or(0, |(_, length)| *length);
        self.path.truncate(length);
        if !self.path.ends_with(b"/") {
            self.path.push(b'/');
        }
        self.name_at = self.path.len();
        if step.is_dir {
            self.path.extend_from_slice(step.name);
            self.stack.push((step.id, self.path.len()));
        }
        Ok(())
    }

    fn start(&mut self, reader: &RootReader<'_>, root: u32) {
        self.path.clear();
        self.path.extend_from_slice(reader.view.root());
        self.stack.push((root, self.path.len()));
    }

    /// Makes the stack end at a directory, by the way from the root to it.
    fn climb(&mut self, reader: &RootReader<'_>, dir: u32) -> Result<(), Damage> {
        self.way.clear();
        self.way.push(dir);
        let mut at = dir;
        while let Some(parent) = reader.view.parent(at)? {
            self.way.push(parent);
            at = parent;
        }
        let shared = self.way.iter().rev().zip(&self.stack);
        let shared = shared.take_while(|(way, (dir, _))| *way == dir).count();
        self.stack.truncate(shared);
        match self.stack.last() {
            Some((_, length)) => self.path.truncate(*length),
            None => self.start(reader, at),
        }
        for place in (0..self.way.len() - self.stack.len()).rev() {
            let id = self.way[place];
            if !self.path.ends_with(b"/") {
                self.path.push(b'/');
            }
            reader.view.append_name(id, &mut self.path)?;
            self.stack.push((id, self.path.len()));
        }
        Ok(())
    }
}
