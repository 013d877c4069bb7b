"""What is looked for: chosen from the tree itself, so that every question has an answer there."""

import re
import subprocess
from collections import Counter
from dataclasses import dataclass

from findbench.tools import Trouble

PLAIN = re.compile(rb"[a-z0-9_]+\Z")


@dataclass(frozen=True)
class Needles:
    """Texts without anything that a shell, a glob or a regular expression would take apart."""

    exact: str
    prefix: str
    rare_extension: str
    common_extension: str
    rare_word: str
    common_word: str
    path: str


def choose(root):
    """Looks at every path below `root`; the same tree gives the same needles."""
    paths = subprocess.run(["find", str(root), "-mindepth", "1", "-print0"],
                           capture_output=True, check=False).stdout.split(b"\0")[:-1]
    if len(paths) < 1000:
        raise Trouble(f"expected 1000 entries or more below {root}, found {len(paths)}")
    names = Counter(path.rsplit(b"/", 1)[1] for path in paths)
    extensions = Counter()
    words = Counter()
    for name, count in names.items():
        stem, dot, extension = name.lower().rpartition(b".")
        if dot and stem and PLAIN.match(extension):
            extensions[extension] += count
        for word in set(re.findall(rb"[a-z]{5,}", name.lower())):
            words[word] += count
    below = str(root).encode().count(b"/") + 3
    pairs = Counter(b"/".join(path.split(b"/")[-3:-1])
                    for path in paths if path.count(b"/") >= below)
    total = len(paths)
    exact = near(names, total / 5000, rb"[a-zA-Z0-9_.]{5,}\Z")
    return Needles(
        exact=exact,
        prefix=exact[:5],
        rare_extension=near(extensions, total / 20000, rb"[a-z0-9]{2,5}\Z"),
        common_extension=near(extensions, total, rb"[a-z0-9]{1,5}\Z"),
        rare_word=near(words, total / 20000, rb"[a-z]{6,}\Z"),
        common_word=near(words, total, rb"[a-z]{5,}\Z"),
        path=near(pairs, total / 1000, rb"[a-z0-9_]{3,}/[a-z0-9_]{3,}\Z"),
    )


def near(counted, wanted, form):
    """What is counted nearest to `wanted` times; of equals, the first in the order of bytes."""
    form = re.compile(form)
    fitting = ((abs(count - wanted), text) for text, count in counted.items() if form.match(text))
    best = min(fitting, default=None)
    if best is None:
        raise Trouble("expected a tree with ordinary names, found none that fit")
    return best[1].decode()
