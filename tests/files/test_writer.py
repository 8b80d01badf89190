"""Whatever happens to the file, no record is lost and training goes on."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mswidget.files.writer import Writer
from mswidget.records.record import Event, Record
from mswidget.saved.reader import load_run

ROOT = Path(__file__).parents[2]


def records(start, stop):
    return [
        Record(i, 1.7e9 + i, 0, "a1", {"loss": 1 / i}) for i in range(start, stop + 1)
    ]


def steps(path):
    saved = load_run(path).ranks[0]
    assert saved.skipped == []
    return [record.step for record in saved.records]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "run" / "rank_0.jsonl"


@pytest.fixture
def writer(path):
    writer = Writer(path)
    yield writer
    writer.close()


def test_records_are_in_the_file_at_once(writer, path):
    writer.write(records(1, 3))
    assert steps(path) == [1, 2, 3]
    writer.write(records(4, 4))
    assert steps(path) == [1, 2, 3, 4]


def test_without_records_there_is_no_file(writer, path):
    writer.write([])
    assert not path.exists()


def test_a_file_is_never_truncated(writer, path):
    writer.write(records(1, 2))
    writer.close()
    Writer(path).write(records(3, 3))
    assert steps(path) == [1, 2, 3]


def test_what_could_not_be_written_is_written_when_it_can_be(writer, path):
    path.parent.write_text("a file where the folder should be")
    writer.write(records(1, 2))
    assert str(path) in writer.trouble
    writer.write(records(3, 3))
    path.parent.unlink()
    writer.write([])
    assert (writer.trouble, steps(path)) == ("", [1, 2, 3])


def test_a_deleted_folder_comes_back(writer, path):
    writer.write(records(1, 2))
    shutil.rmtree(path.parent)
    writer.write(records(3, 4))
    assert steps(path) == [3, 4]
    (told,) = writer.losses
    assert f"{path} was deleted or moved" in told


def test_a_folder_that_is_moved_between_trainings_is_told(writer, path):
    writer.write(records(1, 2))
    writer.close()
    path.parent.rename(path.parent.with_name("elsewhere"))
    writer.write(records(3, 4))
    assert steps(path) == [3, 4]
    assert len(writer.losses) == 1


def test_a_file_that_goes_on_has_lost_nothing(writer, path):
    for start in (1, 4, 7):
        writer.write(records(start, start + 2))
        writer.close()
    assert (steps(path), writer.losses) == (list(range(1, 10)), [])


def test_a_new_attempt_starts_on_a_fresh_line(writer, path):
    path.parent.mkdir()
    path.write_text('{"step": 1, "timestamp": 1.0, "los')
    writer.write(records(2, 3))
    saved = load_run(path).ranks[0]
    assert [record.step for record in saved.records] == [2, 3]
    assert [line.partition(": ")[0] for line in saved.skipped] == ["rank_0.jsonl:1"]


def test_an_item_that_has_no_line_costs_only_itself(writer, path):
    odd = {}
    odd["itself"] = odd
    bad = Event("checkpoint", 2, 1.7e9, 0, "a1", fields=odd)
    writer.write([*records(1, 1), bad, bad, *records(3, 3)])
    writer.write(records(4, 4))
    assert (writer.trouble, steps(path)) == ("", [1, 3, 4])
    (told,) = writer.losses
    assert "2 of the lines could not be made" in told
    assert "the first: step 2, ValueError: Circular" in told


def test_two_writers_never_share_a_file(writer, path):
    writer.write(records(1, 1))
    second = Writer(path)
    second.write(records(2, 2))
    assert second.trouble == f"{path}: another process writes it"
    assert steps(path) == [1]
    writer.close()
    second.write([])
    assert (second.trouble, steps(path)) == ("", [1, 2])
    second.close()


def test_a_data_worker_does_not_hold_the_file_of_its_parent(path):
    code = f"""
import os, time
from pathlib import Path
from mswidget.records.record import Event
from mswidget.files.writer import Writer
path = Path({str(path)!r})
event = Event("eval", 1, 0.0, 0, "a1")
first = Writer(path)
first.write([event])
if os.fork() == 0:
    time.sleep(60)
first.close()
second = Writer(path)
second.write([event])
print(second.trouble or "free")
os.killpg(0, 9)
"""
    done = subprocess.run(
        [sys.executable, "-uc", code],
        cwd=ROOT,
        capture_output=True,
        start_new_session=True,
        check=False,
    )
    assert done.stdout == b"free\n"


@pytest.fixture
def small_disk(tmp_path):
    mount = ["mount", "-t", "tmpfs", "-o", "size=32k", "tmpfs", str(tmp_path)]
    if os.geteuid() or subprocess.run(mount, capture_output=True, check=False).stderr:
        pytest.skip("needs the right to mount a small disk")
    yield tmp_path
    subprocess.run(["umount", "--lazy", str(tmp_path)], check=True)


def test_a_full_disk_loses_nothing(small_disk):
    filler = small_disk / "filler"
    filler.write_bytes(bytes(16_000))
    writer = Writer(small_disk / "rank_0.jsonl")
    for start in range(1, 301, 10):
        writer.write(records(start, start + 9))
    assert "No space left" in writer.trouble
    filler.unlink()
    writer.write([])
    writer.close()
    assert (writer.trouble, steps(small_disk)) == ("", list(range(1, 301)))


def test_a_line_that_was_cut_by_a_full_disk_is_completed(writer, path, monkeypatch):
    """As above, for who may not mount."""
    write = os.write
    room = [150]

    def limited(file, data):
        if not room[0]:
            raise OSError(28, "No space left on device")
        taken = write(file, data[: room[0]])
        room[0] -= taken
        return taken

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", limited)
        writer.write(records(1, 5))
    assert "No space left" in writer.trouble
    writer.write([])
    assert steps(path) == [1, 2, 3, 4, 5]


@given(st.text(st.characters(), min_size=1))
def test_any_name_can_be_written(tmp_path_factory, name):
    path = tmp_path_factory.mktemp("run") / "rank_0.jsonl"
    writer = Writer(path)
    writer.write([Record(1, 0.0, 0, "a1", {f"é{name}": 1.0})])
    writer.close()
    assert "é" in path.read_text("utf-8")
    assert len(load_run(path).ranks[0].records[0].values) == 1


def test_a_lone_surrogate_in_a_name_is_kept(writer, path):
    writer.write([Record(1, 0.0, 0, "a1", {"損\udc80": 1.0})])
    assert load_run(path).ranks[0].records[0].values == {"損\udc80": 1.0}


def test_a_file_that_was_replaced_is_told_and_written_anew(writer, path):
    writer.write(records(1, 3))
    path.rename(path.with_suffix(".old"))
    path.write_text("")
    writer.write(records(4, 5))
    assert steps(path) == [4, 5]
    assert any("was deleted or moved" in text for text in writer.losses)
