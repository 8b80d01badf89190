"""A real Jupyter kernel, driven over its own protocol."""

from __future__ import annotations

import os
import queue
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from jupyter_client.manager import KernelManager

KERNELS = Path(__file__).parents[1] / ".make" / "kernels"
TIMEOUT_S = 60


class Kernel:
    """Runs cells and keeps every message."""

    def __init__(self, manager: KernelManager) -> None:
        self.manager = manager
        self.client = manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=TIMEOUT_S)
        self.messages: list[dict[str, Any]] = []

    def submit(self, code: str) -> str:
        """Send a cell; returns its id at once."""
        return self.client.execute(code)

    def until(self, wanted: Any) -> dict[str, Any]:
        """Read messages from the kernel until one is wanted."""
        end = time.monotonic() + TIMEOUT_S
        while time.monotonic() < end:
            try:
                message = self.client.get_iopub_msg(timeout=1)
            except queue.Empty:
                continue
            self.messages.append(message)
            if wanted(message):
                return message
        raise TimeoutError(f"{TIMEOUT_S} s without it; seen: {self.text()}")

    def until_idle(self, cell: str) -> None:
        """Wait for the end of a cell."""
        self.until(
            lambda m: (
                m["msg_type"] == "status"
                and m["content"]["execution_state"] == "idle"
                and m["parent_header"].get("msg_id") == cell
            )
        )

    def until_text(self, text: str) -> None:
        """Wait until something prints a text."""
        self.until(lambda m: m["msg_type"] == "stream" and text in m["content"]["text"])

    def reply(self, cell: str) -> dict[str, Any]:
        """Return how a cell ended."""
        end = time.monotonic() + TIMEOUT_S
        while time.monotonic() < end:
            message = self.client.get_shell_msg(timeout=TIMEOUT_S)
            if message["parent_header"].get("msg_id") == cell:
                content: dict[str, Any] = message["content"]
                return content
        raise TimeoutError(cell)

    def replies(self, cells: Sequence[str]) -> list[dict[str, Any]]:
        """Return how cells ended, in the order in which they did."""
        ends: dict[str, dict[str, Any]] = {}
        while len(ends) < len(cells):
            message = self.client.get_shell_msg(timeout=TIMEOUT_S)
            ident = message["parent_header"].get("msg_id")
            if ident in cells:
                ends[ident] = message["content"]
        assert [*ends] == [*cells], "the cells have ended in another order"
        return [*ends.values()]

    def run(self, code: str) -> str:
        """Run a cell to its end; returns what it printed, raises what it raised."""
        cell = self.submit(code)
        self.until_idle(cell)
        found = self.reply(cell)
        if found["status"] != "ok":
            raise RuntimeError("\n".join(found.get("traceback", [str(found)])))
        return self.text(cell)

    def run_cell(self, ident: str, code: str) -> None:
        """Run a cell that the front end names, as JupyterLab does."""
        content = {"code": code, "silent": False, "store_history": True}
        content |= {"user_expressions": {}, "allow_stdin": False, "stop_on_error": True}
        message = self.client.session.msg("execute_request", content)
        message["metadata"] = {"cellId": ident}
        self.client.shell_channel.send(message)
        self.until_idle(message["header"]["msg_id"])

    def text(self, cell: str | None = None) -> str:
        """Return what was printed, by one cell or by all."""
        return "".join(
            m["content"]["text"]
            for m in self.messages
            if m["msg_type"] == "stream"
            and cell in (None, m["parent_header"].get("msg_id"))
        )

    def comm(self, ident: str, content: object) -> str:
        """Send a widget's custom message, as a page does."""
        return self.send(ident, {"method": "custom", "content": content})

    def send(self, ident: str, data: object) -> str:
        """Send data on a widget's comm."""
        message = self.client.session.msg("comm_msg", {"comm_id": ident, "data": data})
        self.client.shell_channel.send(message)
        return str(message["header"]["msg_id"])


@contextmanager
def kernel(name: str = "python3", folder: Path | None = None) -> Iterator[Kernel]:
    """Start a kernel, and leave none behind."""
    os.environ["JUPYTER_PATH"] = str(KERNELS / "share" / "jupyter")
    manager = KernelManager(kernel_name=name)
    manager.start_kernel(cwd=str(folder) if folder else None)
    try:
        running = Kernel(manager)
        yield running
        running.client.stop_channels()
    finally:
        manager.shutdown_kernel(now=True)
