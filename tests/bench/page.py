"""What a live page costs in Chromium, beside a bare `Plotly.react` of its size."""

from tests.bench.ratios import table
from tests.browser.live_page import LivePage, noise, opened

NAMES = ["loss", *(f"loss/{i}" for i in range(9)), "lr", "grad_norm"]
LENGTHS = [1_000, 1_000_000, 10_000_000]
SERIES = 48
ROWS_A_TICK = 5
LIVE_S = 10
REACTS = 20
ZOOMS = 5
SETTLED_MS = 1000

# Plotly tells of a figure that is drawn, or whose points are.
WATCH = """() => {
    const counts = window.counts = {};
    window.tasks = [0];
    for (const plot of document.querySelectorAll(".js-plotly-plot")) {
        const { metric } = plot.closest("[data-metric]").dataset;
        counts[metric] = 0;
        for (const event of ["plotly_afterplot", "plotly_animated"])
            plot.on(event, () => counts[metric]++);
    }
    new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) window.tasks.push(duration);
    }).observe({ entryTypes: ["longtask"] });
}"""
REACT = """async (times) => {
    const symbol = Object.getOwnPropertySymbols(globalThis)
        .find((symbol) => String(symbol).includes("mswidget.plotly"));
    const plotly = await globalThis[symbol];
    const { data, layout } = document.querySelector("[data-metric=loss] \
.js-plotly-plot");
    const div = document.createElement("div");
    document.body.prepend(div);
    const { width, height } = layout;
    for (let i = 0; i < times; i++) {
        const moved = data.map(({ x, y, mode, fill }) =>
            ({ x: Array.from(x), y: Array.from(y, (v) => v + i), mode, fill }));
        await plotly.react(div, moved, { width, height });
        await new Promise((next) => requestAnimationFrame(() => setTimeout(next)));
    }
    plotly.purge(div);
    div.remove();
}"""
# A zoom as Plotly tells of it; the time until each panel shows the range.
ZOOM = """([from, to]) => new Promise((resolve) => {
    const plots = [...document.querySelectorAll(".js-plotly-plot")];
    const began = performance.now();
    const look = () => {
        const all = plots.every(({ layout }) => layout.xaxis.range[0] === from);
        if (all) resolve(performance.now() - began);
        else setTimeout(look, 2);
    };
    plots[0].emit("plotly_relayout", { "xaxis.range[0]": from, "xaxis.range[1]": to });
    look();
})"""
UNFOLD = """() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
}"""
AWAY = "() => { document.body.style.paddingTop = '9000px'; }"


class Meter:
    """Says what the page's main thread has spent, in seconds."""

    def __init__(self, page):
        self.session = page.context.new_cdp_session(page)
        self.session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def read(self, name="TaskDuration"):
        metrics = self.session.send("Performance.getMetrics")["metrics"]
        return next(m["value"] for m in metrics if m["name"] == name)

    def spent_s(self, action):
        began = self.read()
        action()
        return self.read() - began


def main():
    for rows in LENGTHS:
        with opened() as page:
            table(f"A page of {len(NAMES)} panels, {rows:,} rows", _live(page, rows))
    for rows in LENGTHS[1:]:
        with opened() as page:
            table(f"A page of {SERIES} panels, {rows:,} rows", _many(page, rows))


def _live(page, rows):
    live, meter = _open(page, NAMES, rows), Meter(page)
    first_s = live.until_whole()
    bare_s = meter.spent_s(lambda: page.evaluate(REACT, REACTS)) / REACTS
    page.evaluate(WATCH)
    spent_s = meter.spent_s(lambda: live.live(LIVE_S, ROWS_A_TICK)) / LIVE_S
    rates = {k: n / LIVE_S for k, n in page.evaluate("() => window.counts").items()}
    main_rate, others = rates.pop("loss"), min(rates.values())
    redraw_s = spent_s / (main_rate + sum(rates.values()))
    longest_ms = max(page.evaluate("() => window.tasks"))
    zooms = [_zoom(live, rows * (0.3 + 0.05 * turn)) for turn in range(ZOOMS)]
    linked_ms, true_ms = map(sorted, zip(*zooms, strict=True))
    page.evaluate(AWAY)
    live.live(1, ROWS_A_TICK)
    away_s = meter.spent_s(lambda: live.live(3, ROWS_A_TICK)) / 3
    bare = f"{bare_s * 1000:.1f} ms"
    return [
        ("first picture, all panels", f"{first_s * 1000:.0f} ms"),
        ("one bare Plotly.react", bare),
        ("live, of a core", f"{spent_s:.0%}"),
        ("a redraw", f"{redraw_s / bare_s:.2f} of a bare react"),
        ("redraws/s, main and slowest other", f"{main_rate:.1f}, {others:.1f}"),
        (
            "longest task",
            f"{longest_ms:.0f} ms, {longest_ms / bare_s / 1e3:.1f} reacts",
        ),
        ("a zoom, in all panels", _reacts(linked_ms[ZOOMS // 2], bare_s)),
        ("a zoom, true again", _reacts(true_ms[ZOOMS // 2], bare_s)),
        ("scrolled out, of a core", f"{away_s:.1%}"),
    ]


def _zoom(live, begin):
    span = [begin, begin + len(live.history) / 20]
    linked_ms = live.page.evaluate(ZOOM, span)
    true_ms = linked_ms + live.until_whole() * 1000
    live.page.get_by_text("show all").click()
    live.page.wait_for_timeout(SETTLED_MS)
    live.until_whole()
    return linked_ms, true_ms


def _reacts(ms, bare_s):
    return f"{ms:.0f} ms, {ms / 1000 / bare_s:.1f} reacts"


def _many(page, rows):
    live, meter = _open(page, _many_names(), rows), Meter(page)
    page.evaluate(UNFOLD)
    first_s = live.until("() => document.querySelectorAll('.main-svg').length > 20")
    first_s += live.until_whole()
    live.live(LIVE_S, ROWS_A_TICK)
    meter.session.send("HeapProfiler.collectGarbage")
    heap = meter.read("JSHeapUsedSize") / 1e6
    return [
        ("first picture, panels in view", f"{first_s * 1000:.0f} ms"),
        ("heap", f"{heap:.0f} MB"),
    ]


def _many_names():
    return ["loss", *(f"loss/{i}" for i in range(SERIES - 1))]


def _open(page, names, rows):
    return LivePage(page, {name: noise(i) for i, name in enumerate(names)}, rows)
