//! Colours: of kinds of files, of ages, of owners, of depth and of ratios; for dark and light grounds,
//! and for terminals with 256 or 16 of them.
//!
//! Categories have hues that people with the common forms of colour blindness tell apart, after
//! M. Okabe and K. Ito, "Color Universal Design" (2008), dimmed so that text can be read on them.
//! Scales run from blue to yellow with rising lightness, so that they stay scales without hue.

/// Red, green and blue of sRGB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rgb(pub u8, pub u8, pub u8);

/// What lies behind the colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Light text on a dark ground.
    #[default]
    Dark,
    /// Dark text on a light ground.
    Light,
}

/// How many colours there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Depth {
    /// All of them.
    #[default]
    True,
    /// The 256 of xterm.
    Indexed,
    /// The 16 of old.
    Ansi,
    /// None.
    Mono,
}

/// The colours of a theme.
#[derive(Clone, Copy, Debug, Default)]
pub struct Palette {
    /// Which one.
    pub theme: Theme,
}

/// Hues of categories: blue, orange, green, pink, yellow, sky, vermilion, teal, violet, brown, olive,
/// grey. Neighbours differ in lightness too.
const DARK: [Rgb; 12] = [
    Rgb(0x2f, 0x6d, 0xa8),
    Rgb(0xb9, 0x77, 0x1e),
    Rgb(0x1f, 0x85, 0x62),
    Rgb(0xa0, 0x56, 0x82),
    Rgb(0x9c, 0x90, 0x2f),
    Rgb(0x3d, 0x89, 0xae),
    Rgb(0xab, 0x50, 0x2c),
    Rgb(0x2a, 0x74, 0x7c),
    Rgb(0x6c, 0x5b, 0xa6),
    Rgb(0x80, 0x5f, 0x48),
    Rgb(0x66, 0x7d, 0x3a),
    Rgb(0x5a, 0x63, 0x6e),
];

const LIGHT: [Rgb; 12] = [
    Rgb(0x8e, 0xbd, 0xe8),
    Rgb(0xf3, 0xc0, 0x75),
    Rgb(0x85, 0xcf, 0xb1),
    Rgb(0xe4, 0xae, 0xcc),
    Rgb(0xec, 0xe0, 0x86),
    Rgb(0xa6, 0xdc, 0xf5),
    Rgb(0xf0, 0xa4, 0x84),
    Rgb(0x93, 0xcf, 0xd4),
    Rgb(0xc2, 0xb5, 0xea),
    Rgb(0xd8, 0xbd, 0xaa),
    Rgb(0xc6, 0xd5, 0x9b),
    Rgb(0xcc, 0xd2, 0xd9),
];

/// A scale from cold to warm, evenly spaced.
const SCALE_DARK: [Rgb; 5] = [
    Rgb(0x2b, 0x3f, 0x78),
    Rgb(0x30, 0x63, 0x82),
    Rgb(0x2f, 0x83, 0x79),
    Rgb(0x77, 0x9a, 0x4f),
    Rgb(0xcc, 0xa8, 0x3a),
];

const SCALE_LIGHT: [Rgb; 5] = [
    Rgb(0x8f, 0xa3, 0xd8),
    Rgb(0x97, 0xc1, 0xdb),
    Rgb(0x9a, 0xd5, 0xc5),
    Rgb(0xcb, 0xe2, 0x9c),
    Rgb(0xf9, 0xe2, 0x84),
];

/// From less over the same to more.
const GROWTH_DARK: [Rgb; 3] = [
    Rgb(0x2f, 0x72, 0xb0),
    Rgb(0x4a, 0x50, 0x59),
    Rgb(0xbd, 0x5a, 0x23),
];

const GROWTH_LIGHT: [Rgb; 3] = [
    Rgb(0x8f, 0xc0, 0xee),
    Rgb(0xe3, 0xe6, 0xea),
    Rgb(0xf5, 0xac, 0x7a),
];

impl Palette {
    /// The colour of a thing among few, by number; they begin anew after twelve.
    pub fn category(self, number: usize) -> Rgb {
        let hues = match self.theme {
            Theme::Dark => &DARK,
            Theme::Light => &LIGHT,
        };
        hues[number % hues.len()]
    }

    /// The colour of what has no category of its own.
    pub fn neutral(self) -> Rgb {
        self.category(DARK.len() - 1)
    }

    /// The colour of a place on a scale from 0, cold, to 1, warm. What is no number is cold.
    pub fn scale(self, place: f64) -> Rgb {
        match self.theme {
            Theme::Dark => along(&SCALE_DARK, place),
            Theme::Light => along(&SCALE_LIGHT, place),
        }
    }

    /// The colour of a change between -1, all of it is gone, over 0, none, to 1, all of it is new.
    pub fn growth(self, change: f64) -> Rgb {
        let place = change.mul_add(0.5, 0.5);
        match self.theme {
            Theme::Dark => along(&GROWTH_DARK, if change.is_nan() { 0.5 } else { place }),
            Theme::Light => along(&GROWTH_LIGHT, if change.is_nan() { 0.5 } else { place }),
        }
    }

    /// The colour of a number that means nothing by itself, like that of a user: the same number has
    /// the same colour.
    pub fn hashed(self, number: u64) -> Rgb {
        // Fibonacci hashing: small numbers that follow each other get colours that differ.
        let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 59;
        self.category(mixed as usize % (DARK.len() - 1))
    }
}

impl Rgb {
    /// How light it looks, from 0 to 1: relative luminance as WCAG 2 defines it.
    pub fn luminance(self) -> f64 {
        let linear = |part: u8| {
            let part = f64::from(part) / 255.0;
            match part <= 0.04045 {
                true => part / 12.92,
                false => ((part + 0.055) / 1.055).powf(2.4),
            }
        };
        0.2126 * linear(self.0) + 0.7152 * linear(self.1) + 0.0722 * linear(self.2)
    }

