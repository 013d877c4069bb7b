"""groma beside plocate on one tree: the same answers, then the times, then the sizes."""

import shutil
import statistics
import subprocess
import sys
from collections import Counter

from findbench.tools import Trouble, run

from . import cells, needles
from .timing import Row, timed

# What is asked of groma: see the table of budgets.
SHORT_MS, SLACK_MS, TIMES_FASTER, TIMES_LARGER = 8.0, 2.0, 5.0, 5.0


def rows(grounds, bench, options):
    """The rows of all trees, and notes about answers that differ."""
    found, notes = [], []
    for ground in grounds:
        catalog, database = index(ground, bench, options)
        for cell in cells.cells(needles.choose(ground.path)):
            if options.cells and cell.name not in options.cells:
                continue
            count, note = compare(cell, ground, catalog, database, bench, options)
            notes += note
            for mode in ("list", "count"):
                print(f"bench: {cell.name}, {ground.name}, {mode}", file=sys.stderr)
                row = measured(cell, ground, mode, catalog, database, bench, options)
                row.rows = count
                found.append(row)
        found.append(sizes(ground, catalog, database))
    found.append(mean(found))
    return found, notes


def index(ground, bench, options):
    """A catalog and a database of the tree as it is now."""
    catalog = options.cache / f"catalog-{ground.name}"
    database = options.cache / f"plocate-{ground.name}.db"
    shutil.rmtree(catalog, ignore_errors=True)
    run([bench.paths["groma"], "index", "add", "--catalog", catalog, ground.path])
    # Nothing is left out, be it mounted, hidden or of a name that others leave out.
    run([bench.paths["updatedb"], "--require-visibility", "0", "--database-root", ground.path,
         "--output", database, "--prunepaths", "", "--prunenames", "", "--prunefs", "",
         "--prune-bind-mounts", "no"])
    return catalog, database


def compare(cell, ground, catalog, database, bench, options):
    """How many rows groma answers; an answer that differs without a reason is an error."""
    top = str(ground.path).encode()
    ours = answer(cells.groma(bench, catalog, cell.groma, "list"), top)
    theirs = answer(cells.plocate(bench, database, cell.plocate, "list"), top)
    counted = number(cells.groma(bench, catalog, cell.groma, "count"))
    if counted not in (ours.total(), ours.total() + 1):
        raise Trouble(f"{cell.name}: --count says {counted}, the list has {ours.total()} lines")
    missing, more = theirs - ours, ours - theirs
    if not missing and not more:
        return ours.total(), []
    note = (f"{cell.name} on {ground.name}: groma leaves out {missing.total()} and adds "
            f"{more.total()} of plocate's {theirs.total()} paths")
    for sign, lines in (("-", missing), ("+", more)):
        for line in sorted(lines)[:3]:
            print(f"  {sign} {line.decode(errors='replace')}", file=sys.stderr)
    if (more or not cell.differs) and not options.keep_going:
        raise Trouble(note)
    return ours.total(), [f"{note}; {cell.differs or 'not explained'}"]


def answer(command, top):
    """Paths and how often each was told. The root is an entry to groma and none to plocate."""
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode not in (0, 1, 3):
        raise Trouble(f"{' '.join(command)}: {done.stderr.decode(errors='replace')}")
    lines = done.stdout.removesuffix(b"\n").split(b"\n") if done.stdout else []
    # groma writes a slash after a directory where its output says what an entry is.
    return Counter(line for line in (line.rstrip(b"/") for line in lines) if line != top)


def number(command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    words = done.stdout.split()
    if not words or not words[0].isdigit():
        raise Trouble(f"{' '.join(command)}: expected a number, found {done.stdout!r} {done.stderr}")
    return int(words[0])


def measured(cell, ground, mode, catalog, database, bench, options):
    commands = {"groma": cells.groma(bench, catalog, cell.groma, mode),
                "plocate": cells.plocate(bench, database, cell.plocate, mode)}
    row = Row(cell.name, ground.name, mode, timed(commands, "null", options))
    ours, theirs = 1000 * row.median("groma"), 1000 * row.median("plocate")
    allowed = theirs + (SLACK_MS if theirs < SHORT_MS else 0)
    row.require(f"at most {allowed:.1f} ms", ours <= allowed)
    return row


def sizes(ground, catalog, database):
    ours = sum(file.stat().st_size for file in catalog.iterdir())
    theirs = database.stat().st_size
    row = Row("bytes an entry", ground.name, "disk", {}, ground.entries)
    row.values = {"groma": f"{ours / ground.entries:.1f}", "plocate": f"{theirs / ground.entries:.1f}",
                  "ratio": f"{ours / theirs:.2f}"}
    row.require(f"at most {TIMES_LARGER:.0f} times", ours <= TIMES_LARGER * theirs)
    return row


def mean(found):
    ratios = [row.median("plocate") / row.median("groma") for row in found if row.times]
    row = Row("median of all rows above", "all", "all", {})
    if ratios:
        faster = statistics.median(ratios)
        row.values = {"ratio": f"{1 / faster:.2f}"}
        row.require(f"{faster:.1f} times faster, at least {TIMES_FASTER:.0f}",
                    faster >= TIMES_FASTER)
    return row
