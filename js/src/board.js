import { axis } from "./axes.js";
import { Chart } from "./chart.js";
import { curve } from "./curve.js";
import { element, write } from "./dom.js";
import { figure, hidden } from "./figure.js";
import { count } from "./format.js";
import { lines } from "./marks.js";
import { emptyText } from "./outlook.js";
import { arrange } from "./panels/index.js";
import { colours } from "./theme.js";

/** @import { Choice } from "./controls/index.js" */
/** @import { Curve } from "./curve.js" */
/** @import { Options } from "./figure.js" */
/** @import { Plotly } from "./plot.js" */
/** @import { MetricInfo } from "./protocol" */
/** @import { Store } from "./store.js" */

/** Panels are drawn a little before they are scrolled into view. */
const NEAR = { rootMargin: "300px" };

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
		signal.addEventListener("abort", () => this.observer?.disconnect());
	}

	/** How much of the data is drawn. */
	get truth() {
		const curves = [...this.curves.values()];
		/** @param {(curve: Curve) => number} of */
		const sum = (of) => curves.reduce((n, c) => n + of(c), 0);
		const [shown, total] = [sum(({ x }) => x.length), sum((c) => c.total)];
		const reduced = curves.some((c) => c.reduced);
		if (!total) return "";
		if (shown === total && !reduced) {
			return `showing ${count(shown)} of ${count(total)} points exactly`;
		}
		const drawn = `showing ${count(shown)} of ${count(total)} points`;
		if (reduced) return `${drawn}: envelope, where the rest is not here`;
		const each = Math.round((2 * total) / shown);
		return `${drawn}: lowest and highest of about ${count(each)} each`;
	}

	/** Makes the panels of metrics that have values. */
	arrange() {
		const { head, history } = this.store;
		const names = new Set(
			history.segments.flatMap((s) => [...s.series.keys()]),
		);
		const known = head.metrics.filter(({ name }) => names.has(name));
		const listed = new Set(known.map(({ name }) => name));
		const others = [...names].filter((name) => !listed.has(name)).map(unlisted);
		const wanted = arrange([...known, ...others]);
		this.empty.hidden = wanted.length > 0;
		write(this.empty, emptyText(head.status));
		wanted.forEach(({ panel, info }, i) => {
			const chart = this.charts.get(info.name) ?? new Chart(panel, info);
			if (this.grid.children[i] !== chart.root) {
				this.grid.insertBefore(chart.root, this.grid.children[i] ?? null);
			}
			if (this.charts.has(info.name)) return;
			this.charts.set(info.name, chart);
			this.observer?.observe(chart.root);
		});
	}

	/**
	 * @param {Plotly} plotly
	 * @param {HTMLElement} root
	 */
	async draw(plotly, root) {
		const options = this.#options(root);
		if (!options) return;
		for (const chart of this.charts.values()) {
			const { width, height } = chart.size;
			if (!width || !height || !chart.visible) continue;
			await this.#drawOne(plotly, chart, { ...options, width, height });
		}
	}

	/** @param {Plotly} plotly */
	purge(plotly) {
		for (const { plot, drawn } of this.charts.values()) {
			if (drawn) plotly.purge(plot);
		}
	}

	/**
	 * @param {Plotly} plotly
	 * @param {Chart} chart
	 * @param {Omit<Options, "wide">} options
	 */
	async #drawOne(plotly, chart, options) {
		const { info, panel } = chart;
		const { axis: x, weight, log, width } = options;
		const { segments } = this.store.history;
		const { range } = this.choice;
		const shown = curve(segments, info.name, x, range, weight, width);
		this.curves.set(info.name, shown);
		chart.remark(log ? hidden(shown) : "");
		const full = { ...options, wide: panel.wide };
		await chart.draw(plotly, figure(info, shown, full, panel.yaxis), {
			zoom: (to) => this.#choose({ range: to }),
			all: () => this.#choose({ range: null, zoomed: this.choice.zoomed + 1 }),
			point: (at) => this.#point(plotly, chart, at),
		});
	}

	/**
	 * @param {HTMLElement} root
	 * @returns {Omit<Options, "wide" | "width" | "height"> | null} null: nothing to draw
	 */
	#options(root) {
		const { head, history } = this.store;
		const { x, weight, log, zoomed } = this.choice;
		const segments = history.segments.filter(({ rows }) => rows.length);
		const [first, last] = [segments[0], segments.at(-1)];
		if (!first || !last) return null;
		const end = last.rows.length - 1;
		const scale = axis(x, head.status, last.times.data[end]);
		const all = padded(scale.of(first, 0), scale.of(last, end));
		const range = this.choice.range ?? all;
		const marks = lines(head, scale, segments, range, root.clientWidth);
		const theme = colours(root);
		return { axis: scale, range, zoomed, weight, log, theme, lines: marks };
	}

	/** @param {Partial<Choice>} part */
	#choose(part) {
		Object.assign(this.choice, part);
		this.changed();
	}

	/**
	 * @param {Plotly} plotly
	 * @param {Chart} source
	 * @param {number | null} x
	 */
	#point(plotly, source, x) {
		// Plotly reports the hover that we cause in the other panels, too.
		if (this.pointing) return;
		this.pointing = true;
		for (const chart of this.charts.values()) {
			if (chart !== source) chart.point(plotly, x);
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
			if (entries.some(({ isIntersecting }) => isIntersecting)) this.changed();
		}, NEAR);
	}
}

/**
 * @param {string} name of a metric that the head does not list yet
 * @returns {MetricInfo}
 */
const unlisted = (name) => ({
	name,
	label: name,
	unit: "",
	better: "",
	panel: "other",
});

/**
 * @param {number} from
 * @param {number} to
 * @returns {[number, number]}
 */
function padded(from, to) {
	if (!(to > from)) return [from - 1, from + 1];
	const pad = (to - from) / 100;
	return [from - pad, to + pad];
}
