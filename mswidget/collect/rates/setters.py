"""Who else may set the learning rate, and when it has to be read therefore."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mindspore.train import Callback

_SETTERS = {"LearningRateScheduler", "ReduceLROnPlateau", "LambdaCallback"}
_BEGIN = ("step_begin", "on_train_step_begin")
_END = ("step_end", "on_train_step_end")


def may_be_set(callbacks: Iterable[object]) -> bool:
    """Say whether a callback may set the learning rate: some do, a user's may."""
    return any(map(_may_set, callbacks))


def set_late(callbacks: Sequence[object]) -> bool:
    """Say whether a callback behind the monitor may set the rate at a step's begin."""
    _, behind = _around(callbacks)
    return any(_may_set(callback) and _uses(callback, _BEGIN) for callback in behind)


def set_early(callbacks: Sequence[object]) -> bool:
    """Say whether a callback before the monitor may set it at a step's end."""
    before, _ = _around(callbacks)
    return any(_may_set(callback) and _uses(callback, _END) for callback in before)


def _around(callbacks: Sequence[object]) -> tuple[Sequence[object], Sequence[object]]:
    """Split before the last, and behind the first monitor: there may be several."""
    ours = [i for i, callback in enumerate(callbacks) if _is_ours(callback)]
    if not ours:
        return callbacks, ()
    return callbacks[: ours[-1]], callbacks[ours[0] + 1 :]


def _may_set(callback: object) -> bool:
    kind = type(callback)
    ours_or_stock = kind.__module__.startswith(("mindspore.", "mswidget."))
    return kind.__name__ in _SETTERS or not ours_or_stock


def _is_ours(callback: object) -> bool:
    return type(callback).__module__.startswith("mswidget.")


def _uses(callback: object, hooks: Iterable[str]) -> bool:
    """Say whether a callback has a hook of its own, maybe one given to it."""
    own = vars(callback)
    return any(
        hook in own
        or getattr(type(callback), hook, None) is not getattr(Callback, hook)
        for hook in hooks
    )
