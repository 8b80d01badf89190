"""A run or a rank has one look wherever it is drawn.

Of the page ``js/src/data/tracks.test.js`` says so.
"""

import base64
import json
import re
from pathlib import Path

import pytest

from mswidget.drawing.palette import LIGHT, MUTED, look_of
from mswidget.records.figure import figure
from mswidget.widget.picture import picture
from mswidget.widget.status import LiveStatus
from tests.page import history_of

LOOKS = Path(__file__).parents[1] / "contract" / "looks"


def example(path):
    """Return whether there are several runs, and the single ranks."""
    looks = json.loads(path.read_text("utf-8"))["looks"]
    several = len({look["run"] for look in looks}) > 1
    return several, looks, [look for look in looks if not look["stat"]]


def examples():
    paths = sorted(LOOKS.glob("*.json"))
    assert paths
    return pytest.mark.parametrize("path", paths, ids=lambda path: path.stem)


@examples()
def test_a_rank_looks_as_the_contract_files_say(path):
    several, _, ranks = example(path)
    for rank in ranks:
        look = look_of(rank["colour"], rank["rank"], several=several)
        assert look == (LIGHT[rank["curve"]], rank["dash"])


@pytest.mark.parametrize("name", ["ranks_of_a_run", "band_of_a_run"])
def test_the_ranks_of_a_figure_look_as_the_contract_files_say(name):
    _, _, ranks = example(LOOKS / f"{name}.json")
    rows = history_of({"loss": [1.0, 2.0]}).rows()
    drawn = figure("run", {rank["rank"]: rows for rank in ranks})
    lines = [(trace.line.color, trace.line.dash) for trace in drawn.data]
    assert lines == [(LIGHT[rank["curve"]], rank["dash"]) for rank in ranks]


@examples()
def test_a_static_picture_looks_as_the_contract_files_say(path):
    _, looks, _ = example(path)
    history = history_of({"loss": [1.0, 2.0]})
    head = LiveStatus(
        {"name": looks[0]["run"], "path": "", "rank": 0, "attempt": "a1"},
        history,
        lambda: 0,
    ).head([])
    (track,) = head["tracks"]
    tracks = [
        {**track, **look, "id": str(n), "label": str(n)} for n, look in enumerate(looks)
    ]
    histories = {track["id"]: history for track in tracks}
    html = picture(histories, {**head, "tracks": tracks}, "x")["text/html"]
    svg = base64.b64decode(re.findall(r'base64,([^"]*)', html)[-1]).decode()
    drawn = re.findall(r'stroke="([^"]*)" vector-effect="[^"]*" stroke-dash', svg)
    lines = [look for look in looks if look["stat"] not in ("min", "max")]
    assert drawn == [colour_of(look) for look in lines]
    areas = re.findall(r'fill="([^"]*)" fill-opacity', svg)
    assert areas == [colour_of(look) for look in looks if look["stat"] == "max"]


def colour_of(look):
    return MUTED if look["curve"] is None else LIGHT[look["curve"]]
