"""The rows of the table: what is asked, and how each program is asked for it."""

from dataclasses import dataclass, field
from typing import Callable


@dataclass(frozen=True)
class Limit:
    """A requirement: groma's time is at most `most` times that of `of` (a program or "floor")."""

    of: str
    most: float


@dataclass(frozen=True)
class Cell:
    name: str
    # The words of a question as fd (and groma), fdf, and find (and bfs) want them; None: cannot.
    fd: list
    fdf: list | None
    find: list | None
    # Mode and depth of the bare walk that does the least for this question.
    floor: tuple
    limits: list = field(default_factory=list)
    grounds: tuple = ("made", "real")
    prints_much: bool = True
    # For a row that compares groma with itself: the words of the plain question.
    baseline: list | None = None
    # Only these take part, besides groma and the floor.
    peers: tuple = ("fd", "fdf", "bfs", "find")

    def is_for(self, ground):
        return ground.name in self.grounds

    def command(self, program, path, bench):
        """The words to run, or None where the program cannot be asked this."""
        builder: Callable = BUILDERS[program]
        return builder(self, str(path), bench)


def fd_like(program, words, path, bench):
    start = [bench.paths[program]] + (["find"] if program == "groma" else [])
    return start + ["-j", str(bench.threads), "--color", "never", *words, path]


def fdf_like(words, path, bench):
    return [bench.paths["fdf"], "-j", str(bench.threads), "--nocolour", *words, path]


def find_like(program, words, path, bench):
    threads = ["-j", str(bench.threads)] if program == "bfs" and has_threads(bench) else []
    # find takes -mindepth only before tests; without it the root would be a result.
    return [bench.paths[program], *threads, path, "-mindepth", "1", *words]


def has_threads(bench):
    """bfs takes -j since version 3."""
    if not hasattr(bench, "bfs_threads"):
        from .tools import version
        bench.bfs_threads = int(version(bench.paths["bfs"]).split(".")[0]) >= 3
    return bench.bfs_threads


BUILDERS = {
    "groma": lambda cell, path, bench: fd_like("groma", cell.fd, path, bench),
    "plain": lambda cell, path, bench: fd_like("groma", cell.baseline, path, bench),
    "fd": lambda cell, path, bench: fd_like("fd", cell.fd, path, bench),
    "fdf": lambda cell, path, bench: cell.fdf and fdf_like(cell.fdf, path, bench),
    "bfs": lambda cell, path, bench: cell.find and find_like("bfs", cell.find, path, bench),
    "find": lambda cell, path, bench: cell.find and find_like("find", cell.find, path, bench),
    "floor": lambda cell, path, bench: [
        bench.paths["floor"], str(bench.threads), *map(str, cell.floor), path],
}

PLAIN, STAT = (1, 0), (2, 0)
PATTERN = r"^[a-m].*[0-9].*\.(html|js|py|rs|c|h)$"
PATTERN_FOR_FIND = r".*/[a-m][^/]*[0-9][^/]*\.(html|js|py|rs|c|h)"

CELLS = [
    Cell("everything", ["-u", "."], ["-HI", "."], ["-print"], PLAIN, [Limit("floor", 1.12)]),
    Cell("extension", ["-u", "-e", "js", "."], ["-HI", "-e", "js", "."],
         ["-iname", "?*.js"], PLAIN, [Limit("floor", 1.15)]),
    Cell("regex", ["-u", PATTERN], ["-HI", PATTERN],
         ["-regextype", "posix-extended", "-iregex", PATTERN_FOR_FIND], PLAIN,
         [Limit("floor", 1.15)]),
    Cell("type-d", ["-u", "-t", "d", "."], ["-HI", "-t", "d", "."], ["-type", "d"], PLAIN,
         [Limit("floor", 1.15)]),
    Cell("size", ["-u", "-S", "+1mb", "."], ["-HI", "--size", "+1mb", "."],
         ["-type", "f", "-size", "+999999c"], STAT, [Limit("floor", 1.0)], prints_much=False),
    Cell("type-x", ["-u", "-t", "x", "."], ["-HI", "-t", "x", "."],
         ["-type", "f", "-executable"], STAT, [Limit("floor", 1.0)]),
    Cell("ignore", ["-H", "."], ["-H", "."], None, PLAIN, [Limit("fd", 0.50)]),
    Cell("depth-2", ["-u", "-d", "2", "."], ["-HI", "-d", "2", "."], ["-maxdepth", "2"], (1, 2),
         [Limit("find", 1.5)], prints_much=False),
    Cell("empty", ["-u", "."], ["-HI", "."], ["-print"], PLAIN, [Limit("find", 1.5)],
         grounds=("empty",), prints_much=False),
    Cell("sorted", ["-u", "--sort", "path", "."], None, None, PLAIN, [Limit("plain", 1.3)],
         baseline=["-u", "."], peers=()),
]
