"""What a saved notebook shows when no kernel runs."""

import base64
import math
import re
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from mswidget.pictures.scene import SavedScene
from mswidget.records.alert import Alert
from mswidget.records.history import History
from mswidget.records.record import Event, Record, to_line
from mswidget.saved.reader import load_run
from mswidget.widget.picture import SMALL, TRACKS, picture
from mswidget.widget.status import LiveStatus
from tests.page import history_of

SVG = "{http://www.w3.org/2000/svg}"
PLACE = {"path": "/home/me/secret/实验 <1>", "rank": 0, "attempt": "a1"}


def live(history, *, name="实验 <1>", **status):
    """Return the picture of a live run, as HTML and as text."""
    told = LiveStatus({"name": name, **PLACE}, history, lambda: 1.7e9)
    told.change({"phase": "finished", **status})
    return both(picture({"": history}, told.head([]), "mswidget-1"))


def saved(*folders):
    """Return the picture of runs that were read."""
    scene = SavedScene([load_run(folder) for folder in folders])
    return both(picture(scene.histories, scene.head(), "mswidget-1"))


def both(bundle):
    return bundle["text/html"], bundle["text/plain"]


def plots(html):
    """Return each plot's SVG, in order."""
    images = re.findall(r'height="(\d+)" src="data:image/svg\+xml;base64,(.*?)"', html)
    return [base64.b64decode(data).decode() for size, data in images if size != "12"]


def titles(html):
    return [texts(svg)[0] for svg in plots(html)]


def texts(svg):
    root = ET.fromstring(svg)  # noqa: S314 - our own text
    return ["".join(element.itertext()) for element in root.iter(f"{SVG}text")]


def curves(svg):
    return re.findall(r'<path d="([^"]*)"', svg)


def write(folder, values, *, metric="loss", rank=0, over=True):
    """Write a rank's values of a metric, by step from 1."""
    folder.mkdir(exist_ok=True)
    rows = [
        Record(step, 1.7e9 + step, rank, "a1", {metric: value})
        for step, value in enumerate(values, 1)
    ]
    end = [Event("train_end", len(values), 1.8e9, rank, "a1")] if over else []
    lines = map(to_line, [*rows, *end])
    (folder / f"rank_{rank}.jsonl").write_text("".join(lines))
    return folder


def test_a_reference_line_stands_in_its_plot(tmp_path):
    folder = write(tmp_path / "run", [2.0, 1.0, 0.9])
    fields = {"metric": "loss", "value": 0.5, "label": "target"}
    line = to_line(Event("reference", 0, 1.7e9, 0, "a1", fields=fields))
    with (folder / "rank_0.jsonl").open("a") as file:
        file.write(line)
    write(folder, [2.0, 1.0], metric="lr", rank=1)
    html, _ = saved(folder)
    assert ["target 0.5" in texts(svg) for svg in plots(html)] == [True, False]


def test_the_words_come_first_and_say_how_it_went():
    history = history_of({"loss": [1.0, 0.55, 0.5925], "lr": [1e-5, 2e-5, 2e-5]})
    html, text = live(history, step=3, total_steps=3)
    assert text == (
        "实验 <1>: loss 0.5925, best 0.55 at step 2, finished, step 3 of 3\nlr 2e-05"
    )
    words = text.replace("<", "&lt;").replace(">", "&gt;").replace("\n", "<br>")
    assert html.startswith(f'<div class="mswidget-1"><p>{words}</p>')


def test_no_path_is_told():
    html, text = live(history_of({"loss": [1.0]}), step=1)
    assert "secret" not in html + text


def test_a_picture_that_is_not_the_last_says_of_when_it_is():
    _, text = live(history_of({"loss": [1.0]}), phase="training", step=1)
    assert re.search(r"training, step 1, as of 2023-11-1\d \d\d:\d\d:\d\d \w+$", text)


