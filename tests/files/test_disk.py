"""A disk in trouble: the run goes on, says so, and writes all when it can."""

import os
import shutil
import subprocess
import time

import pytest

from mswidget import load_run, start_run


def mount(*arguments):
    command = ["mount", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


@pytest.fixture
def disk(tmp_path):
    """A small disk of its own."""
    options = ("-t", "tmpfs", "-o", "size=64k", "tmpfs", tmp_path)
    if os.geteuid() or not mount(*options):
        pytest.skip("needs the right to mount a small disk")
    yield tmp_path
    subprocess.run(["umount", "--lazy", str(tmp_path)], check=True)


@pytest.fixture
def run(disk):
    run = start_run("run", log_dir=disk, display=False)
    yield run
    run.finish()


def log_until_told(run, words):
    """Log until the run says what is wrong; return how many steps that took."""
    deadline_s = time.monotonic() + 20
    while not any(words in text for text in run.notices):
        assert time.monotonic() < deadline_s
        for _ in range(100):
            run.log({"loss": float(run.step + 1)})
        run.flush()


def check_whole(run):
    """Check that every step is on the disk, and that nothing is amiss any more."""
    count = run.step
    run.finish()
    assert (run.phase, run.notices) == ("finished", [])
    saved = load_run(run.path)
    assert saved.to_pandas()["loss"].tolist() == [*map(float, range(1, count + 1))]
    assert saved.ranks[0].skipped == []


def test_a_full_disk_is_told_and_loses_nothing(run, disk):
    filler = disk / "filler"
    filler.write_bytes(bytes(40_000))
    log_until_told(run, "No space left")
    assert len(run.to_pandas()) == run.step
    filler.unlink()
    check_whole(run)


def test_a_disk_that_turns_read_only_is_told_and_loses_nothing(run):
    assert mount("-t", "tmpfs", "-o", "ro", "tmpfs", run.path)
    log_until_told(run, "Read-only file system")
    assert len(run.to_pandas()) == run.step
    subprocess.run(["umount", run.path], check=True)
    check_whole(run)


def test_a_folder_that_is_deleted_comes_back_with_what_follows(tmp_path):
    run = start_run("run", log_dir=tmp_path / "logs", display=False)
    run.log({"loss": 1.0})
    run.flush()
    shutil.rmtree(tmp_path / "logs")
    run.log({"loss": 2.0})
    run.finish()
    assert load_run(run.path).to_pandas()["loss"].tolist() == [2.0]
    assert run.to_pandas()["loss"].tolist() == [1.0, 2.0]
    assert any("was deleted or moved" in text for text in run.notices)
