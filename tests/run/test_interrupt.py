"""What becomes of a process that gets SIGTERM while a training runs in it."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import pytest
from jupyter_client.manager import start_new_kernel

from mswidget import load_run
from mswidget.run.interrupt import Interrupts

PREAMBLE = """
import os, signal, sys, threading, time
import mswidget.run.interrupt as interrupt
from mswidget.run.interrupt import Interrupts

def say(text):
    # Also from a signal handler, which may interrupt a print.
    os.write(1, f"{text}\\n".encode())

def flush():
    say("flushed")

def wait():
    while True:
        time.sleep(0.01)

def hang(seconds=20, lock="released", to="/dev/stdout"):
    # One call, which says "ready" from within C and comes back to no handler.
    import ctypes
    library = ctypes.PyDLL if lock == "held" else ctypes.CDLL
    command = f"echo ready >>{to}; exec sleep {seconds} >&- 2>&-"
    library(None).system(command.encode())
"""


class Script:
    """A Python process that is sent signals when it says so."""

    def __init__(self, code):
        self.process = subprocess.Popen(
            [sys.executable, "-c", PREAMBLE + textwrap.dedent(code)],
            stdout=subprocess.PIPE,
            text=True,
        )

    def terminate_at(self, word, number=signal.SIGTERM):
        """Send a signal when the process has said a word."""
        for line in self.process.stdout:
            if line.strip() == word:
                self.process.send_signal(number)
                return
        pytest.fail(f"never said {word!r}")

    def end(self):
        """Return what the process said further, and its exit status."""
        said, _ = self.process.communicate(timeout=60)
        return said.split(), self.process.returncode


@pytest.fixture
def script():
    scripts = []

    def start(code):
        scripts.append(Script(code))
        return scripts[-1]

    yield start
    for started in scripts:
        started.process.kill()
        started.process.wait()
        started.process.stdout.close()


def test_a_script_stops_cleanly_and_then_ends_by_the_signal(script):
    running = script("""
        stop = threading.Event()
        with Interrupts(stop.set, flush):
            say("ready")
            while not stop.is_set():
                time.sleep(0.01)
            say("clean")
        say("never")
    """)
    running.terminate_at("ready")
    assert running.end() == (["clean"], -signal.SIGTERM)


def test_a_hand_written_loop_gets_a_keyboard_interrupt(script):
    running = script("""
        with Interrupts(None, flush):
            try:
                say("ready")
                wait()
            except KeyboardInterrupt:
                say("interrupted")
    """)
    running.terminate_at("ready")
    assert running.end() == (["interrupted"], -signal.SIGTERM)


def test_a_second_signal_does_not_wait_for_the_step_to_end(script):
    running = script("""
        with Interrupts(lambda: say("asked"), flush):
            try:
                say("ready")
                wait()
            except KeyboardInterrupt:
                say("interrupted")
    """)
    running.terminate_at("ready")
    running.terminate_at("asked")
    assert running.end() == (["interrupted"], -signal.SIGTERM)


def test_a_process_that_hangs_in_c_is_flushed_and_ended(script):
    running = script("""
        interrupt.PATIENCE_S = 0.5
        with Interrupts(None, flush):
            hang()
    """)
    running.terminate_at("ready")
    assert running.end() == (["flushed"], -signal.SIGTERM)


def test_a_flush_that_hangs_too_does_not_keep_the_process(script):
    running = script("""
        interrupt.PATIENCE_S = interrupt._FLUSH_S = 0.2
        with Interrupts(None, wait):
            hang()
    """)
    running.terminate_at("ready")
    assert running.end() == ([], -signal.SIGTERM)


def test_a_process_in_which_no_python_runs_is_ended(script):
    running = script("""
        interrupt.PATIENCE_S = 0.5
        with Interrupts(None, flush):
            hang(lock="held")
    """)
    running.terminate_at("ready")
    assert running.end() == ([], -signal.SIGKILL)


def test_a_process_that_stops_to_run_python_later_is_ended_too(script):
    running = script("""
        interrupt.PATIENCE_S = 1
        told = threading.Event()
        with Interrupts(told.set, flush):
            say("first")
            while not told.is_set():
                time.sleep(0.01)
            hang(lock="held")
    """)
    running.terminate_at("first")
    assert running.end() == (["ready"], -signal.SIGKILL)


def test_within_another_training_too(script):
    running = script("""
        interrupt.PATIENCE_S = 0.5
        with Interrupts(None, flush), Interrupts(None, flush):
            hang(lock="held")
    """)
    running.terminate_at("ready")
    assert running.end() == ([], -signal.SIGKILL)


@pytest.mark.parametrize("number", [signal.SIGUSR1, signal.SIGTERM])
def test_who_runs_no_python_for_long_is_not_ended_by_what_others_handle(script, number):
    running = script(f"""
        interrupt.PATIENCE_S = interrupt._WATCHDOG_S = 0.1
        signal.signal({int(number)}, lambda *_: say("earlier"))
        with Interrupts(lambda: None, flush):
            hang(1.5, lock="held")
        say("goes-on")
    """)
    running.terminate_at("ready", number)
    assert running.end() == (["earlier", "goes-on"], 0)


@pytest.mark.parametrize("lock", ["released", "held"])
def test_a_handler_that_came_during_the_training_decides(script, lock):
    running = script(f"""
        interrupt.PATIENCE_S = interrupt._WATCHDOG_S = 0.1
        with Interrupts(lambda: say("asked"), flush) as interrupts:
            # As MindSpore's OnRequestExit, which then saves a checkpoint.
            signal.signal(signal.SIGTERM, lambda *_: say("theirs"))
            patient_until_s = time.monotonic() + 10
            while not interrupts._watchdog._busy and time.monotonic() < patient_until_s:
                time.sleep(0.01)
            hang(1.5, {lock!r})
        say("goes-on")
    """)
    running.terminate_at("ready")
    assert running.end() == (["theirs", "goes-on"], 0)


def test_the_default_timeout_of_sockets_is_the_users(script):
    running = script("""
        import socket
        socket.setdefaulttimeout(0.01)
        interrupt.PATIENCE_S = 0.5
        with Interrupts(None, flush):
            time.sleep(0.1)
            hang()
    """)
    running.terminate_at("ready")
    assert running.end() == (["flushed"], -signal.SIGTERM)


def test_a_data_worker_may_leave_the_training_by_an_error(script):
    running = script("""
        with Interrupts(None, flush):
            if child := os.fork():
                say(f"child={os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])}")
            else:
                sys.exit(7)
    """)
    assert running.end() == (["child=7"], 0)


def test_a_script_whose_step_never_ends_is_ended(script):
    running = script("""
        interrupt.PATIENCE_S = 0.5
        with Interrupts(lambda: say("asked"), flush):
            say("ready")
            wait()
    """)
    running.terminate_at("ready")
    assert running.end() == (["asked", "flushed"], -signal.SIGTERM)


def test_an_earlier_handler_is_called_and_decides_about_the_process(script):
    running = script("""
        stop = threading.Event()
        signal.signal(signal.SIGTERM, lambda *_: say("earlier"))
        with Interrupts(stop.set, flush):
            say("ready")
            while not stop.is_set():
                time.sleep(0.01)
        say("goes-on")
    """)
    running.terminate_at("ready")
    assert running.end() == (["earlier", "goes-on"], 0)


def test_a_data_worker_that_is_terminated_does_not_stop_the_training(script):
    running = script("""
        interrupt.PATIENCE_S = 0.2
        with Interrupts(lambda: say("asked"), flush):
            reader, writer = os.pipe()
            child = os.fork()
            if not child:
                os.write(writer, b"!")
                wait()
            os.read(reader, 1)
            os.kill(child, signal.SIGTERM)
            _, status = os.waitpid(child, 0)
            say(f"child={status}")
            time.sleep(0.6)
        say("done")
    """)
    assert running.end() == ([f"child={int(signal.SIGTERM)}", "done"], 0)


def test_who_listened_for_signals_before_still_hears_them(script):
    running = script("""
        earlier_read, earlier_write = os.pipe()
        os.set_blocking(earlier_write, False)
        signal.set_wakeup_fd(earlier_write)
        with Interrupts(lambda: None, flush):
            say("ready")
            say(f"heard={os.read(earlier_read, 1)[0]}")
        say("never")
    """)
    running.terminate_at("ready")
    assert running.end() == ([f"heard={int(signal.SIGTERM)}"], -signal.SIGTERM)


def test_everything_is_given_back():
    before = signal.getsignal(signal.SIGTERM)
    with Interrupts(None, print):
        assert signal.getsignal(signal.SIGTERM) != before
    assert signal.getsignal(signal.SIGTERM) == before
    assert signal.set_wakeup_fd(-1) == -1


def test_in_another_thread_nothing_is_touched():
    before = signal.getsignal(signal.SIGTERM)
    seen = []

    def train():
        with Interrupts(None, print):
            seen.append(signal.getsignal(signal.SIGTERM))

    thread = threading.Thread(target=train)
    thread.start()
    thread.join()
    assert seen == [before]


@pytest.fixture
def kernel():
    # A kernel that sees pytest does not send on what C prints.
    env = {k: v for k, v in os.environ.items() if k != "PYTEST_CURRENT_TEST"}
    manager, client = start_new_kernel(env=env)
    yield manager, client
    client.stop_channels()
    manager.shutdown_kernel(now=True)
    manager.context.destroy(linger=0)


LOOP = PREAMBLE + textwrap.dedent("""
    with Interrupts(None, flush):
        say("ready")
        wait()
