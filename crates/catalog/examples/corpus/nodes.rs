//! Metadata of a made tree: sizes, times, owners, modes, inodes, hard links.

use groma_base::{FileId, Kind, Metadata, Timestamp};

use super::rng::Rng;

/// The moment of the scan: the first second of 2026.
pub(crate) const NOW: i64 = 1_767_225_600;
/// The one file system that a tree lies on.
pub(crate) const DEVICE: u64 = 0x801;

/// Nodes that wait for another of their names, at most.
const MOST_WAITING: usize = 1000;

/// What the files of one directory have in common.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    owner: (u32, u32),
    /// When most of its files were last changed.
    modified: i64,
    /// When its files came to this disk.
    changed: i64,
    /// Whether they came out of an archive that keeps whole seconds.
    has_whole_seconds: bool,
}

impl Place {
    /// The top.
    pub(crate) fn top() -> Place {
        Place {
            owner: (0, 0),
            modified: NOW - (5 << 25),
            changed: NOW - (5 << 25),
            has_whole_seconds: true,
        }
    }

    /// A directory in this one: mostly of the same owner, and often of the same time.
    pub(crate) fn below(&self, rng: &mut Rng) -> Place {
        let mut place = self.clone();
        if rng.percent(3) {
            place.owner = owner(rng);
        }
        if rng.percent(45) {
            place.modified = NOW - age(rng);
            place.changed = between(place.modified, NOW, rng);
            place.has_whole_seconds = rng.percent(50);
        }
        place
    }
}

/// Hands out nodes: inode numbers once each, hard links now and then.
#[derive(Debug)]
pub(crate) struct Nodes {
    next_file: u64,
    first_dir: u64,
    waiting: Vec<Waiting>,
}

/// A node, and how many entries of it are still to come.
#[derive(Debug)]
struct Waiting {
    node: Metadata,
    left: usize,
}

impl Nodes {
    /// For a tree of `rows` entries.
    pub(crate) fn new(rows: u32) -> Nodes {
        Nodes {
            next_file: 12,
            first_dir: 12 + 2 * u64::from(rows),
            waiting: Vec::new(),
        }
    }

    /// The node of the directory with this number.
    pub(crate) fn dir(&self, number: u32, files: usize, place: &Place, rng: &mut Rng) -> Metadata {
        // Neighbours are spread within their thousand, as file systems do with directories.
        let spread = (number & !0x3ff) | (number.wrapping_mul(0x9e37) & 0x3ff);
        let size = 4096 * (1 + files as u64 / 128);
        let mode = [0o755, 0o755, 0o755, 0o700, 0o2775][rng.halving(4) as usize];
        let mut node = node(
            Kind::Dir,
            0o040_000 | mode,
            self.first_dir + u64::from(spread),
            place,
            rng,
        );
        (node.size, node.allocated, node.links) = (size, size, 2);
        node
    }

    /// The node of the next entry that is no directory.
    pub(crate) fn file(&mut self, place: &Place, rng: &mut Rng) -> Metadata {
        if !self.waiting.is_empty() && rng.below(100) == 0 {
            return self.link(rng);
        }
        let inode = self.next_file;
        self.next_file += 1;
        if rng.percent(2) {
            return symlink(inode, place, rng);
        }
        if rng.below(100_000) == 0 {
            return special(inode, place, rng);
        }
        let mut node = regular(inode, place, rng);
        if self.waiting.len() < MOST_WAITING && rng.below(200) == 0 {
            let left = 1 + rng.halving(8) as usize;
            node.links = left as u64 + 1;
            self.waiting.push(Waiting {
                node: node.clone(),
                left,
            });
        }
        node
    }

    /// One more entry of a node that has some already.
    fn link(&mut self, rng: &mut Rng) -> Metadata {
        let at = rng.below(self.waiting.len());
        let waiting = &mut self.waiting[at];
        waiting.left -= 1;
        match waiting.left {
            0 => self.waiting.swap_remove(at).node,
            _ => waiting.node.clone(),
        }
    }
}

fn regular(inode: u64, place: &Place, rng: &mut Rng) -> Metadata {
    let mode = [0o644, 0o644, 0o644, 0o755, 0o600, 0o664, 0o444][rng.halving(6) as usize];
    let mut node = node(Kind::File, 0o100_000 | mode, inode, place, rng);
    node.size = size(rng);
    node.allocated = node.size.next_multiple_of(4096);
    // Sparse files take less than their size, files that grow often more.
    if rng.below(50) == 0 {
        node.allocated = rng.below(node.allocated as usize / 2048 + 1) as u64 * 4096;
    }
    node
}

fn symlink(inode: u64, place: &Place, rng: &mut Rng) -> Metadata {
    let mut node = node(Kind::Symlink, 0o120_777, inode, place, rng);
    node.size = 4 + rng.below(56) as u64;
    node
}

fn special(inode: u64, place: &Place, rng: &mut Rng) -> Metadata {
    let choices = [(Kind::Socket, 0o140_755), (Kind::Fifo, 0o010_644)];
    let (kind, mode) = choices[rng.below(choices.len())];
    node(kind, mode, inode, place, rng)
}

