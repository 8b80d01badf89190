import { nonfinite } from "./nonfinite.js";
import { inView, ownPoints, ownSize, size } from "./pieces.js";

/** @import { average } from "./average.js" */
/** @import { Axis } from "./axes.js" */
/** @import { Nonfinite } from "./nonfinite.js" */
/** @import { Piece } from "./pieces.js" */

/** Up to so many points in view are drawn as they are. */
export const EXACT = 2000;

/**
 * What is drawn of one metric. `total`: points in view, of which `drawn` are
 * drawn, `reduced` of these from an envelope; NaN stands between where rows are
 * missing. `replaced`: left out, as steps before theirs were logged again; `averaged`: no row is left out of the
 * average.
 * @typedef {{
 *   x: Float64Array, y: Float64Array, smooth: Float64Array | null,
 *   nonfinite: Nonfinite[], total: number, drawn: number, replaced: number,
 *   envelope: boolean, reduced: number, averaged: boolean,
 * }} Curve
 *
 * What of a curve is in view; up to `exact` points of it are drawn as they are.
 * @typedef {{
 *   axis: Axis, range: [number, number] | null, pixels: number, exact: number,
 * }} View
 */

/**
 * The curve through some pieces of a metric.
 * @param {Piece[]} pieces
 * @param {View} view
 * @param {ReturnType<typeof average> | null} smooth
 * @returns {Curve}
 */
export function through(pieces, view, smooth) {
	const { axis, range, pixels, exact } = view;
	const shown = pieces.flatMap((piece) => inView(piece, axis, range));
	const length = size(shown);
	// Where each point has a pixel of its own, there is nothing to gain.
	const envelope = length > Math.max(exact, pixels);
	const chosen = shown.map((piece) =>
		envelope ? thinned(piece, pixels / length) : all(piece),
	);
	const drawn = shown.map((piece, k) => ownPoints(piece, chosen[k]));
	/** @param {(piece: Piece) => boolean} which */
	const count = (which) =>
		drawn.reduce((sum, n, k) => sum + (which(shown[k]) ? n : 0), 0);
	/** @param {(piece: Piece, index: number) => number} read */
	const gather = (read) =>
		Float64Array.from(
			shown.flatMap((piece, k) => {
				const points = chosen[k].map((i) => read(piece, i));
				return k && piece.span !== shown[k - 1].span
					? [Number.NaN, ...points]
					: points;
			}),
		);
	return {
		x: gather(({ segment, series }, i) => axis.of(segment, series.row(i))),
		y: gather(({ series }, i) => series.values.data[i]),
		smooth:
			smooth &&
			gather(({ series }, i) => smooth.values.get(series)?.[i] ?? Number.NaN),
		nonfinite: nonfinite(shown, axis),
		total: ownSize(shown),
		drawn: count(() => true),
		replaced: 0,
		envelope,
		reduced: count(({ segment }) => segment.reduced),
		averaged: smooth?.whole ?? true,
	};
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
