//! Styles as escape sequences (SGR, "select graphic rendition").
//!
//! The order is attributes, background, foreground, and the eight bright colours are written as
//! colours 8 to 15 of the palette: byte for byte what fd writes, so that scripts and tests that
//! compare outputs keep working.

use lscolors::{Color, FontStyle, Style};

/// Ends a painted part.
pub(super) const CLOSING: &[u8] = b"\x1b[0m";

/// Appends the sequence that begins a part of this style. A style that changes nothing writes
/// nothing; the result tells whether anything was written.
pub(super) fn push_opening(style: &Style, out: &mut Vec<u8>) -> bool {
    let before = out.len();
    push_attributes(&style.font_style, out);
    if let Some(colour) = style.background {
        push_colour(colour, 40, out);
    }
    if let Some(colour) = style.foreground {
        push_colour(colour, 30, out);
    }
    if out.len() == before {
        return false;
    }
    // Each code wrote a separator in front of itself; the first one becomes the introducer.
    out[before] = b'[';
    out.insert(before, b'\x1b');
    out.push(b'm');
    true
}

fn push_attributes(font: &FontStyle, out: &mut Vec<u8>) {
    let attributes = [
        (font.bold, 1),
        (font.dimmed, 2),
        (font.italic, 3),
        (font.underline, 4),
        (font.slow_blink || font.rapid_blink, 5),
        (font.reverse, 7),
        (font.hidden, 8),
        (font.strikethrough, 9),
    ];
    for (_, code) in attributes.into_iter().filter(|(set, _)| *set) {
        push_code(code, out);
    }
}

/// Appends the code of a colour; `base` is 30 for the foreground, 40 for the background.
fn push_colour(colour: Color, base: u8, out: &mut Vec<u8>) {
    match colour {
        Color::RGB(red, green, blue) => {
            for code in [base + 8, 2, red, green, blue] {
                push_code(code, out);
            }
        }
        Color::Fixed(number) => push_palette(number, base, out),
        Color::Black => push_code(base, out),
        Color::Red => push_code(base + 1, out),
        Color::Green => push_code(base + 2, out),
        Color::Yellow => push_code(base + 3, out),
        Color::Blue => push_code(base + 4, out),
        Color::Magenta => push_code(base + 5, out),
        Color::Cyan => push_code(base + 6, out),
        Color::White => push_code(base + 7, out),
        Color::BrightBlack => push_palette(8, base, out),
        Color::BrightRed => push_palette(9, base, out),
        Color::BrightGreen => push_palette(10, base, out),
        Color::BrightYellow => push_palette(11, base, out),
        Color::BrightBlue => push_palette(12, base, out),
        Color::BrightMagenta => push_palette(13, base, out),
        Color::BrightCyan => push_palette(14, base, out),
        Color::BrightWhite => push_palette(15, base, out),
    }
}

fn push_palette(number: u8, base: u8, out: &mut Vec<u8>) {
    for code in [base + 8, 5, number] {
        push_code(code, out);
    }
}

/// Appends `;` and a number.
fn push_code(code: u8, out: &mut Vec<u8>) {
    out.push(b';');
    if code >= 100 {
        out.push(b'0' + code / 100);
    }
    if code >= 10 {
        out.push(b'0' + code / 10 % 10);
    }
    out.push(b'0' + code % 10);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opening(code: &str) -> String {
        let mut out = b"x".to_vec();
        if let Some(style) = Style::from_ansi_sequence(code) {
            let written = push_opening(&style, &mut out);
            assert_eq!(written, out.len() > 1, "{code}");
        }
        String::from_utf8(out.split_off(1)).unwrap()
    }

    #[test]
    fn sequences_have_the_order_of_fd() {
        for (code, want) in [
            ("01;34", "\x1b[1;34m"),
            ("0;38;5;16;48;5;203", "\x1b[48;5;203;38;5;16m"),
            ("1;2;3;4;5;7;8;9", "\x1b[1;2;3;4;5;7;8;9m"),
            ("6", "\x1b[5m"),
            ("38;2;1;20;255;44", "\x1b[44;38;2;1;20;255m"),
            ("30;41", "\x1b[41;30m"),
            ("90;107", "\x1b[48;5;15;38;5;8m"),
            ("97;100", "\x1b[48;5;8;38;5;15m"),
            ("37;47", "\x1b[47;37m"),
            ("0", ""),
            ("58;5;3", ""),
            ("39;49", ""),
            ("nonsense", ""),
        ] {
            assert_eq!(opening(code), want, "{code}");
        }
    }
}
