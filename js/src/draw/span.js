/** @import { Curve } from "../curve/curve.js" */

// The static picture does so in `mswidget/drawing/span.py`.

/** What spans less than this share of its size is drawn as flat: it is rounding. */
const FLAT = 1e-9;
/** Of a flat curve so much of its size is seen on each side. */
const ROOM = 0.1;
/** A training may begin with so many values that are out of all proportion. */
const FIRST = 3;
/** They are, where the others would be seen on less than this share of the height. */
const OUT = 1 / 20;
/** Fewer other values are no measure. */
const LEAST = 10;
const PAD = 0.06;

/**
 * A value outside of the picture. @typedef {{x: number, y: number}} Outlier
 *
 * What of the y axis is shown, null where Plotly knows best, and what is left out.
 * @typedef {{range: [number, number] | null, outliers: Outlier[]}} Span
 */

/**
 * The span of some curves on a linear axis.
 * @param {Pick<Curve, "x" | "y">[]} curves
 * @param {boolean} toZero whether the axis has zero on it
 * @returns {Span}
 */
export function spanOf(curves, toZero) {
	const begins = curves.map(beginOf);
	const first = begins.flatMap(({ first }) => first);
	const rest = extentOf(begins.map(({ rest }) => rest));
	const outliers = first.filter(({ y }) => isOut(y, rest));
	const inside = first.filter((point) => !outliers.includes(point));
	const seen = extentOf([inside.map(({ y }) => y)], rest);
	return { range: rangeOf(seen, toZero, outliers.length > 0), outliers };
}

/**
 * The span of some curves on a log axis; its range is in decades.
 * @param {Pick<Curve, "y">[]} curves
 * @returns {Span}
 */
export function logSpanOf(curves) {
	const seen = extentOf(curves.map(({ y }) => y.filter((value) => value > 0)));
	const [value, room] = [Math.log10(seen.high), Math.log10(2)];
	/** @type {[number, number]} */
	const flat = [value - room, value + room];
	return { range: isFlat(seen) ? flat : null, outliers: [] };
}

/**
 * The first finite values of a curve, and those after them.
 * @param {Pick<Curve, "x" | "y">} curve
 */
function beginOf({ x, y }) {
	/** @type {Outlier[]} */
	const first = [];
	let i = 0;
	for (; i < y.length && first.length < FIRST; i++) {
		if (Number.isFinite(y[i])) first.push({ x: x[i], y: y[i] });
	}
	return { first, rest: y.subarray(i) };
}

/** Of finite values. @typedef {{low: number, high: number, count: number}} Extent */

/** @type {Extent} */
const NONE = { low: Infinity, high: -Infinity, count: 0 };

/**
 * @param {Iterable<number>[]} parts
 * @param {Extent} [known] what they are added to
 * @returns {Extent}
 */
function extentOf(parts, known = NONE) {
	let { low, high, count } = known;
	for (const part of parts) {
		for (const y of part) {
			if (!Number.isFinite(y)) continue;
			low = Math.min(low, y);
			high = Math.max(high, y);
			count++;
		}
	}
	return { low, high, count };
}

/** @param {Extent} extent */
const size = ({ low, high }) => Math.max(Math.abs(low), Math.abs(high));

/** @param {Extent} extent */
const isFlat = (extent) =>
	extent.count > 0 && extent.high - extent.low <= FLAT * size(extent);

/**
 * @param {number} y
 * @param {Extent} rest
 */
function isOut(y, rest) {
	if (rest.count < LEAST) return false;
	const height = isFlat(rest) ? ROOM * size(rest) : rest.high - rest.low;
	return height > 0 && Math.max(y - rest.high, rest.low - y) > height / OUT;
}

/**
 * @param {Extent} inside
 * @param {boolean} toZero
 * @param {boolean} cut
 * @returns {[number, number] | null}
 */
function rangeOf(inside, toZero, cut) {
	const { low, high } = inside;
	const flat = isFlat(inside);
	if (!cut && (toZero || !flat)) return null;
	const room = flat ? ROOM * size(inside) || 0.5 : PAD * (high - low);
	const most = Number.MAX_VALUE;
	if (!toZero)
		return [Math.max(low - room, -most), Math.min(high + room, most)];
	return [low < 0 ? low - room : 0, high > 0 ? high + room : 0];
}
