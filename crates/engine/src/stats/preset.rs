//! Questions that many people ask, by name.

use super::metric::Metric::{self, Allocated, Average, Count, Max, Newest, Oldest, Size, Waste};

/// A question with a name.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// What it tells.
    pub help: &'static str,
    pub(super) parts: &'static [Part],
}

/// One table of a preset.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) name: &'static str,
    /// A query that narrows the user's.
    pub(super) filter: &'static str,
    pub(super) what: What,
    pub(super) metrics: &'static [Metric],
    /// How many rows there are, unless the user says so; 0: all.
    pub(super) top: usize,
    pub(super) sort: Option<&'static str>,
}

/// What a part shows.
#[derive(Clone, Copy, Debug)]
pub(super) enum What {
    /// One line for everything.
    Total,
    /// Buckets; those of what has none are shown too.
    By(&'static str),
    /// Buckets in order, without gaps.
    Histogram(&'static str),
    /// The largest entries.
    Largest,
    /// Sums of queries with names.
    Queries(&'static [(&'static str, &'static str)]),
    /// Files of equal size.
    EqualSizes,
}

const fn part(name: &'static str, filter: &'static str, what: What) -> Part {
    Part {
        name,
        filter,
        what,
        metrics: &[Count, Size],
        top: 0,
        sort: None,
    }
}

const fn with(part: Part, metrics: &'static [Metric]) -> Part {
    Part { metrics, ..part }
}

const fn top(part: Part, top: usize) -> Part {
    Part { top, ..part }
}

const DISK: &[Metric] = &[Count, Size, Allocated, Waste];
const FILES: &str = "type:file";

/// Every preset.
pub static PRESETS: &[Preset] = &[
    Preset {
        name: "overview",
        help: "totals, kinds, categories, sizes, ages, owners, the largest files",
        parts: &[
            with(
                part("total", "", What::Total),
                &[Count, Size, Allocated, Waste, Oldest, Newest],
            ),
            part("type", "", What::By("type")),
            part("category", FILES, What::By("category")),
            part("size", FILES, What::Histogram("size")),
            part("age", FILES, What::Histogram("age")),
            top(part("owner", "", What::By("owner")), 5),
            top(part("largest", FILES, What::Largest), 10),
        ],
    },
    Preset {
        name: "by-type",
        help: "kinds of entries",
        parts: &[with(part("type", "", What::By("type")), DISK)],
    },
    Preset {
        name: "by-extension",
        help: "files by extension",
        parts: &[top(
            with(part("ext", FILES, What::By("ext")), &[Count, Size, Average]),
            25,
        )],
    },
    Preset {
        name: "by-owner",
        help: "entries by owning user",
        parts: &[with(part("owner", "", What::By("owner")), DISK)],
    },
    Preset {
        name: "by-size",
        help: "files by size, in powers of ten",
        parts: &[with(part("size", FILES, What::Histogram("size:10")), DISK)],
    },
    Preset {
        name: "by-age",
        help: "files by the time since their last change",
        parts: &[part("age", FILES, What::Histogram("age"))],
    },
    Preset {
        name: "storage",
        help: "where disk space goes, and where it is lost",
        parts: &[
            with(part("root", "", What::By("root")), DISK),
            with(part("category", FILES, What::By("category")), DISK),
            with(part("size", FILES, What::Histogram("size")), DISK),
            with(
                part(
                    "special",
                    "",
                    What::Queries(&[
                        ("sparse files", "type:file is:sparse"),
                        ("files with several hard links", "type:file links>1"),
                        (
                            "files that take twice their size or more",
                            "type:file bulkiness>=2",
                        ),
                        ("empty files", "type:file empty:"),
                    ]),
                ),
                DISK,
            ),
        ],
    },
    Preset {
        name: "activity",
        help: "what was changed when: by day, by month, by year",
        parts: &[
            part("day", "type:file modified:14d", What::Histogram("day")),
            part("month", "type:file modified:12mo", What::Histogram("month")),
            part("year", FILES, What::Histogram("year")),
        ],
    },
    Preset {
        name: "top-folders",
        help: "folders by all that lies below them, and by what lies directly in them",
        parts: &[
            top(with(part("dir", "", What::By("dir")), DISK), 20),
            top(with(part("parent", "", What::By("parent")), DISK), 20),
        ],
    },
    Preset {
        name: "largest",
        help: "the largest files",
        parts: &[top(part("largest", FILES, What::Largest), 25)],
    },
    Preset {
        name: "cleanup",
        help: "what may no longer be needed",
        parts: &[
            with(
                part(
                    "candidates",
                    "",
                    What::Queries(&[
                        ("caches and temporary files", "category:caches"),
                        ("logs", "category:logs"),
                        (
                            "archives not changed for a year",
                            "category:archives age>1y",
                        ),
                        (
                            "disk images not changed for a year",
                            "category:disk-images age>1y",
                        ),
                        (
                            "over 100 MB, not changed for two years",
                            "type:file size>100mb age>2y",
                        ),
                        ("empty files", "type:file empty:"),
                        ("empty folders", "type:dir empty:"),
                    ]),
                ),
                &[Count, Size, Allocated],
            ),
            top(
                part(
                    "large and old",
                    "type:file size>100mb age>2y",
                    What::Largest,
                ),
                10,
            ),
        ],
    },
    Preset {
        name: "media",
        help: "pictures, videos and music",
        parts: &[
            with(
                part("category", MEDIA, What::By("category")),
                &[Count, Size, Average, Max],
            ),
            top(part("ext", MEDIA, What::By("ext")), 20),
            part("year", MEDIA, What::Histogram("year")),
        ],
    },
    Preset {
        name: "duplicates",
        help: "files of equal size, which may be copies; --duplicates=content reads them",
        parts: &[top(part("duplicates", "", What::EqualSizes), 25)],
    },
];

const MEDIA: &str = "category:pictures;videos;music";

/// The preset with this name.
pub fn find(name: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.name == name)
}
