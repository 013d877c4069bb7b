//! `groma help` and `groma man`.

use crate::exit::Exit;
use crate::{completions, find, index, map, search, snapshot, stats, verbs};

/// Prints what is to be known about a topic.
pub(crate) fn print(topic: Option<&str>) -> Exit {
    match topic {
        Some("query") => completions::write(groma_query::GUIDE.as_bytes()),
        Some("find") => print_help(find::command("groma find")),
        Some("index") => print_help(index::command("groma index")),
        Some("map") => print_help(map::command("groma map")),
        Some("search") => print_help(search::command("groma search")),
        Some("snapshot") => print_help(snapshot::command("groma snapshot")),
        Some("stats") => print_help(stats::command("groma stats")),
        _ => print_help(verbs::command()),
    }
}

fn print_help(mut command: clap::Command) -> Exit {
    completions::write(command.render_long_help().to_string().as_bytes())
}

/// Prints a man page.
pub(crate) fn print_man(verb: Option<&str>) -> Exit {
    match verb {
        Some("find") => completions::print_man(find::command("groma-find")),
        Some("index") => completions::print_man(index::command("groma-index")),
        Some("map") => completions::print_man(map::command("groma-map")),
        Some("search") => completions::print_man(search::command("groma-search")),
        Some("snapshot") => completions::print_man(snapshot::command("groma-snapshot")),
        Some("stats") => completions::print_man(stats::command("groma-stats")),
        _ => completions::print_man(verbs::command()),
    }
}
