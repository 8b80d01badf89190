"""A training that goes on knows where the last one stopped."""

import pytest

from mswidget.files.tail import _BLOCK, last_attempt, writing_process
from mswidget.records.record import Event, Record, to_line


def record(step, attempt="a1", **values):
    return to_line(Record(step, 1.0, 0, attempt, {"loss": 1.0, **values}))


def event(name, step, attempt="a1", **fields):
    return to_line(Event(name, step, 1.0, 0, attempt, fields=fields))


LONG = {f"weight_std/层{i}": 0.1 for i in range(10_000)}


@pytest.mark.parametrize(
    ("lines", "attempt", "step"),
    [
        ([], 0, 0),
        ([event("train_begin", 3)], 1, 0),
        ([record(1), record(2)], 1, 2),
        ([record(900), record(5, "a2")], 2, 5),
        ([record(900, "a2"), event("train_begin", 7, "a3")], 3, 900),
        ([record(9), "{garbage\n", "\n", "\x00\n"], 1, 9),
        ([record(9), event("eval", 4, of=[{"step": 50, "attempt": "a99"}])], 1, 9),
        ([record(1), record(2, "a4", **LONG)], 4, 2),
        ([record(7, "a4"), *(event("x", 8, "a4", of="é" * 99) for _ in LONG)], 4, 7),
        ([record(-1)], 1, 0),
        ([record(3, "my attempt")], 1, 3),
    ],
)
@pytest.mark.parametrize("half", ["", '{"step": 12', "é" * _BLOCK])
def test_the_last_attempt_and_its_last_step_are_found(
    tmp_path, lines, attempt, step, half
):
    path = tmp_path / "rank_0.jsonl"
    path.write_text("".join(lines) + half, "utf-8")
    assert last_attempt(path) == (attempt, step)


def test_a_file_that_is_not_there_has_no_attempt(tmp_path):
    assert last_attempt(tmp_path / "rank_0.jsonl") == (0, 0)


def process(attempt, pid):
    fields = {"host": "vm", "pid": pid, "started": "7", "place": "here"}
    return event("process", 0, attempt, **fields)


MIDDLE = [record(step, "a2", note=0.0) for step in range(40_000)]


@pytest.mark.parametrize(
    ("lines", "pid"),
    [
        ([], None),
        ([record(1)], None),
        ([process("a1", 3), record(1)], 3),
        ([process("a1", 3), record(1), process("a1", 4), record(2)], 4),
        ([process("a1", 3), record(1), process("a2", 4)], 4),
        ([process("a1", 3), record(1, "a2")], None),
        ([process("a2", 3), *MIDDLE], 3),
        ([process("a1", 3), *MIDDLE, process("a2", 4), *MIDDLE], None),
        (["process garbage\n", event("eval", 1, of="process"), record(1)], None),
    ],
)
def test_the_process_that_writes_is_that_of_the_last_attempt(tmp_path, lines, pid):
    path = tmp_path / "rank_0.jsonl"
    path.write_text("".join(lines), "utf-8")
    writer = writing_process(path)
    assert (writer and writer.pid) == pid
