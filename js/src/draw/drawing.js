import { number } from "../base/format.js";
import { layout } from "./layout.js";
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
	const y = Float64Array.from(curves.flatMap((curve) => [...curve.y]));
	const span = options.log
		? logSpanOf(curves)
		: spanOf(curves, yaxis.rangemode === "tozero");
	const remarks = options.log ? curves.map(hiddenByLog) : [];
	return {
		data,
		layout: layout({ y }, options, yaxis, legend, span),
		remark: remarks.find(Boolean) ?? "",
	};
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
