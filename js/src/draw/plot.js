import { OUTLIER } from "./layout.js";

/** @import { Plotly } from "../link/plotly.js" */

/** Plotly's own choice of buttons has one that uploads the chart. */
const CONFIG = {
	displaylogo: false,
	doubleClick: false,
	modeBarButtons: [["toImage"]],
	plotlyServerURL: "",
};

/** @typedef {{data: any[], layout: object}} Figure */

/** Points that replace others as they are: nothing glides, and no axis is drawn. */
const AT_ONCE = {
	mode: "immediate",
	transition: { duration: 0 },
	frame: { duration: 0, redraw: false },
};

/**
 * Draws a figure; of one that looks like the one before, its points only, which costs
 * half as much.
 * @param {Plotly} plotly
 * @param {HTMLElement} div
 * @param {Figure} figure
 * @param {string} name of a saved picture
 * @param {string} before what `looks` said of the figure that is drawn
 */
export function draw(plotly, div, { data, layout }, name, before) {
	if (before === looks({ data, layout }) && fits(div, data)) {
		const points = data.map(({ x, y, customdata }) =>
			customdata ? { x, y, customdata } : { x, y },
		);
		const traces = [...data.keys()];
		return plotly.animate(div, { data: points, traces }, AT_ONCE);
	}
	const toImageButtonOptions = { format: "png", scale: 2, filename: name };
	const config = { ...CONFIG, toImageButtonOptions };
	return plotly.react(div, data, layout, config);
}

/**
 * All of a figure but its points, as text.
 * @param {Figure} figure that was not drawn yet: Plotly writes into its layout
 */
export const looks = ({ data, layout }) =>
	JSON.stringify([
		layout,
		data.map(({ x, y, customdata, ...look }) => [look, !customdata]),
	]);

/**
 * Whether the curves are inside of the axis that is drawn.
 * @param {HTMLElement} div
 * @param {any[]} data
 */
function fits(div, data) {
	const { type, range } = /** @type {any} */ (div).layout.yaxis;
	const [low, high] =
		type === "log"
			? range.map((/** @type {number} */ decade) => 10 ** decade)
			: range;
	return data.every(
		({ y, yaxis }) =>
			yaxis ||
			y.every((/** @type {number} */ value) => !(value < low || value > high)),
	);
}

/**
 * Calls back when the reader zooms, asks for everything or for what is outside of
 * the picture, or points at an x.
 * @param {HTMLElement} div drawn at least once
 * @param {{
 *   zoom(range: [number, number]): void, all(): void, outside(): void,
 *   point(x: number | null): void,
 * }} to
 */
export function listen(div, to) {
	const graph =
		/** @type {HTMLElement & {on(event: string, handler: (event: any) => void): void}} */ (
			div
		);
	graph.on("plotly_relayout", (event) => {
		const [from, until] = [event["xaxis.range[0]"], event["xaxis.range[1]"]];
		if (from !== undefined && until !== undefined)
			to.zoom([number(from), number(until)]);
	});
	graph.on("plotly_clickannotation", ({ annotation }) => {
		if (annotation.name === OUTLIER) to.outside();
	});
	graph.on("plotly_doubleclick", () => to.all());
	graph.on("plotly_hover", (event) => to.point(event.xvals?.[0] ?? null));
	graph.on("plotly_unhover", () => to.point(null));
}

/**
 * Plotly writes a place on an axis of dates as text, without a zone.
 * @param {number | string} place
 */
const number = (place) =>
	typeof place === "number" ? place : Date.parse(`${place.replace(" ", "T")}Z`);

/**
 * Shows the values at `x` in another panel, or hides them.
 * @param {Plotly} plotly
 * @param {HTMLElement} div
 * @param {number | null} x
 */
export function point(plotly, div, x) {
	if (x === null) plotly.Fx.unhover(div);
	else plotly.Fx.hover(div, { xval: x }, "xy", true);
}
