import { search } from "../base/search.js";
import { rewind } from "../data/stretches.js";

/** @import { Segment } from "../data/segment.js" */
/** @import { Series } from "../data/series.js" */
/** @import { Axis } from "./axes.js" */

/**
 * Points `from` to `to` of a series, in the order of x. Rows are missing between
 * pieces of different `span`. Those beside its `own` points, all by default, only let
 * a line join another or run to the edge.
 * @typedef {{
 *   segment: Segment, series: Series, from: number, to: number, span: number,
 *   own?: {from: number, to: number},
 * }} Piece
 */

/** @param {Piece[]} pieces */
export const size = (pieces) =>
	pieces.reduce((sum, { from, to }) => sum + to - from, 0);

/**
 * How many points are a piece's own: a joint counts once.
 * @param {Piece} piece
 * @param {number[]} points some of it
 */
export const ownPoints = ({ own, from, to }, points) =>
	points.filter((i) => i >= (own?.from ?? from) && i < (own?.to ?? to)).length;

/** @param {Piece[]} pieces */
export const ownSize = (pieces) =>
	pieces.reduce((sum, { own, from, to }) => {
		const counted = own ?? { from, to };
		return sum + Math.max(0, counted.to - counted.from);
	}, 0);

/**
 * The points of a metric whose steps were not logged again.
 * @param {Segment[]} segments
 * @param {string} metric
 */
export function pieces(segments, metric) {
	/** @type {Piece[]} */
	const kept = [];
	let [span, stop] = [0, 0];
	for (const segment of segments) {
		if (segment.start !== stop) span++;
		stop = segment.stop;
		const series = segment.series.get(metric);
		if (!series) continue;
		for (const stretch of series.stretches.kept) {
			const piece = { segment, series, span, ...stretch };
			rewindTo(piece, kept);
			kept.push(piece);
		}
	}
	return kept;
}

/**
 * @param {Piece} next
 * @param {Piece[]} before
 */
function rewindTo(next, before) {
	const last = before.at(-1);
	const first = step(next, next.from);
	if (last && step(last, last.to - 1) > first) rewind(before, first, step);
}

/**
 * @param {Piece} piece
 * @param {number} index
 */
const step = ({ segment, series }, index) =>
	segment.steps.data[series.row(index)];

/**
 * The part in view; one point beyond each side lets lines run to the edge.
 * @param {Piece} piece
 * @param {Axis} axis
 * @param {[number, number] | null} range
 * @returns {Piece[]}
 */
export function inView(piece, axis, range) {
	if (!range) return [piece];
	const { segment, series } = piece;
	const length = piece.to - piece.from;
	/** @param {number} i */
	const x = (i) => axis.of(segment, series.row(piece.from + i));
	const first = search(length, (i) => x(i) >= range[0]);
	const last = search(length, (i) => x(i) > range[1]);
	const from = piece.from + Math.max(0, first - 1);
	const to = piece.from + Math.min(length, last + 1);
	const counted = piece.own ?? piece;
	const own = {
		from: Math.max(counted.from, piece.from + first),
		to: Math.min(counted.to, piece.from + last),
	};
	return from < to ? [{ ...piece, from, to, own }] : [];
}
