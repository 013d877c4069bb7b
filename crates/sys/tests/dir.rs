//! Directory handles, compared with the standard library. They run on the portable handles, too.

#![allow(clippy::unwrap_used, reason = "a test may end at once")]

use std::collections::BTreeMap;
use std::ffi::{CString, OsStr};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::Path;

use groma_base::{FileId, Kind};
use groma_sys::{Dir, DirBuffer, c_name, is_executable, is_gone};

/// A directory with one entry of each sort that needs no privilege.
fn sample() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &[u8]| dir.path().join(OsStr::from_bytes(name));
    fs::write(at(b"file"), b"content").unwrap();
    fs::write(at(b"bad\xff\nname"), b"").unwrap();
    fs::write(at(&[b'n'; 255]), b"").unwrap();
    fs::create_dir(at(b"dir")).unwrap();
    fs::write(at(b"dir/inside"), b"").unwrap();
    symlink("dir", at(b"to-dir")).unwrap();
    symlink("nowhere", at(b"dangling")).unwrap();
    symlink("self", at(b"self")).unwrap();
    drop(UnixListener::bind(at(b"socket")).unwrap());
    let fifo = std::process::Command::new("mkfifo")
        .arg(at(b"fifo"))
        .status();
    assert!(fifo.unwrap().success());
    dir
}

fn c(name: &[u8]) -> CString {
    c_name(name).unwrap()
}

fn kind_of(kind: fs::FileType) -> Kind {
    match () {
        () if kind.is_dir() => Kind::Dir,
        () if kind.is_symlink() => Kind::Symlink,
        () if kind.is_fifo() => Kind::Fifo,
        () if kind.is_socket() => Kind::Socket,
        () => Kind::File,
    }
}

fn read_all(path: &Path) -> Vec<(Vec<u8>, Kind, u64)> {
    let dir = Dir::open(path).unwrap();
    let mut all = Vec::new();
    let mut buffer = DirBuffer::default();
    while dir.read(&mut buffer).unwrap() {
        let entries = buffer.entries();
        all.extend(entries.map(|e| (e.name().to_vec(), e.kind, e.inode)));
        buffer.clear();
    }
    all.sort();
    all
}

#[test]
fn reads_what_the_standard_library_reads() {
    let dir = sample();
    let mut wanted: Vec<(Vec<u8>, Kind, u64)> = fs::read_dir(dir.path())
        .unwrap()
        .map(|entry| {
            let entry = entry.unwrap();
            let kind = kind_of(entry.file_type().unwrap());
            let inode = std::os::unix::fs::DirEntryExt::ino(&entry);
            (entry.file_name().as_bytes().to_vec(), kind, inode)
        })
        .collect();
    wanted.sort();
    assert_eq!(read_all(dir.path()), wanted);
}

#[test]
fn a_large_directory_comes_in_parts_without_gaps() {
    let dir = tempfile::tempdir().unwrap();
    let names: BTreeMap<Vec<u8>, ()> = (0..8_000)
        .map(|i| (format!("some-name-{i}").into_bytes(), ()))
        .collect();
    for name in names.keys() {
        fs::File::create(dir.path().join(OsStr::from_bytes(name))).unwrap();
    }
    let read: Vec<Vec<u8>> = read_all(dir.path()).into_iter().map(|e| e.0).collect();
    assert!(read.iter().eq(names.keys()));
    // All at once into one buffer, too.
    let handle = Dir::open(dir.path()).unwrap();
    let mut buffer = DirBuffer::default();
    while handle.read(&mut buffer).unwrap() {}
    assert_eq!(buffer.entries().count(), names.len());
}

#[test]
fn metadata_is_what_the_standard_library_says() {
    let sample = sample();
    let dir = Dir::open(sample.path()).unwrap();
    for (name, kind, inode) in read_all(sample.path()) {
        let std = fs::symlink_metadata(sample.path().join(OsStr::from_bytes(&name))).unwrap();
        for birth in [false, true] {
            let meta = dir.stat(&c(&name), false, birth).unwrap();
            let id = FileId {
                device: std.dev(),
                inode: std.ino(),
            };
            assert_eq!((meta.kind, meta.id.inode, meta.id), (kind, inode, id));
            assert_eq!((meta.mode, meta.links), (std.mode(), std.nlink()));
            assert_eq!(
                (meta.uid, meta.gid, meta.size),
                (std.uid(), std.gid(), std.len())
            );
            assert_eq!(meta.modified.seconds, std.mtime());
            assert_eq!(i64::from(meta.modified.nanoseconds), std.mtime_nsec());
            assert_eq!(meta.allocated, std.blocks() * 512);
        }
    }
    let own = dir.own_metadata(false).unwrap();
    assert_eq!(own.id.inode, sample.path().metadata().unwrap().ino());
}

#[test]
fn links_are_followed_only_when_asked() {
    let sample = sample();
    let dir = Dir::open(sample.path()).unwrap();
    assert!(is_gone(&dir.open_child(c"to-dir", false).unwrap_err()));
    assert!(is_gone(&dir.open_child(c"file", true).unwrap_err()));
    assert!(is_gone(&dir.open_child(c"missing", true).unwrap_err()));
    let inside = dir.open_child(c"to-dir", true).unwrap();
    assert!(inside.stat(c"inside", false, false).is_ok());
    assert_eq!(dir.stat(c"to-dir", true, false).unwrap().kind, Kind::Dir);
    assert!(is_gone(&dir.stat(c"dangling", true, false).unwrap_err()));
    assert!(is_gone(&dir.stat(c"self", true, false).unwrap_err()));
    assert_eq!(dir.read_link(c"dangling").unwrap(), b"nowhere");
    assert!(dir.read_link(c"file").is_err());
}

