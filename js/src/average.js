import { START } from "./smooth.js";

/** @import { Segment } from "./segment.js" */
/** @import { Series } from "./series.js" */

/**
 * The average over all values of a metric, drawn or not, from segment to segment.
 * Rows that are reduced or missing have none, and after them it begins anew.
 * @param {Segment[]} segments
 * @param {string} metric
 * @param {number} weight
 */
export function average(segments, metric, weight) {
	/** @type {Map<Series, Float64Array>} */
	const values = new Map();
	let [seed, stop, whole] = [START, 0, true];
	for (const segment of segments) {
		const series = segment.series.get(metric);
		if (segment.reduced || segment.start !== stop) {
			[seed, whole] = [START, false];
		}
		stop = segment.stop;
		if (!series || segment.reduced) continue;
		const smooth = series.smoothed(weight, seed);
		values.set(series, smooth.values.data);
		seed = smooth.end;
	}
	return { values, whole };
}