def test_why_a_run_failed_is_said():
    history = history_of({"loss": [0.5, math.nan]})
    _, text = live(history, phase="failed", detail="ValueError: NaN", step=2)
    assert text == (
        "实验 <1>: loss NaN, best 0.5 at step 1, failed, step 2, ValueError: NaN"
    )


def test_a_run_without_values_is_a_picture_too():
    html, text = live(history_of({}), phase="waiting")
    assert "waiting, no step yet, as of" in text
    assert plots(html) == []


def test_the_words_tell_of_alerts():
    told = LiveStatus({"name": "run", **PLACE}, History(), lambda: 0)
    for step in (3, 12):
        told.alert(Alert("", step, 0, 0, "a1", "error", "", "loss/<b> is frozen", ""))
    html, text = both(picture({}, told.head([]), "x"))
    assert "2 alerts, the newest at step 12: loss/<b> is frozen" in text
    assert "loss/&lt;b&gt; is frozen" in html


def test_what_matters_is_drawn_first_and_wide():
    names = ["温度", "lr", "loss/bbox", "grad_norm", "loss"]
    html, _ = live(history_of({name: [1.0, 2.0] for name in names}))
    assert titles(html) == [
        *("loss", "learning rate"),
        *("loss/bbox", "gradient norm", "温度"),
    ]
    widths = re.findall(r'<img [^>]*width="([\d%]+)" height="(\d+)"', html)
    assert widths == [("100%", "300"), ("100%", "150"), *[("300", "150")] * 3]


def test_metrics_that_share_a_panel_share_a_plot():
    history = history_of({"a": [1.0, 2.0], "loss": [5.0, 4.0], "b": [3.0, 4.0]})
    head = LiveStatus({"name": "run", **PLACE}, history, lambda: 0).head([])
    mine = [
        {**info, "panel": "loss" if info["name"] == "loss" else "mine"}
        for info in head["metrics"]
    ]
    html, _ = both(picture({"": history}, {**head, "metrics": mine}, "x"))
    assert titles(html) == ["loss", "a, b"]
    assert len(curves(plots(html)[1])) == 2
    assert re.findall(r"> ([ab]) ", html.replace("</p>", " ")) == ["a", "b"]


def test_a_spike_is_drawn():
    values = np.ones(20_000)
    values[12_345] = 1e9
    html, _ = live(history_of({"loss": values}))
    (curve,) = curves(plots(html)[0])
    points = [tuple(map(float, pair.split(","))) for pair in curve[1:].split()]
    x, y = min(points, key=lambda point: point[1])
    assert y == 0
    assert x == pytest.approx(1000 * 12_345 / 20_000, abs=1)


def test_what_is_not_finite_is_counted():
    html, _ = live(history_of({"loss": [1.0, math.nan, math.inf, *[1.0] * 5000]}))
    assert titles(html) == ["loss · 2 not finite"]


@pytest.mark.parametrize(
    ("steps", "drawn"),
    [
        ([1, 2, 3, 2, 3], [0, 3, 4]),
        ([1, 2, 3, 3, 4], [0, 1, 3, 4]),
        ([5, 6, 7, 1, 2], [3, 4]),
        ([3, 2, 1], [2]),
    ],
)
def test_of_steps_logged_again_the_latest_are_drawn(steps, drawn):
    def drawn_of(rows):
        history = History()
        history.extend(
            Record(steps[row], 0.0, 0, "a1", {"loss": row % 3 + 0.5}) for row in rows
        )
        return plots(live(history)[0])

    assert drawn_of(range(len(steps))) == drawn_of(drawn)


def test_the_earlier_attempts_of_a_resumed_run_are_in_the_picture():
    history, before = History(), History()
    history.extend(Record(step, 1.0, 0, "a2", {"loss": 1.0}) for step in range(11, 21))
    before.extend(Record(step, 0.0, 0, "a1", {"loss": 5.0}) for step in range(1, 14))
    history.put_before(before)
    html, text = live(history, step=20)
    assert {"1", "5", "20"} <= {t.removesuffix(".0") for t in texts(plots(html)[0])}
    assert "best 1 at step 11" in text


