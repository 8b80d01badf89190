import pandas as pd

from mswidget import load_profile
from mswidget.profiler.pictures.timeline_figure import timeline_figure
from tests.profiler.pictures.device_events import events


def test_a_merged_bar_says_how_many_it_stands_for():
    figure = timeline_figure(events(20_000))
    assert "20,000 events" in figure.layout.title.text
    assert "events such as MatMul" in figure.data[0].text[0]
    assert max(figure.data[0].marker.opacity) < 1


def test_an_event_shorter_than_a_pixel_is_drawn_and_keeps_its_time():
    (drawn,) = timeline_figure(pd.concat([events(1), events(1, long_ns=10**9)])).data
    assert drawn.marker.line.width.tolist() == [1, 0]
    assert "0.100 us long" in drawn.text[0]


def test_markup_in_a_name_is_shown_as_text():
    drawn = timeline_figure(events(1, name="<b>算子</b>", thread="<i>"))
    assert "&lt;b&gt;算子" in drawn.data[0].text[0]
    assert drawn.layout.yaxis.ticktext == ("&lt;i&gt;",)


def test_a_timeline_of_nothing_says_whether_the_window_or_the_profile_is_empty(
    tmp_path,
):
    nothing = load_profile(tmp_path).figures.timeline().layout.meta["reason"]
    assert nothing == "the profile has no trace and no kernel_details"
    window = timeline_figure(events(3), end_ns=1).layout.meta["reason"]
    assert window == "nothing was recorded in this window"
