import { element, write } from "../base/dom.js";
import { colours } from "../base/theme.js";
import { drawnAxis } from "../curve/axes.js";
import { parseParameter } from "../data/parameters.js";
import { metricNames, shownTracks } from "../data/tracks.js";
import { arrange } from "../panels/index.js";
import { chartDrawing } from "./chart_drawing.js";
import { emptyText } from "./empty_text.js";
import { around, pageModel } from "./page_model.js";
import { keepsHidden, redrawTurn } from "./redraw_turn.js";
import { Sections } from "./sections.js";

/** @import { Curve } from "../curve/curve.js" */
/** @import { DrawnTracks } from "../curve/drawn_tracks.js" */
/** @import { Choice } from "../data/choice.js" */
/** @import { Store } from "../data/store.js" */
/** @import { Plotly } from "../link/plotly.js" */
/** @import { AlertInfo } from "../protocol" */
/** @import { Chart, Listener } from "./chart.js" */
/** @import { PageModel } from "./page_model.js" */

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
		/** @type {Map<Chart, Curve[]>} */
		this.curves = new Map();
		/** @type {DrawnTracks | null} of the last drawing */
		this.drawnTracks = null;
		this.sections = new Sections(
			choice,
			(part) => this.#choose(part),
			(chart) => this.curves.delete(chart),
		);
		this.empty = element("div", "empty");
		this.elements = [this.empty, this.sections.root];
		this.pointing = false;
		signal.addEventListener("abort", () => this.sections.close());
	}

	get charts() {
		return [...this.sections.charts.values()];
	}

	/** Makes the panels of metrics that have values. */
	arrange() {
		const { head, history } = this.store;
		const names = metricNames(head, history.segments, this.choice);
		const wanted = arrange(head.metrics, names, this.choice);
		this.empty.hidden = wanted.length > 0;
		write(
			this.empty,
			head.tracks.length && !shownTracks(head, this.choice).length
				? "no track is shown: choose one in the list above"
				: emptyText(head.status),
		);
		this.sections.arrange(wanted);
	}

	/** On which x axes all that is shown has a place, and the one that is drawn. */
	axes() {
		const known = this.drawnTracks?.offered ?? ["step"];
		return { known, drawn: drawnAxis(this.choice.x, known) };
	}

	/**
	 * Shows where an alert is: its step in all panels, and the panel of its metric.
	 * @param {AlertInfo} alert
	 */
	seek({ step, metric, track }) {
		const { drawnTracks } = this;
		const range = drawnTracks && around(drawnTracks, step, track);
		const parsed = parseParameter(metric);
		if (range) this.#choose({ range });
		if (parsed) this.#choose({ parameter: parsed.parameter });
		this.sections.sought = metric;
		this.changed();
	}

	/**
	 * @param {Plotly} plotly
	 * @param {HTMLElement} root
	 */
	async draw(plotly, root) {
		const width = root.clientWidth;
		const model = pageModel(this.store, this.choice, colours(root), width);
		this.drawnTracks = model?.drawnTracks ?? null;
		if (!model) return;
		const { version } = this.store;
		const state = JSON.stringify([version, this.choice, model.theme]);
		let since = performance.now();
		for (const chart of this.#due(state)) {
			try {
				await this.#drawOne(plotly, chart, model, state);
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
		const few = keepsHidden(this.charts.length);
		if (!few) this.#clear();
		const charts = this.charts.filter(({ visible }) => few || visible);
		for (const chart of charts) chart.measure();
		const old = charts.filter((chart) => chart.isOld(state));
		const { now, later } = redrawTurn(old, this.charts.length);
		if (later) this.changed();
		return now;
	}

	/** Lets go of the panels that were scrolled out of view. */
	#clear() {
		for (const chart of this.charts) {
			if (chart.visible) continue;
			chart.clear();
			this.curves.delete(chart);
		}
	}

	/**
	 * @param {Plotly} plotly
	 * @param {Chart} chart
	 * @param {PageModel} model
	 * @param {string} state
	 */
	async #drawOne(plotly, chart, model, state) {
		const { plan, panel, size } = chart;
		const markLines = model.markLines.filter((line) => chart.concerns(line));
		const whole = this.choice.whole[plan.key] ?? false;
		const options = { ...model, ...size, markLines, wide: panel.wide, whole };
		const { segments } = this.store.history;
		const { range } = this.choice;
		const { yaxis } = panel;
		const request = { plan, segments, range, options, yaxis };
		const { drawing, curves, remark } = chartDrawing(
			request,
			model.drawnTracks,
		);
		this.curves.set(chart, curves);
		chart.remark(remark, drawing.remark);
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
			outside: () => this.#toggle(chart.plan.key),
			point: (at) => this.#point(chart, at),
		};
	}

	/** @param {string} key of a panel */
	#toggle(key) {
		const { whole } = this.choice;
		this.#choose({ whole: { ...whole, [key]: !whole[key] } });
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
		for (const chart of this.charts) {
			if (chart !== source) chart.point(x);
		}
		this.pointing = false;
	}
}

const breath = () => new Promise((resolve) => setTimeout(resolve));
