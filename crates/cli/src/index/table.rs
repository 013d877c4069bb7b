//! Small tables: columns as wide as what stands in them.

/// Rows of cells; the first is the heading.
#[derive(Default)]
pub(super) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(super) fn new(heading: &[&str]) -> Table {
        let mut table = Table::default();
        table.push(heading.iter().map(|&cell| cell.to_owned()));
        table
    }

    pub(super) fn push(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Lines, two blanks between columns. Numbers stand to the right; what begins with one is one.
    pub(super) fn render(&self) -> String {
        let columns = self.rows.first().map_or(0, Vec::len);
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let mut out = String::new();
        for row in &self.rows {
            let mut line = String::new();
            for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
                let blanks = " ".repeat(width - cell.chars().count());
                if self.is_number(column) {
                    line.push_str(&blanks);
                    line.push_str(cell);
                } else {
                    line.push_str(cell);
                    line.push_str(&blanks);
                }
                line.push_str("  ");
            }
            out.push_str(line.trim_end());
            out.push('\n');
        }
        out
    }

    fn is_number(&self, column: usize) -> bool {
        let cell = self.rows.get(1).and_then(|row| row.get(column));
        cell.is_some_and(|cell| cell.starts_with(|c: char| c.is_ascii_digit()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let mut table = Table::new(&["path", "rows", "state"]);
        table.push(["/a".to_owned(), "7".to_owned(), "here".to_owned()]);
        table.push(["/long".to_owned(), "12345".to_owned(), String::new()]);
        let want = "path    rows  state\n/a         7  here\n/long  12345\n";
        assert_eq!(table.render(), want);
    }
}
