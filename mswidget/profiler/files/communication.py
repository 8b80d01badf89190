"""communication.json and communication_matrix.json -> rows of text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import isclose, nan
from typing import Any

Rows = Iterator[dict[str, str]]

# It sums up the others: adding it would count everything twice.
_SUM = "Total Op Info"
_SAMPLE = re.compile(r"(.+)-(total|top\d*|middle|bottom\d*)$")
# What goes over these goes by SDMA: the profiler writes it there a second time.
_BY_SDMA = ("HCCS", "PCIE", "SIO")


def op_rows(content: Any) -> Rows:  # noqa: ANN401 - JSON
    """Yield one row an operator of a step: when, and where its time went."""
    for keys, name, op in _ops(content):
        yield keys | {"op_name": name} | _texts(op["Communication Time Info"])


def bandwidth_rows(content: Any) -> Rows:  # noqa: ANN401 - JSON
    """Yield one row an operator and transport: size, time, bandwidth.

    ``SDMA`` is left out where it sums up the others.
    """
    for keys, name, op in _ops(content):
        for transport, numbers in _transports(op["Communication Bandwidth Info"]):
            names = {"op_name": name, "transport_type": transport}
            yield keys | names | _texts(numbers)


def packet_rows(content: Any) -> Rows:  # noqa: ANN401 - JSON
    """Yield one row an operator, transport and size of packet: how many, how long."""
    for keys, name, op in _ops(content):
        for transport, numbers in _transports(op["Communication Bandwidth Info"]):
            sizes = numbers.get("Size Distribution") or {}
            for size, (count, duration) in sizes.items():
                yield keys | {
                    "op_name": name,
                    "transport_type": transport,
                    "packet_size(MB)": size,
                    "count": str(count),
                    "total_time(ms)": str(duration),
                }


def matrix_rows(content: Any) -> Rows:  # noqa: ANN401 - JSON
    """Yield one row an operator and pair of ranks, without what `sample_rows` has."""
    for op, sample, row in _links(content):
        if sample in {"", "total"}:
            yield row | {"op": op}


def sample_rows(content: Any) -> Rows:  # noqa: ANN401 - JSON
    """Yield the operators that the file picks out: the largest, smallest, middle one.

    Each is a part of its ``total``, too.
    """
    for op, sample, row in _links(content):
        if sample not in {"", "total"}:
            yield row | {"op": op, "sample": sample}


def _links(content: Any) -> Iterator[tuple[str, str, dict[str, str]]]:  # noqa: ANN401
    """Yield operator, sample, and the rest of each row."""
    for keys, op, links in _ops(content):
        match = _SAMPLE.match(op)
        for pair, numbers in links.items():
            source, _, target = pair.partition("-")
            ranks = {"src_in_group": source, "dst_in_group": target}
            row = keys | ranks | _texts(numbers)
            yield (match[1], match[2], row) if match else (op, "", row)


def _ops(
    content: Any,  # noqa: ANN401 - JSON
) -> Iterator[tuple[dict[str, str], str, dict[str, Any]]]:
    """Yield step, kind and group of each operator, its name, and what is said of it."""
    for step, kinds in content.items():
        for kind, ops in kinds.items():
            for op, numbers in ops.items():
                name, _, group = op.partition("@")
                if name != _SUM:
                    yield _keys(step, kind) | {"group": group}, name, numbers


def _transports(
    bandwidths: dict[str, Any],
) -> Iterator[tuple[str, dict[str, Any]]]:
    parts = sum(_size(bandwidths[name]) for name in _BY_SDMA if name in bandwidths)
    for transport, numbers in bandwidths.items():
        if transport != "SDMA" or not isclose(_size(numbers), parts, rel_tol=1e-6):
            yield transport, numbers


def _size(numbers: dict[str, Any]) -> float:
    try:
        return float(numbers["Transit Size(MB)"])
    except (KeyError, TypeError, ValueError):
        return nan  # equal to nothing: it repeats no other


def _keys(step: str, kind: str) -> dict[str, str]:
    # Without a schedule the key is "step" alone.
    return {"step": step.removeprefix("step"), "kind": kind}


def _texts(numbers: dict[str, Any]) -> dict[str, str]:
    return {key: str(n) for key, n in numbers.items() if not isinstance(n, dict)}
