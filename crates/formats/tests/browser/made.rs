//! Pages of made nodes: large ones from a seed, and one of names that mean harm.

use std::io::{self, Write};

use groma_formats::html::{Category, Meta, Node, Report, Theme, Totals};

/// When the made trees were "read".
const TAKEN: i64 = 1_780_000_000;

/// Colours that tell apart for most eyes, in the order of the groups of the query language.
const CATEGORIES: &[Category<'static>] = &[
    category("pictures", 0x44aa99),
    category("documents", 0xddcc77),
    category("videos", 0xcc6677),
    category("music", 0xaa4499),
    category("archives", 0x999933),
    category("code", 0x88ccee),
    category("executables", 0x882255),
    category("databases", 0x117733),
    category("disk-images", 0x6699cc),
    category("logs", 0xee8866),
    category("other", 0xb4bac2),
];

const fn category(name: &'static str, rgb: u32) -> Category<'static> {
    let [_, red, green, blue] = rgb.to_be_bytes();
    Category {
        name,
        colour: [red, green, blue],
    }
}

/// For each category: an extension, how many of a hundred files have it, and a size that is usual.
const SHAPES: &[(&str, u64, u64)] = &[
    ("jpg", 14, 2_000_000),
    ("pdf", 10, 300_000),
    ("mp4", 1, 40_000_000),
    ("flac", 3, 12_000_000),
    ("tar.gz", 4, 9_000_000),
    ("rs", 40, 9_000),
    ("so", 4, 900_000),
    ("sqlite", 2, 4_000_000),
    ("iso", 1, 30_000_000),
    ("log", 8, 60_000),
    ("dat", 13, 20_000),
];

const WORDS: &[&str] = &[
    "report", "build", "target", "image", "archive", "photos", "notes", "vendor", "src", "cache",
    "invoice", "backup", "résumé", "module", "index", "data", "summer", "draft", "release", "文档",
];

/// A small generator whose numbers are the same everywhere (splitmix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// Any number.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `limit`.
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    /// A size around `usual`: a tenth of it to ten times that, small ones more often.
    fn size(&mut self, usual: u64) -> u64 {
        usual / (1 + self.below(10)) * (1 + self.below(10)) / (1 + self.below(4)) + self.below(999)
    }
}

fn meta<'a>(title: &'a str, nodes: u64) -> Meta<'a> {
    Meta {
        title,
        root: b"/srv/data",
        taken: TAKEN,
        totals: Totals {
            files: nodes,
            ..Totals::default()
        },
        categories: CATEGORIES,
        owners: &[b"alice", b"bob", b"root"],
        theme: Theme::System,
        si: false,
        apparent: false,
        incomplete: false,
    }
}

/// Writes a page of exactly `nodes` nodes.
pub(crate) fn tree<W: Write>(out: W, nodes: u64, seed: u64) -> io::Result<()> {
    let mut random = Random(seed);
    let mut report = Report::begin(out, &meta("Made from a seed", nodes))?;
    report.node(&Node {
        name: b"/srv/data",
        is_dir: true,
        size: 4096,
        allocated: 4096,
        modified: Some(TAKEN),
        ..Node::default()
    })?;
    let mut depth = 1;
    // Directories have their favourites: neighbours are of one kind mostly.
    let mut kind = 5;
    for number in 1..nodes {
        let roll = random.below(100);
        if roll < 9 && depth < 12 {
            directory(&mut report, &mut random, depth, number)?;
            depth += 1;
            kind = pick(&mut random);
            continue;
        }
        let shape = if random.below(4) == 0 {
            pick(&mut random)
        } else {
            kind
        };
        file(&mut report, &mut random, depth, number, shape)?;
        let up = random.below(100) < 9;
        depth -= u32::from(up && depth > 1);
    }
    report.end()?.flush()
}

fn pick(random: &mut Random) -> usize {
    let mut roll = random.below(100);
    SHAPES
        .iter()
        .position(|&(_, share, _)| {
            let hit = roll < share;
            roll = roll.saturating_sub(share);
            hit
        })
        .unwrap_or(SHAPES.len() - 1)
}

fn word(random: &mut Random) -> &'static str {
    WORDS[usize::try_from(random.below(WORDS.len() as u64)).unwrap_or(0)]
}

