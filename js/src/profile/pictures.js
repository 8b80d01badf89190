import { loadPlotly } from "../plot.js";
import { Picture } from "./picture.js";
import { timeline } from "./timeline.js";

/** @import { AnyModel } from "@anywidget/types" */
/** @import { Requests } from "./requests.js" */
/** @import { Overview, ProfileState } from "./types" */

/**
 * All pictures of a profile, top to bottom.
 * @param {AnyModel<ProfileState>} model
 * @param {Overview} overview
 * @param {Requests} requests
 * @param {HTMLElement} root
 * @param {AbortSignal} signal
 */
export function pictures(model, overview, requests, root, signal) {
	const plotly = loadPlotly(/** @type {any} */ (model));
	/** @param {string} name */
	const make = (name) => new Picture(name, plotly, root);
	const simple = ["steps", "ops", "memory"].map((name) => {
		const picture = make(name);
		picture.show(requests.ask("ask_picture", { name }));
		return picture;
	});
	const lanes = make("timeline");
	const all = [...simple, lanes];
	const redraw = () => {
		for (const picture of all) picture.draw();
	};
	const observer = new ResizeObserver(redraw);
	observer.observe(root);
	signal.addEventListener("abort", () => {
		observer.disconnect();
		for (const picture of all) picture.end();
	});
	const elements = simple.map((picture) => picture.element);
	return {
		elements: [...elements, timeline(lanes, overview, requests)],
		redraw,
	};
}
