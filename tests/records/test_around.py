"""What was logged around a step."""

import numpy as np
import pytest

from mswidget import load_run, start_run
from mswidget.records.around import around
from tests.page import history_of

NOISE = np.random.default_rng(1).normal(size=(3, 40))


def rows(**metrics):
    return history_of(metrics).rows()


def test_what_is_farthest_at_the_step_stands_in_front():
    calm, odd, broken = 1 + 0.01 * NOISE
    odd[19] = 9.0
    broken[19] = np.nan
    frame = around({0: rows(calm=calm, odd=odd, broken=broken)}, 20, 3)
    assert frame.index.tolist() == [17, 18, 19, 20, 21, 22, 23]
    assert frame.columns[-3:].tolist() == ["broken", "odd", "calm"]
    assert frame.loc[20, "odd"] == 9.0


def test_the_farthest_of_any_rank_counts():
    calm, odd = 1 + 0.01 * NOISE[:2]
    late = odd.copy()
    late[19] = 5.0
    ranks = {0: rows(calm=calm, odd=odd), 7: rows(calm=calm, odd=late)}
    frame = around(ranks, 20, 1)
    assert frame["rank"].tolist() == [0, 7] * 3
    assert frame.columns[-2:].tolist() == ["odd", "calm"]


def test_a_value_that_never_moved_but_there_is_far():
    flag = np.zeros(40)
    flag[19] = 1
    frame = around({0: rows(calm=NOISE[0], flag=flag, still=np.ones(40))}, 20, 5)
    assert frame.columns[-3:].tolist() == ["flag", "calm", "still"]


def test_a_step_that_was_not_logged_is_refused():
    with pytest.raises(ValueError, match="step 99 was not logged; steps 1 to 40 were"):
        around({0: rows(loss=NOISE[0])}, 99, 5)


def test_a_run_tells_it_live_and_read_back(tmp_path):
    with start_run("run", log_dir=tmp_path, display=False) as run:
        for step in range(1, 21):
            run.log({"loss": 1.0 / step, "lr": 0.1})
        live = run.around(10, steps=2)
    assert live.index.tolist() == [8, 9, 10, 11, 12]
    assert load_run(run.path).around(10, steps=2).equals(live)


def test_a_step_that_was_made_again_has_a_row_for_each_attempt(tmp_path):
    for resume in (False, True):
        with start_run("run", log_dir=tmp_path, display=False, resume=resume) as run:
            for step in range(1, 6):
                run.log({"loss": 1.0 / step}, step=step)
    frame = load_run(run.path).around(3, steps=0)
    assert frame["attempt"].tolist() == ["a1", "a2"]