""")

HANG = PREAMBLE + textwrap.dedent("""
    interrupt.PATIENCE_S = 1
    with Interrupts(None, flush):
        hang()
""")


def start_cell(client, code):
    """Run a cell until it prints "ready"; return the message's id."""
    cell = client.execute(code)
    while True:
        content = client.get_iopub_msg(timeout=60)["content"]
        assert "ename" not in content
        if "ready" in content.get("text", ""):
            return cell


def reply(client, cell):
    """Return what a cell ended with."""
    while True:
        message = client.get_shell_msg(timeout=60)
        if message["parent_header"]["msg_id"] == cell:
            return message["content"]


def test_a_kernel_lives_on_after_an_interrupt(kernel):
    manager, client = kernel
    cell = start_cell(client, LOOP)
    os.kill(manager.provisioner.pid, signal.SIGTERM)
    assert reply(client, cell)["ename"] == "KeyboardInterrupt"
    assert reply(client, client.execute("1 + 1")).get("evalue") is None


def test_a_kernel_that_was_given_up_ends(kernel):
    manager, client = kernel
    start_cell(client, LOOP)
    # All that VS Code's "Restart" does to the old kernel.
    os.kill(manager.provisioner.pid, signal.SIGTERM)
    Path(manager.connection_file).unlink()
    assert manager.provisioner.process.wait(15) == -signal.SIGTERM


