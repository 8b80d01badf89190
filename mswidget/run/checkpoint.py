"""Checkpoints in a run's folder: whole, or not there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

FOLDER = "checkpoint"

Save = Callable[[Path], object]
"""Writes what is trained to a file of that name."""


def check_save(save: object) -> None:
    """Raise ``TypeError`` unless ``save`` can be called."""
    if not callable(save):
        raise TypeError(
            "save must be a function that writes a checkpoint to the path it is given; "
            f"found {save!r}"
        )


def save_checkpoint(run: Path, step: int, save: Save) -> Path:
    """Have a checkpoint saved; returns its file, ``checkpoint/step_<step>.ckpt``.

    Raises
    ------
    FileNotFoundError
        When ``save`` has not written the file that it was given.
    """
    file = run / FOLDER / f"step_{step}.ckpt"
    file.parent.mkdir(exist_ok=True)
    fresh = file.with_name(f"unfinished_{file.name}")
    try:
        save(fresh)
        if not fresh.exists():
            raise FileNotFoundError(f"nothing was written to {fresh}")
        fresh.replace(file)
    finally:
        fresh.unlink(missing_ok=True)
    return file
