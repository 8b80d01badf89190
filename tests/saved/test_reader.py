"""Files are read back whole, also when they are not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mswidget.records.record import Event, Record, to_line
from mswidget.saved.reader import load_run

LINES = [
    to_line(Event("train_begin", 0, 1.0, 0, "a1", fields={"offset": 0})),
    to_line(Record(1, 2.0, 0, "a1", {"loss": 1.0, "损失": 2.0})),
    to_line(Record(2, 3.0, 0, "a1", {"loss": float("nan"), "step": 7.0})),
    to_line(Record(3, 4.0, 0, "a2", {"eval/acc": float("-inf")}, epoch=2)),
    to_line(Event("train_end", 3, 5.0, 0, "a2")),
]
DATA = "".join(LINES).encode()
GARBAGE = st.binary(max_size=40).map(lambda data: data.replace(b"\n", b" "))


def read(folder, data, rank=0):
    path = folder / f"rank_{rank}.jsonl"
    path.write_bytes(data)
    saved = load_run(path).ranks[rank]
    return saved, [to_line(item) for item in [*saved.records, *saved.events]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("run")


def test_all_lines_are_read(folder):
    saved, lines = read(folder, DATA)
    assert sorted(lines) == sorted(LINES)
    assert saved.skipped == []


@given(st.integers(0, len(DATA)))
def test_a_file_cut_at_any_byte_is_read_to_its_last_whole_line(folder, cut):
    saved, lines = read(folder, DATA[:cut])
    assert sorted(lines) == sorted(LINES[: DATA[:cut].count(b"\n")])
    assert saved.skipped == []


@given(GARBAGE, st.integers(0, len(LINES)))
def test_garbage_loses_only_its_own_line(folder, garbage, at):
    lines = [line.encode() for line in LINES]
    lines.insert(at, garbage + b"\n")
    saved, found = read(folder, b"".join(lines))
    assert set(LINES) <= set(found)
    assert len(saved.skipped) == bool(garbage.strip())


def test_a_garbage_line_is_reported_with_its_place(folder):
    saved, _ = read(folder, b"{}\n\n" + DATA + b"\xff\x00\n", rank=3)
    assert saved.skipped[0] == "rank_3.jsonl:1: no record: KeyError('step')"
    assert saved.skipped[1].startswith("rank_3.jsonl:8: ")


def test_an_empty_file_has_no_records(folder):
    saved, lines = read(folder, b"")
    assert (lines, saved.skipped) == ([], [])
    assert load_run(folder / "rank_0.jsonl").to_pandas().empty


def test_all_ranks_of_a_folder_are_read_in_order(tmp_path):
    for rank in (10, 0, 2):
        read(tmp_path, DATA, rank)
    (tmp_path / "alerts_rank_0.jsonl").write_text("{}\n")
    saved = load_run(str(tmp_path))
    assert list(saved.ranks) == [0, 2, 10]
    assert saved.to_pandas()["rank"].tolist() == [0] * 3 + [2] * 3 + [10] * 3


def test_a_rank_without_records_does_not_disturb_the_table(tmp_path):
    read(tmp_path, DATA, 0)
    read(tmp_path, b"", 1)
    frame = load_run(tmp_path).to_pandas()
    assert len(frame) == 3
    assert frame["loss"].dtype == float


def test_attempts_are_told_apart(folder):
    read(folder, DATA)
    frame = load_run(folder / "rank_0.jsonl").to_pandas()
    assert frame["attempt"].tolist() == ["a1", "a1", "a2"]


def test_a_copied_file_of_another_name_is_read(tmp_path):
    path = tmp_path / "from the cluster.jsonl"
    path.write_bytes(DATA)
    assert len(load_run(path).to_pandas()) == 3


def test_a_folder_of_runs_names_them(tmp_path):
    for name in ("baseline", "实验"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "rank_0.jsonl").touch()
    with pytest.raises(
        FileNotFoundError, match=r"give one of the runs.*baseline, 实验"
    ):
        load_run(tmp_path)


def test_a_folder_without_runs_says_what_it_holds(tmp_path):
    (tmp_path / "thesis.txt").touch()
    with pytest.raises(FileNotFoundError, match=r"it holds thesis\.txt"):
        load_run(tmp_path)


def test_a_path_that_is_not_there_is_said(tmp_path):
    with pytest.raises(FileNotFoundError, match="does not exist"):
        load_run(tmp_path / "none")
