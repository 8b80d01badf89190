import shutil

from mswidget.profiler.load import load_profile
from tests.profiler.samples import (
    TORCH_LEVEL_1,
)

RANK_0 = TORCH_LEVEL_1 / "rank0_ascend_pt"


def test_a_cut_trace_is_named_and_nothing_is_told_from_it(tmp_path):
    shutil.copytree(RANK_0, tmp_path / RANK_0.name)
    file = tmp_path / RANK_0.name / "ASCEND_PROFILER_OUTPUT" / "trace_view.json"
    text = file.read_text()
    # Without its end, it no longer holds the tasks of all kernels.
    file.write_text(text[: len(text) // 2])
    profile = load_profile(tmp_path)
    assert profile.step_times["memory_copy_us"].isna().all()
    assert f"{RANK_0.name}/ASCEND_PROFILER_OUTPUT/trace_view.json: cut off" in str(
        profile.report
    )
    assert "step 50 of rank 0: kernel_details or the trace" in str(profile.report)


def test_a_large_trace_is_read_for_step_times_where_the_user_says_so(monkeypatch):
    monkeypatch.setattr("mswidget.profiler.times.traces._UNASKED", 0)
    folder = TORCH_LEVEL_1 / "rank0_ascend_pt"
    profile = load_profile(folder)
    assert profile.step_times["memory_copy_us"].isna().all()
    assert "load_profile(path, large_traces=True)" in str(profile.report)
    profile = load_profile(folder, large_traces=True)
    assert profile.step_times["memory_copy_us"].tolist() == [10.765]
    assert "no device tasks were read" not in str(profile.report)


def test_a_bar_shows_how_far_a_large_trace_is_read(monkeypatch, capsys):
    monkeypatch.setattr("mswidget.profiler.times.traces._SLOW", 0)
    assert not load_profile(RANK_0).figures.trace().empty
    assert capsys.readouterr().err.endswith(f"[{'#' * 40}] 100%\n")
