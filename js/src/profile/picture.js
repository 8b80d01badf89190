import { element } from "../dom.js";
import { colours } from "../theme.js";
import { WAITING } from "./requests.js";

/** @import { Plotly } from "../plot.js" */
/** @import { TimelineAnswer, TimelineMeta } from "../protocol" */

/**
 * A figure of plotly.py.
 * @typedef {{
 *   data: object[],
 *   layout: {xaxis?: object, yaxis?: object, meta?: TimelineMeta},
 * }} Figure
 */

const CONFIG = {
	displaylogo: false,
	modeBarButtons: [["zoom2d", "pan2d", "resetScale2d", "toImage"]],
	plotlyServerURL: "",
};

/** One picture: drawn when the kernel has answered and the page has a width. */
export class Picture {
	/** @type {Figure | null} */
	figure = null;
	/** @type {(event: any) => void} */
	onZoom = () => {};
	#asked = 0;
	#words = element("p", "muted");
	#div = element("div", "picture");
	#root;
	/** @type {Plotly | null} */
	#plotly = null;

	/**
	 * @param {string} name
	 * @param {Promise<Plotly>} plotly
	 * @param {HTMLElement} root
	 */
	constructor(name, plotly, root) {
		this.#root = root;
		this.element = element("div", "", this.#words, this.#div);
		this.element.dataset.picture = name;
		plotly.then(
			(loaded) => {
				this.#plotly = loaded;
				this.draw();
			},
			(error) => this.#say(String(error)),
		);
	}

	/** @param {string} figure */
	take(figure) {
		this.figure = JSON.parse(figure);
		this.#say("");
		this.draw();
	}

	/** @param {Promise<TimelineAnswer>} answer the last one asked for counts */
	async show(answer) {
		this.#asked += 1;
		const mine = this.#asked;
		this.#say(WAITING);
		try {
			const { figure } = await answer;
			if (mine === this.#asked) this.take(figure);
		} catch (error) {
			if (mine === this.#asked) this.#say(String(error));
		}
	}

	draw() {
		const width = this.#div.clientWidth;
		if (!this.figure || !this.#plotly || !width) return;
		const { data, layout } = this.figure;
		const theme = colours(this.#root);
		const axis = { gridcolor: theme.grid, zerolinecolor: theme.grid };
		const look = {
			...layout,
			template: undefined,
			width,
			font: { color: theme.text, family: theme.font, size: 12 },
			paper_bgcolor: "rgba(0,0,0,0)",
			plot_bgcolor: "rgba(0,0,0,0)",
			xaxis: { ...layout.xaxis, ...axis },
			yaxis: { ...layout.yaxis, ...axis },
		};
		const first = !this.#div.classList.contains("js-plotly-plot");
		this.#plotly.react(this.#div, data, look, CONFIG);
		if (first) this.#listen();
	}

	end() {
		this.#plotly?.purge(this.#div);
	}

	#listen() {
		const graph =
			/** @type {HTMLElement & {on(event: string, handler: (event: any) => void): void}} */ (
				/** @type {unknown} */ (this.#div)
			);
		graph.on("plotly_relayout", (event) => this.onZoom(event));
	}

	/** @param {string} text */
	#say(text) {
		this.#words.textContent = text;
		this.#words.hidden = !text;
	}
}
