"""Where the time went: the invariants hold on whole samples.

The trace's own lanes are the independent witness: they are parsed here with json and
Decimal, and summed without the code under test.
"""

import json
import shutil
from decimal import Decimal

import pandas as pd
import pytest

from mswidget.profiler.load import load_profile
from mswidget.profiler.times.intervals import subtract, total, union
from mswidget.profiler.times.kernels import kernel_table
from mswidget.profiler.times.step_times import step_times
from mswidget.profiler.times.tasks import task_kind
from tests.profiler.samples import (
    MINDSPORE,
    TORCH_2025_11,
    TORCH_LEVEL_1,
)

RANK_0 = TORCH_LEVEL_1 / "rank0_ascend_pt"


def lane(process, run=RANK_0):
    file = run / "ASCEND_PROFILER_OUTPUT" / "trace_view.json"
    events = json.loads(file.read_text())
    pid = next(
        event["pid"]
        for event in events
        if event["name"] == "process_name" and event["args"]["name"] == process
    )
    return [event for event in events if event["pid"] == pid and event["ph"] == "X"]


def span(event):
    start, length = Decimal(event["ts"]), Decimal(str(event["dur"]))
    return int(start * 1000), int((start + length) * 1000)


def common(left, right):
    return max(left[0], right[0]), min(left[1], right[1])


def length(pair):
    return max(0, pair[1] - pair[0])


def times_of(event):
    return dict(zip(("start_ns", "end_ns"), span(event), strict=True))


def tasks_of_trace(run=RANK_0, rank=0):
    rows = [
        {
            "rank": rank,
            "task_type": event["args"]["Task Type"],
            "kind": task_kind(event["args"]["Task Type"]),
            **times_of(event),
        }
        for event in lane("Ascend Hardware", run)
    ]
    return pd.DataFrame(rows)


def test_the_parts_sum_up_to_the_step():
    times = step_times(load_profile(RANK_0), tasks_of_trace()).iloc[0]
    parts = times[["computing_us", "communication_not_overlapped_us"]].sum()
    free = times[["memory_copy_us", "synchronisation_us", "other_free_us"]].sum()
    assert parts + free == pytest.approx(times["step_us"], abs=1e-6)
    # Stage, as the profiler printed it to 0.25 us.
    assert times["step_us"] == pytest.approx(136581.0, abs=0.25)


def test_what_is_free_is_the_free_lane_of_the_trace():
    kernels = kernel_table(load_profile(RANK_0))
    busy = union(kernels["start_time_ns"], kernels["end_ns"])
    free = subtract(union([busy.min()], [busy.max()]), busy)
    witness = sum(e["dur"] for e in lane("Overlap Analysis") if e["name"] == "Free")
    assert total(free) / 1e3 == pytest.approx(witness, abs=0.5)


def test_copies_and_waits_in_free_are_those_of_the_lanes():
    free = [span(e) for e in lane("Overlap Analysis") if e["name"] == "Free"]
    spent = {"copy": 0, "sync": 0, "compute": 0}
    for event in lane("Ascend Hardware"):
        start, end = span(event)
        inside = sum(max(0, min(end, b) - max(start, a)) for a, b in free)
        spent[task_kind(event["args"]["Task Type"])] += inside
    times = step_times(load_profile(RANK_0), tasks_of_trace()).iloc[0]
    assert times["memory_copy_us"] == pytest.approx(spent["copy"] / 1e3, abs=0.1)
    # Some waits run side by side: their plain sum is at least their union.
    assert 0 < times["synchronisation_us"] <= spent["sync"] / 1e3 + 0.1


def test_a_profile_splits_its_steps_by_its_own_trace(two_ranks):
    for path in (RANK_0, two_ranks):
        times = load_profile(path).step_times
        assert times["synchronisation_us"].notna().all()
    run = min(two_ranks.iterdir())
    windows = pd.DataFrame([{"rank": 0, **times_of(e)} for e in lane("MindSpore", run)])
    windows["step"] = [7, 8, 9]
    expected = step_times(load_profile(run), tasks_of_trace(run), windows)
    pd.testing.assert_frame_equal(load_profile(run).step_times, expected)


def test_a_step_without_a_number_is_split(tmp_path):
    # torch_npu writes no number where no schedule was set.
    shutil.copytree(RANK_0, tmp_path / RANK_0.name)
    output = tmp_path / RANK_0.name / "ASCEND_PROFILER_OUTPUT"
    text = (output / "step_trace_time.csv").read_text()
    (output / "step_trace_time.csv").write_text(text.replace("\n50,", "\n,"))
    text = (output / "kernel_details.csv").read_text()
    (output / "kernel_details.csv").write_text(text.replace("Step Id", "Other"))
    times = load_profile(tmp_path).step_times
    assert times["step"].isna().all()
    expected = load_profile(RANK_0).step_times
    assert times.drop(columns="step").equals(expected.drop(columns="step"))


