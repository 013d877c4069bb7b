//! Sources, plans and libraries for tests, and what they look like afterwards.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use groma_base::{FileId, Timestamp};
use groma_photos::Identity;
use groma_photos::apply::{
    ApplyError, Options, Outcome, Progress, Stop, Summary, UndoSummary, Undone, apply, undo,
};
use groma_photos::plan::{Action, Header, Mode, Role, Row};
use tempfile::TempDir;

pub(crate) struct World {
    pub(crate) source_home: TempDir,
    pub(crate) library_home: TempDir,
    pub(crate) plan: (Header, Vec<Row>),
    pub(crate) options: Options,
}

pub(crate) fn bytes(path: &Path) -> Vec<u8> {
    path.as_os_str().as_bytes().to_vec()
}

/// A directory on another file system than the one of temporary files.
pub(crate) fn elsewhere() -> Option<TempDir> {
    let here = tempfile::tempdir().unwrap();
    let there = tempfile::tempdir_in("/dev/shm").ok()?;
    let device = |dir: &TempDir| fs::metadata(dir.path()).unwrap().dev();
    if device(&here) == device(&there) {
        eprintln!("skipped: /dev/shm is no file system of its own");
        return None;
    }
    Some(there)
}

/// A row that is to be placed; it is a unit of its own.
pub(crate) fn placed(number: u32, source: Vec<u8>, identity: Identity, to: &str) -> Row {
    Row {
        number,
        source,
        identity,
        unit: number,
        role: Role::Lead,
        action: Action::Place {
            to: to.as_bytes().to_vec(),
            replaces: None,
        },
        dated: None,
        hash: None,
    }
}

pub(crate) fn identity(path: &Path) -> Identity {
    let found = fs::symlink_metadata(path).unwrap();
    Identity {
        id: FileId {
            device: found.dev(),
            inode: found.ino(),
        },
        size: found.len(),
        modified: Timestamp {
            seconds: found.mtime(),
            nanoseconds: found.mtime_nsec() as u32,
        },
    }
}

impl World {
    pub(crate) fn new(mode: Mode) -> World {
        World::on(
            mode,
            tempfile::tempdir().unwrap(),
            tempfile::tempdir().unwrap(),
        )
    }

    /// From one file system to another.
    pub(crate) fn across(mode: Mode) -> Option<World> {
        Some(World::on(mode, elsewhere()?, tempfile::tempdir().unwrap()))
    }

    pub(crate) fn on(mode: Mode, source_home: TempDir, library_home: TempDir) -> World {
        let header = Header {
            sources: vec![bytes(&source_home.path().join("card"))],
            library: bytes(&library_home.path().join("library")),
            second: None,
            mode,
        };
        fs::create_dir(source_home.path().join("card")).unwrap();
        World {
            source_home,
            library_home,
            plan: (header, Vec::new()),
            options: Options {
                workers: 3,
                ..Options::default()
            },
        }
    }

    pub(crate) fn card(&self) -> PathBuf {
        self.source_home.path().join("card")
    }

    pub(crate) fn library(&self) -> PathBuf {
        self.library_home.path().join("library")
    }

    pub(crate) fn second(&self) -> PathBuf {
        self.library_home.path().join("second")
    }

    /// A source that is to be placed; it is a unit of its own.
    pub(crate) fn add(&mut self, from: &str, content: &[u8], to: &str) -> usize {
        let path = self.card().join(from);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        fs::set_permissions(&path, PermissionsExt::from_mode(0o640)).unwrap();
        let number = self.plan.1.len() as u32;
        let old = std::time::SystemTime::UNIX_EPOCH
            + std::time::Duration::new(1_000_000_000 + u64::from(number), 5_000);
        fs::File::options()
            .write(true)
            .open(&path)
            .unwrap()
            .set_modified(old)
            .unwrap();
        let row = placed(number, bytes(&path), identity(&path), to);
        self.plan.1.push(row);
        number as usize
    }

    /// Rows that belong together.
    pub(crate) fn join(&mut self, rows: &[usize]) {
        for &row in rows {
            self.plan.1[row].unit = rows[0] as u32;
        }
    }

    pub(crate) fn try_apply(
        &self,
        stop: &Stop,
    ) -> Result<(Summary, BTreeMap<u32, Outcome>), ApplyError> {
        let told = Told::default();
        let summary = apply(&self.plan, "r1", &self.options, &told, stop)?;
        let outcomes = told.0.into_inner().unwrap();
        assert_eq!(
            summary.rows(),
            self.plan.1.len() as u64,
            "every row has one outcome"
        );
        assert_eq!(outcomes.len(), self.plan.1.len());
        assert_eq!(temporaries(self.library_home.path()), 0);
        Ok((summary, outcomes))
    }