def test_many_metrics_make_no_endless_picture():
    columns = {f"loss/{i}": np.arange(3000) for i in range(60)}
    html, _ = live(history_of({"loss": np.arange(3000), **columns}))
    assert len(plots(html)) == 1 + SMALL
    assert len(html) < 90_000


def test_what_is_folded_on_the_page_does_not_crowd_the_picture():
    names = ["weight_q/w/p50", "grad_norm/w", "lr", "loss"]
    html, text = live(history_of({name: [1.0, 2.0] for name in names}))
    assert titles(html) == ["loss", "learning rate"]
    assert "weight_q" not in text
    alone, _ = live(history_of({"grad_norm/w": [1.0]}))
    assert titles(alone) == ["grad_norm/w"]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("a\"&'b", "a\"&'b"),
        ("损失", "损失"),
        ("a\x00\ud800b", r"a\x00\ud800b"),
        ("", '""'),
        ("loss ", "loss␣"),
        ("l" * 100, "l" * 23 + "…" + "l" * 16),
    ],
)
def test_any_name_is_shown_as_text(name, shown):
    html, text = live(history_of({name: [1.0]}))
    assert titles(html) == [shown]
    assert shown.split("…")[0] in text
    assert {*re.findall(r"<(\w+)", html)} <= {"div", "p", "br", "img"}


def test_all_runs_are_drawn_and_told_of(tmp_path):
    a = write(tmp_path / "A", [2.0, 1.0])
    b = write(tmp_path / "<B>", [4.0, 3.0])
    html, text = saved(a, b)
    assert len(curves(plots(html)[0])) == 2
    assert text.splitlines() == [
        "<B>: loss 3, best 3 at step 2, finished, step 2",
        "A: loss 1, best 1 at step 2, finished, step 2",
    ]
    assert re.findall(r'src="[^"]*"> ([^ ]+) ', f"{html} ".replace("</p>", " ")) == [
        "A",
        "&lt;B&gt;",
    ]


def test_all_ranks_are_drawn_and_the_one_that_is_nan_is_named(tmp_path):
    for rank in range(16):
        values = [float(rank + 1), math.nan if rank == 3 else 1.0]
        run = write(tmp_path / "run", values, rank=rank)
    html, text = saved(run)
    main = plots(html)[0]
    assert texts(main)[0] == "loss · 1 not finite"
    assert "fill-opacity" in main
    assert html.count('height="12"') == 16 + 3
    assert "loss is not finite: rank 3\n" in f"{text}\n"
    assert "min\N{EN DASH}max of 16 ranks" in html


def test_sixteen_ranks_with_many_metrics_stay_small():
    noise = np.random.default_rng(0).normal(size=(16, 2000))
    histories = {}
    for rank, values in enumerate(noise):
        names = ["loss", "lr", *(f"loss/{i}" for i in range(20))]
        histories[str(rank)] = history_of(dict.fromkeys(names, values))
    tracks = [{**track_of(rank), "id": str(rank)} for rank in range(16)]
    told = LiveStatus({"name": "run", **PLACE}, histories["0"], lambda: 0)
    head = {**told.head([]), "tracks": tracks}
    assert len(picture(histories, head, "x")["text/html"]) < 400_000


def test_of_very_many_tracks_it_says_that_some_are_not_drawn():
    history = history_of({"loss": [2.0, 1.0]})
    tracks = [{**track_of(rank), "id": str(rank)} for rank in range(TRACKS + 5)]
    told = LiveStatus({"name": "run", **PLACE}, history, lambda: 0)
    head = {**told.head([]), "tracks": tracks}
    histories = {track["id"]: history for track in tracks}
    html, _ = both(picture(histories, head, "x"))
    assert "and 5 more, not drawn" in html


def track_of(rank):
    told = LiveStatus({"name": "run", **PLACE}, History(), lambda: 0)
    (track,) = told.head([])["tracks"]
    return {**track, "rank": rank, "label": f"run · rank {rank}"}
