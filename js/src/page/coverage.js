import { count } from "../base/format.js";

/** @import { Curve } from "../curve/curve.js" */

/**
 * How much of the data is drawn, in words.
 * @param {Curve[]} curves those in view
 * @param {string} waits why something may not be here
 */
export function coverage(curves, waits) {
	/** @param {(curve: Curve) => number} of */
	const sum = (of) => curves.reduce((n, curve) => n + of(curve), 0);
	const [values, reduced, buckets] = [
		sum((curve) => curve.values),
		sum((curve) => curve.reduced),
		sum((curve) => curve.buckets),
	];
	const left = sum((curve) => curve.left_out);
	const isMissing = curves.some(({ missing }) => missing.length);
	const each = count(Math.max(1, Math.round(reduced / buckets)));
	return [
		buckets
			? `each pixel shows the lowest to the highest of about ${each} values`
			: "",
		buckets || !values
			? ""
			: `showing ${isMissing ? "" : "all "}${count(values)} points`,
		left ? `${count(left)} of earlier attempts left out` : "",
		curves.every(({ averaged }) => averaged) ? "" : UNSMOOTHED,
		isMissing ? `hatched: ${waits}` : "",
	]
		.filter(Boolean)
		.join(" · ");
}

const UNSMOOTHED = "the average is not here";
