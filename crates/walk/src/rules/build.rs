//! From the rules of a directory's parent to its own: reads the rule files it has.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Rules;
use super::files::{DirAt, Links, OpenFile, RuleFiles};
use super::lines;
use super::node::{Base, Layer, RootPaths, RuleNode, Source, View};
use super::paths;
use super::pattern::Dialect;
use super::repository::Repository;
use super::set::PatternSet;
use super::settings::RuleWarning;

/// A directory whose rule files are being read.
struct Dir<'a> {
    /// Length of its path with the `/` behind it: where its patterns are anchored.
    offset: usize,
    present: RuleFiles,
    files: &'a dyn OpenFile,
    path: &'a dyn Fn() -> PathBuf,
    /// Whether the rules of its repository apply, other than its excludes file.
    own_rules: bool,
}

impl Rules {
    /// The rules of a walk's root: with `parents`, those of the directories above it too.
    /// `root_absolute` may lead through links; `present` and `files` are of the root itself.
    pub fn root(
        &self,
        root_absolute: &Path,
        present: RuleFiles,
        files: &dyn OpenFile,
    ) -> Arc<RuleNode> {
        let physical_path = self.physical(root_absolute);
        let physical = paths::as_lead(&physical_path);
        let given = Some(paths::as_lead(root_absolute)).filter(|given| *given != physical);
        let offset = physical.len();
        let mut node = RuleNode {
            root: Arc::new(RootPaths { physical, given }),
            layers: Vec::new(),
            in_repository: false,
        };
        self.excludes.add_to(&mut node);
        self.add_given_files(&mut node);
        if !self.excludes_only() {
            self.add_parents(&mut node, &physical_path);
            if self.settings.vcs && !self.settings.require_git && !node.in_repository {
                self.add_default_excludes_file(&mut node, offset);
            }
            let path = || physical_path.clone();
            self.enter(
                &mut node,
                &Dir {
                    offset,
                    present,
                    files,
                    path: &path,
                    own_rules: true,
                },
            );
        }
        Arc::new(node)
    }

    /// The rules of a directory below a root; `path_from_root` is relative to that root. Where the
    /// directory adds nothing this is the parent's node.
    pub fn child(
        &self,
        parent: &Arc<RuleNode>,
        path_from_root: &[u8],
        present: RuleFiles,
        files: &dyn OpenFile,
    ) -> Arc<RuleNode> {
        if present.is_empty() || self.excludes_only() {
            return Arc::clone(parent);
        }
        let root = &parent.root.physical;
        let offset = root.len() + path_from_root.len() + usize::from(!path_from_root.is_empty());
        let path = || paths::from_bytes(&[b"/", &root[..], path_from_root].concat());
        let mut node = RuleNode::clone(parent);
        self.enter(
            &mut node,
            &Dir {
                offset,
                present,
                files,
                path: &path,
                own_rules: true,
            },
        );
        Arc::new(node)
    }

    /// The root without links. Only rule files need it, so without them nothing is looked up.
    fn physical(&self, root: &Path) -> PathBuf {
        if self.excludes_only() {
            return root.to_path_buf();
        }
        std::fs::canonicalize(root).unwrap_or_else(|_| root.to_path_buf())
    }

    /// Enters every directory above the root, from the top.
    fn add_parents(&self, node: &mut RuleNode, root: &Path) {
        let above: Vec<&Path> = root.ancestors().skip(1).collect();
        for dir in above.into_iter().rev() {
            let mut present = self.marks_of(dir);
            if self.settings.parents {
                present.insert(self.looked_for.without(RuleFiles::GIT_OR_JJ));
            }
            let files = DirAt(dir.to_path_buf());
            let path = || dir.to_path_buf();
            let own_rules = self.settings.parents;
            let offset = paths::as_lead(dir).len();
            self.enter(
                node,
                &Dir {
                    offset,
                    present,
                    files: &files,
                    path: &path,
                    own_rules,
                },
            );
        }
    }

    /// Whether a directory above the root is the top of a repository.
    fn marks_of(&self, dir: &Path) -> RuleFiles {
        let mut present = RuleFiles::default();
        if self.settings.vcs {
            for (name, mark) in [(".git", RuleFiles::GIT), (".jj", RuleFiles::JJ)] {
                if dir.join(name).exists() {
                    present.insert(mark);
                }
            }
        }
        present
    }

