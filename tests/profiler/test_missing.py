"""The report says why a table is missing, and what would make it."""

import re
import shutil

import pytest

from mswidget.profiler.load import load_profile
from tests.profiler.samples import (
    CPU,
    MANUAL,
    MINDDATA,
    MINDSPORE,
    TORCH_2023,
    TORCH_LEVEL_0,
    TORCH_LEVEL_1,
)

RANK_0 = TORCH_LEVEL_1 / "rank0_ascend_pt"
RANK_1 = TORCH_LEVEL_1 / "rank1_ascend_pt"


def test_a_profile_that_was_never_parsed_names_the_command(tmp_path):
    folder = tmp_path / "host_1_20250101000000000_ascend_ms"
    (folder / "PROF_000001_20250101000000000_ABC" / "device_0").mkdir(parents=True)
    profile = load_profile(tmp_path)
    command = f"import analyse; analyse({str(folder)!r})"
    assert command in " ".join(profile.report.notes)
    for name in ("kernel_details", "step_trace_time", "memory_record"):
        with pytest.raises(KeyError, match=re.escape(command)):
            profile[name]


def test_a_run_of_which_only_msprof_parsed_its_part_names_the_command(tmp_path):
    run = shutil.copytree(min(MINDSPORE.glob("host*")), tmp_path / "host_1_ascend_ms")
    shutil.rmtree(run / "ASCEND_PROFILER_OUTPUT")
    profile = load_profile(tmp_path)
    assert len(profile["op_summary"]) == 191
    assert f"analyse({str(run)!r})" in str(profile.report)


def test_a_run_in_which_nothing_was_collected_says_so(tmp_path):
    (tmp_path / "host_1_20250101000000000_ascend_ms" / "FRAMEWORK").mkdir(parents=True)
    assert "nothing was collected" in str(load_profile(tmp_path).report)


def test_a_packed_file_is_named(tmp_path):
    shutil.copytree(RANK_1, tmp_path / "rank1_ascend_pt")
    file = tmp_path / "rank1_ascend_pt" / "ASCEND_PROFILER_OUTPUT" / "op_statistic.csv"
    packed = file.rename(f"{file}.gz")
    assert "op_statistic.csv.gz: is packed: unpack it" in str(load_profile(tmp_path))
    assert "op_statistic.csv.gz: is packed: unpack it" in str(load_profile(packed))


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


def test_a_profile_of_databases_says_how_to_export_it_as_text(tmp_path):
    (tmp_path / "ascend_pytorch_profiler_0.db").touch()
    (note,) = load_profile(tmp_path).report.notes
    assert note.startswith("ascend_pytorch_profiler_0.db: databases are not read")


def test_a_timeline_without_a_table_is_named(tmp_path):
    shutil.copy(RANK_0 / "ASCEND_PROFILER_OUTPUT" / "trace_view.json", tmp_path)
    assert "a timeline, and no table beside it" in str(load_profile(tmp_path).report)
