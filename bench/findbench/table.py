"""The table, and the page it is written to."""

import math

from . import page

COLUMNS = ("groma", "fd", "fdf", "bfs", "find")
MOST_OF_FDF = 0.90


def render(rows, grounds, bench, notes, options):
    lines = [heading(grounds, bench, options), ""]
    lines.append("| question | tree | output | floor | "
                 + " | ".join(COLUMNS) + " | required of groma | holds |")
    lines.append("| --- | --- | --- | ---: | " + "---: | " * len(COLUMNS) + "--- | --- |")
    lines += [line(row) for row in rows]
    lines += mean_line(rows)
    lines += ["", "Times are ratios of medians to the floor, in brackets ratios of minima."]
    if notes:
        lines += ["", "Peers that gave another answer:", ""]
        lines += [f"- {note}" for note in notes]
    return "\n".join(lines)


def heading(grounds, bench, options):
    trees = ", ".join(
        f"{ground.name} ({ground.entries} entries, {ground.dirs} directories)"
        for ground in grounds if not ground.is_empty)
    caches = "caches dropped before each run" if options.cold else "caches warm"
    return (f"{bench.threads} threads, {options.rounds} interleaved rounds, {caches}; trees: {trees}. "
            f"Programs: {', '.join(bench.versions())}.")


def line(row):
    cells = [row.cell, row.ground, row.sink]
    if row.times:
        cells.append(f"{1000 * row.median('floor'):.1f} ms")
        cells += [ratio(row, name) for name in COLUMNS]
    else:
        cells += [value(row, name) for name in ("floor", *COLUMNS)]
    cells.append("; ".join(text for text, _ in row.verdicts) or "-")
    cells.append(("yes" if row.holds() else "**no**") if row.verdicts else "-")
    return "| " + " | ".join(cells) + " |"


def ratio(row, name):
    if name not in row.times:
        return "-"
    median, least = row.ratio(name, "floor")
    return f"{median:.2f} ({least:.2f})"


def value(row, name):
    if name not in row.values:
        return "-"
    digits = 2 if not row.unit else 0
    return f"{row.values[name]:.{digits}f} {row.unit}".strip()


def mean_line(rows):
    """groma to fdf, all timed rows together."""
    ratios = [row.ratio("groma", "fdf")[0] for row in rows
              if row.times and "fdf" in row.times and "groma" in row.times]
    if not ratios:
        return []
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    holds = "yes" if mean <= MOST_OF_FDF else "**no**"
    blank = " | ".join(["-"] * (len(COLUMNS) + 1))
    verdict = f"{mean:.2f} of fdf, at most {MOST_OF_FDF:.2f}"
    return [f"| geometric mean of the {len(ratios)} rows above with fdf | all | all | {blank} "
            f"| {verdict} | {holds} |"]


def write(text, options):
    """Puts the table into the page: the warm and the cold one have a section each."""
    kind = "cold" if options.cold else "warm"
    page.put("find.md", INTRODUCTION, kind, f"Caches {kind}", text)


INTRODUCTION = """\
# How fast is `groma find`?

Made by `bench/find --real DIR --write`, and once more with `--cold`. Every figure is a ratio within
one interleaved run: milliseconds of two machines, or of two evenings, say nothing about each other.

The *floor* is `bench/floor.c`: a bare walk with as many threads, openat relative to the parent and
getdents64 into a buffer of 256 KiB, no filter, no path, no output; in the rows `size` and `type-x` it
also stats every regular file. What a program takes beyond it is its own.
"""
