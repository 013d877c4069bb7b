//! A search at work: opens the catalog, asks it, writes the answer.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use groma_engine::catalogs::OpenRoot;
use groma_engine::search::{Found, RootReport, SearchError, Within, restricted, search, within};
use groma_formats::escape;

use super::fail;
use super::request::{Answer, Request};
use crate::catalog_dir;
use crate::exit::Exit;
use crate::report::{reason, say};
use crate::stdout::Stdout;

/// Runs a search.
pub(super) fn run(mut request: Request) -> Exit {
    let Some(roots) = catalog_dir::open(&request.catalog, fail) else {
        return Exit::Failure;
    };
    groma_sys::set_when_interrupted(request.run.cancel.flag());
    let answered = restrict(&mut request, &roots).and_then(|known| match known {
        true => answer(&request, &roots),
        false => Ok(Exit::Failure),
    });
    answered.unwrap_or_else(|error| ended(&error))
}

/// Puts `--in` into the query. `false`, and a message, where the catalog knows no such directory.
fn restrict(request: &mut Request, roots: &[OpenRoot]) -> Result<bool, SearchError> {
    let mut paths = Vec::new();
    for path in &request.within {
        let bytes = groma_sys::path_bytes(path).into_owned();
        let known = within(roots, &bytes)?;
        if known != Within::Directory {
            let why = match known {
                Within::NoDirectory => "is no directory",
                Within::Nothing => {
                    "is not in the catalog; 'groma index refresh' looks for new ones"
                }
                _ => "is in no root of the catalog; 'groma index add' makes it one",
            };
            fail(&format!("--in: '{}' {why}", path.display()));
            return Ok(false);
        }
        paths.push(bytes);
    }
    let expr = std::mem::replace(&mut request.expr, groma_query::bound::Expr::All);
    request.expr = restricted(expr, paths);
    Ok(true)
}

fn answer(request: &Request, roots: &[OpenRoot]) -> Result<Exit, SearchError> {
    let begun = Instant::now();
    let most = match request.answer {
        Answer::Count => Some(0),
        Answer::Explanation | Answer::Rows => request.listing.most(),
    };
    let clock = || begun.elapsed();
    let found = search(roots, &request.expr, &request.run, most, &clock)?;
    let told = match request.answer {
        Answer::Count => print(request, &format!("{}\n", found.total()))?,
        Answer::Explanation => print(request, &explanation(&found))?,
        Answer::Rows => write(request, |out| found.write(&request.listing, out))?,
    };
    note(request, roots, &found, told);
    Ok(Exit::Success)
}

/// Writes a short text; counts as everything told.
fn print(request: &Request, text: &str) -> Result<u64, SearchError> {
    write(request, |out| {
        out.write_all(text.as_bytes())?;
        Ok(u64::MAX)
    })
}

/// Hands over the file that was named, or stdout.
fn write(
    request: &Request,
    write: impl FnOnce(&mut (dyn Write + Send)) -> Result<u64, SearchError>,
) -> Result<u64, SearchError> {
    match &request.output {
        Some(path) => groma_sys::replace_file(path, |file| write(file)),
        None => write(&mut Stdout::new()),
    }
}

fn explanation(found: &Found<'_>) -> String {
    let mut text = String::new();
    let mut entries = 0;
    for root in found.report() {
        entries += u64::from(root.entries);
        explain_root(root, &mut text);
    }
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "all roots: {} of {entries} entries match",
        found.total()
    );
    text
}

fn explain_root(root: &RootReport, text: &mut String) {
    let (path, explain) = (shown(&root.root), &root.explain);
    let _ = writeln!(
        text,
        "{path}: {} of {} entries match, {:.3} ms",
        root.matches,
        root.entries,
        milliseconds(explain.time)
    );
    for step in &explain.steps {
        let _ = writeln!(
            text,
            "  {}: prepared in {:.3} ms; {} rows looked at, {} kept, {:.3} ms over all threads",
            step.what,
            milliseconds(step.preparation),
            step.rows,
            step.kept,
            milliseconds(step.time)
        );
    }
    if explain.singly > 0 {
        let _ = writeln!(text, "  {} entries were asked one by one", explain.singly);
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn shown(path: &[u8]) -> String {
    let mut out = Vec::new();
    escape::terminal(path, &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

/// Says what a person may want to know besides the results.
fn note(request: &Request, roots: &[OpenRoot], found: &Found<'_>, told: u64) {
    let terminal = io::stderr().is_terminal();
    if terminal && told < found.total() {
        say(&format!(
            "groma search: note: {told} of {} matches are shown",
            found.total()
        ));
    }
    for root in roots.iter().filter(|root| root.record.unread > 0) {
        if terminal || request.show_errors {
            let (count, path) = (root.record.unread, shown(&root.record.path));
            let places = if count == 1 { "place" } else { "places" };
            say(&format!(
                "groma search: note: {count} {places} below '{path}' could not be read when it was \
                 indexed"
            ));
        }
    }
}

/// Says why there is no answer.
fn ended(error: &SearchError) -> Exit {
    match error {
        SearchError::Io(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Success,
        // The exit code says so.
        SearchError::Cancelled => Exit::Failure,
        SearchError::Io(error) => {
            fail(&format!("cannot write: {}", reason(&error.to_string())));
            Exit::Failure
        }
        error => {
            fail(reason(&error.to_string()));
            Exit::Failure
        }
    }
}
