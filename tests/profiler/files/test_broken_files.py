"""What is good in a broken file is loaded; the rest is named in the report."""

import json
import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mswidget.profiler.load import load_profile
from tests.profiler.samples import (
    CPU,
    MANUAL,
    MINDDATA,
    MINDSPORE,
    MSPROF,
    TORCH_2023,
    TORCH_2025_11,
    TORCH_LEVEL_1,
)

OUTPUT = TORCH_LEVEL_1 / "rank0_ascend_pt" / "ASCEND_PROFILER_OUTPUT"
OPS = "OP Type,Core Type,Count,Total Time(us)\n"


def load(tmp_path, content, name="op_statistic.csv"):
    file = tmp_path / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    profile = load_profile(file)
    return profile[profile.tables[0]], " ".join(profile.report.notes)


def test_a_cut_last_line_is_left_out(tmp_path):
    whole = (OUTPUT / "kernel_details.csv").read_bytes()
    frame, notes = load(tmp_path, whole[:-700], "kernel_details.csv")
    assert len(frame) == 190
    assert "the last line is cut" in notes


def test_a_line_cut_inside_quotes_is_left_out(tmp_path):
    whole = (OUTPUT / "kernel_details.csv").read_bytes()
    end = whole.rindex(b'"""64,3,11') + 9
    frame, notes = load(tmp_path, whole[:end], "kernel_details.csv")
    assert len(frame) == 190
    assert "the last line is cut" in notes


def test_an_open_quote_spoils_only_its_line(tmp_path):
    content = f'{OPS}Add,X,1,2.5\n"""Mul,X,1,2.5\nSub,X,3,4.5\n'
    frame, notes = load(tmp_path, content)
    assert frame["op_type"].to_list() == ["Add", "Sub"]
    assert "1 damaged line(s) of 3" in notes


def test_a_stray_quote_in_a_big_file_costs_no_other_block(tmp_path, monkeypatch):
    monkeypatch.setattr("mswidget.profiler.files.csv_file._BLOCK", 100)
    monkeypatch.setattr("mswidget.profiler.files.csv_file._LONGEST_ROW", 100)
    rows = "".join(f"Add{at},X,{at},2.5\n" for at in range(100))
    frame, notes = load(tmp_path, OPS + rows.replace("Add50", '"Add50'))
    assert frame["count"].to_list() == [at for at in range(100) if at != 50]
    assert "1 damaged line(s) of 100" in notes


@pytest.mark.parametrize("size", [30, 1 << 20])
def test_a_row_with_too_few_cells_is_told(tmp_path, monkeypatch, size):
    monkeypatch.setattr("mswidget.profiler.files.csv_file._BLOCK", size)
    content = f'{OPS}Add,X,1,\n"Mul\ntwo",X,2,2.5\nSub,X,3\nDiv,X\nMod,X,5,N/A\n'
    frame, notes = load(tmp_path, content)
    assert frame["count"].dropna().to_list() == [1, 2, 3, 5]
    assert "2 row(s) with too few cells, the first on line 5:" in notes


def test_a_row_with_too_many_cells_is_told(tmp_path):
    frame, notes = load(tmp_path, f"{OPS}Add,X,1,2.5,\nMul,X,2,3.5,7\n")
    assert frame["total_time_us"].to_list() == [2.5, 3.5]
    assert "1 row(s) with too many cells, the first on line 3:" in notes


@pytest.mark.parametrize(
    ("content", "reason"),
    [(b"", "empty (0 bytes)"), (OPS.encode(), "no rows"), (b"\n\n", "cannot be read")],
)
def test_a_file_without_rows_gives_an_empty_table(tmp_path, content, reason):
    frame, notes = load(tmp_path, content)
    assert len(frame) == 0
    assert "total_time_us" in frame.columns or "count" in frame.columns
    assert reason in notes


@pytest.mark.parametrize("prefix", [b"\xef\xbb\xbf", b""])
def test_byte_order_mark_and_windows_line_ends_do_not_matter(tmp_path, prefix):
    content = prefix + (OPS + "Add,X,1,2.5\n").replace("\n", "\r\n").encode()
    frame, notes = load(tmp_path, content)
    assert frame["total_time_us"].to_list() == [2.5]
    assert not notes


def test_rows_of_nothing_are_left_out(tmp_path):
    frame, notes = load(tmp_path, f"{OPS}N/A,N/A,N/A,N/A\nAdd,X,1,2\n,,,\n")
    assert frame["op_type"].to_list() == ["Add"]
    assert "2 row(s) of nothing left out" in notes


def test_times_that_a_spreadsheet_rounded_are_left_empty(tmp_path):
    content = "Name,Start Time(us),Duration(us)\nAdd,1.69512E+15,2\nMul,16.25,3\n"
    frame, notes = load(tmp_path, content, "kernel_details.csv")
    assert frame["start_time_ns"].isna().to_list() == [True, False]
    assert frame["start_time_ns"].iloc[1] == 16250
    assert "1 of 2 cells of start_time_ns cannot be read" in notes


