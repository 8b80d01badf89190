import { element, write } from "./dom.js";
import { draw, listen, point } from "./plot.js";

/** @import { MetricInfo } from "./protocol" */
/** @import { Panel } from "./panels/index.js" */
/** @import { Plotly } from "./plot.js" */

/** @typedef {Parameters<typeof listen>[1]} Listener */

const DIRECTION = {
	lower: "lower is better",
	higher: "higher is better",
	"": "",
};

/** One metric's panel in the page. */
export class Chart {
	/**
	 * @param {Panel} panel
	 * @param {MetricInfo} info
	 */
	constructor(panel, info) {
		this.panel = panel;
		this.info = info;
		/** Until the observer speaks nothing is; without one all is. */
		this.visible = !globalThis.IntersectionObserver;
		/** @type {Plotly | null} once it was drawn */
		this.plotly = null;
		this.drawn_ms = 0;
		/** What it was drawn from. */
		this.state = "";
		this.size = { width: 0, height: 0 };
		this.hint = element("span", "hint");
		this.plot = element("div", "plot");
		const title = element("h3", "title", info.label || info.name);
		title.title = info.name;
		if (info.unit) title.append(element("span", "unit", ` [${info.unit}]`));
		const head = element("div", "panel-head", title, this.hint);
		this.root = element("section", "panel", head, this.plot);
		this.root.setAttribute("aria-label", `curve of ${info.name}`);
		this.root.toggleAttribute("data-wide", panel.wide);
		Object.assign(this.root.dataset, { panel: panel.id, metric: info.name });
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

	/** @param {string} remark */
	remark(remark) {
		const direction = DIRECTION[this.info.better];
		write(this.hint, [remark, direction].filter(Boolean).join(" · "));
	}

	/**
	 * @param {Plotly} plotly
	 * @param {{data: object[], layout: object}} figure
	 * @param {Listener} listener
	 * @param {string} state that the figure shows
	 */
	async draw(plotly, figure, listener, state) {
		this.state = `${state} ${this.size.width}`;
		this.drawn_ms = performance.now();
		await draw(plotly, this.plot, figure, this.info.name);
		if (this.plotly) return;
		this.plotly = plotly;
		listen(this.plot, listener);
	}

	/** @param {MetricInfo} info */
	shows(info) {
		return JSON.stringify(info) === JSON.stringify(this.info);
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
