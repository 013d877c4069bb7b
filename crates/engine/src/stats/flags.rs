//! Which entries have which flags, as the queries of the flags find them.

use groma_catalog::View;
use groma_query::bound::{Expr, Test};
use groma_query::flags::{FLAGS, Flag};
use groma_query::select::{Run, SelectError, Selection, select};

/// Sets of entries, each with the bit that it adds to the codes of its entries. Codes are small:
/// only sets that are not empty have one.
#[derive(Debug, Default)]
pub(super) struct FlagSets {
    /// Each set stands for this number: that of a flag in [`FLAGS`], or 0 for no and 1 for yes.
    sets: Vec<(u64, Selection)>,
}

impl FlagSets {
    /// Entries that have a flag, and those that have not.
    pub(super) fn of(flag: Flag, view: &View, run: &Run) -> Result<FlagSets, SelectError> {
        let yes = Expr::Test(Test::Flag(flag));
        let no = Expr::Not(Box::new(yes.clone()));
        FlagSets::selected([no, yes], view, run)
    }

    /// The entries of each flag.
    pub(super) fn of_all(view: &View, run: &Run) -> Result<FlagSets, SelectError> {
        let tests = FLAGS.iter().map(|row| Expr::Test(Test::Flag(row.flag)));
        FlagSets::selected(tests, view, run)
    }

    fn selected(
        tests: impl IntoIterator<Item = Expr>,
        view: &View,
        run: &Run,
    ) -> Result<FlagSets, SelectError> {
        let mut sets = Vec::new();
        for (number, test) in (0..).zip(tests) {
            let set = select(&test, view, run)?;
            if !set.is_empty() {
                sets.push((number, set));
            }
        }
        Ok(FlagSets { sets })
    }

    /// One more than the largest code.
    pub(super) fn limit(&self) -> u64 {
        1 << self.sets.len()
    }

    /// The code of an entry: a bit for each set that it is in.
    #[inline]
    pub(super) fn code(&self, id: u32) -> u64 {
        let bits = self.sets.iter().enumerate();
        let bits = bits.map(|(at, (_, set))| u64::from(set.contains(id)) << at);
        bits.fold(0, |code, bit| code | bit)
    }

    /// The numbers of the sets of a code, a bit each.
    pub(super) fn numbers(&self, code: u64) -> u64 {
        let sets = self.sets.iter().enumerate();
        let held = sets.filter(|(at, _)| code >> at & 1 == 1);
        held.fold(0, |numbers, (_, (number, _))| numbers | 1 << number)
    }
}
