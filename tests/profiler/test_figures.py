import json

import numpy as np
import pandas as pd
import pytest

from mswidget import load_profile
from mswidget.profiler.pictures.memory_curve import memory_curve
from mswidget.profiler.pictures.profile_pictures import Pictures
from mswidget.profiler.pictures.step_breakdown import step_breakdown
from mswidget.profiler.pictures.timeline_bars import bars
from mswidget.profiler.pictures.timeline_figure import timeline_figure
from mswidget.profiler.pictures.top_ops import top_ops
from tests.profiler.samples import (
    CPU,
    MINDDATA,
    MINDSPORE,
    TORCH_LEVEL_0,
    TORCH_LEVEL_1,
)


def events(count, *, long_ns=100, every_ns=1000, **changed):
    start = 1736408883704643212 + every_ns * np.arange(count)
    columns = {
        "process": "Ascend Hardware",
        "thread": "Stream 2",
        "name": "MatMul",
        "task_type": "AI_CORE",
        "start_ns": start,
        "end_ns": start + long_ns,
    }
    return pd.DataFrame(columns | changed)


def pictures(path):
    return Pictures(load_profile(path))


def words(figure):
    return figure.to_json()


def test_the_parts_of_a_drawn_step_sum_to_the_step():
    profile = load_profile(MINDSPORE)
    figure = step_breakdown(profile.step_times)
    drawn = np.sum([bar.y for bar in figure.data], axis=0)
    np.testing.assert_allclose(drawn, profile.step_times["step_us"] / 1e3)


def test_parts_that_are_unknown_on_one_rank_leave_the_others_in_their_place():
    profile = load_profile(TORCH_LEVEL_1)
    assert profile.step_times["memory_copy_us"].isna().tolist() == [False, True]
    drawn = np.sum([bar.y for bar in step_breakdown(profile.step_times).data], axis=0)
    np.testing.assert_allclose(drawn, profile.step_times["step_us"] / 1e3)


def test_of_very_many_steps_the_longest_are_drawn_and_the_title_says_so():
    times = load_profile(MINDSPORE).step_times
    many = pd.concat([times] * 500, ignore_index=True)
    figure = step_breakdown(many)
    assert len(figure.data[0].y) == 200
    assert figure.layout.title.text == "Time of the 200 longest of 1,000 steps"


def test_several_ranks_stand_side_by_side():
    figure = pictures(MINDSPORE).steps()
    assert {*figure.data[0].x[0]} == {"rank 0", "rank 1"}


def test_top_operators_are_in_order_and_all_of_them_are_computing():
    profile = load_profile(TORCH_LEVEL_1)
    figure = Pictures(profile).ops(1000)
    lengths = {y: x for bar in figure.data for x, y in zip(bar.x, bar.y, strict=True)}
    in_order = [lengths[place] for place in sorted(lengths)]
    assert in_order == sorted(in_order)
    assert sum(in_order) == pytest.approx(profile.op_times["total_us"].sum() / 1e3)


def test_the_peak_of_the_memory_is_marked():
    record = load_profile(TORCH_LEVEL_1)["memory_record"]
    figure = memory_curve(record)
    peaks = [line.y[0] for line in figure.data if line.mode == "markers+text"]
    assert max(peaks) == record["total_allocated_mb"].max()


def test_of_many_ranks_the_memory_of_the_fullest_is_drawn():
    one = pd.DataFrame({"component": "MindSpore", "timestamp_ns": [1, 2]})
    ranks = [one.assign(rank=n, total_reserved_mb=100.0 - n) for n in range(64)]
    figure = memory_curve(pd.concat(ranks))
    assert figure.layout.title.text == "Device memory of the 4 fullest of 64 ranks"
    assert [line.name.split(":")[0] for line in figure.data] == [
        f"MindSpore rank {n}" for n in range(4)
    ]


def test_very_many_ranks_of_one_step_are_named_by_rank_alone():
    times = load_profile(MINDSPORE).step_times.iloc[:1]
    figure = step_breakdown(pd.concat([times.assign(rank=n) for n in range(64)]))
    assert figure.data[0].x[:2] == ("rank 0", "rank 1")


