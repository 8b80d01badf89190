"""A run, as tracks of a picture."""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Iterator, Sequence
from typing import Protocol

from mswidget.pictures.standing import goes_on, newest, quiet, remark, since_s
from mswidget.pictures.standing_out import standing_out
from mswidget.records.alert import Alert
from mswidget.records.alerts_table import shared
from mswidget.records.axis import GrowingUnits
from mswidget.records.band import STATS, Band
from mswidget.records.history import History
from mswidget.records.rank import Rank
from mswidget.records.ranks import Ranks
from mswidget.records.step_rate import steps_per_s
from mswidget.widget.marks import MARKS, alert_info, alert_mark, event_marks
from mswidget.widget.protocol import AlertInfo, Mark, Stat, Status, Track
from mswidget.widget.status import fresh_status
from mswidget.widget.track import only_track

_DRAWN_BY_THEMSELVES = 4


class Drawable(Protocol):
    """A run, as far as a picture needs it."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def ranks(self) -> Ranks:
        """What is known of its ranks by now."""

    @property
    def alert_list(self) -> Sequence[Alert]:
        """Those of all ranks, in order of time."""

    @property
    def notes(self) -> Sequence[str]:
        """What a reader of the numbers has to know, one sentence each."""


class DrawnRun:
    """What a picture shows of one run: its ranks, and what they have in common.

    Parameters
    ----------
    run
        Read by somebody else; see `update`.
    number
        Counts the runs of the picture: its colour, and part of its tracks' ids.
    """

    def __init__(self, run: Drawable, number: int) -> None:
        self.run = run
        self._number = number
        self._band = Band()
        self._units: dict[int, GrowingUnits] = {}
        self.found: Sequence[Alert] = ()
        """Alerts that whoever reads the run has found."""
        self._look()

    @property
    def main(self) -> Rank:
        """The rank that speaks for the run."""
        return self.ranks.main

    @property
    def main_id(self) -> str:
        """The id of the track of that rank."""
        return self._id(self.main.rank)

    def ids(self) -> set[str]:
        """Return the ids of all tracks."""
        return {ident for ident, _ in self.sources()}

    def shown_first(self) -> set[str]:
        """Return the tracks that are shown until somebody chooses others.

        What all ranks have in common, one of them, and some that need a look.
        """
        band = [self._id(stat) for stat in STATS] if self._has_band() else []
        odd = [self._id(rank) for rank in [*self._odd][:_DRAWN_BY_THEMSELVES]]
        return {self.main_id, *band, *odd}

    def update(self) -> None:
        """Take what has been read since the last call."""
        self._look()
        if self._has_band():
            ranks = self._valid
            # Where some are read from near their end, one that is read whole would
            # be a band of its own before.
            ends = {number: rank for number, rank in ranks.items() if rank.left_out}
            ranks = ends or ranks
            newest_s = max(rank.last_s for rank in ranks.values())
            going = [n for n, rank in ranks.items() if goes_on(rank, newest_s)]
            histories = {n: rank.history for n, rank in ranks.items()}
            self._band.extend(histories, going)

    def _look(self) -> None:
        self.ranks = self.run.ranks
        """Its ranks, as of the last `update`."""
        self._valid = self.ranks.with_loss
        histories = {n: rank.history for n, rank in self._valid.items()}
        self._odd = standing_out(histories) if self._has_band() else {}

    def sources(self) -> Iterator[tuple[str, History]]:
        """Yield each track's id and numbers."""
        for number, rank in self.ranks.items():
            yield self._id(number), rank.history
        if self._has_band():
            for stat, history in self._band.histories.items():
                yield self._id(stat), history

    def others(self, metric: str, shown: Collection[str]) -> list[tuple[str, History]]:
        """Return the tracks of further ranks that have a metric, the farthest first."""
        far = self._band.farthest.get(metric)
        histories = {
            self._id(rank): self.ranks[rank].history
            for rank in sorted(self._valid, key=lambda rank: rank != far)
        }
        return [
            (ident, history)
            for ident, history in histories.items()
            if ident not in shown and metric in history.names
        ]

    def tracks(self, shown: Collection[str]) -> list[Track]:
        """Return what the page is told of the tracks."""
        ranks = [
            self._track(number, "", rank, shown) for number, rank in self.ranks.items()
        ]
        if not self._has_band():
            return ranks
        main = self.main
        return [*(self._track(-1, s, main, shown) for s in STATS), *ranks]

    def _track(
        self, number: int, stat: Stat, rank: Rank, shown: Collection[str]
    ) -> Track:
        ident = self._id(stat or number)
        what = f"{stat} of {len(self._valid)} ranks" if stat else f"rank {number}"
        alone = len(self.ranks) == 1
        last = rank.history.step_and_time_s(-1)
        units = self._units.setdefault(rank.rank, GrowingUnits())
        known = units.of(rank.history, rank.begin)
        name, phase = self.run.name, rank.phase[0]
        return {
            **only_track(name, phase, rank.started_s, last, known),
            "id": ident,
            "rank": number,
            "stat": stat,
            "label": name if alone else f"{name} · {what}",
            "colour": self._number,
            "shown": ident in shown,
            "odd": "" if stat else self._odd.get(number, ""),
            "note": self._note_of_band() if stat == "median" else remark(rank),
        }

    def status(self) -> Status:
        """Return what the header says of this run; nobody is there to be stopped."""
        main = self.main
        phase, detail = main.phase
        status: Status = {
            **fresh_status(time.time()),
            "phase": phase,
            "detail": detail,
            "started_s": main.started_s,
            "begun_s": main.started_s,
            "phase_since_s": since_s(main),
            "total_steps": _whole(main.begin.get("total_steps")),
            "total_epochs": _whole(main.begin.get("total_epochs")),
            "steps_per_epoch": _whole(main.begin.get("steps_per_epoch")),
            "stoppable": False,
            "controls": True,
        }
        rows = main.history.rows(len(main.history) - 1000, names=())
        if not len(rows.steps):
            return status
        if main.unread:
            return {**status, **newest(main)}  # type: ignore[typeddict-item]
        silence = quiet(main)
        trains = phase == "training" and not silence
        return {
            **status,
            "detail": silence or detail,
            "step": int(rows.steps.max()),
            "epoch": _whole(float(rows.epochs[-1])),
            "last_value_s": float(rows.wall_times_s[-1]),
            "steps_per_s": steps_per_s(main.history) if trains else None,
        }

    def marks(self) -> list[Mark]:
        """Return what happened, as the rank that speaks for the run says it."""
        events = event_marks(self.main.events, self.main_id)
        held = self._shared()[-MARKS:]
        return [*events, *(alert_mark(a, self._id(a.rank)) for a, _ in held)]

    def alert_infos(self) -> list[AlertInfo]:
        """Return the alerts of all ranks as the page lists them, in order of time."""
        return [
            alert_info(alert, self._id(alert.rank), ranks)
            for alert, ranks in self._shared()
        ]

    def alerts(self) -> list[Alert]:
        """Return the alerts of all ranks, and those that were found since."""
        return [*self.run.alert_list, *self.found]

    def _shared(self) -> list[tuple[Alert, list[int]]]:
        return shared(self.alerts())

    def notices(self) -> list[str]:
        """Return what a reader of the numbers has to know, one sentence each."""
        return [f"{self.run.name}: {note}" for note in self.run.notes]

    def _id(self, what: int | str) -> str:
        return f"{self._number}.{what}"

    def _has_band(self) -> bool:
        return len(self._valid) > 1

    def _note_of_band(self) -> str:
        far = [
            f"{name}: rank {rank} is farthest from the median"
            for name, rank in self._band.farthest.items()
            if name == "loss"
        ]
        left_out = [
            f"{name}: {count} values of ranks are not finite and left out"
            for name, count in self._band.nonfinite.items()
        ]
        return "; ".join([*far, *left_out])


def _whole(value: object) -> int | None:
    is_number = isinstance(value, int | float) and math.isfinite(value)
    return int(value) if is_number else None  # type: ignore[call-overload]
