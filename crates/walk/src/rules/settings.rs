//! What a caller decides about rules, and what can be wrong with it.

use std::fmt;
use std::path::PathBuf;

/// Which sources of rules apply.
#[derive(Clone, Debug)]
pub struct RuleSettings {
    /// `.gitignore`, `.git/info/exclude` and `core.excludesFile`.
    pub vcs: bool,
    /// `.ignore`.
    pub dot_ignore: bool,
    /// Names of further rule files (`.fdignore`), above `.ignore`; a later name beats an earlier
    /// one. At most [`RuleSettings::MAX_CUSTOM_NAMES`] are looked at.
    pub custom_names: Vec<Vec<u8>>,
    /// Whether the rule files of the directories above a root apply.
    pub parents: bool,
    /// Whether the `vcs` rules apply only inside of a repository.
    pub require_git: bool,
    /// Globs of `--exclude`; they beat every file.
    pub excludes: Vec<Vec<u8>>,
    /// Rule files named by the user, below all others; a later one beats an earlier one.
    pub ignore_files: Vec<PathBuf>,
    /// Where git keeps its configuration.
    pub git: GitEnvironment,
    /// The working directory, absolute: what relative paths in `ignore_files`, and the patterns of
    /// these files and of `excludes`, are relative to.
    pub cwd: PathBuf,
}

impl RuleSettings {
    /// So many `custom_names` fit into [`super::RuleFiles`].
    pub const MAX_CUSTOM_NAMES: usize = 16;

    /// No rules at all.
    pub fn none(cwd: PathBuf) -> RuleSettings {
        RuleSettings {
            vcs: false,
            dot_ignore: false,
            custom_names: Vec::new(),
            parents: true,
            require_git: true,
            excludes: Vec::new(),
            ignore_files: Vec::new(),
            git: GitEnvironment::default(),
            cwd,
        }
    }
}

/// The part of the environment that tells git where its configuration is. Nothing is read from
/// the environment here; the default is a machine without any configuration.
#[derive(Clone, Debug, Default)]
pub struct GitEnvironment {
    /// `$HOME`.
    pub home: Option<PathBuf>,
    /// `$XDG_CONFIG_HOME`, if set and not empty.
    pub xdg_config_home: Option<PathBuf>,
    /// `$GIT_CONFIG_SYSTEM`, otherwise the system's file (`/etc/gitconfig`); `None` when
    /// `$GIT_CONFIG_NOSYSTEM` is true.
    pub system_config: Option<PathBuf>,
    /// `$GIT_CONFIG_GLOBAL`: replaces both files of the user.
    pub global_config: Option<PathBuf>,
    /// `core.excludesFile` from `$GIT_CONFIG_COUNT` and its kin: beats every file.
    pub excludes_file: Option<Vec<u8>>,
}

/// A rule file, or a line of one, that could not be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleWarning {
    /// The file, or for files found by the walk the path of their directory and their name.
    pub path: PathBuf,
    /// The line, from 1; `None` when it is about the whole file.
    pub line: Option<usize>,
    /// What is wrong.
    pub reason: String,
}

impl fmt::Display for RuleWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path.display())?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        write!(f, ": {}", self.reason)
    }
}

/// A malformed `--exclude` glob.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleError {
    /// The glob as given.
    pub pattern: Vec<u8>,
    /// What is wrong with it.
    pub reason: &'static str,
}

impl fmt::Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "malformed glob '{}': {}",
            self.pattern.escape_ascii(),
            self.reason
        )
    }
}

impl std::error::Error for RuleError {}
