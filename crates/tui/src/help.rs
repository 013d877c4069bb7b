//! All keys on one page.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;

use crate::colouring::Ink;
use crate::keys::Keys;
use crate::picture::put;

/// Cells of a column of help.
const COLUMN: u16 = 58;

/// What the query line takes, in a few examples.
const QUERIES: &[&str] =
    &["Queries: jpg   *.iso   size>100mb   modified<1y   ext:pictures   type:dir   is:empty"];

/// Draws the page over everything.
pub(crate) fn draw(keys: &Keys, ink: Ink, area: Rect, buffer: &mut Buffer) {
    for y in area.y..area.bottom() {
        let blank = " ".repeat(area.width.into());
        put(buffer, area.x, y, &blank, area.width.into(), ink.plain());
    }
    let title = ink.plain().add_modifier(Modifier::BOLD);
    put(
        buffer,
        area.x + 2,
        area.y,
        "Keys",
        usize::from(area.width.saturating_sub(2)),
        title,
    );
    let room = area.height.saturating_sub(3);
    let columns = (area.width / COLUMN).max(1);
    for (at, (words, help)) in keys.help().enumerate() {
        let per_column = (keys.help().count() as u16).div_ceil(columns).max(1);
        // The table is short.
        let (column, row) = (at as u16 / per_column, at as u16 % per_column);
        if row >= room {
            continue;
        }
        let x = area.x + 2 + column * COLUMN;
        let width = usize::from(area.right().saturating_sub(x).min(COLUMN - 2));
        put(
            buffer,
            x,
            area.y + 2 + row,
            &format!("{words:<16} {help}"),
            width,
            ink.plain(),
        );
    }
    for (line, text) in QUERIES.iter().enumerate() {
        let y = area.bottom().saturating_sub(1 + line as u16);
        put(
            buffer,
            area.x + 2,
            y,
            text,
            usize::from(area.width.saturating_sub(2)),
            ink.faint(),
        );
    }
}
