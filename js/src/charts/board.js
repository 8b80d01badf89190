import { element, write } from "../base/dom.js";
import { colours } from "../base/theme.js";
import { drawnAxis } from "../curve/axes.js";
import { trackCurve } from "../curve/curves.js";
import { parseParameter } from "../data/parameters.js";
import { shownTracks } from "../data/tracks.js";
import { arrange } from "../panels/index.js";
import { chartDrawing } from "./chart_drawing.js";
import { chartLines } from "./chart_lines.js";
import { emptyText } from "./empty_text.js";
import { Overview } from "./overview.js";
import { around, pageModel, roomy } from "./page_model.js";
import { Sections } from "./sections.js";
import { sightOf, sketchSight, wanted } from "./wanted.js";

/** @import { Curve } from "../curve/curve.js" */
/** @import { DrawnTracks } from "../curve/drawn_tracks.js" */
/** @import { Series } from "../data/cache.js" */
/** @import { Choice } from "../data/choice.js" */
/** @import { Store } from "../data/store.js" */
/** @import { Plotly } from "../link/plotly.js" */
/** @import { AlertInfo } from "../protocol" */
/** @import { Chart, Listener, State } from "./chart.js" */
/** @import { PageModel } from "./page_model.js" */

/** The page may handle input this often; each pause costs a painted frame. */
const SLICE_MS = 70;

/** Small panels are drawn twice a second: some of them at each of so many drawings. */
const TURN_MS = 300;
const TURNS = 4;

