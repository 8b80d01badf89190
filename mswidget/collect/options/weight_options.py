"""What a user wants to know of weights and gradients."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

INTERVAL = 50
SHARE = 0.01


@dataclass(frozen=True)
class WeightOptions:
    """What a user wants to know of weights and gradients; see `TrainMonitor`."""

    watch: bool | str | Sequence[str] = True
    interval: int | None = None
    gradients: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.watch, bool) and not _are_patterns(self.watch):
            raise ValueError(
                f"watch={self.watch!r}: expected patterns of parameter names such as "
                "'*.attention.*' or a list of them, True for a choice, or False to "
                "watch none"
            )
        given = self.interval is not None
        if given and (type(self.interval) is not int or self.interval < 1):
            raise ValueError(
                f"watch_interval={self.interval!r}: expected a whole number of steps, "
                "at least 1, or None to choose"
            )
        if not isinstance(self.gradients, bool):
            raise ValueError(  # noqa: TRY004 - as for the other options
                f"watch_gradients={self.gradients!r}: expected True or False"
            )

    @property
    def share(self) -> float:
        """The most of the time that it may take.

        Clocks of ranks differ, and all of them have to ask for the same gradients.
        """
        return SHARE if self.interval is None and not self.gradients else 1.0


def _are_patterns(chosen: object) -> bool:
    if not isinstance(chosen, Sequence) or not chosen:
        return False
    return all(isinstance(pattern, str) for pattern in chosen)
