"""Logs of MindFormers' graph-mode trainer: MFLossMonitor, TrainingStateMonitor."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

from mswidget.importers.formats.found import (
    EpochStep,
    Fact,
    Found,
    Happening,
    Number,
    Point,
)
from mswidget.importers.formats.lines import format_of, numbers

_PLACE = r"Epoch:\[\s*(\d{1,9})/\s*(\d{1,9})\], step:\[\s*(\d{1,9})/\s*(\d{1,9})\]"
_STEP = re.compile(rf"{_PLACE}, (.*)")
_STATE = re.compile(rf"{_PLACE} ([^:]+): (.*)")
_PART = re.compile(r"([A-Za-z_ ]+):\s*(\[[^\]]*\]|[^,\s]+)")
_SINK = re.compile(r"Per sink_size step time: [\d.]+ ms, per step time: ([\d.]+) ms")
_BAR = re.compile(r"%\s+\|[^|]*\|\s+([\d.]+) samples/s/p")
_GROUP = re.compile(r"\b(group_\d+)_lr: ([-+.\deE]+)")
_DEFAULT = re.compile(r"\bdefault_lr: ([-+.\deE]+)")
_SPIKE = re.compile(r"Current global norm (\S+) of step (\d{1,15}) has been")
_STAGES = re.compile(r"pipeline stages: (\d{1,9}) > 1, the loss on the last card")
_ZERO_BUBBLE = re.compile("When zero_bubble_v is enabled, loss is valid only on rank 0")
_MARKS = re.compile(
    r"Epoch:\[|Per sink_size|samples/s/p|_lr: |global norm|pipeline stages|skip"
    r"|zero_bubble_v"
)
_OWN = re.compile(r"skip_data_grad_norm_threshold:|dataset skip \d+ steps")
_NAMES = {
    "lm_loss": "loss/lm",
    "load_balancing_loss": "loss/load_balancing",
    "mtp_loss": "loss/mtp",
    "indexer_loss": "loss/indexer",
    "per_step_time": "step_time_ms",
    "overflow cond": "overflow",
    "global_norm": "grad_norm",
    "train_throughput_per_npu": "tflops_per_npu",
}
_TIMES = {"time", "step_time_ms"}
_SECONDS = re.compile(r"[\d.]+s")

_Read = Callable[[re.Match[str]], list[Found]]


class MindFormers:
    """Reads one log, line by line."""

    def __init__(self) -> None:
        self._at: EpochStep | None = None
        self._micro: Counter[str] = Counter()
        self._told: tuple[str, ...] = ()
        self._kinds: tuple[tuple[re.Pattern[str], _Read], ...] = (
            (_STEP, self._step_line),
            (_BAR, self._bar),
            (_SINK, self._sink),
            (_STATE, self._state),
            (_GROUP, self._group),
            (_DEFAULT, self._default),
            (_SPIKE, self._spike),
            (_STAGES, self._stages),
            (_ZERO_BUBBLE, self._zero_bubble),
            (_OWN, self._own),
        )

    def __call__(self, line: str) -> Sequence[Found] | None:
        """Return what a line says; None when it is none of these."""
        if not _MARKS.search(line):
            return None
        for pattern, read in self._kinds:
            match = pattern.search(line)
            if match is not None:
                return read(match)
        return None

    def _place(self, epochs: Sequence[str]) -> list[Found]:
        epoch, total_epochs, step, in_epoch = map(int, epochs)
        now = EpochStep(epoch, step, in_epoch)
        if now != self._at:
            self._micro.clear()
        self._at = now
        if self._told == tuple(epochs[1::2]):
            return []
        self._told = tuple(epochs[1::2])
        known = {
            "total_epochs": total_epochs,
            "steps_per_epoch": in_epoch,
            "total_steps": total_epochs * in_epoch,
        }
        return [Fact(known)]

    def _point(self, values: dict[str, float | Number]) -> list[Found]:
        return [Point(self._at, values)] if values and self._at else []

    def _state(self, match: re.Match[str]) -> list[Found]:
        *place, tag, value = match.groups()
        facts = self._place(place)
        if tag.startswith("micro_local_"):
            # One line a micro batch, all of them with one tag.
            self._micro[tag] += 1
            tag = f"{tag}/{self._micro[tag]}"
        return facts + self._point(numbers({tag: value}))

    def _step_line(self, match: re.Match[str]) -> list[Found]:
        *place, rest = match.groups()
        before = self._at
        facts = self._place(place)
        values = _parts(rest)
        if "time" in values:
            # With a data sink, it is that of all steps since the line before.
            after = before.step + 1 if before and before.epoch == int(place[0]) else 1
            alone = int(place[2]) <= after
            name = "step_time_ms" if alone else "sink_time_ms"
            values[name] = values.pop("time")
        return facts + self._point(values)

    def _bar(self, match: re.Match[str]) -> list[Found]:
        return self._point(numbers({"samples_per_s": match[1]}))

    def _sink(self, match: re.Match[str]) -> list[Found]:
        return self._point(numbers({"step_time_ms": match[1]}))

    def _group(self, match: re.Match[str]) -> list[Found]:
        return self._point(numbers({f"lr/{match[1]}": match[2]}))

    def _default(self, match: re.Match[str]) -> list[Found]:
        return self._point(numbers({"lr/default": match[1]}))

    def _spike(self, match: re.Match[str]) -> list[Found]:
        fields = {"detail": f"global norm {match[1]} is above the threshold"}
        return [Happening("skipped", int(match[2]), fields)]

    def _stages(self, match: re.Match[str]) -> list[Found]:
        return [Fact({"pipeline_stages": int(match[1])})]

    def _zero_bubble(self, _match: re.Match[str]) -> list[Found]:
        return [Fact({"pipeline_scheduler": "zero_bubble_v"})]

    def _own(self, _match: re.Match[str]) -> list[Found]:
        return []


def _parts(text: str) -> dict[str, float | Number]:
    parts = {name.strip(): value for name, value in _PART.findall(text)}
    current, _, mean = parts.pop("loss", "").partition("/")
    texts = {"loss": current, "loss_epoch_mean": mean}
    texts |= {_NAMES.get(name, name): value for name, value in parts.items()}
    values = numbers(texts)
    for name in _TIMES & {*values}:
        if _SECONDS.fullmatch(texts[name]):
            values[name] = round(1000 * float(values[name]), 9)
    return values


MINDFORMERS = format_of(
    "MindFormers log",
    "lines `{ Epoch:[  1/  2], step:[    5/  100], loss: 1.659948, ...`: "
    "`info.log` of a rank, or `worker_<r>.log` of msrun",
    MindFormers,
)
