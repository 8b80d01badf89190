"""Files that are no clean text: what is good in them is read."""

import random

import pytest

from mswidget.importers.formats.lines import LONGEST_LINE
from mswidget.importers.formats.loss_monitor import LOSS_MONITOR
from mswidget.importers.log_source import LogSource
from mswidget.saved.reader import load_run
from tests.importers.logs import curve, read

LINES = [f"epoch: 1 step: {step}, loss is {step}.5\n" for step in (1, 2, 3)]
GOOD = "".join(LINES)
READ = [("a1", step, step + 0.5) for step in (1, 2, 3)]
BINARY = random.Random(0).randbytes(2**16)  # noqa: S311 - no secret


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "gb18030"])
def test_a_log_of_any_encoding_is_read(tmp_path, encoding):
    data = f"{GOOD}损失 loss 5\n".encode(encoding)
    rank = read(tmp_path, data)
    assert curve(rank) == READ
    assert any("'损失 loss 5'" in note for note in rank.notes)


def test_a_wide_log_that_grows_by_odd_bytes_is_read(tmp_path):
    path = tmp_path / "train.log"
    data = GOOD.encode("utf-16")
    source = LogSource(path, LOSS_MONITOR)
    for size in range(5, len(data) + 7, 7):
        path.write_bytes(data[:size])
        source.read_on()
    assert curve(source.ranks[0]) == READ


def test_encodings_may_change_from_line_to_line(tmp_path):
    data = LINES[0].encode() + "损失\n".encode("gbk") + "".join(LINES[1:]).encode()
    assert curve(read(tmp_path, data)) == READ


def test_binary_between_lines_changes_nothing(tmp_path):
    data = LINES[0].encode() + BINARY + b"\n" + "".join(LINES[1:]).encode()
    assert curve(read(tmp_path, data)) == READ


def test_a_binary_file_is_said_not_to_be_understood(tmp_path):
    path = tmp_path / "train.log"
    path.write_bytes(BINARY)
    with pytest.raises(ValueError, match="not understood"):
        load_run(path)


def test_a_line_of_very_many_bytes_is_passed_over_and_said(tmp_path):
    long = b"epoch: 1 step: 9, loss is 9.5" + b"x" * (2 * LONGEST_LINE)
    end = b" epoch: 1 step: 8, loss is 8.5\n"
    data = LINES[0].encode() + long + end + "".join(LINES[1:]).encode()
    rank = read(tmp_path, data)
    assert curve(rank) == READ
    assert any("4 MiB are passed over" in note for note in rank.notes)


def test_a_log_that_is_written_anew_while_it_is_read_is_read_anew(tmp_path):
    path = tmp_path / "train.log"
    path.write_text(GOOD)
    source = LogSource(path, LOSS_MONITOR)
    source.read_on()
    path.write_text(LINES[0])
    source.read_on()
    assert curve(source.ranks[0]) == READ[:1]
