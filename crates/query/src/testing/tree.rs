//! Views of trees that are made up from a number, for tests.

use std::io::Cursor;
use std::sync::Arc;

use groma_base::{BatchEntry, CancelToken, DirId, EntryBatch, FileId, Kind, Metadata, Timestamp};
use groma_catalog::{About, Builder, Delta, Put, Segment, View, Volume};

use super::now;

#[rustfmt::skip]
const NAMES: &[&[u8]] = &[
    b"a", b"ab.rs", b"AB.rs", b"Ab.RS", b"report", b"Report.TXT", b"report 2025.txt", "é.txt".as_bytes(),
    "É.txt".as_bytes(), "Straße".as_bytes(), "STRASSE".as_bytes(), "\u{212a}.js".as_bytes(), b"k.js",
    "\u{17f}.ſs".as_bytes(), b"s.ss", b"\xff.rs", b"bad\xffname", b"BAD\xff.Rs", b"\xc3.txt", b".hidden", b".a.b", b"x.",
    b"tar.gz", b"a.tar.gz", b".tar.gz", b"b.TAR.GZ", b"README", b"README.md", b"main.rs", b"Main.rs", b"lib.rs", b"src",
    b"SRC", b"mysrc", b"target", b"node_modules", b"new\nline", b"..", b"...", b"a.jpg", b"b.JPG", b"c.png",
    b"x.crdownload", b"rs", b".rs", b"d", b"e", b"d a", b"d.a", b"data",
];

#[rustfmt::skip]
const KINDS: &[Kind] = &[
    Kind::File, Kind::File, Kind::File, Kind::Dir, Kind::Dir, Kind::Symlink, Kind::Fifo, Kind::Unknown,
];

/// Numbers that look random and are the same in every run.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 20) % limit.max(1) as u64) as usize
    }

    fn one<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

/// A sealed view of about so many entries.
pub(crate) fn view(seed: u64, entries: usize) -> View {
    let mut dice = Dice::new(seed);
    let mut batch = EntryBatch::new();
    let mut dirs = vec![DirId(0)];
    let root_metadata = metadata(&mut dice, Kind::Dir);
    batch.push(BatchEntry {
        parent: None,
        dir: Some(DirId(0)),
        name: b"",
        kind: Kind::Dir,
        has_acl: false,
        is_mount: true,
        is_broken: false,
        excluded: None,
        metadata: root_metadata.as_ref(),
    });
    for _ in 1..entries {
        push(&mut batch, &mut dirs, &mut dice);
    }
    let roots: [&[u8]; 4] = [b"/data", b"/", b"/home/me/src", "/Da\u{c9}/e".as_bytes()];
    let root = dice.one(&roots);
    sealed(&batch, root)
}

/// The same tree after `changes` changes of all sorts.
pub(crate) fn changed(seed: u64, entries: usize, changes: usize) -> View {
    let (mut dice, mut view) = (Dice::new(seed ^ 0x5eed), view(seed, entries));
    let mut delta = Delta::new(view.shared_segment());
    for _ in 0..changes {
        change(&mut dice, &mut delta, &view);
        view = delta.view().unwrap();
    }
    view
}

fn change(dice: &mut Dice, delta: &mut Delta, view: &View) {
    let ids: Vec<u32> = view.pieces().iter().flat_map(|p| p.ids.clone()).collect();
    let is_dir = |id: &u32| view.kind(*id).unwrap().is_dir();
    let dirs: Vec<u32> = ids.iter().copied().filter(is_dir).collect();
    let (id, dir, name) = (dice.one(&ids), dice.one(&dirs), name(dice));
    // What cannot be done, such as moving a directory into itself, is not done.
    let _ = match dice.below(7) {
        0 => delta.remove(id),
        1 | 2 => delta.rename(id, dir, &name),
        3 => delta.mark_unread(dir, dice.below(2) == 0),
        at => {
            let is_root = at == 6;
            let kind = if is_root { Kind::Dir } else { dice.one(KINDS) };
            let metadata = metadata(dice, kind);
            let put = Put {
                kind,
                has_acl: dice.below(3) == 0,
                is_mount: false,
                is_broken: kind == Kind::Symlink,
                metadata: metadata.as_ref(),
            };
            if let Some(metadata) = &metadata {
                delta.add_volume(volume(metadata.id.device)).unwrap();
            }
            match is_root {
                true => delta.put(None, b"", &put).map(drop),
                false => delta.put(Some(dir), &name, &put).map(drop),
            }
        }
    };
}

