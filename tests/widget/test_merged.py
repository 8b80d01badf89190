"""Several tracks share a picture and keep apart in it."""

from mswidget.records.history import History
from mswidget.widget.merged import Merged, metrics_of
from mswidget.widget.track import TRACK_END
from tests.page import history_of


def test_each_track_has_columns_of_its_own_and_is_taken_once():
    first, second, merged = history_of({"loss": [1.0, 2.0]}), History(), Merged()
    second.append(history_of({"loss": [5.0], "损失": [6.0]}).rows())
    for _ in range(2):
        merged.take("a", first)
        merged.take("b", second)
    first.append(history_of({"loss": [3.0]}).rows())
    merged.take("a", first)
    rows = merged.history.rows()
    assert rows.metrics[f"a{TRACK_END}loss"][1].tolist() == [1.0, 2.0, 3.0]
    assert rows.metrics[f"a{TRACK_END}loss"][0].tolist() == [0, 1, 3]
    assert rows.metrics[f"b{TRACK_END}loss"][1].tolist() == [5.0]
    assert metrics_of(merged.history) == ["loss", "损失"]


def test_a_history_in_place_of_another_is_taken_from_its_begin():
    merged = Merged()
    merged.take("a", history_of({"loss": [1.0, 2.0]}))
    merged.take("a", history_of({"loss": [7.0]}))
    values = merged.history.rows().metrics[f"a{TRACK_END}loss"][1]
    assert values.tolist() == [1.0, 2.0, 7.0]
