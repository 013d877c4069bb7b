//! Many rows to one place: several threads write them into buffers, one hands these over in order.
//!
//! A buffer is taken before the rows that go into it, and comes back when it was handed over. So
//! there are never more rows on their way than there are buffers for, and whoever holds the next
//! rows in order holds a buffer too: nothing waits for itself.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::{Mutex, PoisonError};

use crossbeam_channel::{Receiver, Sender, bounded};

use super::SearchError;
use super::cutter::{RowRef, Source};
use super::form::{Form, Pen};
use super::render::{Shared, Worker};

/// Rows of one buffer: some 400 KB of CSV.
const ROWS: usize = 3072;
/// So few rows are written sooner than threads are started.
const FEW: u64 = 2048;
/// Buffers for each thread: one that it fills, others that wait to be handed over.
const BUFFERS: usize = 3;

/// Tells the rows of a source, of which there are `about` so many. Answers how many there were.
pub(crate) fn tell(
    form: &Form,
    shared: &Shared<'_, '_>,
    mut source: impl Source,
    about: u64,
    threads: usize,
    out: &mut dyn Write,
) -> Result<u64, SearchError> {
    let mut outlet = Outlet::open(form, out)?;
    if about <= FEW {
        tell_few(form, shared, &mut source, &mut outlet)?;
    } else {
        tell_many(form, shared, source, threads.max(1), &mut outlet)?;
    }
    outlet.close()
}

fn tell_few(
    form: &Form,
    shared: &Shared<'_, '_>,
    source: &mut impl Source,
    outlet: &mut Outlet<'_>,
) -> Result<(), SearchError> {
    let (mut worker, mut pen) = (Worker::new(shared, form.wants()), Pen::new(form));
    let mut batch = Batch::default();
    loop {
        batch.clear();
        source.fill(ROWS, &mut batch.rows);
        if batch.rows.is_empty() {
            return Ok(());
        }
        batch.write(&mut worker, &mut pen)?;
        outlet.hand_over(&batch)?;
    }
}

/// Rows, and the buffer they are written into.
#[derive(Debug, Default)]
struct Batch {
    rows: Vec<RowRef>,
    text: Vec<u8>,
}

impl Batch {
    fn clear(&mut self) {
        self.rows.clear();
        self.text.clear();
    }

    fn write(&mut self, worker: &mut Worker<'_, '_>, pen: &mut Pen<'_>) -> Result<(), SearchError> {
        let Batch { rows, text } = self;
        match pen.csv() {
            Some(csv) => worker.write_csv(rows, csv, text),
            None => worker.show(rows, |row| pen.push(row, text)),
        }
    }
}

/// Rows that are written, or why not, with their place among all batches.
type Written = (u64, Result<Batch, SearchError>);

/// Where batches come from: the source, and the number of the next batch. Nothing once it is over.
type Supply<S> = Mutex<Option<(S, u64)>>;

fn tell_many(
    form: &Form,
    shared: &Shared<'_, '_>,
    source: impl Source,
    threads: usize,
    outlet: &mut Outlet<'_>,
) -> Result<(), SearchError> {
    let supply = Mutex::new(Some((source, 0)));
    let (give_back, empty) = bounded(threads * BUFFERS);
    let (send, written) = bounded(threads * BUFFERS);
    for _ in 0..threads * BUFFERS {
        // There is room for each.
        let _ = give_back.send(Batch::default());
    }
    std::thread::scope(|scope| {
        for _ in 0..threads {
            let (supply, empty, send) = (&supply, empty.clone(), send.clone());
            scope.spawn(move || work(form, shared, supply, &empty, &send));
        }
        drop((empty, send));
        let answer = hand_over_all(&written, &give_back, outlet);
        // Whatever ended it, no further rows are wanted.
        supply.lock().unwrap_or_else(PoisonError::into_inner).take();
        drop((written, give_back));
        answer
    })
}

fn work<S: Source>(
    form: &Form,
    shared: &Shared<'_, '_>,
    supply: &Supply<S>,
    empty: &Receiver<Batch>,
    send: &Sender<Written>,
) {
    let (mut worker, mut pen) = (Worker::new(shared, form.wants()), Pen::new(form));
    while let Ok(mut batch) = empty.recv() {
        let Some(number) = next_rows(supply, &mut batch) else {
            return;
        };
        let answer = batch.write(&mut worker, &mut pen).map(|()| batch);
        let failed = answer.is_err();
        if send.send((number, answer)).is_err() || failed {
            return;
        }
    }
}

/// Fills a batch with the next rows; `None` when there are none.
fn next_rows<S: Source>(supply: &Supply<S>, batch: &mut Batch) -> Option<u64> {
    let mut supply = supply.lock().unwrap_or_else(PoisonError::into_inner);
    let (source, next) = supply.as_mut()?;
    batch.clear();
    source.fill(ROWS, &mut batch.rows);
    if batch.rows.is_empty() {
        return None;
    }
    *next += 1;
    Some(*next - 1)
}

fn hand_over_all(
    written: &Receiver<Written>,
    give_back: &Sender<Batch>,
    outlet: &mut Outlet<'_>,
) -> Result<(), SearchError> {
    let (mut early, mut next) = (BTreeMap::new(), 0);
    for (number, answer) in written {
        early.insert(number, answer);
        while let Some(answer) = early.remove(&next) {
            let batch = answer?;
            outlet.hand_over(&batch)?;
            next += 1;
            // Nobody is left to take it when all rows are on their way.
            let _ = give_back.send(batch);
        }
    }
    Ok(())
}

/// What the rows go to.
struct Outlet<'o> {
    form: &'o Form,
    out: &'o mut dyn Write,
    rows: u64,
}

impl<'o> Outlet<'o> {
    fn open(form: &'o Form, out: &'o mut dyn Write) -> Result<Outlet<'o>, SearchError> {
        let mut header = Vec::new();
        form.push_header(&mut header);
        out.write_all(&header)?;
        Ok(Outlet { form, out, rows: 0 })
    }

    fn hand_over(&mut self, batch: &Batch) -> Result<(), SearchError> {
        let joint = if self.rows == 0 { self.form.joint() } else { 0 };
        self.out
            .write_all(batch.text.get(joint..).unwrap_or_default())?;
        self.rows += batch.rows.len() as u64;
        Ok(())
    }

    fn close(self) -> Result<u64, SearchError> {
        let mut footer = Vec::new();
        self.form.push_footer(self.rows > 0, &mut footer);
        self.out.write_all(&footer)?;
        self.out.flush()?;
        Ok(self.rows)
    }
}
