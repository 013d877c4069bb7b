//! A map that several threads look at: it grows, then it is whole, and once somebody asks it is a view.

use std::io::Cursor;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use groma_base::CancelToken;
use groma_catalog::{About, BuildError, Growing, RootRecord, Segment, View};

use super::error::MapError;
use super::growing::GrowingTree;
use super::sealed::Sealed;
use super::tree::Tree;
use crate::catalogs::OpenRoot;
use crate::index::devices::Devices;

/// A map. Clones show the same.
#[derive(Clone, Debug, Default)]
pub struct Map(Arc<RwLock<State>>);

#[derive(Debug, Default)]
enum State {
    /// Nothing has been found yet.
    #[default]
    Empty,
    /// What was found so far, below a path.
    Growing { growing: Growing, path: Vec<u8> },
    /// All that was found.
    Grown { growing: Growing, end: Box<End> },
    /// The same, on its way to a view.
    Sealing,
    /// A view.
    Sealed { root: OpenRoot, tree: Sealed },
}

/// What a scan knows at its end.
#[derive(Debug)]
pub(super) struct End {
    pub(super) about: About,
    pub(super) devices: Devices,
    /// Places that could not be read.
    pub(super) unread: u64,
}

impl Map {
    /// A map without anything in it.
    pub fn new() -> Map {
        Map::default()
    }

    /// The map of a view.
    pub fn of(root: OpenRoot) -> Map {
        Map(Arc::new(RwLock::new(State::sealed(root))))
    }

    /// Shows the tree to `look`; `None` when there are no entries yet, and for the moment in which the
    /// tree becomes a view.
    pub fn look<T>(&self, look: impl FnOnce(&dyn Tree) -> T) -> Option<T> {
        match &*self.read() {
            State::Growing { growing, path } if !growing.is_empty() => {
                Some(look(&GrowingTree { growing, path }))
            }
            State::Grown { growing, end } => Some(look(&GrowingTree {
                growing,
                path: &end.about.root,
            })),
            State::Sealed { tree, .. } => Some(look(tree)),
            _ => None,
        }
    }

    /// Whether nothing more will be found.
    pub fn is_whole(&self) -> bool {
        !matches!(&*self.read(), State::Empty | State::Growing { .. })
    }

    /// The view, if it is one already.
    pub fn sealed(&self) -> Option<OpenRoot> {
        match &*self.read() {
            State::Sealed { root, .. } => Some(root.clone()),
            _ => None,
        }
    }

    /// Bytes that a map which is no view takes in memory.
    pub fn held_bytes(&self) -> usize {
        match &*self.read() {
            State::Growing { growing, .. } | State::Grown { growing, .. } => growing.held_bytes(),
            _ => 0,
        }
    }

    /// Makes a whole map a view, which takes a moment, and answers it. `None`: it is not whole, or
    /// another thread is at it.
    ///
    /// # Errors
    /// [`MapError::Build`], [`MapError::Open`], [`MapError::Damaged`].
    pub fn seal(&self) -> Result<Option<OpenRoot>, MapError> {
        let (growing, end) = {
            let mut state = self.write();
            match std::mem::replace(&mut *state, State::Sealing) {
                State::Grown { growing, end } => (growing, *end),
                State::Sealed { root, tree } => {
                    let answer = root.clone();
                    *state = State::Sealed { root, tree };
                    return Ok(Some(answer));
                }
                other => {
                    *state = other;
                    return Ok(None);
                }
            }
        };
        let root = match sealed(growing, end) {
            Ok(root) => root,
            Err(error) => {
                *self.write() = State::Empty;
                return Err(error);
            }
        };
        *self.write() = State::sealed(root.clone());
        Ok(Some(root))
    }

    pub(super) fn begin(&self, path: &[u8]) {
        *self.write() = State::Growing {
            growing: Growing::new(),
            path: path.to_vec(),
        };
    }

    pub(super) fn grow(
        &self,
        grow: impl FnOnce(&mut Growing) -> Result<(), BuildError>,
    ) -> Result<(), BuildError> {
        match &mut *self.write() {
            State::Growing { growing, .. } => grow(growing),
            _ => Ok(()),
        }
    }

    pub(super) fn end(&self, end: End) {
        let mut state = self.write();
        if let State::Growing { growing, .. } = std::mem::take(&mut *state) {
            *state = State::Grown {
                growing,
                end: Box::new(end),
            };
        }
    }

    fn read(&self) -> RwLockReadGuard<'_, State> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, State> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn sealed(root: OpenRoot) -> State {
        match Sealed::new(root.view.clone()) {
            Some(tree) => State::Sealed { root, tree },
            None => State::Empty,
        }
    }
}

fn sealed(growing: Growing, end: End) -> Result<OpenRoot, MapError> {
    let mut bytes = Cursor::new(Vec::new());
    let End {
        about,
        devices,
        unread,
    } = end;
    // It is short, and nobody could show anything if it were interrupted.
    let cancel = CancelToken::new();
    let builder = growing.into_builder();
    let sealed = builder.seal(&mut bytes, &about, |device| devices.volume(device), &cancel)?;
    let segment = Segment::from_bytes(bytes.into_inner())?;
    let record = RootRecord {
        key: about.root.clone(),
        path: about.root,
        source: about.source,
        length: sealed.length,
        rows: sealed.rows,
        entries: sealed.rows,
        unread,
        ended: about.ended,
        ..RootRecord::default()
    };
    Ok(OpenRoot {
        record,
        view: View::sealed(Arc::new(segment))?,
    })
}