def test_an_endless_duration_is_left_empty_and_breaks_nothing(tmp_path):
    rows = "".join(
        f"Add,1.0,{us},N/A\n" for us in ("2", "inf", "-1e999", "1e20", "N/A")
    )
    file = tmp_path / "kernel_details.csv"
    file.write_text(f"Name,Start Time(us),Duration(us),Wait Time(us)\n{rows}")
    profile = load_profile(tmp_path)
    assert profile["kernel_details"]["duration_us"].dropna().tolist() == [2.0]
    assert profile.step_times["computing_us"].tolist() == [2.0]
    assert "3 of 5 cells of duration_us cannot be read" in str(profile.report)


def test_what_cannot_be_is_left_empty_and_said(tmp_path):
    today = "1736405443881410.320"
    rows = f"a,0,1,0\nb,{today},-5,-1\nc,{today},7,0\n"
    file = tmp_path / "kernel_details.csv"
    file.write_text(f"Name,Start Time(us),Duration(us),Wait Time(us)\n{rows}")
    profile = load_profile(tmp_path)
    kernels = profile["kernel_details"]
    assert kernels["duration_us"].dropna().tolist() == [1.0, 7.0]
    assert kernels["wait_time_us"].dropna().tolist() == [0.0, 0.0]
    assert kernels["start_time_ns"].isna().tolist() == [True, False, False]
    said = str(profile.report)
    assert "1 of 3 cells of duration_us are below 0" in said
    assert "1 of 3 cells of start_time_ns are no time, among times of today" in said


def test_minus_one_of_a_queue_that_is_not_there_is_no_value(tmp_path):
    (file,) = MINDDATA.rglob("minddata_pipeline_raw_0.csv")
    copy = tmp_path / file.name
    copy.write_text(file.read_text().replace(",0.0,16,0.0,", ",-1,-1,-1,"))
    queues = load_profile(tmp_path)["minddata_pipeline_raw"]
    for column in ("average_size", "length", "usage_rate"):
        cells = queues[f"output_queue_{column}"]
        assert cells.isna().tolist() == [False, False, True, True, False]


def test_a_cell_of_rubbish_does_not_cost_its_column(tmp_path):
    frame, notes = load(tmp_path, f"{OPS}Add,X,1,2.5\nMul,X,#REF!,3.5\n")
    assert frame["total_time_us"].to_list() == [2.5, 3.5]
    assert "1 of 2 cells of count" in notes


def test_cells_of_no_value_are_not_damaged_ones(tmp_path):
    counts = ["#REF!", "N/A", "", "-", "1"]
    rows = "".join(f"Add,X,{count},nan\n" for count in counts)
    frame, notes = load(tmp_path, f"{OPS}{rows}Mul,X,2,soon\n")
    assert frame["count"].dropna().to_list() == [1, 2]
    assert "1 of 6 cells of count cannot" in notes
    assert "1 of 6 cells of total_time_us cannot" in notes


def test_a_file_of_another_tool_is_named(tmp_path):
    frame, notes = load(tmp_path, "name,price\ntea,2\n")
    assert len(frame) == 0
    assert "is no op_statistic table: its columns are 'name', 'price'" in notes


def test_a_file_that_shares_one_column_is_of_another_tool(tmp_path):
    frame, notes = load(tmp_path, "name,price\ntea,2\n", "kernel_details.csv")
    assert len(frame) == 0
    assert "is no kernel_details table" in notes


def test_bytes_that_are_no_text_do_no_harm(tmp_path):
    frame, notes = load(tmp_path, bytes(range(256)) * 9)
    assert len(frame) == 0
    assert notes


@pytest.mark.parametrize("content", ['{"step5": {"p2p": {"a@1": {"Comm', "[1, 2]", "7"])
def test_broken_json_is_named(tmp_path, content):
    frame, notes = load(tmp_path, content, "communication.json")
    assert len(frame) == 0
    assert "communication.json: is no" in notes


def test_the_other_tables_of_a_profile_with_a_broken_file_are_loaded(tmp_path):
    shutil.copytree(OUTPUT, tmp_path / "out")
    (tmp_path / "out" / "op_statistic.csv").write_bytes(b"\0" * 100)
    profile = load_profile(tmp_path)
    assert len(profile["kernel_details"]) == 191
    assert "op_statistic.csv" in str(profile.report)


def test_empty_slices_are_named(tmp_path):
    for number in (0, 1):
        (tmp_path / f"op_summary_slice_{number}_2023091917230{number}.csv").touch()
    profile = load_profile(tmp_path)
    assert len(profile["op_summary"]) == 0
    assert len(profile.report.notes) == 2


