import { START } from "../data/smooth.js";
import { linePieces } from "./attempts.js";

/** @import { Segment } from "../data/segment.js" */
/** @import { Series } from "../data/series.js" */
/** @import { Piece } from "./pieces.js" */

/**
 * The average over all values of a metric, drawn or not, from segment to segment.
 * Of rows that are reduced it takes those that are here; after missing ones it begins
 * anew, as it does where another line begins.
 * @param {Segment[]} segments
 * @param {string} metric
 * @param {number} weight
 * @param {number[]} [begins] last steps before later attempts
 */
export function average(segments, metric, weight, begins = []) {
	const starts = beginnings(linePieces(segments, metric, begins));
	/** @type {Map<Series, Float64Array>} */
	const values = new Map();
	let [seed, stop, whole] = [START, Math.min(0, segments[0]?.start), true];
	for (const segment of segments) {
		const series = segment.series.get(metric);
		if (segment.start !== stop) [seed, whole] = [START, false];
		if (segment.reduced && series) whole = false;
		stop = segment.stop;
		if (!series) continue;
		const smooth = series.smoothed(weight, seed, starts.get(series) ?? []);
		values.set(series, smooth.values.data);
		seed = smooth.end;
	}
	return { values, whole };
}

/**
 * Where in each series a line begins.
 * @param {Piece[]} pieces
 */
function beginnings(pieces) {
	/** @type {Map<Series, number[]>} */
	const beginsOf = new Map();
	pieces.forEach(({ series, span, from }, i) => {
		if (span === pieces[i - 1]?.span) return;
		beginsOf.set(series, [...(beginsOf.get(series) ?? []), from]);
	});
	return beginsOf;
}
