//! Texts for a terminal: names made harmless, sizes, bars.

use groma_base::size::{human_size, human_size_si};
use groma_engine::map::{Item, Weigh, shown_name};

/// How numbers are written.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Numbers {
    pub(crate) weigh: Weigh,
    pub(crate) si: bool,
}

impl Numbers {
    /// A number of bytes.
    pub(crate) fn bytes(self, bytes: u64) -> String {
        match self.si {
            true => human_size_si(bytes),
            false => human_size(bytes),
        }
    }

    /// What an item weighs.
    pub(crate) fn weight(self, item: &Item) -> String {
        self.amount(item.weight(self.weigh))
    }

    /// A weight.
    pub(crate) fn amount(self, weight: u64) -> String {
        match self.weigh {
            Weigh::Count => grouped(weight),
            _ => self.bytes(weight),
        }
    }
}

/// A number with its digits in threes.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// Bytes of a name as a terminal may show them.
pub(crate) fn name(bytes: &[u8]) -> String {
    shown_name(bytes)
}

/// A part of a whole in percent.
pub(crate) fn share(part: u64, whole: u64) -> String {
    groma_engine::map::share(part.into(), whole.into())
}

/// A bar of at most `places` cells.
pub(crate) fn bar(part: u64, longest: u64, places: u16, ascii: bool) -> String {
    let bar = groma_engine::map::bar(part.into(), longest.into(), places.into());
    match ascii {
        // Each cell is one character.
        true => "#".repeat(bar.chars().count()),
        false => bar,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_bars() {
        assert_eq!(grouped(1_234_567), "1\u{202f}234\u{202f}567");
        assert_eq!(grouped(12), "12");
        assert_eq!(share(1, 3), "33.3%");
        assert_eq!(share(1, 0), "-");
        assert_eq!(bar(1, 2, 4, false), "██");
        assert_eq!(bar(1, 1000, 4, false), "▏");
        assert_eq!(bar(5, 10, 4, true), "##");
        assert_eq!(bar(0, 0, 4, false), "");
    }
}
