import { search } from "./axes.js";
import { odd } from "./odd.js";
import { START } from "./smooth.js";

/** @import { Axis } from "./axes.js" */
/** @import { Odd } from "./odd.js" */
/** @import { Segment } from "./segment.js" */
/** @import { Series } from "./series.js" */

/** Up to so many points in view are drawn as they are. */
export const EXACT = 2000;

/**
 * What is drawn of one metric. `odd`: its non-finite points; `total`: points in
 * view, of which `x.length` are drawn.
 * @typedef {{
 *   x: Float64Array, y: Float64Array, smooth: Float64Array | null,
 *   odd: Odd[], total: number, envelope: boolean, reduced: boolean,
 * }} Curve
 * @typedef {{segment: Segment, series: Series, from: number, to: number}} Piece
 */

/**
 * @param {Segment[]} segments
 * @param {string} metric
 * @param {Axis} axis
 * @param {[number, number] | null} range of x in view
 * @param {number} weight of smoothing
 * @param {number} pixels
 * @returns {Curve}
 */
export function curve(segments, metric, axis, range, weight, pixels) {
	const pieces = inView(segments, metric, axis, range);
	const total = pieces.reduce((sum, { from, to }) => sum + to - from, 0);
	const envelope = total > EXACT;
	const chosen = pieces.map((piece) =>
		envelope ? thinned(piece, pixels / total) : all(piece),
	);
	const smooth = weight ? smoothed(segments, metric, weight) : null;
	/** @param {(piece: Piece, index: number) => number} read */
	const gather = (read) =>
		pieces.flatMap((piece, k) => chosen[k].map((i) => read(piece, i)));
	const x = gather(({ segment, series }, i) => axis.of(segment, series.row(i)));
	const y = gather(({ series }, i) => series.values.data[i]);
	const kept = forward(x);
	/** @param {number[]} numbers */
	const pick = (numbers) => Float64Array.from(kept, (i) => numbers[i]);
	return {
		x: pick(x),
		y: pick(y),
		smooth:
			smooth &&
			pick(gather(({ series }, i) => smooth.get(series)?.[i] ?? Number.NaN)),
		odd: odd(pieces, axis),
		total,
		envelope,
		reduced: pieces.some(({ segment }) => segment.reduced),
	};
}

/**
 * One point beyond each side is kept, so that lines run to the edge.
 * @param {Segment[]} segments
 * @param {string} metric
 * @param {Axis} axis
 * @param {[number, number] | null} range
 * @returns {Piece[]}
 */
function inView(segments, metric, axis, range) {
	return segments.flatMap((segment) => {
		const series = segment.series.get(metric);
		if (!series) return [];
		const length = series.values.length;
		if (!range || !segment.ordered)
			return [{ segment, series, from: 0, to: length }];
		/** @param {number} i */
		const x = (i) => axis.of(segment, series.row(i));
		const from = Math.max(0, search(length, (i) => x(i) >= range[0]) - 1);
		const to = Math.min(length, search(length, (i) => x(i) > range[1]) + 1);
		return from < to ? [{ segment, series, from, to }] : [];
	});
}

/** @param {Piece} piece */
const all = ({ from, to }) =>
	Array.from({ length: to - from }, (_, i) => from + i);

/**
 * @param {Piece} piece
 * @param {number} share blocks per point
 */
function thinned({ series, from, to }, share) {
	const blocks = Math.max(1, Math.round((to - from) * share));
	return series.pyramid.envelope(series.values.data, from, to, blocks);
}

/**
 * Where steps were logged again the latest wins: a curve never runs backwards.
 * @param {number[]} x
 */
function forward(x) {
	/** @type {number[]} */
	const kept = [];
	x.forEach((value, i) => {
		const back = x[kept[kept.length - 1]] > value;
		while (back && x[kept[kept.length - 1]] >= value) kept.pop();
		kept.push(i);
	});
	return kept;
}

/**
 * The average runs over all values, drawn or not, from segment to segment.
 * @param {Segment[]} segments
 * @param {string} metric
 * @param {number} weight
 */
function smoothed(segments, metric, weight) {
	/** @type {Map<Series, Float64Array>} */
	const values = new Map();
	let seed = START;
	for (const { series: bySeries } of segments) {
		const series = bySeries.get(metric);
		if (!series) continue;
		const smooth = series.smoothed(weight, seed);
		values.set(series, smooth.values.data);
		seed = smooth.end;
	}
	return values;
}
