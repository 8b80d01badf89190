"""Files under other names are known by what they hold, and no rank is guessed."""

import json
import shutil

import pytest

from mswidget.profiler.files.file_names import rank_in
from mswidget.profiler.load import load_profile
from tests.profiler.samples import (
    CLUSTERS,
    MINDDATA,
    MINDSPORE,
    MSPROF,
    TORCH_2023,
    TORCH_LEVEL_1,
)

OUTPUT = TORCH_LEVEL_1 / "rank0_ascend_pt" / "ASCEND_PROFILER_OUTPUT"
OP_SUMMARY = next(MSPROF.rglob("op_summary_*.csv"))
STEPS = "Step,Computing,Communication(Not Overlapped),Free\n{},100.0,20.0,30.0\n"


@pytest.mark.parametrize(
    ("file", "name", "table"),
    [
        (OP_SUMMARY, "a003-op_summary.csv", "op_summary"),
        (OUTPUT / "kernel_details.csv", "test.csv", "kernel_details"),
        (OUTPUT / "op_statistic.csv", "rank3_op_statistic_old.csv", "op_statistic"),
        (
            TORCH_2023 / "test_rank_0" / "ASCEND_PROFILER_OUTPUT/communication.json",
            "network.json",
            "communication",
        ),
        (
            next(MINDDATA.rglob("minddata_pipeline_summary_0.json")),
            "data.json",
            "minddata_pipeline_summary",
        ),
    ],
)
def test_a_renamed_file_is_known_by_what_it_holds(tmp_path, file, name, table):
    renamed = shutil.copy(file, tmp_path / name)
    assert load_profile(renamed).tables[0] == table
    assert len(load_profile(renamed)[table])


@pytest.mark.parametrize("name", ["trace_view_rank0.json", "my trace.json"])
def test_a_renamed_trace_is_drawn(tmp_path, name):
    file = shutil.copy(OUTPUT / "trace_view.json", tmp_path / name)
    assert load_profile(file).figures.timeline().data


def test_a_csv_that_is_no_table_stays_none(tmp_path):
    (tmp_path / "loss.csv").write_text("step,loss,name\n1,0.5,a\n")
    (tmp_path / "notes.txt").write_text("Step,Computing,Free\n")
    note = "is no table of the profiler that is known"
    assert f"loss.csv: {note}" in str(load_profile(tmp_path).report)
    assert f"notes.txt: {note}" in str(load_profile(tmp_path / "notes.txt").report)


def test_a_database_is_called_one(tmp_path):
    file = tmp_path / "analysis.db"
    file.write_bytes(b"SQLite format 3\0")
    assert "databases are not read" in str(load_profile(file).report)


@pytest.mark.parametrize("name", ["results_1.csv", "bert_128_32.csv"])
def test_a_number_in_any_name_is_no_rank(tmp_path, name):
    shutil.copy(OUTPUT / "kernel_details.csv", tmp_path / name)
    profile = load_profile(tmp_path)
    assert profile.ranks == ()
    assert profile["kernel_details"]["rank"].isna().all()


@pytest.mark.parametrize(
    ("name", "rank"),
    [("rank_3", 3), ("Rank-12_new", 12), ("ranks", None), ("bert_128_32", None)],
)
def test_a_name_spells_a_rank_or_tells_none(name, rank):
    assert rank_in(name) == rank


def test_folders_of_unknown_rank_do_not_hide_one_another(tmp_path):
    for folder in ("a", "b"):
        shutil.copytree(OP_SUMMARY.parents[1], tmp_path / folder / "PROF_1_2_A")
        (tmp_path / folder / "PROF_1_2_A" / "device_0").mkdir()
    summary = load_profile(tmp_path)["op_summary"]
    assert {*summary["folder"]} == {"a/PROF_1_2_A", "b/PROF_1_2_A"}


def test_files_of_several_ranks_in_one_folder_are_all_read(tmp_path):
    for rank in range(4):
        file = next(MINDDATA.rglob("minddata_pipeline_raw_0.csv"))
        shutil.copy(file, tmp_path / f"minddata_pipeline_raw_{rank}.csv")
        (tmp_path / f"step_trace_time_{rank}.csv").write_text(STEPS.format(7))
    profile = load_profile(tmp_path)
    assert profile.ranks == (0, 1, 2, 3)
    assert {*profile["minddata_pipeline_raw"]["rank"]} == {0, 1, 2, 3}
    assert profile.step_times["step_us"].to_list() == [150.0] * 4


def test_settings_of_several_ranks_in_one_folder_name_no_rank(tmp_path):
    for rank in (0, 1):
        (tmp_path / f"profiler_info_{rank}.json").write_text("{}")
    shutil.copy(OUTPUT / "op_statistic.csv", tmp_path)
    assert load_profile(tmp_path).ranks == ()


def test_a_copy_beside_a_table_is_named(tmp_path):
    for name, step in (("step_trace_time", 7), ("step_trace_time (1)", 8)):
        (tmp_path / f"{name}.csv").write_text(STEPS.format(step))
    profile = load_profile(tmp_path)
    assert profile["step_trace_time"]["step"].to_list() == [7]
    assert "step_trace_time (1).csv: left out" in str(profile.report)


def test_a_database_beside_text_is_named(tmp_path):
    run = shutil.copytree(MINDSPORE, tmp_path / "run")
    next(run.rglob("kernel_details.csv")).with_name("analysis.db").touch()
    assert "analysis.db: databases are not read" in str(load_profile(run).report)


def test_the_databases_of_raw_data_are_no_export(tmp_path):
    raw = tmp_path / "PROF_000001_20250101000000000_ABC"
    for folder in ("host/sqlite", "device_0/sqlite"):
        (raw / folder).mkdir(parents=True)
        (raw / folder / "api_event.db").touch()
    (raw / "device_0" / "info.json.0").write_text(json.dumps({"rank_id": -1}))
    for path in (tmp_path, raw):
        said = str(load_profile(path).report)
        assert f"msprof --export=on --output={str(raw)!r}" in said
        assert "databases are" not in said


def test_files_for_mindinsight_get_no_advice_for_another_profiler(tmp_path):
    for name in ("step_trace_raw_0_detail_time.csv", "aicore_intermediate_0_type.csv"):
        (tmp_path / name).write_text("kernel_type,total_time\nAdd,1\n")
    framework = "task_id,stream_id,block_dim,full_kernel_name,op_name\n1,2,3,a,a\n"
    (tmp_path / "framework_raw_0.csv").write_text(framework)
    profile = load_profile(tmp_path)
    said = str(profile.report)
    assert "for MindInsight, which opens them" in said
    assert "ProfilerLevel" not in said
    assert profile.tables == ()
    with pytest.raises(KeyError, match=r"MindSpore up to 2\.2 wrote no such table"):
        profile["kernel_details"]


def test_the_ranks_of_a_cluster_are_those_of_its_rows():
    steps = load_profile(CLUSTERS / "16-ranks").step_times
    assert steps["rank"].to_list() == [*range(16)]
    # Row 15 of the file: 79831.1 + 216612.88 + 81662.86.
    assert steps["step_us"].iloc[15] == pytest.approx(378106.84)
