"""Alerts of runs that are watched: of their ranks, and of logs of other tools."""

import contextlib
import os
import signal
import subprocess
import sys

import numpy as np
import pytest

from mswidget import Threshold, start_run
from mswidget.alerts.notify import notifier
from mswidget.alerts.notify.channel import Caller
from mswidget.alerts.rules import ranks as rank_rules
from mswidget.alerts.rules.ranks import drift, silent
from mswidget.alerts.run_check import RunCheck
from mswidget.records.rank import Rank
from mswidget.records.ranks import Ranks
from mswidget.watching.lines import RunLines
from mswidget.watching.watch import Watch
from tests.alerts.test_notify import Server
from tests.page import history_of
from tests.watching.test_lost import STEPS, kill, write

__all__ = ["write"]  # a fixture
EXPLODING = (0.5 + 3 * np.exp(-np.arange(400) / 60)) * np.exp(
    np.maximum(np.arange(400) - 250, 0) / 20
)
LONG_S = 20.0


def rules(watch):
    watch.read()
    return [alert["rule"] for alert in watch.head()["alerts"]]


@pytest.fixture
def told(monkeypatch):
    """Return the alerts that a watch has sent."""
    monkeypatch.setattr(notifier, "_GATHER_S", 0.0)
    return []


def sent(watch):
    for one in watch._notifiers.values():
        assert one.flush(LONG_S)


def test_a_rank_that_is_killed_is_told_with_its_step(tmp_path, write, told, capsys):
    write(0)
    second = write(1)
    watch = Watch([tmp_path], channels=[Caller(told.append)])
    lines = RunLines([tmp_path])
    lines.tick()
    assert rules(watch) == []
    kill(second)
    assert rules(watch) == rules(watch) == ["process_gone"]
    sent(watch)
    (alert,) = told
    assert (alert.rank, alert.step, alert.severity) == (1, STEPS, "error")
    assert alert.message.startswith(f"rank 1 is gone after step {STEPS}: process")
    lines.tick()
    assert capsys.readouterr().out.count("rank 1 is lost") == 1


def test_a_rank_that_is_stopped_is_silent_until_it_goes_on(
    tmp_path, write, told, monkeypatch, capsys
):
    child = write(0)
    watch = Watch([tmp_path], channels=[Caller(told.append)])
    lines = RunLines([tmp_path])
    child.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, child.pid, os.WSTOPPED)
    monkeypatch.setattr(rank_rules, "SILENT_S", 0.0)
    monkeypatch.setattr("mswidget.alerts.run_check.SILENT_S", 0.0)
    assert rules(watch) == ["rank_silent"]
    sent(watch)
    assert "rank 0 has been silent for" in told[0].message
    assert f"after step {STEPS}" in told[0].message
    lines.tick()
    assert "error at step 40: rank 0 has been silent" in capsys.readouterr().out
    monkeypatch.setattr(rank_rules, "SILENT_S", 1e9)
    watch.read()
    (alert,) = watch.runs["run"].alerts()
    assert alert.last_step == STEPS


def test_a_run_that_was_lost_before_anybody_looked_is_no_news(
    tmp_path, write, monkeypatch
):
    kill(write(0))
    monkeypatch.setattr("mswidget.alerts.run_check._LONG_AGO_S", -1e6)
    assert rules(Watch([tmp_path])) == []


def test_who_is_behind_is_named():
    ranks = {
        0: Rank(0, history_of({"loss": [1.0] * 42})),
        1: Rank(1, history_of({"loss": [1.0] * 40})),
    }
    (first, _) = silent(ranks, 1e4, {0: 1.0, 1: 1.0})
    assert "after step 42; rank 1 at step 40, others at 42" in first.message


def test_long_steps_and_evaluations_are_no_silence():
    history = history_of({"loss": [1.0] * 40})
    held_up = Rank(0, history)
    assert not list(silent({0: held_up}, 1000.0, {0: 900.0}))
    assert list(silent({0: held_up}, 1000.0, {0: 700.0}))


