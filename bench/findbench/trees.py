"""The grounds that are measured on: a tree from a seed, a real one, an empty directory."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

from .tools import ROOT, Trouble, run

MIN_REAL = 400_000


@dataclass
class Ground:
    name: str
    path: Path
    entries: int = 0
    dirs: int = 0

    @property
    def is_empty(self):
        return self.entries == 0


def make_all(options, bench):
    grounds = []
    if not options.no_made:
        grounds.append(Ground("made", made(options)))
    if options.real:
        if not options.real.is_dir():
            raise Trouble(f"expected a directory after --real, found {options.real}")
        grounds.append(Ground("real", options.real.resolve()))
    empty = options.cache / "empty"
    empty.mkdir(exist_ok=True)
    grounds.append(Ground("empty", empty))
    for ground in grounds:
        count(ground, bench)
    return grounds


def made(options):
    """The generated tree; it is kept, since making it slows the file system down for a while."""
    path = options.cache / f"tree-{options.entries}-{options.seed}"
    finished = path.with_suffix(".done")
    if not finished.exists():
        command = ["cargo", "xtask", "corpus", "tree", path]
        command += ["--entries", options.entries, "--seed", options.seed]
        run(command, cwd=ROOT)
        # fd and fdf heed .gitignore files in a repository only.
        (path / ".git").mkdir()
        finished.touch()
    return path


def count(ground, bench):
    words = subprocess.run(
        [bench.paths["floor"], str(bench.threads), "1", "0", ground.path],
        capture_output=True, text=True, check=False,
    ).stdout.split()
    ground.entries, ground.dirs = int(words[1]), int(words[3])
    if ground.name == "real" and ground.entries < MIN_REAL:
        note = f"bench: the real tree has {ground.entries} entries; {MIN_REAL} or more say more"
        subprocess.run(["sh", "-c", 'echo "$1" >&2', "sh", note], check=True)
