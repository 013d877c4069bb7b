//! The HTML report in a browser: pages are written here, and looked at by headless Chromium.

#![allow(clippy::unwrap_used, reason = "a test may end at once")]
#![allow(
    clippy::print_stdout,
    reason = "measured times belong to a test's output"
)]

mod known;
mod made;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use groma_formats::escape::terminal;
use groma_formats::html::{Meta, Node, Report, Theme, Totals};
use groma_treemap::{Rect, Shape};
use tempfile::TempDir;

/// Where the scripts are that drive the browser.
fn scripts() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser")
}

/// Runs a case of a script in `tests/browser`; what it prints goes to the test's output.
fn run(group: &str, case: &str, files: &[&Path]) {
    let scripts = scripts();
    assert!(
        scripts.join("node_modules/playwright-core").is_dir(),
        "expected the driver of the browser installed, found none: `cargo xtask test` installs it, \
         as does `npm ci` in crates/formats/tests/browser"
    );
    let output = Command::new("node")
        .arg(scripts.join("run.mjs"))
        .args([group, case])
        .args(files)
        .output()
        .expect("expected `node` installed");
    let (out, error) = (&output.stdout, &output.stderr);
    println!("{}", String::from_utf8_lossy(out));
    assert!(
        output.status.success(),
        "{group} {case}:\n{}",
        String::from_utf8_lossy(error)
    );
}

/// A page in a directory that vanishes with the test.
struct Page {
    dir: TempDir,
    file: PathBuf,
}

fn page(write: impl FnOnce(File) -> std::io::Result<()>) -> Page {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("report #1 é.html");
    write(File::create(&file).unwrap()).unwrap();
    Page { dir, file }
}

fn use_known(case: &str) {
    let page = page(known::tree);
    run("use", case, &[&page.file]);
}

macro_rules! cases_of_use {
    ($($case:ident),*) => {
        $(#[test]
        fn $case() {
            use_known(stringify!($case));
        })*
    };
}

cases_of_use!(
    loads, zooms, calm, hovers, searches, colours, tabs, sorts, keys, themes, narrow
);

#[test]
fn a_page_that_was_cut_short_says_so() {
    let page = page(known::tree);
    let whole = fs::read_to_string(&page.file).unwrap();
    let begin = whole.find("<script type=\"application/octet").unwrap();
    let end = whole
        .find("<script type=\"application/json\" id=\"end")
        .unwrap();
    assert!(begin < end);
    // In the middle of a block, before the end, and without any block.
    for cut in [
        whole[..begin + 90].to_owned(),
        whole[..end].to_owned(),
        [&whole[..begin], &whole[end..]].concat(),
    ] {
        fs::write(&page.file, cut).unwrap();
        run("use", "truncated", &[&page.file]);
    }
}

#[test]
fn hostile_names_are_shown_and_never_run() {
    let page = page(made::hostile);
    let shown: Vec<String> = made::HOSTILE.iter().map(|name| escaped(name)).collect();
    let expected = page.dir.path().join("expected.json");
    fs::write(&expected, serde_json::to_string(&shown).unwrap()).unwrap();
    run("hostile", "shown", &[&page.file, &expected]);
}

#[test]
fn hostile_names_survive_use() {
    run("hostile", "used", &[&page(made::hostile).file]);
}

#[test]
fn extreme_numbers_arrive() {
    run("hostile", "extremes", &[&page(made::hostile).file]);
}

#[test]
fn the_policy_stops_what_gets_in() {
    run("hostile", "policy", &[&page(made::hostile).file]);
}

#[test]
fn no_text_becomes_html() {
    run("hostile", "trusted", &[&page(made::hostile).file]);
}

#[test]
fn a_million_nodes_load_and_zoom() {
    let page = page(|out| made::tree(out, 1_000_000, 1));
    println!("{} bytes", fs::metadata(&page.file).unwrap().len());
    run("large", "million", &[&page.file]);
}

#[test]
fn a_directory_of_many_files_is_usable() {
    let page = page(|out| flat(out, 200_000));
    run("large", "flat", &[&page.file]);
}

