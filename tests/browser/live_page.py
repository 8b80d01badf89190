"""A live page in Chromium, fed by the real `Transport`: no Jupyter between them."""

import base64
import shutil
import time
from contextlib import contextmanager

import numpy as np
from playwright.sync_api import sync_playwright

from mswidget.records.history import History, Rows
from mswidget.widget.status import fresh_status, metric_info
from mswidget.widget.transport import Transport
from tests.browser.server import REPOSITORY

STATIC = REPOSITORY / "mswidget" / "widget" / "static"
ADDRESS = "http://127.0.0.1"
HTML = "<!doctype html><style>body{margin:8px}</style><body></body>"
# What the widget knows of a Jupyter model: traits, messages, and Plotly's asset.
MODEL = """async ({ traits, plotly }) => {
    const bytes = (text) => {
        const raw = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
        return new DataView(raw.buffer);
    };
    const asset = { get: () => bytes(plotly) };
    const heard = [];
    const model = {
        widget_manager: { get_model: async () => asset },
        get: (name) => name === "kept_1"
            ? { extracts: traits.extracts, buffer: bytes(traits.snapshot) }
            : traits[name] ?? {},
        on: (event, hear) => event === "msg:custom" && heard.push(hear),
        off: () => {},
        send: (ask) => window.asks.push(ask),
    };
    window.asks = [];
    window.hear = (messages) => {
        for (const [content, buffers] of messages)
            for (const hear of heard) hear(content, buffers.map(bytes));
        return window.asks.splice(0);
    };
    const link = Object.assign(document.createElement("link"),
        { rel: "stylesheet", href: "/widget.css" });
    document.head.append(link);
    const widget = (await import("/widget.js")).default();
    const { signal } = new AbortController();
    await widget.initialize({ model, signal });
    await widget.render({ model, el: document.body, signal });
}"""


class LivePage:
    """One widget in a page, and the history behind it.

    Parameters
    ----------
    page
        Playwright's.
    columns
        Makes the values of each metric from an array of rows.
    rows
        So many there are before the page opens.

    Its ``news`` replace parts of the head.
    """

    def __init__(self, page, columns, rows):
        self.page = page
        self.columns = columns
        self.history = History()
        self.news = {}
        self.sent = []
        self.count = 0
        self.log(rows)
        self.traits = {}
        self.transport = Transport(lambda: {"": self.history}, self, self.head)
        self.transport._keep()
        page.route("**/*", _serve)
        self.open()

    def open(self):
        """Open the page, or load it again."""
        self.page.goto(ADDRESS)
        plotly = base64.b64encode((STATIC / "plotly.js.gz").read_bytes()).decode()
        self.page.evaluate(MODEL, {"traits": self.traits, "plotly": plotly})

    def send(self, content, buffers=None):
        coded = [base64.b64encode(buffer).decode() for buffer in buffers or []]
        self.sent.append([content, coded])
        self.count += 1

    def keep(self, head, extents, seq, extracts):
        buffer = b"".join(extract.buffer for extract in extracts)
        self.traits = {
            "asset": "",
            "companion": "",
            "head": head,
            "extents": extents,
            "seq": seq,
            "extracts": [extract.header for extract in extracts],
            "snapshot": base64.b64encode(buffer).decode(),
        }

    def log(self, count):
        """Append rows."""
        start = len(self.history)
        at = np.arange(count)
        metrics = {
            name: (at, values(start + at)) for name, values in self.columns.items()
        }
        self.history.append(
            Rows(
                start=0,
                stop=count,
                steps=start + at + 1.0,
                epochs=np.floor((start + at) / 1000),
                wall_times_s=1.7e9 + (start + at) / 50,
                attempts=np.zeros(count, np.int64),
                attempt_names=("a1",),
                metrics=metrics,
            )
        )

    def tick(self):
        """Let kernel and page hear each other."""
        self.transport.tick()
        self.exchange()

    def exchange(self):
        asks = self.page.evaluate("(messages) => window.hear(messages)", self.sent)
        self.sent = []
        for ask in asks:
            if ask["kind"] == "ask_view":
                self.transport.ask(ask)
            if ask["kind"] == "ask_head":
                self.transport.tell_again()
        self.transport.hear()

    def live(self, seconds, rows_a_tick, every_s=0.1):
        """Train for so long."""
        end_s = time.monotonic() + seconds
        next_s = time.monotonic()
        while time.monotonic() < end_s:
            self.log(rows_a_tick)
            self.tick()
            next_s += every_s
            self.page.wait_for_timeout(max(0, next_s - time.monotonic()) * 1000)

    def until_whole(self, limit_s=20):
        """Let them talk until all that is seen is here; return how long it took."""
        return self.until("() => document.querySelector('[data-whole=true]')", limit_s)

    def until(self, condition, limit_s=20):
        """Let them talk until the page says so; return how long it took."""
        began_s = time.monotonic()
        while not self.page.evaluate(f"(arg) => Boolean(({condition})(arg))"):
            assert time.monotonic() < began_s + limit_s, condition
            self.tick()
            self.page.wait_for_timeout(10)
        return time.monotonic() - began_s

    def head(self):
        status = fresh_status(time.time())
        rows = len(self.history)
        status |= {
            "phase": "training",
            "step": rows,
            "sent_s": time.time(),
            "last_value_s": time.time(),
        } | self.news.get("status", {})
        return {
            "run": {"name": "bench", "path": "bench", "rank": 0, "attempt": "a1"},
            "status": status,
            "metrics": [metric_info(name) for name in self.columns],
            "marks": [],
            "references": [],
            "alerts": [],
            "alert_count": 0,
            "notices": [],
            "tracks": [_track(rows)],
            "silence": {"rank_s": 60, "step_times": 3, "step_s": 5, "kernel_s": 10},
            **{name: part for name, part in self.news.items() if name != "status"},
        }


def _track(rows):
    return {
        "id": "",
        "run": "bench",
        "rank": 0,
        "stat": "",
        "label": "bench",
        "colour": 0,
        "shown": True,
        "phase": "training",
        "step": rows,
        "started_s": 1.7e9,
        "last_value_s": None,
        "steps_per_epoch": None,
        "samples_per_step": None,
        "tokens_per_step": None,
        "odd": "",
        "note": "",
    }


def _serve(route):
    name = route.request.url.removeprefix(ADDRESS).strip("/")
    if not name:
        route.fulfill(body=HTML, content_type="text/html")
    elif (STATIC / name).exists():
        route.fulfill(path=STATIC / name)
    else:
        route.fulfill(status=404)


@contextmanager
def opened(*, width=1400, height=2000):
    """Yield a page of Chromium."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=["--no-sandbox", "--disable-gpu"],
        )
        yield browser.new_page(viewport={"width": width, "height": height})
        browser.close()


def noise(i):
    """Return what makes the values of the i-th metric."""

    def values(at):
        random = np.random.default_rng(int(at[0]) + i if len(at) else i)
        return 2 + np.exp(-at / 50_000) + random.standard_normal(len(at)) / 5

    return values
