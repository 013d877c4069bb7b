//! The order of entries: by path, component by component, each by (folded, raw) bytes.

use std::cmp::Ordering;

use crate::fold::fold_into;

/// Compares two names by their folded bytes, then by their raw bytes.
pub fn compare_names(a: &[u8], b: &[u8]) -> Ordering {
    let common = a
        .iter()
        .zip(b)
        .take_while(|(x, y)| x == y && x.is_ascii())
        .count();
    let (a_rest, b_rest) = (&a[common..], &b[common..]);
    if a_rest.is_ascii() && b_rest.is_ascii() {
        return compare_ascii(a_rest, b_rest).then_with(|| a.cmp(b));
    }
    let (mut a_folded, mut b_folded) = (Vec::new(), Vec::new());
    fold_into(a_rest, &mut a_folded);
    fold_into(b_rest, &mut b_folded);
    a_folded.cmp(&b_folded).then_with(|| a.cmp(b))
}

/// Eight bytes of a name's folded form, the word `index` of them, as a number; beyond its end there
/// are zeros. Where two names' words differ and those before are equal, the names are in the same
/// order as they.
pub fn folded_word(name: &[u8], index: usize) -> u64 {
    let (start, end) = (index * 8, index * 8 + 8);
    let head = &name[..name.len().min(end)];
    if head.is_ascii() {
        return word(head.get(start..).unwrap_or_default()).map_or(0, |word| {
            u64::from_be_bytes(word.map(|b| b.to_ascii_lowercase()))
        });
    }
    let folded = crate::folded(name);
    let rest = folded.get(start..).unwrap_or_default();
    word(&rest[..rest.len().min(8)]).map_or(0, u64::from_be_bytes)
}

/// At most eight bytes, filled up with zeros.
fn word(bytes: &[u8]) -> Option<[u8; 8]> {
    let mut word = [0; 8];
    word.get_mut(..bytes.len())?.copy_from_slice(bytes);
    Some(word)
}

fn compare_ascii(a: &[u8], b: &[u8]) -> Ordering {
    for (x, y) in a.iter().zip(b) {
        let order = x.to_ascii_lowercase().cmp(&y.to_ascii_lowercase());
        if order.is_ne() {
            return order;
        }
    }
    a.len().cmp(&b.len())
}

/// Compares two paths component by component: a directory comes right before what lies in it.
pub fn compare_paths(a: &[u8], b: &[u8]) -> Ordering {
    let mut left = a.split(|&c| c == b'/');
    let mut right = b.split(|&c| c == b'/');
    loop {
        match (left.next(), right.next()) {
            (Some(x), Some(y)) => {
                let order = compare_names(x, y);
                if order.is_ne() {
                    return order;
                }
            }
            (Some(_), None) => return Ordering::Greater,
            (None, Some(_)) => return Ordering::Less,
            (None, None) => return Ordering::Equal,
        }
    }
}

/// Appends a path as bytes whose plain order is that of [`compare_paths`]: each component's folded
/// form, NUL, its raw form, NUL. Made once per path, it turns a sort into comparisons of bytes.
///
/// No component may hold a NUL, as none on a disk does.
pub fn push_path_key(path: &[u8], key: &mut Vec<u8>) {
    for name in path.split(|&c| c == b'/') {
        fold_into(name, key);
        key.push(0);
        key.extend_from_slice(name);
        key.push(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folded;
    use proptest::prelude::*;

    #[test]
    fn a_directory_precedes_its_children_and_its_neighbours() {
        let mut paths = ["a-b", "a/z", "a", "B", "a/Z", "b"];
        paths.sort_by(|x, y| compare_paths(x.as_bytes(), y.as_bytes()));
        assert_eq!(paths, ["a", "a/Z", "a/z", "a-b", "B", "b"]);
    }

    proptest! {
        #[test]
        fn equals_comparing_whole_folded_forms(a in "[a-cA-CäÄſK\u{1}]{0,6}", b in "[a-cA-CäÄſK\u{1}]{0,6}") {
            let (a, b) = (a.as_bytes(), b.as_bytes());
            prop_assert_eq!(compare_names(a, b), folded(a).cmp(&folded(b)).then_with(|| a.cmp(b)));
        }

        #[test]
        fn words_never_contradict(a in "[a-cA-CäÄſK\u{1}]{0,20}", b in "[a-cA-CäÄſK\u{1}]{0,20}") {
            let words = |name: &str| (0..8).map(|at| folded_word(name.as_bytes(), at)).collect::<Vec<_>>();
            let order = words(&a).cmp(&words(&b));
            prop_assert!(order.is_eq() || order == compare_names(a.as_bytes(), b.as_bytes()));
            prop_assert_eq!(order.is_eq(), folded(a.as_bytes()) == folded(b.as_bytes()));
        }

        #[test]
        fn keys_are_in_the_order_of_paths(a in "[aAbBäÄ\u{1}/]{0,8}", b in "[aAbBäÄ\u{1}/]{0,8}") {
            let (mut a_key, mut b_key) = (Vec::new(), Vec::new());
            push_path_key(a.as_bytes(), &mut a_key);
            push_path_key(b.as_bytes(), &mut b_key);
            prop_assert_eq!(a_key.cmp(&b_key), compare_paths(a.as_bytes(), b.as_bytes()));
        }

        #[test]
        fn equals_on_any_bytes(a in proptest::collection::vec(any::<u8>(), 0..6), b in proptest::collection::vec(any::<u8>(), 0..6)) {
            prop_assert_eq!(compare_names(&a, &b), folded(&a).cmp(&folded(&b)).then_with(|| a.cmp(&b)));
        }
    }
}
