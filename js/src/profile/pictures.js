import { element } from "../dom.js";
import { loadPlotly } from "../plot.js";
import { colours } from "../theme.js";
import { select } from "./select.js";

/** @import { AnyModel } from "@anywidget/types" */
/** @import { Plotly } from "../plot.js" */
/** @import { Requests } from "./requests.js" */
/** @import { Overview, ProfileState } from "./types" */

const NAMES = ["steps", "ops", "timeline", "memory"];
const BUTTONS = [["zoom2d", "pan2d", "resetScale2d", "toImage"]];
const CONFIG = {
	displaylogo: false,
	modeBarButtons: BUTTONS,
	plotlyServerURL: "",
};

/**
 * The pictures, drawn when the kernel has answered and the page has a width.
 * @param {AnyModel<ProfileState>} model
 * @param {Overview} overview
 * @param {Requests} requests
 * @param {HTMLElement} root
 * @param {AbortSignal} signal
 */
export function pictures(model, overview, requests, root, signal) {
	const plotly = loadPlotly(/** @type {any} */ (model));
	const frames = NAMES.map((name) => new Picture(name, plotly, root));
	/** @param {Picture} frame @param {object} given */
	const ask = (frame, given) =>
		frame.show(requests.ask("ask_picture", { name: frame.name, ...given }));
	for (const frame of frames) ask(frame, {});
	const timeline = frames[NAMES.indexOf("timeline")];
	const choice = timelineChoice(overview, (given) => ask(timeline, given));
	const redraw = () => {
		for (const frame of frames) frame.draw();
	};
	const observer = new ResizeObserver(redraw);
	observer.observe(root);
	signal.addEventListener("abort", () => {
		observer.disconnect();
		for (const frame of frames) frame.end();
	});
	const elements = frames.map((frame) =>
		frame === timeline
			? element("div", "", choice, frame.element)
			: frame.element,
	);
	return { elements, redraw };
}

/**
 * Chooses rank and step of the timeline, where there are several.
 * @param {Overview} overview
 * @param {(given: object) => void} changed
 */
function timelineChoice({ ranks, steps }, changed) {
	/** @type {{rank?: number, step?: number}} */
	const given = {};
	const rank = select("Timeline of rank", ranks.map(String), (value) => {
		given.rank = Number(value);
		changed(given);
	});
	const step = select("step", ["all", ...steps.map(String)], (value) => {
		if (value === "all") delete given.step;
		else given.step = Number(value);
		changed(given);
	});
	rank.hidden = ranks.length < 2;
	step.hidden = steps.length < 2;
	return element("div", "choices", rank, step);
}

class Picture {
	/** @type {{data: object[], layout: any} | null} */
	#figure = null;
	#asked = 0;
	#words = element("p", "muted", "Waiting for the kernel\u2026");
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
		this.name = name;
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

	/** @param {Promise<{figure: string}>} answer the last one asked for counts */
	async show(answer) {
		this.#asked += 1;
		const mine = this.#asked;
		try {
			const { figure } = await answer;
			if (mine !== this.#asked) return;
			this.#figure = JSON.parse(figure);
			this.#say("");
			this.draw();
		} catch (error) {
			this.#say(String(error));
		}
	}

	draw() {
		const width = this.#div.clientWidth;
		if (!this.#figure || !this.#plotly || !width) return;
		const { data, layout } = this.#figure;
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
		this.#plotly.react(this.#div, data, look, CONFIG);
	}

	end() {
		this.#plotly?.purge(this.#div);
	}

	/** @param {string} text */
	#say(text) {
		this.#words.textContent = text;
		this.#words.hidden = !text;
	}
}
