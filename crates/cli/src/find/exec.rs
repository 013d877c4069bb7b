//! Running commands on results.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::process::{Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use argmax::Command;
use crossbeam_channel::{Receiver, Sender, bounded};
use groma_base::Warning;
use groma_engine::find::Sink;
use groma_formats::template::Template;

use super::command::Commands;
use super::output::Reporter;
use crate::report::{self, Voice};

/// Results that wait for a free job.
const WAITING: usize = 256;

/// Runs the commands once for each result, `jobs` at a time. Also answers whether all went well.
pub(super) fn each<T>(
    voice: Voice,
    commands: &Commands,
    jobs: usize,
    reporter: &Reporter,
    search: impl FnOnce(&dyn Sink) -> T,
) -> (T, bool) {
    let (sender, receiver) = bounded(WAITING);
    let runner = Runner {
        voice,
        commands,
        // With one job there is nothing to mix, and the command may talk to the user.
        buffered: jobs > 1,
        failed: AtomicBool::new(false),
        told: AtomicBool::new(false),
        output: Mutex::new(()),
    };
    let answer = std::thread::scope(|scope| {
        for _ in 0..jobs {
            let receiver = receiver.clone();
            let runner = &runner;
            let work = move || runner.work(&receiver);
            if let Err(error) = std::thread::Builder::new().spawn_scoped(scope, work) {
                // Fewer are slower; with none at all the search finds nobody to listen.
                runner
                    .voice
                    .error(&format!("Could not start a thread: {error}"));
                runner.failed.store(true, Ordering::Relaxed);
                break;
            }
        }
        drop(receiver);
        search(&PathSink { sender, reporter })
    });
    (answer, !runner.failed.into_inner())
}

/// Passes results on, one by one.
struct PathSink<'a> {
    sender: Sender<Vec<u8>>,
    reporter: &'a Reporter,
}

impl Sink for PathSink<'_> {
    fn write(&self, hits: &[u8]) -> io::Result<()> {
        for path in hits.split(|&b| b == 0).filter(|path| !path.is_empty()) {
            let gone = |_| io::Error::from(io::ErrorKind::BrokenPipe);
            self.sender.send(path.to_vec()).map_err(gone)?;
        }
        Ok(())
    }

    fn warn(&self, warning: &Warning) {
        self.reporter.warn(warning);
    }

    fn root_failed(&self, warning: &Warning) {
        self.reporter.root_failed(warning);
    }
}

struct Runner<'a> {
    voice: Voice,
    commands: &'a Commands,
    buffered: bool,
    failed: AtomicBool,
    /// Whether it was told that output cannot be written.
    told: AtomicBool,
    /// Held while the output of one result is written, so that none is mixed.
    output: Mutex<()>,
}

impl Runner<'_> {
    fn work(&self, results: &Receiver<Vec<u8>>) {
        for path in results {
            if groma_sys::interrupted_by().is_some() {
                return;
            }
            let mut outputs = Vec::new();
            let well = self.run_all(&path, &mut outputs);
            if !well {
                self.failed.store(true, Ordering::Relaxed);
            }
            if self.buffered || self.commands.print0 {
                self.show(&outputs);
            }
        }
    }

    /// Runs the commands for one result; stops at the first that fails.
    fn run_all(&self, path: &[u8], outputs: &mut Vec<Output>) -> bool {
        for command in &self.commands.commands {
            let answer = prepare(command, path, self.commands).and_then(|mut command| {
                if self.buffered {
                    command.output()
                } else {
                    command.spawn()?.wait_with_output()
                }
            });
            match answer {
                Ok(output) => {
                    let well = output.status.success();
                    outputs.push(output);
                    if !well {
                        return false;
                    }
                }
                Err(error) => {
                    report(self.voice, command, path, &error);
                    return false;
                }
            }
        }
        true
    }

    fn show(&self, outputs: &[Output]) {
        let _held = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = self.write(outputs)
            // Whoever closed our output wanted no more of it.
            && error.kind() != io::ErrorKind::BrokenPipe
            && !self.told.swap(true, Ordering::Relaxed)
        {
            let reason = error.to_string();
            let reason = report::reason(&reason);
            self.voice
                .error(&format!("Could not write to output: {reason}"));
            self.failed.store(true, Ordering::Relaxed);
        }
    }

    fn write(&self, outputs: &[Output]) -> io::Result<()> {
        let (mut stdout, mut stderr) = (io::stdout().lock(), io::stderr().lock());
        for output in outputs {
            // Nobody is left to be told that stderr is gone.
            let _ = stderr.write_all(&output.stderr);
            stdout.write_all(&output.stdout)?;
        }
        if self.commands.print0 {
            stdout.write_all(b"\0")?;
        }
        stdout.flush()
    }
}

