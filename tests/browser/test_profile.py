"""A profile in JupyterLab and in VS Code's widget manager, without any network."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import nbformat
import pytest
from playwright.sync_api import expect

from tests.browser.picture import Picture
from tests.browser.readability import hard_to_read

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.browser.lab import Lab
    from tests.browser.vscode_manager import VSCodePage

from tests.bench.profile_files import write_trace

DATA = Path(__file__).parents[1] / "data" / "ascend" / "torch-2025-01" / "level1"
SHOW = """
import mswidget
profile = mswidget.load_profile({!r})
profile.show()
"""
UNTIL_FILE = """
import time
from pathlib import Path
while not Path({!r}).exists():
    time.sleep(0.05)
"""
FIGURE = """
import mswidget
from IPython.display import display
display(mswidget.load_profile({!r}).figures.steps())
"""
LOG = "for n in range(50): run.log({'loss': n})"
BESIDE = [
    "import mswidget; run = mswidget.start_run('run', log_dir={!r})",
    LOG,
    "run.show_profile(mswidget.load_profile({!r}))",
    LOG,
    "run.finish()",
]
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


def expect_image(image: Locator) -> None:
    """Expect an image that is seen, not one that could not be read."""
    expect(image).to_be_visible()
    assert image.evaluate("(image) => image.naturalWidth") > 0


def picture(page: Page | Locator, name: str) -> Locator:
    """Return one picture's drawn bars and lines."""
    return page.locator(f'[data-picture="{name}"] :is(.bars path, .scatterlayer path)')


def test_all_pictures_are_drawn_and_the_table_can_be_used(shown):
    for name in PICTURES:
        expect(picture(shown, name).first).to_be_attached(timeout=60_000)
    assert hard_to_read(shown.locator(".mswidget-profile")) == []
    table = shown.locator(".mswidget-table")
    shown.get_by_label("Table", exact=True).select_option("kernel_details")
    expect(shown.get_by_text("rows 1 to 20 of 382")).to_be_visible()
    shown.get_by_label("Next page").click()
    expect(shown.get_by_text("rows 21 to 40 of 382")).to_be_visible()
    shown.get_by_label("Search in the table").fill("allreduce")
    expect(shown.get_by_text("found in 382")).to_be_visible()
    table.get_by_role("button", name="duration_us").click()
    expect(table.locator("th[aria-sort=descending]")).to_have_count(1)


def test_pictures_are_drawn_while_the_cell_still_runs(lab: Lab, tmp_path: Path):
    go_on = tmp_path / "go_on"
    lab.new([SHOW.format(str(DATA)) + UNTIL_FILE.format(str(go_on))])
    lab.run(0)
    for name in ("steps", "ops", "memory"):
        expect(picture(lab.page, name).first).to_be_attached(timeout=60_000)
    assert lab.prompt(0) == "[*]:"
    waiting = lab.page.get_by_text("Waiting for the kernel").first
    expect(waiting).to_be_visible()
    go_on.touch()
    expect(picture(lab.page, "timeline").first).to_be_attached(timeout=60_000)
    expect(waiting).to_be_hidden()


def test_a_profile_stands_below_live_curves_in_one_output(lab: Lab, tmp_path: Path):
    begin, log, show, *rest = BESIDE
    lab.new([begin.format(str(tmp_path)), log, show.format(str(DATA)), *rest])
    lab.finish(0, 1, 2)
    output = lab.page.locator(".jp-CodeCell").nth(2)
    expect(output.locator(".mswidget-root")).to_have_count(2)
    expect(picture(output, "steps").first).to_be_attached(timeout=60_000)
    curves = Picture(lab.page, view=1)
    curves.wait_for_points(50)
    lab.finish(3, 4)
    curves.root.scroll_into_view_if_needed()
    curves.wait_for_points(100)
    curves.wait_for_phase("finished")


def test_a_profile_stands_below_the_curves_of_its_own_cell(lab: Lab, tmp_path: Path):
    begin, log, show, *_, finish = BESIDE
    cell = [begin.format(str(tmp_path)), log, show.format(str(DATA)), finish]
    lab.new(["\n".join(cell)])
    lab.finish(0)
    output = lab.page.locator(".jp-CodeCell").first
    expect(picture(output, "steps").first).to_be_attached(timeout=60_000)
    expect(output.locator(".mswidget-root")).to_have_count(2)


def test_a_profile_stands_below_live_curves_in_vscode(
    vscode: VSCodePage, tmp_path: Path
):
    begin, log, show, *_ = BESIDE
    for code in (begin.format(str(tmp_path)), log, show.format(str(DATA)), log):
        vscode.finish(code)
    expect(picture(vscode.page, "steps").first).to_be_attached(timeout=60_000)
    Picture(vscode.page, view=1).wait_for_points(100)


def test_a_profile_can_be_shown_below_the_curves_of_a_run_that_is_over(
    lab: Lab, tmp_path: Path
):
    begin, log, show, _, finish = BESIDE
    lab.new([begin.format(str(tmp_path)), log, finish, show.format(str(DATA))])
    lab.finish(0, 1, 2, 3)
    curves = Picture(lab.page, view=1)
    curves.wait_for_points(50)
    curves.wait_until_exact()
    curves.wait_for_phase("finished")


def test_a_figure_in_a_cell_is_drawn_by_jupyterlab(lab: Lab):
    lab.new([FIGURE.format(str(DATA))])
    lab.finish(0)
    drawn = lab.page.locator(".jp-OutputArea .js-plotly-plot .bars path")
    expect(drawn.first).to_be_attached(timeout=60_000)


def test_a_figure_in_a_cell_is_seen_where_nothing_draws_plotly(vscode: VSCodePage):
    vscode.finish(FIGURE.format(str(DATA)))
    expect_image(vscode.page.get_by_alt_text("Time of each step"))


def test_zooming_into_merged_bars_shows_single_events(lab: Lab, tmp_path: Path):
    write_trace(tmp_path / "trace_view.json", 3_000_000)
    lab.new([SHOW.format(str(tmp_path))])
    lab.finish(0)
    shown = lab.page.locator('[data-picture="timeline"]')
    merged = shown.get_by_text("pale ones stand for several")
    expect(merged).to_be_attached(timeout=60_000)
    plot = shown.locator(".nsewdrag").first
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    assert box
    middle = box["y"] + box["height"] / 2
    lab.page.mouse.move(box["x"] + 100, middle)
    lab.page.mouse.down()
    lab.page.mouse.move(box["x"] + 130, middle, steps=5)
    lab.page.mouse.up()
    expect(merged).to_have_count(0)
    expect(shown.locator(".bars path").first).to_be_attached()
    shown.get_by_role("button", name="Whole timeline").click()
    expect(merged).to_be_attached()


def test_a_picture_that_there_is_none_of_says_why(lab: Lab):
    lab.new([SHOW.format(str(DATA.parents[1] / "mindspore-2.10-cpu"))])
    lab.finish(0)
    steps = lab.page.locator('[data-picture="steps"]')
    expect(steps.get_by_text("the profile has no step_trace_time")).to_be_visible()
    expect(steps.locator(".mswidget-picture")).to_be_hidden()


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
    expect_image(lab.page.get_by_alt_text("Time of each step"))