@pytest.mark.parametrize(
    "sample",
    [
        CPU,
        MANUAL,
        MINDDATA,
        MINDSPORE,
        MSPROF,
        TORCH_2023,
        TORCH_2025_11,
        TORCH_LEVEL_1,
    ],
    ids=lambda path: path.name,
)
def test_a_profile_on_a_read_only_disk_is_read_and_left_alone(tmp_path, sample):
    shutil.copytree(sample, tmp_path / "p")
    for path in (tmp_path / "p", *(tmp_path / "p").rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    before = {p: p.stat().st_mtime_ns for p in tmp_path.rglob("*")}
    profile = load_profile(tmp_path / "p")
    assert profile.report.found
    for draw in ("steps", "ops", "memory", "timeline"):
        getattr(profile.figures, draw)()
    assert {p: p.stat().st_mtime_ns for p in tmp_path.rglob("*")} == before


@pytest.fixture
def _nobody():
    """Act as a user who may not read everything, where the tests run as root."""
    if os.geteuid():
        yield
        return
    os.seteuid(65534)
    yield
    os.seteuid(0)


@pytest.mark.usefixtures("_nobody")
def test_what_may_not_be_read_is_named():
    with TemporaryDirectory() as folder:
        ranks = [Path(folder) / f"rank{rank}_ascend_pt" for rank in (0, 1)]
        for rank in ranks:
            shutil.copytree(OUTPUT, rank, copy_function=shutil.copyfile)
        closed = [*(ranks[0] / n for n in ("trace_view.json", "kernel_details.csv"))]
        for path in (*closed, ranks[1]):
            path.chmod(0)
        profile = load_profile(folder)
        assert profile.step_times["memory_copy_us"].isna().all()
        report = str(profile.report)
        ranks[1].chmod(0o700)
    assert "rank0_ascend_pt/trace_view.json: cannot be read" in report
    assert "rank0_ascend_pt/kernel_details.csv: cannot be read" in report
    assert "rank1_ascend_pt: cannot be entered" in report


KERNELS = OUTPUT / "kernel_details.csv"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        KERNELS.read_bytes().partition(b"\n")[0] + b"\n",
        b"Name,Type\nMul,Mul\n",
        b"Start Time(us),Name\nN/A,Mul\n",
        b"a,b\n1,2\n",
        b"Step Id,Name,Accelerator Core,Start Time(us),Duration(us)\n50,x,y,7\t,5\t\n",
    ],
    ids=["empty", "header", "names", "no times", "foreign", "one kernel"],
)
@pytest.mark.parametrize("name", ["kernel_details.csv", "step_trace_time.csv"])
def test_times_and_findings_of_a_broken_table_do_not_raise(tmp_path, name, content):
    shutil.copytree(OUTPUT, tmp_path / "out")
    (tmp_path / "out" / name).write_bytes(content)
    profile = load_profile(tmp_path)
    assert "total_us" in profile.op_times
    assert "free_us" in profile.step_times
    assert all(len(finding.evidence) for finding in profile.findings)
    assert str(profile.report)


def test_json_without_entries_is_named(tmp_path):
    frame, notes = load(tmp_path, "{}", "communication.json")
    assert len(frame) == 0
    assert "communication.json: no rows" in notes


@st.composite
def damaged(draw, file):
    content = file.read_bytes()
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(content)))
        end = min(len(content), start + draw(st.sampled_from([0, 1, 7, 90])))
        content = content[:start] + draw(st.binary(max_size=4)) + content[end:]
    return content


@pytest.mark.parametrize(
    "name",
    ["op_statistic.csv", "operator_details.csv", "communication.json"],
)
@settings(max_examples=30)
@given(data=st.data())
def test_no_damage_makes_a_table_raise(tmp_path_factory, name, data):
    content = data.draw(damaged(OUTPUT / name))
    frame, _ = load(tmp_path_factory.mktemp("damaged"), content, name)
    assert "rank" in frame


@settings(max_examples=30)
@given(content=st.binary(max_size=60) | st.text(',"\n\r\tN/A1.e', max_size=60))
def test_no_content_makes_a_table_raise(tmp_path_factory, content):
    frame, notes = load(tmp_path_factory.mktemp("any"), content)
    assert len(frame) or notes


def test_times_that_begin_at_0_are_times(tmp_path):
    row = "Add,{},1,0\n"
    rows = "".join(map(row.format, (0, 1, 2)))
    (tmp_path / "kernel_details.csv").write_text(
        f"Name,Start Time(us),Duration(us),Wait Time(us)\n{rows}"
    )
    assert load_profile(tmp_path).step_times["computing_us"].to_list() == [3]


def test_an_event_that_ends_before_it_begins_is_named(tmp_path):
    events = [
        {"ph": "X", "name": name, "ts": "10.0", "dur": duration}
        for name, duration in (("a", -5), ("b", 5))
    ]
    (tmp_path / "trace_view.json").write_text(json.dumps(events))
    events, notes = load_profile(tmp_path).traces.events(None)
    assert events["name"].to_list() == ["b"]
    assert "1 of 2 events have no readable time" in notes[0]
