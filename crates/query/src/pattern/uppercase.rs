//! Smart case: is there an upper-case letter that stands for itself?
//!
//! The syntax tree is asked, not the text and not the compiled form: in `\S` nobody wrote a
//! letter, and the complement of `[@]` merely happens to begin with one.

use regex_syntax::ast::parse::Parser;
use regex_syntax::ast::{
    Ast, ClassAsciiKind, ClassSetItem, ClassUnicode, ClassUnicodeKind, Visitor, visit,
};

/// Whether a regex has one; a text that is no regex has none.
pub(super) fn in_regex(regex: &str) -> bool {
    match Parser::new().parse(regex) {
        Ok(ast) => visit(&ast, Search).is_err(),
        Err(_) => false,
    }
}

/// Stops the visit at the first one.
struct Search;

struct Found;

impl Visitor for Search {
    type Output = ();
    type Err = Found;

    fn finish(self) -> Result<(), Found> {
        Ok(())
    }

    fn visit_pre(&mut self, ast: &Ast) -> Result<(), Found> {
        stop_if(match ast {
            Ast::Literal(literal) => literal.c.is_uppercase(),
            Ast::ClassUnicode(class) => is_uppercase_class(class),
            _ => false,
        })
    }

    fn visit_class_set_item_pre(&mut self, item: &ClassSetItem) -> Result<(), Found> {
        stop_if(match item {
            ClassSetItem::Literal(literal) => literal.c.is_uppercase(),
            ClassSetItem::Range(range) => {
                range.start.c.is_uppercase() || range.end.c.is_uppercase()
            }
            ClassSetItem::Ascii(class) => class.kind == ClassAsciiKind::Upper,
            ClassSetItem::Unicode(class) => is_uppercase_class(class),
            _ => false,
        })
    }
}

fn stop_if(found: bool) -> Result<(), Found> {
    if found { Err(Found) } else { Ok(()) }
}

/// `\p{Lu}` and its longer names: who asks for capitals wants them told apart.
fn is_uppercase_class(class: &ClassUnicode) -> bool {
    let name = match &class.kind {
        ClassUnicodeKind::OneLetter(_) => return false,
        ClassUnicodeKind::Named(name) => name,
        ClassUnicodeKind::NamedValue { value, .. } => value,
    };
    let plain = name.to_ascii_lowercase().replace(['_', '-', ' '], "");
    matches!(
        plain.as_str(),
        "lu" | "uppercaseletter" | "uppercase" | "upper"
    )
}
