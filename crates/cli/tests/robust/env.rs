//! A sealed place to run the program in: an empty home, a temporary tree, a time limit.

use std::ffi::OsString;
use std::io::Read;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// No single run of the program takes longer than this, or it hangs.
const PATIENCE: Duration = Duration::from_secs(120);

/// Whether the tests should be thorough rather than quick.
pub(crate) fn soak() -> bool {
    std::env::var_os("GROMA_SOAK").is_some()
}

/// One of two values: for a quick run, for a thorough one.
pub(crate) fn scaled<T>(quick: T, thorough: T) -> T {
    if soak() { thorough } else { quick }
}

/// A temporary tree and an empty home beside it, which every user may enter.
pub(crate) struct Env {
    dir: tempfile::TempDir,
}

/// What a run came to.
pub(crate) struct Answer {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

impl Env {
    pub(crate) fn new() -> Env {
        let dir = tempfile::Builder::new()
            .prefix("groma-robust-")
            .tempdir()
            .unwrap();
        for path in [
            dir.path().to_owned(),
            dir.path().join("home"),
            dir.path().join("tree"),
        ] {
            std::fs::create_dir_all(&path).unwrap();
            std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
        }
        Env { dir }
    }

    /// The tree that is searched.
    pub(crate) fn tree(&self) -> PathBuf {
        self.dir.path().join("tree")
    }

    /// A path beside the tree.
    pub(crate) fn beside(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Makes a file, and the directories it lies in.
    pub(crate) fn file(&self, path: &str) {
        let path = self.tree().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, b"").unwrap();
    }

    /// Makes a directory and those it lies in.
    pub(crate) fn dir(&self, path: &str) {
        std::fs::create_dir_all(self.tree().join(path)).unwrap();
    }

    /// Makes a symbolic link.
    pub(crate) fn link(&self, target: &str, path: &str) {
        std::os::unix::fs::symlink(target, self.tree().join(path)).unwrap();
    }

    /// `groma find`, to be run in the tree.
    pub(crate) fn find(&self) -> Command {
        let mut command = self.seal(Command::new(program()));
        command.arg("find");
        command
    }

    /// `groma find` behind another command, such as `prlimit`.
    pub(crate) fn find_under(&self, words: &[&str]) -> Command {
        let mut command = self.seal(Command::new(words[0]));
        command.args(&words[1..]).arg(program()).arg("find");
        command
    }

    /// A command that sees the tree as its working directory and nothing of the user's own.
    pub(crate) fn seal(&self, mut command: Command) -> Command {
        command
            .current_dir(self.tree())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.beside("home"))
            .env("XDG_CONFIG_HOME", self.beside("home"))
            .stdin(Stdio::null());
        command
    }

    /// Paths below the tree as GNU find tells them, without `./`.
    pub(crate) fn gnu_find(&self, args: &[&str]) -> Vec<OsString> {
        let mut command = self.seal(Command::new("find"));
        command.args(args).arg("-print0");
        let output = command.output().expect("GNU find (package findutils)");
        lines(&output.stdout, 0)
    }
}

fn program() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_groma"))
}

impl Drop for Env {
    fn drop(&mut self) {
        // The standard library's removal is bound to the length of a path.
        let _ = Command::new("rm").arg("-rf").arg(self.tree()).status();
    }
}

impl Answer {
    /// The exit code; a signal is told as the shell does.
    pub(crate) fn code(&self) -> i32 {
        let signal = || self.status.signal().map_or(-1, |signal| 128 + signal);
        self.status.code().unwrap_or_else(signal)
    }

    /// The lines of stdout, sorted.
    pub(crate) fn sorted(&self) -> Vec<OsString> {
        let mut lines = self.lines();
        lines.sort();
        lines
    }

    pub(crate) fn lines(&self) -> Vec<OsString> {
        lines(&self.stdout, b'\n')
    }

