"""Before anything is timed: do all programs give the same answer?"""

import subprocess
import sys
from collections import Counter

from .tools import Trouble


def compare_outputs(chosen, grounds, bench, options):
    """Returns notes about peers that differ; that groma differs from fd is an error."""
    notes = []
    for ground in grounds:
        for cell in (cell for cell in chosen if cell.is_for(ground)):
            notes += compare(cell, ground, bench, options)
    return notes


def compare(cell, ground, bench, options):
    programs = [name for name in ("fd", "find", "fdf", "bfs") if name in options.peers]
    if cell.baseline:
        return compare_with(cell, ground, bench, "plain", ["groma"], options)
    if not programs:
        return []
    return compare_with(cell, ground, bench, programs[0], ["groma", *programs[1:]], options)


def compare_with(cell, ground, bench, reference, programs, options):
    notes = []
    expected = answer(cell, ground, bench, reference)
    for program in programs:
        found = answer(cell, ground, bench, program)
        if found is None or found == expected:
            continue
        missing, more = (expected - found).total(), (found - expected).total()
        note = (f"{cell.name} on {ground.name}: {program} leaves out {missing} "
                f"and adds {more} of {expected.total()} paths of {reference}")
        show_some(note, expected, found)
        if program == "groma" and not options.keep_going:
            raise Trouble(note)
        notes.append(note)
    return notes


def answer(cell, ground, bench, program):
    command = cell.command(program, ground.path, bench)
    if command is None:
        return None
    done = subprocess.run(command, capture_output=True, check=False)
    # fd and groma write a slash after a directory, find does not. A path that is printed twice
    # counts twice.
    lines = done.stdout.removesuffix(b"\n").split(b"\n")
    return Counter(line.rstrip(b"/") for line in lines)


def show_some(note, expected, found):
    print(f"bench: {note}", file=sys.stderr)
    for sign, lines in (("-", expected - found), ("+", found - expected)):
        for line in sorted(lines)[:3]:
            print(f"  {sign} {line.decode(errors='replace')}", file=sys.stderr)
