"""The machine is measured, and nothing that its tools do reaches the run.

`npu-smi` is imitated: a script on PATH that prints recorded output, sleeps or fails.
"""

import contextlib
import itertools
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from mswidget.machine.chips import find_chip, own_device, visible_device
from mswidget.machine.host import Host
from mswidget.machine.npu_smi import parse_info
from mswidget.machine.program import Program, ProgramError
from mswidget.machine.sampler import Patience, Sampler, pause_s

DATA = Path(__file__).parents[1] / "data/npu-smi"
HOST = {"cpu_pct", "process_cpu_pct", "host_memory_mb", "process_memory_mb"}
TWO_CHIPS = f"""
case "$*" in
info) cat {DATA}/info-24.1.rc3.7-Ascend910-two-chips.txt ;;
"info -m") cat {DATA}/map-two-chips.txt ;;
"info -t usages -i 0 -c 1") sed s/Bandwidth.*:.0/'&7'/ {DATA}/usages-910B.txt ;;
*) exit 1 ;;
esac
"""


@pytest.fixture
def npu_smi(tmp_path, monkeypatch):
    """Put a script of that name on PATH; it notes its calls in ``calls``."""

    def make(script):
        folder = tmp_path / "bin"
        folder.mkdir(exist_ok=True)
        path = folder / "npu-smi"
        calls = tmp_path / "calls"
        calls.touch()
        path.write_text(f'#!/bin/sh\necho "$@" >> {calls}\n{script}\n')
        path.chmod(0o755)
        monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
        return path

    return make


class Samples:
    """Takes what a sampler measures, and lets a test await it."""

    def __init__(self):
        self.values = []
        self.found = []
        self.notices = []
        self.arrived = threading.Semaphore(0)

    def put(self, values):
        self.values.append(values)
        self.arrived.release()

    def withdraw(self, text):
        if text in self.notices:
            self.notices.remove(text)

    def first(self, count=1):
        sampler = Sampler(
            self.put, self.found.append, self.notices.append, self.withdraw
        )
        sampler.start()
        try:
            for _ in range(count):
                assert self.arrived.acquire(timeout=30)
        finally:
            sampler.stop()
        return self.values[:count]


@pytest.fixture
def samples(monkeypatch):
    monkeypatch.setenv("MSWIDGET_MACHINE", "0.01")
    return Samples()


@pytest.fixture
def device(monkeypatch):
    """Be the process of a device; it has no MindSpore, as that has none here."""

    def be(index, visible=None):
        monkeypatch.delitem(sys.modules, "mindspore", raising=False)
        monkeypatch.setenv("DEVICE_ID", index)
        if visible is not None:
            monkeypatch.setenv("ASCEND_RT_VISIBLE_DEVICES", visible)

    return be


def test_a_host_tells_its_own_and_the_processs_share():
    values = Host().read()
    assert values.keys() == HOST
    assert 0 <= values["cpu_pct"] <= 100
    total_mb = psutil.virtual_memory().total / 2**20
    assert 0 < values["process_memory_mb"] <= values["host_memory_mb"] <= total_mb


def test_without_npu_smi_there_is_the_host_and_no_word(samples, monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert samples.first()[0].keys() == HOST
    assert samples.notices == []


def test_a_rank_sees_its_own_chip(samples, device, npu_smi):
    npu_smi(TWO_CHIPS)
    device("0", visible="1")
    values = samples.first()[0]
    assert {name: values[name] for name in values.keys() - HOST} == {
        "npu_temperature_c": 36,
        "npu_aicore_pct": 0,
        "npu_hbm_used_mb": 3189,
        "npu_hbm_bandwidth_pct": 7,
    }
    assert samples.found == [
        {"device_id": 1, "npu_id": 0, "chip_id": 1, "by": "npu-smi info -m"}
    ]
    assert samples.notices == []


def test_a_version_without_map_and_usages_tells_the_rest(samples, device, npu_smi):
    npu_smi(f'[ "$*" = info ] && cat {DATA}/info-23.0.3-910B2C-two-npus.txt')
    device("1")
    first, second = samples.first(2)
    assert first["npu_hbm_used_mb"] == 52665
    assert "npu_hbm_bandwidth_pct" not in {*first, *second}
    assert samples.found[0]["npu_id"] == 13
    assert "exit code 1" in samples.notices[0]
    assert len(samples.notices) == 1


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("exit 3", "exit code 3"),
        ("echo 'dcmi initialize failed'", "no table of chips"),
        ("head -c 2000000 /dev/zero", "printed more than 1,048,576 bytes"),
        ("exec head -c 999 /dev/urandom", "no table of chips"),
        (f"cat {DATA}/info-25.5.2-910B4.txt", "no chip of device 1"),
    ],
)
def test_a_failing_npu_smi_is_told_once(script, reason, samples, device, npu_smi):
    npu_smi(script)
    device("1")
    assert [values.keys() for values in samples.first(3)] == [HOST] * 3
    assert reason in samples.notices[0]
    assert len(samples.notices) == 1


