"""Runs have names of their own beside others."""

from pathlib import Path

from mswidget.saved.labels import labels


def test_runs_of_one_name_are_told_apart_by_their_folders():
    paths = [Path("/x/old/base"), Path("/x/new/base"), Path("/x/other")]
    assert labels(paths) == ["old/base", "new/base", "other"]
    assert labels([Path("a"), Path("a"), Path("b/a")]) == ["a (1)", "a (2)", "b/a"]