def test_a_kernel_that_hangs_in_c_ends(kernel):
    manager, client = kernel
    start_cell(client, HANG)
    os.kill(manager.provisioner.pid, signal.SIGTERM)
    assert manager.provisioner.process.wait(15) == -signal.SIGTERM


@pytest.fixture
def terminate_held(kernel, tmp_path):
    """Send SIGTERM to a kernel in which no Python runs; return the cell's id."""
    manager, client = kernel
    os.mkfifo(tmp_path / "ready")

    def terminate(seconds, *, busy):
        cell = client.execute(f"""{PREAMBLE}
interrupt.PATIENCE_S = 0.5
with Interrupts(None, flush, busy=lambda: {busy}):
    hang({seconds}, "held", {str(tmp_path / "ready")!r})
""")
        # What a kernel prints needs Python to reach anybody.
        assert (tmp_path / "ready").read_text() == "ready\n"
        os.kill(manager.provisioner.pid, signal.SIGTERM)
        return cell

    return terminate


def test_a_kernel_in_which_no_python_runs_ends(kernel, terminate_held):
    manager, _ = kernel
    terminate_held(20, busy=False)
    assert manager.provisioner.process.wait(15) == -signal.SIGKILL


def test_a_busy_kernel_in_which_no_python_runs_lives_on(kernel, terminate_held):
    _, client = kernel
    cell = terminate_held(3, busy=True)
    assert reply(client, cell)["ename"] == "KeyboardInterrupt"
    assert reply(client, client.execute("1 + 1")).get("evalue") is None


def test_a_busy_kernel_that_was_given_up_ends(kernel, terminate_held):
    manager, _ = kernel
    terminate_held(20, busy=True)
    Path(manager.connection_file).unlink()
    assert manager.provisioner.process.wait(15) == -signal.SIGKILL


def test_a_kernel_lives_on_after_an_interrupt_of_a_long_compile(kernel):
    manager, client = kernel
    code = HANG.replace("flush)", "flush, busy=lambda: True)").replace(
        "hang()", "hang(3)"
    )
    cell = start_cell(client, code)
    os.kill(manager.provisioner.pid, signal.SIGTERM)
    assert reply(client, cell)["ename"] == "KeyboardInterrupt"
    assert reply(client, client.execute("1 + 1")).get("evalue") is None


