//! Ranges that a user names: of numbers or of times, as the query language has them. They may
//! overlap, so an axis is cut at all their ends and each range is put together from the pieces.

use std::ops::Range;

use groma_base::time::{TimeSpan, Timestamp};
use groma_query::bind::{Context, bind};
use groma_query::bound::{Expr, NumberField, Test, TimeField};
use groma_query::fields::{Field, lookup};
use groma_query::syntax::Node;

use super::error::PlanError;
use super::nodes;

/// Ranges of one field.
#[derive(Clone, Debug)]
pub(super) struct Ranges {
    axis: Axis,
    rows: Vec<Row>,
}

#[derive(Clone, Debug)]
struct Row {
    text: String,
    node: Node,
    /// The pieces of the axis that it is made of.
    pieces: Range<u64>,
}

/// Where an axis is cut: a piece begins at each cut, and one lies before the first.
#[derive(Clone, Debug)]
pub(super) enum Axis {
    Numbers(NumberField, Vec<u64>),
    Times(TimeField, Vec<Timestamp>),
}

/// One range, bound: the first value in it, and the first one after it if there is any.
enum Ends {
    Numbers(NumberField, u64, Option<u64>),
    Times(TimeField, TimeSpan),
}

impl Ranges {
    /// Reads `field:a..b,c..d`.
    ///
    /// # Errors
    /// [`PlanError`]: no such field, or one without an order, or what is no range of it.
    pub(super) fn parse(text: &str, context: &Context<'_>) -> Result<Ranges, PlanError> {
        let wrong = |why: &str| PlanError::value("--ranges", text, why);
        let form = "write a field and ranges of it: size:0..1mb,1mb..1gb";
        let (word, list) = text.split_once(':').ok_or_else(|| wrong(form))?;
        let Some(info) = lookup(word.trim()) else {
            return Err(PlanError::unknown_field("--ranges", word.trim()));
        };
        let read = |range: &str| {
            let node = nodes::has(info.field, range.trim());
            let query = nodes::query(node.clone());
            let expr = bind(&query, context).map_err(PlanError::Query)?;
            let ends = ends(&expr).ok_or_else(|| wrong("ranges are of sizes, numbers or times"))?;
            Ok((range.trim().to_owned(), node, ends))
        };
        let list: Vec<(String, Node, Ends)> =
            list.split(',').map(read).collect::<Result<_, _>>()?;
        Ranges::of(list).ok_or_else(|| wrong(form))
    }

    fn of(list: Vec<(String, Node, Ends)>) -> Option<Ranges> {
        let mut axis = match &list.first()?.2 {
            Ends::Numbers(field, ..) => Axis::Numbers(*field, Vec::new()),
            Ends::Times(field, _) => Axis::Times(*field, Vec::new()),
        };
        for (_, _, ends) in &list {
            match (&mut axis, ends) {
                (Axis::Numbers(_, cuts), Ends::Numbers(_, from, after)) => {
                    cuts.extend([Some(*from), *after].into_iter().flatten());
                }
                (Axis::Times(_, cuts), Ends::Times(_, span)) => cuts.extend([span.start, span.end]),
                _ => return None,
            }
        }
        axis.sort();
        let row = |(text, node, ends): (String, Node, Ends)| {
            let pieces = axis.pieces(&ends);
            Row { text, node, pieces }
        };
        let rows = list.into_iter().map(row).collect();
        Some(Ranges { axis, rows })
    }

    pub(super) fn axis(&self) -> &Axis {
        &self.axis
    }

    /// How many ranges there are.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The numbers of the ranges that a piece is part of.
    pub(super) fn holding(&self, piece: u64) -> impl Iterator<Item = usize> + '_ {
        let rows = self.rows.iter().enumerate();
        rows.filter(move |(_, row)| row.pieces.contains(&piece))
            .map(|(at, _)| at)
    }

    pub(super) fn label(&self, range: u64) -> String {
        self.row(range)
            .map(|row| row.text.clone())
            .unwrap_or_default()
    }

    pub(super) fn node(&self, range: u64) -> Node {
        self.row(range).map_or(Node::All, |row| row.node.clone())
    }

    fn row(&self, range: u64) -> Option<&Row> {
        self.rows.get(usize::try_from(range).ok()?)
    }

    /// The field that is ranged over.
    pub(super) fn field(&self) -> Option<Field> {
        match &self.rows.first()?.node {
            Node::Term(term) => term.field.map(|(field, _)| field),
            _ => None,
        }
    }
}

impl Axis {
    fn sort(&mut self) {
        match self {
            Axis::Numbers(_, cuts) => {
                cuts.sort_unstable();
                cuts.dedup();
            }
            Axis::Times(_, cuts) => {
                cuts.sort_unstable();
                cuts.dedup();
            }
        }
    }

    fn pieces(&self, ends: &Ends) -> Range<u64> {
        match ends {
            Ends::Numbers(_, from, after) => {
                let after = after.map_or(self.count(), |after| self.of_number(after));
                self.of_number(*from)..after
            }
            Ends::Times(_, span) => self.of_time(span.start)..self.of_time(span.end),
        }
    }

    /// How many pieces there are.
    pub(super) fn count(&self) -> u64 {
        let cuts = match self {
            Axis::Numbers(_, cuts) => cuts.len(),
            Axis::Times(_, cuts) => cuts.len(),
        };
        cuts as u64 + 1
    }

    /// The piece that a number lies in.
    pub(super) fn of_number(&self, number: u64) -> u64 {
        match self {
            Axis::Numbers(_, cuts) => cuts.partition_point(|&cut| cut <= number) as u64,
            Axis::Times(..) => 0,
        }
    }

    /// The piece that an instant lies in.
    pub(super) fn of_time(&self, at: Timestamp) -> u64 {
        match self {
            Axis::Times(_, cuts) => cuts.partition_point(|&cut| cut <= at) as u64,
            Axis::Numbers(..) => 0,
        }
    }
}

fn ends(expr: &Expr) -> Option<Ends> {
    match expr {
        Expr::Test(Test::Number(field, ranges)) => match &ranges[..] {
            [range] => Some(Ends::Numbers(
                *field,
                *range.start(),
                range.end().checked_add(1),
            )),
            _ => None,
        },
        Expr::Test(Test::Time(field, spans)) => match &spans[..] {
            [span] => Some(Ends::Times(*field, *span)),
            _ => None,
        },
        _ => None,
    }
}
