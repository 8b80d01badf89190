"""Chromium, a Jupyter server, and pages that may talk to this machine only."""

from __future__ import annotations

import os
import re
import shutil
import signal
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import sync_playwright

from tests.browser.lab import Lab
from tests.browser.server import running_server
from tests.browser.vscode_manager import VSCodePage, build_page

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

    from tests.browser.server import Server

OUTPUT = Path(__file__).parent / "output"
TEST_LIMIT_S = 240
CHROMIUM_OPTIONS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync "
    "--host-resolver-rules=MAP|*|~NOTFOUND,EXCLUDE|127.0.0.1"
)
CONSOLE = pytest.StashKey[list[str]]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Keep what a failing test saw, before its fixtures end the kernel."""
    report = yield
    if report.when == "call" and report.failed and "page" in item.funcargs:
        OUTPUT.mkdir(exist_ok=True)
        name = re.sub(r"[^\w.-]+", "_", item.name)
        console = "\n".join(item.stash[CONSOLE])
        (OUTPUT / f"{name}.log").write_text(console, encoding="utf-8")
        item.funcargs["page"].screenshot(path=OUTPUT / f"{name}.png")
    return report


@pytest.fixture(autouse=True)
def hard_limit() -> Iterator[None]:
    """End a test that hangs: a script in a page has no time-out of its own."""
    signal.signal(signal.SIGALRM, _give_up)
    signal.alarm(TEST_LIMIT_S)
    yield
    signal.alarm(0)


def _give_up(*_: object) -> None:
    message = f"the test took longer than {TEST_LIMIT_S} s"
    raise TimeoutError(message)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """JupyterLab's server, started once."""
    with running_server(tmp_path_factory.mktemp("jupyter")) as server:
        yield server


# Playwright keeps an event loop running in this thread while it is open, which
# other tests' asyncio.run() would trip over: it is closed after each module.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium of this machine; without it the tests skip, and fail on CI."""
    path = shutil.which("chromium")
    if path is None:
        give_up = pytest.fail if os.environ.get("CI") == "true" else pytest.skip
        give_up("no browser test was run: install Chromium (apt install chromium)")
    options = [option.replace("|", " ") for option in CHROMIUM_OPTIONS.split()]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=options)
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """Open an empty page; it must not ask any other machine for anything."""
    context = browser.new_context(viewport={"width": 1200, "height": 1600})
    page = context.new_page()
    addresses: list[str] = []
    console = request.node.stash[CONSOLE] = []
    context.on("request", lambda request: addresses.append(request.url))
    page.on("websocket", lambda socket: addresses.append(socket.url))
    page.on("console", lambda message: console.append(message.text))
    yield page
    context.close()
    assert [address for address in addresses if _is_elsewhere(address)] == []


def _is_elsewhere(address: str) -> bool:
    parts = urlsplit(address)
    if parts.scheme in {"data", "blob", "file"}:
        return False
    return parts.hostname != "127.0.0.1"


@pytest.fixture
def lab(page: Page, server: Server) -> Iterator[Lab]:
    """JupyterLab in the page; its kernels end with the test."""
    yield Lab(page, server)
    server.end_kernels()


@pytest.fixture(scope="session")
def vscode_files(server: Server) -> str:
    """Build the page that holds VS Code's widget manager; returns its path."""
    return build_page(server.static / "vscode")


@pytest.fixture
def vscode(page: Page, server: Server, vscode_files: str) -> Iterator[VSCodePage]:
    """VS Code's widget manager in the page, in the dark theme, with a kernel."""
    yield VSCodePage(page, server, vscode_files)
    server.end_kernels()
