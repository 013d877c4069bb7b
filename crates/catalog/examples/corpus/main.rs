#![forbid(unsafe_code)]
//! Makes a catalog of any number of rows from a seed, without a disk that has such a tree.
//!
//! `cargo xtask corpus catalog` runs this. What is made is told in `docs/bench/corpus.md`.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program of its own, which ships nothing"
)]

// The parts that generated trees on a disk and generated catalogs share.
#[allow(dead_code, reason = "a tree on a disk needs more of it")]
#[path = "../../../../xtask/src/corpus/names.rs"]
mod names;
#[path = "../../../../xtask/src/corpus/rng.rs"]
#[allow(dead_code, reason = "a tree on a disk needs more of it")]
mod rng;
#[path = "../../../../xtask/src/corpus/shares.rs"]
mod shares;

mod naming;
mod nodes;
mod shape;
mod tree;

use std::path::Path;
use std::process::ExitCode;

use groma_base::{CancelToken, Timestamp};
use groma_catalog::{About, CatalogWriter, Sealed, Volume};

const USAGE: &str = "usage: corpus ROWS SEED ROOT DIR";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match run(&words) {
        Ok(sealed) => {
            println!(
                "{} rows, {} distinct names, {} bytes",
                sealed.rows, sealed.names, sealed.length
            );
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("corpus: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(words: &[String]) -> Result<Sealed, Box<dyn std::error::Error>> {
    let [rows, seed, root, dir] = words else {
        return Err(USAGE.into());
    };
    let rows = rows
        .parse()
        .map_err(|_| format!("expected a number of rows, found `{rows}`"))?;
    let seed = seed
        .parse()
        .map_err(|_| format!("expected a seed, found `{seed}`"))?;
    if rows == 0 || !root.starts_with('/') {
        return Err("expected one row or more, and an absolute path as the root".into());
    }
    let mut writer = CatalogWriter::open(Path::new(dir))?;
    let builder = tree::build(rows, seed)?;
    let (key, about) = (root.as_bytes(), about(root));
    Ok(writer.publish(key, &about, 0, builder, volume, &CancelToken::new())?)
}

/// The same for every run of a seed: no clock is asked.
fn about(root: &str) -> About {
    let trimmed = root.trim_end_matches('/');
    About {
        root: if trimmed.is_empty() { "/" } else { trimmed }.into(),
        source: b"walk".to_vec(),
        begun: Timestamp::from_seconds(nodes::NOW),
        ended: Timestamp::from_seconds(nodes::NOW + 60),
    }
}

fn volume(device: u64) -> Volume {
    let mut file_system = [0; 16];
    file_system[..4].copy_from_slice(b"ext4");
    Volume {
        device,
        subvolume: 0,
        uuid: [7; 16],
        file_system,
    }
}
