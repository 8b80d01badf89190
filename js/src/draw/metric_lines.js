import { drawing } from "./drawing.js";
import { traces } from "./traces.js";

/** @import { Theme } from "../base/theme.js" */
/** @import { Curve } from "../curve/curve.js" */
/** @import { MetricInfo } from "../protocol" */
/** @import { Options } from "./layout.js" */

const NAME_LENGTH = 34;

/**
 * A line for each metric, in colours and dashes of their own.
 * @param {MetricInfo[]} metrics
 * @param {Curve[]} curves
 * @param {Options} options
 * @param {object} yaxis
 */
export function metricLines(metrics, curves, options, yaxis) {
	const data = metrics.flatMap((info, i) =>
		traces(info, curves[i], options, line(info, i, options.theme)),
	);
	return drawing(data, curves, options, yaxis, true);
}

/**
 * @param {MetricInfo} info
 * @param {number} index
 * @param {Theme} theme
 */
const line = ({ name, label }, index, { palette }) => ({
	color: palette[index % palette.length],
	dash: index < palette.length / 2 ? "solid" : "dash",
	label: short(label.replace(/^grad_norm\//, "")),
	group: name,
});

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