    /// Applies the plan as the run that all tests have.
    pub(crate) fn apply_telling(&self, progress: &dyn Progress, stop: &Stop) -> Summary {
        apply(&self.plan, "r1", &self.options, progress, stop).unwrap()
    }

    pub(crate) fn apply(&self) -> (Summary, BTreeMap<u32, Outcome>) {
        self.try_apply(&Stop::default()).unwrap()
    }

    pub(crate) fn undo(&self) -> (UndoSummary, BTreeMap<u32, Undone>) {
        let mut told = BTreeMap::new();
        let sums = undo(&self.plan, "r1", &Stop::default(), |row, undone| {
            told.insert(row, undone.clone());
        });
        assert_eq!(temporaries(self.library_home.path()), 0);
        assert_eq!(temporaries(self.source_home.path()), 0);
        (sums.unwrap(), told)
    }
}

#[derive(Default)]
struct Told(Mutex<BTreeMap<u32, Outcome>>);

impl Progress for Told {
    fn copied(&self, _bytes: u64) {}

    fn done(&self, row: u32, outcome: &Outcome) {
        let before = self.0.lock().unwrap().insert(row, outcome.clone());
        assert_eq!(before, None, "row {row} ended twice");
    }
}

/// A file system in a file, mounted; gone when it is dropped.
pub(crate) struct Image {
    dir: TempDir,
}

pub(crate) fn run(command: &str, arguments: &[&Path]) -> bool {
    let status = Command::new(command)
        .args(arguments)
        .stderr(Stdio::null())
        .stdout(Stdio::null())
        .status();
    status.is_ok_and(|status| status.success())
}

impl Image {
    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) fn new(kind: &str, mebibytes: u64) -> Option<Image> {
        let dir = tempfile::tempdir().unwrap();
        let image = dir.path().join("image");
        fs::File::create(&image)
            .unwrap()
            .set_len(mebibytes << 20)
            .unwrap();
        let force = if kind == "ext4" { "-F" } else { "-f" };
        let made = run(
            &format!("mkfs.{kind}"),
            &[Path::new("-q"), Path::new(force), &image],
        );
        let image = Image { dir };
        if !made || !image.mount("image", "mount") {
            eprintln!("skipped: no right to mount a file system, or no mkfs.{kind}");
            return None;
        }
        Some(image)
    }

    pub(crate) fn mount(&self, image: &str, at: &str) -> bool {
        let at = self.dir.path().join(at);
        fs::create_dir_all(&at).unwrap();
        run(
            "mount",
            &[
                Path::new("-o"),
                Path::new("loop"),
                &self.dir.path().join(image),
                &at,
            ],
        )
    }
}

impl Drop for Image {
    fn drop(&mut self) {
        for name in ["mount", "after"] {
            run("umount", &[&self.dir.path().join(name)]);
        }
    }
}

/// A file of a tree: content, time, permissions.
pub(crate) type Seen = (Vec<u8>, (i64, i64), u32);

/// All files and directories below a path, but for what the library keeps to itself.
pub(crate) fn tree(root: &Path) -> BTreeMap<PathBuf, Option<Seen>> {
    let mut all = BTreeMap::new();
    let mut open = vec![root.to_owned()];
    while let Some(dir) = open.pop() {
        let Ok(entries) = fs::read_dir(&dir) else {
            continue;
        };
        for entry in entries {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(root).unwrap().to_owned();
            let meta = fs::symlink_metadata(&path).unwrap();
            if name.starts_with(".groma") {
                continue;
            }
            if meta.is_dir() {
                all.insert(name, None);
                open.push(path);
            } else {
                let content = fs::read(&path).unwrap();
                all.insert(
                    name,
                    Some((content, (meta.mtime(), meta.mtime_nsec()), meta.mode())),
                );
            }
        }
    }
    all
}

/// Files only.
pub(crate) fn files(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let all = tree(root).into_iter();
    all.filter_map(|(path, seen)| Some((path, seen?.0)))
        .collect()
}

pub(crate) fn temporaries(root: &Path) -> usize {
    let name = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
    let all = tree(root).into_keys();
    all.filter(|path| name(path).starts_with(".groma-")).count()
}
