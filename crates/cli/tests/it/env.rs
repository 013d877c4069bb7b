//! A sealed environment: a directory, a home and settings of its own, and checks that take a
//! command line and what it must print.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// The name that the program is started under.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Name {
    /// `groma find`
    Groma,
    /// `fd`, by a link
    Fd,
}

/// A directory to search, and all that a run could notice besides.
pub(crate) struct Env {
    temp: TempDir,
    dir: PathBuf,
    variables: Vec<(String, OsString)>,
}

/// What a run printed, and how it ended.
pub(crate) struct Answer {
    /// The exit code; 128 and the signal's number where a signal ended it, as in a shell.
    pub(crate) code: i32,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

impl Env {
    /// An environment with these entries, separated by white space: `dir/`, `file`, `file:SIZE`,
    /// `link->target`, `file=MODE`. Parents need not be named.
    pub(crate) fn new(tree: &str) -> Env {
        let temp = TempDir::new().unwrap();
        // The system's temporary directory may lie behind a link.
        let top = temp.path().canonicalize().unwrap();
        let dir = top.join("tree");
        for made in ["tree", "home", "config", "bin"] {
            fs::create_dir(top.join(made)).unwrap();
        }
        symlink(env!("CARGO_BIN_EXE_groma"), top.join("bin/fd")).unwrap();
        let env = Env {
            temp,
            dir,
            variables: Vec::new(),
        };
        tree.split_whitespace().for_each(|entry| env.make(entry));
        env
    }

    fn make(&self, entry: &str) {
        let make_parent = |path: &Path| fs::create_dir_all(path.parent().unwrap()).unwrap();
        if let Some(dir) = entry.strip_suffix('/') {
            fs::create_dir_all(self.path(dir)).unwrap();
        } else if let Some((link, target)) = entry.split_once("->") {
            make_parent(&self.path(link));
            symlink(target, self.path(link)).unwrap();
        } else if let Some((file, size)) = entry.split_once(':') {
            make_parent(&self.path(file));
            let file = fs::File::create(self.path(file)).unwrap();
            file.set_len(size.parse().unwrap()).unwrap();
        } else if let Some((file, mode)) = entry.split_once('=') {
            make_parent(&self.path(file));
            self.write(file, "");
            self.chmod(file, u32::from_str_radix(mode, 8).unwrap());
        } else {
            make_parent(&self.path(entry));
            self.write(entry, "");
        }
    }

    /// The directory that commands run in.
    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    /// A path in it.
    pub(crate) fn path(&self, path: impl AsRef<Path>) -> PathBuf {
        self.dir.join(path)
    }

    /// A path beside it: `home`, `config`, `bin`, or one of the test's own.
    pub(crate) fn beside(&self, path: &str) -> PathBuf {
        self.dir.with_file_name(path)
    }

    /// Writes a file, and the directories it lies in.
    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn chmod(&self, path: &str, mode: u32) {
        fs::set_permissions(self.path(path), fs::Permissions::from_mode(mode)).unwrap();
    }

    /// Sets the time of the last change, as `touch -d` reads it.
    pub(crate) fn touch(&self, path: &str, time: &str) {
        self.tool("touch", &["-h", "-d", time, path]);
    }

    /// Adds a variable to the environment of all further runs.
    pub(crate) fn set(&mut self, name: &str, value: impl Into<OsString>) {
        self.variables.push((name.to_owned(), value.into()));
    }

    /// The program, with nothing of this process's environment but the search path for commands.
    pub(crate) fn command(&self, name: Name) -> Command {
        let mut command = match name {
            Name::Groma => Command::new(env!("CARGO_BIN_EXE_groma")),
            Name::Fd => Command::new(self.beside("bin/fd")),
        };
        if name == Name::Groma {
            command.arg("find");
        }
        self.seal(&mut command);
        command
    }

    /// Gives a command the environment of the program's runs.
    pub(crate) fn seal(&self, command: &mut Command) {
        command
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap())
            .env("HOME", self.beside("home"))
            .env("XDG_CONFIG_HOME", self.beside("config"))
            .env("TZ", "UTC")
            .env("LC_ALL", "C")
            .env("TERM", "xterm")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_CONFIG_GLOBAL", self.beside("home/.gitconfig"))
            .env("GIT_CEILING_DIRECTORIES", self.temp.path())
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .current_dir(&self.dir)
            .stdin(Stdio::null());
    }

