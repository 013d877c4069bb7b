//! From words to values: users become numbers, dates become times, texts become patterns.

mod lists;
mod numbers;
mod text;
mod times;

use groma_base::time::Zoned;

use crate::bound::{Expr, Test};
use crate::fields::{Field, FieldInfo, ValueKind};
use crate::flags::Flag;
use crate::pattern::Case;
use crate::syntax::{Modifiers, Node, Op, Problem, Query, QueryError, QueryErrors, Span};
use crate::syntax::{Term, Text, Value, Values};

/// What is going to answer the query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Entries as they are met on disk.
    Live,
    /// A catalog, which knows more.
    Catalog,
}

/// Looks up the number of a user or group by name.
pub type Resolver<'a> = dyn Fn(&str) -> Option<u32> + 'a;

/// What a query means depends on this.
pub struct Context<'a> {
    /// Now, with the time zone of dates.
    pub now: Zoned,
    /// Case for texts that do not say themselves; smart case looks at each text alone.
    pub case: Case,
    /// What is going to answer.
    pub target: Target,
    /// Where relative directories begin, as an absolute path; without it they are refused.
    pub current_directory: Option<Vec<u8>>,
    /// Numbers of users.
    pub user: &'a Resolver<'a>,
    /// Numbers of groups.
    pub group: &'a Resolver<'a>,
    /// The user's own groups of extensions, by name; they go before built-in ones.
    pub extension_groups: &'a [(String, Vec<String>)],
}

impl Context<'_> {
    /// A context that knows no users, groups, own extension groups or current directory.
    pub fn new(now: Zoned, target: Target) -> Context<'static> {
        Context {
            now,
            case: Case::Smart,
            target,
            current_directory: None,
            user: &|_| None,
            group: &|_| None,
            extension_groups: &[],
        }
    }
}

/// Binds a query.
///
/// # Errors
/// Every term that makes no sense, with its place.
pub fn bind(query: &Query, context: &Context<'_>) -> Result<Expr, QueryErrors> {
    let mut binder = Binder {
        context,
        errors: Vec::new(),
    };
    let expr = binder.node(&query.root);
    if binder.errors.is_empty() {
        Ok(expr)
    } else {
        binder.errors.sort_by_key(|e| (e.span.start, e.span.end));
        Err(QueryErrors {
            text: query.text.clone(),
            errors: binder.errors,
        })
    }
}

type Checked<T> = Result<T, Box<QueryError>>;

struct Binder<'a> {
    context: &'a Context<'a>,
    errors: Vec<QueryError>,
}

impl Binder<'_> {
    fn node(&mut self, node: &Node) -> Expr {
        match node {
            Node::All => Expr::All,
            Node::And(list) => Expr::And(self.cheapest_first(list)),
            Node::Or(list) => Expr::Or(self.cheapest_first(list)),
            Node::Not(inner) => Expr::Not(Box::new(self.node(inner))),
            Node::Term(term) => self.term(term).unwrap_or_else(|error| {
                self.errors.push(*error);
                Expr::All
            }),
        }
    }

    fn cheapest_first(&mut self, list: &[Node]) -> Vec<Expr> {
        let mut list: Vec<Expr> = list.iter().map(|node| self.node(node)).collect();
        list.sort_by_key(Expr::cost);
        list
    }

    fn term(&self, term: &Term) -> Checked<Expr> {
        let comparison = match term.field {
            Some((field, span)) => self.comparison(term, field.info(), span)?,
            None => text::bare(term, self.context)?,
        };
        Ok(match term.modifiers.dir {
            Some(dir) => {
                let kind = Expr::Test(Test::Flag(if dir { Flag::Dir } else { Flag::File }));
                Expr::And(vec![kind, comparison])
            }
            None => comparison,
        })
    }

    fn comparison(&self, term: &Term, info: &'static FieldInfo, span: Span) -> Checked<Expr> {
        if info.catalog_only && self.context.target == Target::Live {
            return catalog_only(info.name, span);
        }
        check_operator(term, info)?;
        check_modifiers(term, info)?;
        let positive = match info.values {
            ValueKind::Text | ValueKind::PathText => text::field(term, info.field, self.context),
            ValueKind::Extension => text::extension(term, self.context),
            ValueKind::Directory => text::under(term, self.context),
            ValueKind::Kind => lists::kinds(term),
            ValueKind::Category => lists::categories(term, self.context),
            ValueKind::User => lists::owners(term, true, self.context),
            ValueKind::UserGroup => lists::owners(term, false, self.context),
            ValueKind::Permission => lists::permissions(term),
            ValueKind::Flags => lists::flags(term, self.context),
            ValueKind::Bool => lists::yes_or_no(term, info.field),
            ValueKind::Size | ValueKind::Count => numbers::numbers(term, info),
            ValueKind::Ratio => numbers::ratios(term),
            ValueKind::Time => times::times(term, info.field, self.context),
            ValueKind::Age => times::age(term, self.context),
            ValueKind::Field => lists::fields(term, self.context),
        }?;
        Ok(if term.op == Op::Ne {
            Expr::Not(Box::new(positive))
        } else {
            positive
        })
    }
}

