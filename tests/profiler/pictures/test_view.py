import json
from typing import get_type_hints

import pytest
from IPython.core.interactiveshell import InteractiveShell

from mswidget import TrainMonitor, load_profile, start_run
from mswidget.profiler.pictures.view import Answers, overview, show, summary_html
from mswidget.widget.profile_protocol import Overview
from tests.profiler.samples import CPU, MINDSPORE, TORCH_LEVEL_1


def test_the_page_can_ask_for_every_table():
    profile = load_profile(TORCH_LEVEL_1)
    answer = Answers(profile)
    for name in overview(profile)["tables"]:
        assert answer({"kind": "ask_table", "name": name})["page"]["total"]


def test_pictures_need_no_answer_of_a_busy_kernel():
    pictures = overview(load_profile(TORCH_LEVEL_1))["pictures"]
    assert list(pictures) == ["steps", "ops", "memory"]
    assert all(json.loads(figure)["data"] for figure in pictures.values())


def test_the_timeline_of_a_rank_can_be_asked_for():
    answer = Answers(load_profile(MINDSPORE))
    asked = {"kind": "ask_timeline", "id": "1", "rank": 1}
    assert "events" in answer(asked)["figure"]


def test_a_window_of_the_timeline_is_asked_for_in_text_to_the_nanosecond():
    answer = Answers(load_profile(MINDSPORE))
    asked = {"kind": "ask_timeline"}
    begin = json.loads(answer(asked)["figure"])["layout"]["meta"]["begin_ns"]
    window = {"start_ns": str(int(begin) + 1), "end_ns": str(int(begin) + 9_000_000)}
    drawn = json.loads(answer(asked | window)["figure"])["layout"]["meta"]
    assert drawn["begin_ns"] == window["start_ns"]


@pytest.mark.parametrize("path", [CPU, MINDSPORE], ids=["cpu", "mindspore"])
def test_the_overview_travels_as_json(path):
    sent = overview(load_profile(path))
    assert json.loads(json.dumps(sent)) == sent
    assert set(sent) == set(get_type_hints(Overview))


def test_a_saved_notebook_keeps_findings_steps_operators_timeline_and_report():
    html = summary_html(load_profile(MINDSPORE))
    for text in ("Findings", "computing_us", "MatMulV2", "kernel_details"):
        assert text in html
    assert "<h4>Timeline rank 0</h4>" in html
    assert 'alt="Timeline: 191 events"' in html
    assert len(html) < 100_000


def test_data_that_were_never_parsed_are_shown_with_the_command_to_parse_them(tmp_path):
    (tmp_path / "PROF_000001_20230818142704322_COJGGGCA").mkdir()
    (tmp_path / "PROF_000001_20230818142704322_COJGGGCA" / "device_0").mkdir()
    profile = load_profile(tmp_path)
    (said,) = overview(profile)["findings"]
    assert said["title"] == "Nothing here tells where the time of a device went"
    assert "msprof --export=on --output=" in said["advice"]
    assert "msprof --export=on" in summary_html(profile).partition("</ul>")[0]


def test_a_saved_notebook_has_no_timeline_where_nothing_ran(tmp_path):
    assert "Timeline" not in summary_html(load_profile(tmp_path))


def test_markup_in_a_profile_is_text_in_the_summary(tmp_path):
    file = tmp_path / "kernel_details.csv"
    head = "Name,Type,Accelerator Core,Start Time(us),Duration(us)"
    file.write_text(f"{head}\na,<script>x</script>,AI_CORE,1.0,2.0\n")
    html = summary_html(load_profile(tmp_path))
    assert "&lt;script&gt;" in html
    assert "<script" not in html


def test_without_a_notebook_a_profile_is_printed(capsys):
    show(load_profile(TORCH_LEVEL_1))
    printed = capsys.readouterr().out
    assert "op_statistic" in printed
    assert "warn: 74% of the step is communication" in printed


def test_the_magic_prints_a_profile_where_nothing_can_be_shown(capsys):
    shell = InteractiveShell()
    shell.run_line_magic("load_ext", "mswidget")
    shell.run_line_magic("mswidget", f"profile '{MINDSPORE}'")
    assert f"Profile {MINDSPORE}" in capsys.readouterr().out


def test_the_magic_says_when_there_is_no_such_folder(capsys):
    shell = InteractiveShell()
    shell.run_line_magic("load_ext", "mswidget")
    shell.run_line_magic("mswidget", "profile no_such_folder")
    assert "no_such_folder does not exist" in capsys.readouterr().out


def test_outside_of_a_notebook_a_run_shows_the_profile_alone(tmp_path, capsys):
    with start_run("run", log_dir=tmp_path) as run:
        run.log({"loss": 1.0})
        run.show_profile(load_profile(MINDSPORE))
    assert capsys.readouterr().out.count(f"Profile {MINDSPORE}") == 1


def test_before_its_first_training_a_monitor_shows_the_profile_alone(tmp_path, capsys):
    TrainMonitor(log_dir=tmp_path).show_profile(load_profile(MINDSPORE))
    assert capsys.readouterr().out.count(f"Profile {MINDSPORE}") == 1


def test_a_large_trace_is_not_drawn_unasked(monkeypatch):
    monkeypatch.setattr("mswidget.profiler.times.traces._UNASKED", 0)
    assert "<h4>Timeline" not in summary_html(load_profile(TORCH_LEVEL_1))
