import pytest

from mswidget.profiler.load import load_profile
from tests.profiler.samples import (
    CPU,
    MANUAL,
    MINDDATA,
    MINDSPORE,
    MSPROF,
    TORCH_2023,
    TORCH_2025_11,
    TORCH_LEVEL_0,
)


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


def test_html_shows_foreign_names_as_text(tmp_path):
    (tmp_path / "<b>x.csv").write_text("a\n1\n")
    assert "&lt;b&gt;x.csv" in load_profile(tmp_path)._repr_html_()
