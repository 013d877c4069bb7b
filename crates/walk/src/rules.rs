//! Which entries a walk leaves out: git's rules, the rule files fd knows, globs to exclude.
//!
//! [`Rules`] is made once. While a directory is read, [`Rules::note`] looks out for rule files
//! among its entries; [`Rules::child`] then gives the [`RuleNode`] of that directory, which
//! answers for each entry. A directory that a rule leaves out is never entered, so nothing below
//! it can be brought back.
//!
//! The meaning is git's, byte for byte; a test compares it with git on generated trees. On top:
//! globs of `--exclude` beat everything, then come custom names (`.fdignore`), `.ignore`,
//! `.gitignore`, `info/exclude`, `core.excludesFile`, files named by the user. Of these the
//! stronger one wins wherever it lies; of two files of one kind the deeper one wins.

mod braces;
mod build;
mod class;
mod entry_path;
mod excludes;
mod excludes_file;
mod files;
mod git_config;
mod glob;
mod key;
mod lines;
mod node;
mod paths;
mod pattern;
mod repository;
mod set;
mod settings;
mod table;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

pub use files::{Links, OpenFile, RuleFiles};
pub use node::{Matcher, RuleNode, Scratch};
pub use set::Verdict;
pub use settings::{GitEnvironment, RuleError, RuleSettings, RuleWarning};

use excludes::Excludes;
use excludes_file::UserConfig;
use pattern::Dialect;
use set::PatternSet;

/// All rules of a run; shared by its threads.
#[derive(Debug)]
pub struct Rules {
    settings: RuleSettings,
    /// The rule files that matter under these settings.
    looked_for: RuleFiles,
    /// Whether a custom name opens with something else than a dot.
    plain_names: bool,
    excludes: Excludes,
    given_files: Vec<Arc<PatternSet>>,
    cwd_lead: Vec<u8>,
    user_config: OnceLock<UserConfig>,
    /// Files outside of the walk that several repositories share, by path.
    shared_files: Mutex<HashMap<PathBuf, Arc<PatternSet>>>,
    warnings: Mutex<Vec<RuleWarning>>,
}

impl Rules {
    /// Compiles what does not depend on a root. A malformed glob to exclude is an error; trouble
    /// with a file is a warning.
    pub fn new(settings: RuleSettings) -> Result<(Rules, Vec<RuleWarning>), RuleError> {
        let excludes = Excludes::new(&settings.excludes, &settings.cwd)?;
        let mut rules = Rules {
            looked_for: looked_for(&settings),
            plain_names: settings
                .custom_names
                .iter()
                .any(|name| !name.starts_with(b".")),
            excludes,
            given_files: Vec::new(),
            cwd_lead: paths::as_lead(&settings.cwd),
            user_config: OnceLock::new(),
            shared_files: Mutex::default(),
            warnings: Mutex::default(),
            settings,
        };
        rules.given_files = rules
            .settings
            .ignore_files
            .iter()
            .map(|file| rules.given_file(file))
            .collect();
        let warnings = rules.take_warnings();
        Ok((rules, warnings))
    }

    /// Whether nothing can ever be ignored: no need to ask.
    pub fn is_empty(&self) -> bool {
        self.excludes_only()
            && self.excludes.is_empty()
            && self.given_files.iter().all(|set| set.is_empty())
    }

    /// Whether no rule files are looked for: every directory has the rules of its root.
    #[inline]
    pub fn excludes_only(&self) -> bool {
        self.looked_for.is_empty()
    }

    /// Notes the name of an entry if it matters to the rules of its directory.
    #[inline]
    pub fn note(&self, present: &mut RuleFiles, name: &[u8]) {
        if name.first() == Some(&b'.') || self.plain_names {
            self.note_candidate(present, name);
        }
    }

    fn note_candidate(&self, present: &mut RuleFiles, name: &[u8]) {
        let known = match name {
            b".gitignore" => RuleFiles::GIT_IGNORE,
            b".ignore" => RuleFiles::DOT_IGNORE,
            b".git" => RuleFiles::GIT,
            b".jj" => RuleFiles::JJ,
            _ => RuleFiles::default(),
        };
        present.insert(known.and(self.looked_for));
        for (index, custom) in self.custom_names() {
            if custom == name {
                present.insert(RuleFiles::custom(index));
            }
        }
    }

    /// Trouble met since the last call.
    pub fn take_warnings(&self) -> Vec<RuleWarning> {
        self.warnings
            .lock()
            .map(|mut warnings| std::mem::take(&mut *warnings))
            .unwrap_or_default()
    }

    fn custom_names(&self) -> impl Iterator<Item = (usize, &[u8])> {
        let names = self.settings.custom_names.iter().map(Vec::as_slice);
        names.take(RuleSettings::MAX_CUSTOM_NAMES).enumerate()
    }

    /// The user's git configuration; read when the first repository is met.
    fn user_config(&self) -> &UserConfig {
        self.user_config
            .get_or_init(|| UserConfig::read(&self.settings.git))
    }

    /// A file named by the user.
    fn given_file(&self, file: &Path) -> Arc<PatternSet> {
        let path = self.settings.cwd.join(file);
        match std::fs::read(&path) {
            Ok(bytes) => Arc::new(self.compile(&bytes, Dialect::Braces, path)),
            Err(error) => {
                self.warn(path, None, error.to_string());
                Arc::default()
            }
        }
    }

    /// A file of patterns in git's dialect; compiled once.
    fn shared_file(&self, path: &Path) -> Arc<PatternSet> {
        let Ok(mut shared) = self.shared_files.lock() else {
            return Arc::default();
        };
        if let Some(set) = shared.get(path) {
            return Arc::clone(set);
        }
        let set = match std::fs::read(path) {
            Ok(bytes) => Arc::new(self.compile(&bytes, Dialect::Git, path.to_path_buf())),
            Err(error) => {
                if error.kind() != ErrorKind::NotFound {
                    self.warn(path.to_path_buf(), None, error.to_string());
                }
                Arc::default()
            }
        };
        shared.insert(path.to_path_buf(), Arc::clone(&set));
        set
    }
}

/// Which names are worth noting.
fn looked_for(settings: &RuleSettings) -> RuleFiles {
    let mut files = RuleFiles::default();
    if settings.vcs {
        files.insert(RuleFiles::GIT_IGNORE);
        files.insert(RuleFiles::GIT_OR_JJ);
    }
    if settings.dot_ignore {
        files.insert(RuleFiles::DOT_IGNORE);
    }
    for index in 0..settings
        .custom_names
        .len()
        .min(RuleSettings::MAX_CUSTOM_NAMES)
    {
        files.insert(RuleFiles::custom(index));
    }
    files
}
