//! Queries as they are typed, bound to this machine, this moment and this user.

use groma_base::time::Zoned;
use groma_query::bind::{self, Context, Target};
use groma_query::bound::Expr;
use groma_query::pattern::Case;
use groma_query::syntax::{self, QueryErrors};

use crate::config::ExtensionGroups;

/// What a query means depends on this.
pub(crate) struct Binding<'a> {
    pub(crate) target: Target,
    pub(crate) case: Case,
    pub(crate) now: Zoned,
    pub(crate) groups: &'a ExtensionGroups,
}

impl Binding<'_> {
    /// Parses a query and binds it.
    pub(crate) fn bind(&self, text: &str) -> Result<Expr, QueryErrors> {
        let mut context = Context::new(self.now.clone(), self.target);
        context.case = self.case;
        context.current_directory = std::env::current_dir()
            .ok()
            .map(|path| groma_sys::path_bytes(&path).into_owned());
        context.user = &groma_sys::user_id;
        context.group = &groma_sys::group_id;
        context.extension_groups = self.groups;
        syntax::parse(text).and_then(|query| bind::bind(&query, &context))
    }
}
