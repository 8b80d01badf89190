"""What one view of the training widget shows, read from the page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

LIMIT_MS = 100_000

# The first line of a panel that is no area is the raw curve. Plotly keeps the arrays
# that it was given.
DRAWN = """([view, metric]) => {
    const root = document.querySelectorAll(".mswidget-root")[view];
    const panel = root?.querySelector(`[data-metric="${CSS.escape(metric)}"]`);
    const traces = panel?.querySelector(".js-plotly-plot")?.data ?? [];
    const curve = traces.find(({ mode, fill }) => mode === "lines" && !fill);
    return curve ? Array.from(curve.x, (x, i) => [x, curve.y[i]]) : [];
}"""

# Unfolds all that is folded; says whether the panel is there.
UNFOLD = """([view, metric]) => {
    const root = document.querySelectorAll(".mswidget-root")[view];
    const panel = `[data-metric="${CSS.escape(metric)}"]`;
    if (root?.querySelector(panel)) return true;
    for (const head of root?.querySelectorAll("[data-section]:not([open]) > summary")
        ?? []) head.click();
}"""


class Picture:
    """One view of the widget.

    Parameters
    ----------
    page
        The browser's page that shows it.
    view
        Which one, counted down the page from 0.
    """

    def __init__(self, page: Page, view: int = 0) -> None:
        self.page = page
        self.view = view
        self.root = page.locator(".mswidget-root").nth(view)

    def drawn(self, metric: str = "loss") -> list[tuple[float, float]]:
        """Return the points of the metric's raw curve as Plotly has them."""
        points = self.page.evaluate(DRAWN, [self.view, metric])
        return [(x, y) for x, y in points]

    def look_at(self, metric: str) -> None:
        """Scroll to a metric's panel: what is folded or out of sight is not drawn."""
        self.page.wait_for_function(UNFOLD, arg=[self.view, metric], timeout=LIMIT_MS)
        self.root.locator(f'[data-metric="{metric}"]').scroll_into_view_if_needed()

    def wait_for_points(
        self, count: int, metric: str = "loss", *, limit_ms: int = LIMIT_MS
    ) -> None:
        """Wait until the metric's curve has at least so many points."""
        if metric != "loss":
            self.look_at(metric)
        condition = f"([count, ...place]) => ({DRAWN})(place).length >= count"
        self.page.wait_for_function(
            condition, arg=[count, self.view, metric], timeout=limit_ms
        )

    def wait_for_phase(self, phase: str) -> None:
        """Wait until the header says that phase."""
        expect(self.root).to_have_attribute("data-phase", phase, timeout=LIMIT_MS)

    def wait_until_exact(self) -> None:
        """Wait until each value in view is drawn as it is."""
        expect(self.root).to_have_attribute("data-exact", "true", timeout=LIMIT_MS)

    def wait_for_text(self, text: str) -> None:
        """Wait until the text stands somewhere in the view."""
        expect(self.root).to_contain_text(text, timeout=LIMIT_MS)

    def open_menu(self) -> None:
        """Unfold what can be asked beside Stop."""
        self.root.locator(".mswidget-more").click()

    def wait_for_step(self, words: str) -> int:
        """Wait until the menu says these words and a step; return that."""
        said = re.compile(rf"{words} step ([\d,]+)")
        menu = self.root.locator(".mswidget-menu")
        expect(menu).to_contain_text(said, timeout=LIMIT_MS)
        (step,) = said.findall(menu.text_content() or "")
        return int(step.replace(",", ""))

    def press_stop(self) -> None:
        """Click the widget's Stop button."""
        self.root.locator(".mswidget-stop").click()