#[test]
fn only_regular_files_are_read_and_nothing_blocks() {
    let sample = sample();
    let dir = Dir::open(sample.path()).unwrap();
    assert_eq!(dir.read_file(c"file", false, 100).unwrap(), b"content");
    assert_eq!(dir.read_file(c"file", false, 4).unwrap(), b"cont");
    for name in [
        c"fifo",
        c"socket",
        c"dir",
        c"dangling",
        c"to-dir",
        c"missing",
    ] {
        assert!(dir.read_file(name, true, 100).is_err(), "{name:?}");
    }
    symlink("file", sample.path().join("to-file")).unwrap();
    assert!(dir.read_file(c"to-file", false, 100).is_err());
    assert_eq!(dir.read_file(c"to-file", true, 100).unwrap(), b"content");
}

#[test]
fn what_is_removed_is_what_was_found() {
    let sample = sample();
    let dir = Dir::open(sample.path()).unwrap();
    let file = dir.stat(c"file", false, false).unwrap().id;
    let full = dir.stat(c"dir", false, false).unwrap().id;
    assert!(dir.remove(c"dir", full, true).is_err(), "it is not empty");
    assert!(dir.remove(c"file", full, false).is_err(), "another node");
    assert!(dir.remove(c"file", file, true).is_err(), "no directory");
    assert!(sample.path().join("file").exists());
    dir.remove(c"file", file, false).unwrap();
    assert!(is_gone(&dir.remove(c"file", file, false).unwrap_err()));
    let link = dir.stat(c"to-dir", false, false).unwrap().id;
    dir.remove(c"to-dir", link, false).unwrap();
    assert!(sample.path().join("dir/inside").exists());
    fs::remove_file(sample.path().join("dir/inside")).unwrap();
    dir.remove(c"dir", full, true).unwrap();
    assert!(!sample.path().join("dir").exists());
}

#[test]
fn execution_rights_follow_links() {
    let sample = sample();
    let tool = sample.path().join("tool");
    fs::write(&tool, b"#!/bin/sh\n").unwrap();
    fs::set_permissions(&tool, PermissionsExt::from_mode(0o755)).unwrap();
    symlink("tool", sample.path().join("to-tool")).unwrap();
    let dir = Dir::open(sample.path()).unwrap();
    assert!(is_executable(&dir, c"tool") && is_executable(&dir, c"to-tool"));
    assert!(!is_executable(&dir, c"file") && !is_executable(&dir, c"dangling"));
}

#[test]
fn making_and_renaming_replaces_nothing() {
    use std::io::ErrorKind::AlreadyExists;
    let place = sample();
    let dir = Dir::open(place.path()).unwrap();
    for taken in [&b"file"[..], b"dir", b"dangling"] {
        let made = dir.create_file(&c(taken), b"other");
        assert_eq!(made.unwrap_err().kind(), AlreadyExists);
        let made = dir.make_private_dir(&c(taken));
        assert_eq!(made.unwrap_err().kind(), AlreadyExists);
        let renamed = dir.rename_new(c"socket", &dir, &c(taken));
        assert_eq!(renamed.unwrap_err().kind(), AlreadyExists);
    }
    assert_eq!(fs::read(place.path().join("file")).unwrap(), b"content");
    dir.make_private_dir(c"new").unwrap();
    let id = dir.create_file(c"made", b"text\n").unwrap();
    let new = dir.open_child(c"new", false).unwrap();
    dir.rename_new(c"made", &new, c"moved").unwrap();
    assert_eq!(new.stat(c"moved", false, false).unwrap().id, id);
    let moved = fs::metadata(place.path().join("new/moved")).unwrap();
    let above = fs::metadata(place.path().join("new")).unwrap();
    assert_eq!((moved.mode() & 0o777, above.mode() & 0o777), (0o600, 0o700));
    let file = new.open_file(c"moved").unwrap();
    // A file system that tells has nothing shared to tell of.
    assert_eq!(file.shared_bytes().unwrap_or(0), 0);
}

#[test]
fn what_is_placed_replaces_nothing() {
    let temp = tempfile::tempdir().unwrap();
    let dir = Dir::open(temp.path()).unwrap();
    dir.make_dir(c"d").unwrap();
    assert!(dir.make_dir(c"d").is_err());
    let child = dir.open_child(c"d", false).unwrap();
    fs::write(temp.path().join("a"), "a").unwrap();
    fs::write(temp.path().join("d/taken"), "old").unwrap();
    for to in [c"taken", c"a"] {
        assert_eq!(dir.link_new(c"a", &child, to).is_ok(), to == c"a");
        assert!(dir.link_symbolically(c"a", to).is_err() || to == c"taken");
        assert!(dir.place_new(c"a", &child, to).is_err());
    }
    assert_eq!(fs::read(temp.path().join("d/taken")).unwrap(), b"old");
    assert_eq!(
        fs::read_link(temp.path().join("taken")).unwrap(),
        Path::new("a")
    );
    assert_eq!(fs::metadata(temp.path().join("a")).unwrap().nlink(), 2);
    child.place_new(c"a", &child, c"b").unwrap();
    assert!(!temp.path().join("d/a").exists() && temp.path().join("d/b").exists());
    child.sync().unwrap();
    assert!(child.free_bytes().unwrap() > 0);
    let deep = temp.path().join("x/y/z");
    groma_sys::make_path(deep.as_os_str().as_bytes()).unwrap();
    groma_sys::make_path(deep.as_os_str().as_bytes()).unwrap();
    assert!(deep.is_dir());
}
