#![forbid(unsafe_code)]
//! The terminal map: a treemap and lists of what takes space, moved through with keys and mouse.
//!
//! One loop owns the state ([`App`]): it is told what was pressed, what a worker has found, and that
//! time passes, and it draws. Whoever starts it hands it a terminal, a [`Session`] with the tree to look
//! at, and a [`Host`] for all that happens outside of the terminal.

mod app;
mod background;
mod changes;
mod colouring;
mod help;
mod host;
mod input;
mod keys;
mod list;
mod moves;
mod picture;
mod removal;
mod screen;
mod session;
mod settings;
mod tables;
#[cfg(test)]
mod tests;
mod text;
mod view;

use std::io;
use std::time::{Duration, Instant};

use ratatui::Terminal;
use ratatui::backend::Backend;
use ratatui::crossterm::event;

pub use app::{App, Event};
pub use colouring::Colouring;
pub use groma_treemap::{Depth, Theme};
pub use host::Host;
pub use keys::{Action, Keys, TABLE};
pub use session::{Session, Warnings};
pub use settings::Settings;
pub use view::View;

/// Between two looks at what the scan and the worker have found.
const PULSE: Duration = Duration::from_millis(40);

/// Runs the map until its user leaves.
///
/// # Errors
/// What the terminal answers.
pub fn run<B: Backend>(
    terminal: &mut Terminal<B>,
    app: &mut App,
    host: &mut dyn Host,
) -> io::Result<()>
where
    io::Error: From<B::Error>,
{
    while !app.is_over() {
        if app.take_redraw() {
            terminal.clear()?;
        }
        if app.is_stale(Instant::now()) {
            terminal.draw(|frame| app.draw(frame))?;
        }
        if event::poll(PULSE)? {
            app.handle(Event::Input(event::read()?), host);
        }
        app.handle(Event::Tick, host);
    }
    Ok(())
}