/// Everything but the sizes.
fn node(kind: Kind, mode: u32, inode: u64, place: &Place, rng: &mut Rng) -> Metadata {
    let modified = modified(place, rng);
    let came = place.changed.max(modified.seconds.min(NOW));
    let changed = exact(came + rng.halving(8) as i64, rng);
    let accessed = match rng.percent(70) {
        true => changed,
        false => exact(between(came, NOW, rng), rng),
    };
    Metadata {
        kind,
        id: FileId {
            device: DEVICE,
            inode,
        },
        mode,
        links: 1,
        uid: place.owner.0,
        gid: place.owner.1,
        size: 0,
        allocated: 0,
        special: (0, 0),
        accessed,
        modified,
        changed,
        created: Some(changed),
    }
}

/// Mostly that of the directory; one in 20 000 lies at the epoch, one in 200 000 far off.
fn modified(place: &Place, rng: &mut Rng) -> Timestamp {
    match rng.below(200_000) {
        0 if rng.percent(50) => Timestamp::from_seconds(-11_644_473_600),
        0 => Timestamp::from_seconds(4_294_967_296 + 86_400),
        1..=10 => Timestamp::from_seconds(0),
        _ => {
            let seconds = match rng.percent(70) {
                true => place.modified,
                false => place.modified - age(rng) / 16,
            };
            match place.has_whole_seconds {
                true => Timestamp::from_seconds(seconds),
                false => exact(seconds, rng),
            }
        }
    }
}

fn exact(seconds: i64, rng: &mut Rng) -> Timestamp {
    Timestamp {
        seconds,
        nanoseconds: rng.below(1_000_000_000) as u32,
    }
}

/// From an hour to eight years, each doubling as likely as any other.
fn age(rng: &mut Rng) -> i64 {
    let scale = 1 << (12 + rng.below(17));
    (scale / 2 + rng.below(scale)) as i64
}

fn between(from: i64, until: i64, rng: &mut Rng) -> i64 {
    let span = usize::try_from(until - from).unwrap_or(0);
    from + rng.below(span + 1) as i64
}

/// The system's, the user's, and those of forty services.
fn owner(rng: &mut Rng) -> (u32, u32) {
    match rng.below(100) {
        0..=54 => (0, 0),
        55..=92 => (1000, 1000),
        93..=95 => (1000, 100),
        _ => {
            let service = 100 + rng.below(40) as u32;
            (service, service)
        }
    }
}

/// Six in a hundred are empty; the logarithms of the others lie about 4 KiB as a bell does, two
/// thirds of them between 360 bytes and 46 KiB, one in a hundred above a megabyte.
fn size(rng: &mut Rng) -> u64 {
    if rng.percent(6) {
        return 0;
    }
    two_to_the(12.0 + 3.5 * bell(rng))
}

/// Mean 0, deviation 1: the sum of eight even numbers, which needs no function whose last bit
/// differs from machine to machine.
fn bell(rng: &mut Rng) -> f64 {
    let words = [rng.next(), rng.next()];
    let parts = words
        .iter()
        .flat_map(|word| [0, 16, 32, 48].map(|shift| u32::from((word >> shift) as u16)));
    let sum: u32 = parts.sum();
    let mean = 8.0 * 32_767.5;
    // The variance of one part is (65536^2 - 1) / 12.
    (f64::from(sum) - mean) / 53_509.9
}

/// A power of two, straight between whole exponents.
fn two_to_the(exponent: f64) -> u64 {
    let exponent = exponent.max(0.0);
    let whole = exponent as u32;
    let part = exponent - f64::from(whole);
    ((1u64 << whole.min(50)) as f64 * (1.0 + part)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_lie_as_stated() {
        let mut rng = Rng::new(1);
        let sizes: Vec<u64> = (0..100_000).map(|_| size(&mut rng)).collect();
        let part = |is: &dyn Fn(u64) -> bool| {
            sizes.iter().filter(|&&size| is(size)).count() as f64 / sizes.len() as f64
        };
        assert!((0.055..0.065).contains(&part(&|size| size == 0)));
        assert!((0.44..0.50).contains(&part(&|size| size > 4096)));
        assert!((0.60..0.68).contains(&part(&|size| (360..46_000).contains(&size))));
        assert!((0.008..0.014).contains(&part(&|size| size > 1_000_000)));
    }

    #[test]
    fn nodes_have_their_own_inodes_and_as_many_links_as_were_promised() {
        let mut rng = Rng::new(1);
        let mut nodes = Nodes::new(100_000);
        let mut entries = std::collections::HashMap::new();
        for _ in 0..100_000 {
            let node = nodes.file(&Place::top(), &mut rng);
            let seen: &mut (u64, Metadata) =
                entries.entry(node.id).or_insert_with(|| (0, node.clone()));
            seen.0 += 1;
            assert_eq!(seen.1, node);
        }
        assert!(entries.values().all(|(count, node)| *count <= node.links));
        let shared = entries.values().filter(|(count, _)| *count > 1).count();
        assert!((200..1000).contains(&shared), "{shared}");
        let dirs: std::collections::HashSet<u64> = (0..9000)
            .map(|number| nodes.dir(number, 0, &Place::top(), &mut rng).id.inode)
            .collect();
        assert_eq!(dirs.len(), 9000);
    }
}
