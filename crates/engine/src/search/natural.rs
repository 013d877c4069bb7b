//! Natural order: numbers in names count as numbers.

use groma_base::fold_into;

/// Most digits that are compared by their number; no name has more bytes.
const MOST_DIGITS: usize = u16::MAX as usize;

/// A key whose bytes are in the natural order of names: `file9` before `file10`. Names that differ
/// in case or in leading zeros only have one key.
pub(crate) fn name_key(name: &[u8]) -> Vec<u8> {
    let mut folded = Vec::with_capacity(name.len());
    fold_into(name, &mut folded);
    let mut key = Vec::with_capacity(folded.len() + 8);
    let mut rest = &folded[..];
    while let Some(&first) = rest.first() {
        if !first.is_ascii_digit() {
            key.push(first);
            rest = &rest[1..];
            continue;
        }
        let end = rest.iter().position(|b| !b.is_ascii_digit());
        let (digits, after) = rest.split_at(end.unwrap_or(rest.len()));
        push_number(digits, &mut key);
        rest = after;
    }
    key
}

/// As [`name_key`], component by component: a directory comes right before what lies in it.
pub(crate) fn path_key(path: &[u8]) -> Vec<u8> {
    let mut key = Vec::with_capacity(path.len() + 16);
    for component in path.split(|&b| b == b'/') {
        key.extend_from_slice(&name_key(component));
        // Below every byte that a name can have.
        key.push(0);
    }
    key.pop();
    key
}

/// A number of more digits is larger, whatever the digits.
fn push_number(digits: &[u8], key: &mut Vec<u8>) {
    let zeros = digits.iter().take_while(|&&b| b == b'0').count();
    let digits = &digits[zeros.min(digits.len() - 1)..];
    let digits = &digits[..digits.len().min(MOST_DIGITS)];
    // Where a name without a number has something else, a digit stands as digits do.
    key.push(b'0');
    key.extend_from_slice(
        &u16::try_from(digits.len())
            .unwrap_or(u16::MAX)
            .to_be_bytes(),
    );
    key.extend_from_slice(digits);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_count_as_numbers() {
        let sorted = [
            "",
            "-",
            "0",
            "1",
            "2",
            "10",
            "a",
            "a1",
            "a1b",
            "a2",
            "a10",
            "a10a",
            "a011",
            "b 99",
            "b 100",
            "x12345678901234567890",
            "x99999999999999999999",
        ];
        let mut shuffled = sorted;
        shuffled.reverse();
        shuffled.sort_by_key(|name| name_key(name.as_bytes()));
        assert_eq!(shuffled, sorted);
        assert_eq!(name_key(b"A01"), name_key(b"a1"));
        assert_eq!(name_key(b"00"), name_key(b"0"));
    }

    #[test]
    fn directories_come_before_what_lies_in_them() {
        let mut paths = ["/a 2-x", "/a 10/b", "/a 2/c", "/a 2", "/a 2/c 1"];
        paths.sort_by_key(|path| path_key(path.as_bytes()));
        assert_eq!(paths, ["/a 2", "/a 2/c", "/a 2/c 1", "/a 2-x", "/a 10/b"]);
    }
}
