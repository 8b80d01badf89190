"""Updates that a loss scale made the optimizer skip are marked and counted."""

import math

import pytest

from mswidget import start_run
from mswidget.run.skipped import SkippedUpdates


@pytest.fixture
def skipped():
    return []


@pytest.fixture
def notices():
    return []


@pytest.fixture
def updates(skipped, notices):
    return SkippedUpdates(skipped.append, notices.append)


def rates(updates, overflows):
    rows = [{"overflow": float(overflow)} for overflow in overflows]
    for step, values in enumerate(rows, start=1):
        updates(step, values)
    return [values["skipped_pct"] for values in rows]


def test_a_step_that_overflows_is_marked(updates, skipped):
    assert rates(updates, [1, 0, 0, 1]) == [100, 50, pytest.approx(100 / 3), 50]
    assert skipped == [1, 4]


def test_the_rate_is_of_the_last_hundred_steps(updates):
    assert rates(updates, [1] * 50 + [0] * 150)[99::50] == [50, 0, 0]


def test_an_overflow_that_is_no_number_is_none(updates, skipped):
    assert rates(updates, [math.nan]) == [0]
    assert skipped == []


def test_a_step_without_overflow_has_no_rate(updates):
    values = {"loss": 1.0}
    updates(1, values)
    assert values == {"loss": 1.0}


def test_of_a_training_that_always_skips_the_marks_are_bounded(
    updates, skipped, notices
):
    assert rates(updates, [1] * 1500)[-1] == 100
    assert len(skipped) == 1000
    assert len(notices) == 1
    assert "from step 1001 on" in notices[0]


class LateTensor:
    """Stands for a tensor that is read when the device has it."""

    def __init__(self, value):
        self.value = value

    def asnumpy(self):
        return self.value


def test_a_loop_that_logs_overflow_gets_marks_and_rate(tmp_path):
    with start_run("run", log_dir=tmp_path, display=False) as run:
        for overflow in (False, True, False):
            run.log({"loss": 1.0, "overflow": LateTensor(overflow)})
    frame = run.to_pandas()
    assert frame["skipped_pct"].tolist() == [0, 50, pytest.approx(100 / 3)]
    marks = run._head()["marks"]
    assert [m["step"] for m in marks if m["kind"] == "skipped"] == [2]
    assert '"event": "skipped"' in (run.path / "rank_0.jsonl").read_text()
