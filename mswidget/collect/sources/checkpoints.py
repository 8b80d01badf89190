"""The checkpoints that MindSpore's callback writes, as events."""

from __future__ import annotations

from mindspore.train import ModelCheckpoint

from mswidget.collect.sources.source import Source, Subject
from mswidget.collect.steps.moment import Moment

Saved = tuple[str, int]
"""A checkpoint's file, and ``cur_step_num`` when it was written."""


def checkpoints(subject: Subject) -> Source | None:
    """Watch every ``ModelCheckpoint`` of this training, and what is derived from it.

    One that stands behind the monitor has not written yet at the step's end: its
    checkpoint is seen at the next step's begin, or at the end of the training.
    """
    callbacks = subject.params.get("list_callback") or ()
    savers = [found for found in callbacks if isinstance(found, ModelCheckpoint)]
    if not savers:
        return None
    watch = _Watch(subject, savers)
    return Source(step_begin=watch.look, step_end=watch.look, end=watch.look_at_end)


class _Watch:
    def __init__(self, subject: Subject, savers: list[ModelCheckpoint]) -> None:
        self._event = subject.event
        self._savers = savers
        self._seen = [_saved(saver) for saver in savers]

    def look(self, moment: Moment) -> None:
        for index, saver in enumerate(self._savers):
            now = _saved(saver)
            if now != self._seen[index]:
                self._tell(index, now, moment)

    def look_at_end(self, moment: Moment) -> None:
        # A save that fails has its step and no file: here only a new file counts.
        for index, saver in enumerate(self._savers):
            now = _saved(saver)
            if now[0] != self._seen[index][0]:
                self._tell(index, now, moment)

    def _tell(self, index: int, now: Saved, moment: Moment) -> None:
        self._seen[index] = now
        file, at = now
        self._event("checkpoint", moment.number(at), file=str(file))


def _saved(saver: ModelCheckpoint) -> Saved:
    # By a prefix of his own a user may write the same file again and again: then
    # only the step tells.
    return saver.latest_ckpt_file_name, saver._last_triggered_step  # noqa: SLF001
