"""A page by itself: opened from disk and from a plain file server."""

from __future__ import annotations

import http.server
import threading
import time
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from mswidget import start_run
from mswidget.records.record import Event, Record, to_line
from mswidget.watching.pages import KeptPage, write_page
from tests.browser.picture import DRAWN, Picture
from tests.browser.readability import hard_to_read

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

NAMES = ["loss", "a/b.c[0]", "</script><script>", "损失 <b>😀</b>", "x" * 300, "Y", "y"]


# The names of a kind of which the end is seen.
SEEN = """(kind) => [...document.querySelectorAll(kind)]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)
    .map(({ textContent }) => textContent)"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves files without a word."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Yield the address of a plain file server."""
    handler = partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(params=["http", "file"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Where the browser finds the test's folder."""
    if request.param == "file":
        yield tmp_path.as_uri()
    else:
        with served(tmp_path) as url:
            yield url


def log(run: Path, steps: range, *, over: bool = False, rank: int = 0) -> None:
    """Append steps to a rank's file."""
    run.mkdir(exist_ok=True)
    now_s = time.time()
    items: list[Record | Event] = [
        Record(step, now_s, 0, "a1", dict.fromkeys(NAMES, 1 / step)) for step in steps
    ]
    if over:
        items.append(Event("train_end", steps[-1], now_s, 0, "a1"))
    with (run / f"rank_{rank}.jsonl").open("a", encoding="utf-8") as file:
        file.writelines(map(to_line, items))


@contextmanager
def on_a_phone(browser: Browser, scheme: str) -> Iterator[Page]:
    """Yield a page that is as wide as a phone."""
    context = browser.new_context(
        viewport={"width": 390, "height": 844},
        color_scheme=scheme,
        has_touch=True,
        is_mobile=True,
    )
    yield context.new_page()
    context.close()


def kept(tmp_path: Path) -> KeptPage:
    """Return a page that is read again each second."""
    return KeptPage(tmp_path / "run", tmp_path / "page.html", 1.0, print)


def test_a_page_shows_every_metric_and_asks_nobody(page: Page, tmp_path, address):
    log(tmp_path / "run", range(1, 101), over=True)
    write_page(tmp_path / "run", tmp_path / "page.html")
    page.goto(f"{address}/page.html")
    picture = Picture(page)
    for name in NAMES:
        picture.wait_for_points(100, name)
    assert picture.drawn("Y") == [(s, 1 / s) for s in range(1, 101)]
    assert page.title() == "run"
    picture.wait_for_phase("finished")
    assert page.get_by_text("Stop", exact=True).is_hidden()


def test_a_value_that_was_no_number_has_a_mark_at_its_step(page: Page, tmp_path):
    with start_run("run", log_dir=tmp_path, display=False) as run:
        for step in range(1, 101):
            run.log({"loss": None if step == 40 else 1 / step, "lr": 0.1})
    page.goto(f"file://{run.export(tmp_path / 'page.html')}")
    picture = Picture(page)
    picture.wait_for_points(99)
    panel = page.locator("[data-metric=loss]")
    expect(panel.locator(".annotation-text")).to_have_text(["loss: no number"])
    (shape,) = panel.locator(".js-plotly-plot").evaluate("(p) => p.layout.shapes")
    assert shape["x0"] == shape["x1"] == 40
    other = page.locator("[data-metric=lr] .js-plotly-plot")
    assert other.evaluate("(p) => p.layout.shapes.length") == 0
    expect(page.get_by_label("messages")).to_contain_text("loss: no number once")


def test_names_can_be_told_apart_and_are_seen(page: Page, tmp_path):
    names = ["loss", "", "loss ", *("loss/" + "W" * 294 + end for end in "ab")]
    with start_run("run", log_dir=tmp_path, display=False) as run:
        for step in range(1, 101):
            run.log(dict.fromkeys(names, 1 / step))
    page.goto(f"file://{run.export(tmp_path / 'page.html')}")
    picture = Picture(page)
    for name in names:
        picture.wait_for_points(100, name)
    seen = page.evaluate(SEEN, "h3")
    assert {"loss", '""', "loss␣"} <= {*seen}
    assert len({*seen}) == len(names)
    assert sorted(text[-1] for text in seen if "W" in text) == ["a", "b"]
    long = page.locator("[data-panel=parts]").first
    expect(long.locator("h3")).to_have_attribute("title", names[-2])
    cards = page.evaluate(SEEN, ".mswidget-card-label")
    assert len({*cards}) == 5


def test_points_of_a_resumed_run_are_counted_once(page: Page, tmp_path):
    run = tmp_path / "run"
    run.mkdir()
    steps = [("a1", step) for step in range(1, 11)]
    steps += [("a2", step) for step in range(6, 21)]
    (run / "rank_0.jsonl").write_text(
        "".join(to_line(Record(s, 1.7e9 + s, 0, a, {"loss": 1 / s})) for a, s in steps)
    )
    write_page(run, tmp_path / "page.html")
    page.goto(f"file://{tmp_path / 'page.html'}")
    expect(page.get_by_text("showing")).to_have_text("showing all 25 points")


def test_a_page_that_is_kept_grows_and_keeps_what_was_chosen(
    page: Page, tmp_path, address
):
    log(tmp_path / "run", range(1, 51))
    writer = kept(tmp_path)
    writer.tick()
    page.goto(f"{address}/page.html")
    picture = Picture(page)
    picture.wait_for_points(50)
    page.get_by_label("log y").check()
    log(tmp_path / "run", range(51, 81), over=True)
    while not writer.tick():
        pass
    picture.wait_for_points(80)
    picture.wait_for_phase("finished")
    assert page.get_by_label("log y").is_checked()
    page.wait_for_function("() => !document.querySelector('iframe')")


LABELS = """() => [...document.querySelectorAll(
    "[data-metric=loss] .legendtext")].map((text) => text.textContent)"""


LOSS_OF = """([label, count]) => document.querySelector("[data-metric=loss] \
    .js-plotly-plot").data.some(
        ({ name, y }) => name === label && y.length === count)"""


def test_a_page_of_ranks_grows_by_those_that_come_later(
    page: Page, tmp_path, address, monkeypatch
):
    monkeypatch.setattr("mswidget.saved.follow.LOOK_S", 0.0)
    log(tmp_path / "run", range(1, 51))
    writer = kept(tmp_path)
    writer.tick()
    page.goto(f"{address}/page.html")
    Picture(page).wait_for_points(50)
    log(tmp_path / "run", range(1, 51), rank=1, over=True)
    log(tmp_path / "run", range(51, 61), over=True)
    while not writer.tick():
        pass
    Picture(page).wait_for_phase("finished")
    for label in ("rank 0", "rank 1"):
        page.wait_for_function(f"() => ({LABELS})().includes({label!r})")


def test_a_page_of_very_many_ranks_shows_any_that_is_asked_for(
    browser: Browser, tmp_path, monkeypatch
):
    monkeypatch.setattr("mswidget.pictures.beside.MOST_RANKS", 18)
    monkeypatch.setattr("mswidget.saved.follow.LOOK_S", 0.0)
    for rank in range(20):
        log(tmp_path / "run", range(1, 51), rank=rank)
    writer = kept(tmp_path)
    writer.tick()
    with served(tmp_path) as url, on_a_phone(browser, "light") as page:
        page.goto(f"{url}/page.html")
        Picture(page).wait_for_points(49)
        page.locator(".mswidget-track-run > .mswidget-summary").click()
        page.get_by_role("checkbox", name="rank 17", exact=True).check()
        Picture(page).look_at("loss")
        page.wait_for_function(LOSS_OF, arg=["rank 17", 50])
        expect(page.get_by_role("checkbox", name="rank 19")).to_be_disabled()
        expect(page.locator(".mswidget-root")).to_contain_text("nothing of 1 of 20")
        for rank in range(20):
            log(tmp_path / "run", range(51, 61), over=True, rank=rank)
        while not writer.tick():
            pass
        page.wait_for_function(LOSS_OF, arg=["rank 17", 60])
        Picture(page).wait_until_exact()


def test_a_page_of_another_writer_is_loaded_anew(page: Page, tmp_path, address):
    log(tmp_path / "run", range(1, 51))
    kept(tmp_path).tick()
    page.goto(f"{address}/page.html")
    Picture(page).wait_for_points(50)
    (tmp_path / "run" / "rank_0.jsonl").unlink()
    log(tmp_path / "run", range(1, 31), over=True)
    kept(tmp_path).tick()
    page.wait_for_function(f"() => ({DRAWN})([0, 'loss']).length === 30")


def test_a_page_tells_no_other_site_what_it_holds(page: Page, tmp_path):
    log(tmp_path / "run", range(1, 5))
    kept(tmp_path).tick()
    other = '<iframe src="{}/page.html#mswidget-pass"></iframe>'
    script = "<script>heard = 0; onmessage = () => heard++</script>"
    with served(tmp_path) as url, served(tmp_path) as mine:
        (tmp_path / "mine.html").write_text(script + other.format(mine))
        (tmp_path / "other.html").write_text(script + other.format(url))
        page.goto(f"{mine}/mine.html")
        page.wait_for_function("() => heard === 1")
        refused = "target origin provided"
        with page.expect_console_message(lambda message: refused in message.text):
            page.goto(f"{mine}/other.html")
        assert page.evaluate("() => heard") == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_fits_a_phone_and_is_readable(browser: Browser, tmp_path, scheme):
    log(tmp_path / "run", range(1, 101), over=True)
    write_page(tmp_path / "run", tmp_path / "page.html")
    with served(tmp_path) as url, on_a_phone(browser, scheme) as page:
        page.goto(f"{url}/page.html")
        picture = Picture(page)
        picture.wait_for_points(100)
        assert page.evaluate("() => document.documentElement.scrollWidth") == 390
        panel = page.locator("[data-metric=loss]").bounding_box()
        assert panel["width"] > 330
        assert hard_to_read(picture.root) == []
        assert picture.root.get_attribute("data-theme") == scheme
