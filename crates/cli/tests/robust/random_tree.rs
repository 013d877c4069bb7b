//! Random trees of everything that a directory can hold, under names of every sort.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::rng::Rng;

const NAMES: [&[u8]; 24] = [
    b"a",
    b"B",
    b"a b",
    b"a-b",
    b"a.txt",
    b"A.TXT",
    b".hidden",
    b"-dash",
    b"--",
    b"new\nline",
    b"bad\xff.txt",
    b"\xc3\xa4\xc3\x96",
    b"\xc3\xa4\xc3\xb6",
    b"tab\there",
    b"\x1b[31m",
    b"q'\"$`",
    b"*?[x]",
    b"\\back\\slash",
    b"... ",
    b"~",
    b"{}",
    b"#",
    b"zz",
    b"node_modules",
];

const SIZES: [usize; 6] = [0, 1, 511, 512, 1024, 70_000];

const MODES: [u32; 6] = [0o644, 0o755, 0o600, 0o444, 0o4755, 0o666];

/// Fills `root` with about `count` entries.
pub(crate) fn grow(root: &Path, rng: &mut Rng, count: usize) {
    let mut dirs = vec![root.to_owned()];
    let mut files: Vec<PathBuf> = Vec::new();
    for serial in 0..count {
        let dir = rng.pick(&dirs).clone();
        let path = dir.join(any_name(rng, serial));
        if path.symlink_metadata().is_ok() {
            continue;
        }
        match rng.below(16) {
            0..=4 => {
                fs::create_dir(&path).unwrap();
                dirs.push(path);
            }
            5..=10 => {
                make_file(&path, rng);
                files.push(path);
            }
            11 if !files.is_empty() => fs::hard_link(rng.pick(&files), &path).unwrap(),
            11 | 12 => link(root, &path, &dirs, &files, rng),
            13 => make_fifo(&path),
            // A socket's path has room for a hundred bytes.
            14 if path.as_os_str().len() < 100 => drop(UnixListener::bind(&path).unwrap()),
            _ => link(root, &path, &dirs, &files, rng),
        }
    }
}

fn any_name(rng: &mut Rng, serial: usize) -> OsString {
    let mut name = rng.pick(&NAMES).to_vec();
    if rng.one_in(3) {
        name.extend_from_slice(format!("{serial}").as_bytes());
    }
    if rng.one_in(20) {
        name.resize(255, b'L');
    }
    OsString::from_vec(name)
}

fn make_file(path: &Path, rng: &mut Rng) {
    fs::write(path, vec![b'x'; *rng.pick(&SIZES)]).unwrap();
    fs::set_permissions(path, PermissionsExt::from_mode(*rng.pick(&MODES))).unwrap();
    let age = Duration::from_secs(rng.below(1_000_000) as u64);
    let file = fs::File::options().append(true).open(path).unwrap();
    file.set_modified(SystemTime::now() - age).unwrap();
}

fn make_fifo(path: &Path) {
    use rustix::fs::{FileType, Mode, mknodat};
    mknodat(
        rustix::fs::CWD,
        path,
        FileType::Fifo,
        Mode::from_raw_mode(0o644),
        0,
    )
    .unwrap();
}

/// A link: to a file, to a directory (perhaps one that it lies in), to itself, to nothing.
fn link(root: &Path, path: &Path, dirs: &[PathBuf], files: &[PathBuf], rng: &mut Rng) {
    let target = match rng.below(6) {
        0 => OsStr::from_bytes(b"nowhere").to_owned(),
        1 => path.file_name().unwrap().to_owned(),
        2 => OsString::from("."),
        3 if !files.is_empty() => rng.pick(files).clone().into_os_string(),
        4 => {
            let up = path.strip_prefix(root).unwrap().components().count() - 1;
            OsString::from("./".to_owned() + &"../".repeat(up))
        }
        _ => rng.pick(dirs).clone().into_os_string(),
    };
    symlink(target, path).unwrap();
}
