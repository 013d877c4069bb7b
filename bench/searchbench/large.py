"""Catalogs of millions of rows: the first answer of a fresh process, memory, everything as CSV."""

import os
import sys

from findbench import resources
from findbench.tools import ROOT, run

from . import cells
from .beside import number
from .timing import Row, timed

MOST_FIRST_MS, MOST_OPEN_MS = 20.0, 5.0
# Millions of rows a second, by where they go.
LEAST_BULK = {"null": 10.0, "pipe": 6.0, "file": 4.0}
COLUMNS = "path,name,size,allocated,modified,created,kind,perm"
# A needle of few hits among the names that are made; see docs/bench/corpus.md.
SELECTIVE = "report_photo"
ROOTS = 10


def rows(bench, options):
    found = []
    for size in options.rows:
        catalog = made(size, options)
        print(f"bench: {size} rows", file=sys.stderr)
        found += first(size, catalog, bench, options)
        found += bulk(f"{size // 1_000_000} M", size, catalog, bench, options)
    if options.rows:
        size = options.rows[0]
        catalog = several(size, options)
        label = f"{ROOTS} x {size // ROOTS / 1_000_000:.1f} M"
        found += bulk(label, size, catalog, bench, options)
    return found


def made(size, options):
    """A catalog from a seed; it is kept."""
    catalog = options.cache / f"rows-{size}-{options.seed}"
    if not (catalog / "manifest").exists():
        corpus(catalog, size, options.seed, "/corpus")
    return catalog


def several(size, options):
    """As many rows in several roots."""
    catalog = options.cache / f"roots-{size}-{options.seed}"
    if not (catalog / "done").exists():
        for root in range(ROOTS):
            corpus(catalog, size // ROOTS, options.seed + root, f"/corpus/{root}")
        (catalog / "done").touch()
    return catalog


def corpus(catalog, size, seed, root):
    run(["cargo", "xtask", "corpus", "catalog", catalog, "--rows", size, "--seed", seed,
         "--root", root], cwd=ROOT)


def first(size, catalog, bench, options):
    """Spawn to exit; opening is what a name that is nowhere takes beyond printing the version."""
    label = f"{size // 1_000_000} M"
    ask = cells.groma(bench, catalog, [SELECTIVE], "list")
    miss = cells.groma(bench, catalog, ["case:exact:no-such-name-anywhere"], "count")
    commands = {"answer": ask, "open": miss, "start": [bench.paths["groma"], "--version"]}
    times = timed(commands, "null", options)
    row = Row("first answer, rare substring", label, "list",
              {"groma": times["answer"], "start": times["start"]},
              number(cells.groma(bench, catalog, [SELECTIVE], "count")))
    row.values["peak memory"] = f"{resources.peak_megabytes(ask):.0f} MB"
    opening = Row("first answer, a name that is nowhere", label, "count",
                  {"groma": times["open"], "start": times["start"]})
    if size == 10_000_000:
        ours = 1000 * row.median("groma")
        row.require(f"{ours:.1f} ms, at most {MOST_FIRST_MS:.0f}", ours <= MOST_FIRST_MS)
        beyond = 1000 * (opening.median("groma") - opening.median("start"))
        opening.require(f"opening and asking {beyond:.1f} ms, at most {MOST_OPEN_MS:.0f}",
                        beyond <= MOST_OPEN_MS)
    return [row, opening]


def bulk(label, size, catalog, bench, options):
    """Everything, eight columns, full paths."""
    out = options.cache / "bulk.csv"
    words = ["", "--format", "csv", "--columns", COLUMNS]
    plain = cells.groma(bench, catalog, words, "list")
    found = []
    for sink in LEAST_BULK:
        print(f"bench: bulk to {sink}, {label}", file=sys.stderr)
        command = [*plain, "--output", str(out)] if sink == "file" else plain
        times = timed({"groma": command}, "pipe" if sink == "pipe" else "null", options)
        row = Row("everything as CSV, 8 columns", label, sink, times,
                  number(cells.groma(bench, catalog, [""], "count")))
        rate = row.rows / row.median("groma") / 1e6
        row.values["rate"] = f"{rate:.1f} M rows/s"
        row.values["peak memory"] = f"{resources.peak_megabytes(command):.0f} MB"
        if size >= 10_000_000:
            least = LEAST_BULK[sink]
            row.require(f"{rate:.1f} M rows/s, at least {least:.0f}", rate >= least)
        found.append(row)
    if out.exists():
        os.unlink(out)
    return found
