import pytest

from mswidget.profiler.load import load_profile
from tests.profiler.samples import (
    DATA,
)


def test_a_path_that_does_not_exist_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match="does not exist"):
        load_profile(tmp_path / "nowhere")


def test_a_folder_of_many_profiles_lists_every_table_once():
    profile = load_profile(DATA)
    assert len(profile.tables) == len({*profile.tables}) == len(profile)
    assert {*profile} >= {"kernel_details", "task_time", "dvpp"}
