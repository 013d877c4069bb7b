//! Which directories of the last scan have changed: one call for each of them, none for files.
//!
//! Directories are asked in the order of paths, relative to an open one that they lie below: one is
//! only opened where many lie so deep below it that walking the names between would cost more.

use std::collections::HashMap;
use std::ffi::CStr;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use groma_base::CancelToken;
use groma_catalog::Damage;
use groma_sys::Dir;

use super::old::Old;
use crate::threads::on_threads;

/// Directories that a thread takes at a time.
const BATCH: usize = 512;
/// A directory is opened when so many names would have to be walked otherwise.
const NAMES_PER_OPEN: usize = 64;
/// No more than this many are open at a time in each thread.
const MOST_OPEN: usize = 16;

/// What a sweep found.
pub(crate) struct Sweep {
    /// The old directories in the order of paths.
    dirs: Vec<u32>,
    /// For each, the place here after the last one below it.
    ends: Vec<usize>,
    /// Places of those that must be looked at: something has changed in them or below.
    touched: HashMap<u32, usize>,
    /// How many entries that nothing is known of lie in a directory.
    unknown: HashMap<u32, u64>,
}

impl Sweep {
    /// Asks for all directories below the root at `path`.
    ///
    /// # Errors
    /// [`Damage`] in what is stored: nothing can be relied on.
    pub(crate) fn run(
        old: &Old,
        path: &Path,
        threads: usize,
        cancel: &CancelToken,
    ) -> Result<Sweep, Damage> {
        let dirs = old.view().directories()?;
        let (ups, ends) = tree(old, &dirs)?;
        let mut unknown = HashMap::new();
        for id in old.view().without_metadata()? {
            if let Some(parent) = old.view().parent(id)? {
                *unknown.entry(parent).or_insert(0) += 1;
            }
        }
        let survey = Survey {
            old,
            dirs: &dirs,
            ups: &ups,
            ends: &ends,
            unknown: &unknown,
            next: AtomicUsize::new(0),
        };
        // Without the root nothing is unchanged, and the walk tells what is wrong with it.
        let changed = match Dir::open(path) {
            Ok(root) => survey.run(&root, threads, cancel),
            Err(_) => (0..dirs.len()).collect(),
        };
        let mut touched = HashMap::new();
        for place in changed {
            let mut at = Some(place);
            while let Some(place) = at
                && touched.insert(dirs[place], place).is_none()
            {
                at = ups[place];
            }
        }
        Ok(Sweep {
            dirs,
            ends,
            touched,
            unknown,
        })
    }

    /// Whether something has changed in a directory or below it.
    pub(crate) fn is_touched(&self, dir: u32) -> bool {
        self.touched.contains_key(&dir)
    }

    /// The directories in this one that something has changed in or below.
    pub(crate) fn touched_in(&self, dir: u32) -> impl Iterator<Item = u32> + '_ {
        let place = self.touched.get(&dir).copied();
        let end = place.map_or(0, |place| self.ends[place]);
        let mut next = place.map_or(0, |place| place + 1);
        let children = std::iter::from_fn(move || {
            let child = (next < end).then(|| self.dirs[next])?;
            next = self.ends[next];
            Some(child)
        });
        children.filter(|&child| self.is_touched(child))
    }

    /// How many entries that nothing is known of lie in a directory.
    pub(crate) fn unknown_in(&self, dir: u32) -> u64 {
        self.unknown.get(&dir).copied().unwrap_or(0)
    }
}

/// For each directory the place of the one that it lies in, and the place after the last one below.
fn tree(old: &Old, dirs: &[u32]) -> Result<(Vec<Option<usize>>, Vec<usize>), Damage> {
    let (mut ups, mut ends) = (Vec::with_capacity(dirs.len()), vec![dirs.len(); dirs.len()]);
    let mut way: Vec<usize> = Vec::new();
    for (place, &id) in dirs.iter().enumerate() {
        let parent = old.view().parent(id)?;
        while let Some(&last) = way.last()
            && Some(dirs[last]) != parent
        {
            ends[last] = place;
            way.pop();
        }
        ups.push(way.last().copied());
        way.push(place);
    }
    Ok((ups, ends))
}

/// All that the threads share.
struct Survey<'a> {
    old: &'a Old,
    dirs: &'a [u32],
    ups: &'a [Option<usize>],
    ends: &'a [usize],
    unknown: &'a HashMap<u32, u64>,
    next: AtomicUsize,
}

