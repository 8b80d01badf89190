"""A profile in JupyterLab and in VS Code's widget manager, without any network."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

DATA = Path(__file__).parents[1] / "data" / "ascend" / "torch-2025-01" / "level1"
SHOW = f"""
import mswidget
from mswidget.profiler.view import show
show(mswidget.load_profile({str(DATA)!r}))
"""
PICTURES = ("steps", "ops", "timeline", "memory")


@pytest.fixture(params=["jupyterlab", "vscode"])
def shown(request: pytest.FixtureRequest) -> Page:
    """The page with the profile below a cell."""
    if request.param == "vscode":
        host = request.getfixturevalue("vscode")
        host.finish(SHOW)
    else:
        host = request.getfixturevalue("lab")
        host.new([SHOW])
        host.finish(0)
    return host.page


def picture(page: Page, name: str) -> Locator:
    """Return one picture's drawn bars and lines."""
    return page.locator(f'[data-picture="{name}"] :is(.bars path, .scatterlayer path)')


def test_all_pictures_are_drawn_and_the_table_can_be_used(shown):
    for name in PICTURES:
        expect(picture(shown, name).first).to_be_attached(timeout=60_000)
    table = shown.locator(".mswidget-table")
    shown.get_by_label("Table", exact=True).select_option("kernel_details")
    expect(shown.get_by_text("rows 1 to 20 of 382")).to_be_visible()
    shown.get_by_label("Next page").click()
    expect(shown.get_by_text("rows 21 to 40 of 382")).to_be_visible()
    shown.get_by_label("Search in the table").fill("allreduce")
    expect(shown.get_by_text("found in 382")).to_be_visible()
    table.get_by_role("button", name="duration_us").click()
    expect(table.locator("th[aria-sort=descending]")).to_have_count(1)
