"""TensorBoard event files, by whichever library wrote them."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator

from mswidget.importers.formats import wire
from mswidget.importers.formats.event_file import EventFile, FileEvent, version_of
from mswidget.importers.formats.found import Format, Found, Note, Point
from mswidget.importers.formats.histogram import Histogram

_TAG, _SIMPLE, _HISTOGRAM, _TENSOR = 1, 2, 5, 8
_MIN, _MAX, _LIMITS, _COUNTS = 1, 2, 6, 7
_TYPE, _CONTENT, _FLOATS, _DOUBLES = 1, 4, 5, 6
_SIZES = {1: "<f", 2: "<d", 3: "<i", 9: "<q"}
_SAMPLES = re.compile(r"[ _]vs[ _]samples$")  # tensorboardX writes underscores
_NAMES = {
    "learning-rate": "lr",
    "grad-norm": "grad_norm",
    "loss-scale": "loss_scale",
    "batch-size": "batch_size",
    "lm loss": "loss",
    "lm-loss": "loss/lm",
    "mtp-loss": "loss/mtp",
    "load-balancing-loss": "loss/load_balancing",
    "indexer-loss": "loss/indexer",
    "model-flops-throughput-per-npu": "tflops_per_npu",
    "train/loss": "loss",
    "train/learning_rate": "lr",
    "train/grad_norm": "grad_norm",
}
_STEPS_OF_SAMPLES = Note(
    "tags `... vs samples` count samples: their steps are samples / batch-size"
)
_ALONE = Note(
    "tags `... vs samples` stand at their number of samples, not at a step: the file "
    "says no batch-size"
)


class TensorBoard:
    """Reads one file, event by event."""

    def __init__(self) -> None:
        self._batch_size = 0.0
        self._seen: set[str] = set()

    def __call__(self, event: FileEvent) -> Iterator[Found]:
        """Yield the scalars of an event, and the quantiles of its histograms."""
        values: dict[str, float] = {}
        for message in event.values:
            values |= _values(message)
        self._batch_size = values.get("batch_size", self._batch_size)
        plain = {n: v for n, v in values.items() if not _SAMPLES.search(n)}
        self._seen |= set(plain)
        if plain:
            yield Point(event.step, plain, wall_time_s=event.wall_time_s)
        by_samples = {n: v for n, v in values.items() if self._is_news(n)}
        if by_samples:
            yield from self._by_samples(event, by_samples)

    def _is_news(self, name: str) -> bool:
        plain = _SAMPLES.sub("", name)
        return plain != name and plain not in self._seen

    def _by_samples(
        self, event: FileEvent, values: dict[str, float]
    ) -> Iterator[Found]:
        step = event.step
        if self._batch_size > 0:
            step = round(step / self._batch_size)
            values = {_SAMPLES.sub("", n): v for n, v in values.items()}
            yield _STEPS_OF_SAMPLES
        else:
            yield _ALONE
        yield Point(step, values, wall_time_s=event.wall_time_s)


def _values(message: bytes) -> dict[str, float]:
    fields = dict(wire.fields(message))
    tag = _name(wire.text(fields.get(_TAG, b"")))
    if _SIMPLE in fields:
        return {tag: wire.double(fields[_SIMPLE])}
    if _TENSOR in fields:
        number = _number(wire.message(fields[_TENSOR]))
        return {} if number is None else {tag: number}
    if _HISTOGRAM not in fields:
        return {}
    histogram = _histogram(wire.message(fields[_HISTOGRAM]))
    return {f"{tag}/{name}": value for name, value in histogram.quantiles()}


def _name(tag: str) -> str:
    plain = _SAMPLES.sub("", tag)
    return _NAMES.get(plain, plain) + tag[len(plain) :]


def _number(message: bytes) -> float | None:
    """Return the number that a tensor is; None for text, and for several numbers."""
    fields = dict(wire.fields(message))
    layout = _SIZES.get(wire.integer(fields.get(_TYPE, 0)))
    held = next((fields[n] for n in (_CONTENT, _FLOATS, _DOUBLES) if n in fields), b"")
    if layout is None or not isinstance(held, bytes):
        return None
    if len(held) != struct.calcsize(layout):
        return None
    return float(struct.unpack(layout, held)[0])


def _histogram(message: bytes) -> Histogram:
    least = largest = 0.0
    limits: list[float] = []
    counts: list[float] = []
    for number, value in wire.fields(message):
        if number == _MIN:
            least = wire.double(value)
        elif number == _MAX:
            largest = wire.double(value)
        elif number in (_LIMITS, _COUNTS):
            column = limits if number == _LIMITS else counts
            column += _doubles(wire.message(value))
    size = min(len(limits), len(counts))
    lefts = (least, *limits[: max(size - 1, 0)])[:size]
    return Histogram(lefts, tuple(limits[:size]), tuple(counts[:size]), least, largest)


def _doubles(packed: bytes) -> tuple[float, ...]:
    return struct.unpack(f"<{len(packed) // 8}d", packed[: len(packed) // 8 * 8])


TENSORBOARD = Format(
    "TensorBoard event file",
    "`events.out.tfevents.*`: scalars; histograms as their quantiles",
    lambda sample, _path: version_of(sample).startswith("brain.Event"),
    lambda: EventFile(TensorBoard()),
)
