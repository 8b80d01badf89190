"""What the page says while a cell runs, in real kernels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.kernel import KERNELS, Kernel, kernel
from tests.page import Reader, want

OTHERS = [
    pytest.param(name, marks=pytest.mark.slow)
    for name in ("ipykernel-6.31", "ipykernel-7.3")
]

START = """
import time, sys
sys.path.insert(0, {root!r})
import mswidget
run = mswidget.start_run("polled").begin()
print("comm", run._screen._view._widget.comm.comm_id)
"""

LOOP = """
print("looping", flush=True)
end = time.time() + 20
while not run.stop_requested and time.time() < end:
    run.log({"loss": 1.0})
    time.sleep(0.005)
print("stopped" if run.stop_requested else "never heard", flush=True)
"""


SAVE = """
intervals = []
run.offer_save(lambda path: path.write_text(str(run.step)))
run.offer_log_interval(1, intervals.append)
"""
SHORT = """
with mswidget.start_run("short", display={display}) as run:
    for step in range(100):
        run.log({{"loss": 1.0}})
        if step == 20:
            print("looping", flush=True)
        time.sleep(0.01)
{end}
"""
QUEUED = (
    "print('second', run.step)",
    "1 / 0",
    "print('fourth')",
)

SLIDER = """
import ipywidgets
slider = ipywidgets.IntSlider()
slider.observe(lambda change: print("moved", flush=True), "value")
print("slider", slider.comm.comm_id)
"""


@pytest.fixture(params=["python3", *OTHERS])
def busy(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Kernel]:
    """A kernel with a run that is displayed."""
    name = request.param
    if name != "python3" and not (KERNELS / name).exists():
        pytest.skip(f"{name}: 'make kernels' installs it")
    with kernel(name, tmp_path) as running:
        running.run(START.format(root=str(Path(__file__).parents[2])))
        yield running


def comm_of(running: Kernel) -> str:
    return running.text().split("comm ")[1].split()[0]


def test_stop_is_heard_and_acked_while_the_cell_runs(busy: Kernel) -> None:
    cell = busy.submit(LOOP)
    busy.until_text("looping")
    busy.comm(comm_of(busy), {"kind": "ask_stop", "id": "c1"})
    ack = busy.until(lambda m: _content(m).get("kind") == "ack")
    busy.until_idle(cell)
    assert _content(ack)["id"] == "c1"
    assert _content(ack)["ok"]
    assert "stopped" in busy.text(cell)


def test_a_cell_queued_meanwhile_runs_after_it(busy: Kernel) -> None:
    first = busy.submit(LOOP)
    busy.until_text("looping")
    second = busy.submit("print('second', run.step > 0)")
    third = busy.submit("print('third')")
    busy.comm(comm_of(busy), {"kind": "ask_stop", "id": "c1"})
    for cell in (first, second, third):
        busy.until_idle(cell)
    assert busy.text(second) == "second True\n"
    printed = busy.text()
    assert printed.index("stopped") < printed.index("second") < printed.index("third")


def test_a_cell_queued_meanwhile_is_aborted_after_an_error(busy: Kernel) -> None:
    first = busy.submit(LOOP + "\nraise RuntimeError('training failed')")
    busy.until_text("looping")
    second = busy.submit("print('must not run')")
    busy.comm(comm_of(busy), {"kind": "ask_stop", "id": "c1"})
    busy.until_idle(first)
    assert busy.reply(first)["status"] == "error"
    assert busy.reply(second)["status"] == "aborted"
    assert busy.run("print('alive')") == "alive\n"


def test_a_checkpoint_is_saved_while_the_cell_runs(
    busy: Kernel, tmp_path: Path
) -> None:
    busy.run(SAVE)
    cell = busy.submit(LOOP)
    busy.until_text("looping")
    busy.comm(comm_of(busy), {"kind": "ask_save", "id": "c1"})
    busy.until(lambda m: _content(m).get("id") == "c1")
    saved = busy.until(lambda m: _become_of(m, "ask_save").get("state") == "done")
    busy.comm(comm_of(busy), {"kind": "ask_log_interval", "id": "c2", "steps": 10})
    changed = busy.until(
        lambda m: _become_of(m, "ask_log_interval").get("state") == "done"
    )
    busy.comm(comm_of(busy), {"kind": "ask_stop", "id": "c3"})
    busy.until_idle(cell)
    step = _become_of(saved, "ask_save")["step"]
    (file,) = tmp_path.glob("train_logs/*/checkpoint/*")
    assert (file.name, file.read_text()) == (f"step_{step}.ckpt", str(step))
    assert _become_of(changed, "ask_log_interval")["step"] >= step
    assert "stopped" in busy.text(cell)
    assert busy.run("print(intervals)") == "[10]\n"


def _ends(busy: Kernel, *, display: bool, end: str, queued: Sequence[str]) -> object:
    """Return how cells end of which the first trains and the others wait for it."""
    first = busy.submit(SHORT.format(display=display, end=end))
    busy.until_text("looping")
    seen = len(busy.messages)
    cells = [first, *map(busy.submit, queued)]
    replies = busy.replies(cells)
    busy.until_idle(cells[-1])
    told = [
        (cells.index(ident), m["msg_type"], m["content"].get("text"))
        for m in busy.messages[seen:]
        if (ident := m["parent_header"].get("msg_id")) in cells
        and m["msg_type"] in ("execute_input", "stream", "error")
    ]
    ends = [(reply["status"], reply.get("ename")) for reply in replies]
    return ends, told


@pytest.mark.parametrize("end", ["", "raise ValueError('failed')"])
def test_queued_cells_end_as_they_do_without_the_poller(busy: Kernel, end: str) -> None:
    without = _ends(busy, display=False, end=end, queued=QUEUED)
    assert _ends(busy, display=True, end=end, queued=QUEUED) == without
    assert busy.run("print('alive')") == "alive\n"


def test_a_page_that_reloads_gets_its_answers_and_the_whole_history(
    busy: Kernel,
) -> None:
    cell = busy.submit(LOOP)
    busy.until(lambda m: _rows(_state(m)) > 0)
    session = busy.client.session
    info = session.msg("kernel_info_request", {})
    busy.client.shell_channel.send(info)
    data = {"method": "request_states"}
    control = session.msg(
        "comm_open",
        {
            "comm_id": "page",
            "target_name": "jupyter.widget.control",
            "data": {},
            "metadata": {"version": "1.0.0"},
        },
    )
    control["metadata"] = {"version": "1.0.0"}
    busy.client.shell_channel.send(control)
    busy.client.shell_channel.send(
        session.msg("comm_msg", {"comm_id": "page", "data": data})
    )
    states = busy.until(
        lambda m: m["content"].get("data", {}).get("method") == "update_states"
    )
    busy.comm(comm_of(busy), {"kind": "ask_stop", "id": "c1"})
    busy.until_idle(cell)
    state = states["content"]["data"]["states"][comm_of(busy)]["state"]
    assert _rows(state) > 0
    assert [extract["metric"] for extract in state["kept_1"]["extracts"]] == ["loss"]
    assert state["head"]["run"]["name"].startswith("polled")


def test_what_a_page_looks_at_comes_while_the_cell_runs_and_after(busy: Kernel) -> None:
    cell = busy.submit(LOOP)
    busy.until_text("looping")
    page = Reader()
    busy.comm(comm_of(busy), page.ask(want("loss")))
    first = busy.until(_views)
    busy.comm(comm_of(busy), {"kind": "ask_stop", "id": "c1"})
    busy.until_idle(cell)
    page.gap = True
    busy.comm(comm_of(busy), page.ask(want("loss")))
    again = busy.until(lambda m: any(view["id"] == "p2" for view in _views(m)))
    assert _views(first)[0]["id"] == "p1"
    (extract,) = _views(again)[0]["extracts"]
    (piece,) = extract["pieces"]
    assert 0 < piece["count"] <= int(busy.run("print(run.step)"))


def test_a_slider_of_the_user_waits_for_the_end_of_the_cell(busy: Kernel) -> None:
    busy.run(SLIDER)
    slider = busy.text().split("slider ")[1].split()[0]
    cell = busy.submit(LOOP)
    busy.until_text("looping")
    busy.send(slider, {"method": "update", "state": {"value": 7}})
    busy.comm(comm_of(busy), {"kind": "ask_stop", "id": "c1"})
    busy.until_idle(cell)
    busy.until_text("moved")
    printed = busy.text()
    assert printed.index("stopped") < printed.index("moved")


@pytest.mark.parametrize("data", [["x"], "text", None, {}, {"method": 7}])
def test_a_malformed_message_loses_neither_the_next_one_nor_the_kernel(
    busy: Kernel, data: object
) -> None:
    busy.run(SLIDER)
    slider = busy.text().split("slider ")[1].split()[0]
    ours = comm_of(busy)
    cell = busy.submit(LOOP)
    busy.until_text("looping")
    for comm in (slider, ours, "nobody's"):
        busy.send(comm, data)
    busy.comm(ours, {"kind": "ask_view", "id": "1"})
    refused = busy.until(lambda m: _content(m).get("id") == "1")
    busy.comm(ours, {"kind": "ask_stop", "id": "2"})
    acked = busy.until(lambda m: _content(m).get("id") == "2")
    busy.until_idle(cell)
    assert not _content(refused)["ok"]
    assert _content(acked)["ok"]
    assert "stopped" in busy.text(cell)
    assert busy.run("print('alive')") == "alive\n"


def _state(message: dict) -> dict:
    if message["msg_type"] != "comm_msg":
        return {}
    return message["content"]["data"].get("state", {})


def _rows(state: dict) -> int:
    return sum(extent["rows"] for extent in state.get("extents", []))


def _become_of(message: dict, kind: str) -> dict:
    """Return what news say of a command."""
    told = [m for m in _content(message).get("messages", []) if m["kind"] == "news"]
    commands = [command for news in told for command in news["status"]["commands"]]
    return next((command for command in commands if command["kind"] == kind), {})


def _views(message: dict) -> list[dict]:
    messages = _content(message).get("messages", [])
    return [message for message in messages if message["kind"] == "view"]


def _content(message: dict) -> dict:
    if message["msg_type"] != "comm_msg":
        return {}
    return message["content"]["data"].get("content", {})
