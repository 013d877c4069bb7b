//! Rule: a function has at most 70 lines and a file at most 600, or a reason to have more.

use syn::spanned::Spanned as _;
use syn::visit::{self, Visit};

use super::Problem;
use super::exceptions::Exceptions;
use super::source::Source;

const MAX_FUNCTION: usize = 70;
const MAX_FILE: usize = 600;

/// Checks a file's length and the length of each function in it.
pub(crate) fn check(source: &Source, exceptions: &mut Exceptions) -> Vec<Problem> {
    let mut problems = Vec::new();
    let lines = source.text.lines().count();
    if lines > MAX_FILE && !exceptions.allow_file(&source.path) {
        let expected = format!("a file of at most {MAX_FILE} lines");
        problems.push(Problem::new(
            &source.path,
            lines,
            expected,
            format!("{lines}"),
        ));
    }
    let mut functions = Functions(Vec::new());
    functions.visit_file(&source.tree);
    for function in functions.0 {
        if function.lines > MAX_FUNCTION && !exceptions.allow_function(&source.path, &function.name)
        {
            let expected = format!("`{}` to have at most {MAX_FUNCTION} lines", function.name);
            let found = format!("{}", function.lines);
            problems.push(Problem::new(&source.path, function.line, expected, found));
        }
    }
    problems
}

struct Function {
    name: String,
    line: usize,
    lines: usize,
}

/// Finds every function with a body: free, in an `impl`, in a trait, inside another.
struct Functions(Vec<Function>);

impl Functions {
    /// Counts from the line of the signature to the closing brace: docs and attributes are free.
    fn add(&mut self, signature: &syn::Signature, body: &syn::Block) {
        let first = signature.span().start().line;
        let last = body.span().end().line;
        let name = signature.ident.to_string();
        self.0.push(Function {
            name,
            line: first,
            lines: last - first + 1,
        });
    }
}

impl<'ast> Visit<'ast> for Functions {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.add(&item.sig, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.add(&item.sig, &item.block);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(body) = &item.default {
            self.add(&item.sig, body);
        }
        visit::visit_trait_item_fn(self, item);
    }
}

#[cfg(test)]
mod tests {
    use super::super::source::sample;
    use super::*;

    fn function(lines: usize) -> String {
        format!(
            "impl X {{\n/// Doc.\nfn long() {{\n{}}}\n}}",
            "a();\n".repeat(lines - 2)
        )
    }

    fn problems(text: &str, exceptions: &mut Exceptions) -> Vec<String> {
        let source = sample("crates/walk/src/a.rs", text);
        check(&source, exceptions)
            .iter()
            .map(Problem::to_string)
            .collect()
    }

    #[test]
    fn a_long_function_fails_at_its_signature() {
        let mut none = Exceptions::parse("").unwrap();
        assert!(problems(&function(70), &mut none).is_empty());
        assert_eq!(
            problems(&function(71), &mut none),
            ["crates/walk/src/a.rs:3: expected `long` to have at most 70 lines, found 71"]
        );
    }

    #[test]
    fn functions_in_functions_and_traits_count() {
        let mut none = Exceptions::parse("").unwrap();
        let nested = format!("fn f() {{ fn long() {{\n{}}} }}", "a();\n".repeat(70));
        assert_eq!(problems(&nested, &mut none).len(), 2);
        let default = format!("trait T {{ fn long() {{\n{}}} }}", "a();\n".repeat(70));
        assert_eq!(problems(&default, &mut none).len(), 1);
    }

    #[test]
    fn a_long_file_fails() {
        let mut none = Exceptions::parse("").unwrap();
        assert_eq!(problems(&"fn f() {}\n".repeat(601), &mut none).len(), 1);
        assert!(problems(&"fn f() {}\n".repeat(600), &mut none).is_empty());
    }

    #[test]
    fn an_exception_with_a_reason_passes() {
        let text = "[[function]]\nfile = 'crates/walk/src/a.rs'\nname = 'long'\nreason = 'table'";
        let mut exceptions = Exceptions::parse(text).unwrap();
        assert!(problems(&function(71), &mut exceptions).is_empty());
        assert!(exceptions.unneeded().is_empty());
    }
}
