import { search } from "../base/search.js";
import { pieces } from "./pieces.js";

/** @import { Segment } from "../data/segment.js" */
/** @import { Piece } from "./pieces.js" */

/** A row from which on the steps are counted again, and its step. @typedef {{row: number, step: number}} Rewind */

/**
 * The points of a metric that count. What was logged at the steps that a later attempt
 * trained again is left out, also where that has not logged this metric yet.
 * @param {Segment[]} segments
 * @param {string} metric
 * @param {string} leading the metric of the track that has most values
 */
export function counting(segments, metric, leading) {
	const rewinds = rewindsOf(segments, leading);
	return pieces(segments, metric).flatMap((piece) =>
		rewinds.reduce(
			(/** @type {Piece[]} */ parts, rewind) =>
				parts.flatMap((part) => without(part, rewind)),
			[piece],
		),
	);
}

/**
 * @param {Segment[]} segments
 * @param {string} metric
 * @returns {Rewind[]}
 */
const rewindsOf = (segments, metric) =>
	segments.flatMap(({ rows, steps, series }) => {
		const held = series.get(metric);
		return (held?.stretches.all ?? []).map(({ from }) => {
			const at = held?.row(from) ?? 0;
			return { row: rows.data[at], step: steps.data[at] };
		});
	});

/**
 * @param {Piece} piece
 * @param {Rewind} rewind
 */
function without(piece, { row, step }) {
	const { segment, series, from, to } = piece;
	/** @param {number} i */
	const at = (i) => series.row(from + i);
	const again = search(to - from, (i) => segment.steps.data[at(i)] >= step);
	const later = search(to - from, (i) => segment.rows.data[at(i)] >= row);
	if (again >= later) return [piece];
	return [
		{ ...piece, to: from + again },
		{ ...piece, from: from + later },
	].filter((part) => part.from < part.to);
}
