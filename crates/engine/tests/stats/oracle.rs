//! The same numbers worked out entry by entry, from facts and paths alone.

use std::collections::{BTreeMap, HashMap};

use groma_base::time::TimeZone;
use groma_base::{
    Facts, Kind, Metadata, Timestamp, compare_paths, extension, folded, parent, stem,
};
use groma_catalog::StoredEntry;
use groma_engine::catalogs::OpenRoot;
use groma_engine::stats::Sums;
use groma_query::bind::bind;
use groma_query::bound::{Expr, Test};
use groma_query::flags::{FLAGS, FlagInfo};
use groma_query::groups::Categories;
use groma_query::syntax::parse;

use super::model::context;

/// What an oracle knows of an entry.
pub(crate) struct Entry {
    path: Vec<u8>,
    root: Vec<u8>,
    name: Vec<u8>,
    kind: Kind,
    depth: usize,
    metadata: Option<Metadata>,
    is_empty: Option<bool>,
    volume: Option<Vec<u8>>,
    /// Bytes on disk of the subtree.
    below: Option<u64>,
    /// The answers of all flags, in the order of [`FLAGS`].
    flags: Vec<Option<bool>>,
}

pub(crate) type Label = Option<Vec<u8>>;

pub(crate) fn expr(query: &str) -> Expr {
    let query = parse(query).unwrap_or_else(|errors| panic!("{errors}"));
    bind(&query, &context()).unwrap_or_else(|errors| panic!("{errors}"))
}

fn flags(entry: &StoredEntry<'_>) -> Vec<Option<bool>> {
    let answer = |row: &FlagInfo| Expr::Test(Test::Flag(row.flag)).evaluate(entry);
    FLAGS.iter().map(answer).collect()
}

/// The entries of all roots that match, asked one by one.
pub(crate) fn matching(roots: &[OpenRoot], query: &str) -> Vec<Entry> {
    let expr = expr(query);
    let mut entries = Vec::new();
    for root in roots {
        let view = &root.view;
        for id in (0..view.ids()).filter(|&id| view.place(id).is_some()) {
            let entry = StoredEntry::new(view, id).unwrap();
            if expr.matches(&entry) {
                entries.push(Entry {
                    path: entry.absolute_path().into_owned(),
                    root: view.root().to_vec(),
                    name: entry.name().to_vec(),
                    kind: entry.kind(),
                    depth: entry.depth() as usize,
                    metadata: entry.metadata().cloned(),
                    is_empty: entry.is_empty(),
                    volume: entry.volume().map(|words| words.into_owned()),
                    below: entry.subtree_totals().map(|totals| totals.allocated),
                    flags: flags(&entry),
                });
            }
        }
    }
    entries
}

/// Fields that an oracle can group by.
pub(crate) const FIELDS: &[&str] = &[
    "ext",
    "category",
    "type",
    "owner",
    "gid",
    "root",
    "dir",
    "dir:2",
    "parent",
    "name",
    "stem",
    "volume",
    "depth",
    "year",
    "month",
    "day",
    "size",
    "size:2",
    "size:1k",
    "allocated",
    "perm",
    "links",
    "hidden",
    "empty",
    "inode:100",
    "created:year",
    "name-length",
    "bulkiness",
    "is",
    "is:readonly",
    "is:compressed",
    "tree-allocated",
];

/// A time as a date; what the calendar cannot say is in the first or the last period whose start it
/// can.
fn date(at: Option<Timestamp>, format: &str) -> Label {
    let at = at?;
    let text = match (at.to_zoned(&TimeZone::UTC), format, at.seconds < 0) {
        (Some(zoned), ..) => zoned.strftime(format).to_string(),
        (None, "%Y", true) => "-9999".to_owned(),
        (None, "%Y", false) => "9999".to_owned(),
        (None, "%Y-%m", true) => "-9999-01".to_owned(),
        (None, "%Y-%m", false) => "9999-12".to_owned(),
        (None, _, true) => "-9999-01-02".to_owned(),
        (None, _, false) => "9999-12-30".to_owned(),
    };
    Some(text.into_bytes())
}

