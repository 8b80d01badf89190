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
		this.visible = true;
		this.drawn = false;
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

	get size() {
		return { width: this.plot.clientWidth, height: this.plot.clientHeight };
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
	 */
	async draw(plotly, figure, listener) {
		await draw(plotly, this.plot, figure, this.info.name);
		if (this.drawn) return;
		this.drawn = true;
		listen(this.plot, listener);
	}

	/**
	 * @param {Plotly} plotly
	 * @param {number | null} x
	 */
	point(plotly, x) {
		if (this.drawn && this.visible) point(plotly, this.plot, x);
	}
}