    /// How well two colours are told apart, from 1 to 21: the contrast ratio of WCAG 2.
    pub fn contrast(self, other: Rgb) -> f64 {
        let (a, b) = (self.luminance(), other.luminance());
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    /// Black or white, whichever is read better on it.
    pub fn ink(self) -> Rgb {
        let (black, white) = (Rgb(0x10, 0x12, 0x16), Rgb(0xff, 0xff, 0xff));
        match self.contrast(black) > self.contrast(white) {
            true => black,
            false => white,
        }
    }

    /// A mixture: `part` of the other one, from 0 to 1.
    #[must_use]
    pub fn mixed(self, other: Rgb, part: f64) -> Rgb {
        let part = if part.is_nan() {
            0.0
        } else {
            part.clamp(0.0, 1.0)
        };
        let mix = |a: u8, b: u8| {
            // Between two bytes.
            (f64::from(a) + (f64::from(b) - f64::from(a)) * part).round() as u8
        };
        Rgb(
            mix(self.0, other.0),
            mix(self.1, other.1),
            mix(self.2, other.2),
        )
    }

    /// `#rrggbb`.
    pub fn hex(self) -> String {
        format!("#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

fn along(stops: &[Rgb], place: f64) -> Rgb {
    let place = if place.is_nan() {
        0.0
    } else {
        place.clamp(0.0, 1.0)
    };
    let at = place * (stops.len() - 1) as f64;
    // At most the last stop.
    let first = (at as usize).min(stops.len().saturating_sub(2));
    stops[first].mixed(stops[first + 1], at - first as f64)
}

/// The nearest of the colours of xterm's cube and greys, 16 to 255.
pub fn to_256(colour: Rgb) -> u8 {
    const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let step = |part: u8| {
        let nearest = (0..6).min_by_key(|&at| STEPS[at].abs_diff(part));
        nearest.unwrap_or(0)
    };
    let (r, g, b) = (step(colour.0), step(colour.1), step(colour.2));
    let cube = Rgb(STEPS[r], STEPS[g], STEPS[b]);
    let mean = (u16::from(colour.0) + u16::from(colour.1) + u16::from(colour.2)) / 3;
    // 24 greys from 8 on, ten apart.
    let grey = (mean.saturating_sub(3) / 10).min(23);
    let level = (8 + grey * 10) as u8;
    match distance(colour, Rgb(level, level, level)) < distance(colour, cube) {
        true => 232 + grey as u8,
        false => (16 + 36 * r + 6 * g + b) as u8,
    }
}

/// The nearest of the sixteen colours, as VGA shows them: 0 to 15.
pub fn to_16(colour: Rgb) -> u8 {
    let shown = |number: u8| {
        let part = |bit: u8| match (number & bit != 0, number & 8 != 0) {
            (true, true) => 255,
            (true, false) => 170,
            (false, true) => 85,
            (false, false) => 0,
        };
        Rgb(part(1), part(2), part(4))
    };
    let nearest = (0..16).min_by_key(|&number| distance(colour, shown(number)));
    nearest.unwrap_or(7)
}

fn distance(a: Rgb, b: Rgb) -> u32 {
    let square = |a: u8, b: u8| u32::from(a.abs_diff(b)).pow(2);
    2 * square(a.0, b.0) + 4 * square(a.1, b.1) + 3 * square(a.2, b.2)
}

#[cfg(test)]
mod tests {
    use super::*;

    const THEMES: [Palette; 2] = [
        Palette { theme: Theme::Dark },
        Palette {
            theme: Theme::Light,
        },
    ];

    #[test]
    fn text_can_be_read_on_every_colour() {
        for palette in THEMES {
            let categories = (0..12).map(|at| palette.category(at));
            let scale = (0..=20).map(|at| palette.scale(f64::from(at) / 20.0));
            let growth = (-10..=10).map(|at| palette.growth(f64::from(at) / 10.0));
            for colour in categories.chain(scale).chain(growth) {
                assert!(colour.contrast(colour.ink()) >= 4.0, "{colour:?}");
            }
        }
    }

    #[test]
    fn scales_grow_lighter() {
        for palette in THEMES {
            let light: Vec<f64> = (0..=40)
                .map(|at| palette.scale(f64::from(at) / 40.0).luminance())
                .collect();
            assert!(
                light.windows(2).all(|pair| pair[0] < pair[1] + 1e-9),
                "{light:?}"
            );
        }
    }

    #[test]
    fn odd_numbers_have_colours() {
        let palette = Palette::default();
        assert_eq!(palette.scale(f64::NAN), palette.scale(0.0));
        assert_eq!(palette.scale(9.0), palette.scale(1.0));
        assert_eq!(palette.growth(f64::NAN), palette.growth(0.0));
        assert_eq!(palette.hashed(1000), palette.hashed(1000));
        assert_ne!(palette.hashed(1000), palette.hashed(1001));
        assert_eq!(palette.category(12), palette.category(0));
    }

    #[test]
    fn fewer_colours_are_near() {
        assert_eq!(to_256(Rgb(255, 0, 0)), 196);
        assert_eq!(to_256(Rgb(0, 0, 0)), 16);
        assert_eq!(to_256(Rgb(128, 128, 128)), 244);
        assert_eq!(to_16(Rgb(170, 0, 0)), 1);
        assert_eq!(to_16(Rgb(255, 255, 255)), 15);
        assert_eq!(Rgb(1, 0xab, 255).hex(), "#01abff");
    }
}
