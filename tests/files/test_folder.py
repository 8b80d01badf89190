"""Runs find their folders, and say clearly when there is none."""

import json
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from mswidget.files.folder import (
    Claim,
    check_log_dir,
    check_name,
    claim,
    job_key,
    resume,
)
from mswidget.files.folder import rank_file as file_of
from mswidget.files.writer import Writer
from mswidget.records.record import Event, Record, to_line

ROOT = Path(__file__).parents[2]


def taken(log_dir, name="run", *, rank=0, job="j", **facts):
    return claim(log_dir, name, rank=rank, job=job, facts=facts).path.name


def resumed(log_dir, rank=0):
    return resume(log_dir, "run", rank=rank, job="other", facts={})


@pytest.mark.parametrize(
    "name", ["baseline", "实验 1", "a.b-c_d@host", "v2.0", "学习率=1e-3", "é" * 100]
)
def test_names_of_any_script_are_folders(tmp_path, name):
    assert taken(tmp_path, check_name(name)) == name
    assert (tmp_path / name).is_dir()


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("a/b", "'/'"),
        ("a\\b", r"'\\\\'"),
        ("what?", r"'\?'"),
        ("a:b", "':'"),
        ("a\nb", r"'\\n'"),
        ("a\0b", r"'\\x00'"),
        ("..", "dot"),
        (".hidden", "dot"),
        ("end.", "dot"),
        (" x", "space"),
        ("", "found ''"),
        ("   ", "must be text"),
        (None, "found None"),
        (7, "found 7"),
        ("长" * 70, "210 bytes, at most 200"),
    ],
)
def test_a_name_that_is_no_folder_says_which_part(name, found):
    with pytest.raises(ValueError, match=found):
        check_name(name)


def test_a_log_dir_is_made_and_kept_out_of_git(tmp_path):
    log_dir = check_log_dir(tmp_path / "deep" / "train_logs")
    assert (log_dir / ".gitignore").read_text() == "*\n"


def test_a_folder_that_was_there_is_left_as_it_is(tmp_path):
    assert check_log_dir(tmp_path) == tmp_path
    assert list(tmp_path.iterdir()) == []


def test_the_environment_names_the_log_dir(tmp_path, monkeypatch):
    monkeypatch.setenv("MSWIDGET_LOG_DIR", str(tmp_path / "logs"))
    assert check_log_dir(None) == tmp_path / "logs"


def test_without_a_word_runs_stand_in_train_logs(tmp_path, monkeypatch):
    monkeypatch.delenv("MSWIDGET_LOG_DIR", raising=False)
    monkeypatch.chdir(tmp_path)
    assert check_log_dir(None).resolve() == tmp_path / "train_logs"


@pytest.mark.parametrize("below", ["", "logs", "logs/deep"])
def test_a_log_dir_that_cannot_be_written_says_what_to_do(tmp_path, below):
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(OSError, match=r"log_dir '.*file.*nothing can be written"):
        check_log_dir(tmp_path / "file" / below)


def test_a_log_dir_of_the_system_cannot_be_written():
    with pytest.raises(OSError, match=r"give log_dir= a folder that you own"):
        check_log_dir("/proc/mswidget")


def test_an_existing_name_gives_the_next_one(tmp_path):
    assert [taken(tmp_path, job=str(i)) for i in range(3)] == ["run", "run-2", "run-3"]


def test_two_runs_of_one_process_never_share_a_file(tmp_path):
    assert [taken(tmp_path) for _ in range(3)] == ["run", "run-2", "run-3"]


def test_ranks_of_one_job_share_a_folder(tmp_path):
    assert [taken(tmp_path, rank=rank) for rank in (1, 0, 2)] == ["run"] * 3
    assert taken(tmp_path, job="other") == "run-2"


def test_ranks_that_start_at_once_share_a_folder(tmp_path):
    names = []
    threads = [
        threading.Thread(target=lambda r=rank: names.append(taken(tmp_path, rank=r)))
        for rank in range(16)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert names == ["run"] * 16
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_a_folder_of_someone_else_is_not_taken(tmp_path):
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "thesis.txt").write_text("mine")
    assert taken(tmp_path) == "run-2"


