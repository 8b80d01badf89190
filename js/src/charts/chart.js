import { element, write } from "../base/dom.js";
import { nameParts } from "../base/name_parts.js";
import { draw, listen, point } from "../draw/plot.js";

/** @import { MarkLine } from "../draw/labels.js" */
/** @import { Plotly } from "../link/plotly.js" */
/** @import { Panel, Plan } from "../panels/plan.js" */

/** @typedef {Parameters<typeof listen>[1]} Listener */

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
		/** What it was drawn from. */
		this.state = "";
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
		Object.assign(this.root.dataset, { panel: panel.id, metric: plan.key });
		this.remark("");
	}

	/** Reading it may cost a layout: all are measured before any is drawn. */
	measure() {
		const { clientWidth: width, clientHeight: height } = this.plot;
		this.size = { width, height };
	}

	/**
	 * Whether it can be drawn and shows something else than `state`.
	 * @param {string} state
	 */
	isOld(state) {
		const { width, height } = this.size;
		return width > 0 && height > 0 && this.state !== `${state} ${width}`;
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
	 * @param {{data: object[], layout: object}} figure
	 * @param {Listener} listener
	 * @param {string} state that the figure shows
	 */
	async draw(plotly, figure, listener, state) {
		this.state = `${state} ${this.size.width}`;
		await draw(plotly, this.plot, figure, this.plan.key);
		if (this.plotly) return;
		this.plotly = plotly;
		listen(this.plot, listener);
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
		this.state = "";
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
