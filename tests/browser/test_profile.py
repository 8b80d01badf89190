"""A profile in JupyterLab and in VS Code's widget manager, without any network."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import nbformat
import pytest
from playwright.sync_api import expect

if TYPE_CHECKING:
    from lab import Lab
    from playwright.sync_api import Locator, Page

sys.path.append(str(Path(__file__).parents[1] / "bench"))
from profile_files import write_trace

DATA = Path(__file__).parents[1] / "data" / "ascend" / "torch-2025-01" / "level1"
SHOW = """
import mswidget
from mswidget.profiler.view import show
show(mswidget.load_profile({!r}))
"""
PICTURES = ("steps", "ops", "timeline", "memory")


@pytest.fixture(params=["jupyterlab", "vscode"])
def shown(request: pytest.FixtureRequest) -> Page:
    """The page with the profile below a cell."""
    if request.param == "vscode":
        host = request.getfixturevalue("vscode")
        host.finish(SHOW.format(str(DATA)))
    else:
        host = request.getfixturevalue("lab")
        host.new([SHOW.format(str(DATA))])
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


def test_zooming_into_merged_bars_shows_single_events(lab: Lab, tmp_path: Path):
    write_trace(tmp_path / "trace_view.json", 3_000_000)
    lab.new([SHOW.format(str(tmp_path))])
    lab.finish(0)
    shown = lab.page.locator('[data-picture="timeline"]')
    expect(shown.get_by_text("pale ones stand for several")).to_be_attached()
    plot = shown.locator(".nsewdrag").first
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    assert box
    middle = box["y"] + box["height"] / 2
    lab.page.mouse.move(box["x"] + 100, middle)
    lab.page.mouse.down()
    lab.page.mouse.move(box["x"] + 130, middle, steps=5)
    lab.page.mouse.up()
    expect(shown.get_by_text("pale ones")).to_have_count(0)
    expect(shown.locator(".bars path").first).to_be_attached()


def test_without_a_kernel_the_summary_is_what_one_sees(lab: Lab):
    lab.new([SHOW.format(str(DATA))])
    lab.finish(0)
    summary = lab.page.locator("h4", has_text="Operators")
    expect(lab.page.locator(".mswidget-table td").first).to_be_visible()
    expect(summary).to_be_hidden()
    notebook = lab.save()
    assert lab.path.stat().st_size < 100_000
    notebook.metadata.clear()  # JupyterLab takes any kernel of the same language
    copy = lab.path.with_name("copy.ipynb")
    nbformat.write(notebook, copy)
    lab.show_without_kernel(copy)
    expect(summary).to_be_visible()
