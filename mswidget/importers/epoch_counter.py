"""Steps that are printed within their epochs, counted through the training."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mswidget.importers.epoch_length import EpochLength, SeenLength
from mswidget.importers.formats.found import EpochStep, Fact

_OVERRIDE = "load_run and watch take another number as steps_per_epoch="


@dataclass(frozen=True)
class _Count:
    """How a step is counted: what the first epoch and the first step are called."""

    within: bool
    first_epoch: int
    first_step: int
    length: int | None


_Kind = tuple[bool, int, bool, int]


class EpochCounter:
    """Counts steps on from epoch to epoch; learns how long these are as it goes.

    What it learns may show that steps were counted wrongly before: see `corrected`.

    Parameters
    ----------
    given
        Steps of an epoch, as the user says; None to find it out.
    """

    def __init__(self, given: int | None = None) -> None:
        self._given = given
        self._said: int | None = None
        self._seen = SeenLength()
        self._least_epoch: int | None = None
        self._zero = self._full = False
        self._within = given is not None
        self._held = 0
        self._farthest: dict[int | None, EpochStep] = {}
        self._counts: dict[_Kind, _Count] = {}

    def tell(self, fact: Fact) -> None:
        """Take the steps of an epoch, where a line says these without a step."""
        length = fact.fields.get("steps_per_epoch")
        if isinstance(length, int) and length > 0:
            # The largest: what is learned must not turn round when a log is read again.
            self._said = max(length, self._said or 0)

    def count(self, place: EpochStep, rank: int | None = None) -> tuple[int, int]:
        """Return the step of the training that a step within an epoch is; its epoch.

        Parameters
        ----------
        place
            Where a line stands, in its own words.
        rank
            Whose line it is, if it says that.
        """
        self._learn(place, rank)
        kind = (place.sure, place.first, place.length is not None, min(place.epoch, 2))
        how = self._count(kind)
        self._counts.setdefault(kind, how)
        epochs = max(place.epoch - how.first_epoch, 0)
        if not how.within:
            return place.step, epochs + 1
        before = epochs * (place.length or how.length or 0)
        return before + place.step - how.first_step + 1, epochs + 1

    def begin_anew(self) -> None:
        """Count from the begin of the log again, by all that is known now."""
        self._counts.clear()

    @property
    def corrected(self) -> bool:
        """Whether steps were counted by what has proved wrong since."""
        return any(self._count(kind) != how for kind, how in self._counts.items())

    @property
    def steps_per_epoch(self) -> int | None:
        """What steps are counted on by; None where none are, or where lines say it."""
        return next((how.length for how in self._counts.values() if how.length), None)

    def notes(self) -> Iterator[str]:
        """Yield what was assumed, a sentence each."""
        if not any(how.within for how in self._counts.values()):
            return
        if self.steps_per_epoch:
            first = next(how.first_step for how in self._counts.values())
            length = self._length(first)
            yield (
                f"steps within epochs are counted on by {length.steps} an epoch, "
                f"{length.why}; {_OVERRIDE}"
            )
        if self._least_epoch == 0 and not (self._zero or self._full):
            first = next(how.first_step for how in self._counts.values())
            yield (
                f"epochs count from 0; that their steps count from {first} is a guess: "
                "no line shows the first"
            )
        if self._least_epoch is not None and self._least_epoch > 1:
            yield (
                f"it begins in epoch {self._least_epoch}: epochs are taken as counted "
                "from 1"
            )

    def _count(self, kind: _Kind) -> _Count:
        sure, first, printed, epoch = kind
        first_epoch = 0 if self._least_epoch == 0 else 1
        if not (sure or self._within):
            return _Count(False, first_epoch, 0, None)  # noqa: FBT003
        first_step = self._first_step(first)
        needs_length = not printed and epoch != first_epoch
        length = self._length(first_step).steps if needs_length else None
        return _Count(True, first_epoch, first_step, length)  # noqa: FBT003

    def _first_step(self, usual: int) -> int:
        if self._full:
            return 1
        return 0 if self._zero else usual

    def _length(self, first_step: int) -> EpochLength:
        least = self._seen.largest + 1 - first_step
        if self._given is not None:
            odd = f", though one has {least}" if least > self._given else ""
            return EpochLength(self._given, f"as was given{odd}")
        if self._said is not None and self._said >= least:
            return EpochLength(self._said, "as its lines on epochs say")
        return self._seen.length(first_step)

    def _learn(self, place: EpochStep, rank: int | None) -> None:
        least = self._least_epoch
        self._least_epoch = place.epoch if least is None else min(least, place.epoch)
        self._zero |= place.step == 0
        self._full |= place.step == place.length
        self._seen.see(place.step, self._move(place, rank))

    def _move(self, place: EpochStep, rank: int | None) -> tuple[int, int] | None:
        """Return how far a line is from the farthest; None if it is not beyond that."""
        before = self._farthest.setdefault(rank, place)
        by_epochs, by_steps = place.epoch - before.epoch, place.step - before.step
        if (by_epochs, by_steps) <= (0, 0):
            return None
        self._farthest[rank] = place
        if by_epochs and by_steps <= 0:
            # A step that is logged twice, in two epochs, may be one of the training.
            self._held += 1
            self._within |= by_steps < 0 or self._held > 1
        return by_epochs, by_steps
