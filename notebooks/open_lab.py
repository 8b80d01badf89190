"""Opens a notebook in JupyterLab, or says how to reach it when there is no display."""

from __future__ import annotations

import getpass
import os
import secrets
import socket
import sys
from pathlib import Path
from urllib.parse import quote

FIRST_PORT = 8888


def open_lab(notebook: Path) -> None:
    """Become a JupyterLab server that shows ``notebook``."""
    port, token, page = free_port(), secrets.token_hex(16), f"/lab/tree/{notebook.name}"
    address = f"http://127.0.0.1:{port}{quote(page)}?token={token}"
    sys.stdout.write(directions(address, port))
    sys.stdout.flush()
    os.execve(  # noqa: S606 (this process has nothing else to do)
        sys.executable,
        [sys.executable, "-m", "jupyterlab", *options(notebook, port, page)],
        os.environ | {"JUPYTER_TOKEN": token},
    )


def options(notebook: Path, port: int, page: str) -> list[str]:
    """JupyterLab's command line."""
    found = [
        "--log-level=WARN",
        f"--ServerApp.root_dir={notebook.resolve().parent}",
        f"--ServerApp.port={port}",
        "--ServerApp.port_retries=0",
        f"--LabApp.default_url={page}",
    ]
    if not has_display():
        found.append("--no-browser")
    if os.name == "posix" and os.getuid() == 0:
        found.append("--allow-root")
    return found


def directions(address: str, port: int) -> str:
    """Say how to reach the page."""
    if has_display():
        return f"\nOpening {address}\n\n"
    return (
        f"\nNo display here. Open this address in a browser:\n\n    {address}\n\n"
        "To reach it from another machine, run this there first:\n\n"
        f"    ssh -L {port}:127.0.0.1:{port} {getpass.getuser()}@{socket.gethostname()}"
        "\n\nCtrl-C ends it.\n\n"
    )


def has_display() -> bool:
    """Tell whether a browser can open a window here."""
    windows = sys.platform in ("darwin", "win32")
    return windows or any(os.environ.get(d) for d in ("DISPLAY", "WAYLAND_DISPLAY"))


def free_port() -> int:
    """Return Jupyter's usual port, or the next one that nobody listens on."""
    for port in range(FIRST_PORT, FIRST_PORT + 100):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise SystemExit(f"No free port from {FIRST_PORT} on.")


if __name__ == "__main__":
    open_lab(Path(sys.argv[1]))