/// The buckets that an entry is in: several for flags, one for everything else.
pub(crate) fn labels(field: &str, entry: &Entry) -> Vec<Label> {
    if field != "is" {
        return vec![label(field, entry)];
    }
    let flags = FLAGS.iter().zip(&entry.flags);
    let set = flags.filter(|(_, answer)| **answer == Some(true));
    let labels: Vec<Label> = set.map(|(row, _)| Some(row.name.into())).collect();
    match labels.is_empty() {
        true => vec![None],
        false => labels,
    }
}

fn label(field: &str, entry: &Entry) -> Label {
    let text = |text: String| Some(text.into_bytes());
    let metadata = entry.metadata.as_ref();
    let modified = metadata.map(|m| m.modified);
    match field {
        "ext" => extension(&entry.name).map(folded),
        "category" => {
            let extension = extension(&entry.name).map(folded).unwrap_or_default();
            let categories = Categories::new(&[]);
            let name = categories.name(categories.of(&extension));
            (entry.kind == Kind::File).then(|| name.as_bytes().to_vec())
        }
        "type" => (entry.kind != Kind::Unknown).then(|| entry.kind.word().as_bytes().to_vec()),
        "owner" => {
            let name = |uid: u32| groma_sys::user_name(uid).unwrap_or_else(|| uid.to_string());
            metadata.and_then(|m| text(name(m.uid)))
        }
        "gid" => metadata.and_then(|m| text(m.gid.to_string())),
        "root" => Some(entry.root.clone()),
        "dir" => folder(entry, 1),
        "dir:2" => folder(entry, 2),
        "parent" => Some(parent(&entry.path).to_vec()),
        "name" => Some(entry.name.clone()),
        "stem" => Some(stem(&entry.name).to_vec()),
        "volume" => entry.volume.clone(),
        "is:readonly" | "is:compressed" => {
            let at = FLAGS.iter().position(|row| field.ends_with(row.name));
            let answer = entry.flags[at.unwrap()]?;
            text(if answer { "yes" } else { "no" }.to_owned())
        }
        "bulkiness" => metadata.and_then(bulk),
        "tree-allocated" => text(ten(entry.below?).to_owned()),
        "depth" => text(entry.depth.to_string()),
        "year" => date(modified, "%Y"),
        "month" => date(modified, "%Y-%m"),
        "day" => date(modified, "%Y-%m-%d"),
        "created:year" => date(metadata.and_then(|m| m.created), "%Y"),
        "size" => metadata.and_then(|m| text(ten(m.size).to_owned())),
        "allocated" => metadata.and_then(|m| text(ten(m.allocated).to_owned())),
        "size:2" => metadata.and_then(|m| text(two(m.size))),
        "size:1k" => metadata.and_then(|m| text(thousand(m.size))),
        "perm" => metadata.and_then(|m| text(format!("{:04o}", m.mode & 0o7777))),
        "links" => metadata.and_then(|m| text(m.links.to_string())),
        "inode:100" => metadata.and_then(|m| {
            let start = m.id.inode / 100 * 100;
            text(format!("{start}-{}", start + 99))
        }),
        "hidden" => text(
            if entry.name.starts_with(b".") {
                "yes"
            } else {
                "no"
            }
            .to_owned(),
        ),
        "empty" => entry
            .is_empty
            .and_then(|yes| text(if yes { "yes" } else { "no" }.to_owned())),
        "name-length" => {
            let valid: usize = entry
                .name
                .utf8_chunks()
                .map(|chunk| chunk.valid().chars().count() + chunk.invalid().len())
                .sum();
            text(valid.to_string())
        }
        other => panic!("{other}"),
    }
}

/// The folder at most `levels` below the root that an entry lies in, from its path.
fn folder(entry: &Entry, levels: usize) -> Label {
    let deepest = entry.depth.checked_sub(1)?;
    let mut path = entry.path.clone();
    for _ in deepest.min(levels)..entry.depth {
        path = parent(&path).to_vec();
    }
    if deepest < levels && path != b"/" {
        path.push(b'/');
    }
    Some(path)
}

/// Bulkiness in whole numbers, where the parts of a thousand tell it.
fn bulk(metadata: &Metadata) -> Label {
    let (size, allocated) = (u128::from(metadata.size), u128::from(metadata.allocated));
    if size == 0 {
        return None;
    }
    let name = match allocated * 1000 {
        0 => "0",
        parts if parts < size * 500 => "under 0.5",
        parts if parts < size * 900 => "0.5-0.9",
        parts if parts < size * 1100 => "0.9-1.1",
        parts if parts < size * 2000 => "1.1-2",
        parts if parts < size * 10_000 => "2-10",
        parts if parts < size * 100_000 => "10-100",
        parts if parts < size * 1_000_000 => "100-1000",
        _ => "1000 and more",
    };
    Some(name.into())
}

