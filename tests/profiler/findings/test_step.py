"""One step of a profile is the part of every table that is about it."""

import pandas as pd
import pytest

from mswidget.profiler.load import load_profile
from tests.profiler.samples import MINDSPORE, MSPROF, TORCH_2025_11, TORCH_LEVEL_1


def test_a_step_has_its_times_on_every_rank(two_ranks):
    step = load_profile(two_ranks).step(8)
    assert step.times["rank"].to_list() == [0, 1]
    # The computing of the measured step times the scales of derive_steps.
    expected = [8873.756 * 1.5, 8873.756 * 3]
    assert step.times["computing_us"].to_list() == pytest.approx(expected, abs=0.3)


def test_the_kernels_and_tasks_of_all_steps_are_those_of_the_profile(two_ranks):
    profile = load_profile(two_ranks)
    steps = [profile.step(number) for number in (7, 8, 9)]
    kernels = pd.concat(step.kernels for step in steps)
    assert sorted(kernels.index) == [*profile["kernel_details"].index]
    assert all({*step.kernels["step_id"]} == {step.number} for step in steps)
    # One task of each rank ended before its first step began.
    assert sum(len(step.tasks) for step in steps) == 2 * (3 * 535 - 1)
    assert profile.task_times["count"].sum() == 2 * 3 * 535
    assert [step.op_times["count"].sum() for step in steps] == [374] * 3


def test_the_findings_of_a_step_are_about_it_alone(two_ranks):
    profile = load_profile(two_ranks)
    (finding,) = (f for f in profile.step(7).findings if f.name == "host_bound")
    assert finding.size_us == pytest.approx(
        profile.step_times.query("step == 7")["other_free_us"].sum()
    )


def test_the_timeline_of_a_step_begins_and_ends_with_it(two_ranks):
    step = load_profile(two_ranks).step(8)
    window = step.windows.query("rank == 1").iloc[0]
    figure = step.timeline(rank=1)
    assert figure.layout.meta["begin_ns"] == str(window["start_ns"])
    ends = [b + x for bar in figure.data for b, x in zip(bar.base, bar.x, strict=True)]
    assert max(ends) <= (window["end_ns"] - window["start_ns"]) / 1e3
    with pytest.raises(ValueError, match="rank 5 has no such step; there are: 0, 1"):
        step.timeline(rank=5)


def test_a_step_shows_its_times_and_findings(two_ranks):
    step = load_profile(two_ranks).step(8)
    assert str(step).startswith("Step 8, by rank\n")
    assert "of the step" in repr(step)
    assert "<table" in step._repr_html_()


@pytest.mark.parametrize("path", [MINDSPORE, TORCH_LEVEL_1, TORCH_2025_11])
def test_a_profile_of_one_step_is_that_step(path):
    profile = load_profile(path)
    step = profile.step(int(profile.step_times["step"].iloc[0]))
    assert len(step.kernels) == len(profile["kernel_details"])
    assert step.findings
    assert step.timeline().data


def test_a_step_that_is_not_there_names_those_that_are(two_ranks):
    with pytest.raises(ValueError, match=r"step 12 is not .*: 7, 8, 9$"):
        load_profile(two_ranks).step(12)
    with pytest.raises(ValueError, match="there are: none"):
        load_profile(MSPROF).step(1)
