import { Floats } from "../base/floats.js";

/** @import { Columns } from "./extracts.js" */

/** How a column of several buckets becomes that of one. */
const SUM = (/** @type {number} */ a, /** @type {number} */ b) => a + b;
const LAST = (/** @type {number} */ _, /** @type {number} */ b) => b;
/** @type {Record<string, (a: number, b: number) => number>} */
const MERGES = {
	steps: LAST,
	lasts: LAST,
	smooth: LAST,
	counts: SUM,
	nans: SUM,
	above: SUM,
	below: SUM,
	lows: unless(Math.min),
	highs: unless(Math.max),
};

/**
 * Buckets without finite values have NaN.
 * @param {(a: number, b: number) => number} of
 * @returns {(a: number, b: number) => number}
 */
function unless(of) {
	return (a, b) => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : of(a, b));
}

/**
 * The buckets of a piece, merged to those of a higher level.
 * @param {Columns} columns
 * @param {number} levels how many levels higher
 * @returns {Columns}
 */
export function coarser(columns, levels) {
	const buckets = columns.at.view().map((b) => Math.floor(b / 2 ** levels));
	const starts = [...buckets.keys()].filter(
		(i) => buckets[i] !== buckets[i - 1],
	);
	const stops = [...starts.slice(1), buckets.length];
	/** @param {(start: number, stop: number) => number} of */
	const each = (of) =>
		new Floats(Float64Array.from(starts, (start, k) => of(start, stops[k])));
	/** @type {Columns} */
	const merged = { at: each((start) => buckets[start]) };
	for (const [name, { data }] of Object.entries(columns)) {
		const merge = MERGES[name];
		if (merge)
			merged[name] = each((start, stop) =>
				data.subarray(start, stop).reduce(merge),
			);
	}
	const { means, counts } = columns;
	merged.means = each((start, stop) =>
		mean(means.data, counts.data, start, stop),
	);
	return { ...merged, means: within(merged) };
}

/**
 * A mean that rounding has taken out of what it is the mean of.
 * @param {Columns} columns
 */
function within({ means, lows, highs }) {
	return new Floats(
		means
			.view()
			.map((mean, i) => Math.min(Math.max(mean, lows.data[i]), highs.data[i])),
	);
}

/**
 * @param {Float64Array} means
 * @param {Float64Array} counts
 * @param {number} start
 * @param {number} stop
 */
function mean(means, counts, start, stop) {
	if (stop === start + 1) return means[start];
	let [sum, total] = [0, 0];
	for (let i = start; i < stop; i++) total += counts[i];
	for (let i = start; i < stop; i++) {
		if (counts[i]) sum += means[i] * (counts[i] / total);
	}
	return total ? sum : Number.NaN;
}