    /// Adds what one directory has to the rules of its parent.
    fn enter(&self, node: &mut RuleNode, dir: &Dir<'_>) {
        let settings = &self.settings;
        if settings.vcs && dir.present.has(RuleFiles::GIT_OR_JJ) {
            self.enter_repository(node, dir);
        }
        let vcs = settings.vcs && (node.in_repository || !settings.require_git);
        if vcs && dir.present.has(RuleFiles::GIT_IGNORE) {
            self.add_file(node, dir, b".gitignore", Source::GitIgnore);
        }
        if settings.dot_ignore && dir.present.has(RuleFiles::DOT_IGNORE) {
            self.add_file(node, dir, b".ignore", Source::DotIgnore);
        }
        for (index, name) in self.custom_names() {
            if dir.present.has(RuleFiles::custom(index)) {
                let place = u8::try_from(index).unwrap_or(u8::MAX);
                self.add_file(node, dir, name, Source::Custom(u8::MAX - place));
            }
        }
    }

    /// A repository begins: the rules of the one around it end.
    fn enter_repository(&self, node: &mut RuleNode, dir: &Dir<'_>) {
        node.layers
            .retain(|layer| !layer.source.ends_at_repository());
        node.in_repository = true;
        let repository = if dir.present.has(RuleFiles::GIT) {
            Repository::read(dir.files)
        } else {
            Repository::default()
        };
        let path = (dir.path)();
        if dir.own_rules {
            let file = path.join(".git/info/exclude");
            let set = self.compile(&repository.info_exclude, Dialect::Git, file);
            node.add(layer(Source::InfoExclude, dir.offset, Arc::new(set)));
        }
        let git_dir = repository.absolute_git_dir(&path);
        let config = self.user_config();
        if let Some(file) = config.file_in(&self.settings.git, &git_dir, &repository.config) {
            self.add_excludes_file(
                node,
                dir.offset,
                &paths::join(&paths::to_bytes(&path), &file),
            );
        }
    }

    fn add_default_excludes_file(&self, node: &mut RuleNode, offset: usize) {
        if let Some(file) = self.user_config().file(&self.settings.git) {
            self.add_excludes_file(node, offset, &file);
        }
    }

    fn add_excludes_file(&self, node: &mut RuleNode, offset: usize, file: &[u8]) {
        let set = self.shared_file(&paths::from_bytes(file));
        node.add(layer(Source::ExcludesFile, offset, set));
    }

    /// Files named by the user are anchored at the working directory, or at a root outside of it.
    fn add_given_files(&self, node: &mut RuleNode) {
        let given = node.root.given();
        let inside = given.starts_with(&self.cwd_lead);
        let offset = if inside {
            self.cwd_lead.len()
        } else {
            given.len()
        };
        let base = Base {
            view: node.root.given_view(),
            offset,
        };
        for (index, set) in self.given_files.iter().enumerate() {
            let place = u32::try_from(index).unwrap_or(u32::MAX);
            let source = Source::Given(u32::MAX - place);
            node.add(Layer {
                source,
                base,
                set: Arc::clone(set),
            });
        }
    }

    /// Reads and compiles one rule file of a directory. One that is not there is none.
    fn add_file(&self, node: &mut RuleNode, dir: &Dir<'_>, name: &[u8], source: Source) {
        let (links, dialect) = match source {
            Source::GitIgnore => (Links::Refuse, Dialect::Git),
            _ => (Links::Follow, Dialect::Braces),
        };
        let path = || (dir.path)().join(paths::from_bytes(name));
        match dir.files.read_file(name, links) {
            Ok(bytes) => {
                let set = self.compile(&bytes, dialect, path());
                node.add(layer(source, dir.offset, Arc::new(set)));
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => self.warn(path(), None, error.to_string()),
        }
    }

    /// Compiles the bytes of a rule file and notes its malformed lines.
    pub(super) fn compile(&self, bytes: &[u8], dialect: Dialect, path: PathBuf) -> PatternSet {
        let (set, bad) = lines::compile(bytes, dialect);
        for (line, reason) in bad {
            self.warn(path.clone(), Some(line), reason.to_owned());
        }
        set
    }

    pub(super) fn warn(&self, path: PathBuf, line: Option<usize>, reason: String) {
        if let Ok(mut warnings) = self.warnings.lock() {
            warnings.push(RuleWarning { path, line, reason });
        }
    }
}

fn layer(source: Source, offset: usize, set: Arc<PatternSet>) -> Layer {
    Layer {
        source,
        base: Base {
            view: View::Physical,
            offset,
        },
        set,
    }
}
