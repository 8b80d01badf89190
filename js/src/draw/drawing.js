import { number } from "../base/format.js";
import { heightsOf } from "./envelope.js";
import { layout } from "./layout.js";
import { missingTraces } from "./missing.js";
import { logSpanOf, spanOf } from "./span.js";

/** @import { Curve } from "../curve/curve.js" */
/** @import { Options } from "./layout.js" */

/**
 * A Plotly figure, and what it leaves unsaid.
 * @typedef {{data: object[], layout: object, remark: string}} Drawing
 */

/**
 * The drawing of some curves, by the traces that draw them.
 * @param {object[]} data
 * @param {Curve[]} curves
 * @param {Options} options
 * @param {{rangemode?: string}} yaxis override of the layout's, by the panel
 * @param {boolean} legend
 * @returns {Drawing}
 */
export function drawing(data, curves, options, yaxis, legend) {
	const heights = curves.map(heightsOf);
	const lane = curves.some(({ nonfinite }) => nonfinite.length);
	const span = options.log
		? logSpanOf(heights)
		: spanOf(heights, yaxis.rangemode === "tozero");
	const hatched = missingTraces(curves, options);
	const missing = hatched.length > 0;
	const shown = { heights: heights.map(({ y }) => y), lane, missing, span };
	const remarks = options.log ? curves.map(hiddenByLog) : [];
	return {
		data: [...hatched, ...data],
		layout: layout(shown, options, yaxis, legend),
		remark: remarks.find(Boolean) ?? "",
	};
}

/**
 * What a log axis cannot show.
 * @param {Pick<Curve, "y" | "low">} curve
 */
export function hiddenByLog({ y, low }) {
	const buckets = low.filter((value) => value <= 0).length;
	const hidden =
		y.filter((value, i) => value <= 0 && !(low[i] <= 0)).length + buckets;
	if (!hidden) return "";
	const some = buckets ? `at least ${number(hidden)}` : number(hidden);
	return `${some} ${hidden === 1 ? "value" : "values"} ≤ 0 not on a log axis`;
}
