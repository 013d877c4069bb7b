//! Completions for shells, and man pages, from the definitions that parse the command line.

use std::io::{self, Write};

use clap::Command;
use clap_complete::Shell;

use crate::exit::Exit;
use crate::report::{Voice, reason, say};

/// Shells there are completions for.
pub(crate) const SHELLS: [&str; 5] = ["bash", "elvish", "fish", "powershell", "zsh"];

/// Completions for `find` under the name that it was started by, as `fd --gen-completions` gives.
pub(crate) fn print_find(voice: Voice, shell: &str) -> Exit {
    let shell = match shell {
        "" => Shell::from_env(),
        name => name.parse().ok(),
    };
    let Some(shell) = shell else {
        voice.error(&format!(
            "no completions for that shell; there are {}",
            SHELLS.join(", ")
        ));
        return Exit::Usage;
    };
    match voice {
        Voice::Fd => print(shell, crate::find::command("fd"), "fd"),
        Voice::Groma => print(shell, crate::verbs::command(), "groma"),
    }
}

/// Completions for the whole program.
pub(crate) fn print(shell: Shell, mut command: Command, name: &str) -> Exit {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut command, name, &mut text);
    write(&text)
}

/// The man page of a command.
pub(crate) fn print_man(command: Command) -> Exit {
    let mut text = Vec::new();
    match clap_mangen::Man::new(command).render(&mut text) {
        Ok(()) => write(&text),
        Err(error) => {
            say(&format!("groma: {error}"));
            Exit::Failure
        }
    }
}

/// Writes a text to stdout.
pub(crate) fn write(text: &[u8]) -> Exit {
    let mut stdout = std::io::stdout();
    concluded(stdout.write_all(text).and_then(|()| stdout.flush()))
}

/// How a run ends whose only task was to print something. A closed pipe is no error.
pub(crate) fn concluded(printed: io::Result<()>) -> Exit {
    match printed {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            say(&format!(
                "groma: cannot write: {}",
                reason(&error.to_string())
            ));
            Exit::Failure
        }
        _ => Exit::Success,
    }
}
