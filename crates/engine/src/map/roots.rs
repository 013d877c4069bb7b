//! The places that are mapped: each once, however they were named.

use std::io;
use std::path::{Path, PathBuf};

use super::error::MapError;
use crate::index::start::Start;

/// A place that could not be opened.
pub type Failed = (PathBuf, io::Error);

/// Places that exist, none within another.
#[derive(Debug)]
pub struct Roots {
    /// Absolute, free of links, in the order of paths.
    paths: Vec<PathBuf>,
    /// What was named but cannot be mapped.
    pub failed: Vec<Failed>,
}

impl Roots {
    /// Finds the places that were named.
    pub fn new(named: &[PathBuf]) -> Roots {
        let (mut found, mut failed) = (Vec::new(), Vec::new());
        for path in named {
            match std::fs::canonicalize(path) {
                Ok(real) => found.push(real),
                Err(error) => failed.push((path.clone(), error)),
            }
        }
        found.sort();
        let mut paths: Vec<PathBuf> = Vec::new();
        for path in found {
            if !paths.iter().any(|outer| path.starts_with(outer)) {
                paths.push(path);
            }
        }
        Roots { paths, failed }
    }

    /// The places, absolute and free of links.
    pub fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// The one entry that all of them are, or lie below.
    pub fn top(&self) -> Option<PathBuf> {
        let (first, rest) = self.paths.split_first()?;
        match rest {
            [] if first.is_dir() => Some(first.clone()),
            [] => first.parent().map(Path::to_owned),
            _ => {
                let mut above = first.ancestors();
                let common = above.find(|dir| rest.iter().all(|path| path.starts_with(dir)));
                common.map(Path::to_owned)
            }
        }
    }

    /// What a scan begins with.
    pub(super) fn start(&mut self) -> Result<Start, MapError> {
        let top = self.top().ok_or(MapError::Nothing(Vec::new()))?;
        let started = match &self.paths[..] {
            [only] if *only == top => Start::one(&top).map(|start| (start, Vec::new())),
            paths => Start::several(&top, paths),
        };
        let (start, failed) =
            started.map_err(|error| MapError::Nothing(vec![(top.clone(), error)]))?;
        if failed.len() == self.paths.len() {
            return Err(MapError::Nothing(failed));
        }
        self.failed.extend(failed);
        Ok(start)
    }
}