fn push(batch: &mut EntryBatch, dirs: &mut Vec<DirId>, dice: &mut Dice) {
    let kind = dice.one(KINDS);
    // Most often in one of the last directories, so that some paths are long.
    let reach = if dice.below(3) > 0 { 4 } else { dirs.len() };
    let parent = dirs[dirs.len() - 1 - dice.below(reach.min(dirs.len()))];
    let dir = (kind == Kind::Dir).then(|| DirId(u32::try_from(dirs.len()).unwrap()));
    let name = name(dice);
    let metadata = metadata(dice, kind);
    batch.push(BatchEntry {
        parent: Some(parent),
        dir,
        name: &name,
        kind,
        has_acl: dice.below(9) == 0,
        is_mount: kind == Kind::Dir && dice.below(9) == 0,
        is_broken: kind == Kind::Symlink && dice.below(2) == 0,
        excluded: None,
        metadata: metadata.as_ref(),
    });
    dirs.extend(dir);
    if let Some(dir) = dir.filter(|_| dice.below(8) == 0) {
        batch.mark_unread(dir);
    }
}

fn sealed(batch: &EntryBatch, root: &[u8]) -> View {
    let mut builder = Builder::new();
    builder.push(batch).unwrap();
    let about = About {
        root: root.to_vec(),
        source: b"walk".to_vec(),
        ..About::default()
    };
    let mut out = Cursor::new(Vec::new());
    let cancel = CancelToken::new();
    builder.seal(&mut out, &about, volume, &cancel).unwrap();
    let segment = Segment::from_bytes(out.into_inner()).unwrap();
    View::sealed(Arc::new(segment)).unwrap()
}

fn volume(device: u64) -> Volume {
    let mut volume = Volume {
        device,
        ..Volume::default()
    };
    let names: [&[u8]; 3] = [b"ext4", b"ntfs3", b""];
    let name = names[device as usize % 3];
    volume.file_system[..name.len()].copy_from_slice(name);
    volume.uuid = [u8::try_from(device % 200).unwrap(); 16];
    volume
}

fn name(dice: &mut Dice) -> Vec<u8> {
    if dice.below(3) > 0 {
        return dice.one(NAMES).to_vec();
    }
    let length = 1 + dice.below(5);
    let mut name: Vec<u8> = (0..length).map(|_| dice.one(b"abABsrj1-_ ")).collect();
    if dice.below(2) == 0 {
        name.push(b'.');
        let length = 1 + dice.below(3);
        name.extend((0..length).map(|_| dice.one(b"rsRSjptx")));
    }
    name
}

#[rustfmt::skip]
fn metadata(dice: &mut Dice, kind: Kind) -> Option<Metadata> {
    if dice.below(9) == 0 {
        return None;
    }
    Some(Metadata {
        kind,
        id: FileId {
            device: dice.below(3) as u64,
            inode: dice.below(60) as u64 * dice.one(&[1, 1 << 40]),
        },
        mode: dice.one(&[0o644, 0o755, 0o600, 0o444, 0o4755, 0, 0o777]) | type_bits(kind),
        links: dice.one(&[1, 1, 1, 2, 3]),
        uid: dice.one(&[0, 1000, 1001, u32::MAX]),
        gid: dice.one(&[0, 100, 1000]),
        size: dice.one(&[0, 0, 1, 999, 1000, 1001, 4096, 5000, 1 << 20, 1 << 40, u64::MAX]),
        allocated: dice.one(&[0, 512, 4096, 8192, 1 << 20, 1 << 41, u64::MAX]),
        special: (0, 0),
        accessed: time(dice),
        modified: time(dice),
        changed: time(dice),
        created: Some(time(dice)).filter(|_| dice.below(3) > 0),
    })
}

fn type_bits(kind: Kind) -> u32 {
    match kind {
        Kind::File => 0o100_000,
        Kind::Dir => 0o040_000,
        Kind::Symlink => 0o120_000,
        Kind::Fifo => 0o010_000,
        _ => 0,
    }
}

#[rustfmt::skip]
fn time(dice: &mut Dice) -> Timestamp {
    let now = Timestamp::from(&now()).seconds;
    let ago = [-5, 0, 3599, 3600, 3601, 7200, 86_400 * 40, now, now + 1, 20_000_000_000];
    Timestamp {
        seconds: now - dice.one(&ago),
        nanoseconds: dice.one(&[0, 0, 1, 999_999_999]),
    }
}