def test_a_process_without_a_device_asks_for_none(samples, device, npu_smi, tmp_path):
    npu_smi(TWO_CHIPS)
    device("")
    samples.first()
    assert (tmp_path / "calls").read_text() == ""


def test_a_mindspore_that_computes_on_the_cpu_has_no_chip():
    import mindspore  # noqa: F401, PLC0415 - only here

    assert own_device() is None


def test_mindspore_says_which_device_it_computes_on(monkeypatch):
    """A stand-in for MindSpore on an Ascend: there is none here."""
    context = {"device_target": "Ascend", "device_id": 1}
    module = SimpleNamespace(get_context=context.__getitem__)
    monkeypatch.setitem(sys.modules, "mindspore", module)
    monkeypatch.setenv("DEVICE_ID", "0")
    monkeypatch.setenv("ASCEND_RT_VISIBLE_DEVICES", "4,6")
    assert own_device() == 6


def dies(pid_file):
    """Await the death of what was killed; nobody may have buried it."""
    until_s = time.monotonic() + 30
    with contextlib.suppress(psutil.NoSuchProcess):
        process = psutil.Process(int(pid_file.read_text()))
        while process.status() != psutil.STATUS_ZOMBIE:
            assert time.monotonic() < until_s
            time.sleep(0.01)
    return True


def test_one_that_hangs_is_killed_with_all_it_started(npu_smi, tmp_path):
    path = npu_smi(f"sleep 99 & echo $! > {tmp_path}/pid; wait")
    program = Program(str(path), threading.Event(), timeout_s=0.5)
    for _ in range(2):
        with pytest.raises(ProgramError, match=r"no answer within 0\.5 s"):
            program("info")
        assert dies(tmp_path / "pid")


def test_the_end_of_a_run_kills_it(samples, device, npu_smi, tmp_path):
    os.mkfifo(tmp_path / "started")
    npu_smi(f"sleep 99 & echo $! > {tmp_path}/pid; echo > {tmp_path}/started; wait")
    device("0")
    sampler = Sampler(
        samples.put, samples.found.append, samples.notices.append, samples.withdraw
    )
    sampler.start()
    (tmp_path / "started").read_text()
    sampler.stop()
    assert dies(tmp_path / "pid")
    assert samples.values == []


def test_what_cannot_be_started_is_an_error_of_its_own(tmp_path):
    program = Program(str(tmp_path / "none"), threading.Event())
    with pytest.raises(ProgramError, match="No such file"):
        program("info")


def test_a_call_that_cannot_be_killed_is_not_joined_by_another(npu_smi):
    program = Program(str(npu_smi("exit 0")), threading.Event())
    with subprocess.Popen(["sleep", "99"]) as stuck:
        program._last = stuck
        with pytest.raises(ProgramError, match="cannot be killed"):
            program("info")
        stuck.kill()
    assert program("info") == ""


@pytest.mark.parametrize(
    ("spent_s", "failures", "pause"),
    [(0, 0, 0), (2, 0, 20), (0, 1, 10), (0, 2, 20), (10, 1, 100), (0, 9999, 600)],
)
def test_what_is_slow_or_fails_is_asked_more_rarely(spent_s, failures, pause):
    assert pause_s(spent_s, failures, interval_s=5) == pause


