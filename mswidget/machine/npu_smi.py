"""What ``npu-smi`` prints, as numbers. What it does not know is left out, never 0."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress

Address = tuple[int, int]
"""A chip's "NPU ID" and "Chip ID", as ``npu-smi`` wants them."""

_METRICS = {
    "AICore(%)": "npu_aicore_pct",
    "Aicore Usage Rate(%)": "npu_aicore_pct",
    "HBM Bandwidth Usage Rate(%)": "npu_hbm_bandwidth_pct",
    "HBM-Usage(MB)": "npu_hbm_used_mb",
    "Memory-Usage(MB)": "npu_memory_used_mb",
    "Power(W)": "npu_power_w",
    "Temp(C)": "npu_temperature_c",
}


def parse_info(text: str) -> dict[Address, dict[str, float]]:
    """Return what ``npu-smi info`` says of each chip, by metric name, in its order.

    A chip has two rows, and the columns of each follow from the two rows of the head:
    they differ by version. The table of processes below is left alone.

    Raises
    ------
    ValueError
        When there is no such table.
    """
    head, _, body = text.partition("+=")
    names = [_words(line) for line in head.splitlines() if line.startswith("|")][-2:]
    chips: dict[Address, dict[str, float]] = {}
    rows = _rows(body, len(names[-1]) if names else 0)
    for npu, chip in zip(rows, rows, strict=False):
        address = int(npu[0][0]), int(chip[0][0])
        chips[address] = _values(names[0], npu) | _values(names[1], chip)
    if not chips:
        raise ValueError("npu-smi info printed no table of chips")
    return chips


def parse_usages(text: str) -> dict[str, float]:
    """Return what ``npu-smi info -t usages`` says of one chip, by metric name.

    Raises
    ------
    ValueError
        When it says nothing that is known, or speaks of several chips.
    """
    pairs = [line.partition(":")[::2] for line in text.splitlines()]
    known = [(key.strip(), value) for key, value in pairs if key.strip() in _METRICS]
    values = dict(filter(None, (_value(*pair) for pair in known)))
    if not values or len(known) > len({key for key, _ in known}):
        raise ValueError("npu-smi info -t usages printed no usages of one chip")
    return values


def parse_map(text: str) -> dict[int, Address]:
    """Return what ``npu-smi info -m`` says: the chip of each logic ID.

    Chips that do not compute have none.
    """
    numbers = [line.split()[:3] for line in text.splitlines()]
    rows = [row for row in numbers if len(row) == 3 and all(map(str.isdecimal, row))]  # noqa: PLR2004 - NPU, chip, logic ID
    return {int(logic): (int(npu), int(chip)) for npu, chip, logic in rows}


def _rows(body: str, cells: int) -> Iterator[list[list[str]]]:
    """Yield the rows of the first table: as many cells as its head, numbers first."""
    for line in body.splitlines():
        if line.startswith("|"):
            row = _words(line)
            if len(row) != cells or not (row and row[0] and row[0][0].isdecimal()):
                return
            yield row


def _words(line: str) -> list[list[str]]:
    """Return the words of each cell; used and total amounts are one word."""
    return [re.sub(r"\s*/\s*", "/", cell).split() for cell in line.split("|")[1:-1]]


def _values(names: list[list[str]], row: list[list[str]]) -> dict[str, float]:
    # A cell whose words do not match its head cannot be told apart.
    cells = [pair for pair in zip(names, row, strict=True) if _same_length(*pair)]
    pairs = [pair for cell in cells for pair in zip(*cell, strict=True)]
    values = (_value(name, word) for name, word in pairs if name in _METRICS)
    return dict(filter(None, values))


def _same_length(names: list[str], words: list[str]) -> bool:
    return len(names) == len(words)


def _value(name: str, word: str) -> tuple[str, float] | None:
    """Return the metric and its value; None for a ``-`` and for memory of size 0."""
    used, _, total = word.partition("/")
    with suppress(ValueError):
        if not total or float(total) > 0:
            return _METRICS[name], float(used)
    return None