fn prepare(command: &[Template], path: &[u8], commands: &Commands) -> io::Result<Command> {
    let fill = |word: &Template| fill(word, path, commands);
    let mut words = command.iter().map(fill);
    let mut prepared = Command::new(words.next().unwrap_or_default());
    for word in words {
        prepared.try_arg(word)?;
    }
    Ok(prepared)
}

fn fill(word: &Template, path: &[u8], commands: &Commands) -> OsString {
    let mut text = Vec::new();
    word.render(path, commands.separator.as_deref(), &mut text);
    groma_sys::os_path(&text).into_os_string()
}

fn report(voice: Voice, command: &[Template], path: &[u8], error: &io::Error) {
    if error.kind() == io::ErrorKind::NotFound {
        let mut name = Vec::new();
        if let Some(program) = command.first() {
            program.render(path, None, &mut name);
        }
        voice.error(&format!(
            "Command not found: {}",
            String::from_utf8_lossy(&name)
        ));
    } else {
        voice.error(&format!("Problem while executing command: {error}"));
    }
}

/// Runs the commands with as many results at a time as fit. Also answers whether all went well.
pub(super) fn batch<T>(
    voice: Voice,
    commands: &Commands,
    reporter: &Reporter,
    search: impl FnOnce(&dyn Sink) -> T,
) -> (T, bool) {
    let sink = BatchSink {
        paths: Mutex::new(Vec::new()),
        reporter,
    };
    let answer = search(&sink);
    let paths = sink
        .paths
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    let mut well = true;
    for command in &commands.commands {
        well &= run_batches(voice, commands, command, &paths);
    }
    (answer, well)
}

struct BatchSink<'a> {
    /// All results, each ended by a NUL.
    paths: Mutex<Vec<u8>>,
    reporter: &'a Reporter,
}

impl Sink for BatchSink<'_> {
    fn write(&self, hits: &[u8]) -> io::Result<()> {
        let mut paths = self.paths.lock().unwrap_or_else(PoisonError::into_inner);
        paths.extend_from_slice(hits);
        Ok(())
    }

    fn warn(&self, warning: &Warning) {
        self.reporter.warn(warning);
    }

    fn root_failed(&self, warning: &Warning) {
        self.reporter.root_failed(warning);
    }
}

/// One command's words around the place where the results go.
struct Batch<'a> {
    before: Vec<OsString>,
    place: &'a Template,
    after: Vec<OsString>,
}

fn run_batches(voice: Voice, commands: &Commands, words: &[Template], paths: &[u8]) -> bool {
    let Some(at) = words.iter().position(Template::has_placeholders) else {
        return true;
    };
    let fixed = |words: &[Template]| words.iter().map(|word| fill(word, b"", commands)).collect();
    let batch = Batch {
        before: fixed(&words[..at]),
        place: &words[at],
        after: fixed(&words[at + 1..]),
    };
    let mut results = paths
        .split(|&b| b == 0)
        .filter(|path| !path.is_empty())
        .map(|path| fill(batch.place, path, commands))
        .peekable();
    let mut well = true;
    while results.peek().is_some() {
        match run_batch(&batch, &mut results, commands.batch_size) {
            Ok(success) => well &= success,
            Err(error) => {
                report(voice, words, b"", &error);
                return false;
            }
        }
    }
    well
}

/// Runs the command once, with as many of the results as it may take.
fn run_batch(
    batch: &Batch<'_>,
    results: &mut std::iter::Peekable<impl Iterator<Item = OsString>>,
    most: usize,
) -> io::Result<bool> {
    let (program, arguments) = batch
        .before
        .split_first()
        .ok_or(io::ErrorKind::InvalidInput)?;
    let mut command = Command::new(program);
    command
        .stdin(Stdio::inherit())
        .stdout(Stdio::inherit())
        .stderr(Stdio::inherit());
    command.try_args(arguments)?;
    let mut taken = 0;
    while let Some(result) = results.peek() {
        let full = most > 0 && taken == most;
        let rest = batch.after.iter().map(OsString::as_os_str);
        let fits = command.args_would_fit(std::iter::once::<&OsStr>(result).chain(rest));
        if full || (!fits && taken > 0) {
            break;
        }
        command.try_arg(result)?;
        results.next();
        taken += 1;
    }
    command.try_args(&batch.after)?;
    Ok(command.status()?.success())
}