/// One directory of `files` files, the last of them last by name.
fn flat(out: File, files: u32) -> std::io::Result<()> {
    let meta = Meta {
        title: "Flat",
        root: b"flat",
        taken: 0,
        totals: Totals::default(),
        categories: &[],
        owners: &[],
        theme: Theme::Dark,
        si: true,
        apparent: false,
        incomplete: true,
    };
    let other = groma_formats::html::Category {
        name: "other",
        colour: [128; 3],
    };
    let meta = Meta {
        categories: &[other],
        ..meta
    };
    let mut report = Report::begin(out, &meta)?;
    report.node(&Node {
        name: b"flat",
        is_dir: true,
        ..Node::default()
    })?;
    let mut random = made::Random(3);
    for number in 0..files {
        let name = format!("file-{number:06}.dat");
        report.node(&Node {
            depth: 1,
            name: name.as_bytes(),
            size: random.below(1 << 30),
            allocated: random.below(1 << 20),
            modified: Some(i64::try_from(random.below(1 << 31)).unwrap()),
            ..Node::default()
        })?;
    }
    report.end()?;
    Ok(())
}

#[test]
fn names_are_escaped_as_on_a_terminal() {
    let mut random = made::Random(11);
    let mut samples: Vec<Vec<u8>> = made::HOSTILE.iter().map(|name| name.to_vec()).collect();
    // Every character around which rules change, and bytes at random, many of them of UTF-8.
    for code in (0..0x3200).chain(0xD7F0..0xE010).chain(0xFE00..0x10010) {
        samples.extend(char::from_u32(code).map(|c| c.to_string().into_bytes()));
    }
    samples.extend(
        (0xE0000..0xE0200).filter_map(|code| Some(char::from_u32(code)?.to_string().into_bytes())),
    );
    for _ in 0..3000 {
        let length = random.below(7);
        let byte = |random: &mut made::Random| {
            [0x41, 0x80, 0xBF, 0xC3, 0xE0, 0xED, 0xF0, 0xF4, 0x9F, 0xA0][random.below(10) as usize]
        };
        samples.push((0..length).map(|_| byte(&mut random)).collect());
    }
    let samples: Vec<[String; 2]> = samples
        .iter()
        .map(|bytes| [hex(bytes), escaped(bytes)])
        .collect();
    let page = page(known::tree);
    let html = fs::read_to_string(&page.file).unwrap();
    let (_, invisible) = html.split_once("\"invisible\":").unwrap();
    let (invisible, _) = invisible.split_once("}</script").unwrap();
    let file = page.dir.path().join("samples.json");
    let samples = serde_json::to_string(&samples).unwrap();
    fs::write(
        &file,
        format!("{{\"invisible\":{invisible},\"samples\":{samples}}}"),
    )
    .unwrap();
    run("scripts", "names", &[&file]);
}

#[test]
fn names_fold_like_text() {
    run("scripts", "folds", &[]);
}

#[test]
fn rectangles_are_those_of_the_crate() {
    let mut random = made::Random(42);
    let samples: Vec<_> = (0..400).map(|_| division(&mut random)).collect();
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("samples.json");
    fs::write(&file, serde_json::to_string(&samples).unwrap()).unwrap();
    run("scripts", "same", &[&file]);
}

/// A random division, and what the crate `treemap` makes of it; `scripts.mjs` tells the parts.
fn division(random: &mut made::Random) -> serde_json::Value {
    let [width, height] =
        [random.below(1200), random.below(800)].map(|side| side >> random.below(6));
    let (count, bits, offset) = (random.below(120), random.below(20), random.below(2));
    let mut weights: Vec<u64> = (0..count)
        .map(|_| offset + random.below(1 << (1 + bits)) * random.below(1 << (1 + bits / 2)))
        .collect();
    // The crate takes weights in descending order, and so both have the same numbers of items.
    weights.sort_by_key(|&weight| std::cmp::Reverse(weight));
    let least = 1 + random.below(30);
    let narrow = |number: u64| u16::try_from(number).unwrap();
    let area = Rect {
        x: 3,
        y: 5,
        width: narrow(width),
        height: narrow(height),
    };
    let shape = Shape::new(1.0, u32::try_from(least).unwrap()).unwrap();
    let layout = groma_treemap::layout(&weights, None, area, shape);
    let rest = layout.rest.map(|rest| (-1, rest.rect));
    let shared = layout.rest.map_or(0, |rest| weights.len() - rest.first);
    let blocks: Vec<_> = layout
        .blocks
        .iter()
        .map(|block| (i64::try_from(block.item).unwrap(), block.rect))
        .chain(rest)
        .map(|(item, rect)| serde_json::json!([item, rect.x, rect.y, rect.width, rect.height]))
        .collect();
    serde_json::json!([width, height, least, weights, shared, blocks])
}

#[test]
fn rectangles_have_no_gaps_and_no_overlaps() {
    run("scripts", "rectangles", &[]);
}

fn escaped(bytes: &[u8]) -> String {
    let mut out = Vec::new();
    terminal(bytes, &mut out);
    String::from_utf8(out).unwrap()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
