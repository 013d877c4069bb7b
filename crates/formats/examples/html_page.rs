//! Writes a page of so many made nodes: `html_page NODES SEED > page.html`.
//!
//! With `hostile` instead of numbers: a small tree of names that mean harm.

use std::io;

#[path = "../tests/browser/made.rs"]
mod made;

fn main() -> io::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let out = io::stdout().lock();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["hostile"] => made::hostile(out),
        [nodes, seed] => {
            let number = |text: &str| text.parse().map_err(io::Error::other);
            made::tree(out, number(nodes)?, number(seed)?)
        }
        _ => Err(io::Error::other(
            "expected `NODES SEED` or `hostile`, found other words",
        )),
    }
}
