import pytest

from mswidget.profiler.load import load_profile
from mswidget.profiler.times.tasks import device_tasks, task_kind, task_times
from tests.profiler.samples import (
    MSPROF,
)


def test_unknown_task_types_show_as_other():
    tasks = task_times(device_tasks(load_profile(MSPROF / "PROF_PipeUtilization")))
    others = tasks[tasks["kind"] == "other"].set_index("task_type")["total_us"]
    assert others["TASK_TIMEOUT_SET"] == pytest.approx(145.642)
    assert task_kind("Some New Task") == "other"
    assert task_kind("Notify Wait") == "sync"


def test_a_task_without_type_is_counted_as_other(tmp_path):
    header = "kernel_type,task_time(us),task_start(us)\n"
    (tmp_path / "task_time_20250101000000.csv").write_text(f"{header}N/A,5,10\n")
    (task,) = load_profile(tmp_path).task_times.to_dict("records")
    assert (task["kind"], task["total_us"]) == ("other", 5.0)
