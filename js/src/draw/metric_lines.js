import { shownNames } from "../base/names.js";
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
	const labels = metrics.map(layer);
	const shown = shownNames(labels, NAME_LENGTH);
	const data = metrics.flatMap((info, i) => {
		const look = line(info, i, options.theme);
		return traces(info, curves[i], options, {
			...look,
			label: shown(labels[i]),
		});
	});
	return drawing(data, curves, options, yaxis, true);
}

/** @param {MetricInfo} info */
const layer = ({ label }) => label.replace(/^grad_norm\//, "");

/**
 * @param {MetricInfo} info
 * @param {number} index
 * @param {Theme} theme
 */
const line = ({ name }, index, { palette }) => ({
	color: palette[index % palette.length],
	dash: index < palette.length / 2 ? "solid" : "dash",
	group: name,
});
