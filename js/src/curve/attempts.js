import { search } from "../base/search.js";
import { pieces, size } from "./pieces.js";

/** @import { Segment } from "../data/segment.js" */
/** @import { Axis } from "./axes.js" */
/** @import { Piece } from "./pieces.js" */

/**
 * The points of a track's metric, a line for each attempt. On an axis that rewinds
 * `earlier` has what was trained again, `replaced` points, each line with the point
 * before; `current` are the steps as they count now.
 * @param {Segment[]} segments
 * @param {string} column
 * @param {Axis} axis
 * @param {number[]} begins last steps before later attempts
 */
export function attempts(segments, column, axis, begins) {
	const all = rising(segments, column);
	if (!axis.rewinds)
		return { current: apart(all, begins), earlier: [], replaced: 0 };
	const kept = pieces(segments, column);
	const earlier = all.flatMap((piece) => without(piece, kept));
	return {
		current: apart(kept, begins),
		earlier: numbered(earlier),
		replaced: size(all) - size(kept),
	};
}

/**
 * All points, as the lines that they are on: those of a line have the same span.
 * @param {Segment[]} segments
 * @param {string} column
 * @param {number[]} begins last steps before later attempts
 */
export const linePieces = (segments, column, begins) =>
	apart(rising(segments, column), begins);

/**
 * All points, as pieces of rising steps.
 * @param {Segment[]} segments
 * @param {string} column
 */
function rising(segments, column) {
	/** @type {Piece[]} */
	const rises = [];
	let [span, stop] = [0, 0];
	for (const segment of segments) {
		if (segment.start !== stop) span++;
		stop = segment.stop;
		const series = segment.series.get(column);
		for (const stretch of series?.stretches.all ?? []) {
			if (series) rises.push({ segment, series, span, ...stretch });
		}
	}
	return rises;
}

/**
 * What of a piece is in none of `kept`, with the point before, so that lines join.
 * @param {Piece} piece
 * @param {Piece[]} kept
 */
function without(piece, kept) {
	/** @type {Piece[]} */
	const left = [];
	let { from } = piece;
	for (const { series, from: a, to: b } of kept) {
		if (series !== piece.series || b <= from || a >= piece.to) continue;
		if (a > from) left.push({ ...piece, from, to: a });
		from = b;
	}
	if (from < piece.to) left.push({ ...piece, from, to: piece.to });
	return left.map((part) => ({
		...part,
		from: Math.max(piece.from, part.from - 1),
		own: { from: part.from, to: part.to },
	}));
}

/** @param {Piece[]} pieces */
const numbered = (pieces) => pieces.map((piece, span) => ({ ...piece, span }));

/**
 * Gives a span of its own to each attempt, and to what comes after missing rows.
 * @param {Piece[]} joined
 * @param {number[]} begins
 */
function apart(joined, begins) {
	/** @type {Piece | null} */
	let last = null;
	let span = 0;
	return joined
		.flatMap((piece) => split(piece, begins))
		.map((piece) => {
			if (last && !goesOn(last, piece, begins)) span++;
			last = piece;
			return { ...piece, span };
		});
}

/**
 * @param {Piece} whole
 * @param {number[]} begins
 */
function split(whole, begins) {
	const { from, to } = whole;
	const cuts = begins
		.map(
			(begin) => from + search(to - from, (i) => step(whole, from + i) > begin),
		)
		.filter((cut) => cut > from && cut < to)
		.sort((a, b) => a - b);
	return [...cuts, to].map((end, k) => ({
		...whole,
		from: k ? cuts[k - 1] : from,
		to: end,
	}));
}

/**
 * @param {Piece} last
 * @param {Piece} next
 * @param {number[]} begins
 */
function goesOn(last, next, begins) {
	if (last.series === next.series || last.span !== next.span) return false;
	if (last.to < last.series.values.length || next.from > 0) return false;
	const [a, b] = [step(last, last.to - 1), step(next, next.from)];
	return a <= b && !begins.some((begin) => a <= begin && begin < b);
}

/**
 * @param {Piece} piece
 * @param {number} index
 */
const step = ({ segment, series }, index) =>
	segment.steps.data[series.row(index)];
