//! Filters by type and by extension: several of these add up instead of narrowing.

use groma_base::Kind;
use groma_engine::find::{Filter, KindSet};
use groma_query::pattern::Extensions;

use super::Filters;

impl Filters<'_> {
    /// Types add up, `executable` and `empty` narrow.
    pub(super) fn types(&mut self) {
        let (negated, wanted): (Vec<_>, Vec<_>) = self
            .values::<String>("type")
            .into_iter()
            .partition(|(_, negated)| *negated);
        for (name, _) in negated {
            let filter = match name.as_str() {
                "executable" | "x" => Filter::Executable(KindSet::default().with(Kind::File)),
                "empty" | "e" => Filter::Empty,
                name => Filter::Kinds(KindSet::default().with(kind(name))),
            };
            self.push(filter, true);
        }
        let mut kinds = KindSet::default();
        let (mut executable, mut empty) = (false, false);
        for (name, _) in &wanted {
            match name.as_str() {
                "executable" | "x" => {
                    executable = true;
                    kinds = kinds.with(Kind::File);
                }
                "empty" | "e" => empty = true,
                name => kinds = kinds.with(kind(name)),
            }
        }
        if empty && !kinds.contains(Kind::File) && !kinds.contains(Kind::Dir) {
            kinds = kinds.with(Kind::File).with(Kind::Dir);
        }
        if !wanted.is_empty() {
            self.push(Filter::Kinds(kinds), false);
        }
        for (asked, filter) in [
            (executable, Filter::Executable(kinds)),
            (empty, Filter::Empty),
        ] {
            if asked {
                self.push(filter, false);
            }
        }
    }

    pub(super) fn extensions(&mut self) {
        let (negated, wanted): (Vec<_>, Vec<_>) = self
            .values::<String>("extension")
            .into_iter()
            .partition(|(_, negated)| *negated);
        for (extension, _) in negated {
            self.push(Filter::Extension(Extensions::new([extension])), true);
        }
        if !wanted.is_empty() {
            let extensions = Extensions::new(wanted.into_iter().map(|(extension, _)| extension));
            self.push(Filter::Extension(extensions), false);
        }
    }
}

fn kind(name: &str) -> Kind {
    match name {
        "file" | "f" => Kind::File,
        "directory" | "dir" | "d" => Kind::Dir,
        "symlink" | "l" => Kind::Symlink,
        "block-device" | "b" => Kind::BlockDevice,
        "char-device" | "c" => Kind::CharDevice,
        "socket" | "s" => Kind::Socket,
        "pipe" | "p" => Kind::Fifo,
        _ => Kind::Unknown,
    }
}
