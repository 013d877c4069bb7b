"""Times one row: all programs in turn, round after round."""

import json
import shlex
import statistics
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from .tools import Trouble

DROP = "sync; echo 3 > /proc/sys/vm/drop_caches"
# Short runs are repeated within a round: below this a run is mostly the start of a process.
SHORT, REPEAT = 0.05, 20


@dataclass
class Row:
    """One row of the table; `times` in seconds by program, or `values` in `unit`."""

    cell: str
    ground: str
    sink: str
    times: dict = field(default_factory=dict)
    values: dict = field(default_factory=dict)
    unit: str = ""
    # (what it says, whether it holds)
    verdicts: list = field(default_factory=list)

    def median(self, program):
        return statistics.median(self.times[program])

    def ratio(self, program, of):
        """Ratio of medians and ratio of minima."""
        least = min(self.times[program]) / min(self.times[of])
        return self.median(program) / self.median(of), least

    def holds(self):
        return all(good for _, good in self.verdicts)


def row(cell, ground, sink, bench, options):
    programs = ["floor", "groma"] + [name for name in options.peers if name in cell.peers]
    programs += ["plain"] if cell.baseline else []
    commands = {name: cell.command(name, ground.path, bench) for name in programs}
    commands = {name: command for name, command in commands.items() if command}
    result = Row(cell.name, ground.name, sink, {name: [] for name in commands})
    repeat = 1 if options.cold else warm_up(commands, sink, options)
    for number in range(options.rounds):
        # Another one begins each time, so that nobody always runs after the same neighbour.
        names = list(commands)
        turn = number % len(names)
        measured = one_round(commands, names[turn:] + names[:turn], sink, repeat, options)
        for name, seconds in measured.items():
            result.times[name] += seconds
    judge(result, cell)
    return result


def warm_up(commands, sink, options):
    """One round warms the caches up, and tells how often a short run is to be repeated."""
    first = one_round(commands, list(commands), sink, 1, options)
    return 1 if max(map(max, first.values())) > SHORT else REPEAT


def one_round(commands, order, sink, repeat, options):
    """Runs every program `repeat` times through hyperfine; returns seconds by program."""
    with tempfile.TemporaryDirectory() as scratch:
        export = Path(scratch) / "times.json"
        line = ["hyperfine", "--shell=none", "--runs", str(repeat), "--ignore-failure",
                "--output", sink, "--export-json", str(export), "--style", "none"]
        if options.cold:
            line[1] = "--shell=sh"
            line += ["--prepare", DROP]
        line += [shlex.join(commands[name]) for name in order]
        done = subprocess.run(line, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Trouble(f"expected hyperfine to succeed, found: {done.stderr}")
        results = json.loads(export.read_text())["results"]
    return {name: result["times"] for name, result in zip(order, results)}


# On top of the requirements of single rows: groma is never slower than these (noise allowed).
NEVER_SLOWER, NOISE = ("fdf", "bfs", "find"), 1.03


def judge(result, cell):
    limits = [(limit.of, limit.most) for limit in cell.limits]
    named = {of for of, _ in limits}
    limits += [(name, NOISE) for name in NEVER_SLOWER if name not in named]
    for of, most in limits:
        if of in result.times and "groma" in result.times:
            ratio, _ = result.ratio("groma", of)
            if (of, most) in limits[: len(cell.limits)] or ratio > most:
                result.verdicts.append((f"{ratio:.2f} of {of}, at most {most:.2f}", ratio <= most))
