//! Classes of bulkiness: bytes on disk for each byte of size, in named ranges.

use groma_query::fields::Field;
use groma_query::syntax::Node;

use super::nodes;

/// Where classes begin, as the query language writes them; nothing on disk is a class of its own.
/// Near 1 a file takes what it holds, less is a sparse or compressed one, more the rest of a block.
const CUTS: [&str; 7] = ["0.5", "0.9", "1.1", "2", "10", "100", "1000"];

/// Classes of ratios, the smallest first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bulk([f64; CUTS.len()]);

impl Bulk {
    pub(super) fn new() -> Bulk {
        // The cuts are those of queries only if both are read from the same text.
        Bulk(CUTS.map(|text| text.parse().unwrap_or(f64::INFINITY)))
    }

    /// How many classes there are.
    pub(super) fn count(self) -> u64 {
        self.0.len() as u64 + 2
    }

    /// The class of a file; `None` where it has no bytes.
    #[inline]
    pub(super) fn of(self, size: u64, allocated: u64) -> Option<u64> {
        if size == 0 {
            return None;
        }
        if allocated == 0 {
            return Some(0);
        }
        let ratio = allocated as f64 / size as f64;
        let below = self.0.iter().filter(|&&cut| cut <= ratio).count();
        Some(below as u64 + 1)
    }

    /// A class for people; its end is where the next begins.
    pub(super) fn label(class: u64) -> String {
        match (class, start(class), end(class)) {
            (0, ..) => "0".to_owned(),
            (_, None, Some(end)) => format!("under {end}"),
            (_, Some(start), Some(end)) => format!("{start}-{end}"),
            (_, Some(start), None) => format!("{start} and more"),
            (_, None, None) => "any".to_owned(),
        }
    }

    /// A query that lists a class.
    pub(super) fn node(class: u64) -> Node {
        use groma_query::syntax::Op;
        if class == 0 {
            return nodes::is(Field::Bulkiness, "0");
        }
        let from = match start(class) {
            Some(start) => nodes::compared(Field::Bulkiness, Op::Ge, start),
            None => nodes::compared(Field::Bulkiness, Op::Gt, "0"),
        };
        let to = end(class).map(|end| nodes::compared(Field::Bulkiness, Op::Lt, end));
        nodes::all([Some(from), to].into_iter().flatten())
    }
}

/// Where a class begins; the first ones begin at nothing.
fn start(class: u64) -> Option<&'static str> {
    let at = usize::try_from(class).ok()?.checked_sub(2)?;
    CUTS.get(at).copied()
}

/// Where the next class begins.
fn end(class: u64) -> Option<&'static str> {
    let at = usize::try_from(class).ok()?.checked_sub(1)?;
    CUTS.get(at).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_labels_and_queries() {
        let shown = |size, allocated| {
            Bulk::new().of(size, allocated).map(|class| {
                let query = nodes::query(Bulk::node(class)).text;
                (Bulk::label(class), query)
            })
        };
        let row = |label: &str, query: &str| Some((label.to_owned(), query.to_owned()));
        assert_eq!(shown(0, 0), None);
        assert_eq!(shown(0, 4096), None);
        assert_eq!(shown(1, 0), row("0", "bulkiness = 0"));
        let few = "bulkiness > 0 bulkiness < 0.5";
        assert_eq!(shown(100, 49), row("under 0.5", few));
        let half = "bulkiness >= 0.5 bulkiness < 0.9";
        assert_eq!(shown(100, 50), row("0.5-0.9", half));
        assert_eq!(
            shown(4096, 4096),
            row("0.9-1.1", "bulkiness >= 0.9 bulkiness < 1.1")
        );
        assert_eq!(shown(1, 4096), row("1000 and more", "bulkiness >= 1000"));
    }
}
