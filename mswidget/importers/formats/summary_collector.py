"""Files of MindSpore's SummaryCollector and SummaryRecord."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from mswidget.importers.formats import wire
from mswidget.importers.formats.event_file import EventFile, FileEvent, version_of
from mswidget.importers.formats.found import Format, Found, Note, Point
from mswidget.importers.formats.histogram import Histogram

_TAG, _SCALAR, _HISTOGRAM = 1, 3, 9
_BUCKET, _MAX, _MIN = 1, 5, 6
_LEFT, _WIDTH, _COUNT = 1, 2, 3
_QUANTILES = Note(
    "quantiles are taken from the buckets of SummaryCollector's histograms: all but "
    "min and max are estimates"
)


def read_event(event: FileEvent) -> Iterator[Found]:
    """Yield the scalars of an event, and the quantiles of its histograms."""
    values: dict[str, float] = {}
    for message in event.values:
        values |= _values(message)
    if any(name.startswith("weight_q/") for name in values):
        yield _QUANTILES
    if values:
        yield Point(event.step, values, wall_time_s=event.wall_time_s)


def _values(message: bytes) -> dict[str, float]:
    fields = dict(wire.fields(message))
    # SummaryCollector adds "/auto" to the names that it makes itself.
    tag = wire.text(fields.get(_TAG, b"")).removesuffix("/auto")
    if _SCALAR in fields:
        return {tag: wire.double(fields[_SCALAR])}
    if _HISTOGRAM not in fields:
        return {}
    histogram = _histogram(wire.message(fields[_HISTOGRAM]))
    return {f"weight_q/{tag}/{name}": v for name, v in histogram.quantiles()}


def _histogram(message: bytes) -> Histogram:
    buckets = []
    least = largest = 0.0
    for number, value in wire.fields(message):
        if number == _BUCKET:
            buckets.append(_bucket(wire.message(value)))
        elif number == _MIN:
            least = wire.double(value)
        elif number == _MAX:
            largest = wire.double(value)
    lefts, widths, counts = zip(*buckets, strict=True) if buckets else ((), (), ())
    rights = tuple(left + width for left, width in zip(lefts, widths, strict=True))
    return Histogram(lefts, rights, counts, least, largest)


def _bucket(message: bytes) -> tuple[float, float, float]:
    fields = dict(wire.fields(message))
    zero = b"\0" * 8
    left = wire.double(fields.get(_LEFT, zero))
    width = wire.double(fields.get(_WIDTH, zero))
    return left, width, float(wire.integer(fields.get(_COUNT, 0)))


def _sniff(sample: bytes, path: Path) -> bool:
    lineage = path.name.endswith("_lineage")
    return not lineage and version_of(sample).lower().startswith("mindspore")


SUMMARY_COLLECTOR = Format(
    "MindSpore summary file",
    "`events.out.events.summary.*_MS` of SummaryCollector or SummaryRecord",
    _sniff,
    lambda: EventFile(read_event),
)
