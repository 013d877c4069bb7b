//! Which file git takes `core.excludesFile` to be.

use std::fs;
use std::path::{Path, PathBuf};

use super::git_config::{self, Setting};
use super::glob;
use super::paths;
use super::settings::GitEnvironment;

/// Includes of includes end here, as they do for git.
const MAX_INCLUDE_DEPTH: usize = 10;

/// What the configuration of system and user says.
#[derive(Debug, Default)]
pub(super) struct UserConfig {
    /// `core.excludesFile` outside of any repository.
    value: Option<Vec<u8>>,
    /// Whether a repository's place decides about parts of it.
    conditional: bool,
}

impl UserConfig {
    /// Reads the files that `git` names.
    pub(super) fn read(git: &GitEnvironment) -> UserConfig {
        let mut reader = Reader::new(git, None);
        reader.user_files();
        UserConfig {
            value: reader.value,
            conditional: reader.conditional,
        }
    }

    /// The excludes file of the repository whose git directory is `git_dir` and whose own
    /// configuration is `local`; relative paths are relative to its top.
    pub(super) fn file_in(
        &self,
        git: &GitEnvironment,
        git_dir: &Path,
        local: &[u8],
    ) -> Option<Vec<u8>> {
        let mut reader = Reader::new(git, Some(git_dir));
        if self.conditional {
            reader.user_files();
        } else {
            reader.value.clone_from(&self.value);
        }
        reader.settings(local, &git_dir.join("config"), 0);
        resolve(git, reader.value)
    }

    /// The excludes file where there is no repository.
    pub(super) fn file(&self, git: &GitEnvironment) -> Option<Vec<u8>> {
        resolve(git, self.value.clone())
    }
}

/// The file that a value names, or the default one.
fn resolve(git: &GitEnvironment, configured: Option<Vec<u8>>) -> Option<Vec<u8>> {
    let file = match git.excludes_file.clone().or(configured) {
        Some(value) => expand_home(git, &value)?,
        None => paths::to_bytes(&xdg_dir(git)?.join("ignore")).into_owned(),
    };
    (!file.is_empty()).then_some(file)
}

/// `$XDG_CONFIG_HOME/git`, wherever that is.
fn xdg_dir(git: &GitEnvironment) -> Option<PathBuf> {
    match (&git.xdg_config_home, &git.home) {
        (Some(dir), _) => Some(dir.join("git")),
        (None, Some(home)) => Some(home.join(".config/git")),
        (None, None) => None,
    }
}

/// Replaces a leading `~/`; other users' homes are not looked up.
fn expand_home(git: &GitEnvironment, path: &[u8]) -> Option<Vec<u8>> {
    match path {
        b"~" => Some(paths::to_bytes(git.home.as_deref()?).into_owned()),
        [b'~', b'/', rest @ ..] => Some(paths::join(&paths::to_bytes(git.home.as_deref()?), rest)),
        [b'~', ..] => None,
        _ => Some(path.to_vec()),
    }
}

struct Reader<'a> {
    git: &'a GitEnvironment,
    git_dir: Option<&'a Path>,
    value: Option<Vec<u8>>,
    conditional: bool,
}