fn directory<W: Write>(
    report: &mut Report<W>,
    random: &mut Random,
    depth: u32,
    number: u64,
) -> io::Result<()> {
    let name = format!("{}-{}", word(random), number % 1000);
    report.node(&Node {
        depth,
        name: name.as_bytes(),
        is_dir: true,
        size: 4096,
        allocated: 4096,
        modified: Some(TAKEN - 9999),
        is_error: random.below(2000) == 0,
        ..Node::default()
    })
}

fn file<W: Write>(
    report: &mut Report<W>,
    random: &mut Random,
    depth: u32,
    number: u64,
    kind: usize,
) -> io::Result<()> {
    let (extension, _, usual) = SHAPES[kind];
    let size = random.size(usual);
    let name = format!("{}-{number}.{extension}", word(random));
    // A few are sparse, a few are links; the age has a long tail.
    let sparse = random.below(300) == 0;
    let age = random.below(60 * 86_400) * (1 + random.below(40));
    report.node(&Node {
        depth,
        name: name.as_bytes(),
        size,
        allocated: if sparse {
            0
        } else {
            size.next_multiple_of(4096)
        },
        modified: (random.below(500) != 0).then(|| TAKEN - i64::try_from(age).unwrap_or(0)),
        category: u32::try_from(kind).unwrap_or(0),
        owner: u32::try_from(random.below(7).min(2)).unwrap_or(0),
        is_counted_elsewhere: random.below(400) == 0,
        ..Node::default()
    })
}

/// Names that try to run, to break out, to deceive or to confuse.
pub(crate) const HOSTILE: &[&[u8]] = &[
    b"<script>window.__pwned=1</script>",
    b"</script><script>window.__pwned=2</script>",
    b"<img src=x onerror=window.__pwned=3>",
    b"\"><svg onload=window.__pwned=4>",
    b"' onmouseover='window.__pwned=5",
    b"javascript:window.__pwned=6",
    b"{{meta}}{{end}}{{nodes}}${window.__pwned=7}",
    b"<!--<script>",
    b"]]>--!>",
    b"\xe2\x80\xaegnp.exe",
    b"\x1b]0;title\x07\x1b[31mred",
    b"bad\xff\xfename\xc0\xaf",
    b"line\nbreak\r\n\x00end",
    b"\xed\xa0\x80 surrogate",
    b"\xe2\x80\x8bzero\xe2\x81\xa6isolate\xef\xbb\xbf",
    b"\xe2\x80\xa8separator\xf3\xa0\x81\x81tag",
    "שלום עולם".as_bytes(),
    "e\u{301}\u{301}\u{301}\u{301}\u{301}".as_bytes(),
    "👩‍👩‍👧‍👦.txt".as_bytes(),
    b"..",
    b"   ",
    b"__proto__",
    b"constructor",
    b"%3Cscript%3E&lt;b&gt;&amp;",
];

/// Writes a page of [`HOSTILE`] names: as files and as directories; title and owners are hostile too.
pub(crate) fn hostile<W: Write>(out: W) -> io::Result<()> {
    let mut about = meta("</title><script>window.__pwned=8</script>", 1);
    about.root = b"</script><script>window.__pwned=9</script>{{end}}\xff";
    let owner: &[u8] = b"<img src=x onerror=window.__pwned=10>{{script}}";
    about.owners = &[b"alice", b"bob", b"__proto__"];
    let owners = [about.owners, &[owner]].concat();
    about.owners = &owners;
    let mut report = Report::begin(out, &about)?;
    report.node(&Node {
        name: about.root,
        is_dir: true,
        ..Node::default()
    })?;
    let long = b"<b>".repeat(5000);
    let names = HOSTILE.iter().copied().chain([&long[..]]);
    for (at, name) in (0u32..).zip(names) {
        let size = u64::from(at + 1) * 10_000;
        let node = Node {
            depth: 1,
            name,
            size,
            allocated: size.next_multiple_of(4096),
            modified: [None, Some(i64::MAX), Some(i64::MIN), Some(TAKEN)][at as usize % 4],
            category: at % 11,
            owner: at % 4,
            ..Node::default()
        };
        report.node(&node)?;
        report.node(&Node {
            is_dir: true,
            is_error: true,
            ..node
        })?;
        report.node(&Node { depth: 2, ..node })?;
    }
    // More bytes than a page can hold exactly, and an empty directory.
    report.node(&Node {
        depth: 1,
        name: b"huge",
        size: u64::MAX,
        allocated: 0,
        ..Node::default()
    })?;
    report.node(&Node {
        depth: 1,
        name: b"empty",
        is_dir: true,
        ..Node::default()
    })?;
    report.end()?.flush()
}
