"""Processor time, memory and system calls of one question: everything."""

import os
import re
import statistics
import subprocess
import tempfile
from pathlib import Path

from .cells import CELLS
from .measure import Row
from .tools import Trouble

EVERYTHING = next(cell for cell in CELLS if cell.name == "everything")
RUNS = 5
MOST_USER_MS, MOST_CALLS = 60.0, 4.15


def rows(grounds, bench, options):
    if options.cells and EVERYTHING.name not in options.cells:
        return []
    empty = next(ground for ground in grounds if ground.is_empty)
    found = []
    for ground in (ground for ground in grounds if not ground.is_empty):
        found += usage_rows(ground, bench, options)
        found.append(call_row(ground, empty, bench, options))
    return found


def usage_rows(ground, bench, options):
    user = Row("user time, everything", ground.name, "null", unit="ms")
    system = Row("system time, everything", ground.name, "null", unit="ms")
    memory = Row("peak memory, everything", ground.name, "null", unit="MB")
    programs = ["floor", "groma", *options.peers]
    used = {name: [] for name in programs}
    for _ in range(RUNS):
        for name in programs:
            used[name].append(usage(EVERYTHING.command(name, ground.path, bench)))
    for name in programs:
        memory.values[name] = peak_megabytes(EVERYTHING.command(name, ground.path, bench))
    for name, runs in used.items():
        user.values[name] = 1000 * statistics.median(run.ru_utime for run in runs)
        system.values[name] = 1000 * statistics.median(run.ru_stime for run in runs)
    if ground.name == "made":
        # The budget is for a million entries.
        most = MOST_USER_MS * ground.entries / 1_000_000
        good = user.values["groma"] <= most
        user.verdicts.append((f"{user.values['groma']:.0f} ms, at most {most:.0f}", good))
    return [user, system, memory]


def usage(command):
    """What the kernel counted for one run."""
    null = os.open(os.devnull, os.O_WRONLY)
    child = os.posix_spawn(command[0], command, os.environ,
                           file_actions=[(os.POSIX_SPAWN_DUP2, null, 1),
                                         (os.POSIX_SPAWN_DUP2, null, 2)])
    os.close(null)
    return os.wait4(child, 0)[2]


def peak_megabytes(command):
    """Through time(1): a child of this process would be charged with Python's memory, too."""
    with tempfile.TemporaryDirectory() as scratch:
        log = Path(scratch) / "memory"
        line = ["time", "--quiet", "--format", "%M", "--output", log, *command]
        subprocess.run(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        return int(log.read_text().split()[-1]) / 1024


def call_row(ground, empty, bench, options):
    """System calls per directory; those of an empty directory, the start-up, are taken off."""
    result = Row("system calls per directory", ground.name, "null", unit="")
    for name in ["floor", "groma", *options.peers]:
        walk = calls(EVERYTHING.command(name, ground.path, bench))
        start = calls(EVERYTHING.command(name, empty.path, bench))
        result.values[name] = (walk - start) / max(1, ground.dirs - 1)
    count = result.values["groma"]
    verdict = f"{count:.2f}, at most {MOST_CALLS:.2f} and the writing"
    result.verdicts.append((verdict, count <= MOST_CALLS))
    return result


def calls(command):
    with tempfile.TemporaryDirectory() as scratch:
        log = Path(scratch) / "calls"
        line = ["strace", "--follow-forks", "--summary-only", "--output", log, *command]
        subprocess.run(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        total = re.search(r"^ *\S+ +\S+ +\S* +(\d+) +.*total$", log.read_text(), re.MULTILINE)
    if not total:
        raise Trouble(f"expected a total from strace, found none for {command[0]}")
    return int(total.group(1))
