"""A file is read on as it grows, and anew when it is another."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mswidget.files.rank_file import RankFile
from mswidget.records.record import Event, Record, to_line

LINES = [
    to_line(Record(step, step + 0.5, 0, "a1", {"loss": step / 3, "损失": 1.0}))
    if step % 5
    else to_line(Event("eval", step, 1.0, 0, "a1"))
    for step in range(1, 40)
]
DATA = "".join(LINES).encode()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "rank_2.jsonl"


def lines_of(file):
    return [to_line(item) for item in [*file.history.records(0), *file.events]]


def as_sorted(lines):
    return sorted(lines, key=lambda line: ("event" in line, LINES.index(line)))


@given(st.lists(st.integers(0, len(DATA)), max_size=8))
def test_a_file_that_grows_by_any_bytes_ends_the_same(tmp_path_factory, cuts):
    path = tmp_path_factory.mktemp("run") / "rank_0.jsonl"
    file = RankFile(path)
    for cut in [*sorted(cuts), len(DATA)]:
        path.write_bytes(DATA[:cut])
        file.read_on()
        whole = DATA[:cut].count(b"\n")
        assert lines_of(file) == as_sorted(LINES[:whole])
    assert file.skipped == []


@given(st.integers(1, len(DATA)), st.integers(1, 500))
def test_what_comes_behind_an_end_is_not_read(tmp_path_factory, until, limit):
    path = tmp_path_factory.mktemp("run") / "rank_0.jsonl"
    path.write_bytes(DATA)
    file = RankFile(path, until)
    file.read_on(limit)
    while file.unread:
        file.read_on(limit)
    path.write_bytes(DATA + LINES[0].encode())
    file.read_on()
    assert lines_of(file) == as_sorted(LINES[: DATA[:until].count(b"\n")])
    assert file.skipped == []


def test_a_file_that_does_not_exist_yet_is_empty(path):
    file = RankFile(path)
    assert not file.read_on()
    path.write_bytes(DATA)
    assert file.read_on()
    assert not file.read_on()


@pytest.mark.parametrize("how", ["truncated", "replaced"])
def test_a_file_that_is_another_now_is_read_anew(path, how):
    path.write_bytes(DATA)
    file = RankFile(path)
    file.read_on()
    if how == "replaced":
        fresh = path.with_name("fresh")
        fresh.write_bytes(DATA + LINES[0].encode())
        fresh.rename(path)
    else:
        path.write_bytes(LINES[0].encode())
    assert file.read_on()
    assert len(lines_of(file)) == (len(LINES) + 1 if how == "replaced" else 1)


def test_what_was_read_stays_when_the_file_vanishes(path):
    path.write_bytes(DATA)
    file = RankFile(path)
    file.read_on()
    path.unlink()
    assert not file.read_on()
    assert len(lines_of(file)) == len(LINES)


def test_a_big_file_is_read_in_parts(path):
    path.write_bytes(DATA * 3000)
    file = RankFile(path)
    reads = 0
    while file.read_on(limit=1):
        reads += 1
    assert reads > 1
    assert len(file.history) + len(file.events) == 3000 * len(LINES)


def test_bad_lines_are_named_and_their_number_is_bounded(path):
    path.write_bytes(b"garbage\n" * 3000 + DATA)
    file = RankFile(path)
    file.read_on()
    assert file.skipped_count == 3000
    assert len(file.skipped) == 1000
    assert file.skipped[4].startswith("rank_2.jsonl:5: ")


def test_a_line_longer_than_a_block_is_read(path):
    name = "损失" * 1_000_000
    path.write_bytes(to_line(Record(1, 1.0, 0, "a1", {name: 0.5})).encode() + DATA)
    file = RankFile(path)
    file.read_on()
    assert file.history.last(name) == 0.5
    assert len(file.history) + len(file.events) == 1 + len(LINES)


@given(st.integers(0, len(DATA) + 10))
def test_only_the_end_of_a_file_can_be_read(tmp_path_factory, size):
    path = tmp_path_factory.mktemp("run") / "rank_0.jsonl"
    path.write_bytes(DATA)
    file = RankFile(path)
    file.start_near_end(size)
    file.read_on()
    tail = DATA[file.left_out :]
    assert len(tail) <= size or size > len(DATA)
    assert len(lines_of(file)) == tail.count(b"\n")
    assert file.skipped == []
