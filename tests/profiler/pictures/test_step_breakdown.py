import numpy as np
import pandas as pd

from mswidget import load_profile
from mswidget.profiler.pictures.profile_pictures import Pictures
from mswidget.profiler.pictures.step_breakdown import step_breakdown
from tests.profiler.samples import (
    MINDSPORE,
    TORCH_LEVEL_1,
)


def pictures(path):
    return Pictures(load_profile(path))


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


def test_very_many_ranks_of_one_step_are_named_by_rank_alone():
    times = load_profile(MINDSPORE).step_times.iloc[:1]
    figure = step_breakdown(pd.concat([times.assign(rank=n) for n in range(64)]))
    assert figure.data[0].x[:2] == ("rank 0", "rank 1")
