import { Chart } from "./chart.js";
import { curve } from "./curve.js";
import { element, write } from "./dom.js";
import { figure, hidden } from "./figure.js";
import { emptyText } from "./outlook.js";
import { arrange } from "./panels/index.js";
import { scene } from "./scene.js";
import { colours } from "./theme.js";
import { keepsHidden, turn } from "./turn.js";

/** @import { Listener } from "./chart.js" */
/** @import { Choice } from "./controls/index.js" */
/** @import { Curve } from "./curve.js" */
/** @import { Scene } from "./scene.js" */
/** @import { Panel } from "./panels/index.js" */
/** @import { Plotly } from "./plot.js" */
/** @import { MetricInfo } from "./protocol" */
/** @import { Store } from "./store.js" */

/** Panels are drawn a little before they are scrolled into view. */
const NEAR = { rootMargin: "300px" };

/** The page may handle input this often; each pause costs a painted frame. */
const SLICE_MS = 50;

/** The panels: made when a metric has its first value, drawn while visible. */
export class Board {
	/**
	 * @param {Store} store
	 * @param {Choice} choice
	 * @param {() => void} changed the choice or what is visible
	 * @param {AbortSignal} signal
	 */
	constructor(store, choice, changed, signal) {
		this.store = store;
		this.choice = choice;
		this.changed = changed;
		/** @type {Map<string, Chart>} */
		this.charts = new Map();
		/** @type {Map<string, Curve>} */
		this.curves = new Map();
		this.empty = element("div", "empty");
		this.grid = element("div", "grid");
		this.elements = [this.empty, this.grid];
		this.pointing = false;
		this.observer = globalThis.IntersectionObserver && this.#watch();
		signal.addEventListener("abort", () => {
			this.observer?.disconnect();
			for (const chart of this.charts.values()) chart.remove();
		});
	}

	/** Makes the panels of metrics that have values. */
	arrange() {
		const { head, history } = this.store;
		const names = new Set(
			history.segments.flatMap((s) => [...s.series.keys()]),
		);
		const wanted = arrange(head.metrics, names);
		this.empty.hidden = wanted.length > 0;
		write(this.empty, emptyText(head.status));
		wanted.forEach(({ panel, info }, i) => {
			const chart = this.#chart(panel, info);
			if (this.grid.children[i] !== chart.root) {
				this.grid.insertBefore(chart.root, this.grid.children[i] ?? null);
			}
		});
	}

	/**
	 * A metric that is described otherwise than before gets a new panel.
	 * @param {Panel} panel
	 * @param {MetricInfo} info
	 */
	#chart(panel, info) {
		const before = this.charts.get(info.name);
		if (before?.shows(info)) return before;
		before?.remove();
		const chart = new Chart(panel, info);
		this.charts.set(info.name, chart);
		this.observer?.observe(chart.root);
		return chart;
	}

	/**
	 * @param {Plotly} plotly
	 * @param {HTMLElement} root
	 */
	async draw(plotly, root) {
		const width = root.clientWidth;
		const options = scene(this.store, this.choice, colours(root), width);
		if (!options) return;
		const { version } = this.store;
		const state = JSON.stringify([version, this.choice, options.theme]);
		let since = performance.now();
		for (const chart of this.#due(state)) {
			try {
				await this.#drawOne(
					plotly,
					chart,
					{ ...options, ...chart.size },
					state,
				);
			} catch (error) {
				// Plotly refuses some numbers; the other panels go on.
				chart.remark(`cannot be drawn: ${error}`);
			}
			if (performance.now() - since > SLICE_MS) {
				await breath();
				since = performance.now();
			}
		}
	}

	/**
	 * The panels to draw now; asks for another picture when some are left.
	 * @param {string} state
	 */
	#due(state) {
		for (const chart of this.charts.values()) chart.measure();
		const old = [...this.charts.values()].filter((chart) => chart.isOld(state));
		const { now, later } = turn(old, this.charts.size);
		if (later) this.changed();
		if (!keepsHidden(this.charts.size)) this.#clear();
		return now;
	}

	/** Lets go of the panels that were scrolled out of view. */
	#clear() {
		for (const chart of this.charts.values()) {
			if (chart.visible) continue;
			chart.clear();
			this.curves.delete(chart.info.name);
		}
	}

	/**
	 * @param {Plotly} plotly
	 * @param {Chart} chart
	 * @param {Scene & { width: number, height: number }} options
	 * @param {string} state
	 */
	async #drawOne(plotly, chart, options, state) {
		const { info, panel } = chart;
		const { axis: x, weight, log, width } = options;
		const { segments } = this.store.history;
		const { range } = this.choice;
		const shown = curve(segments, info.name, x, range, weight, width);
		this.curves.set(info.name, shown);
		chart.remark(log ? hidden(shown) : "");
		const full = { ...options, wide: panel.wide };
		const drawn = figure(info, shown, full, panel.yaxis);
		await chart.draw(plotly, drawn, this.#listener(chart), state);
	}

	/**
	 * @param {Chart} chart
	 * @returns {Listener}
	 */
	#listener(chart) {
		return {
			zoom: (to) => this.#choose({ range: to }),
			all: () => this.#choose({ range: null, zoomed: this.choice.zoomed + 1 }),
			point: (at) => this.#point(chart, at),
		};
	}

	/** @param {Partial<Choice>} part */
	#choose(part) {
		Object.assign(this.choice, part);
		this.changed();
	}

	/**
	 * @param {Chart} source
	 * @param {number | null} x
	 */
	#point(source, x) {
		// Plotly reports the hover that we cause in the other panels, too.
		if (this.pointing) return;
		this.pointing = true;
		for (const chart of this.charts.values()) {
			if (chart !== source) chart.point(x);
		}
		this.pointing = false;
	}

	#watch() {
		return new IntersectionObserver((entries) => {
			for (const { target, isIntersecting } of entries) {
				const name = /** @type {HTMLElement} */ (target).dataset.metric ?? "";
				const chart = this.charts.get(name);
				if (chart) chart.visible = isIntersecting;
			}
			this.changed();
		}, NEAR);
	}
}

const breath = () => new Promise((resolve) => setTimeout(resolve));
