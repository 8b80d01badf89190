import { element, write } from "../base/dom.js";
import { nameParts } from "../base/name_parts.js";
import { draw, listen, looks, point } from "../draw/plot.js";

/** @import { MarkLine } from "../draw/labels.js" */
/** @import { Plotly } from "../link/plotly.js" */
/** @import { Panel, Plan } from "../panels/plan.js" */

/** @typedef {Parameters<typeof listen>[1]} Listener */

/**
 * What a chart shows, as text: what the reader has chosen, and into what zoomed; which
 * asks are answered; and the numbers, which may come a little later than the others.
 * @typedef {{choice: string, zoom: string, answers: string, numbers: string}} State
 */

/** @type {State} */
const NOTHING = { choice: "", zoom: "", answers: "", numbers: "" };

const DIRECTION = {
	lower: "lower is better",
	higher: "higher is better",
	"": "",
};

/** One panel in the page, of one metric or several. */
export class Chart {
	/**
	 * @param {Panel} panel
	 * @param {Plan} plan
	 */
	constructor(panel, plan) {
		this.panel = panel;
		this.plan = plan;
		/** Until the observer speaks nothing is; without one all is. */
		this.visible = !globalThis.IntersectionObserver;
		/** @type {Plotly | null} once it was drawn */
		this.plotly = null;
		/** @type {State} what it shows */
		this.state = NOTHING;
		/** When it was drawn, and how it looks beside its points. */
		this.drawn_ms = 0;
		this.looks = "";
		/** @type {[number, number]} of the axis that is drawn */
		this.range = [0, 0];
		this.size = { width: 0, height: 0 };
		this.hint = element("span", "hint");
		this.plot = element("div", "plot");
		const title = element("h3", "title", ...nameParts(plan.label));
		title.title = plan.key;
		if (plan.unit) title.append(element("span", "unit", ` [${plan.unit}]`));
		const head = element("div", "panel-head", title, this.hint);
		this.root = element("section", "panel", head, this.plot);
		this.root.setAttribute("aria-label", `curve of ${plan.key}`);
		this.root.toggleAttribute("data-wide", panel.wide);
		this.root.toggleAttribute("data-strip", panel.strip ?? false);
		Object.assign(this.root.dataset, { panel: panel.id, metric: plan.key });
		this.remark("");
	}

	/** Reading it may cost a layout: all are measured before any is drawn. */
	measure() {
		const { clientWidth: width, clientHeight: height } = this.plot;
		this.size = { width, height };
	}

	/** Whether it can be drawn. */
	get isPlaced() {
		return this.visible && this.size.width > 0 && this.size.height > 0;
	}

	/** @param {string[]} remarks */
	remark(...remarks) {
		const direction = DIRECTION[this.plan.better];
		const text = [...remarks, direction].filter(Boolean).join(" · ");
		write(this.hint, text);
		this.hint.title = text;
	}

	/**
	 * @param {Plotly} plotly
	 * @param {{data: object[], layout: any}} figure
	 * @param {Listener} listener
	 * @param {State} state that the figure shows
	 */
	async draw(plotly, figure, listener, state) {
		this.state = state;
		this.drawn_ms = performance.now();
		const before = this.looks;
		this.looks = looks(figure);
		this.range = figure.layout.xaxis.range;
		await draw(plotly, this.plot, figure, this.plan.key, before);
		if (this.plotly) return;
		this.plotly = plotly;
		listen(this.plot, listener);
	}

	/**
	 * Whether what is drawn has all of a range into which the reader has zoomed.
	 * @param {State} state
	 * @param {[number, number]} range
	 */
	holds({ choice, zoom }, [from, to]) {
		const isZoom = this.state.choice === choice && this.state.zoom !== zoom;
		return isZoom && this.range[0] <= from && to <= this.range[1];
	}

	/**
	 * Shows a part of what is drawn, at once; it is drawn closely when its turn comes.
	 * @param {Plotly} plotly
	 * @param {[number, number]} range
	 * @param {State} state
	 */
	async magnify(plotly, range, state) {
		this.state = { ...state, numbers: "" };
		this.drawn_ms = performance.now();
		this.looks = "";
		this.range = range;
		await plotly.relayout(this.plot, { "xaxis.range": range });
	}

	/** @param {Plan} plan */
	shows({ label, unit, better }) {
		const { plan } = this;
		return plan.label === label && plan.unit === unit && plan.better === better;
	}

	/**
	 * Whether a mark is drawn here: one of a metric only there and on the loss.
	 * @param {MarkLine} line
	 */
	concerns({ metric }) {
		if (!metric || this.panel.id === "loss") return true;
		return this.plan.metrics.some(({ name }) => name === metric);
	}

	/** Lets go of what Plotly holds, until it is drawn again. */
	clear() {
		this.plotly?.purge(this.plot);
		this.plotly = null;
		this.state = NOTHING;
		this.looks = "";
	}

	remove() {
		this.clear();
		this.root.remove();
	}

	/** @param {number | null} x */
	point(x) {
		if (this.plotly && this.visible) point(this.plotly, this.plot, x);
	}
}
