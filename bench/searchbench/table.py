"""The tables, and the page that they are written to."""

from findbench import page

INTRODUCTION = """\
# How fast are `groma index` and `groma search`?

Made by `bench/search --real DIR --write`. Programs of one table run interleaved; compare what stands in
one row, never milliseconds of two evenings. Rows beside a time are how many entries the answer has.
Catalogs of millions of rows are made from a seed: [corpus.md](corpus.md). What is missed is in
[known.md](known.md).
"""


def render(rows, programs, extra):
    """One table: a median and a 95th percentile for each program, then further cells."""
    heads = ["question", "tree", "mode", "rows"]
    heads += [f"{name}, ms (p95)" for name in programs] + extra + ["required of groma", "holds"]
    lines = ["| " + " | ".join(heads) + " |", "| " + " | ".join(rule(h) for h in heads) + " |"]
    return "\n".join(lines + [line(row, programs, extra) for row in rows])


def rule(head):
    return "---:" if head == "rows" or "ms" in head else "---"


def line(row, programs, extra):
    cells = [row.question, row.ground, row.mode, str(row.rows or "-")]
    cells += [time(row, name) for name in programs]
    cells += [value(row, name, programs) for name in extra]
    cells.append("; ".join(text for text, _ in row.verdicts) or "-")
    cells.append(("yes" if row.holds() else "**no**") if row.verdicts else "-")
    return "| " + " | ".join(cells) + " |"


def time(row, name):
    if not row.times.get(name):
        return row.values.get(name, "-")
    return f"{1000 * row.median(name):.1f} ({1000 * row.p95(name):.1f})"


def value(row, name, programs):
    if name == "ratio" and name not in row.values and row.times:
        peer = programs[-1]
        return f"{row.median('groma') / row.median(peer):.2f}"
    return row.values.get(name, "-")


def write(kind, title, text):
    page.put("search.md", INTRODUCTION, kind, title, text)
