import { element } from "../base/dom.js";
import { loadPlotly } from "../link/plotly.js";
import { Picture } from "./picture.js";
import { timeline } from "./timeline.js";

/** @import { AnyModel } from "@anywidget/types" */
/** @import { Overview, ProfileState } from "../protocol" */
/** @import { Requests } from "./requests.js" */

/**
 * All pictures of a profile.
 * @param {AnyModel<ProfileState>} model
 * @param {Overview} overview
 * @param {Requests} requests
 * @param {HTMLElement} root
 * @param {AbortSignal} signal
 */
export function pictures(model, overview, requests, root, signal) {
	const plotly = loadPlotly(/** @type {any} */ (model));
	const fixed = Object.entries(overview.pictures).map(([name, figure]) => {
		const picture = new Picture(name, plotly, root);
		picture.take(figure);
		return picture;
	});
	const lanes = new Picture("timeline", plotly, root, "Timeline");
	const all = [...fixed, lanes];
	const redraw = () => {
		for (const picture of all) picture.draw();
	};
	const observer = new ResizeObserver(redraw);
	observer.observe(root);
	signal.addEventListener("abort", () => {
		observer.disconnect();
		for (const picture of all) picture.end();
	});
	const grid = element("div", "pictures", ...fixed.map((p) => p.element));
	return { elements: [grid, timeline(lanes, overview, requests)], redraw };
}
