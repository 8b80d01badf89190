"""A page without a browser: it keeps and decodes what the kernel sends."""

import numpy as np

from mswidget.records.history import History
from mswidget.records.record import Record


class RecorderPage:
    """Keeps what a `Transport` sends."""

    def __init__(self):
        self.messages = []
        self.buffers = []
        self.kept = []

    def send(self, content, buffers=None):
        self.messages.append(content)
        self.buffers += buffers or []

    def keep(self, head, seq, block, buffer):
        self.kept.append((head, seq, block, buffer))

    @property
    def blocks(self):
        return [message["block"] for message in self.messages]

    def points(self, metric):
        """Return {row: value} of a metric from all messages."""
        found = {}
        for block, buffer in zip(self.blocks, self.buffers, strict=True):
            found |= decode(block, buffer).get(metric, {})
        return found


def decode(block, buffer):
    """Return {metric: {row: value}}, and the columns of the rows under ``""``."""
    numbers = iter(np.frombuffer(buffer, "<f8").tolist())
    count = block["count"]

    def take(n):
        return [next(numbers) for _ in range(n)]

    rows, steps, epochs, wall_times_s = (take(count) for _ in range(4))
    rows = list(map(int, rows))
    found = {"": {"rows": rows, "steps": steps, "epochs": epochs, "s": wall_times_s}}
    for column in block["columns"]:
        n = column["count"]
        at = range(count) if n == count else map(int, take(n))
        found[column["metric"]] = dict(zip([rows[i] for i in at], take(n), strict=True))
    assert next(numbers, None) is None
    return found


def history_of(columns, *, start_s=1.7e9):
    """Return a history from {metric: values}; None stands for no value."""
    history = History()
    length = max(map(len, columns.values()), default=0)
    history.extend(
        Record(
            step=row + 1,
            wall_time_s=start_s + row / 8,
            rank=0,
            attempt="a1",
            values={
                name: values[row]
                for name, values in columns.items()
                if row < len(values) and values[row] is not None
            },
        )
        for row in range(length)
    )
    return history
