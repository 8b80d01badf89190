"""Writes ``tests/contract/bundle.json``: what a page is told, and what it holds."""

import base64
import json
import math
from pathlib import Path

from mswidget.widget.status import SILENCE, fresh_status, metric_info
from mswidget.widget.transport import Transport
from tests.page import Reader, RecorderPage, history_of, want
from tests.widget.extract_examples import named

FILE = Path(__file__).parents[1] / "contract" / "bundle.json"
NOW_S = 1_764_492_000.0
METRICS = ["损失/交叉熵", "学习率 <b>"]
HISTORIES = {
    "0.0": {METRICS[0]: [0.75, 0.5, math.nan], METRICS[1]: [None, 0.001]},
    "1.0": {METRICS[0]: [1.5, 1.25, 1.0, 0.875]},
}
ALERT = {
    "rule": "nan_loss",
    "step": 3,
    "wall_time_s": NOW_S + 2.5,
    "rank": 0,
    "severity": "error",
    "metric": METRICS[0],
    "message": "loss is NaN <script>",
    "advice": "检查学习率",
    "track": "0.0",
}
MARK = {
    "step": 3,
    "wall_time_s": NOW_S + 2.5,
    "kind": "alert",
    "text": "nan loss",
    "metric": METRICS[0],
    "track": "0.0",
}

COMMANDS = [
    {
        "kind": "ask_save",
        "state": "failed",
        "step": 3,
        "text": "OSError: 磁盘已满 <b>",
        "value": None,
    },
    {
        "kind": "ask_log_interval",
        "state": "waiting",
        "step": None,
        "text": "",
        "value": 10,
    },
]


def track(ident, run, step):
    """Return a track of one rank."""
    return {
        "id": ident,
        "run": run,
        "rank": 0,
        "stat": "",
        "label": run,
        "colour": int(ident[0]),
        "shown": True,
        "phase": "training",
        "step": step,
        "started_s": NOW_S,
        "last_value_s": NOW_S + step / 8,
        "steps_per_epoch": None,
        "samples_per_step": 32.0,
        "tokens_per_step": None,
        "odd": "",
        "note": "",
    }


def head():
    """Return a head with something of each kind."""
    times = dict.fromkeys(("phase_since_s", "started_s", "begun_s"), NOW_S)
    status = {**fresh_status(NOW_S), **times, "sent_s": NOW_S + 4, "phase": "training"}
    return {
        "run": {"name": "基线", "path": "logs/基线", "rank": 0, "attempt": "a1"},
        "status": {
            **status,
            "step": 3,
            "last_value_s": NOW_S + 2.5,
            "commands": COMMANDS,
        },
        "metrics": [metric_info(name) for name in METRICS],
        "marks": [MARK],
        "references": [{"metric": "loss", "value": 0.5, "label": "target"}],
        "alerts": [ALERT],
        "alert_count": 1,
        "notices": ["disk full <script>"],
        "tracks": [track("0.0", "基线", 3), track("1.0", "tuned", 4)],
        "silence": SILENCE,
    }


def example():
    """Return the traits, an ask, its answer, and what the page holds then."""
    histories = {
        ident: history_of(columns, start_s=NOW_S)
        for ident, columns in HISTORIES.items()
    }
    page, reader = RecorderPage(), Reader()
    page.readers.append(reader)
    transport = Transport(lambda: histories, page, head)
    ask = reader.ask(
        want(*METRICS, track="0.0"),
        want(METRICS[0], track="1.0", key="time"),
        track="0.0",
        summaries=[*METRICS, "none"],
    )
    transport.ask(ask)
    assert not transport.finish()
    ((content, buffers),) = page.sent
    _, extents, seq, extracts = page.kept[-1]
    return {
        "head": head(),
        "extents": extents,
        "seq": seq,
        "extracts": [found.header for found in extracts],
        "snapshot_base64": packed(b"".join(found.buffer for found in extracts)),
        "ask": ask,
        "message": content,
        "buffers_base64": [packed(buffer) for buffer in buffers],
        "curves": [
            {
                "track": of,
                "metric": metric,
                "keys": [*reader.points(metric, of)],
                "values": [named(v) for v in reader.points(metric, of).values()],
            }
            for of, metric in reader.curves
        ],
        "summaries": {
            metric: {name: named(number) for name, number in numbers.items()}
            for metric, numbers in reader.summaries.items()
        },
    }


def packed(buffer):
    """Return bytes as JSON can hold them."""
    return base64.b64encode(buffer).decode()


if __name__ == "__main__":
    text = json.dumps(example(), ensure_ascii=False, indent=1)
    FILE.write_text(text + "\n", encoding="utf-8")
