"""Names of metrics as they are shown: whole, visible, and no two alike."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

_DOTS = "\N{HORIZONTAL ELLIPSIS}"
_BLANK = "\N{OPEN BOX}"
# Where a blank is not seen: at the ends, and beside another one.
_UNSEEN = re.compile(r"^ +| +$|(?<= ) +")


def visible(name: str) -> str:
    """Return a name in which nothing is unseen: no control character, no odd blank."""
    plain = _UNSEEN.sub(lambda match: _BLANK * len(match[0]), name)
    safe = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in plain)
    return safe or '""'


def shown(names: Iterable[str], room: int) -> dict[str, str]:
    """Return how each name is shown, in about so many characters.

    Of a long one begin and end stay. Those that would look the same are numbered.
    """
    short_of = {name: _short(visible(name), room) for name in names}
    total = Counter(short_of.values())
    place: Counter[str] = Counter()
    for name, short in short_of.items():
        if total[short] > 1:
            place[short] += 1
            begin, _, end = short.partition(_DOTS)
            short_of[name] = f"{begin}{_DOTS}{place[short]}{_DOTS}{end}"
    return short_of


def _short(name: str, room: int) -> str:
    if len(name) <= room:
        return name
    tail = room * 2 // 5
    return f"{name[: room - 1 - tail]}{_DOTS}{name[-tail:]}"
