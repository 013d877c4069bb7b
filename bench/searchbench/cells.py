"""The rows of the table beside plocate: what is asked, and how each program is asked for it."""

from dataclasses import dataclass

REGEX = r"^[a-m].*[0-9].*\.(html|js|py|rs|c|h)$"


@dataclass(frozen=True)
class Cell:
    name: str
    # The words of a question as each program wants them.
    groma: list
    plocate: list
    # What is known to differ, where the answers need not be equal; plocate may only add.
    differs: str = ""


def cells(needles):
    """The questions, put to what lies in a tree."""
    text = needles
    return [
        # A glob is the whole name to plocate; a backslash, with which mlocate can be told so, is none.
        Cell("exact name", [f"case:exact:{text.exact}"],
             ["-b", f"{text.exact[:-1]}[{text.exact[-1]}]"]),
        Cell("prefix of a name", [f"case:{text.prefix}*"], ["-b", f"{text.prefix}*"]),
        Cell("rare extension", [f"ext:{text.rare_extension}"],
             ["-i", "-b", f"*.{text.rare_extension}"], DOTTED),
        Cell("common extension", [f"ext:{text.common_extension}"],
             ["-i", "-b", f"*.{text.common_extension}"], DOTTED),
        Cell("rare substring", [f"nocase:{text.rare_word}"], ["-i", "-b", text.rare_word]),
        Cell("common substring", [f"nocase:{text.common_word}"], ["-i", "-b", text.common_word]),
        Cell("substring of the path", [f"nocase:path:{text.path}"], ["-i", text.path]),
        Cell("regular expression", [f"nocase:regex:'{REGEX}'"], ["-i", "-b", "--regex", REGEX]),
        Cell("everything", [""], ["/"]),
    ]


DOTTED = "a name like .mp4 has no extension"


def groma(bench, catalog, words, mode):
    """`mode`: list or count."""
    more = ["--count"] if mode == "count" else []
    return [bench.paths["groma"], "search", "--catalog", str(catalog), "--color", "never", *more,
            *words]


def plocate(bench, database, words, mode):
    more = ["--count"] if mode == "count" else []
    return [bench.paths["plocate"], "--database", str(database), *more, *words]
