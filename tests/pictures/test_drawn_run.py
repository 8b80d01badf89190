"""Whatever has ranks can be drawn, wherever these come from."""

from types import SimpleNamespace

from mswidget.pictures.drawn_run import DrawnRun
from mswidget.records.history import History
from mswidget.records.rank import Rank
from mswidget.records.ranks import Ranks
from mswidget.records.record import Record


def rank(number, *losses):
    history = History()
    records = enumerate(losses, 1)
    history.extend(
        Record(s, 100.0 + s, number, "a1", {"loss": loss}) for s, loss in records
    )
    return Rank(number, history)


def run(*ranks):
    by_number = Ranks({one.rank: one for one in ranks})
    return SimpleNamespace(name="基线", ranks=by_number, alert_list=[], notes=["mind"])


def test_one_rank_is_one_track():
    drawn = DrawnRun(run(rank(0, 2.0, 1.0)), 3)
    drawn.update()
    (track,) = drawn.tracks({"3.0"})
    assert (track["label"], track["shown"], track["step"]) == ("基线", True, 2)
    assert drawn.status()["step"] == 2
    assert drawn.notices() == ["基线: mind"]


def test_several_ranks_have_a_band():
    drawn = DrawnRun(run(rank(0, 1.0, 2.0), rank(1, 3.0, 4.0)), 0)
    drawn.update()
    assert drawn.shown_first() == {"0.0", "0.min", "0.mean", "0.median", "0.max"}
    assert [ident for ident, _ in drawn.others("loss", {"0.0"})] == ["0.1"]


def test_ranks_that_have_appeared_are_drawn_from_the_next_update_on():
    growing = run(rank(0, 1.0))
    drawn = DrawnRun(growing, 0)
    growing.ranks = run(rank(0, 1.0), rank(1, 1.0)).ranks
    assert drawn.ids() == {"0.0"}
    drawn.update()
    assert {"0.0", "0.1"} <= drawn.ids()
