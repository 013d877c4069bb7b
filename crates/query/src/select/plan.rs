//! From an expression to steps: negation is pushed down to the tests, cheap steps go first, and
//! what is dear to prepare is not prepared for a few rows.

use std::cmp::Reverse;

use super::SelectError;
use super::explain::{StepId, Steps, describe};
use super::filter::{Filter, Singly};
use super::frame::Frame;
use super::leaf;
use super::set::RowSet;
use crate::bound::{Expr, NumberField, Test, TextField};
use crate::flags::Flag;
use crate::pattern::{Form, Stands};

/// A step, or several. What it keeps are exactly the rows for which the answer is the wanted one:
/// a row for which it cannot be known passes neither a test nor its negation.
pub(crate) enum Node<'f> {
    All,
    None,
    /// All of these, one after another.
    And(Vec<Node<'f>>),
    /// One of these.
    Or(Vec<Node<'f>>),
    /// Not this one, whose answer is known for every row.
    Without(Box<Node<'f>>),
    /// These rows.
    Set(RowSet, StepId),
    /// Rows that pass; the number tells how dear it is to look at one.
    Filter(Box<dyn Filter + 'f>, u8, StepId),
}

impl<'f> Node<'f> {
    /// The opposite of a node whose answer is known for every row.
    pub(crate) fn negated(self) -> Node<'f> {
        match self {
            Node::All => Node::None,
            Node::None => Node::All,
            Node::Without(inner) => *inner,
            other => Node::Without(Box::new(other)),
        }
    }

    /// All of two.
    pub(crate) fn and(self, other: Node<'f>) -> Node<'f> {
        Node::And(vec![self, other])
    }

    fn cost(&self) -> u8 {
        match self {
            Node::All | Node::None | Node::Set(..) => 0,
            Node::And(list) | Node::Or(list) => list.iter().map(Node::cost).max().unwrap_or(0),
            Node::Without(inner) => inner.cost(),
            Node::Filter(_, cost, _) => *cost,
        }
    }

    /// At most so many rows, where a set says so.
    fn bound(&self) -> u64 {
        match self {
            Node::None => 0,
            Node::Set(set, _) => set.len(),
            Node::And(list) => list.iter().map(Node::bound).min().unwrap_or(u64::MAX),
            Node::Or(list) => list.iter().map(Node::bound).fold(0, u64::saturating_add),
            Node::All | Node::Without(_) | Node::Filter(..) => u64::MAX,
        }
    }
}

/// Plans the rows for which an expression has the answer `want`; they are among `most` rows.
pub(crate) fn build<'f>(
    frame: &'f Frame<'_>,
    expr: &Expr,
    want: bool,
    most: u64,
    steps: &mut Steps<'_>,
) -> Result<Node<'f>, SelectError> {
    match expr {
        Expr::All => Ok(if want { Node::All } else { Node::None }),
        Expr::Not(inner) => build(frame, inner, !want, most, steps),
        Expr::And(list) if want => every(frame, list, want, most, steps),
        Expr::Or(list) if !want => every(frame, list, want, most, steps),
        Expr::And(list) | Expr::Or(list) => {
            let build = |expr| build(frame, expr, want, most, steps);
            let mut nodes: Vec<Node<'f>> = list.iter().map(build).collect::<Result<_, _>>()?;
            nodes.sort_by_key(Node::cost);
            Ok(Node::Or(nodes))
        }
        Expr::Test(test) if preparation(test) >= DEAR && most < worth_preparing(frame) => {
            let step = steps.begin(describe(test, want));
            let singly = Singly {
                frame,
                expr: expr.clone(),
                want,
            };
            Ok(Node::Filter(Box::new(singly), ROW_BY_ROW, step))
        }
        Expr::Test(test) => {
            frame.look()?;
            let step = steps.begin(describe(test, want));
            let node = leaf::build(frame, test, want, step);
            steps.prepared(step);
            node
        }
    }
}

/// Each of several: sets that are cheap to find come first and bound what the others must answer.
fn every<'f>(
    frame: &'f Frame<'_>,
    list: &[Expr],
    want: bool,
    mut most: u64,
    steps: &mut Steps<'_>,
) -> Result<Node<'f>, SelectError> {
    let mut order: Vec<&Expr> = list.iter().collect();
    order.sort_by_key(|expr| dearest(expr));
    let mut nodes = Vec::with_capacity(list.len());
    for expr in order {
        let node = build(frame, expr, want, most, steps)?;
        most = most.min(node.bound());
        match node {
            Node::None => return Ok(Node::None),
            Node::All => {}
            Node::And(inner) => nodes.extend(inner),
            node => nodes.push(node),
        }
    }
    nodes.sort_by_key(|node| (node.cost(), Reverse(matches!(node, Node::Set(..)))));
    Ok(match nodes.len() {
        0 => Node::All,
        _ => Node::And(nodes),
    })
}

/// Cost of looking at a row one by one.
pub(crate) const ROW_BY_ROW: u8 = 9;
/// From here on a preparation scans all names or more.
const DEAR: u8 = 3;

/// With fewer rows than this, asking each of them is cheaper than scanning all names.
fn worth_preparing(frame: &Frame<'_>) -> u64 {
    u64::from(frame.names.len() / 128)
}

fn dearest(expr: &Expr) -> u8 {
    match expr {
        Expr::All => 0,
        Expr::And(list) | Expr::Or(list) => list.iter().map(dearest).max().unwrap_or(0),
        Expr::Not(inner) => dearest(inner),
        Expr::Test(test) => preparation(test),
    }
}

/// How dear it is to prepare a test, whatever the number of rows: 0 nothing to do, 1 a look-up, 2
/// going through the directories, 3 through the names, 4 through names and then rows.
fn preparation(test: &Test) -> u8 {
    match test {
        Test::Under(_) => 1,
        Test::Extension(extensions) => match extensions.texts().iter().any(|t| t.contains('.')) {
            true => 3,
            false => 1,
        },
        Test::Text(TextField::Name, text) => match text.pattern.form() {
            Form::Everything => 0,
            Form::Plain(plain) => match plain.stands {
                Stands::Alone(_) | Stands::AtStart(_) | Stands::Around(..) => 1,
                Stands::Anywhere(_) | Stands::AtEnd(_) => 3,
            },
            Form::Regex { .. } => 3,
        },
        Test::Text(TextField::Stem | TextField::Extension, _) => 3,
        Test::Text(TextField::Path | TextField::Parent, _) => 4,
        Test::Number(NumberField::NameLength, _) => 3,
        Test::Number(
            NumberField::Items
            | NumberField::Files
            | NumberField::Dirs
            | NumberField::TreeItems
            | NumberField::TreeSize
            | NumberField::TreeAllocated,
            _,
        ) => 2,
        Test::Flag(Flag::Empty) => 2,
        Test::Flag(Flag::Dupe) => 3,
        _ => 0,
    }
}
