//! Numbers and names as bytes that compress well, and back: differences of neighbours or of two
//! columns, the same byte of all numbers together, names without what they share with the one before.

use crate::bytes::{unzigzag, zigzag};

/// Numbers that are decoded at a time.
pub(super) const BLOCK: usize = crate::packed::BLOCK;

/// Numbers as planes: as many bytes of each as the largest takes, the lowest byte of all first.
pub(super) fn to_planes(numbers: &[u64]) -> Vec<u8> {
    let all = numbers.iter().fold(0, |all, number| all | number);
    let width = width_of(all);
    let mut planes = Vec::with_capacity(numbers.len() * width);
    for plane in 0..width {
        // The lowest byte of the shifted number.
        let byte = |number: &u64| (number >> (8 * plane)) as u8;
        planes.extend(numbers.iter().map(byte));
    }
    planes
}

/// Each number as its difference to the one before it; the first to 0.
pub(super) fn to_steps(numbers: &mut [u64]) {
    let mut before = 0u64;
    for number in numbers {
        let step = number.wrapping_sub(before);
        before = *number;
        *number = zigzag(step.cast_signed());
    }
}

/// Each number as its difference to another.
pub(super) fn to_differences(numbers: &mut [u64], others: &[u64]) {
    for (number, other) in numbers.iter_mut().zip(others) {
        *number = zigzag(number.wrapping_sub(*other).cast_signed());
    }
}

/// Bytes that a number with these bits takes.
fn width_of(bits: u64) -> usize {
    let bits = u64::BITS - bits.leading_zeros();
    // At most eight.
    bits.div_ceil(8) as usize
}

/// What decoded numbers are differences to.
#[derive(Debug)]
pub(super) enum Relation {
    /// They are what they are.
    None,
    /// To the number before, which this is.
    Before(u64),
    /// To those of another column.
    Other(Box<Numbers>),
}

/// Numbers that are decoded a block at a time, so that no column takes eight bytes a number.
#[derive(Debug)]
pub(super) struct Numbers {
    planes: Vec<u8>,
    count: usize,
    width: usize,
    next: usize,
    relation: Relation,
}

impl Numbers {
    /// `None` where the bytes are not a whole number of planes, or too many.
    pub(super) fn new(planes: Vec<u8>, count: usize, relation: Relation) -> Option<Numbers> {
        let width = planes.len().checked_div(count).unwrap_or(0);
        let is_whole = planes.len() == width.checked_mul(count)?;
        (width <= 8 && is_whole).then_some(Numbers {
            planes,
            count,
            width,
            next: 0,
            relation,
        })
    }

    /// Puts the next numbers into `out`, and answers how many they are; 0 at the end.
    pub(super) fn next_block(&mut self, out: &mut [u64; BLOCK]) -> usize {
        let length = BLOCK.min(self.count - self.next);
        let numbers = &mut out[..length];
        numbers.fill(0);
        for place in 0..self.width {
            let start = place * self.count + self.next;
            let plane = self.planes.get(start..start + length).unwrap_or_default();
            for (number, &byte) in numbers.iter_mut().zip(plane) {
                *number |= u64::from(byte) << (8 * place);
            }
        }
        self.next += length;
        match &mut self.relation {
            Relation::None => {}
            Relation::Before(before) => {
                for number in numbers {
                    *before = before.wrapping_add(unzigzag(*number).cast_unsigned());
                    *number = *before;
                }
            }
            Relation::Other(other) => {
                let mut others = [0; BLOCK];
                other.next_block(&mut others);
                for (number, other) in numbers.iter_mut().zip(others) {
                    *number = other.wrapping_add(unzigzag(*number).cast_unsigned());
                }
            }
        }
        length
    }
}

/// Most bytes that a name can share with the one before it.
const MOST_SHARED: usize = 255;

/// Names that end with NUL each: first, one byte a name, how many bytes each shares with the one
/// before it; then the rest of each, with its NUL.
pub(super) fn to_front(names: &[u8]) -> Vec<u8> {
    let (mut shared, mut rests) = (Vec::new(), Vec::new());
    let mut before: &[u8] = &[];
    for name in names.split_inclusive(|&byte| byte == 0) {
        let pairs = before.iter().zip(name);
        let same = pairs.take_while(|(a, b)| a == b && **a != 0).count();
        let same = same.min(MOST_SHARED);
        shared.push(same as u8);
        rests.extend_from_slice(&name[same..]);
        before = name;
    }
    shared.extend_from_slice(&rests);
    shared
}

/// Bytes that are copied at a time, be there as many or not: most names have fewer, and a copy of a
/// fixed length takes one instruction.
const CHUNK: usize = 16;

/// Bytes of room that [`from_front`] wants behind what it is given.
pub(super) const ROOM: usize = CHUNK;

/// The names, of which there must be `count` in `length` bytes, and where each begins; `None` where
/// the bytes are no names.
pub(super) fn from_front(
    mut front: Vec<u8>,
    count: usize,
    length: usize,
) -> Option<(Vec<u8>, Vec<u64>)> {
    let end = front.len();
    front.resize(end.checked_add(ROOM)?, 0);
    let (shared, rests) = front.split_at_checked(count)?;
    let end = end.checked_sub(count)?;
    let mut names = vec![0u8; length.checked_add(2 * CHUNK)?];
    let mut starts = Vec::with_capacity(count + 1);
    let (mut before, mut next, mut at) = (0, 0, 0);
    for &same in shared {
        let same = usize::from(same);
        // What is shared belongs to the name before, and its NUL does not.
        if same > 0 && before + same >= next || next + same > length {
            return None;
        }
        starts.push(next as u64);
        let start = next;
        copy(&mut names, before, next, same)?;
        (next, at) = copy_rest(rests, at, &mut names, next + same, length)?;
        before = start;
    }
    starts.push(next as u64);
    names.truncate(length);
    (at == end && next == length).then_some((names, starts))
}

