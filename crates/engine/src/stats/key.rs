//! What a bucket stands for: one value of the field that entries are grouped by.

use std::cmp::Ordering;

use groma_base::compare_paths;

/// A value that buckets are told apart by. The order is that of numbers, of time, of paths.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    /// A number, or the number of a class or range.
    Number(u64),
    /// The number of a period of the calendar.
    Period(i64),
    /// An extension, a name, a path.
    Bytes(Vec<u8>),
    /// A directory, and the root that it was found under: where there are several, what lies below
    /// the directory may be of another root.
    Below(Vec<u8>, Vec<u8>),
}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Key) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Key {
    fn cmp(&self, other: &Key) -> Ordering {
        match (self, other) {
            (Key::Number(a), Key::Number(b)) => a.cmp(b),
            (Key::Period(a), Key::Period(b)) => a.cmp(b),
            (Key::Bytes(a), Key::Bytes(b)) => compare_paths(a, b),
            (Key::Below(a, x), Key::Below(b, y)) => {
                compare_paths(a, b).then_with(|| compare_paths(x, y))
            }
            // The keys of one field are of one form; the rest is only there to be an order.
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

impl Key {
    fn rank(&self) -> u8 {
        match self {
            Key::Number(_) => 0,
            Key::Period(_) => 1,
            Key::Bytes(_) => 2,
            Key::Below(..) => 3,
        }
    }

    pub(super) fn number(&self) -> u64 {
        match self {
            Key::Number(number) => *number,
            _ => 0,
        }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        match self {
            Key::Bytes(bytes) | Key::Below(bytes, _) => bytes,
            _ => &[],
        }
    }
}
