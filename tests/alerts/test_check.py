"""The rules over what is read: own runs, and logs of other tools."""

import numpy as np

from mswidget import load_run, start_run
from mswidget.alerts.check import RankCheck
from mswidget.records.history import History
from mswidget.records.rank import Rank
from mswidget.records.record import Event
from tests.page import history_of

FALLING = 0.5 + 3 * np.exp(-np.arange(400) / 60)
EXPLODING = FALLING * np.exp(np.maximum(np.arange(400) - 250, 0) / 20)
MINDFORMERS = (
    "2025-04-08 22:29:30,901 - mindformers/core/callback/callback.py:1000 - INFO - "
    "{{ Epoch:[  1/  1], step:[{step:>5}/  400], loss: {loss:.3f}, "
    "per_step_time: 3000ms, lr: 1e-05, overflow cond: False, loss_scale: 1.0\n"
)


def log(path, losses, **options):
    with start_run("run", log_dir=path, display=False, **options) as run:
        for step, loss in enumerate(losses, 1):
            run.log({"loss": float(loss)}, step=step)
    return run


def test_a_mindformers_log_whose_loss_diverged_says_so(tmp_path):
    lines = [MINDFORMERS.format(step=s, loss=v) for s, v in enumerate(EXPLODING, 1)]
    (tmp_path / "train.log").write_text("".join(lines))
    found = load_run(tmp_path / "train.log").check()
    assert found["rule"].tolist() == ["diverged"]
    assert found["step"].between(251, 350).all()


def test_a_run_that_is_read_finds_what_it_found_while_it_ran(tmp_path):
    run = log(tmp_path, EXPLODING)
    columns = ["rule", "metric", "step", "last_step", "message"]
    live, read = run.alerts[columns], load_run(run.path).check()[columns]
    assert live["rule"].tolist() == ["diverged"]
    assert live.equals(read)


def test_a_healthy_run_has_nothing_to_tell(tmp_path):
    run = log(tmp_path, FALLING)
    assert load_run(run.path).check().empty


def test_an_attempt_that_begins_anew_has_not_climbed(tmp_path):
    log(tmp_path, FALLING)
    run = log(tmp_path, FALLING, resume=True)
    assert load_run(run.path).check().empty


def test_the_loss_of_a_rank_that_has_none_is_not_looked_at():
    begin = Event(
        "train_begin", 0, 0.0, 0, "a1", None, {"loss_invalid_because": "stage 1"}
    )
    history = history_of({"loss": [np.nan] * 50})
    check = RankCheck(0)
    check.read(Rank(0, history, [begin]))
    assert check.alerts == []


def test_what_grows_is_found_as_it_is_read():
    whole, history, check = history_of({"loss": EXPLODING}), History(), RankCheck(3)
    begun = []
    for start in range(0, 400, 50):
        history.append(whole.rows(start, start + 50))
        check.read(Rank(3, history))
        begun.append(len(check.alerts))
    assert begun[0] == 0
    assert begun[-1] == 1
    assert check.alerts[0].rank == 3


def test_a_file_that_is_read_anew_is_checked_anew():
    check = RankCheck(0)
    check.read(Rank(0, history_of({"loss": EXPLODING})))
    check.read(Rank(0, history_of({"loss": FALLING})))
    assert check.alerts == []
