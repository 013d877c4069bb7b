"""A page of docs/bench whose sections are made by programs; what stands around them is kept."""

import datetime
import os
import platform

from .tools import ROOT


def put(name, introduction, kind, title, text):
    """Puts `text` into the section `kind` of the page, which is made where there is none."""
    page = ROOT / "docs" / "bench" / name
    page.parent.mkdir(parents=True, exist_ok=True)
    old = page.read_text() if page.exists() else introduction
    begin, end = f"<!-- {kind}: begin -->", f"<!-- {kind}: end -->"
    where = f"{platform.system()} {platform.release()}, {os.cpu_count()} cores"
    section = f"{begin}\n\nMeasured on {datetime.date.today()}, {where}.\n\n{text}\n\n{end}"
    if begin in old and end in old:
        head, rest = old.split(begin, 1)
        old = head + section + rest.split(end, 1)[1]
    else:
        old = f"{old.rstrip()}\n\n## {title}\n\n{section}\n"
    page.write_text(old)