/// Copies bytes that are there to a place behind them; what follows that place may change.
fn copy(names: &mut [u8], from: usize, to: usize, length: usize) -> Option<()> {
    let mut done = 0;
    while done < length {
        let chunk = *names.get(from + done..)?.first_chunk::<CHUNK>()?;
        *names.get_mut(to + done..)?.first_chunk_mut::<CHUNK>()? = chunk;
        done += CHUNK;
    }
    Some(())
}

/// Copies bytes up to the next NUL, which is copied too. Answers where both go on.
fn copy_rest(
    rests: &[u8],
    mut at: usize,
    names: &mut [u8],
    mut to: usize,
    length: usize,
) -> Option<(usize, usize)> {
    loop {
        let chunk = *rests.get(at..)?.first_chunk::<CHUNK>()?;
        *names.get_mut(to..)?.first_chunk_mut::<CHUNK>()? = chunk;
        let copied = nul(chunk).map_or(CHUNK, |nul| nul + 1);
        (at, to) = (at + copied, to + copied);
        if to > length {
            return None;
        }
        if copied < CHUNK || names.get(to - 1) == Some(&0) {
            return Some((to, at));
        }
    }
}

/// The first NUL among these bytes.
fn nul(chunk: [u8; CHUNK]) -> Option<usize> {
    const ONES: u128 = u128::from_ne_bytes([1; CHUNK]);
    let bytes = u128::from_le_bytes(chunk);
    // The lowest bit that is left is the highest one of the first byte that is zero.
    let nuls = bytes.wrapping_sub(ONES) & !bytes & (ONES << 7);
    (nuls != 0).then(|| nuls.trailing_zeros() as usize / 8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn decoded(planes: Vec<u8>, count: usize, relation: Relation) -> Option<Vec<u64>> {
        let mut numbers = Numbers::new(planes, count, relation)?;
        let (mut all, mut block) = (Vec::new(), [0; BLOCK]);
        loop {
            match numbers.next_block(&mut block) {
                0 => return Some(all),
                length => all.extend_from_slice(&block[..length]),
            }
        }
    }

    proptest! {
        #[test]
        fn numbers_go_there_and_back(pairs in prop::collection::vec((any::<u64>(), any::<u64>()), 0..300), shift in 0u32..64) {
            let (numbers, others): (Vec<u64>, Vec<u64>) =
                pairs.into_iter().map(|(a, b)| (a >> shift, b)).unzip();
            let count = numbers.len();
            let back = decoded(to_planes(&numbers), count, Relation::None);
            prop_assert_eq!(back.as_ref(), Some(&numbers));
            let mut steps = numbers.clone();
            to_steps(&mut steps);
            let back = decoded(to_planes(&steps), count, Relation::Before(0));
            prop_assert_eq!(back.as_ref(), Some(&numbers));
            let mut differences = numbers.clone();
            to_differences(&mut differences, &others);
            let other = Numbers::new(to_planes(&others), count, Relation::None).unwrap();
            let back = decoded(to_planes(&differences), count, Relation::Other(Box::new(other)));
            prop_assert_eq!(back.as_ref(), Some(&numbers));
        }

        #[test]
        fn names_go_there_and_back(list in prop::collection::vec("[ab]{0,6}", 0..40), long in 0usize..600) {
            let mut names = list.concat().into_bytes();
            names.clear();
            for name in list.iter().map(String::as_bytes).chain([&vec![b'x'; long][..], &vec![b'x'; long + 2]]) {
                names.extend_from_slice(name);
                names.push(0);
            }
            let front = to_front(&names);
            let count = list.len() + 2;
            let (back, starts) = from_front(front.clone(), count, names.len()).unwrap();
            prop_assert_eq!(&back, &names);
            prop_assert_eq!(starts.len(), count + 1);
            prop_assert!(starts[1..].iter().all(|&start| names[start as usize - 1] == 0));
            prop_assert!(from_front(front.clone(), count, names.len() + 1).is_none());
            prop_assert!(from_front(front[..front.len() - 1].to_vec(), count, names.len()).is_none());
        }

        #[test]
        fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..60), count in 0usize..20, length in 0usize..100) {
            let numbers = decoded(bytes.clone(), count, Relation::Before(7));
            prop_assert!(numbers.is_none_or(|numbers| numbers.len() == count));
            if let Some((names, starts)) = from_front(bytes, count, length) {
                prop_assert_eq!((names.len(), starts.len()), (length, count + 1));
                prop_assert_eq!(names.iter().filter(|&&byte| byte == 0).count(), count);
            }
        }
    }

    #[test]
    fn zeros_take_no_bytes() {
        assert!(to_planes(&[0, 0, 0]).is_empty());
        assert_eq!(to_planes(&[0x102, 3]), [2, 3, 1, 0]);
        assert_eq!(decoded(Vec::new(), 3, Relation::None), Some(vec![0, 0, 0]));
        assert_eq!(decoded(vec![1], 0, Relation::None), None);
    }
}
