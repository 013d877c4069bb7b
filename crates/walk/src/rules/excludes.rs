//! `--exclude` globs: anchored at each root, at the working directory, and as absolute paths.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use super::lines::trim_spaces;
use super::node::{Base, Layer, RuleNode, Source};
use super::paths;
use super::pattern::{Dialect, Pattern, Scope, compile};
use super::set::PatternSet;
use super::settings::RuleError;

/// The globs, compiled once for each place they may be anchored at.
#[derive(Debug, Default)]
pub(super) struct Excludes {
    /// All of them: names anywhere, paths below the root.
    below_root: Arc<PatternSet>,
    /// Those with a `/`: paths below the working directory.
    below_cwd: Arc<PatternSet>,
    /// Those with a leading `/`: absolute paths.
    absolute: Arc<PatternSet>,
    cwd: Vec<u8>,
}

impl Excludes {
    pub(super) fn new(globs: &[Vec<u8>], cwd: &Path) -> Result<Excludes, RuleError> {
        let (mut all, mut paths, mut absolute) = (Vec::new(), Vec::new(), Vec::new());
        for glob in globs {
            let line = as_line(glob);
            let compiled = |line: &[u8]| -> Result<Vec<Pattern>, RuleError> {
                compile(line, Dialect::Strict).map_err(|reason| RuleError {
                    pattern: glob.clone(),
                    reason,
                })
            };
            all.extend(compiled(&line)?);
            paths.extend(
                compiled(&line)?
                    .into_iter()
                    .filter(|pattern| pattern.scope != Scope::Name),
            );
            if glob.starts_with(b"/") {
                absolute.extend(compiled(&line)?);
                if let Some(resolved) = without_links(&line) {
                    absolute.extend(compiled(&resolved)?);
                }
            }
        }
        Ok(Excludes {
            below_root: Arc::new(PatternSet::new(all)),
            below_cwd: Arc::new(PatternSet::new(paths)),
            absolute: Arc::new(PatternSet::new(absolute)),
            cwd: paths::as_lead(cwd),
        })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.below_root.is_empty()
    }

    /// Adds the globs to the rules of a root.
    pub(super) fn add_to(&self, node: &mut RuleNode) {
        let (view, given) = (node.root.given_view(), node.root.given());
        let (root_len, below_cwd) = (given.len(), given.starts_with(&self.cwd));
        let mut add = |offset, set: &Arc<PatternSet>| {
            let base = Base { view, offset };
            node.add(Layer {
                source: Source::Exclude,
                base,
                set: Arc::clone(set),
            });
        };
        add(0, &self.absolute);
        if below_cwd && root_len > self.cwd.len() {
            add(self.cwd.len(), &self.below_cwd);
        }
        add(root_len, &self.below_root);
    }
}

/// The glob as a line of a rule file. A `!` has no meaning here, and `./a` is what lies in the
/// root or the working directory.
fn as_line(glob: &[u8]) -> Vec<u8> {
    let line = trim_spaces(glob);
    match line {
        [b'!', ..] => [b"\\", line].concat(),
        [b'.', b'/', ..] => line[1..].to_vec(),
        _ => line.to_vec(),
    }
}

/// The absolute glob with the links in its literal directories resolved, where that changes it.
fn without_links(line: &[u8]) -> Option<Vec<u8>> {
    let wild = line
        .iter()
        .position(|b| b"*?[{\\".contains(b))
        .unwrap_or(line.len());
    let slash = line[..wild].iter().rposition(|&b| b == b'/')?;
    let dir = paths::from_bytes(&line[..slash]);
    let resolved = fs::canonicalize(&dir)
        .ok()
        .filter(|resolved| *resolved != dir)?;
    let resolved = paths::to_bytes(&resolved).into_owned();
    let literal = !resolved.iter().any(|b| b"*?[]{}\\".contains(b));
    literal.then(|| [&resolved, &line[slash..]].concat())
}