/** So many panels are all kept drawn; of more only those near the view are. */
const KEPT = 50;

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
		/** What stands first, and what stands below that. */
		this.overview = new Overview(choice, (part) => this.#choose(part));
		const { lead } = this.sections;
		this.lead = element("div", "lead", this.empty, lead, this.overview.root);
		this.rest = this.sections.root;
		this.pointing = false;
		signal.addEventListener("abort", () => this.sections.close());
	}

	get charts() {
		return [...this.sections.charts.values()];
	}

	/** Makes the panels of metrics that have values. */
	arrange() {
		const { head } = this.store;
		const anyShown = shownTracks(head, this.choice).length > 0;
		const plans = arrange(anyShown ? head.metrics : [], this.choice);
		this.empty.hidden = plans.length > 0;
		this.overview.root.hidden = !plans.length;
		write(
			this.empty,
			head.tracks.length && !anyShown
				? "no track is shown: choose one in the list of runs and ranks"
				: emptyText(head.status),
		);
		this.sections.arrange(plans);
	}

	/** The curves in view. */
	get seen() {
		return [...this.curves].flatMap(([{ visible }, curves]) =>
			visible ? curves : [],
		);
	}

	/** Whether each value in view is drawn as it is. */
	get isExact() {
		const { seen } = this;
		return (
			seen.length > 0 &&
			seen.every(({ buckets, missing }) => !buckets && !missing.length)
		);
	}

	/** On which x axes all that is shown has a place, and the one that is drawn. */
	axes() {
		const known = this.drawnTracks?.offered ?? ["step"];
		return { known, drawn: drawnAxis(this.choice.x, known) };
	}

	/**
	 * Shows the panel of a metric, and in all panels the step of an alert.
	 * @param {string} metric
	 * @param {AlertInfo} [alert]
	 */
	seek(metric, alert) {
		const { drawnTracks } = this;
		const range = drawnTracks && alert && around(drawnTracks, alert);
		const parsed = parseParameter(metric);
		if (range) this.#choose({ range, follow: 0 });
		if (parsed) this.#choose({ parameter: parsed.parameter });
		this.sections.sought = metric;
		this.changed();
	}

	/** What is in view, for the kernel. */
	look() {
		const charts = this.charts.filter(
			({ visible, size }) => visible && size.width > 0,
		);
		const placed = charts.map(({ plan, size }) => ({
			plan,
			width: size.width,
		}));
		const sketched = this.sections.folded.map(({ first }) => first);
		const { drawnTracks, choice, store } = this;
		return wanted(placed, sketched, drawnTracks, choice, store);
	}

	/**
	 * @param {HTMLElement} root
	 * @param {string} waits why something may not be here
	 */
	measure(root, waits) {
		const theme = colours(root);
		const model = pageModel(
			this.store,
			this.choice,
			theme,
			root.clientWidth,
			waits,
		);
		this.drawnTracks = model?.drawnTracks ?? null;
		this.#clear();
		for (const chart of this.charts) if (chart.visible) chart.measure();
		return model;
	}

	/**
	 * Draws what has changed: at once what the reader has changed, and the first chart;
	 * the others in turn. Says whether some still wait for theirs.
	 * @param {Plotly} plotly
	 * @param {PageModel} model
	 */
	async draw(plotly, model) {
		const shared = this.#shared(model);
		const charts = this.charts.filter(({ isPlaced }) => isPlaced);
		const old = charts
			.map((chart) => ({ chart, state: this.#state(chart, model, shared) }))
			.filter(
				(one) => isUrgent(one) || one.chart.state.numbers !== one.state.numbers,
			);
		const due = inTurn(old, charts, performance.now());
		/** @type {Promise<void>[]} */
		const drawn = [];
		let since = performance.now();
		for (const { chart, state } of due) {
			drawn.push(this.#try(plotly, chart, model, state));
			if (performance.now() - since > SLICE_MS) {
				await breath();
				since = performance.now();
			}
		}
		await Promise.all(drawn);
		this.#sketch(model);
		return due.length < old.length;
	}

	/**
	 * Draws the whole run in small, and a curve for each section that is folded.
	 * @param {PageModel} model
	 */
	#sketch({ drawnTracks: { main, span }, chosen, range }) {
		const { cache, summaries } = this.store;
		const { track, axis, look } = main;
		const [first] = this.charts;
		if (first) {
			const [{ name }] = first.plan.metrics;
			const sight = sightOf({ range: chosen, weight: 0 }, first.size.width);
			const { curve } = trackCurve(cache, name, main, sight, 1);
			const of = JSON.stringify([track.id, axis.title, name]);
			this.overview.update(of, curve, roomy(span), chosen, look.color);
		}
		for (const section of this.sections.folded) {
			const { name } = section.first;
			const sight = sketchSight(chosen);
			const { curve } = trackCurve(cache, name, main, sight, 1);
			section.sketch(curve, range, look.color, summaries.get(name)?.[0]);
		}
	}

	/**
	 * What all charts show beside their numbers, as text.
	 * @param {PageModel} model
	 */
	#shared({ drawnTracks, theme, waits }) {
		const { version } = this.store;
		const tracks = drawnTracks.tracks.map(({ track, label, look, axis }) => [
			...[track.id, label, look, axis.title, axis.of(0), axis.of(1)],
		]);
		const { open: _, range: __, follow: ___, ...choice } = this.choice;
		return JSON.stringify([version, choice, theme, waits, tracks]);
	}

	/**
	 * @param {Chart} chart
	 * @param {PageModel} model
	 * @param {string} shared
	 * @returns {State}
	 */
	#state({ plan, size }, { drawnTracks, chosen, range }, shared) {
		const { cache } = this.store;
		const { drawn } = chartLines(plan, drawnTracks, this.store);
		const lines = drawn.map(({ info, drawnTrack: { track, axis } }) => ({
			name: info.name,
			series: cache.find(track.id, info.name, axis.key),
		}));
		/** @param {(series: Series) => unknown} of */
		const of = (of) =>
			lines.map(({ name, series }) => [name, series && of(series)]).join();
		return {
			choice: `${shared} ${size.width}`,
			zoom: JSON.stringify(chosen),
			answers: of(({ since, held }) => held && since),
			numbers: `${range} ${of(({ version }) => version)}`,
		};
	}

	/**
	 * Plotly refuses some numbers; the other panels go on.
	 * @param {Plotly} plotly
	 * @param {Chart} chart
	 * @param {PageModel} model
	 * @param {State} state
	 */
	async #try(plotly, chart, model, state) {
		try {
			if (chart.holds(state, model.range))
				await chart.magnify(plotly, model.range, state);
			else await this.#drawOne(plotly, chart, model, state);
		} catch (error) {
			chart.remark(`cannot be drawn: ${error}`);
		}
	}

	/** Of very many panels those that were scrolled out of view are let go of. */
	#clear() {
		if (this.charts.length <= KEPT) return;
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
	 * @param {State} state
	 */
	async #drawOne(plotly, chart, model, state) {
		const { plan, panel, size } = chart;
		const markLines = model.markLines.filter((line) => chart.concerns(line));
		const whole = this.choice.whole[plan.key] ?? false;
		const { wide, strip = false } = panel;
		const options = { ...model, ...size, markLines, wide, strip, whole };
		const request = {
			plan,
			range: model.chosen,
			options,
			yaxis: panel.yaxis,
		};
		const { drawing, curves, remark } = chartDrawing(
			request,
			model.drawnTracks,
			this.store,
		);
		this.curves.set(chart, curves);
		const isMissing = curves.some(({ missing }) => missing.length);
		chart.remark(isMissing ? model.waits : "", remark, drawing.remark);
		await chart.draw(plotly, drawing, this.#listener(chart), state);
	}

	/**
	 * @param {Chart} chart
	 * @returns {Listener}
	 */
	#listener(chart) {
		return {
			zoom: (to) => this.#choose({ range: to, follow: 0 }),
			all: () =>
				this.#choose({
					...{ range: null, follow: 0, zoomed: this.choice.zoomed + 1 },
				}),
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

/**
 * Whether the reader waits for it.
 * @param {{chart: Pick<Chart, "state">, state: State}} old
 */
const isUrgent = ({ chart: { state: before }, state }) =>
	before.choice !== state.choice ||
	before.zoom !== state.zoom ||
	before.answers !== state.answers;

/**
 * Those whose turn it is: what the reader waits for, the first of all charts, and of
 * the others some that were not drawn for longest.
 * @template {{chart: Pick<Chart, "state" | "drawn_ms">, state: State}} Old
 * @param {Old[]} old
 * @param {Old["chart"][]} charts all of them
 * @param {number} now_ms
 */
export function inTurn(old, charts, now_ms) {
	const isFirst = (/** @type {Old} */ one) =>
		one.chart === charts[0] || isUrgent(one);
	const others = old
		.filter((one) => !isFirst(one) && now_ms - one.chart.drawn_ms >= TURN_MS)
		.sort((a, b) => a.chart.drawn_ms - b.chart.drawn_ms)
		.slice(0, Math.ceil(charts.length / TURNS));
	return [...old.filter(isFirst), ...others];
}

const breath = () => new Promise((resolve) => setTimeout(resolve));
