import { search } from "../base/search.js";

/** @import { Axis } from "./axes.js" */
/** @import { Piece } from "./pieces.js" */

/** Marks of one kind beyond about this number would hide each other. */
const MARKS = 400;

/** What is not finite, as `format.number` names them. */
export const NONFINITE_NAMES = ["NaN", "+Inf", "−Inf"];

/**
 * The non-finite points of one kind: `total` in view, of which those in `points`
 * are marked; `base` is the last finite value before.
 * @typedef {{kind: string, total: number, points: {x: number, base: number}[]}} Nonfinite
 */

/**
 * The kinds that there are in view.
 * @param {Piece[]} pieces
 * @param {Axis} axis
 */
export const nonfinite = (pieces, axis) =>
	NONFINITE_NAMES.map((kind) => ofKind(kind, pieces, axis)).filter(
		({ total }) => total,
	);

/**
 * @param {string} kind
 * @param {Piece[]} pieces
 * @param {Axis} axis
 * @returns {Nonfinite}
 */
function ofKind(kind, pieces, axis) {
	const indices = pieces.map((piece) => within(kind, piece));
	const total = indices.reduce((sum, { length }) => sum + length, 0);
	const stride = Math.max(1, Math.ceil(total / MARKS));
	const points = pieces.flatMap(({ segment, series }, p) =>
		spread(indices[p], stride).map((i) => ({
			x: axis.of(segment, series.row(i)),
			base: lastFinite(series.values.data, i),
		})),
	);
	return { kind, total, points };
}

/**
 * @param {string} kind
 * @param {Piece} piece
 * @returns {Float64Array} indices, not copied
 */
function within(kind, { series, from, to }) {
	const all = series.nonfinite.get(kind)?.view() ?? new Float64Array();
	const first = search(all.length, (k) => all[k] >= from);
	return all.subarray(
		first,
		search(all.length, (k) => all[k] >= to),
	);
}

/**
 * Every so many, from the first to the last.
 * @param {Float64Array} indices
 * @param {number} stride
 */
function spread(indices, stride) {
	const kept = [];
	for (let k = 0; k < indices.length; k += stride) kept.push(indices[k]);
	const last = indices.at(-1);
	if (last !== undefined && kept.at(-1) !== last) kept.push(last);
	return kept;
}

/**
 * Looks a bounded way back: a curve of only NaN must not cost n² reads.
 * @param {Float64Array} data
 * @param {number} index
 */
function lastFinite(data, index) {
	for (let i = index; i >= 0 && i > index - 1000; i--) {
		if (Number.isFinite(data[i])) return data[i];
	}
	return Number.NaN;
}
