import { Chart } from "./chart.js";
import { curve } from "./curve.js";
import { element, write } from "./dom.js";
import { single } from "./figure.js";
import { emptyText } from "./outlook.js";
import { arrange } from "./panels/index.js";
import { parse } from "./parameters.js";
import { around, scene } from "./scene.js";
import { order, Section } from "./section.js";
import { colours } from "./theme.js";
import { keepsHidden, turn } from "./turn.js";

/** @import { Listener } from "./chart.js" */
/** @import { Choice } from "./controls/index.js" */
/** @import { Curve } from "./curve.js" */
/** @import { Scene } from "./scene.js" */
/** @import { Placed, Section as Wanted } from "./panels/index.js" */
/** @import { Plotly } from "./plot.js" */
/** @import { AlertInfo } from "./protocol" */
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
		/** @type {Map<string, Section>} */
		this.sections = new Map();
		/** @type {Map<string, Chart>} of the sections that are not folded */
		this.charts = new Map();
		/** @type {Map<Chart, Curve[]>} */
		this.curves = new Map();
		this.empty = element("div", "empty");
		this.body = element("div", "sections");
		this.elements = [this.empty, this.body];
		this.pointing = false;
		this.sought = "";
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
		const wanted = arrange(head.metrics, names, this.choice);
		this.empty.hidden = wanted.length > 0;
		write(this.empty, emptyText(head.status));
		const before = new Set(this.charts.values());
		const roots = wanted.map((section) => this.#section(section, before));
		order(this.body, roots);
		for (const chart of before) this.#remove(chart);
		this.#show();
	}

	/**
	 * Shows where an alert is: its step in all panels, and the panel of its metric.
	 * @param {AlertInfo} alert
	 */
	seek({ step, metric }) {
		const { store, choice } = this;
		const range = around(store, choice, step);
		const place = parse(metric);
		if (range) this.#choose({ range });
		if (place) this.#choose({ parameter: place.parameter });
		this.sought = metric;
		this.changed();
	}

	/**
	 * @param {Wanted} wanted
	 * @param {Set<Chart>} before loses those that are still wanted
	 */
	#section(wanted, before) {
		const made = () =>
			new Section(wanted, this.choice, (part) => this.#choose(part));
		const section = this.sections.get(wanted.id) ?? made();
		this.sections.set(wanted.id, section);
		section.update(wanted);
		const seeks = wanted.metrics.some(({ name }) => name === this.sought);
		if (seeks) section.unfold();
		if (section.open) {
			const charts = wanted.charts.map((placed) => this.#chart(placed));
			for (const chart of charts) before.delete(chart);
			section.place(charts.map(({ root }) => root));
		}
		return section.root;
	}

	/**
	 * A chart that is described otherwise than before is made anew.
	 * @param {Placed} placed
	 */
	#chart({ panel, plan }) {
		const key = `${panel.id} ${plan.key}`;
		const before = this.charts.get(key);
		if (before?.shows(plan)) {
			before.plan = plan;
			return before;
		}
		if (before) this.#remove(before);
		const chart = new Chart(panel, plan);
		this.charts.set(key, chart);
		this.observer?.observe(chart.root);
		return chart;
	}

	/** @param {Chart} chart */
	#remove(chart) {
		this.observer?.unobserve(chart.root);
		this.curves.delete(chart);
		const key = `${chart.panel.id} ${chart.plan.key}`;
		if (this.charts.get(key) === chart) this.charts.delete(key);
		chart.remove();
	}

	/** Scrolls to the chart that is sought. */
	#show() {
		if (!this.sought) return;
		for (const { plan, root } of this.charts.values()) {
			if (plan.metrics.some(({ name }) => name === this.sought)) {
				root.scrollIntoView({ block: "nearest" });
				break;
			}
		}
		this.sought = "";
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
				await this.#drawOne(plotly, chart, options, state);
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
		const few = keepsHidden(this.charts.size);
		if (!few) this.#clear();
		const charts = [...this.charts.values()].filter((c) => few || c.visible);
		for (const chart of charts) chart.measure();
		const old = charts.filter((chart) => chart.isOld(state));
		const { now, later } = turn(old, this.charts.size);
		if (later) this.changed();
		return now;
	}

	/** Lets go of the panels that were scrolled out of view. */
	#clear() {
		for (const chart of this.charts.values()) {
			if (chart.visible) continue;
			chart.clear();
			this.curves.delete(chart);
		}
	}

	/**
	 * @param {Plotly} plotly
	 * @param {Chart} chart
	 * @param {Scene} scene
	 * @param {string} state
	 */
	async #drawOne(plotly, chart, scene, state) {
		const { plan, panel, size } = chart;
		const { axis: x, weight, width } = { ...scene, ...size };
		const { segments } = this.store.history;
		const { range } = this.choice;
		const metrics = plan.pick?.(plan.metrics, segments) ?? plan.metrics;
		const shown = metrics.map(({ name }) =>
			curve(segments, name, x, range, weight, width),
		);
		this.curves.set(chart, shown);
		const lines = scene.lines.filter((line) => chart.concerns(line));
		const options = { ...scene, ...size, lines, wide: panel.wide };
		const draw = plan.draw ?? single;
		const drawing = draw(metrics, shown, options, panel.yaxis);
		const left = plan.metrics.length - metrics.length;
		const some = `${metrics.length} of ${plan.metrics.length}`;
		chart.remark(left && plan.pick ? some : "", drawing.remark);
		await chart.draw(plotly, drawing, this.#listener(chart), state);
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
			const seen = new Map(
				entries.map(({ target, isIntersecting }) => [target, isIntersecting]),
			);
			for (const chart of this.charts.values()) {
				chart.visible = seen.get(chart.root) ?? chart.visible;
			}
			this.changed();
		}, NEAR);
	}
}

const breath = () => new Promise((resolve) => setTimeout(resolve));
