//! Running other programs: say what is run, and stop at what fails.

use std::ffi::OsString;
use std::process::Command;

use anyhow::{Context as _, Result, bail};

/// Prints the command and runs it to its end; anything but success is an error.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let line = shown(command);
    eprintln!("+ {line}");
    let status = command
        .status()
        .with_context(|| format!("cannot run `{line}`"))?;
    if !status.success() {
        bail!("expected `{line}` to succeed, found {status}");
    }
    Ok(())
}

/// As [`run`], and returns what the command wrote to stdout.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let line = shown(command);
    eprintln!("+ {line}");
    let output = command
        .stderr(std::process::Stdio::inherit())
        .output()
        .with_context(|| format!("cannot run `{line}`"))?;
    if !output.status.success() {
        bail!("expected `{line}` to succeed, found {}", output.status);
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The cargo that runs this chore.
pub(crate) fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")))
}

/// Whether a program of this name lies in a directory of PATH or where administrators' tools lie.
pub(crate) fn has_program(name: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .chain(["/usr/sbin", "/sbin"].map(Into::into))
        .any(|dir| dir.join(name).is_file())
}

fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words
        .map(|word| word.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failing_command_is_an_error_that_names_it() {
        let error = run(Command::new("false").arg("now"))
            .unwrap_err()
            .to_string();
        assert!(
            error.starts_with("expected `false now` to succeed"),
            "{error}"
        );
        assert!(run(&mut Command::new("no-such-program-anywhere")).is_err());
    }

    #[test]
    fn returns_what_was_written() {
        assert_eq!(output(Command::new("echo").arg("a b")).unwrap(), "a b\n");
    }

    #[test]
    fn finds_programs_by_name() {
        assert!(has_program("sh"));
        assert!(!has_program("no-such-program-anywhere"));
    }
}
