"""The checkpoints that MindSpore's callback writes, as events."""

from __future__ import annotations

from mindspore.train import ModelCheckpoint

from mswidget.collect.source import Source, Subject

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
    return Source(
        lambda params: {},  # noqa: ARG005
        step_begin=lambda params: watch.look(),  # noqa: ARG005
        step_end=lambda steps, params: watch.look(),  # noqa: ARG005
        # A save that fails has its step and no file: here only a new file counts.
        end=lambda params: watch.look(rewritten=False),  # noqa: ARG005
    )


class _Watch:
    def __init__(self, subject: Subject, savers: list[ModelCheckpoint]) -> None:
        self._subject = subject
        self._savers = savers
        self._seen = [_saved(saver) for saver in savers]

    def look(self, *, rewritten: bool = True) -> None:
        for index, saver in enumerate(self._savers):
            now, before = _saved(saver), self._seen[index]
            if now[0] != before[0] or (rewritten and now != before):
                self._seen[index] = now
                self._tell(*now)

    def _tell(self, file: str, at: int) -> None:
        step = self._subject.step({"cur_step_num": at})
        self._subject.event("checkpoint", step, file=str(file))


def _saved(saver: ModelCheckpoint) -> Saved:
    # By a prefix of his own a user may write the same file again and again: then
    # only the step tells.
    return saver.latest_ckpt_file_name, saver._last_triggered_step  # noqa: SLF001
