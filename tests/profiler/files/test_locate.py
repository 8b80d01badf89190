"""A path of any kind leads to the right profile."""

import shutil

import pytest

from mswidget.profiler.load import load_profile
from tests.profiler.samples import (
    MINDSPORE,
    TORCH_LEVEL_1,
)

RANK_1 = TORCH_LEVEL_1 / "rank1_ascend_pt"


@pytest.mark.parametrize(
    "path",
    [
        RANK_1,
        RANK_1 / "ASCEND_PROFILER_OUTPUT",
        RANK_1 / "ASCEND_PROFILER_OUTPUT" / "kernel_details.csv",
    ],
    ids=["rank folder", "output folder", "file"],
)
def test_a_part_of_a_profile_knows_its_rank(path):
    profile = load_profile(path)
    assert profile.ranks == (1,)
    assert {*profile["kernel_details"]["rank"]} == {1}


def test_a_run_folder_gives_all_ranks():
    profile = load_profile(MINDSPORE)
    assert profile.ranks == (0, 1)
    assert profile["op_statistic"].groupby("rank").size().to_list() == [33, 33]


def test_an_output_folder_that_was_copied_alone_is_read(tmp_path):
    shutil.copytree(RANK_1 / "ASCEND_PROFILER_OUTPUT", tmp_path / "копия 1")
    profile = load_profile(tmp_path)
    assert profile.ranks == ()
    assert len(profile["kernel_details"]) == 191


def test_the_newest_of_several_dates_counts_and_the_others_are_offered(tmp_path):
    for date in ("20250102", "20250101"):
        folder = tmp_path / f"host_1_{date}000000000_ascend_pt"
        shutil.copytree(RANK_1, folder)
    profile = load_profile(tmp_path)
    assert profile.sources[0].folder.name == "host_1_20250102000000000_ascend_pt"
    assert len(profile["kernel_details"]) == 191
    assert "host_1_20250101000000000_ascend_pt: left out" in str(profile.report)


@pytest.mark.parametrize(
    "name", ["kernel_details (1).csv", "kernel_details(2).csv", "KERNEL_DETAILS.CSV"]
)
def test_a_file_that_a_browser_or_windows_renamed_is_known(tmp_path, name):
    content = next(MINDSPORE.rglob("kernel_details.csv")).read_bytes()
    (tmp_path / name).write_bytes(content)
    assert load_profile(tmp_path).tables == ("kernel_details",)


def test_slices_are_joined_and_an_older_export_is_not(tmp_path):
    text = "Device_id,Op Name,OP Type\n0,{},Add\n"
    for name in (
        "op_summary_slice_0_20250101000000",
        "op_summary_slice_1_20250101000001",
        "op_summary_slice_2_20250101000002",
        "op_summary_slice_0_20250102000000",
        "op_summary_slice_1_20250102000001",
    ):
        (tmp_path / f"{name}.csv").write_text(text.format(name[11:]))
    names = load_profile(tmp_path)["op_summary"]["op_name"].to_list()
    assert names == ["slice_0_20250102000000", "slice_1_20250102000001"]


def test_a_newer_profile_that_was_never_parsed_does_not_hide_an_older_one(tmp_path):
    shutil.copytree(RANK_1, tmp_path / "host_1_20250101000000000_ascend_pt")
    newer = tmp_path / "host_1_20250102000000000_ascend_pt"
    (newer / "PROF_000001_20250102000000000_ABC" / "device_1").mkdir(parents=True)
    shutil.copy(RANK_1 / "profiler_info_1.json", newer)
    profile = load_profile(tmp_path)
    assert len(profile["kernel_details"]) == 191
    assert f"analyse({str(newer)!r})" in str(profile.report)


def test_a_folder_that_is_only_called_like_a_run_is_no_profile(tmp_path):
    shutil.copytree(RANK_1, tmp_path / "all_ascend_pt" / "host_1_ascend_pt")
    assert len(load_profile(tmp_path).report.profiles) == 1


def test_a_folder_named_like_a_file_is_no_table(tmp_path):
    (tmp_path / "op_statistic.csv").mkdir()
    assert not load_profile(tmp_path).tables


@pytest.mark.parametrize(
    "name", ["配置 文件[1]", "a*b? {x}%20", "-n", "line\nend", "rank_20250109"]
)
def test_a_folder_may_have_any_name(tmp_path, name):
    shutil.copytree(RANK_1 / "ASCEND_PROFILER_OUTPUT", tmp_path / name)
    profile = load_profile(tmp_path)
    assert len(profile["kernel_details"]) == 191
    assert profile.ranks == ()


def test_a_link_back_up_is_not_followed_for_ever(tmp_path):
    shutil.copytree(RANK_1, tmp_path / "rank1_ascend_pt")
    (tmp_path / "rank1_ascend_pt" / "up").symlink_to(tmp_path)
    assert len(load_profile(tmp_path)["kernel_details"]) == 191


@pytest.mark.parametrize(
    "content",
    ["{", "[]", '{"config": 3}', '{"a": 1}', pytest.param("[" * 100_000, id="deep")],
)
def test_broken_settings_do_not_hide_the_tables(tmp_path, content):
    (tmp_path / "profiler_info_3.json").write_text(content)
    shutil.copy(RANK_1 / "ASCEND_PROFILER_OUTPUT" / "op_statistic.csv", tmp_path)
    assert load_profile(tmp_path)["op_statistic"]["rank"].unique().tolist() == [3]


def test_the_data_of_a_device_name_its_rank(tmp_path):
    device = tmp_path / "PROF_000001_20250101000000000_ABC" / "device_2"
    device.mkdir(parents=True)
    (device / "info.json.2").write_text('{"rank_id": 5}')
    (source,) = load_profile(tmp_path).sources
    assert (source.rank, source.device) == (5, 2)
