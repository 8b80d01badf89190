import { element } from "../base/dom.js";

/** @import { FigureMeta } from "../protocol" */

/**
 * A figure of plotly.py.
 * @typedef {{title?: object}} FigureAxis
 * @typedef {{
 *   name?: string, type?: string, showlegend?: boolean,
 *   marker?: {color?: string}, line?: {color?: string, dash?: string},
 * }} Trace
 * @typedef {{
 *   data: Trace[],
 *   layout: {
 *     title?: {text: string}, height: number, margin?: object, colorway?: string[],
 *     xaxis?: FigureAxis, yaxis?: FigureAxis, meta?: FigureMeta,
 *   },
 * }} Figure
 */

/**
 * The legend of a figure: wraps where Plotly's would cover the plot.
 * @param {Figure} figure
 */
export function legend(figure) {
	const items = entries(figure).map(({ name, colour, dash }) => {
		const key = element("i", dash ? "key-line" : "key");
		key.style.color = colour;
		if (dash) key.style.borderTopStyle = dash;
		return element("span", "", key, name);
	});
	return element("div", "legend", ...items);
}

/**
 * Name and look of each trace that has a name to be shown.
 * @param {Figure} figure
 */
export function entries({ data, layout }) {
	const ways = layout.colorway ?? [];
	return data.flatMap(({ name, showlegend, type, marker, line }, at) => {
		if (!name || showlegend === false) return [];
		const colour = marker?.color ?? line?.color ?? ways[at % ways.length];
		const dashed = line?.dash === "dot" ? "dotted" : "solid";
		const dash = type === "scatter" ? dashed : "";
		return [{ name: plain(name), colour, dash }];
	});
}

/**
 * What Plotly would show of a name: the kernel has escaped it for Plotly.
 * @param {string} name
 */
function plain(name) {
	return name
		.replaceAll("&lt;", "<")
		.replaceAll("&gt;", ">")
		.replaceAll("&amp;", "&");
}