def test_the_run_says_what_it_is(tmp_path):
    taken(tmp_path, "实验", start="2026-11-30", command=["a\udc80.py"], odd=Path("x"))
    facts = json.loads((tmp_path / "实验" / "run.json").read_text("utf-8"))
    assert facts["name"] == "实验"
    assert facts["job"] == "j"
    assert facts["command"] == ["a\udc80.py"]
    assert facts["odd"] == "x"


def test_no_secret_of_the_command_line_is_written(tmp_path):
    command = ["train.py", "--token", "hunter2", "--max-tokens", "5"]
    taken(tmp_path, command=command)
    facts = json.loads((tmp_path / "run" / "run.json").read_text("utf-8"))
    assert facts["command"] == ["train.py", "--token", "***", "--max-tokens", "5"]


def test_a_run_folder_has_its_facts_from_the_first_moment(tmp_path):
    """A watcher that sees the folder can read run.json."""
    missing, done = [], threading.Event()

    def watch():
        while not done.is_set():
            missing.extend(
                path
                for path in tmp_path.glob("run*")
                if not (path / "run.json").read_text().endswith("}\n")
            )

    watcher = threading.Thread(target=watch)
    watcher.start()
    for job in range(100):
        taken(tmp_path, job=str(job))
    done.set()
    watcher.join()
    assert missing == []


def test_colleagues_can_read_a_run(tmp_path):
    mask = os.umask(0o022)
    try:
        taken(tmp_path)
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "run").stat().st_mode) == 0o755


def test_a_run_that_goes_on_is_the_next_attempt(tmp_path):
    path = claim(tmp_path, "run", rank=0, job="j", facts={}).path
    assert resumed(tmp_path) == Claim(path, "a1")
    file_of(path, 0).write_text(
        to_line(Record(900, 1.0, 0, "a1", {"loss": 1.0}))
        + to_line(Record(123, 2.0, 0, "a12", {"loss": 1.0}))
        + to_line(Event("failed", 124, 3.0, 0, "a12"))
        + '{"step": 125, "timest'
    )
    size = file_of(path, 0).stat().st_size
    assert resumed(tmp_path) == Claim(path, "a13", last_step=123, size=size)
    assert resumed(tmp_path, rank=1) == Claim(path, "a1")


def test_a_run_that_does_not_exist_begins(tmp_path):
    assert resumed(tmp_path) == Claim(tmp_path / "run", "a1")
    assert (tmp_path / "run" / "run.json").exists()


def test_a_run_that_is_still_written_is_not_resumed(tmp_path):
    path = claim(tmp_path, "run", rank=0, job="j", facts={}).path
    writer = Writer(file_of(path, 0))
    writer.write([Record(5, 1.0, 0, "a1", {"loss": 1.0})])
    found = resumed(tmp_path)
    assert (found.path.name, found.attempt, found.last_step) == ("run-2", "a1", 0)
    assert "run is still being written, so this is a new run: run-2" in found.note
    writer.close()
    size = file_of(path, 0).stat().st_size
    assert resumed(tmp_path) == Claim(path, "a2", last_step=5, size=size)


def test_the_job_is_named_by_the_user(monkeypatch):
    monkeypatch.setenv("MSWIDGET_JOB", "night run")
    assert job_key() == "night run"


def test_workers_of_one_msrun_have_one_job(monkeypatch):
    monkeypatch.delenv("MSWIDGET_JOB", raising=False)
    code = "from mswidget.files.folder import job_key; print(job_key())"
    workers = [
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env={**os.environ, "MS_ROLE": role},
            check=True,
            capture_output=True,
        ).stdout
        for role in ("MS_WORKER", "MS_WORKER", "")
    ]
    assert workers[0] == workers[1]
    assert workers[2] != workers[0]
    assert job_key() == job_key()
