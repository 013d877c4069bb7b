//! Numbers as vectors and columns hold them.

/// A number as it is held in a vector or a column.
pub(super) trait Number: Copy {
    fn number(self) -> u64;

    /// Whether all numbers are below a limit. Without an early exit this is vector code.
    fn all_below(numbers: &[Self], limit: u64) -> bool {
        let is_below = |all, number: &Self| all & (number.number() < limit);
        numbers.iter().fold(true, is_below)
    }
}

impl Number for u32 {
    #[inline]
    fn number(self) -> u64 {
        self.into()
    }
}

impl Number for u64 {
    #[inline]
    fn number(self) -> u64 {
        self
    }
}

impl Number for [u8; 8] {
    #[inline]
    fn number(self) -> u64 {
        u64::from_le_bytes(self)
    }
}

impl Number for [u8; 2] {
    #[inline]
    fn number(self) -> u64 {
        u16::from_le_bytes(self).into()
    }

    fn all_below(numbers: &[[u8; 2]], limit: u64) -> bool {
        let Ok(limit) = u16::try_from(limit) else {
            return true;
        };
        let is_below = |all, number: &[u8; 2]| all & (u16::from_le_bytes(*number) < limit);
        numbers.iter().fold(true, is_below)
    }
}