def test_while_it_rests_nothing_is_asked():
    calls = []
    read = Patience(lambda: calls.append(1) or parse_info(""), calls.append, print, 100)
    assert [read() for _ in range(3)] == [{}, {}, {}]
    assert calls[0] == 1
    assert len(calls) == 2  # and the notice


def test_that_the_npu_tells_nothing_is_said_while_it_does_not(monkeypatch):
    seconds = SimpleNamespace(monotonic=itertools.count(0, 1000).__next__)
    monkeypatch.setattr("mswidget.machine.sampler.time", seconds)
    samples = Samples()
    answers = [ValueError("busy"), {"npu/power": 90.0}, ValueError("busy")]

    def answer():
        found = answers.pop(0)
        if isinstance(found, ValueError):
            raise found
        return found

    read = Patience(answer, samples.notices.append, samples.withdraw, 5)
    assert read() == {}
    assert "numbers of the NPU are missing" in samples.notices[0]
    assert read() == {"npu/power": 90.0}
    assert samples.notices == []
    assert read() == {}
    assert len(samples.notices) == 1


@pytest.mark.parametrize(
    ("index", "visible", "device"),
    [
        ("2", None, 2),
        ("1", "4,5,6,7", 5),
        ("0", " 3", 3),
        ("4", "4,5,6,7", None),
        ("0", "", None),
        ("0", "all", None),
        ("", None, None),
        ("x", "1", None),
    ],
)
def test_a_rank_knows_its_device_by_its_place_among_the_visible(index, visible, device):
    assert visible_device(index, visible) == device


@pytest.mark.parametrize(
    ("device", "logic_ids", "chip"),
    [
        (1, {0: (4, 0), 1: (4, 1)}, (4, 1)),
        (1, {}, (5, 0)),
        (2, {}, None),
        (2, {0: (4, 0), 1: (4, 1)}, None),
    ],
)
def test_a_device_is_a_logic_id_or_a_place_in_the_list(device, logic_ids, chip):
    assert find_chip(device, logic_ids, [(4, 0), (5, 0)]) == chip


@pytest.mark.parametrize("given", ["often", "nan", "-1", "inf"])
def test_an_interval_that_is_none_is_told(given, monkeypatch, samples):
    monkeypatch.setenv("MSWIDGET_MACHINE", given)
    sampler = Sampler(
        samples.put, samples.found.append, samples.notices.append, samples.withdraw
    )
    sampler.start()
    sampler.stop()
    assert f"MSWIDGET_MACHINE={given!r}" in samples.notices[0]


LOOP = """
import os, sys, time
import mswidget
run = mswidget.start_run("run", log_dir=sys.argv[1], display=False)
for step in range(1, 200):
    run.log({"loss": 1.0})
    time.sleep(0.02)
    if "npu_hbm_used_mb" in run.to_pandas():
        break
assert "mindspore" not in sys.modules
child = os.fork()
if not child:
    time.sleep(0.5)
    os._exit(0)
os.waitpid(child, 0)
print(os.getpid())
"""


def test_a_script_without_mindspore_writes_them_beside_its_steps(npu_smi, tmp_path):
    npu_smi(f"echo $PPID >> {tmp_path}/parents\n{TWO_CHIPS}")
    done = subprocess.run(
        [sys.executable, "-c", LOOP, tmp_path],
        env={**os.environ, "DEVICE_ID": "0", "MSWIDGET_MACHINE": "0.05"},
        check=True,
        text=True,
        capture_output=True,
    )
    lines = (tmp_path / "run/rank_0.jsonl").read_text().splitlines()
    records = [line for line in map(json.loads, lines) if "event" not in line]
    assert [record["step"] for record in records] == list(range(1, len(records) + 1))
    assert any(record.get("npu_hbm_used_mb") == 3412 for record in records)
    parents = set((tmp_path / "parents").read_text().split())
    assert parents == {done.stdout.strip()}  # a forked data worker measures nothing
