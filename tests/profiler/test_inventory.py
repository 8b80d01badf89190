import pytest

from mswidget.profiler.load import load_profile
from tests.profiler.samples import (
    MINDSPORE,
)


def test_a_folder_without_a_profile_explains_itself(tmp_path):
    (tmp_path / "notes.txt").write_text("nothing")
    profile = load_profile(tmp_path)
    assert not profile.tables
    assert "nothing of a profile was found here" in repr(profile)
    with pytest.raises(KeyError, match="no such table"):
        profile["kernels"]


def test_a_folder_of_very_many_ranks_is_reported_before_it_is_read(monkeypatch):
    monkeypatch.setattr("mswidget.profiler.inventory._FILES", 1)
    profile = load_profile(MINDSPORE)
    assert {found.size for found in profile.report.found} == {"not read yet"}
    assert "kernel_details, op_statistic" in str(profile.report.notes)
    profile["kernel_details"]
    assert "382 rows" in {found.size for found in profile.report.found}
