"""A page without a browser: it asks, and holds what the kernel sends."""

import base64
import json
import re

import numpy as np

from mswidget.records.history import History
from mswidget.records.record import Record
from tests.widget.extracts import Client

NUMBERS = [
    *("newest", "newest_step", "best", "best_step", "first", "median", "change"),
    *("nan", "above", "below"),
]


class RecorderPage:
    """Keeps what a `Transport` sends to all pages."""

    def __init__(self):
        self.sent = []
        self.kept = []
        self.readers = []

    def send(self, content, buffers=None):
        self.sent.append((content, buffers or []))
        for reader in self.readers:
            reader.hear(content, buffers or [])

    def keep(self, head, extents, seq, extracts):
        self.kept.append((head, extents, seq, extracts))

    def messages(self, kind):
        """Return all messages of a kind."""
        bundles = [content["messages"] for content, _ in self.sent]
        return [m for bundle in bundles for m in bundle if m["kind"] == kind]

    def sizes(self):
        """Return the size of each message in bytes."""
        return [
            len(json.dumps(content)) + sum(map(len, buffers))
            for content, buffers in self.sent
        ]


class Reader:
    """One page: what it has asked, and what it holds."""

    def __init__(self, name="p"):
        self.name = name
        self.asked = 0
        self.seq = 0
        self.id = ""
        self.lists = {}
        self.status = None
        self.curves = {}
        self.ends = {}
        self.summaries = {}
        self.summarised = {}
        self.whole = False
        self.gap = False

    def ask(self, *wants, track="", summaries=(), again=False):
        """Return an ask; ``again`` only says that the page is still there."""
        after, self.asked = self.id, self.asked + (not again)
        self.id = f"{self.name}{self.asked}"
        self.whole &= again
        self.summarised[self.id] = list(summaries)
        return {
            "kind": "ask_view",
            "id": self.id,
            "after": "" if self.gap else after,
            "page": self.name,
            "wants": list(wants),
            "track": track,
            "summaries": self.summarised[self.id],
        }

    def hear(self, content, buffers):
        """Take a message of the kernel in."""
        buffers = iter(buffers)
        for message in content["messages"]:
            if message["kind"] == "news":
                self._hear_news(message)
                continue
            buffer = next(buffers)
            if message["page"] == self.name:
                hear = {"view": self._hear_view, "summaries": self._hear_summaries}
                hear[message["kind"]](message, buffer)
        assert next(buffers, None) is None

    def _hear_news(self, news):
        self.status = news["status"]
        for part in news["parts"]:
            items = self.lists.setdefault(part["name"], [])
            items += [None] * (part["start"] + len(part["items"]) - len(items))
            items[part["start"] : part["start"] + len(part["items"])] = part["items"]
            del items[part["length"] :]

    def _hear_view(self, view, buffer):
        self.gap |= view["seq"] != self.seq + 1
        self.seq = view["seq"]
        self.whole |= view["whole"] and view["id"] == self.id
        at = 0
        for header in view["extracts"]:
            stop = at + 8 * width(header) * sum(p["count"] for p in header["pieces"])
            key = (header["track"], header["metric"])
            self.curves.setdefault(key, Client()).take(header, buffer[at:stop])
            at = stop
        assert at == len(buffer)
        for end in view["ends"]:
            self.ends[end["track"], end["key"]] = end["end"]

    def _hear_summaries(self, message, buffer):
        metrics = self.summarised[message["id"]]
        columns = np.frombuffer(buffer, "<f8").reshape(len(NUMBERS), -1)
        for metric, numbers in zip(metrics, columns.T.tolist(), strict=True):
            self.summaries[metric] = dict(zip(NUMBERS, numbers, strict=True))

    def points(self, metric="loss", track=""):
        """Return {key: value} of a curve that is there one by one."""
        pieces = self.curves[track, metric].pieces.values()
        return {p["keys"]: p["values"] for _, points in pieces for p in points}


def width(header):
    """Return how many columns an extract has."""
    common = (header["key"] != "step") + bool(header["weight"])
    if header["level"] is None:
        return 2 + common
    return 6 + common + 3 * header["nonfinite"]


def want(*metrics, **more):
    """Return what a page wants by default: all of it, by steps."""
    return {
        "track": "",
        "metrics": list(metrics or ["loss"]),
        "key": "step",
        "begin": None,
        "end": None,
        "level": 0,
        "points": 2000,
        "weight": 0,
        **more,
    }


def saved_page_of(text):
    """Return what a page by itself says, and {(track, metric): values} of its rows."""
    found = dict(re.findall(r'id="mswidget-(\w+)">([^<]*)</', text))
    page = json.loads(found["state"])
    numbers = np.frombuffer(base64.b64decode(found["numbers"]), "<f8")
    values, at = {}, 0
    for track in page["tracks"]:
        rows = track["rows"]
        at += 4 * rows
        for column in track["columns"]:
            count = column["count"]
            at += count if count < rows else 0
            held = numbers[at : at + count]
            values[track["id"], column["metric"]] = held.tolist()
            at += count
        for header in track["extracts"]:
            size = width(header) * sum(piece["count"] for piece in header["pieces"])
            client = Client()
            client.take(header, numbers[at : at + size].tobytes())
            values[track["id"], header["metric"], header["key"]] = client
            at += size
    assert at == len(numbers)
    return page, values


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
