//! One run of the rules on any bytes: a rule file, and under it a path. Shared by the fuzz target
//! and the test that replays its seeds.

use std::io;
use std::path::{Path, PathBuf};

use groma_walk::rules::{Links, OpenFile, RuleFiles, RuleSettings, Rules, Scratch};

/// Every rule file of the directory has these bytes.
struct Everywhere<'b>(&'b [u8]);

impl OpenFile for Everywhere<'_> {
    fn read_file(&self, _path: &[u8], _links: Links) -> io::Result<Vec<u8>> {
        Ok(self.0.to_vec())
    }
}

/// Reads all but the last line as rules, in git's dialect and in the other one, and asks about the
/// last line as a path. The answer must be the same when asked twice.
pub(crate) fn replay(bytes: &[u8]) {
    let cut = bytes.iter().rposition(|&b| b == b'\n').unwrap_or(0);
    let (text, path) = bytes.split_at(cut);
    let path = path.strip_prefix(b"\n").unwrap_or(path);
    let name_at = path.iter().rposition(|&b| b == b'/').map_or(0, |at| at + 1);
    let (dir, name) = (&path[..name_at.saturating_sub(1)], &path[name_at..]);
    for file in [&b".gitignore"[..], b".ignore"] {
        let mut settings = RuleSettings::none(PathBuf::from("/"));
        settings.vcs = true;
        settings.dot_ignore = true;
        settings.parents = false;
        settings.require_git = false;
        let Ok((rules, _)) = Rules::new(settings) else {
            return;
        };
        let mut present = RuleFiles::default();
        rules.note(&mut present, file);
        let node = rules.root(Path::new("/"), present, &Everywhere(text));
        let mut scratch = Scratch::default();
        for is_dir in [false, true] {
            let once = node.is_ignored(dir, name, is_dir, &mut scratch);
            assert_eq!(once, node.is_ignored(dir, name, is_dir, &mut scratch));
        }
    }
}