fn ten(size: u64) -> &'static str {
    const NAMES: [&str; 21] = [
        "0", "1-10", "10-100", "100-1k", "1k-10k", "10k-100k", "100k-1m", "1m-10m", "10m-100m",
        "100m-1g", "1g-10g", "10g-100g", "100g-1t", "1t-10t", "10t-100t", "100t-1p", "1p-10p",
        "10p-100p", "100p-1e", "1e-10e", "10e-",
    ];
    match size {
        0 => NAMES[0],
        size => NAMES[size.to_string().len()],
    }
}

fn two(size: u64) -> String {
    let short = |value: u128| {
        let units = ["", "ki", "mi", "gi", "ti", "pi", "ei"];
        let power = (value.trailing_zeros() / 10) as usize;
        format!("{}{}", value >> (power * 10), units[power])
    };
    if size < 2 {
        return size.to_string();
    }
    let mut start = 1_u128;
    while start * 2 <= u128::from(size) {
        start *= 2;
    }
    match start {
        start if start == 1 << 63 => "8ei-".to_owned(),
        start => format!("{}-{}", short(start), short(start * 2)),
    }
}

fn thousand(size: u64) -> String {
    let short = |value: u128| {
        let units = ["", "k", "m", "g", "t", "p", "e"];
        let mut power = 0;
        let mut rest = value;
        while rest > 0 && rest.is_multiple_of(1000) && power < 6 {
            rest /= 1000;
            power += 1;
        }
        format!("{rest}{}", units[power])
    };
    let start = u128::from(size / 1000 * 1000);
    match start + 1000 > u128::from(u64::MAX) {
        true => format!("{}-", short(start)),
        false => format!("{}-{}", short(start), short(start + 1000)),
    }
}

/// Sums of each combination of labels. A node counts at the smallest path of all that match.
pub(crate) fn sums(entries: &[Entry], fields: &[&str]) -> BTreeMap<Vec<Label>, Sums> {
    let mut first: HashMap<u64, &[u8]> = HashMap::new();
    let linked = |entry: &Entry| {
        let metadata = entry.metadata.as_ref()?;
        (metadata.links > 1 && entry.kind != Kind::Dir).then_some(metadata.id.inode)
    };
    for entry in entries {
        if let Some(inode) = linked(entry) {
            let path = first.entry(inode).or_insert(&entry.path);
            if compare_paths(&entry.path, path).is_lt() {
                *path = &entry.path;
            }
        }
    }
    let mut buckets: BTreeMap<Vec<Label>, Sums> = BTreeMap::new();
    for entry in entries {
        let counts_here = linked(entry).is_none_or(|inode| first[&inode] == entry.path);
        for labels in combined(fields, entry) {
            add(buckets.entry(labels).or_default(), entry, counts_here);
        }
    }
    buckets
}

/// All combinations of an entry's labels.
fn combined(fields: &[&str], entry: &Entry) -> Vec<Vec<Label>> {
    let mut all = vec![Vec::new()];
    for field in fields {
        let labels = labels(field, entry);
        let longer = |before: &Vec<Label>| {
            let with = |label: &Label| [before.as_slice(), std::slice::from_ref(label)].concat();
            labels.iter().map(with).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

fn add(bucket: &mut Sums, entry: &Entry, counts_here: bool) {
    bucket.count += 1;
    let Some(metadata) = &entry.metadata else {
        return;
    };
    let modified = metadata.modified;
    bucket.oldest = Some(bucket.oldest.map_or(modified, |at| at.min(modified)));
    bucket.newest = Some(bucket.newest.map_or(modified, |at| at.max(modified)));
    if !counts_here {
        return;
    }
    bucket.nodes += 1;
    bucket.size += u128::from(metadata.size);
    bucket.allocated += u128::from(metadata.allocated);
    bucket.waste += u128::from(metadata.allocated.saturating_sub(metadata.size));
    bucket.min = Some(
        bucket
            .min
            .map_or(metadata.size, |min| min.min(metadata.size)),
    );
    bucket.max = Some(
        bucket
            .max
            .map_or(metadata.size, |max| max.max(metadata.size)),
    );
}
