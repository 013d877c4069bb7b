//! A rectangle of cells.

/// Columns and rows; the upper left cell of a picture is (0, 0).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rect {
    /// First column.
    pub x: u16,
    /// First row.
    pub y: u16,
    /// Columns.
    pub width: u16,
    /// Rows.
    pub height: u16,
}

impl Rect {
    /// A rectangle; what would lie beyond column or row 65535 is cut off.
    pub fn new(x: u16, y: u16, width: u16, height: u16) -> Rect {
        Rect {
            x,
            y,
            width: width.min(u16::MAX - x),
            height: height.min(u16::MAX - y),
        }
    }

    /// The column behind the last one.
    pub fn right(self) -> u16 {
        self.x.saturating_add(self.width)
    }

    /// The row below the last one.
    pub fn bottom(self) -> u16 {
        self.y.saturating_add(self.height)
    }

    /// How many cells it has.
    pub fn cells(self) -> u32 {
        u32::from(self.width) * u32::from(self.height)
    }

    /// Whether it has no cell.
    pub fn is_empty(self) -> bool {
        self.width == 0 || self.height == 0
    }

    /// Whether a cell lies in it.
    pub fn contains(self, x: u16, y: u16) -> bool {
        x >= self.x && x < self.right() && y >= self.y && y < self.bottom()
    }

    /// The same without its first rows.
    #[must_use]
    pub fn below(self, rows: u16) -> Rect {
        let rows = rows.min(self.height);
        Rect {
            y: self.y + rows,
            height: self.height - rows,
            ..self
        }
    }

    /// Its first `width` columns, and what lies to the right of them.
    pub(crate) fn split_columns(self, width: u16) -> (Rect, Rect) {
        let width = width.min(self.width);
        let rest = Rect {
            x: self.x + width,
            width: self.width - width,
            ..self
        };
        (Rect { width, ..self }, rest)
    }

    /// Its first `height` rows, and what lies below them.
    pub(crate) fn split_rows(self, height: u16) -> (Rect, Rect) {
        let height = height.min(self.height);
        (Rect { height, ..self }, self.below(height))
    }
}
