"""Without step_trace_time the kernels tell where the time went: the same figures."""

import shutil

import numpy as np
import pytest

from mswidget.profiler.load import load_profile
from mswidget.profiler.times.kernels import kernel_table
from mswidget.profiler.times.steps_from_kernels import missing_before
from tests.profiler.samples import MINDSPORE, MSPROF, TORCH_LEVEL_0, TORCH_LEVEL_1

PARTS = ["computing_us", "communication_not_overlapped_us", "free_us"]
COPIED = ["memory_copy_us", "synchronisation_us"]


def without_steps(run, folder):
    shutil.copytree(run, folder / run.name)
    (folder / run.name / "ASCEND_PROFILER_OUTPUT" / "step_trace_time.csv").unlink()


def test_the_kernels_tell_what_the_profiler_measured(tmp_path):
    for rank in (0, 1):
        without_steps(TORCH_LEVEL_1 / f"rank{rank}_ascend_pt", tmp_path)
    derived = load_profile(tmp_path).step_times
    measured = load_profile(TORCH_LEVEL_1).step_times
    assert not derived["is_measured"].any()
    assert measured["is_measured"].all()
    assert derived["step"].to_list() == [50, 50]
    for part in PARTS:
        assert derived[part].to_list() == pytest.approx(measured[part].to_list(), abs=1)
    for part in COPIED:
        assert derived[part].iloc[0] == pytest.approx(measured[part].iloc[0], abs=1)


def test_every_step_of_every_rank_is_told_from_its_kernels(two_ranks, tmp_path):
    for run in two_ranks.iterdir():
        without_steps(run, tmp_path)
    derived = load_profile(tmp_path).step_times
    measured = load_profile(two_ranks).step_times
    assert derived["step"].to_list() == measured["step"].to_list() == [7, 8, 9] * 2
    for part in PARTS[:2]:
        assert derived[part].to_list() == pytest.approx(measured[part].to_list(), abs=1)


def test_an_export_of_msprof_has_times_and_findings():
    profile = load_profile(MSPROF / "PROF_PipeUtilization")
    (times,) = profile.step_times.to_dict("records")
    # 4.601, 8.060 and 26.661 us; the last begins 13999.220 us after the first.
    assert times["computing_us"] == pytest.approx(39.322)
    assert times["step_us"] == pytest.approx(14025.881)
    assert {"host_bound"} <= {finding.name for finding in profile.findings}
    assert "from its kernels" in profile.figures.steps().layout.title.text


def test_two_exports_of_an_unknown_rank_are_not_one_step():
    assert load_profile(MSPROF).step_times.empty


def test_only_the_rank_without_measured_steps_is_derived(tmp_path):
    shutil.copytree(TORCH_LEVEL_1 / "rank0_ascend_pt", tmp_path / "rank0_ascend_pt")
    without_steps(TORCH_LEVEL_1 / "rank1_ascend_pt", tmp_path)
    times = load_profile(tmp_path).step_times
    assert times["is_measured"].to_list() == [True, False]


HEADER = "Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us)\n"


def kernel_file(folder, *rows):
    text = "".join(f"MatMul,MatMul,AI_CORE,{row}\n" for row in rows)
    (folder / "kernel_details.csv").write_text(HEADER + text, encoding="utf-8")
    return load_profile(folder)


def test_an_excerpt_claims_no_idle_time(tmp_path):
    profile = kernel_file(tmp_path, "1000000.000,10.000,0", "1005000.000,10.000,2.000")
    (times,) = profile.step_times.to_dict("records")
    assert times["computing_us"] == 20
    assert np.isnan(times["free_us"])
    assert not times["complete"]
    assert profile.findings == ()
    assert "does not hold all that ran" in str(profile.report)


def test_a_gap_that_the_next_kernel_waited_through_is_idle_time(tmp_path):
    rows = ("1000000.000,10.000,0", "1005000.000,10.000,4990.000")
    (times,) = kernel_file(tmp_path, *rows).step_times.to_dict("records")
    assert times["free_us"] == 4990
    assert times["complete"]


def test_no_sample_that_is_whole_waits_less_than_its_gaps():
    for whole in (TORCH_LEVEL_1, TORCH_LEVEL_0, MINDSPORE):
        kernels = kernel_table(load_profile(whole))
        for _, of_rank in kernels.groupby("rank"):
            assert not len(missing_before(of_rank))
