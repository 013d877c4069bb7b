"""Questions inside one process, timed by criterion: `crates/engine/benches/hot`."""

import json
import os
import re
import shutil
import statistics
import sys

from findbench.tools import ROOT, run

from .large import made
from .timing import Row

# What is asked of 10 million rows and two threads, in milliseconds.
MOST_MS = {
    "exact": 0.3, "exact, once": 0.3, "prefix, many": 0.3, "prefix": 0.3,
    "extension, common": 1.5, "extension, rare": 1.5,
    "substring, selective": 12, "substring, many": 40, "substring, case told apart": 40,
    "single letter": 40, "suffix": 40,
    "regex with a literal": 16, "regex with a literal, rare": 16, "regex without": 180, "glob": 180,
    "path, two components": 40, "path, exact components": 40, "path, short": 40,
    "path, one word": 40,
    "size, sorted": 12, "size, many, sorted": 12, "date, sorted": 12, "date, few, sorted": 12,
    "everything, by size": 12, "everything, by date": 12,
    "extension alone": 12, "owner and year": 60,
}
JUDGED = 10_000_000


def rows(bench, options):
    found = []
    for size in options.rows:
        if size <= JUDGED:
            found += measured(size, bench, options)
    return found


def measured(size, bench, options):
    """The questions that have a budget, put to one catalog."""
    print(f"bench: hot, {size} rows", file=sys.stderr)
    home = options.cache / f"criterion-{size}"
    shutil.rmtree(home, ignore_errors=True)
    environment = dict(os.environ, GROMA_HOT_CATALOG=str(made(size, options)),
                       GROMA_HOT_THREADS=str(bench.threads), CRITERION_HOME=str(home))
    wanted = "/(" + "|".join(re.escape(question) for question in MOST_MS) + ")/"
    run(["cargo", "bench", "--quiet", "--locked", "--package", "groma-engine", "--bench", "hot",
         "--", wanted], cwd=ROOT, env=environment)
    return judged(home, size)


def judged(home, size):
    """The rows of what criterion has left in its directory."""
    asked = dict(timings(home))
    found = []
    for question, most in MOST_MS.items():
        times, count = asked[question]
        row = Row(question, f"{size // 1_000_000} M", "hot", {}, count)
        milliseconds = sorted(1000 * time for time in times)
        p50 = statistics.median(milliseconds)
        row.values["p50"] = f"{p50:.3f} ms"
        row.values["p95"] = f"{milliseconds[round(0.95 * (len(milliseconds) - 1))]:.3f} ms"
        if size == JUDGED:
            row.require(f"at most {most} ms", p50 <= most)
        found.append(row)
    return found


def timings(home):
    """Questions, each with the seconds of its samples and how many rows it has."""
    for path in home.glob("*/*/*/new/benchmark.json"):
        told = json.loads(path.read_text())
        sample = json.loads(path.with_name("sample.json").read_text())
        pairs = zip(sample["times"], sample["iters"])
        yield told["function_id"], ([time / iters / 1e9 for time, iters in pairs],
                                    int(told["value_str"]))
