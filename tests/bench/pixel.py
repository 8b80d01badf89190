"""From ``run.log`` in a busy kernel to the painted point in Chromium.

The kernel logs its own clock as a metric, at about 1,000 steps a second; the page
asks at each frame which value its curve ends with, and how old it is. Both clocks
are this machine's. Printed: median and 95th percentile of the age when a new point
is first seen painted.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import numpy as np
from playwright.sync_api import sync_playwright

from tests.browser.lab import Lab
from tests.browser.picture import Picture
from tests.browser.server import running_server

STEPS = 30_000
FRAMES = 80
CELL = f"""
import time
import mswidget
with mswidget.start_run("pixel", total_steps={STEPS}) as run:
    for _ in range({STEPS}):
        run.log({{"loss": time.time(), "lr": 0.1, "a": 1.0, "b": 2.0}})
        time.sleep(0.001)
"""
AGES_MS = """(frames) => new Promise((resolve) => {
    const ages = [];
    let last = 0;
    const look = () => {
        const plot = document.querySelector(
            '.mswidget-root [data-metric="loss"] .js-plotly-plot');
        const newest = plot?.data?.[0]?.y?.at(-1);
        if (newest && newest !== last) {
            last = newest;
            // The frame that follows this one has painted it.
            requestAnimationFrame(() => ages.push(
                performance.timeOrigin + performance.now() - 1000 * newest));
        }
        if (ages.length >= frames) resolve(ages);
        else requestAnimationFrame(look);
    };
    look();
})"""


def main() -> None:
    """Measure once and print."""
    with (
        tempfile.TemporaryDirectory() as home,
        running_server(Path(home)) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"),
            args=["--no-sandbox", "--disable-gpu"],
        )
        lab = Lab(browser.new_page(viewport={"width": 1200, "height": 1600}), server)
        lab.new([CELL])
        lab.run(0)
        Picture(lab.page).wait_for_points(500)
        ages_ms = lab.page.evaluate(AGES_MS, FRAMES)
        median, late = np.percentile(ages_ms, [50, 95])
        print(  # noqa: T201 - it is what we are for
            f"kernel -> painted pixel, busy kernel, ~1,000 steps/s: median "
            f"{median:.0f} ms, p95 {late:.0f} ms ({len(ages_ms)} frames)"
        )
        browser.close()


if __name__ == "__main__":
    main()
