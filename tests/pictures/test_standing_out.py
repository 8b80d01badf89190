"""Ranks whose numbers are unlike the others'."""

import re

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mswidget.pictures.standing_out import standing_out
from mswidget.records.history import History
from mswidget.records.record import Record

STEPS = 40


def history(loss: float, *, last=None, time_ms: float = 100.0, first: int = 1):
    """Return a rank of so much loss with a little noise, which ends as told."""
    noise = np.random.default_rng(int(1000 * loss)).normal(0, 0.02, STEPS)
    losses = [*(loss + noise)[:-1], loss if last is None else last]
    made = History()
    made.extend(
        Record(step, float(step), 0, "a1", {"loss": value, "step_time_ms": time_ms})
        for step, value in enumerate(losses, first)
    )
    return made


def ranks(*odd):
    """Return five ranks that are alike, and after them these."""
    return dict(enumerate([*(history(0.6) for _ in range(5)), *odd]))


def test_ranks_that_are_alike_need_no_look():
    assert standing_out(ranks(history(0.62))) == {}


def test_a_loss_far_from_the_others_is_told_with_theirs():
    (told,) = standing_out(ranks(history(3.6))).items()
    assert told[0] == 5
    assert re.match(r"its loss is 3\.\d+, of others 0\.[56]", told[1])


def test_a_loss_of_earlier_steps_is_not_compared():
    assert standing_out(ranks(history(3.6, first=-100))) == {}


def test_one_batch_that_is_unlike_makes_no_rank_odd():
    assert standing_out(ranks(history(0.6, last=9.0))) == {}


def test_a_loss_that_is_not_finite_is_told_also_of_two_ranks():
    two = {0: history(0.6), 1: history(0.6, last=np.nan)}
    assert standing_out(two) == {1: "its loss is not finite"}


def test_a_slow_rank_is_told():
    slow = standing_out(ranks(history(0.6, time_ms=180.0)))
    assert slow == {5: "its steps take 180 ms, of others 100"}


@given(st.lists(st.floats(width=32), max_size=8))
def test_no_rank_is_odd_that_is_like_the_most(losses):
    told = standing_out(
        {rank: history(1.0, last=loss) for rank, loss in enumerate(losses)}
    )
    assert set(told) <= {r for r, loss in enumerate(losses) if not np.isfinite(loss)}
