"""The kernel never sends more than the page can take."""

from hypothesis import given
from hypothesis import strategies as st

from mswidget.widget.budget import Budget

PAUSES_S = st.lists(st.floats(0, 0.5), max_size=200)


@given(PAUSES_S, st.integers(1, 10))
def test_no_second_has_more_than_its_messages(pauses_s, limit):
    budget = Budget(limit)
    now, sent = 1000.0, []
    for pause in pauses_s:
        now += pause
        if budget.take(now):
            sent.append(now)
    for first, later in zip(sent, sent[limit:], strict=False):
        assert later - first >= 1


def test_an_idle_second_gives_the_whole_budget_back():
    budget = Budget(3)
    assert [budget.take(0.0) for _ in range(4)] == [True, True, True, False]
    assert [budget.take(1.0) for _ in range(4)] == [True, True, True, False]


def test_all_monitors_share_one_budget():
    everything = Budget(15)
    monitors = [Budget(10, everything) for _ in range(3)]
    taken = [sum(monitor.take(5.0) for _ in range(20)) for monitor in monitors]
    assert taken == [10, 5, 0]


def test_a_monitor_that_is_refused_takes_nothing_from_the_others():
    everything = Budget(100)
    eager, other = Budget(10, everything), Budget(100, everything)
    for _ in range(50):
        eager.take(5.0)
    assert sum(other.take(5.0) for _ in range(100)) == 90