def test_a_long_memory_curve_keeps_its_spike():
    count = 300_000
    memory = np.zeros(count)
    memory[123_456] = 777.5
    record = pd.DataFrame({"timestamp_ns": range(count), "total_allocated_mb": memory})
    line = memory_curve(record).data[0]
    assert len(line.y) <= 2_002
    assert max(line.y) == 777.5


def test_a_missing_table_leaves_a_picture_that_says_which_switch_makes_it():
    assert "profile_memory=True" in words(pictures(CPU).memory())


@pytest.mark.parametrize("picture", ["steps", "ops", "memory", "timeline"])
def test_a_profile_without_device_still_has_pictures(picture):
    assert getattr(pictures(MINDDATA), picture)().layout.annotations[0].text


def test_few_events_are_drawn_as_they_are():
    drawn = bars(events(10))
    assert drawn["count"].tolist() == [1] * 10
    assert drawn["start_ns"].tolist() == events(10)["start_ns"].tolist()


def test_merged_bars_stand_for_every_event_and_its_time():
    drawn = bars(events(20_000))
    assert len(drawn) <= 5_000
    assert drawn["count"].sum() == 20_000
    assert drawn["busy_ns"].sum() == 20_000 * 100


def test_a_merged_bar_says_how_many_it_stands_for():
    figure = timeline_figure(events(20_000))
    assert "20,000 events" in figure.layout.title.text
    assert "events such as MatMul" in figure.data[0].text[0]
    assert max(figure.data[0].marker.opacity) < 1


def test_long_events_stay_on_their_own_beside_merged_ones():
    long = events(1, long_ns=5_000_000, name="AllReduce")
    drawn = bars(pd.concat([events(20_000), long]))
    assert drawn["count"][drawn["name"] == "AllReduce"].tolist() == [1]


def test_different_kinds_are_never_merged():
    mixed = [events(9_000), events(9_000, task_type="SDMA_SQE")]
    drawn = bars(pd.concat(mixed))
    assert drawn.groupby("kind")["count"].sum().to_dict() == {
        "compute": 9_000,
        "copy": 9_000,
    }


def test_more_lanes_than_bars_end_in_one_bar_a_lane():
    lanes = [f"Stream {n}" for n in range(300)]
    assert len(bars(events(300, thread=lanes), limit=100)) == 300


def test_a_window_clips_the_events_that_cross_its_edges():
    begin = events(1)["start_ns"][0]
    drawn = bars(events(3), begin + 50, begin + 2_000)
    assert (drawn["start_ns"] - begin).tolist() == [50, 1_000]
    assert (drawn["end_ns"] - begin).tolist() == [100, 1_100]


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


def test_an_event_shorter_than_a_pixel_is_drawn_and_keeps_its_time():
    (drawn,) = timeline_figure(pd.concat([events(1), events(1, long_ns=10**9)])).data
    assert drawn.marker.line.width.tolist() == [1, 0]
    assert "0.100 us long" in drawn.text[0]


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


def test_markup_in_a_name_is_shown_as_text():
    drawn = timeline_figure(events(1, name="<b>算子</b>", thread="<i>"))
    assert "&lt;b&gt;算子" in drawn.data[0].text[0]
    assert drawn.layout.yaxis.ticktext == ("&lt;i&gt;",)


def test_operators_of_level_0_are_drawn_by_name():
    figure = top_ops(load_profile(TORCH_LEVEL_0).op_times)
    (bars,) = figure.data
    assert bars.name == "not recorded"
    assert len(bars.x) == 20


def test_operators_of_two_ranks_are_said_to_be_summed():
    figure = top_ops(load_profile(TORCH_LEVEL_1).op_times, count=1)
    assert figure.layout.title.text == "Top 1 operators, 2 ranks together"
    # ForeachAddList of op_statistic.csv: 1959.079 + 1954.139 us.
    assert figure.data[0].x[0] == pytest.approx(3.913218)


def test_a_timeline_of_nothing_says_whether_the_window_or_the_profile_is_empty(
    tmp_path,
):
    nothing = load_profile(tmp_path).figures.timeline().layout.meta["reason"]
    assert nothing == "the profile has no trace and no kernel_details"
    window = timeline_figure(events(3), end_ns=1).layout.meta["reason"]
    assert window == "nothing was recorded in this window"
