//! Numbers in little-endian bytes, read without a panic.

/// The number at byte `at`; `None` past the end.
pub(crate) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    array(bytes, at).map(u16::from_le_bytes)
}

/// The number at byte `at`; `None` past the end.
#[inline]
pub(crate) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    array(bytes, at).map(u32::from_le_bytes)
}

/// The number at byte `at`; `None` past the end.
#[inline]
pub(crate) fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    array(bytes, at).map(u64::from_le_bytes)
}

/// The number at byte `at`; `None` past the end.
pub(crate) fn i64_at(bytes: &[u8], at: usize) -> Option<i64> {
    array(bytes, at).map(i64::from_le_bytes)
}

#[inline]
fn array<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    let end = at.checked_add(N)?;
    bytes.get(at..end)?.try_into().ok()
}

/// Puts signed numbers in the order of unsigned ones, so that blocks of them pack well.
#[inline]
pub(crate) fn bias(value: i64) -> u64 {
    value.cast_unsigned() ^ (1 << 63)
}

/// The number that [`bias`] was given.
#[inline]
pub(crate) fn unbias(value: u64) -> i64 {
    (value ^ (1 << 63)).cast_signed()
}

/// Small differences in either direction as small numbers: 0, -1, 1, -2 ...
pub(crate) fn zigzag(value: i64) -> u64 {
    (value << 1).cast_unsigned() ^ (value >> 63).cast_unsigned()
}

/// The difference that [`zigzag`] was given.
#[inline]
pub(crate) fn unzigzag(value: u64) -> i64 {
    (value >> 1).cast_signed() ^ -((value & 1).cast_signed())
}

/// Allocated bytes as a difference to what whole blocks of 4096 bytes would take: 0 for most
/// files. All arithmetic wraps, so that any two numbers go there and back.
pub(crate) fn allocated_difference(size: u64, allocated: u64) -> u64 {
    zigzag(allocated.wrapping_sub(whole_blocks(size)).cast_signed())
}

/// The allocated bytes that [`allocated_difference`] was given.
#[inline]
pub(crate) fn allocated_from(size: u64, difference: u64) -> u64 {
    whole_blocks(size).wrapping_add(unzigzag(difference).cast_unsigned())
}

#[inline]
fn whole_blocks(size: u64) -> u64 {
    size.wrapping_add(4095) & !4095
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_go_there_and_back(value in any::<i64>(), size in any::<u64>(), allocated in any::<u64>()) {
            prop_assert_eq!(unbias(bias(value)), value);
            prop_assert_eq!(unzigzag(zigzag(value)), value);
            let difference = allocated_difference(size, allocated);
            prop_assert_eq!(allocated_from(size, difference), allocated);
        }
    }

    #[test]
    fn reads_within_bounds_only() {
        assert_eq!(u32_at(&[1, 0, 0, 0, 9], 0), Some(1));
        assert_eq!(u32_at(&[1, 0, 0, 0, 9], 2), None);
        assert_eq!(u64_at(&[0; 8], usize::MAX), None);
        assert_eq!(u16_at(&[0, 1], 0), Some(256));
        assert!(bias(-1) < bias(0) && allocated_difference(100, 4096) == 0);
    }
}
