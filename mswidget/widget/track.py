"""What the page is told of a track."""

from __future__ import annotations

from collections.abc import Iterable

from mswidget.drawing.names import visible
from mswidget.records.axis import StepUnits
from mswidget.widget.protocol import Phase, Track


def only_track(
    run: str,
    phase: Phase,
    started_s: float,
    last: tuple[float, float] | None,
    units: StepUnits,
) -> Track:
    """Return the track of a run that has one; those of several say more.

    Parameters
    ----------
    run
        The run's name.
    phase, started_s
        What it does, and since when (Unix seconds).
    last
        Step and time of the last values; see `History.step_and_time_s`.
    units
        What its steps stand for.
    """
    return {
        "id": "",
        "run": run,
        "rank": 0,
        "stat": "",
        "label": run,
        "colour": 0,
        "shown": True,
        "phase": phase,
        "step": int(last[0]) if last else None,
        "started_s": started_s,
        "last_value_s": last[1] if last else None,
        "steps_per_epoch": units.epoch,
        "samples_per_step": units.samples,
        "tokens_per_step": units.tokens,
        "odd": "",
        "note": "",
    }


def label_of(track: Track, shown: Iterable[Track]) -> str:
    """Return what tells a track from the others that are shown."""
    several = len({other["run"] for other in shown}) > 1
    label = track["label"]
    return visible(label if several else label.removeprefix(f"{track['run']} · "))
