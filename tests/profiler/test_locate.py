"""A path of any kind leads to the right profile, and the report says which."""

import shutil

import pytest

from mswidget.profiler.load import load_profile
from tests.profiler.samples import (
    CPU,
    DATA,
    MANUAL,
    MINDDATA,
    MINDSPORE,
    MSPROF,
    TORCH_2023,
    TORCH_2025_11,
    TORCH_LEVEL_0,
    TORCH_LEVEL_1,
)

RANK_1 = TORCH_LEVEL_1 / "rank1_ascend_pt"


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (TORCH_2023, "rank 0: torch_npu profile, Level1"),
        (TORCH_LEVEL_0, "rank 0: torch_npu profile, Level0"),
        (
            TORCH_2025_11,
            "rank 0: torch_npu profile, torch_npu 2.7.1, CANN 8.3.RC1, Level2",
        ),
        (MINDSPORE, "rank 0: MindSpore profile, MindSpore 2.10.0, Level1"),
        (MINDDATA, "rank 0: MindSpore profile"),
        (CPU, "rank 0: MindSpore CPU profile"),
        (MANUAL, "rank unknown: msprof profile"),
        (MSPROF / "PROF_Sample", "rank unknown: msprof profile"),
    ],
)
def test_the_report_says_what_wrote_the_profile(path, line):
    assert load_profile(path).report.profiles[0].startswith(line)


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


def test_a_profile_that_was_never_parsed_names_the_command(tmp_path):
    folder = tmp_path / "host_1_20250101000000000_ascend_ms"
    (folder / "PROF_000001_20250101000000000_ABC" / "device_0").mkdir(parents=True)
    notes = " ".join(load_profile(tmp_path).report.notes)
    assert f"import analyse; analyse({str(folder)!r})" in notes


def test_a_run_of_which_only_msprof_parsed_its_part_names_the_command(tmp_path):
    run = shutil.copytree(min(MINDSPORE.glob("host*")), tmp_path / "host_1_ascend_ms")
    shutil.rmtree(run / "ASCEND_PROFILER_OUTPUT")
    profile = load_profile(tmp_path)
    assert len(profile["op_summary"]) == 191
    assert f"analyse({str(run)!r})" in str(profile.report)


def test_a_newer_profile_that_was_never_parsed_does_not_hide_an_older_one(tmp_path):
    shutil.copytree(RANK_1, tmp_path / "host_1_20250101000000000_ascend_pt")
    newer = tmp_path / "host_1_20250102000000000_ascend_pt"
    (newer / "PROF_000001_20250102000000000_ABC" / "device_1").mkdir(parents=True)
    shutil.copy(RANK_1 / "profiler_info_1.json", newer)
    profile = load_profile(tmp_path)
    assert len(profile["kernel_details"]) == 191
    assert f"analyse({str(newer)!r})" in str(profile.report)


def test_a_run_in_which_nothing_was_collected_says_so(tmp_path):
    (tmp_path / "host_1_20250101000000000_ascend_ms" / "FRAMEWORK").mkdir(parents=True)
    assert "nothing was collected" in str(load_profile(tmp_path).report)


def test_a_folder_that_is_only_called_like_a_run_is_no_profile(tmp_path):
    shutil.copytree(RANK_1, tmp_path / "all_ascend_pt" / "host_1_ascend_pt")
    assert len(load_profile(tmp_path).report.profiles) == 1


def test_a_packed_file_is_named(tmp_path):
    shutil.copytree(RANK_1, tmp_path / "rank1_ascend_pt")
    file = tmp_path / "rank1_ascend_pt" / "ASCEND_PROFILER_OUTPUT" / "op_statistic.csv"
    packed = file.rename(f"{file}.gz")
    assert "op_statistic.csv.gz: is packed: unpack it" in str(load_profile(tmp_path))
    assert "op_statistic.csv.gz: is packed: unpack it" in str(load_profile(packed))


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


def test_raw_msprof_data_names_its_command(tmp_path):
    folder = tmp_path / "PROF_000001_20250101000000000_ABC"
    folder.mkdir()
    notes = " ".join(load_profile(folder).report.notes)
    assert f"msprof --export=on --output={str(folder)!r}" in notes


@pytest.mark.parametrize(
    ("path", "table", "reason"),
    [
        (
            TORCH_LEVEL_0,
            "op_statistic",
            "profiler_level was Level0: profile again with",
        ),
        (MINDSPORE, "l2_cache", "l2_cache was False: profile again with l2_cache=True"),
        (MINDSPORE, "dataset", "data_process was False"),
        (MINDSPORE, "dvpp", "msprof --dvpp-profiling=on"),
        (MANUAL, "memory_record", "collect with `msprof --task-memory=on`"),
        (MANUAL, "hccs", "collect with `msprof --sys-interconnection-profiling=on`"),
        # The settings of 2023 say nothing of data_simplification.
        (TORCH_2023, "aicpu_mi", "ProfilerLevel.Level2; needs data_simplification"),
        (MINDDATA, "kernel_details", "needs activities=[..., ProfilerActivity.NPU]"),
    ],
)
def test_a_missing_table_says_why_and_which_switch_makes_it(path, table, reason):
    profile = load_profile(path)
    missing = {
        name: m.reason for m in profile.report.missing for name in m.tables.split(", ")
    }
    assert reason in missing[table]
    with pytest.raises(KeyError, match=table):
        profile[table]


def test_the_report_of_a_cpu_run_says_why_no_device_is_in_it():
    profile = load_profile(CPU)
    assert "only runs on an NPU" in str(profile.report)
    assert "timeline" in {found.table for found in profile.report.found}
    with pytest.raises(KeyError, match="kernel_details: only runs on an NPU have it"):
        profile["kernel_details"]


def test_a_table_that_one_rank_lacks_is_named_with_the_rank():
    missing = load_profile(TORCH_LEVEL_1).report.missing
    assert any("api_statistic (rank 1)" in entry.tables for entry in missing)


def test_a_folder_without_a_profile_explains_itself(tmp_path):
    (tmp_path / "notes.txt").write_text("nothing")
    profile = load_profile(tmp_path)
    assert not profile.tables
    assert "nothing of a profile was found here" in repr(profile)
    with pytest.raises(KeyError, match="no such table"):
        profile["kernels"]


def test_a_path_that_does_not_exist_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match="does not exist"):
        load_profile(tmp_path / "nowhere")


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


def test_a_folder_of_very_many_ranks_is_reported_before_it_is_read(monkeypatch):
    monkeypatch.setattr("mswidget.profiler.inventory._FILES", 1)
    profile = load_profile(MINDSPORE)
    assert {found.size for found in profile.report.found} == {"not read yet"}
    assert "kernel_details, op_statistic" in str(profile.report.notes)
    profile["kernel_details"]
    assert "382 rows" in {found.size for found in profile.report.found}


def test_html_shows_foreign_names_as_text(tmp_path):
    (tmp_path / "<b>x.csv").write_text("a\n1\n")
    assert "&lt;b&gt;x.csv" in load_profile(tmp_path)._repr_html_()


def test_a_folder_of_many_profiles_lists_every_table_once():
    profile = load_profile(DATA)
    assert len(profile.tables) == len({*profile.tables}) == len(profile)
    assert {*profile} >= {"kernel_details", "task_time", "dvpp"}
