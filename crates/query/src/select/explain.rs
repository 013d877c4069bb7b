//! What was done to answer a query: the steps, how much each looked at, how long it took.

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::bits::{self, Mask};
use crate::bound::{How, NumberField, Test, TextField, TextTest, TimeField};

/// The time since some moment in the past; only differences count.
pub type Clock<'c> = dyn Fn() -> Duration + Sync + 'c;

/// How a query was answered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explain {
    /// The steps in the order in which they were prepared.
    pub steps: Vec<Step>,
    /// Entries that were asked one by one, because no column tells all of them: the root, and what
    /// has changed since the segment was written.
    pub singly: u64,
    /// From the beginning to the end.
    pub time: Duration,
}

/// One test of a query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// The test.
    pub what: String,
    /// Time to prepare it: to look names up, to scan the dictionary.
    pub preparation: Duration,
    /// Rows that were looked at; those of a list are not.
    pub rows: u64,
    /// Rows that were left of these.
    pub kept: u64,
    /// Time to look at them, over all threads.
    pub time: Duration,
}

/// The number of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StepId(usize);

/// The steps while they are made and done.
pub(crate) struct Steps<'c> {
    clock: &'c Clock<'c>,
    /// Whether rows and times are counted.
    counts: bool,
    begun: Duration,
    list: Vec<Counters>,
}

struct Counters {
    what: String,
    begun: Duration,
    preparation: Duration,
    rows: AtomicU64,
    kept: AtomicU64,
    nanoseconds: AtomicU64,
}

impl<'c> Steps<'c> {
    pub(crate) fn new(clock: &'c Clock<'c>, counts: bool) -> Steps<'c> {
        Steps {
            clock,
            counts,
            begun: clock(),
            list: Vec::new(),
        }
    }

    /// A new step, whose preparation begins now.
    pub(crate) fn begin(&mut self, what: String) -> StepId {
        self.list.push(Counters {
            what,
            begun: (self.clock)(),
            preparation: Duration::ZERO,
            rows: AtomicU64::new(0),
            kept: AtomicU64::new(0),
            nanoseconds: AtomicU64::new(0),
        });
        StepId(self.list.len() - 1)
    }

    /// The preparation has ended.
    pub(crate) fn prepared(&mut self, step: StepId) {
        let now = (self.clock)();
        if let Some(counters) = self.list.get_mut(step.0) {
            counters.preparation = now.saturating_sub(counters.begun);
        }
    }

    /// What is to be handed to [`Steps::did`]: the time, and how many rows there are. Nothing is
    /// counted for who does not want to know.
    pub(crate) fn before(&self, mask: &Mask) -> Option<(Duration, u32)> {
        self.counts.then(|| ((self.clock)(), bits::count(mask)))
    }

    /// A step has looked at some rows; those in `mask` are left.
    pub(crate) fn did(&self, step: StepId, before: Option<(Duration, u32)>, mask: &Mask) {
        let Some((counters, (begun, rows))) = self.list.get(step.0).zip(before) else {
            return;
        };
        let took = (self.clock)().saturating_sub(begun).as_nanos();
        let took = u64::try_from(took).unwrap_or(u64::MAX);
        let kept = bits::count(mask);
        counters.rows.fetch_add(rows.into(), Ordering::Relaxed);
        counters.kept.fetch_add(kept.into(), Ordering::Relaxed);
        counters.nanoseconds.fetch_add(took, Ordering::Relaxed);
    }

    /// What was done.
    pub(crate) fn explain(self, singly: u64) -> Explain {
        let step = |counters: Counters| Step {
            what: counters.what,
            preparation: counters.preparation,
            rows: counters.rows.into_inner(),
            kept: counters.kept.into_inner(),
            time: Duration::from_nanos(counters.nanoseconds.into_inner()),
        };
        Explain {
            time: (self.clock)().saturating_sub(self.begun),
            steps: self.list.into_iter().map(step).collect(),
            singly,
        }
    }
}

/// A test in words.
pub(crate) fn describe(test: &Test, want: bool) -> String {
    let mut text = if want {
        String::new()
    } else {
        "not ".to_owned()
    };
    match test {
        Test::Text(field, test) => text.push_str(&describe_text(*field, test)),
        Test::Extension(extensions) => {
            let _ = write!(text, "extension is {}", extensions.texts().join(", "));
        }
        Test::Kind(kinds) => {
            let kinds: Vec<&str> = kinds.iter().map(|kind| kind.word()).collect();
            let _ = write!(text, "type is {}", kinds.join(", "));
        }
        Test::Under(directory) => {
            let _ = write!(text, "below {}", directory.escape_ascii());
        }
        Test::Number(field, ranges) => {
            let ranges: Vec<String> = ranges.iter().map(describe_range).collect();
            let _ = write!(text, "{} is {}", number_word(*field), ranges.join(" or "));
        }
        Test::Bulkiness(_) => text.push_str("bulkiness"),
        Test::Time(field, _) => text.push_str(time_word(*field)),
        Test::Perm(_) => text.push_str("permissions"),
        Test::Flag(flag) => {
            let _ = write!(text, "is {}", flag.name());
        }
        Test::Missing(field) => {
            let _ = write!(text, "has no {}", field.info().name);
        }
        Test::Unknown(flag) => {
            let _ = write!(text, "nobody knows whether it is {}", flag.name());
        }
    }
    text
}

fn describe_text(field: TextField, test: &TextTest) -> String {
    let field = match field {
        TextField::Name => "name",
        TextField::Stem => "stem",
        TextField::Extension => "extension",
        TextField::Path => "path",
        TextField::Parent => "parent",
        TextField::Root => "root",
        TextField::Volume => "volume",
        TextField::Stream => "stream",
    };
    let how = match test.how {
        How::Contains => "contains",
        How::Equals => "is",
        How::Starts => "starts with",
        How::Ends => "ends with",
        How::Word => "has the word",
        How::Tail => "ends in",
        How::Glob => "matches the glob",
        How::Regex => "matches the regex",
    };
    let case = if test.ignore_case {
        ""
    } else {
        ", case told apart"
    };
    format!("{field} {how} `{}`{case}", test.text.escape_ascii())
}

fn describe_range(range: &std::ops::RangeInclusive<u64>) -> String {
    match (*range.start(), *range.end()) {
        (start, end) if start == end => start.to_string(),
        (0, end) => format!("at most {end}"),
        (start, u64::MAX) => format!("at least {start}"),
        (start, end) => format!("{start} to {end}"),
    }
}

fn number_word(field: NumberField) -> &'static str {
    match field {
        NumberField::Size => "size",
        NumberField::Allocated => "allocated",
        NumberField::Uid => "user",
        NumberField::Gid => "group",
        NumberField::Links => "links",
        NumberField::Inode => "inode",
        NumberField::Depth => "depth",
        NumberField::Items => "items",
        NumberField::Files => "files",
        NumberField::Dirs => "dirs",
        NumberField::NameLength => "name-length",
        NumberField::PathLength => "path-length",
        NumberField::TreeItems => "tree-items",
        NumberField::TreeSize => "tree-size",
        NumberField::TreeAllocated => "tree-allocated",
    }
}

fn time_word(field: TimeField) -> &'static str {
    match field {
        TimeField::Modified => "modified",
        TimeField::Created => "created",
        TimeField::Accessed => "accessed",
        TimeField::Changed => "changed",
    }
}