impl<'a> Reader<'a> {
    fn new(git: &'a GitEnvironment, git_dir: Option<&'a Path>) -> Reader<'a> {
        Reader {
            git,
            git_dir,
            value: None,
            conditional: false,
        }
    }

    /// The files of system and user; what is read later wins.
    fn user_files(&mut self) {
        let git = self.git;
        let files = match &git.global_config {
            Some(file) => vec![git.system_config.clone(), Some(file.clone())],
            None => vec![
                git.system_config.clone(),
                xdg_dir(git).map(|dir| dir.join("config")),
                git.home.as_ref().map(|home| home.join(".gitconfig")),
            ],
        };
        for file in files.into_iter().flatten() {
            self.file(&file, 0);
        }
    }

    fn file(&mut self, path: &Path, depth: usize) {
        if let Ok(bytes) = fs::read(path) {
            self.settings(&bytes, path, depth);
        }
    }

    fn settings(&mut self, bytes: &[u8], path: &Path, depth: usize) {
        for setting in git_config::parse(bytes) {
            match (&setting.section[..], &setting.subsection, &setting.key[..]) {
                (b"core", None, b"excludesfile") => self.value = Some(setting.value),
                (b"include", None, b"path") => self.include(&setting, path, depth),
                (b"includeif", Some(condition), b"path") if self.holds(condition, path) => {
                    self.include(&setting, path, depth);
                }
                _ => {}
            }
        }
    }

    /// Reads the file an include names, relative to the file that names it.
    fn include(&mut self, setting: &Setting, from: &Path, depth: usize) {
        if depth == MAX_INCLUDE_DEPTH {
            return;
        }
        if let Some(file) = expand_home(self.git, &setting.value) {
            let dir = from.parent().unwrap_or(Path::new("/"));
            self.file(&dir.join(paths::from_bytes(&file)), depth + 1);
        }
    }

    /// Whether an `includeIf` applies. Branches and remotes are not looked at: such an include
    /// does not apply.
    fn holds(&mut self, condition: &[u8], from: &Path) -> bool {
        let (pattern, fold) = match condition.strip_prefix(b"gitdir") {
            Some([b':', rest @ ..]) => (rest, false),
            Some([b'/', b'i', b':', rest @ ..]) => (rest, true),
            _ => return false,
        };
        self.conditional = true;
        let Some(git_dir) = self.git_dir else {
            return false;
        };
        let Some(pattern) = self.full_pattern(pattern, from) else {
            return false;
        };
        let folded = |bytes: &[u8]| {
            if fold {
                bytes.to_ascii_lowercase()
            } else {
                bytes.to_vec()
            }
        };
        glob::compile(&folded(&pattern), true, false)
            .is_ok_and(|tokens| glob::matches(&tokens, &folded(&paths::to_bytes(git_dir))))
    }

    /// A `gitdir:` pattern in full: `~/`, `./`, any depth, everything below a trailing `/`.
    fn full_pattern(&self, pattern: &[u8], from: &Path) -> Option<Vec<u8>> {
        let mut full = match pattern {
            [b'.', b'/', ..] => [&paths::to_bytes(from.parent()?), &pattern[1..]].concat(),
            _ => expand_home(self.git, pattern)?,
        };
        if !full.starts_with(b"/") {
            full.splice(0..0, *b"**/");
        }
        if full.ends_with(b"/") {
            full.extend_from_slice(b"**");
        }
        Some(full)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A home directory with these files.
    fn home(files: &[(&str, &str)]) -> (tempfile::TempDir, GitEnvironment) {
        let dir = tempfile::tempdir().unwrap();
        for (name, content) in files {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        let git = GitEnvironment {
            home: Some(dir.path().to_path_buf()),
            ..Default::default()
        };
        (dir, git)
    }

    fn file(git: &GitEnvironment, git_dir: &str, local: &str) -> Option<String> {
        let config = UserConfig::read(git);
        let file = config.file_in(git, Path::new(git_dir), local.as_bytes());
        file.map(|bytes| String::from_utf8(bytes).unwrap())
    }

    #[test]
    fn the_later_and_nearer_file_wins() {
        let (dir, mut git) = home(&[
            (".config/git/config", "[core]\nexcludesFile = /xdg"),
            ("system", "[core]\nexcludesFile = /system"),
        ]);
        assert_eq!(file(&git, "/r/.git", "").unwrap(), "/xdg");
        fs::write(
            dir.path().join(".gitconfig"),
            "[core] excludesfile = ~/mine",
        )
        .unwrap();
        let mine = dir.path().join("mine").display().to_string();
        assert_eq!(file(&git, "/r/.git", "").unwrap(), mine);
        assert_eq!(
            file(&git, "/r/.git", "[core]\nexcludesfile = rel").unwrap(),
            "rel"
        );
        assert_eq!(
            file(&git, "/r/.git", "[core]\nexcludesfile =").as_deref(),
            None
        );
        git.global_config = Some(dir.path().join("none"));
        git.system_config = Some(dir.path().join("system"));
        assert_eq!(file(&git, "/r/.git", "").unwrap(), "/system");
        git.excludes_file = Some(b"/command".to_vec());
        assert_eq!(
            file(&git, "/r/.git", "[core]\nexcludesfile = rel").unwrap(),
            "/command"
        );
    }

    #[test]
    fn without_configuration_the_default_holds() {
        let (dir, mut git) = home(&[]);
        let default = dir.path().join(".config/git/ignore").display().to_string();
        assert_eq!(file(&git, "/r/.git", "").unwrap(), default);
        git.xdg_config_home = Some(PathBuf::from("/xdg"));
        assert_eq!(file(&git, "/r/.git", "").unwrap(), "/xdg/git/ignore");
        assert_eq!(file(&GitEnvironment::default(), "/r/.git", ""), None);
    }

    #[test]
    fn includes_are_followed_in_place() {
        let (_dir, git) = home(&[
            (
                ".gitconfig",
                "[core]\nexcludesfile = /a\n[include]\npath = sub/inc\n",
            ),
            ("sub/inc", "[include]\npath = inc2\n[include]\npath = inc"),
            ("sub/inc2", "[core]\nexcludesfile = /b"),
        ]);
        assert_eq!(file(&git, "/r/.git", "").unwrap(), "/b");
    }

    #[test]
    fn conditional_includes_look_at_the_git_directory() {
        for (condition, git_dir, want) in [
            ("gitdir:/w/", "/w/x/.git", "/inc"),
            ("gitdir:/w/", "/v/x/.git", "/base"),
            ("gitdir:w/", "/v/w/.git", "/inc"),
            ("gitdir:/w/*/.git", "/w/x/.git", "/inc"),
            ("gitdir:/W/", "/w/x/.git", "/base"),
            ("gitdir/i:/W/", "/w/x/.git", "/inc"),
            ("onbranch:main", "/w/x/.git", "/base"),
        ] {
            let config =
                format!("[core]\nexcludesfile = /base\n[includeIf \"{condition}\"]\npath = inc\n");
            let (_dir, git) = home(&[
                (".gitconfig", &config),
                ("inc", "[core]\nexcludesfile = /inc"),
            ]);
            assert_eq!(
                file(&git, git_dir, "").unwrap(),
                want,
                "{condition} {git_dir}"
            );
        }
    }
}