def test_a_kernel_lives_on_after_an_interrupt_behind_the_training(kernel, tmp_path):
    manager, client = kernel
    setup = TRAINING.format(log_dir=str(tmp_path))
    assert reply(client, client.execute(setup)).get("evalue") is None
    code = "model.train(1, dataset(5), callbacks=[monitor])\nprint('ready', flush=True)"
    cell = start_cell(client, f"{code}\nimport time\ntime.sleep(60)")
    manager.interrupt_kernel()
    assert reply(client, cell)["ename"] == "KeyboardInterrupt"
    assert reply(client, client.execute("1 + 1")).get("evalue") is None


TRAINING = """
import sys
from mindspore.train import Model
from mswidget import TrainMonitor
from tests.training import *

network = Regression()
model = Model(nn.TrainOneStepCell(network, nn.SGD(network.trainable_params(), 0.01)))
monitor = TrainMonitor("run", {log_dir!r}, display=hasattr(sys, "ps1"))
tell = AtStep(20, lambda _: print("ready", flush=True))
"""
FOREVER = "model.train(10**6, dataset(50), callbacks=[monitor, tell])"


@pytest.mark.parametrize("mode", [0, 1], ids=["graph", "pynative"])
def test_ctrl_c_in_a_script_loses_no_step(script, tmp_path, mode):
    code = TRAINING.format(log_dir=str(tmp_path))
    running = script(f"{code}\nms.set_context(mode={mode})\n{FOREVER}")
    running.terminate_at("ready", signal.SIGINT)
    assert running.end() == ([], -signal.SIGTERM)
    run = load_run(tmp_path / "run")
    steps = run.to_pandas().index
    assert steps.tolist() == list(range(1, steps[-1] + 1))
    assert len(steps) >= 20
    last = (tmp_path / "run" / "rank_0.jsonl").read_text().splitlines()[-1]
    assert json.loads(last)["event"] == "stopped"


def test_a_training_that_hangs_in_c_keeps_its_steps(script, tmp_path):
    code = TRAINING.format(log_dir=str(tmp_path)) + FOREVER
    hanging = code.replace('print("ready", flush=True)', "hang()")
    running = script(f"interrupt.PATIENCE_S = 1\n{hanging}")
    running.terminate_at("ready")
    assert running.end() == ([], -signal.SIGTERM)
    run = load_run(tmp_path / "run")
    assert run.to_pandas().index.tolist() == list(range(1, 21))
    last = (tmp_path / "run" / "rank_0.jsonl").read_text().splitlines()[-1]
    assert json.loads(last)["event"] == "stopped"


def test_what_was_written_before_no_python_ran_is_kept(script, tmp_path):
    running = script(f"""
        from mswidget import start_run
        interrupt.PATIENCE_S = 1
        with start_run("run", log_dir={str(tmp_path)!r}, display=False) as run:
            for step in range(1, 21):
                run.log({{"loss": 1 / step}})
            file = run.path / "rank_0.jsonl"
            while '"step":20' not in file.read_text().replace(" ", ""):
                time.sleep(0.01)
            hang(lock="held")
    """)
    running.terminate_at("ready")
    assert running.end() == ([], -signal.SIGKILL)
    run = load_run(tmp_path / "run")
    assert run.to_pandas().index.tolist() == list(range(1, 21))


@pytest.mark.parametrize("mode", [0, 1], ids=["graph", "pynative"])
def test_a_kernel_trains_again_after_an_interrupt(kernel, tmp_path, mode):
    manager, client = kernel
    setup = TRAINING.format(log_dir=str(tmp_path))
    assert reply(client, client.execute(setup)).get("evalue") is None
    cell = start_cell(client, f"ms.set_context(mode={mode})\n{FOREVER}")
    manager.interrupt_kernel()
    assert reply(client, cell)["ename"] == "KeyboardInterrupt"
    check = """
assert (monitor.run.phase, monitor.run.status["detail"]) == ("stopped", "interrupted")
before = monitor.run.step
model.train(1, dataset(5), callbacks=[monitor])
assert (monitor.run.phase, monitor.run.step) == ("finished", before + 5)
"""
    assert reply(client, client.execute(check)).get("evalue") is None
