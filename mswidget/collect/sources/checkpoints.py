"""The checkpoints that MindSpore's callback writes, as events."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mindspore.train import ModelCheckpoint
from typing_extensions import Self, override

from mswidget.collect.sources.source import Source, Subject
from mswidget.collect.steps.progress import Progress

Saved = tuple[str, int]
"""A checkpoint's file, and ``cur_step_num`` when it was written."""


class Checkpoints(Source):
    """Watches every ``ModelCheckpoint`` of a training, and what is derived from it.

    One that stands behind the monitor has not written yet at the step's end: its
    checkpoint is seen at the next step's begin, or at the end of the training.

    Parameters
    ----------
    savers
        The callbacks that write them.
    event
        Is told of each.
    """

    def __init__(
        self, savers: Sequence[ModelCheckpoint], event: Callable[..., None]
    ) -> None:
        self._savers = savers
        self._event = event
        self._seen = [_saved(saver) for saver in savers]

    @classmethod
    def of(cls, subject: Subject) -> Self | None:
        """Watch those of a training, if there are any."""
        callbacks = subject.params.get("list_callback") or ()
        savers = [each for each in callbacks if isinstance(each, ModelCheckpoint)]
        return cls(savers, subject.event) if savers else None

    @override
    def step_begin(self, progress: Progress) -> None:
        self._look(progress)

    @override
    def step_end(self, progress: Progress) -> None:
        self._look(progress)

    @override
    def end(self, progress: Progress) -> None:
        # A save that fails has its step and no file: here only a new file counts.
        for index, saver in enumerate(self._savers):
            now = _saved(saver)
            if now[0] != self._seen[index][0]:
                self._tell(index, now, progress)

    def _look(self, progress: Progress) -> None:
        for index, saver in enumerate(self._savers):
            now = _saved(saver)
            if now != self._seen[index]:
                self._tell(index, now, progress)

    def _tell(self, index: int, now: Saved, progress: Progress) -> None:
        self._seen[index] = now
        file, at = now
        self._event("checkpoint", progress.number(at), file=str(file))


def _saved(saver: ModelCheckpoint) -> Saved:
    # By a prefix of his own a user may write the same file again and again: then
    # only the step tells.
    return saver.latest_ckpt_file_name, saver._last_triggered_step  # noqa: SLF001
