"""A rank says of itself what its records and events say."""

import pytest

from mswidget.records.history import History
from mswidget.records.rank import Rank
from mswidget.records.ranks import Ranks
from mswidget.records.record import Event, Record


def rank(number, *steps, **begin):
    history = History()
    history.extend(Record(s, 100.0 + s, number, "a1", {"loss": s / 2}) for s in steps)
    said = Event("train_begin", 0, 99.0, number, "a1", fields=begin)
    return Rank(number, history, [said] if begin else [])


def test_a_rank_that_has_logged_nothing_waits():
    empty = Rank(3)
    assert empty.phase == ("waiting", "")
    assert (empty.started_s, empty.last_s, empty.records) == (0.0, 0.0, [])
    assert empty.curves == {}


def test_a_rank_knows_its_times_and_curves():
    found = rank(1, 2, 4, batch_size=8)
    assert (found.started_s, found.last_s) == (99.0, 104.0)
    assert found.curves["loss"].values.tolist() == [1.0, 2.0]
    assert found.units.samples == 8
    assert [record.rank for record in found.records] == [1, 1]


@pytest.mark.parametrize("wrap", [lambda why: why, lambda why: {"outputs": why}])
def test_the_first_rank_whose_loss_means_something_speaks(wrap):
    why = wrap({"loss_invalid_because": "stage 1 of 2"})
    ranks = Ranks({0: rank(0, 1, **why), 2: rank(2, 1), 1: rank(1, 1)})
    assert ranks[0].why_no_loss == "stage 1 of 2"
    assert sorted(ranks.with_loss) == [1, 2]
    assert ranks.main.rank == 1


def test_where_no_loss_means_anything_the_first_rank_speaks():
    why = {"loss_invalid_because": "stage 1 of 2"}
    assert Ranks({1: rank(1, 1, **why), 0: rank(0, 1, **why)}).main.rank == 0
    assert Ranks({}).main.phase[0] == "waiting"