impl Survey<'_> {
    /// The places of directories that are not what they were.
    fn run(&self, root: &Dir, threads: usize, cancel: &CancelToken) -> Vec<usize> {
        let threads = threads.clamp(1, self.dirs.len().div_ceil(BATCH).max(1));
        on_threads(threads, || self.work(root, cancel)).concat()
    }

    fn work(&self, root: &Dir, cancel: &CancelToken) -> Vec<usize> {
        let mut changed = Vec::new();
        while !cancel.is_cancelled() {
            let start = self.next.fetch_add(BATCH, Ordering::Relaxed);
            let end = self.dirs.len().min(start.saturating_add(BATCH));
            if start >= end {
                break;
            }
            let mut way = Way::new(root, end);
            way.arrive(self, start);
            for place in start..end {
                if !way.is_unchanged(self, place) {
                    changed.push(place);
                }
            }
        }
        changed
    }
}

/// Where a thread is: the directories above, as names and some of them open.
struct Way<'a> {
    root: &'a Dir,
    /// The batch ends here.
    end: usize,
    /// The names of the directories above, each ended by a slash.
    path: Vec<u8>,
    above: Vec<Above>,
    open: Vec<Open>,
}

/// A directory above: its place, and where its name ends in the path.
struct Above {
    place: usize,
    path_len: usize,
}

/// An open directory: how many lie above it, itself included, and where what lies below it begins
/// in the path.
struct Open {
    depth: usize,
    path_len: usize,
    dir: Dir,
}

impl<'a> Way<'a> {
    fn new(root: &'a Dir, end: usize) -> Way<'a> {
        Way {
            root,
            end,
            path: Vec::new(),
            above: Vec::new(),
            open: Vec::new(),
        }
    }

    /// Goes to where the directory at `place` lies.
    fn arrive(&mut self, survey: &Survey<'_>, place: usize) {
        let up = |&place: &usize| survey.ups[place];
        let mut above: Vec<usize> = std::iter::successors(survey.ups[place], up).collect();
        above.reverse();
        for above in above {
            if survey.ups[above].is_some() {
                survey.old.append_name(survey.dirs[above], &mut self.path);
            }
            self.step_into(survey, above, place);
        }
    }

    /// Whether the directory at `place` is what it was. Those below come next.
    fn is_unchanged(&mut self, survey: &Survey<'_>, place: usize) -> bool {
        let (old, id) = (survey.old, survey.dirs[place]);
        while let Some(last) = self.above.last()
            && survey.ends[last.place] <= place
        {
            self.step_out();
        }
        let before = self.path.len();
        let is_same = match survey.ups[place] {
            None => old.is_root_unchanged,
            Some(_) => {
                let is_named = old.append_name(id, &mut self.path);
                let examined = self.with_path(|dir, path| dir.examine(path));
                is_named && examined.is_ok_and(|now| old.is_unchanged(id, &now.metadata))
            }
        };
        match survey.ends[place] > place + 1 {
            true => self.step_into(survey, place, place + 1),
            false => self.path.truncate(before),
        }
        is_same && !survey.unknown.contains_key(&id)
    }

    /// Goes into the directory whose name has been appended to the path; of those below it, the
    /// ones from `next` on are to be asked for.
    fn step_into(&mut self, survey: &Survey<'_>, place: usize, next: usize) {
        let opened = self.open.last().map_or(1, |open| open.depth);
        let names = (self.above.len() + 1).saturating_sub(opened);
        let below = survey.ends[place].min(self.end).saturating_sub(next);
        let is_worth_it = names * below >= NAMES_PER_OPEN && self.open.len() < MOST_OPEN;
        // Where that fails, those below are asked for by longer paths.
        let dir = match is_worth_it {
            true => self.with_path(|dir, path| dir.open_child(path, false)).ok(),
            false => None,
        };
        if survey.ups[place].is_some() {
            self.path.push(b'/');
        }
        let path_len = self.path.len();
        self.above.push(Above { place, path_len });
        if let Some(dir) = dir {
            let depth = self.above.len();
            self.open.push(Open {
                depth,
                path_len,
                dir,
            });
        }
    }

    /// Calls with the innermost directory that is open, and the path from there.
    fn with_path<T>(&mut self, call: impl FnOnce(&Dir, &CStr) -> io::Result<T>) -> io::Result<T> {
        let from = self.open.last().map_or(0, |open| open.path_len);
        self.path.push(0);
        let path = self.path.get(from..).unwrap_or_default();
        let dir = self.open.last().map_or(self.root, |open| &open.dir);
        let answer = match CStr::from_bytes_with_nul(path) {
            Ok(path) => call(dir, path),
            Err(_) => Err(io::ErrorKind::InvalidInput.into()),
        };
        self.path.pop();
        answer
    }

    fn step_out(&mut self) {
        let depth = self.above.len();
        self.open.pop_if(|open| open.depth == depth);
        self.above.pop();
        let path_len = self.above.last().map_or(0, |above| above.path_len);
        self.path.truncate(path_len);
    }
}
