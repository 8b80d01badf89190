"""A Jupyter server of the tests' own: its settings, files and kernels are apart."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil

if TYPE_CHECKING:
    from collections.abc import Iterator

REPOSITORY = Path(__file__).parents[2]
KERNELS = REPOSITORY / ".make" / "kernels" / "share" / "jupyter"
TOKEN = "for-tests-only"  # noqa: S105
START_LIMIT_S = 90
END_LIMIT_S = 15
NO_NEWS = {"fetchNews": "false", "checkForUpdates": False}


@dataclass(frozen=True)
class Server:
    """A running server: where it listens and where its notebooks lie.

    Parameters
    ----------
    url
        ``http://127.0.0.1:<port>``.
    notebooks
        The folder that JupyterLab shows.
    static
        What lies here is served under ``/static/``.
    data
        Jupyter's data folder of this server; it keeps the trusted signatures.
    """

    url: str
    notebooks: Path
    static: Path
    data: Path

    def address(self, path: str) -> str:
        """Return the full address of a path, with the token."""
        return f"{self.url}/{path}?token={TOKEN}"

    def ask(self, method: str, path: str) -> Any:
        """Send one request to the server's REST interface."""
        request = urllib.request.Request(self.address(path), method=method)  # noqa: S310
        with urllib.request.urlopen(request, timeout=10) as answer:  # noqa: S310
            return json.loads(answer.read() or "null")

    def end_kernels(self) -> None:
        """Shut every kernel down, also one that a failed test left behind."""
        for kernel in self.ask("GET", "api/kernels"):
            self.ask("DELETE", f"api/kernels/{kernel['id']}")


@contextmanager
def running_server(home: Path) -> Iterator[Server]:
    """Start JupyterLab below ``home``; end it and all its kernels at the end."""
    server = Server(
        f"http://127.0.0.1:{_free_port()}",
        *(_folder(home, name) for name in ("notebooks", "static", "data")),
    )
    log = home / "server.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            _command(server), env=_environment(home), stdout=output, stderr=output
        )
    try:
        _wait_until_up(server, process, log)
        yield server
    finally:
        _end(process)


def _folder(home: Path, name: str) -> Path:
    folder = home / name
    folder.mkdir()
    return folder


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def _command(server: Server) -> list[str]:
    return [
        *(sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"),
        "--ServerApp.ip=127.0.0.1",
        f"--ServerApp.port={server.url.rpartition(':')[2]}",
        "--ServerApp.port_retries=0",
        f"--IdentityProvider.token={TOKEN}",
        "--ServerApp.disable_check_xsrf=True",
        "--ServerApp.terminals_enabled=False",
        f"--ServerApp.root_dir={server.notebooks}",
        f"--ServerApp.extra_static_paths=['{server.static}']",
        "--LabApp.expose_app_in_browser=True",
        "--LabApp.extension_manager=readonly",
    ]


def _environment(home: Path) -> dict[str, str]:
    settings = home / "settings"
    notification = settings / "@jupyterlab" / "apputils-extension"
    notification.mkdir(parents=True)
    (notification / "notification.jupyterlab-settings").write_text(json.dumps(NO_NEWS))
    own = {
        "JUPYTER_CONFIG_DIR": home / "config",
        "JUPYTER_DATA_DIR": home / "data",
        "JUPYTER_RUNTIME_DIR": home / "runtime",
        "JUPYTERLAB_SETTINGS_DIR": settings,
        "JUPYTERLAB_WORKSPACES_DIR": home / "workspaces",
        "IPYTHONDIR": home / "ipython",
        "JUPYTER_PATH": KERNELS,
    }
    # MindSpore prints an error a compiled cell below 4 (its source has no file).
    return (
        os.environ | {name: str(path) for name, path in own.items()} | {"GLOG_v": "4"}
    )


def _wait_until_up(server: Server, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + START_LIMIT_S
    while not _is_up(server):
        if time.monotonic() > deadline or process.poll() is not None:
            message = f"JupyterLab did not start:\n{log.read_text(errors='replace')}"
            raise RuntimeError(message)
        time.sleep(0.1)


def _is_up(server: Server) -> bool:
    try:
        server.ask("GET", "api/status")
    except OSError:
        return False
    return True


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the server, then whatever outlives it: a busy kernel may."""
    family = psutil.Process(process.pid).children(recursive=True)
    process.terminate()
    try:
        process.wait(END_LIMIT_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(END_LIMIT_S)
    _, alive = psutil.wait_procs(family, timeout=1)
    for survivor in alive:
        survivor.kill()
