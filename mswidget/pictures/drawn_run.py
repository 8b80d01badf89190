"""A run, as tracks of a picture."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Protocol

from mswidget.pictures.standing import goes_on, newest, quiet, remark, since_s
from mswidget.records.alert import Alert
from mswidget.records.axis import Scale, scale_of
from mswidget.records.band import STATS, Band
from mswidget.records.history import History, Rows
from mswidget.records.rank import Rank
from mswidget.records.ranks import Ranks
from mswidget.records.record import Event
from mswidget.widget.headline import alert_info, alert_mark
from mswidget.widget.protocol import AlertInfo, Mark, Stat, Track

RECENT_S = 10.0
_MARKS = 200
_RATES = ("samples_per_s", "tokens_per_s")


class Drawable(Protocol):
    """A run, as far as a picture needs it."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def ranks(self) -> Ranks:
        """What is known of its ranks by now."""

    @property
    def alerts(self) -> Sequence[Alert]:
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
        self._scales: dict[int, tuple[int, Mapping[str, object], Scale]] = {}
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
        """Return the tracks that are shown until somebody chooses others."""
        band = [self._id(stat) for stat in STATS] if self._has_band() else []
        return {self.main_id, *band}

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
            self._track(number, "", rank, dash, shown)
            for dash, (number, rank) in enumerate(self.ranks.items())
        ]
        if not self._has_band():
            return ranks
        main = self.main
        return [*(self._track(-1, s, main, 0, shown) for s in STATS), *ranks]

    def _track(
        self, number: int, stat: Stat, rank: Rank, dash: int, shown: Collection[str]
    ) -> Track:
        ident = self._id(stat or number)
        what = f"{stat} of {len(self._valid)} ranks" if stat else f"rank {number}"
        alone = len(self.ranks) == 1
        last = rank.history.moment(-1)
        scale = self._scale(rank)
        return {
            "id": ident,
            "run": self.run.name,
            "rank": number,
            "stat": stat,
            "label": self.run.name if alone else f"{self.run.name} · {what}",
            "colour": self._number,
            "dash": dash,
            "shown": ident in shown,
            "phase": rank.phase[0],
            "step": int(last[0]) if last else None,
            "started_s": rank.started_s,
            "last_value_s": last[1] if last else None,
            "steps_per_epoch": scale.epoch,
            "samples_per_step": scale.samples,
            "tokens_per_step": scale.tokens,
            "note": self._note_of_band() if stat == "median" else remark(rank),
        }

    def status(self) -> dict[str, object]:
        """Return what the header says of this run; the keys are those of `Status`."""
        main = self.main
        phase, detail = main.phase
        begin = main.begin
        rows = main.history.rows(len(main.history) - 1000, names=())
        totals = ("total_steps", "total_epochs", "steps_per_epoch")
        known: dict[str, object] = {
            "phase": phase,
            "detail": detail,
            "started_s": main.started_s,
            "begun_s": main.started_s,
            "phase_since_s": since_s(main),
            **{name: _whole(_number(begin, name)) for name in totals},
        }
        if not len(rows.steps):
            return known
        if main.unread:
            return {**known, **newest(main)}
        silence = quiet(main)
        return {
            **known,
            "detail": silence or detail,
            "step": int(rows.steps.max()),
            "epoch": _whole(rows.epochs[-1]),
            "last_value_s": float(rows.wall_times_s[-1]),
            "steps_per_s": _rate(rows) if phase == "training" and not silence else None,
        }

    def marks(self) -> list[Mark]:
        """Return what happened, as the rank that speaks for the run says it."""
        track = self.main_id
        kept = _attempts_once(self.main.events)[-_MARKS:]
        events: list[Mark] = [
            {"step": e.step, "kind": e.name, "text": _words(e), "track": track}
            for e in kept
        ]
        alerts: list[Mark] = [
            {**alert_mark(alert), "track": self._id(alert.rank)}
            for alert in self.run.alerts[-_MARKS:]
        ]
        return [*events, *alerts]

    def alert_infos(self) -> list[AlertInfo]:
        """Return the alerts of all ranks as the page lists them, in order of time."""
        return [
            {**alert_info(alert), "track": self._id(alert.rank)}
            for alert in self.run.alerts
        ]

    def notices(self) -> list[str]:
        """Return what a reader of the numbers has to know, one sentence each."""
        return [f"{self.run.name}: {note}" for note in self.run.notes]

    def _id(self, what: int | str) -> str:
        return f"{self._number}.{what}"

    def _scale(self, rank: Rank) -> Scale:
        """Return what steps stand for; sought again when twice as many are there."""
        begin, count = rank.begin, len(rank.history)
        known = self._scales.get(rank.rank)
        if known is None or known[1] != begin or count >= 2 * known[0]:
            scale = scale_of(rank.history.rows(names=_RATES), begin)
            known = self._scales[rank.rank] = (max(count, 1), begin, scale)
        return known[2]

    def _has_band(self) -> bool:
        return len(self._valid) > 1

    def _note_of_band(self) -> str:
        far = [
            f"{name}: rank {rank} is farthest from the median"
            for name, rank in self._band.farthest.items()
            if name == "loss"
        ]
        odd = [
            f"{name}: {count} values of ranks are not finite and left out"
            for name, count in self._band.nonfinite.items()
        ]
        return "; ".join([*far, *odd])


def _number(fields: Mapping[str, object], name: str) -> float | None:
    value = fields.get(name)
    return float(value) if isinstance(value, int | float) else None


def _whole(value: float | None) -> int | None:
    return None if value is None or math.isnan(value) else int(value)


def _rate(rows: Rows) -> float | None:
    """Return the steps per second of the last `RECENT_S` of records."""
    times = rows.wall_times_s
    recent = times >= times.max() - RECENT_S
    spent_s = times[recent].max() - times[recent].min()
    made = rows.steps[recent].max() - rows.steps[recent].min()
    return float(made / spent_s) if spent_s > 0 else None


def _attempts_once(events: Sequence[Event]) -> list[Event]:
    """Leave out the later begins of an attempt: each call of train has one."""
    begun: set[str] = set()
    kept = []
    for event in events:
        if event.name != "train_begin" or event.attempt not in begun:
            kept.append(event)
        if event.name == "train_begin":
            begun.add(event.attempt)
    return kept


def _words(event: Event) -> str:
    if event.name == "train_begin":
        return f"attempt {event.attempt.removeprefix('a')}"
    return ", ".join(f"{key} {value}" for key, value in event.fields.items())
