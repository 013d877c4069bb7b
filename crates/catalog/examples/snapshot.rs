#![forbid(unsafe_code)]
//! Measures snapshots: what each section of a segment's snapshot takes, how long it takes to write
//! it, and to open it up to the first frame of a map.

#![allow(clippy::print_stdout, reason = "it is a program that prints a table")]

use std::error::Error;
use std::time::{Duration, Instant};

use groma_base::CancelToken;
use groma_catalog::{Damage, Kept, Segment, Snapshot, Times, View, write_snapshot};

/// How often a snapshot is opened; the quickest time counts.
const ROUNDS: usize = 15;

/// `snapshot SEGMENT [THREADS]`
fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args_os().skip(1);
    let path = args.next().ok_or("expected the file of a segment")?;
    let threads = match args.next() {
        Some(threads) => threads.to_string_lossy().parse()?,
        None => 2,
    };
    let segment = Segment::from_bytes(std::fs::read(path)?)?;
    for times in [Times::Modified, Times::All] {
        measure(&segment, times, threads)?;
    }
    Ok(())
}

fn measure(segment: &Segment, times: Times, threads: usize) -> Result<(), Box<dyn Error>> {
    let kept = Kept {
        times,
        ..Kept::default()
    };
    let cancel = CancelToken::new();
    let (mut file, start) = (Vec::new(), Instant::now());
    write_snapshot(segment, &kept, threads, &mut file, &cancel)?;
    let written = start.elapsed();
    let rows = f64::from(segment.rows());
    let per_row = file.len() as f64 / rows;
    println!("{times:?}: {per_row:.2} bytes per row, written in {written:.0?}");
    let snapshot = Snapshot::from_bytes(file.clone())?;
    for (id, stored, expanded) in snapshot.stored_lengths() {
        let (stored, expanded) = (stored as f64 / rows, expanded as f64 / rows);
        println!("  {:16} {stored:6.3} of {expanded:6.3}", id.word());
    }
    let mut best = [Duration::MAX; 3];
    for _ in 0..ROUNDS {
        let bytes = file.clone();
        let start = Instant::now();
        let snapshot = Snapshot::prepared(bytes)?;
        best[0] = best[0].min(start.elapsed());
        frame(&snapshot.view()?)?;
        best[1] = best[1].min(start.elapsed());
        snapshot.expand(&cancel)?;
        best[2] = best[2].min(start.elapsed());
    }
    println!(
        "  opened {:.1?}, first frame {:.1?}, all {:.1?}",
        best[0], best[1], best[2]
    );
    Ok(())
}

/// What a map shows first: names and totals down to two levels.
fn frame(view: &View) -> Result<u64, Damage> {
    let (mut sum, mut name) = (0u64, Vec::new());
    for child in view.children(0)? {
        for id in std::iter::once(child).chain(view.children(child)?) {
            name.clear();
            view.append_name(id, &mut name)?;
            let size = view.totals(id)?.map_or(0, |totals| totals.below.size);
            sum = sum.wrapping_add(size).wrapping_add(name.len() as u64);
        }
    }
    Ok(sum)
}
