import { hiddenByLog } from "./figure.js";
import { escapeMarkup, layout } from "./layout.js";
import { traces } from "./traces.js";

/** @import { Curve } from "../curve/curve.js" */
/** @import { MetricInfo } from "../protocol" */
/** @import { Drawing } from "./figure.js" */
/** @import { Options } from "./layout.js" */

const NAME_LENGTH = 34;

/**
 * A line for each metric, in colours and dashes of their own.
 * @param {MetricInfo[]} metrics
 * @param {Curve[]} curves
 * @param {Options} options
 * @param {object} yaxis
 * @returns {Drawing}
 */
export function metricLines(metrics, curves, options, yaxis) {
	const data = metrics.flatMap((info, i) => line(info, i, curves[i], options));
	const y = Float64Array.from(curves.flatMap((curve) => [...curve.y]));
	const drawn = layout({ ...curves[0], y }, options, yaxis, true);
	const remarks = curves.map((curve) =>
		options.log ? hiddenByLog(curve) : "",
	);
	return { data, layout: drawn, remark: remarks.find(Boolean) ?? "" };
}

/**
 * @param {MetricInfo} info
 * @param {number} index
 * @param {Curve} curve
 * @param {Options} options
 */
function line(info, index, curve, options) {
	const { palette } = options.theme;
	const colour = palette[index % palette.length];
	const theme = { ...options.theme, line: colour, raw: `${colour}66` };
	const name = escapeMarkup(short(info.label.replace(/^grad_norm\//, "")));
	const all = traces(info, curve, { ...options, theme, wide: false });
	const dash = index < palette.length / 2 ? "solid" : "dash";
	const named = curve.smooth ? 1 : 0;
	return all.map((trace, i) => ({
		...trace,
		...("line" in trace ? { line: { ...trace.line, dash } } : {}),
		name,
		showlegend: i === named,
		legendgroup: info.name,
		hovertemplate: trace.hovertemplate.replace(
			"<extra></extra>",
			"<extra>%{fullData.name}</extra>",
		),
	}));
}

/**
 * Long names differ at both ends.
 * @param {string} name
 */
function short(name) {
	const letters = [...name];
	if (letters.length <= NAME_LENGTH) return name;
	const half = NAME_LENGTH / 2 - 1;
	return `${letters.slice(0, half).join("")}…${letters.slice(-half).join("")}`;
}
