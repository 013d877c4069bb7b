//! Values from a fixed set: kinds, categories, owners, permissions, flags, yes and no.

use groma_base::Kind;

use super::{
    Checked, Context, Target, any_of, bad_value, catalog_only, fail, flag_of, plain, words,
};
use crate::bound::{Expr, NumberField, Test};
use crate::fields::{self, FIELDS, Field};
use crate::flags::{self, FLAGS};
use crate::groups::{self, Categories};
use crate::pattern::Extensions;
use crate::perm::PermTest;
use crate::syntax::{Problem, Span, Term, nearest};

const SEPARATORS: &[char] = &[';', ','];

/// The words for kinds; the single letters are those of `find -type`.
const KINDS: &[(&[&str], Kind)] = &[
    (&["file", "f"], Kind::File),
    (&["dir", "d", "directory", "folder"], Kind::Dir),
    (&["symlink", "l", "link"], Kind::Symlink),
    (&["block-device", "b"], Kind::BlockDevice),
    (&["char-device", "c"], Kind::CharDevice),
    (&["fifo", "p", "pipe"], Kind::Fifo),
    (&["socket", "s"], Kind::Socket),
];

pub(super) fn kinds(term: &Term) -> Checked<Expr> {
    let kind = |(word, span): (String, Span)| {
        let names = |row: &&(&[&str], Kind)| row.0.iter().any(|n| n.eq_ignore_ascii_case(&word));
        match KINDS.iter().find(names) {
            Some((_, kind)) => Ok(*kind),
            None => {
                let known = KINDS.iter().flat_map(|row| row.0.iter().copied());
                let all = KINDS.iter().map(|row| row.0[0]);
                unknown("kind", &word, span, known, all)
            }
        }
    };
    let kinds: Checked<Vec<Kind>> = words(term, SEPARATORS)?.into_iter().map(kind).collect();
    Ok(Expr::Test(Test::Kind(kinds?)))
}

/// A word that is not in its set.
fn unknown<'a, T>(
    what: &str,
    word: &str,
    span: Span,
    known: impl IntoIterator<Item = &'a str>,
    all: impl IntoIterator<Item = &'a str>,
) -> Checked<T> {
    let hint = match nearest(word, known) {
        Some(name) => format!("did you mean '{name}'?"),
        None => format!(
            "known are {}",
            all.into_iter().collect::<Vec<_>>().join(" ")
        ),
    };
    fail(
        Problem::BadValue(format!("there is no {what} '{word}'")),
        span,
        hint,
    )
}

pub(super) fn categories(term: &Term, context: &Context<'_>) -> Checked<Expr> {
    let known = Categories::new(context.extension_groups);
    let mut list = Vec::new();
    for (word, span) in words(term, SEPARATORS)? {
        let Some(number) = known.find(&word) else {
            return unknown("category", &word, span, known.names(), known.names());
        };
        list.push(if number == known.other() {
            let all = Extensions::new(known.all_extensions());
            Expr::Not(Box::new(Expr::Test(Test::Extension(all))))
        } else {
            Expr::Test(Test::Extension(Extensions::new(known.extensions(number))))
        });
    }
    let is_file = Expr::Test(Test::Kind(vec![Kind::File]));
    Ok(Expr::And(vec![is_file, any_of(list)]))
}

/// The extensions of a group: the user's own, or a built-in one.
pub(super) fn group_extensions<'a>(name: &str, context: &'a Context<'_>) -> Option<Vec<&'a str>> {
    let own = context
        .extension_groups
        .iter()
        .find(|(n, _)| n.eq_ignore_ascii_case(name));
    match own {
        Some((_, extensions)) => Some(extensions.iter().map(String::as_str).collect()),
        None => groups::extensions(name).map(<[&str]>::to_vec),
    }
}

pub(super) fn owners(term: &Term, is_user: bool, context: &Context<'_>) -> Checked<Expr> {
    let (what, field, resolve) = if is_user {
        ("user", NumberField::Uid, context.user)
    } else {
        ("group", NumberField::Gid, context.group)
    };
    let id = |(word, span): (String, Span)| match word.parse().ok().or_else(|| resolve(&word)) {
        Some(id) => Ok(u64::from(id)..=u64::from(id)),
        None => {
            let problem = Problem::BadValue(format!("there is no {what} '{word}' on this machine"));
            fail(problem, span, "write its number instead")
        }
    };
    let ids: Checked<Vec<_>> = words(term, SEPARATORS)?.into_iter().map(id).collect();
    Ok(Expr::Test(Test::Number(field, ids?)))
}

pub(super) fn permissions(term: &Term) -> Checked<Expr> {
    let test = |value| {
        PermTest::parse(&plain(value)?).or_else(|error| bad_value(value, error.to_string()))
    };
    let tests: Checked<Vec<PermTest>> = term.values.as_slice().iter().map(test).collect();
    Ok(Expr::Test(Test::Perm(tests?)))
}

pub(super) fn flags(term: &Term, context: &Context<'_>) -> Checked<Expr> {
    let mut list = Vec::new();
    for (word, span) in words(term, SEPARATORS)? {
        match flags::lookup(&word) {
            Some(row) if row.catalog_only && context.target == Target::Live => {
                return catalog_only(row.name, span);
            }
            Some(row) => list.push(Expr::Test(Test::Flag(row.flag))),
            None => {
                let known = FLAGS
                    .iter()
                    .flat_map(|row| row.aliases.iter().copied().chain([row.name]));
                return unknown("flag", &word, span, known, FLAGS.iter().map(|row| row.name));
            }
        }
    }
    list.sort_by_key(Expr::cost);
    Ok(any_of(list))
}

pub(super) fn yes_or_no(term: &Term, field: Field) -> Checked<Expr> {
    let test = Expr::Test(Test::Flag(flag_of(field)));
    let yes = match term.values.as_slice() {
        [] => true,
        [value] => match plain(value)?.to_ascii_lowercase().as_str() {
            "yes" | "true" | "1" | "on" => true,
            "no" | "false" | "0" | "off" => false,
            other => return bad_value(value, format!("'{other}' is neither yes nor no")),
        },
        [_, second, ..] => return bad_value(second, "one answer is enough: yes or no"),
    };
    Ok(if yes { test } else { Expr::Not(Box::new(test)) })
}

/// `missing:`: names of fields, or else of flags.
pub(super) fn fields(term: &Term, context: &Context<'_>) -> Checked<Expr> {
    let mut list = Vec::new();
    for (word, span) in words(term, SEPARATORS)? {
        let field = fields::lookup(&word);
        let field = field.map(|row| (Test::Missing(row.field), row.name, row.catalog_only));
        let flag = flags::lookup(&word);
        let flag = flag.map(|row| (Test::Unknown(row.flag), row.name, row.catalog_only));
        match field.or(flag) {
            Some((_, name, true)) if context.target == Target::Live => {
                return catalog_only(name, span);
            }
            Some((test, ..)) => list.push(Expr::Test(test)),
            None => {
                let names = || FIELDS.iter().map(|row| row.name);
                let aliases = FIELDS.iter().flat_map(|row| row.aliases.iter().copied());
                let flags = FLAGS.iter().map(|row| row.name);
                let known = aliases.chain(names()).chain(flags);
                return unknown("field", &word, span, known, names());
            }
        }
    }
    Ok(any_of(list))
}
