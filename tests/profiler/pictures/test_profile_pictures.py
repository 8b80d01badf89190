import json

import pytest

from mswidget import load_profile
from mswidget.profiler.pictures.profile_pictures import Pictures
from tests.profiler.samples import (
    CPU,
    MINDDATA,
    MINDSPORE,
)


def pictures(path):
    return Pictures(load_profile(path))


def words(figure):
    return figure.to_json()


def test_a_missing_table_leaves_a_picture_that_says_which_switch_makes_it():
    assert "profile_memory=True" in words(pictures(CPU).memory())


@pytest.mark.parametrize("picture", ["steps", "ops", "memory", "timeline"])
def test_a_profile_without_device_still_has_pictures(picture):
    assert getattr(pictures(MINDDATA), picture)().layout.annotations[0].text


def test_the_timeline_of_a_step_is_its_window(two_ranks):
    title = pictures(two_ranks).timeline(rank=1, step=8).layout.title.text
    rows = load_profile(two_ranks)["kernel_details"]
    kernels = ((rows["rank"] == 1) & (rows["step_id"] == 8)).sum()
    assert int(title.split()[1].replace(",", "")) > kernels


def test_a_step_or_rank_that_is_not_there_is_named():
    drawn = pictures(MINDSPORE)
    with pytest.raises(ValueError, match=r"step 99 is not .* there are: "):
        drawn.timeline(step=99)
    with pytest.raises(ValueError, match=r"rank 5 is not .* \[0, 1\]"):
        drawn.timeline(rank=5)


def test_a_step_that_no_kernel_names_has_its_timeline():
    drawn = pictures(MINDSPORE)
    assert drawn.timeline(rank=1, step=0).data[0].x.sum() > 0


def test_devices_of_no_known_rank_have_lanes_of_their_own(tmp_path):
    event = {"ph": "X", "pid": "p", "tid": 2, "name": "a", "ts": "1.0", "dur": 1}
    for device in (0, 1):
        folder = tmp_path / f"PROF_000001_2025010912000000{device}_ABC"
        (folder / f"device_{device}").mkdir(parents=True)
        (folder / "msprof.json").write_text(json.dumps([event]))
    lanes = pictures(tmp_path).timeline().layout.yaxis.ticktext
    assert lanes == ("device 0 p 2", "device 1 p 2")


def test_kernels_of_devices_of_no_known_rank_are_drawn_apart(tmp_path):
    content = next(MINDSPORE.rglob("kernel_details.csv")).read_text()
    head, *rows = content.splitlines()
    lines = [f"{at % 2},{row}" for at, row in enumerate(rows)]
    text = "\n".join([f"Device_id,{head}", *lines, ""])
    (tmp_path / "kernel_details.csv").write_text(text)
    lanes = pictures(tmp_path).timeline().layout.yaxis.ticktext
    assert {lane[:9] for lane in lanes} == {"device 0 ", "device 1 "}


def test_without_a_trace_the_kernels_are_the_timeline():
    profile = load_profile(MINDSPORE)
    figure = Pictures(profile).timeline(rank=1)
    count = (profile["kernel_details"]["rank"] == 1).sum()
    assert figure.layout.title.text == f"Timeline: {count} events"


def test_a_cut_trace_is_named_in_the_picture(tmp_path):
    event = {"ph": "X", "pid": 1, "tid": 1, "name": "a", "ts": "1.0", "dur": 1}
    (tmp_path / "trace_view.json").write_text(json.dumps([event, event])[:-9])
    title = pictures(tmp_path).timeline().layout.title.text
    assert "trace_view.json: cut off before its end" in title


def test_the_trace_of_a_rank_can_be_asked_for(two_ranks):
    trace = load_profile(two_ranks).figures.trace(rank=1)
    assert {"Ascend Hardware", "Overlap Analysis"} <= {*trace["process"]}
