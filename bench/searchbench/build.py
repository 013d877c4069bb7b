"""What building and refreshing a catalog takes, beside a bare walk that asks statx about everything."""

import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from findbench.tools import Trouble

from .timing import Row

MOST_OF_FLOOR, MOST_EXACT, MOST_QUICK = 1.35, 0.9, 0.12
CHANGED = 0.01
# A directory that changed within so many seconds before a scan is read again by the next one.
SETTLE_S = 2.5


def rows(grounds, bench, options):
    found = []
    for ground in grounds:
        print(f"bench: build, {ground.name}", file=sys.stderr)
        found.append(build(ground, bench, options))
    made = [ground for ground in grounds if ground.name == "made"]
    for ground in made:
        print(f"bench: refresh, {ground.name}", file=sys.stderr)
        found += refresh(ground, bench, options)
    return found


def build(ground, bench, options):
    """A new catalog of a warm tree; the bare walk, and plocate's own, run beside it in turn."""
    catalog = options.cache / "catalog-built"
    floor = [bench.paths["floor"], str(bench.threads), "3", "0", str(ground.path)]
    row = Row("index add", ground.name, "warm", {"floor": [], "groma": [], "updatedb": []},
              ground.entries)
    waited = 0
    for number in range(options.rounds + 1):
        shutil.rmtree(catalog, ignore_errors=True)
        bare = once(floor)
        command = add(bench, catalog, ground.path)
        seconds = once(command) if number > 0 else fsync_wait(command)
        theirs = once(updatedb(bench, options, ground.path))
        # The first round warms the caches up and tells how long the disk is waited for.
        if number == 0:
            waited = seconds
            continue
        row.times["floor"].append(bare)
        row.times["groma"].append(seconds - waited)
        row.times["updatedb"].append(theirs)
    row.values["of it waiting for fsync"] = f"{1000 * waited:.0f} ms, taken off"
    ratio = row.median("groma") / row.median("floor")
    row.require(f"{ratio:.2f} of floor, at most {MOST_OF_FLOOR}", ratio <= MOST_OF_FLOOR)
    return row


def refresh(ground, bench, options):
    """One entry in a hundred changes; then a full build, an exact and a quick refresh of copies."""
    base, work = options.cache / "catalog-base", options.cache / "catalog-work"
    changes = Changes(ground, options)
    shutil.rmtree(base, ignore_errors=True)
    once(add(bench, base, ground.path))
    times = {"full": [], "exact": [], "quick": []}
    waited = dict.fromkeys(times, 0)
    for number in range(options.rounds + 1):
        changes.make(number)
        time.sleep(SETTLE_S)
        for mode in times:
            replace(base, work)
            command = refreshed(bench, work, ground.path, mode)
            if number == 0:
                waited[mode] = fsync_wait(command)
            else:
                times[mode].append(once(command) - waited[mode])
            if mode == "exact":
                kept = options.cache / "catalog-next"
                replace(work, kept)
        replace(kept, base)
    changes.undo()
    return [judged(ground, times, "exact", MOST_EXACT), judged(ground, times, "quick", MOST_QUICK)]


def judged(ground, times, mode, most):
    row = Row(f"index refresh, {mode}, 1 % changed", ground.name, "warm",
              {"groma": times[mode], "full build": times["full"]}, ground.entries)
    ratio = row.median("groma") / row.median("full build")
    row.require(f"{ratio:.2f} of a full build, at most {most}", ratio <= most)
    return row


def refreshed(bench, catalog, path, mode):
    if mode == "full":
        return add(bench, catalog, path)
    more = ["--quick"] if mode == "quick" else []
    return [bench.paths["groma"], "index", "refresh", "--catalog", str(catalog), *more]


def add(bench, catalog, path):
    return [bench.paths["groma"], "index", "add", "--catalog", str(catalog), str(path)]


def fsync_wait(command):
    """How many seconds a run waits for fsync. Being traced makes every system call slower, so that
    the time of the run itself is worth nothing."""
    with tempfile.TemporaryDirectory() as scratch:
        log = Path(scratch) / "calls"
        line = ["strace", "-f", "-T", "--seccomp-bpf", "-e", "trace=fsync,fdatasync,syncfs",
                "-o", str(log), *command]
        once(line)
        return sum(float(text) for text in re.findall(r"<([0-9.]+)>$", log.read_text(), re.M))


def once(command):
    start = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    seconds = time.perf_counter() - start
    if done.returncode not in (0, 3):
        raise Trouble(f"{' '.join(map(str, command))}: {done.stderr.decode(errors='replace')}")
    return seconds


def updatedb(bench, options, path):
    return [bench.paths["updatedb"], "--require-visibility", "0", "--database-root", str(path),
            "--output", str(options.cache / "plocate-built.db"), "--prunepaths", "",
            "--prunenames", "", "--prunefs", "", "--prune-bind-mounts", "no"]


def replace(source, target):
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target)
    os.chmod(target, 0o700)


class Changes:
    """Touches files here and there, makes some and removes those of the round before."""

    NAME = ".groma-bench"

    def __init__(self, ground, options):
        paths = subprocess.run(["find", str(ground.path), "-type", "f", "-print0"],
                               capture_output=True, check=True).stdout.split(b"\0")[:-1]
        self.files = [path for path in paths if self.NAME.encode() not in path]
        self.count = int(ground.entries * CHANGED)
        self.random = random.Random(options.seed)
        self.made = []

    def make(self, number):
        """Half of the changes are of a time; the others are new files and files that are gone."""
        for path in self.random.sample(self.files, self.count // 2):
            os.utime(path, follow_symlinks=False)
        old, self.made = self.made, []
        for path in self.random.sample(self.files, self.count // 4):
            new = os.path.dirname(path) + f"/{self.NAME}-{number}".encode()
            if not os.path.lexists(new):
                open(new, "xb").close()
                self.made.append(new)
        for path in old:
            os.unlink(path)

    def undo(self):
        for path in self.made:
            os.unlink(path)
