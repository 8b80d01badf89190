import pytest

from mswidget import load_profile
from mswidget.profiler.pictures.profile_pictures import Pictures
from mswidget.profiler.pictures.top_ops import top_ops
from tests.profiler.samples import (
    TORCH_LEVEL_0,
    TORCH_LEVEL_1,
)


def test_top_operators_are_in_order_and_all_of_them_are_computing():
    profile = load_profile(TORCH_LEVEL_1)
    figure = Pictures(profile).ops(1000)
    lengths = {y: x for bar in figure.data for x, y in zip(bar.x, bar.y, strict=True)}
    in_order = [lengths[place] for place in sorted(lengths)]
    assert in_order == sorted(in_order)
    assert sum(in_order) == pytest.approx(profile.op_times["total_us"].sum() / 1e3)


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
