"""What was not read is said, and how to read it."""

import argparse

import pytest

from mswidget.commands.answers import ANSWERS
from mswidget.commands.parsing import fill, parse
from mswidget.saved import follow
from mswidget.saved.follow import Follower
from mswidget.saved.reader import load_run
from mswidget.watching.compare import compare
from mswidget.watching.watch import Watch
from tests.importers.logs import curve, read

PATTERN = r"it (?P<step>\d+) val (?P<loss>\S+)"


def test_lines_with_a_loss_that_were_not_read_are_counted_and_quoted(tmp_path):
    lines = [
        "the loss is scaled by 1024 ranks of it\n",
        "epoch: 1 step: 1, loss is 0.5\n",
        "G loss = 1.5 after 3 rounds\n",
        "D loss = 2.5 after 3 rounds\n",
        "no loss at all\n",
    ]
    notes = read(tmp_path, lines).notes
    assert any(
        note == "2 lines with a loss not read; the first: 'G loss = 1.5 after 3 rounds'"
        for note in notes
    )


def test_a_log_that_is_read_whole_says_nothing_of_unread_lines(tmp_path):
    notes = read(tmp_path, "epoch: 1 step: 1, loss is 0.5\nepoch done\n").notes
    assert not any("not read" in note for note in notes)


def test_a_log_that_is_not_understood_shows_its_loss_and_a_pattern(tmp_path):
    path = tmp_path / "train.log"
    path.write_text("hello\n[it 5] G loss = 1.5\n")
    with pytest.raises(ValueError, match="not understood") as error:
        load_run(path)
    for words in (r"'[it 5] G loss = 1.5'", "(?P<epoch>", "steps_per_epoch"):
        assert words in str(error.value)


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "a" / "train.log"
    path.parent.mkdir()
    path.write_text("it 1 val 0.5\nit 2 val 0.25\n")
    return path


def test_watch_takes_a_pattern(log, monkeypatch):
    monkeypatch.setattr(follow, "LOOK_S", 0.0)
    follower = Follower([log.parent], pattern=PATTERN)
    follower.poll()
    assert curve(follower.runs["a"].ranks[0]) == [("a1", 1, 0.5), ("a1", 2, 0.25)]
    assert list(Watch([log.parent], pattern=PATTERN).runs) == ["a"]


def test_compare_takes_a_pattern(log, tmp_path):
    other = tmp_path / "b.log"
    other.write_text("it 1 val 0.5\nit 2 val 0.75\n")
    comparison = compare(log, other, pattern=PATTERN)
    losses = [
        comparison.rank(name).history.values("loss").tolist()
        for name in comparison.runs
    ]
    assert losses == [[0.5, 0.25], [0.5, 0.75]]


def test_the_shell_takes_a_pattern(log):
    words = ["compare", str(log), str(log), "--pattern", PATTERN]
    words += ["--steps-per-epoch", "7"]
    given = parse(fill(argparse.ArgumentParser(), "shell"), words, "shell")
    assert (given.pattern, given.steps_per_epoch) == (PATTERN, 7)
    assert "loss" in ANSWERS["compare"](given)