fn fail<T>(problem: Problem, span: Span, hint: impl Into<String>) -> Checked<T> {
    Err(Box::new(QueryError {
        problem,
        span,
        hint: Some(hint.into()),
    }))
}

fn bad_value<T>(value: &Value, message: impl Into<String>) -> Checked<T> {
    let problem = Problem::BadValue(message.into());
    Err(Box::new(QueryError {
        problem,
        span: value.span,
        hint: None,
    }))
}

fn catalog_only<T>(what: &str, span: Span) -> Checked<T> {
    let hint = "ask it with 'groma search', or leave it out";
    fail(Problem::CatalogOnly(what.to_owned()), span, hint)
}

fn check_operator(term: &Term, info: &FieldInfo) -> Checked<()> {
    let known = info.values.operators();
    if !known.contains(&term.op) {
        let words: Vec<&str> = known.iter().map(|op| op.word()).collect();
        let hint = format!("'{}' takes {}", info.name, words.join(" "));
        let problem = Problem::BadOperator {
            field: info.name,
            op: term.op.word(),
        };
        return fail(problem, term.span, hint);
    }
    let takes_several = matches!(term.op, Op::Has | Op::Eq | Op::Ne | Op::In);
    match &term.values {
        Values::List(list) if !takes_several => {
            let span = list.first().map_or(term.span, |v| v.span).to(term.span);
            let problem = Problem::BadValue(format!("'{}' takes one value", term.op.word()));
            fail(problem, span, "a list goes with ':', '=', '!=' or 'in'")
        }
        Values::One(value) if matches!(term.op, Op::Gt | Op::Ge | Op::Lt | Op::Le) => {
            check_no_range(term, value)
        }
        _ => Ok(()),
    }
}

fn check_no_range(term: &Term, value: &Value) -> Checked<()> {
    match &value.text {
        Text::Plain(text) if text.windows(2).any(|pair| pair == b"..") => {
            let problem = Problem::BadValue(format!("'{}' takes one value", term.op.word()));
            fail(
                problem,
                value.span,
                "a range goes with ':', '=', '!=' or 'in'",
            )
        }
        _ => Ok(()),
    }
}

/// `case:` and the like are about text.
fn check_modifiers(term: &Term, info: &FieldInfo) -> Checked<()> {
    let about_text = Modifiers {
        dir: None,
        ..term.modifiers
    } != Modifiers::default();
    let is_text = matches!(
        info.values,
        ValueKind::Text | ValueKind::PathText | ValueKind::Extension
    );
    if about_text && !is_text {
        let word = modifier_word(&term.modifiers);
        let hint = format!("'{}' is not a text", info.name);
        return fail(Problem::BadModifier(word), term.span, hint);
    }
    Ok(())
}

fn modifier_word(modifiers: &Modifiers) -> &'static str {
    match modifiers {
        Modifiers {
            ignore_case: Some(true),
            ..
        } => "nocase:",
        Modifiers {
            ignore_case: Some(false),
            ..
        } => "case:",
        Modifiers { word: true, .. } => "word:",
        Modifiers {
            syntax: Some(crate::syntax::TextSyntax::Regex),
            ..
        } => "regex:",
        Modifiers {
            syntax: Some(crate::syntax::TextSyntax::Glob),
            ..
        } => "glob:",
        _ => "exact:",
    }
}

/// The words of a term whose values are no patterns, with `;` and `,` between them if they may.
fn words(term: &Term, separators: &[char]) -> Checked<Vec<(String, Span)>> {
    let mut words = Vec::new();
    for value in term.values.as_slice() {
        let text = plain(value)?;
        for word in text
            .split(separators)
            .map(str::trim)
            .filter(|w| !w.is_empty())
        {
            words.push((word.to_owned(), value.span));
        }
        if text.trim().is_empty() {
            return bad_value(value, "the value is empty");
        }
    }
    Ok(words)
}

/// The text of a value that must be no pattern.
fn plain(value: &Value) -> Checked<String> {
    match &value.text {
        Text::Plain(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => Ok(text.to_owned()),
            Err(_) => bad_value(value, "the value is not text"),
        },
        Text::Wild(glob) => bad_value(
            value,
            format!("'{glob}' is a pattern, and a value is needed"),
        ),
        Text::Regex { pattern, .. } => bad_value(
            value,
            format!("'/{pattern}/' is a pattern, and a value is needed"),
        ),
    }
}

/// One of several, or just the one.
fn any_of(mut list: Vec<Expr>) -> Expr {
    match list.len() {
        1 => list.remove(0),
        _ => Expr::Or(list),
    }
}

/// The field of a boolean field.
fn flag_of(field: Field) -> Flag {
    match field {
        Field::Dupe => Flag::Dupe,
        Field::Empty => Flag::Empty,
        Field::Broken => Flag::Broken,
        Field::Executable => Flag::Executable,
        _ => Flag::Hidden,
    }
}

#[cfg(test)]
mod property;
#[cfg(test)]
mod tests;
