import json

import pytest

from mswidget.profiler.files.trace import read_trace, step_windows
from tests.profiler.samples import CPU, TORCH_LEVEL_1

TORCH_TRACE = (
    TORCH_LEVEL_1 / "rank0_ascend_pt" / "ASCEND_PROFILER_OUTPUT" / "trace_view.json"
)
CPU_TRACE = next(CPU.rglob("trace_view.json"))
EVENT = {"ph": "X", "pid": 1, "tid": 2, "name": "MatMul", "ts": "17.001", "dur": 2.5}


def written(folder, text):
    file = folder / "trace_view.json"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


@pytest.mark.parametrize("file", [TORCH_TRACE, CPU_TRACE], ids=["torch", "cpu"])
def test_every_event_with_a_duration_is_there(file):
    expected = [e for e in json.loads(file.read_text("utf-8")) if e["ph"] == "X"]
    events, notes = read_trace(file)
    assert notes == []
    assert events["name"].tolist() == [e["name"] for e in expected]


def test_times_of_today_are_exact_to_the_nanosecond():
    first = read_trace(CPU_TRACE)[0].iloc[0]
    assert first["start_ns"] == 1796028808721856974
    assert first["end_ns"] == 1796028808721856974 + 6174


def test_a_time_written_as_a_number_keeps_its_digits(tmp_path):
    text = json.dumps([EVENT]).replace('"17.001"', "1736408883704643.212")
    events, _ = read_trace(written(tmp_path, text))
    assert events["start_ns"].tolist() == [1736408883704643212]


def test_a_time_too_short_for_decimals_is_no_rounded_one(tmp_path):
    events, notes = read_trace(written(tmp_path, json.dumps([EVENT | {"dur": 1e-5}])))
    assert (events["end_ns"].tolist(), notes) == ([17001], [])


def test_lanes_have_names_wherever_in_the_file_these_stand(tmp_path):
    names = [
        {"ph": "M", "name": "thread_name", "pid": 1, "tid": 2, "args": {"name": "T"}},
        {"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "Ascend"}},
    ]
    events, _ = read_trace(written(tmp_path, json.dumps([EVENT, *names])))
    assert events[["process", "thread"]].to_numpy().tolist() == [["Ascend", "T"]]


def test_the_form_with_trace_events_is_read(tmp_path):
    text = json.dumps({"schema": {"v": 1}, "traceEvents": [EVENT], "unit": "ms"})
    events, notes = read_trace(written(tmp_path, text))
    assert (events["name"].tolist(), notes) == (["MatMul"], [])


def test_a_file_cut_in_an_event_keeps_the_others_and_says_so(tmp_path):
    text = json.dumps([EVENT, EVENT, EVENT])[:-20]
    events, notes = read_trace(written(tmp_path, text))
    assert len(events) == 2
    assert notes == ["cut off before its end: the events up to there are kept"]


def test_a_file_cut_between_events_says_so(tmp_path):
    events, notes = read_trace(written(tmp_path, json.dumps([EVENT, EVENT])[:-1]))
    assert len(events) == 2
    assert "cut off" in notes[0]


def test_events_around_a_damaged_one_are_kept(tmp_path):
    good = json.dumps(EVENT)
    text = f"[{good}, {good.replace('MatMul', 'Mat' + chr(10))}, {good}]"
    events, notes = read_trace(written(tmp_path, text))
    assert events["name"].tolist() == ["MatMul", "MatMul"]
    assert notes == ["damaged in the middle: the events around it are kept"]


@pytest.mark.parametrize("text", ["", "[]", "[1, 2]", "no JSON", "{}", b"\xff\x00["])
def test_a_file_without_events_says_so(tmp_path, text):
    events, notes = read_trace(written(tmp_path, text))
    assert events.empty
    assert notes == ["holds no event of a trace"]


def test_an_event_without_time_is_left_out_and_counted(tmp_path):
    odd = [EVENT, EVENT | {"ts": None}, EVENT | {"dur": "soon"}, EVENT | {"args": 1}]
    events, notes = read_trace(written(tmp_path, json.dumps(odd)))
    assert len(events) == 2
    assert notes == ["2 of 4 events have no readable time"]


def test_an_event_longer_than_a_block_is_read(tmp_path):
    long = EVENT | {"args": {"Call stack": "x" * (5 << 20)}}
    events, notes = read_trace(written(tmp_path, json.dumps([EVENT, long, EVENT])))
    assert (len(events), notes) == (3, [])


def test_byte_order_mark_and_names_of_every_script_are_read(tmp_path):
    text = "\N{BYTE ORDER MARK}" + json.dumps([EVENT | {"name": "算子"}])
    events, notes = read_trace(written(tmp_path, text))
    assert (events["name"].tolist(), notes) == (["算子"], [])


def test_progress_reaches_the_size_of_the_file():
    seen = []
    read_trace(TORCH_TRACE, lambda done, total: seen.append((done, total)))
    size = TORCH_TRACE.stat().st_size
    assert seen[-1] == (size, size)


def test_the_steps_of_the_profiler_are_found(two_ranks):
    events, _ = read_trace(min(two_ranks.rglob("trace_view.json")))
    # The copies of the measured step bring torch_npu's own marks along.
    steps = step_windows(events[events["process"] == "MindSpore"])
    assert steps["step"].tolist() == [7, 8, 9]
    assert (steps["end_ns"] - steps["start_ns"]).tolist() == [449_999_999] * 3


def test_an_event_at_time_zero_does_not_stretch_the_trace_over_years(tmp_path):
    events = [EVENT | {"ts": "0"}, EVENT | {"ts": "1736408883704643.212"}]
    kept, notes = read_trace(written(tmp_path, json.dumps(events)))
    assert kept["start_ns"].tolist() == [1736408883704643212]
    assert notes == ["1 event(s) at time 0 left out"]
    early, notes = read_trace(written(tmp_path, json.dumps([events[0], EVENT])))
    assert early["start_ns"].tolist() == [0, 17001]
    assert not notes