    /// Runs an outside program in the directory. It must be there and succeed.
    pub(crate) fn tool(&self, program: &str, arguments: &[&str]) -> String {
        let mut command = Command::new(program);
        self.seal(&mut command);
        let output = command.args(arguments).output();
        let output = output.unwrap_or_else(|error| panic!("{program} is needed: {error}"));
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{program} {arguments:?}: {text}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Runs a line of shell; `groma` and `fd` are the programs under test.
    pub(crate) fn shell(&self, line: &str) -> Answer {
        let groma = env!("CARGO_BIN_EXE_groma");
        let fd = self.beside("bin/fd");
        let preamble = format!(
            "groma() {{ '{groma}' \"$@\"; }}; fd() {{ '{}' \"$@\"; }};",
            fd.display()
        );
        let mut command = Command::new("bash");
        self.seal(&mut command);
        command.args(["-c", &format!("{preamble} {line}")]);
        answer(command.output().unwrap())
    }

    /// Runs a command line, of words as a shell takes them; `$PWD` is the directory.
    pub(crate) fn answer(&self, name: Name, line: &str) -> Answer {
        self.answer_to(name, words(line, &self.dir))
    }

    /// Runs a command line of these words.
    pub(crate) fn answer_to<S: AsRef<OsStr>>(
        &self,
        name: Name,
        arguments: impl IntoIterator<Item = S>,
    ) -> Answer {
        // Under load a short result could take longer than it is held back to be sorted.
        let mut command = self.command(name);
        command.arg("--max-buffer-time=60000").args(arguments);
        answer(command.output().unwrap())
    }

    /// `groma find` with this line prints this, says nothing and succeeds. Line ends are shown as
    /// spaces, NUL as `␀`, ESC as `␛`.
    pub(crate) fn find(&self, line: &str, want: &str) {
        self.check(Name::Groma, line, want);
    }

    /// As [`Env::find`], started as `fd`.
    pub(crate) fn fd(&self, line: &str, want: &str) {
        self.check(Name::Fd, line, want);
    }

    /// As [`Env::find`], under both names.
    pub(crate) fn both(&self, line: &str, want: &str) {
        self.find(line, want);
        self.fd(line, want);
    }

    fn check(&self, name: Name, line: &str, want: &str) {
        let answer = self.answer(name, line);
        let got = (answer.shown(), &answer.stderr[..], answer.code);
        assert_eq!(got, (want.to_owned(), "", 0), "{name:?} {line}");
    }

    /// Each line prints what stands beside it, under both names.
    pub(crate) fn cases(&self, cases: &[(&str, &str)]) {
        cases.iter().for_each(|(line, want)| self.both(line, want));
    }

    /// Each line prints what stands beside it, as `groma find`.
    pub(crate) fn finds(&self, cases: &[(&str, &str)]) {
        cases.iter().for_each(|(line, want)| self.find(line, want));
    }

    /// The line prints nothing on stdout, says something that holds `needle`, and ends with `code`.
    pub(crate) fn fails(&self, name: Name, line: &str, code: i32, needle: &str) {
        let answer = self.answer(name, line);
        let stderr = &answer.stderr;
        assert_eq!(answer.shown(), "", "{name:?} {line}");
        assert_eq!(answer.code, code, "{name:?} {line}: {stderr}");
        assert!(stderr.contains(needle), "{name:?} {line}: {stderr}");
        assert_eq!(needle.is_empty(), stderr.is_empty(), "{line}: {stderr}");
    }

    /// A mistake in usage: as `groma find`, exit code 2 and a message.
    pub(crate) fn refused(&self, line: &str, needle: &str) {
        self.fails(Name::Groma, line, 2, needle);
    }
}

impl Answer {
    /// stdout in one line.
    pub(crate) fn shown(&self) -> String {
        let text = String::from_utf8_lossy(&self.stdout).into_owned();
        let text = text.strip_suffix('\n').unwrap_or(&text);
        text.replace('\n', " ")
            .replace('\0', "␀")
            .replace('\x1b', "␛")
    }

    /// The lines of stdout, sorted.
    pub(crate) fn sorted(&self) -> Vec<String> {
        let text = String::from_utf8_lossy(&self.stdout);
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort_unstable();
        lines
    }
}

fn answer(output: Output) -> Answer {
    let signal = || 128 + output.status.signal().unwrap_or_default();
    Answer {
        code: output.status.code().unwrap_or_else(signal),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        stdout: output.stdout,
    }
}

/// The words of a line. Quotes of either kind keep a word together; there are no escapes.
fn words(line: &str, dir: &Path) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in line.replace("$PWD", dir.to_str().unwrap()).chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, ' ') => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    assert!(quote.is_none(), "a quote is not closed: {line}");
    words.extend(word);
    words
}

/// Bytes as a name.
pub(crate) fn bytes(name: &[u8]) -> OsString {
    OsString::from_vec(name.to_vec())
}
