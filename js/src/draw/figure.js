import { number } from "../base/format.js";
import { layout } from "./layout.js";
import { traces } from "./traces.js";

/** @import { Curve } from "../curve/curve.js" */
/** @import { MetricInfo } from "../protocol" */
/** @import { Options } from "./layout.js" */

/**
 * A Plotly figure, and what it leaves unsaid.
 * @typedef {{data: object[], layout: object, remark: string}} Drawing
 */

/**
 * The Plotly figure of one metric. Trace 0 is always the raw curve.
 * @param {MetricInfo} info
 * @param {Curve} curve
 * @param {Options} options
 * @param {object} override of the layout's y axis, by the panel
 */
export function figure(info, curve, options, override) {
	const data = traces(info, curve, options);
	// One curve alone is named by the panel's title.
	const legend = options.wide && data.length > 1;
	return { data, layout: layout(curve, options, override, legend) };
}

/**
 * The drawing of a chart that has one metric.
 * @param {MetricInfo[]} metrics
 * @param {Curve[]} curves
 * @param {Options} options
 * @param {object} yaxis
 * @returns {Drawing}
 */
export function singleDrawing([info], [curve], options, yaxis) {
	const remark = options.log ? hiddenByLog(curve) : "";
	return { ...figure(info, curve, options, yaxis), remark };
}

/**
 * What a log axis cannot show.
 * @param {Curve} curve
 */
export function hiddenByLog({ y, envelope }) {
	const low = y.filter((value) => value <= 0 && Number.isFinite(value)).length;
	if (!low) return "";
	const some = envelope ? `at least ${number(low)}` : number(low);
	return `${some} ${low === 1 ? "value" : "values"} ≤ 0 not on a log axis`;
}
