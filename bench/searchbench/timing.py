"""Times commands in turn, round after round; what a row of a table holds."""

import statistics
from dataclasses import dataclass, field

from findbench import measure

# Runs of less than this are repeated within a round.
SHORT, REPEAT = 0.1, 20


@dataclass
class Row:
    """One row: seconds by program, and whatever else is to be said about them."""

    question: str
    ground: str
    mode: str
    times: dict
    rows: int = 0
    # Further cells of the row, by heading.
    values: dict = field(default_factory=dict)
    # (what it says, whether it holds)
    verdicts: list = field(default_factory=list)

    def median(self, program):
        return statistics.median(self.times[program])

    def p95(self, program):
        times = sorted(self.times[program])
        return times[min(len(times) - 1, round(0.95 * (len(times) - 1)))]

    def require(self, text, holds):
        self.verdicts.append((text, holds))

    def holds(self):
        return all(good for _, good in self.verdicts)


def timed(commands, sink, options):
    """Seconds by program: `options.rounds` interleaved rounds after one to warm up."""
    first = measure.one_round(commands, list(commands), sink, 1, options)
    repeat = REPEAT if max(map(max, first.values())) < SHORT else 1
    times = {name: [] for name in commands}
    for number in range(options.rounds):
        names = list(commands)
        turn = number % len(names)
        # Another one begins each time, so that nobody always runs after the same neighbour.
        order = names[turn:] + names[:turn]
        for name, seconds in measure.one_round(commands, order, sink, repeat, options).items():
            times[name] += seconds
    return times