def test_a_rank_whose_loss_leaves_the_others_is_named():
    random = np.random.default_rng(0)
    losses = 1 + 0.01 * random.normal(size=(4, 300))
    losses[2, 200:] += 1
    ranks = {n: Rank(n, history_of({"loss": row})) for n, row in enumerate(losses)}
    (alert,) = drift(ranks)
    assert (alert.rank, alert.step, alert.rule) == (2, 201, "rank_drift")
    assert not list(drift({n: ranks[n] for n in (0, 1, 3)}))
    (late,) = drift(ranks, most=50)
    assert "at step 251 or before" in late.message


def test_a_watch_finds_a_rank_that_drifts(monkeypatch):
    monkeypatch.setattr("mswidget.alerts.run_check._FIRST_S", 0.0)
    losses = 1 + 0.01 * np.random.default_rng(0).normal(size=(4, 300))
    losses[2, 200:] += 1
    whole = [history_of({"loss": row}) for row in losses]
    ranks, check = Ranks({n: Rank(n) for n in range(4)}), RunCheck()
    for start in (0, 150):
        for number, rank in ranks.items():
            rank.history.append(whole[number].rows(start, start + 150))
        check._next_drift_s = 0.0
        check.read(ranks, 1.7e9)
    (alert,) = check.alerts
    assert (alert.rule, alert.rank, alert.step) == ("rank_drift", 2, 201)


def test_a_log_of_another_tool_that_diverges_is_told(tmp_path, told):
    log = tmp_path / "job" / "train.log"
    log.parent.mkdir()
    lines = [
        f"epoch: 1 step: {step}, loss is {loss:.6f}\n"
        for step, loss in enumerate(EXPLODING, 1)
    ]
    log.write_text("".join(lines[:200]))
    watch = Watch([tmp_path], channels=[Caller(told.append)])
    assert rules(watch) == []
    with log.open("a") as file:
        file.writelines(lines[200:])
    assert rules(watch) == ["diverged"]
    sent(watch)
    assert [alert.rule for alert in told] == ["diverged"]
    assert [path.name for path in log.parent.iterdir()] == ["train.log"]


def test_what_a_run_has_sent_itself_is_not_sent_again(tmp_path, told):
    options = {"log_dir": tmp_path, "display": False}
    with start_run("begin", **options):
        pass
    watch = Watch([tmp_path], channels=[Caller(told.append)])
    high = Threshold("loss", above=10)
    ours = []
    with start_run("run", alerts=[high], notify=[ours.append], **options) as run:
        run.log({"loss": 20.0})
    assert run._notifier.flush(LONG_S)
    with start_run("silent", alerts=[high], **options) as run:
        run.log({"loss": 20.0})
    watch._follower._next_look_s = 0.0
    watch.read()
    sent(watch)
    assert len(ours) == 1
    assert [alert.step for alert in told] == [1]
    assert sorted(watch._notifiers) == ["run", "silent"]


def test_a_guard_on_another_shell_outlives_the_training(tmp_path, write):
    with contextlib.closing(Server()) as server:
        training = write(0)
        command = [sys.executable, "-m", "mswidget", "watch", tmp_path]
        environment = {**os.environ, "HOOK": server.address}
        with subprocess.Popen(
            [*command, "--notify", "env:HOOK"],
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
        ) as guard:
            assert guard.stdout.readline().startswith(f"run: step {STEPS}")
            kill(training)
            (sent,) = server.wait()
            guard.send_signal(signal.SIGINT)
            rest = guard.stdout.read()
    assert (sent["rule"], sent["rank"], sent["step"]) == ("process_gone", 0, STEPS)
    assert server.address not in rest
    assert guard.returncode == 0


def test_a_guard_with_a_wrong_address_ends_at_once(tmp_path):
    command = [sys.executable, "-m", "mswidget", "watch", tmp_path]
    command += ["--notify", "env:NO_HOOK"]
    ended = subprocess.run(command, check=False, capture_output=True, text=True)
    assert ended.returncode == 2
    assert "the variable NO_HOOK is empty or not there" in ended.stderr
