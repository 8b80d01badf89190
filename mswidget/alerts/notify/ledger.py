"""Which alerts of a run somebody sends: ranks and watchers agree by a file."""

from __future__ import annotations

import fcntl
import json
import os
from pathlib import Path

from mswidget.records.alert import Alert

NAME = "notified.jsonl"
_NEAR_STEPS = 100


class Ledger:
    """The alerts that were sent, or will be, by any process.

    Parameters
    ----------
    path
        Its file, in the run's folder; None where there is no other process.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path

    def claim(self, alert: Alert) -> bool:
        """Enter an alert; returns whether it is this process that has to send it.

        That is so when nobody has entered the same of another rank within 100 steps.
        Where the file cannot be written, everybody sends.
        """
        if self._path is None:
            return True
        try:
            with self._path.open("a+", encoding="utf-8") as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                known = _entries(file.fileno())
                file.write(json.dumps(_entry(alert)) + "\n")
                file.flush()
        except OSError:
            return True
        return not any(_is_same(entry, alert) for entry in known)

    def ranks(self, alert: Alert) -> tuple[int, ...]:
        """Return the ranks that have entered the same."""
        if self._path is None:
            return (alert.rank,)
        try:
            with self._path.open("rb") as file:
                known = _entries(file.fileno())
        except OSError:
            known = []
        ranks = {int(str(e["rank"])) for e in known if _is_same(e, alert)}
        return tuple(sorted(ranks | {alert.rank}))


def _entry(alert: Alert) -> dict[str, object]:
    # Without a metric the sentence tells two apart.
    what = alert.metric or alert.message
    return {
        "attempt": alert.attempt,
        "rule": alert.rule,
        "what": what,
        "step": alert.step,
        "rank": alert.rank,
    }


def _entries(file: int) -> list[dict[str, object]]:
    text = os.pread(file, os.fstat(file).st_size, 0).decode("utf-8", "replace")
    entries = []
    for line in text.splitlines():
        try:
            entry = json.loads(line)
        except ValueError:  # cut off by a kill
            continue
        if isinstance(entry, dict) and "rank" in entry:
            entries.append(entry)
    return entries


def _is_same(entry: dict[str, object], alert: Alert) -> bool:
    mine = _entry(alert)
    same = all(entry.get(n) == mine[n] for n in ("attempt", "rule", "what"))
    return same and abs(int(str(entry["step"])) - alert.step) <= _NEAR_STEPS
