"""The times of kernels and operators are those that the profiler measured."""

import shutil

import pandas as pd
import pytest

from mswidget.profiler.load import load_profile
from mswidget.profiler.times.intervals import total, union
from mswidget.profiler.times.kernels import kernel_table, op_times
from tests.profiler.samples import (
    MINDSPORE,
    TORCH_2025_11,
    TORCH_LEVEL_0,
    TORCH_LEVEL_1,
)

RANK_0 = TORCH_LEVEL_1 / "rank0_ascend_pt"
WHOLE = [TORCH_LEVEL_0, RANK_0, TORCH_LEVEL_1 / "rank1_ascend_pt"]


@pytest.mark.parametrize("path", WHOLE, ids=lambda path: path.name)
def test_the_union_of_compute_is_the_measured_computing(path):
    profile = load_profile(path)
    kernels = kernel_table(profile).query("not is_communication")
    compute = total(union(kernels["start_time_ns"], kernels["end_ns"])) / 1e3
    # Every kernel is rounded to a nanosecond: 187 of them.
    assert compute == pytest.approx(profile.step_times["computing_us"].sum(), abs=0.187)
    assert kernels["duration_us"].sum() >= compute - 0.187


def test_operators_sum_up_to_op_statistic():
    profile = load_profile(MINDSPORE)
    ours = op_times(profile).groupby("rank")[["count", "total_us"]].sum()
    # 8873.751 and 8878.293 in the files, a nanosecond a kernel off.
    assert ours["total_us"].to_list() == pytest.approx([8873.751, 8878.293], abs=0.187)
    assert ours["count"].to_list() == [187, 187]
    theirs = profile["op_statistic"].groupby("rank")["count"].sum()
    assert theirs.to_list() == [187, 187]


def test_ai_cpu_operators_show_their_copies(tmp_path):
    (tmp_path / "kernel_details.csv").write_text(
        "Task ID,Stream ID,Name,Type,Accelerator Core,Start Time(us),Duration(us)\n"
        "7,2,a,Unique,AI_CPU,10,50\n8,2,b,Add,AI_CORE,70,5\n"
    )
    (tmp_path / "aicpu_20250101000000.csv").write_text(
        "Device_id,Timestamp(us),Node,Compute_time(us),Memcpy_time(us),Task_time(us),"
        "Dispatch_time(us),Total_time(us),Stream ID,Task ID\n0,10,a,30,15,45,5,50,2,7\n"
    )
    ops = op_times(load_profile(tmp_path)).set_index("type")
    assert ops.loc["Unique", "aicpu_memcpy_us"] == 15
    assert pd.isna(ops.loc["Add", "aicpu_memcpy_us"])


def test_operators_without_types_go_by_their_names():
    ops = load_profile(TORCH_LEVEL_0).op_times
    # Level0 records no types. The sum of all durations but those of collectives.
    assert ops["total_us"].sum() == pytest.approx(8827.454)
    assert ops["type"].iloc[0].endswith("_ForeachAddList")
    assert "Conv2D1" in ops["type"].to_list()


def test_collectives_below_an_operator_of_the_framework_are_no_computing(tmp_path):
    (tmp_path / "kernel_details.csv").write_text(
        "Name,Type,Accelerator Core,Start Time(us),Duration(us)\n"
        "Default/AllReduce-op1/hcom_allReduce__1_0,N/A,N/A,10,50\n"
        "Default/Add-op2/Add_hcom_,N/A,N/A,70,5\n"
    )
    assert load_profile(tmp_path).op_times["total_us"].to_list() == [5.0]


def test_devices_of_unknown_rank_are_not_mixed(tmp_path):
    (tmp_path / "task_time_20250101000000.csv").write_text(
        "Device_id,kernel_type,task_time(us),task_start(us)\n"
        "0,AI_CORE,5,10\n1,AI_CORE,5,10\n"
    )
    (tmp_path / "op_summary_20250101000000.csv").write_text(
        "Device_id,Op Name,OP Type,Task Type,Task Start Time(us),Task Duration(us),"
        "Task Wait Time(us)\n0,a,Add,AI_CORE,10,5,2\n1,a,Add,AI_CORE,10,5,3\n"
    )
    profile = load_profile(tmp_path)
    assert profile.task_times["busy_us"].to_list() == [5.0, 5.0]
    assert profile.op_times["share_pct"].to_list() == [100.0, 100.0]
    assert kernel_table(profile)["wait_time_us"].to_list() == [2.0, 3.0]


def test_operators_of_a_cut_file_are_those_of_op_statistic(tmp_path):
    # kernel_details holds 250 of 2463 rows, op_statistic all of 231290.10 us.
    ops = load_profile(TORCH_2025_11).op_times
    assert ops["total_us"].sum() == pytest.approx(231290.10)
    assert ops["count"].sum() == 2448
    assert ops["share_pct"].sum() == pytest.approx(100)
    assert ops.set_index("type").loc["FlashAttentionScore", "mte_share"] > 0.7
    file = "op_statistic_20250101000000.csv"
    (tmp_path / file).write_text(
        "Device_id,OP Type,Core Type,Count,Total Time(us),Avg Time(us),Max Time(us)\n"
        "0,Add,AI_CORE,2,6,3,4\n1,Add,AI_CORE,2,8,4,5\n"
    )
    assert load_profile(tmp_path).op_times["share_pct"].to_list() == [100.0, 100.0]


def test_a_ratio_that_was_not_recorded_is_not_taken_for_zero(tmp_path):
    (tmp_path / "kernel_details.csv").write_text(
        "Name,Type,Accelerator Core,Start Time(us),Duration(us),aiv_mte2_ratio\n"
        "a,Add,AI_CORE,10,30,0.5\nb,Add,AI_CORE,70,30,N/A\n"
    )
    assert load_profile(tmp_path).op_times["mte_share"].to_list() == [0.5]


def test_operators_of_a_copied_folder_are_counted_once(tmp_path):
    # MindSpore names the device in op_statistic, and not in kernel_details.
    run = min(MINDSPORE.glob("host*")) / "ASCEND_PROFILER_OUTPUT"
    shutil.copytree(run, tmp_path / "copy")
    assert load_profile(tmp_path).op_times["count"].sum() == 187
