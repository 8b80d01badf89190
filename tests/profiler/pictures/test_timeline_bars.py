import pandas as pd

from mswidget.profiler.pictures.timeline_bars import bars
from tests.profiler.pictures.device_events import events


def test_few_events_are_drawn_as_they_are():
    drawn = bars(events(10))
    assert drawn["count"].tolist() == [1] * 10
    assert drawn["start_ns"].tolist() == events(10)["start_ns"].tolist()


def test_merged_bars_stand_for_every_event_and_its_time():
    drawn = bars(events(20_000))
    assert len(drawn) <= 5_000
    assert drawn["count"].sum() == 20_000
    assert drawn["busy_ns"].sum() == 20_000 * 100


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
