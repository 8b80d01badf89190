import { element } from "../base/dom.js";
import { colours } from "../base/theme.js";
import { legend } from "./legend.js";
import { WAITING } from "./requests.js";

/** @import { Theme } from "../base/theme.js" */
/** @import { Plotly } from "../link/plotly.js" */
/** @import { TimelineAnswer } from "../protocol" */
/** @import { Figure, FigureAxis } from "./legend.js" */

/** Title and legend stand above the plot, which has room for them. */
const ABOVE_PX = 72;
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
	#title = element("h3", "title");
	#words = element("p", "muted");
	#div = element("div", "picture");
	#legend = element("div", "");
	/** The title, and room for what is chosen beside it. */
	head = element("div", "choices", this.#title);
	#root;
	/** @type {Plotly | null} */
	#plotly = null;

	/**
	 * @param {string} name
	 * @param {Promise<Plotly>} plotly
	 * @param {HTMLElement} root
	 * @param {string} [title] until there is a figure
	 */
	constructor(name, plotly, root, title = "") {
		this.#root = root;
		this.#title.textContent = title;
		this.element = element("div", "", this.head, this.#legend);
		this.element.append(this.#words, this.#div);
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
		/** @type {Figure} */
		const parsed = JSON.parse(figure);
		this.figure = parsed;
		this.#title.textContent = parsed.layout.title?.text ?? "";
		this.#legend.replaceChildren(legend(parsed));
		const reason = parsed.layout.meta?.reason ?? "";
		this.#say(reason);
		this.#div.hidden = reason !== "";
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
		const look = styled(layout, width, colours(this.#root));
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

/**
 * A layout in the page's theme; title and legend stand above it as text.
 * @param {Figure["layout"]} layout
 * @param {number} width
 * @param {Theme} theme
 */
function styled(layout, width, theme) {
	/** @param {FigureAxis} [axis] */
	const axis = (axis) => ({
		...axis,
		title: { ...axis?.title, font: { size: 12 }, standoff: 8 },
		automargin: true,
		gridcolor: theme.grid,
		zerolinecolor: theme.grid,
	});
	return {
		...layout,
		title: undefined,
		template: undefined,
		width,
		height: layout.height - ABOVE_PX,
		margin: { ...layout.margin, t: 8 },
		showlegend: false,
		font: { color: theme.text, family: theme.font, size: 12 },
		paper_bgcolor: "rgba(0,0,0,0)",
		plot_bgcolor: "rgba(0,0,0,0)",
		xaxis: axis(layout.xaxis),
		yaxis: axis(layout.yaxis),
	};
}
