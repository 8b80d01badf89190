"""Ranks that are killed at random moments, again and again."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from mswidget import load_run, start_run

ROOT = Path(__file__).parents[2]
RANKS, ROUNDS, FAST_ROUNDS = 8, 12, 3
# Each round goes on with the run where the last one was killed. A rank notes what it
# has logged in memory that outlives it: the steps and the times of the first and last.
KILLS = f"""
import json, mmap, os, random, signal, struct, sys, time
from mswidget import start_run

log_dir, seed, rounds = sys.argv[1:]
random.seed(seed)
logged = struct.Struct("qqdd")
notes = mmap.mmap(-1, {RANKS} * logged.size)

def train(rank):
    os.environ.update(RANK_ID=str(rank), RANK_SIZE="{RANKS}", MSWIDGET_JOB="job")
    run = start_run("run", log_dir=log_dir, display=False, resume=True)
    first = None
    while True:
        run.log({{"loss": 1 / (run.step + 1), "损失": float("nan")}})
        first = first or (run.step, time.time())
        note = (first[0], run.step, first[1], time.time())
        logged.pack_into(notes, rank * logged.size, *note)
        time.sleep(0.001)

found = []
for _ in range(int(rounds)):
    notes[:] = bytes(len(notes))
    children = []
    for rank in range({RANKS}):
        child = os.fork()
        if not child:
            train(rank)
        children.append(child)
    for child in random.sample(children, len(children)):
        time.sleep(random.uniform(0, 0.15))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    found += enumerate(logged.iter_unpack(notes[:]))
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def log_dir(tmp_path_factory):
    return tmp_path_factory.mktemp("logs")


@pytest.fixture(scope="module")
def bystander(log_dir):
    """The files of a run that has nothing to do with it."""
    with start_run("bystander", log_dir=log_dir, display=False) as run:
        run.log({"loss": 1.0})
    return {path: path.read_bytes() for path in run.path.iterdir()}


@pytest.fixture(scope="module")
def kills(log_dir, bystander, pytestconfig):  # noqa: ARG001 - it is there before
    """Return by rank what each of its processes had logged when it was killed."""
    seed = str(np.random.default_rng().integers(2**32))
    rounds = FAST_ROUNDS if pytestconfig.getoption("fast") else ROUNDS
    command = [sys.executable, "-c", KILLS, str(log_dir), seed, str(rounds)]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"seed {seed}: {done.stderr}"
    found = [(rank, note) for rank, note in json.loads(done.stdout) if note[0]]
    assert len(found) > RANKS * rounds / 2
    return [[note for rank, note in found if rank == r] for r in range(RANKS)]


def test_a_kill_loses_less_than_a_second(kills, log_dir, capsys):
    lost_s = []
    for rank, saved in load_run(log_dir / "run").ranks.items():
        times = saved.history.rows().wall_times_s
        for _, _, first_s, last_s in kills[rank]:
            lost_s.append(last_s - times[times <= last_s].max(initial=first_s))
    p99_s = np.percentile(lost_s, 99)
    with capsys.disabled():
        sys.stdout.write(f" {len(lost_s)} kills lost {p99_s:.3f} s (p99) ")
    assert max(lost_s) <= 1


def test_all_before_it_is_there_once_and_in_order(kills, log_dir):
    ranks = load_run(log_dir / "run").ranks
    assert sorted(ranks) == [*range(RANKS)]
    for rank, saved in ranks.items():
        rows = saved.history.rows()
        assert rows.steps.tolist() == [*range(1, len(rows.steps) + 1)]
        assert rows.metrics["loss"][1].tolist() == (1 / rows.steps).tolist()
        assert np.isnan(rows.metrics["损失"][1]).all()
        assert all(np.diff(rows.attempts) >= 0)
        # A line that was cut is the only one that is lost.
        assert len(saved.skipped) <= len(kills[rank])


@pytest.mark.usefixtures("kills")
def test_nothing_beside_it_is_spoiled(log_dir, bystander):
    assert {path: path.read_bytes() for path in bystander} == bystander
    facts = json.loads((log_dir / "run" / "run.json").read_text())
    assert (facts["name"], facts["rank_size"]) == ("run", RANKS)
    shown = {path.name for path in log_dir.iterdir() if path.name[0] != "."}
    assert shown == {"bystander", "run"}