    /// The NUL-terminated results of stdout, in order, without `./` and the slash of directories.
    pub(crate) fn paths(&self) -> Vec<OsString> {
        lines(&self.stdout, 0)
    }

    /// Complains unless the run ended with this code.
    #[track_caller]
    pub(crate) fn expect(self, code: i32) -> Answer {
        let said: String = self.stderr.chars().take(1000).collect();
        assert_eq!(self.code(), code, "stderr: {said}");
        self
    }
}

/// Pieces of `text`, each ended by `end`, without `./` in front and `/` behind.
fn lines(text: &[u8], end: u8) -> Vec<OsString> {
    let pieces = text.split(|&b| b == end).filter(|piece| !piece.is_empty());
    let bare = |piece: &[u8]| {
        let piece = piece.strip_prefix(b"./").unwrap_or(piece);
        OsString::from_vec(piece.strip_suffix(b"/").unwrap_or(piece).to_vec())
    };
    pieces.map(bare).collect()
}

/// Runs a command to its end, but not for ever.
#[track_caller]
pub(crate) fn run(command: &mut Command) -> Answer {
    let child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{:?}: {error}", command.get_program()));
    let answer = finish(child, |_| ());
    assert!(!answer.stderr.contains("panicked at"), "{}", answer.stderr);
    answer
}

/// Collects what a child writes until it ends. `each` is called after each piece of stdout.
#[track_caller]
pub(crate) fn finish(mut child: Child, mut each: impl FnMut(u32)) -> Answer {
    let mut out = child.stdout.take().unwrap();
    let mut err = child.stderr.take().unwrap();
    let id = child.id();
    let errors = std::thread::spawn(move || {
        let mut text = Vec::new();
        err.read_to_end(&mut text).map(|_| text)
    });
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut piece = vec![0; 1 << 16];
        while let Ok(count @ 1..) = out.read(&mut piece) {
            if sender.send(piece[..count].to_vec()).is_err() {
                break;
            }
        }
    });
    let start = Instant::now();
    let mut stdout = Vec::new();
    loop {
        match receiver.recv_timeout(Duration::from_millis(100)) {
            Ok(piece) => {
                each(id);
                stdout.extend_from_slice(&piece);
            }
            Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => break,
            Err(std::sync::mpsc::RecvTimeoutError::Timeout) => {
                if start.elapsed() > PATIENCE {
                    let _ = child.kill();
                    panic!("no end after {PATIENCE:?}; so far: {} bytes", stdout.len());
                }
            }
        }
    }
    let status = child.wait().unwrap();
    let stderr = errors.join().unwrap().unwrap();
    Answer {
        status,
        stdout,
        stderr: String::from_utf8_lossy(&stderr).into_owned(),
    }
}

/// The same run for several numbers of threads must give the same results.
#[track_caller]
pub(crate) fn same_for_all_threads(make: impl Fn() -> Command) -> Answer {
    let with = |threads: &str| run(make().args(["-j", threads]));
    let one = with("1");
    for threads in ["2", "16"] {
        let many = with(threads);
        assert_eq!(many.code(), one.code(), "-j{threads}: {}", many.stderr);
        let same = many.sorted() == one.sorted();
        assert!(
            same,
            "-j{threads} differs: {}",
            difference(&many.sorted(), &one.sorted())
        );
    }
    one
}

/// What is only in one of two lists, for messages.
pub(crate) fn difference(found: &[OsString], wanted: &[OsString]) -> String {
    let count = |list: &[OsString], item: &OsString| list.iter().filter(|x| *x == item).count();
    let only = |a: &[OsString], b: &[OsString]| -> Vec<String> {
        let extra = a.iter().filter(|x| count(a, x) > count(b, x));
        extra.take(10).map(|x| format!("{x:?}")).collect()
    };
    format!(
        "{} found, {} wanted; only found: {:?}; only wanted: {:?}",
        found.len(),
        wanted.len(),
        only(found, wanted),
        only(wanted, found)
    )
}
