"""What was not read yet is read, and no more of it than was asked for."""

import pytest

from mswidget.files.growing_file import GrowingFile


class Text(GrowingFile):
    """Takes everything."""

    def _begin(self):
        super()._begin()
        self.data = b""

    def _read(self, file, end):
        file.seek(self._offset)
        self.data += file.read(int(end) - self._offset)
        self._offset = int(end)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "any.log"


def test_what_is_left_for_the_next_reading_is_told(path):
    path.write_bytes(b"0123456789")
    file = Text(path)
    read = []
    while file.read_on(limit=4):
        read.append((file.data, file.unread))
    assert read == [(b"0123", 6), (b"01234567", 2), (b"0123456789", 0)]


def test_nothing_is_read_twice(path):
    file = Text(path)
    assert not file.read_on()
    path.write_bytes(b"01")
    assert file.read_on()
    assert not file.read_on()
    path.write_bytes(b"0123")
    assert file.read_on()
    assert file.data == b"0123"


@pytest.mark.parametrize("text", [b"", b"9"])
def test_a_file_that_is_shorter_now_is_another(path, text):
    path.write_bytes(b"0123")
    file = Text(path)
    file.read_on()
    path.write_bytes(text)
    assert file.read_on()
    assert file.data == text
    assert not file.read_on()


def test_a_file_that_cannot_be_read_is_an_error(path):
    path.mkdir()
    with pytest.raises(IsADirectoryError):
        Text(path).read_on()