def test_kernels_without_step_belong_to_the_step_that_they_start_in(
    two_ranks, tmp_path
):
    # MindSpore writes no Step ID for graphs that are compiled as a whole.
    run = shutil.copytree(min(two_ranks.iterdir()), tmp_path / "host_0_1_ascend_ms")
    file = run / "ASCEND_PROFILER_OUTPUT" / "kernel_details.csv"
    file.write_text(file.read_text().replace("Step ID", "Other"))
    times = load_profile(run).step_times
    assert times["complete"].all()
    assert times.equals(load_profile(min(two_ranks.iterdir())).step_times)


def test_every_step_of_every_rank_is_split_as_its_lanes_say(two_ranks):
    for rank, run in enumerate(sorted(two_ranks.iterdir())):
        steps = lane("MindSpore", run)
        windows = pd.DataFrame([{"rank": rank, **times_of(step)} for step in steps])
        windows["step"] = [7, 8, 9]
        times = step_times(load_profile(run), tasks_of_trace(run, rank), windows)
        free = [span(e) for e in lane("Overlap Analysis", run) if e["name"] == "Free"]
        copies = [
            span(event)
            for event in lane("Ascend Hardware", run)
            if task_kind(event["args"]["Task Type"]) == "copy"
        ]
        assert times["complete"].all()
        for step, copied in zip(steps, times["memory_copy_us"], strict=True):
            inside = [common(a, span(step)) for a in free]
            expected = sum(length(common(a, b)) for a in inside for b in copies)
            assert copied == pytest.approx(expected / 1e3, abs=0.1)


def test_two_ranks_of_three_steps_take_what_the_profiler_measured(two_ranks):
    profile = load_profile(two_ranks)
    times = profile.step_times
    assert times["rank"].to_list() == [0, 0, 0, 1, 1, 1]
    assert times["step"].to_list() == [7, 8, 9, 7, 8, 9]
    # The computing of the measured step times the scales of derive_steps.
    expected = [8873.756 * scale for scale in (1, 1.5, 2, 1.25, 3, 0.5)]
    assert times["computing_us"].to_list() == pytest.approx(expected, abs=0.3)
    assert profile.op_times.groupby("rank")["count"].sum().to_list() == [561, 561]


def test_without_the_trace_a_step_ends_where_the_next_begins(two_ranks):
    run = two_ranks / "host_0_20250109073000000_ascend_ms"
    times = step_times(load_profile(run), tasks_of_trace(run))
    # The copies before the first kernel of steps 8 and 9 count with the step before.
    assert times["memory_copy_us"].iloc[0] > 840
    assert times["memory_copy_us"].iloc[2] == pytest.approx(2 * 10.765, abs=0.1)


def test_kernels_without_step_are_not_shared_out(two_ranks, tmp_path):
    run = two_ranks / "host_0_20250109073000000_ascend_ms"
    for name in ("step_trace_time.csv", "kernel_details.csv"):
        text = (run / "ASCEND_PROFILER_OUTPUT" / name).read_text()
        (tmp_path / name).write_text(text.replace("Step ID", "Other"))
    profile = load_profile(tmp_path)
    assert not profile.step_times["complete"].any()
    assert "or not its step" in str(profile.report)


def test_a_file_that_was_cut_is_said_to_be_incomplete():
    profile = load_profile(TORCH_2025_11)
    times = profile.step_times.iloc[0]
    assert not times["complete"]
    assert pd.isna(times["other_free_us"])
    assert times["free_us"] == pytest.approx(158558.0)
    (note,) = (note for note in profile.report.notes if "step" in note)
    assert note.startswith("step 13 of rank 0: kernel_details or the trace does not")


def test_without_tasks_nothing_is_made_up():
    profile = load_profile(MINDSPORE)
    times = profile.step_times
    assert times["complete"].all()
    assert times["memory_copy_us"].isna().all()
    (note,) = profile.report.notes
    assert note.startswith("step 0 of rank 0 and 1 more: no device tasks were read")


def test_a_profile_without_kernels_has_no_times(tmp_path):
    profile = load_profile(tmp_path)
    assert profile.step_times.empty
    assert profile.op_times.empty
    assert profile.task_times.empty


def test_a_step_in_which_nothing_ran_is_complete(tmp_path):
    header = "Step,Computing,Communication(Not Overlapped),Free\n"
    (tmp_path / "rank0_ascend_pt").mkdir()
    file = tmp_path / "rank0_ascend_pt" / "step_trace_time.csv"
    file.write_text(f"{header}3,0,0,1000\n")
    times = step_times(load_profile(tmp_path), tasks_of_trace()).iloc[0]
    assert times["complete"]
    assert times["step_us"] == times["free_us"] == 1000
