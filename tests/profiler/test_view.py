import json
from typing import get_type_hints

import numpy as np
import pandas as pd
import pytest
from IPython.core.interactiveshell import InteractiveShell

from mswidget import TrainMonitor, load_profile, start_run
from mswidget.profiler.pictures.table_page import ROWS, page_of
from mswidget.profiler.pictures.view import Answers, overview, show, summary_html
from mswidget.widget.profile_protocol import Overview
from tests.profiler.samples import CPU, MINDSPORE, TORCH_LEVEL_1

START = 1736408883704643212


def table(count=45):
    names = [f"MatMul_{n}" if n % 3 else "算子" for n in range(count)]
    return pd.DataFrame(
        {
            "name": pd.Categorical(names),
            "start_time_ns": START + np.arange(count),
            "duration_us": [np.nan, *np.arange(1.0, count)],
        }
    )


def column(page, name):
    return [row[page["columns"].index(name)] for row in page["rows"]]


def test_pages_hold_every_row_once():
    pages = [page_of(table(), page=n) for n in range(3)]
    starts = [int(s) for page in pages for s in column(page, "start_time_ns")]
    assert starts == table()["start_time_ns"].tolist()
    assert [page["matching"] for page in pages] == [45] * 3


def test_beyond_the_last_page_is_the_last():
    assert page_of(table(), page=99)["page"] == 2
    assert page_of(table(), page=-1)["page"] == 0


@pytest.mark.parametrize(
    ("descending", "first"), [(True, "44"), (False, "1")], ids=["down", "up"]
)
def test_sorted_rows_have_what_is_missing_last(descending, first):
    kinds = {"sort": "duration_us", "descending": descending}
    assert column(page_of(table(), **kinds), "duration_us")[0] == first
    assert column(page_of(table(), page=2, **kinds), "duration_us")[-1] == ""


def test_text_is_found_in_any_case_and_script():
    assert page_of(table(), search="MATMUL_1")["matching"] == 8
    assert page_of(table(), search="算")["matching"] == 15


def test_a_time_is_found_by_all_its_digits():
    assert page_of(table(), search=str(START + 7))["matching"] == 1


def test_what_is_found_is_sorted_and_paged():
    page = page_of(table(), search="算子", sort="start_time_ns", descending=True)
    assert column(page, "start_time_ns")[0] == str(START + 42)
    assert len(page["rows"]) == min(ROWS, page["matching"])


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


def test_show_displays_the_widget_and_the_summary(capsys):
    show(load_profile(MINDSPORE))
    assert "ProfileWidget" in capsys.readouterr().out


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
    assert capsys.readouterr().out.count("Widget") == 1


def test_before_its_first_training_a_monitor_shows_the_profile_alone(tmp_path, capsys):
    TrainMonitor(log_dir=tmp_path).show_profile(load_profile(MINDSPORE))
    assert capsys.readouterr().out.count("Widget") == 1
