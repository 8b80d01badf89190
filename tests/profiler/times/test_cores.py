"""Kernels of level 0 run on the core that their task names."""

import pandas as pd
import pytest

from mswidget.profiler.load import load_profile
from mswidget.profiler.times.kernels import kernel_table
from mswidget.profiler.times.tasks import task_kind

OPS = "Device_id,Stream ID,Task ID,Op Name,OP Type,Task Type,Task Start Time(us),"
TASKS = "Device_id,kernel_name,kernel_type,stream_id,task_id,task_time(us),"


def profile(folder, ops, tasks):
    output = folder / "PROF_000001_20250101000000000_ABC" / "mindstudio_profiler_output"
    output.mkdir(parents=True)
    header = OPS + "Task Duration(us),Task Wait Time(us)\n"
    (output / "op_summary_20250101000000.csv").write_text(header + "\n".join(ops))
    header = TASKS + "task_start(us),task_stop(us)\n"
    (output / "task_time_20250101000000.csv").write_text(header + "\n".join(tasks))
    return load_profile(folder)


def test_an_ai_cpu_operator_without_a_type_is_seen(tmp_path):
    level_0 = profile(
        tmp_path,
        ["0,2,7,Unique,N/A,N/A,1000,650,0", "0,2,8,MatMul,N/A,N/A,1650,350,0"],
        [
            "0,Unique,KERNEL_AICPU,2,7,650,1000,1650",
            "0,MatMul,KERNEL_AICORE,2,8,350,1650,2000",
        ],
    )
    assert kernel_table(level_0)["accelerator_core"].to_list() == ["AI_CPU", "AI_CORE"]
    (finding,) = [f for f in level_0.findings if f.name == "ai_cpu"]
    assert finding.title.startswith("65% of the computing runs on the AI CPU")


def test_an_id_that_is_given_again_names_the_task_of_the_same_time(tmp_path):
    level_0 = profile(
        tmp_path,
        ["0,2,7,Add,N/A,N/A,5000,10,0"],
        ["0,Old,KERNEL_AICPU,2,7,10,1000,1010", "0,Add,KERNEL_AIVEC,2,7,10,5000,5010"],
    )
    assert kernel_table(level_0)["accelerator_core"].to_list() == ["AI_VECTOR_CORE"]


def test_a_kernel_whose_task_is_not_there_has_no_core(tmp_path):
    level_0 = profile(
        tmp_path,
        ["0,2,7,Add,N/A,N/A,5000,10,0"],
        ["0,Old,KERNEL_AICPU,2,9,10,1000,1010"],
    )
    assert kernel_table(level_0)["accelerator_core"].isna().all()


@pytest.mark.parametrize("kind", ["KERNEL_MIX_AIC", "KERNEL_MIX_AIV"])
def test_kernels_of_both_cores_compute(kind):
    assert task_kind(kind) == "compute"


def test_a_core_that_is_told_stays(tmp_path):
    told = profile(
        tmp_path,
        ["0,2,7,Add,Add,AI_VECTOR_CORE,5000,10,0", "0,2,8,Sub,N/A,N/A,5010,10,0"],
        [
            "0,Add,KERNEL_AICPU,2,7,10,5000,5010",
            "0,Sub,SOMETHING_NEW,2,8,10,5010,5020",
        ],
    )
    cores = kernel_table(told)["accelerator_core"]
    assert isinstance(cores.dtype, pd.CategoricalDtype)
    assert cores.to_list() == ["AI_VECTOR_CORE", "SOMETHING_NEW"]
